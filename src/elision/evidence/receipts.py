"""Receipts: for each note what was done and by what, as hashes and counts, never a word of it.

A run's receipts are the lines of a JSONL file, each signed, and its last line is a signed summary over all of them. So
a changed note, a changed receipt, and one that is missing, are all found by whoever holds the key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import elision
from elision.document import Document
from elision.errors import FormatError, ReceiptError, shown
from elision.formats.atomic import writing
from elision.formats.files import parse_json
from elision.keys import Key, Secret
from elision.policy import Policy

DONE, HELD = "done", "held"
PURPOSE = "receipts"
FORMAT = 2  # of receipts and their summary
START = "0" * 64  # of the chain
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """A detector, and how many characters of the note it saw."""

    name: str
    version: str = ""
    characters: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Receipt:
    """What became of one note."""

    note: str
    status: str  # done or held
    why: str = ""  # a held note's kind of error
    elision: str = ""
    input: str = ""  # keyed hashes of the texts; "" without a key, and of the output of a held note
    output: str = ""
    characters: int = 0
    language: str = ""  # "zh+en" where both packs looked
    language_sure: float = 0.0  # 1 if somebody said it, less if the note told
    seen: tuple[Seen, ...] = ()
    spans: Mapping[str, Counts] = field(default_factory=dict)  # by label, then by operator
    dial: float | None = None
    policy: str = ""
    policy_digest: str = ""
    options: Mapping[str, str] = field(default_factory=dict)  # of the policy that are not usual; lists of words
    key: str = ""  # its id
    lists: str = ""  # a fingerprint of the lists from which stand-ins were taken
    warnings: Counts = field(default_factory=dict)
    signature: str = ""

    def __repr__(self) -> str:
        return f"<Receipt: {self.status}{self.why and ': '}{self.why}, {self.characters:,} characters>"

    @classmethod
    def of(
        cls,
        before: Document,
        after: Document | None,
        *,
        policy: Policy,
        key: Key | None,
        why: str = "",
        detectors: Sequence[Seen] = (),
        spans: Mapping[str, Counts] | None = None,
        warnings: Counts | None = None,
        dial: float | None = None,
        lists: str = "",
        options: Mapping[str, str] | None = None,
    ) -> Receipt:
        """The receipt for a note and what it became, signed if there is a key; `after` is None for a held one."""
        secret = key.secret(PURPOSE) if key else None
        size = len(before.text)
        receipt = cls(
            note=before.id,
            status=HELD if after is None else DONE,
            why=why,
            elision=elision.__version__,
            input=hash_of("input", before, secret) if secret else "",
            output=hash_of("output", after, secret) if secret and after else "",
            characters=size,
            language="+".join((before.language, *before.also)),
            language_sure=before.sure if before.language else 0.0,
            seen=tuple(Seen(seen.name, seen.version, 0 if after is None else size) for seen in detectors),
            spans={label: dict(sorted(counts.items())) for label, counts in sorted((spans or {}).items())},
            dial=dial,
            policy=policy.name,
            policy_digest=policy.digest,
            options={**policy.chosen, **(options or {})},
            key=key.id if key else "",
            lists=lists,
            warnings=dict(sorted((warnings or {}).items())),
        )
        return receipt if secret is None else replace(receipt, signature=signed(receipt.row(), secret))

    def row(self) -> dict[str, Any]:
        row: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        row["seen"] = [
            {"name": seen.name, "version": seen.version, "characters": seen.characters} for seen in self.seen
        ]
        return row

    def line(self) -> str:
        return canonical(self.row())

    @classmethod
    def read(cls, line: str, where: str = "receipt") -> Receipt:
        """A receipt from a line of JSON."""
        return receipt_of(row_of(line, where), where)


_FIELDS = tuple(field.name for field in fields(Receipt))


def hash_of(side: str, document: Document, secret: Secret) -> str:
    """The keyed hash of a note's text; of the two sides of one text they differ."""
    return secret.digest(side, document.id, document.text).hex()


def write_receipts(path: str | Path, receipts: Iterable[Receipt], key: Key | None) -> dict[str, Any]:
    """Write the receipts of a run, one a line, and its summary as the last; the summary is returned."""
    total = Total(key)
    with writing(Path(path)) as stream:
        for receipt in receipts:
            stream.write(total.add(receipt).encode() + b"\n")
        summary = total.summary()
        stream.write(canonical(summary).encode() + b"\n")
    return summary


