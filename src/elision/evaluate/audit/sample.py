"""The folder of a sample: its plan, the notes to read, and a table to mark in.

The plan says which notes were drawn, from how many, for how many others each one stands, and the hash of each text.
A digest over all of it, signed if there is a key, tells whether anything was changed. The notes are called by their
place in the sample, so that whoever reads them does not see what they were drawn for.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import elision
from elision.document import Document
from elision.errors import FormatError, ScoreError
from elision.evaluate.audit.designs import DESIGNS, Stratum
from elision.formats import Format, write
from elision.formats.atomic import told, write_text
from elision.formats.files import parse_json
from elision.keys import Key

VERSION = 1
PLAN, MARKS, NOTES, GUIDE = "plan.json", "marks.csv", "notes", "READ-ME.txt"
HEAD = ("note", "label", "words")
NONE = "none"
PURPOSE = "audit"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A note of the sample: its name there, its ID in the run, its group, its text's hash, its receipt's signature."""

    name: str
    note: str
    stratum: int
    sha256: str
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """The run from which the notes come, as far as it is known."""

    where: str
    policy: str = ""
    key: str = ""  # its ID
    chain: str = ""  # of the receipts
    signature: str = ""  # of the receipts' summary
    verified: bool = False  # whether each text that was drawn is the one of its receipt


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a report must know of a sample, without a word of a note."""

    design: str
    by: str
    seed: int
    most: int  # identifiers that are counted in a note
    origin: Origin
    strata: tuple[Stratum, ...]
    notes: tuple[Drawn, ...]
    made: str = ""
    elision: str = elision.__version__
    audit: int = VERSION
    key: str = ""  # the ID of the key that signs this plan
    signature: str = ""
    digest: str = ""

    @property
    def whole(self) -> int:
        return sum(stratum.notes for stratum in self.strata)

    def row(self) -> dict[str, Any]:
        row = asdict(self)
        for stratum, one in zip(row["strata"], self.strata, strict=True):
            stratum["weight"] = one.weight
        return row

    def sealed(self, key: Key | None) -> Plan:
        """With its digest, and signed if there is a key."""
        named = replace(self, key=key.id if key else "")
        digest = _digest(named.row())
        return replace(named, digest=digest, signature=_signature(digest, key) if key else "")


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _digest(row: Mapping[str, Any]) -> str:
    """Of a plan's row, but for what is made from it."""
    plain = json.dumps({**row, "digest": "", "signature": ""}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def _signature(digest: str, key: Key) -> str:
    return key.secret(PURPOSE).digest(digest).hex()


def read_plan(folder: Path, key: Key | None = None) -> Plan:
    """The plan of a sample, if it is as it was made; `key` checks its signature as well."""
    path = folder / PLAN
    try:
        row = parse_json(path.read_text("utf-8"), str(path))
    except OSError as error:
        raise ScoreError(f"{path}: cannot be read: {error.strerror}; give a folder of elision audit sample") from None
    except (UnicodeDecodeError, FormatError):
        row = None
    changed = ScoreError(f"{path}: was changed since the sample was drawn; take it from your backup, or draw it again")
    if not isinstance(row, dict):
        raise changed
    if row.get("audit") != VERSION:
        raise ScoreError(f"{path}: no plan of this version of elision; make the report with the version that drew it")
    if row.get("digest") != _digest(row):
        raise changed
    try:
        plan = _plan_of(row)
    except (KeyError, TypeError, ValueError):
        raise changed from None
    if key is not None and not plan.signature:
        raise ScoreError(f"{path}: was drawn without a key, so there is no signature to check; leave out --key")
    if key is not None and not hmac.compare_digest(plan.signature.encode(), _signature(plan.digest, key).encode()):
        raise ScoreError(f"{path}: was not signed with this key, or was changed since the sample was drawn")
    return plan


def _plan_of(row: Mapping[str, Any]) -> Plan:
    strata = tuple(Stratum(str(one["name"]), int(one["notes"]), int(one["read"])) for one in row["strata"])
    notes = tuple(Drawn(**one) for one in row["notes"])
    plan = Plan(**{**row, "strata": strata, "notes": notes, "origin": Origin(**row["origin"])})
    read = [sum(one.stratum == at for one in notes) for at in range(len(strata))]
    if plan.design not in DESIGNS or any(
        one.read != seen or not 0 < seen <= one.notes for one, seen in zip(strata, read, strict=True)
    ):
        raise ValueError
    return plan


def write_sample(folder: Path, plan: Plan, texts: Sequence[str], format: Format, kept: Sequence[str] = ()) -> None:
    """Write the folder whole or not at all, for its owner's eyes only. `kept`: labels that the policy leaves."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ScoreError(f"{folder}: something is there already, and a sample is never written over; give another")
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    documents = [Document(text, note.name) for note, text in zip(plan.notes, texts, strict=True)]
    target = aside / (NOTES if format.folder else f"{NOTES}{format.suffix}")
    with told(folder):
        try:
            aside.mkdir(mode=0o700, parents=True)
            write(documents, target, format)
            write_text(aside / PLAN, json.dumps(plan.row(), ensure_ascii=False, indent=1) + "\n")
            write_text(aside / MARKS, _table(plan))
            write_text(aside / GUIDE, _guide(plan, target.name, kept))
            for path in aside.rglob("*"):
                path.chmod(0o700 if path.is_dir() else 0o600)
            if folder.exists():
                folder.rmdir()
            aside.rename(folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _table(plan: Plan) -> str:
    """The table to mark in: a row for each note, not read yet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([HEAD, *((note.name, "", "") for note in plan.notes)])
    return out.getvalue()


def _guide(plan: Plan, notes: str, kept: Sequence[str]) -> str:
    stays = f"The policy keeps these on purpose, so they are not missed: {', '.join(kept)}.\n\n" if kept else ""
    return f"""How to read this sample of {len(plan.notes):,} notes

1. Read every note in {notes}, in the order of its names. Two people who read apart find more.
2. Mark what still says who somebody is: what elision has missed. Do not mark what elision has put in
   the place of an identifier, such as [NAME].
3. Mark in one of two ways:

   - In {MARKS}, with a spreadsheet or an editor. For a note in which nothing was missed, write {NONE} as
     its label. For each identifier that was missed, write its label (NAME, DATE, ...) and its words, as
     they stand in the note. Copy the row of a note for a second one. A row without a label says that
     the note was not read yet. A second reader fills in a copy of the table.
   - In any annotation tool whose format elision reads. Open {notes} in it, mark, and export.

4. elision audit report FOLDER, or with --marks FILE once for each reader.

{stays}The notes may still hold identifiers: keep this folder as you keep the notes.
"""
