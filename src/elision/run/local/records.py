"""Receipts and held notes of a run, with those of some rows replaced by what came of trying again."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from elision.errors import ReceiptError, RunError
from elision.evidence.receipts import DONE, PURPOSE, Receipt, Total, canonical, signed
from elision.formats.atomic import writing
from elision.formats.tables.amending import GOES, NEW, STAYS, Amendment
from elision.keys import Key
from elision.run.local.folder import HELD_FILE, RECEIPTS_FILE
from elision.run.local.held import held_notes


class Taken(NamedTuple):
    """A row that takes the place of what it was: its number, the columns of its notes, their receipts, and those of
    them that are held."""

    row: int
    columns: Sequence[str]
    receipts: Sequence[str]
    held: Sequence[Mapping[str, Any]]


def amend_records(
    folder: Path, staging: Path, taken: Iterable[Taken], counts: Mapping[str, Any], key: Key | None
) -> tuple[Amendment, dict[str, Any]]:
    """Write new receipts and a new list of held notes into the staging folder. What changes in the output, and the
    counts of the run as they are then."""
    file = folder / RECEIPTS_FILE
    rows = {one.row: one for one in taken}
    firsts = _firsts(folder, rows, _held_at(file, counts["summary"], key))
    total, old_notes, new_notes, gone = Total(key), list[str](), list[str](), list[str]()
    with writing(staging / RECEIPTS_FILE, synced=True) as stream:
        skip, fresh = 0, iter(list[Receipt]())
        for number, receipt in enumerate(_receipts(file)):
            if number in firsts:
                one = firsts[number]
                skip, fresh = len(one.receipts), iter([Receipt.read(line) for line in one.receipts])
            was_done, is_new = receipt.status == DONE, skip > 0
            if was_done:
                old_notes.append(GOES if is_new else STAYS)
            if is_new:
                gone += [receipt.note] if was_done else []
                skip -= 1
                receipt = next(fresh)
            if receipt.status == DONE:
                new_notes.append(NEW if is_new else STAYS)
            stream.write(total.add(receipt).encode() + b"\n")
        summary = total.summary(counts["summary"].get("columns"))
        stream.write(canonical(summary).encode() + b"\n")
    held, kinds = 0, dict[str, int]()
    with writing(staging / HELD_FILE, synced=True) as stream:
        for line in _held_lines(folder, rows):
            held += 1
            kinds[line["why"]] = kinds.get(line["why"], 0) + 1
            stream.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    old, new = ("".join(letter if row in rows else STAYS for row in range(counts["rows"])) for letter in (GOES, NEW))
    change = Amendment(old, new, "".join(old_notes), "".join(new_notes), tuple(gone))
    return change, {**counts, "held": held, "kinds": kinds, "summary": summary}


def _receipts(file: Path) -> Iterator[Receipt]:
    """The receipts of a file, without its summary."""
    with file.open(encoding="utf-8") as lines:
        before = ""
        for number, line in enumerate(lines):
            if before:
                yield Receipt.read(before, f"{file}:{number}")
            before = line.rstrip("\n")


def _held_at(file: Path, summary: Mapping[str, Any], key: Key | None) -> list[tuple[int, str]]:
    """Which receipts are of held notes, by number, and of which notes. An error unless the receipts are those that the
    run wrote: the new summary would vouch for them."""
    total, held = Total(key), list[tuple[int, str]]()
    try:
        for number, receipt in enumerate(_receipts(file)):
            line = total.add(receipt)
            secret = key.secret(PURPOSE) if key else None
            if secret and not hmac.compare_digest(receipt.signature, signed(json.loads(line), secret)):
                raise ReceiptError(f"{file}:{number + 1}: was altered")
            if receipt.status != DONE:
                held.append((number, receipt.note))
        if total.summary(summary.get("columns")) != dict(summary):
            raise ReceiptError(f"{file}: a line was changed, moved, added or lost")
    except (OSError, UnicodeDecodeError):
        raise RunError(f"{file}: cannot be read, so held notes cannot be tried again") from None
    except ReceiptError as error:
        raise RunError(f"{error}; the receipts are not as the run wrote them: begin anew with --force") from None
    return held


def _firsts(folder: Path, rows: Mapping[int, Taken], held: Sequence[tuple[int, str]]) -> dict[int, Taken]:
    """The rows by the number of their first receipt. The list of held notes has the order of the receipts."""
    notes = list(held_notes(folder))
    if [one.note for one in notes] != [note for _, note in held]:
        raise RunError(
            f"{folder / HELD_FILE}: does not fit the receipts beside it, so held notes cannot be tried again; begin "
            "anew with --force"
        )
    firsts: dict[int, Taken] = {}
    for one, (number, _) in zip(notes, held, strict=True):
        if (taken := rows.get(one.row)) and taken not in firsts.values():
            firsts[number - list(taken.columns).index(one.column)] = taken
    return firsts


def _held_lines(folder: Path, rows: Mapping[int, Taken]) -> Iterator[Mapping[str, Any]]:
    """What is held now, in the order of the rows."""
    done: set[int] = set()
    with (folder / HELD_FILE).open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if line["row"] not in rows:
                yield line
            elif line["row"] not in done:
                done.add(line["row"])
                yield from rows[line["row"]].held