class Total:
    """Adds up the receipts of a run, line by line, where they are written as notes go by."""

    def __init__(self, key: Key | None) -> None:
        self._key = key
        self._chain = START
        self._counts: dict[str, int] = {DONE: 0, HELD: 0, "characters": 0}
        self._ends: list[str] = []
        self._spans: dict[str, dict[str, int]] = {}
        self._warnings: dict[str, int] = {}

    @classmethod
    def since(cls, summary: Mapping[str, Any], key: Key | None) -> Total:
        """The counts of an earlier summary, to which lines are added and from which some are taken away; its chain is
        made anew."""
        total = cls(key)
        total._counts = {name: int(summary[name]) for name in total._counts}
        total._spans = {label: dict(counts) for label, counts in summary["spans"].items()}
        total._warnings = dict(summary["warnings"])
        return total

    @property
    def chain(self) -> str:
        """A hash of all lines so far."""
        return self._chain

    def add(self, receipt: Receipt) -> str:
        """Count a receipt; the line to write."""
        line = receipt.line()
        self._count(receipt, 1)
        self.stays(line)
        return line

    def stays(self, line: str) -> None:
        """A line that is counted already comes next."""
        self._chain = _next(self._chain, line)
        self._ends = [*self._ends[:1], line]

    def goes(self, receipt: Receipt) -> None:
        """A receipt that is counted is there no more."""
        self._count(receipt, -1)

    def _count(self, receipt: Receipt, times: int) -> None:
        self._counts[receipt.status] += times
        self._counts["characters"] += times * receipt.characters
        for label, counts in receipt.spans.items():
            _add(self._spans.setdefault(label, {}), counts, times)
        _add(self._warnings, receipt.warnings, times)

    def summary(self, columns: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The last line. `columns`: of a table, what became of each."""
        row: dict[str, Any] = {
            "summary": FORMAT,
            "notes": self._counts[DONE] + self._counts[HELD],
            **self._counts,
            **self._over_lines(),
            "spans": {label: there for label, counts in self._spans.items() if (there := _some(counts))},
            "warnings": _some(self._warnings),
            **({"columns": dict(columns)} if columns else {}),
            "key": self._key.id if self._key else "",
            "signature": "",
        }
        return {**row, "signature": signed(row, self._key.secret(PURPOSE))} if self._key else row

    def _over_lines(self) -> dict[str, str]:
        """What of the summary depends on every line."""
        return {"first": self._end(0), "last": self._end(-1), "chain": self._chain}

    def _end(self, at: int) -> str:
        """The note of the first line, or of the last."""
        return str(json.loads(self._ends[at])["note"]) if self._ends else ""


def _add(to: dict[str, int], counts: Counts, times: int) -> None:
    for name, count in counts.items():
        to[name] = to.get(name, 0) + times * count


def _some(counts: Counts) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


def row_of(line: str, where: str) -> dict[str, Any]:
    try:
        row = parse_json(line, where)
    except FormatError as error:
        raise ReceiptError(str(error)) from None
    if not isinstance(row, dict):
        raise ReceiptError(f"{where}: a line of a receipts file is a JSON object")
    return row


def receipt_of(row: Mapping[str, Any], where: str) -> Receipt:
    names = {one.name for one in fields(Receipt)}
    if set(row) != names:
        odd = sorted(names ^ set(row))
        raise ReceiptError(
            f"{where}: this is no receipt of this version of elision{shown(odd[0], '; see the key {!r}')}"
        )
    texts = [name for name in names if name not in _TYPED]
    wrong = [name for name in texts if not isinstance(row[name], str)]
    wrong += [name for name, right in _TYPED.items() if not right(row[name])]
    if wrong or row["status"] not in (DONE, HELD):
        raise ReceiptError(f"{where}: {min(wrong, default='status')!r} is not what a receipt has there")
    return Receipt(**{**row, "seen": tuple(Seen(**seen) for seen in row["seen"])})


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_counts(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_count, value.values()))


def _is_seen(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"name", "version", "characters"}
        and all(isinstance(value[name], str) for name in ("name", "version"))
        and _is_count(value["characters"])
    )


_TYPED: Mapping[str, Callable[[Any], bool]] = {
    "characters": _is_count,
    "seen": lambda value: isinstance(value, list) and all(map(_is_seen, value)),
    "options": lambda value: isinstance(value, dict) and all(isinstance(one, str) for one in value.values()),
    "spans": lambda value: isinstance(value, dict) and all(map(_is_counts, value.values())),
    "language_sure": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "dial": lambda value: value is None or (isinstance(value, int | float) and not isinstance(value, bool)),
    "warnings": _is_counts,
}


_written = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def canonical(row: Mapping[str, Any]) -> str:
    """The one way in which a row is written, so that equal rows are equal lines."""
    return _written(row)


def signed(row: Mapping[str, Any], secret: Secret) -> str:
    return secret.digest(canonical({**row, "signature": ""})).hex()


def _next(chain: str, line: str) -> str:
    return hashlib.sha256(f"{chain}\n{line}".encode()).hexdigest()
