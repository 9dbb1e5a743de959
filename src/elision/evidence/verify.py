"""Verifying: do a run's notes and its receipts agree, and is every receipt as it was signed?"""

from __future__ import annotations

import hmac
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import FormatError, ReceiptError
from elision.evidence.receipts import HELD, PURPOSE, Receipt, Total, canonical, hash_of, receipt_of, row_of, signed
from elision.formats.files import read_lines
from elision.formats.format import MEGABYTE, Reading
from elision.keys import Key, Secret


@dataclass(frozen=True, slots=True)
class Finding:
    """What is found of one note, or, without a note's name, of the run."""

    note: str
    what: str
    line: int = 0  # of the file of receipts

    @property
    def ok(self) -> bool:
        return self.what in (OK, OK_HELD)


OK = "ok"
OK_HELD = "ok: held"
CHANGED = "the note was changed after its receipt"
MISSING = "the note is missing"
EXTRA = "the note has no receipt"
PRESENT = "the note is there, though it was held"
ALTERED = "the receipt was altered"
TWICE = "the note has a second receipt"
NO_SUMMARY = "the summary is missing: the file was cut off"
UNFIT = "the summary does not fit the receipts: a line was changed, moved, added or lost"


def verify(
    path: str | Path,
    documents: Iterable[Document],
    key: Key,
    *,
    sole: bool = False,
    table: bool = False,
    plain: Callable[[str], str] = str,
) -> list[Finding]:
    """Compare a run's receipts with the notes that came out of it; one finding for each note, and more for the run.

    `sole`: if there is one receipt and one note, they belong together, whatever the file of the note is called.
    `table`: the notes are cells. Their ids may be missing or come again, if a signed summary says so: then they count
    in their order; and an empty cell may be an empty note. `plain` gives the text of a cell that was written otherwise.
    """
    receipts, findings = _checked(Path(path), key)
    if (
        table
        and any(finding.what == TWICE for finding in findings)
        and not any(finding.what in (UNFIT, NO_SUMMARY) for finding in findings)
    ):
        return _in_order(Path(path), documents, key, [one for one in findings if one.what != TWICE], plain)
    if sole and len(receipts) == 1:
        documents = list(documents)
        if len(documents) == 1:
            documents = [replace(documents[0], id=next(iter(receipts)))]
    altered = {finding.note for finding in findings if finding.what == ALTERED}
    secret = key.secret(PURPOSE)
    present: set[str] = set()
    for document in documents:
        number, receipt = receipts.get(document.id, (0, None))
        if receipt is None or document.id in present:
            findings.append(Finding(document.id, EXTRA))
        elif document.id not in altered:
            findings.append(Finding(document.id, _compared(receipt, document, secret, plain), number))
        present.add(document.id)
    for note, (number, receipt) in receipts.items():
        if note not in present and note not in altered:
            empty = table and _compared(receipt, Document("", note), secret, plain) == OK
            findings.append(Finding(note, OK_HELD if receipt.status == HELD else OK if empty else MISSING, number))
    return findings


def _in_order(
    path: Path, documents: Iterable[Document], key: Key, findings: list[Finding], plain: Callable[[str], str]
) -> list[Finding]:
    """The same where ids come again: of one id, the first receipt is of the first note."""
    waiting: dict[str, deque[tuple[int, Receipt]]] = {}
    for number, _, row in _rows(path):
        if row and "summary" not in row:
            receipt = receipt_of(row, f"{path}:{number}")
            if receipt.status == HELD:
                findings.append(Finding(receipt.note, OK_HELD, number))
            else:
                waiting.setdefault(receipt.note, deque()).append((number, receipt))
    secret = key.secret(PURPOSE)
    for document in documents:
        if theirs := waiting.get(document.id):
            number, receipt = theirs.popleft()
            findings.append(Finding(document.id, _compared(receipt, document, secret, plain), number))
        else:
            findings.append(Finding(document.id, EXTRA))
    return [*findings, *(Finding(note, MISSING, at) for note, left in waiting.items() for at, _ in left)]


def _compared(receipt: Receipt, document: Document, secret: Secret, plain: Callable[[str], str]) -> str:
    if receipt.status == HELD:
        return PRESENT
    texts = dict.fromkeys((document.text, plain(document.text)))
    hashes = (hash_of("output", replace(document, text=text, spans=()), secret) for text in texts)
    return OK if any(_same(receipt.output, one) for one in hashes) else CHANGED


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())


def _checked(path: Path, key: Key) -> tuple[dict[str, tuple[int, Receipt]], list[Finding]]:
    """The receipts of a file by note, with their lines, and what is wrong with any of them or with the whole."""
    secret = key.secret(PURPOSE)
    total = Total(key)
    receipts: dict[str, tuple[int, Receipt]] = {}
    findings: list[Finding] = []
    ended = 0
    for number, line, row in _rows(path):
        where = f"{path}:{number}"
        if row is None:
            findings.append(Finding("", UNFIT, number))
            continue
        if ended or "summary" in row:
            if ended or line != canonical(total.summary(row.get("columns"))):
                findings.append(Finding("", UNFIT, number))
            ended = number
            continue
        receipt = receipt_of(row, where)
        _check_key(receipt, key, where)
        total.add(receipt)
        if receipt.note in receipts:
            findings.append(Finding(receipt.note, TWICE, number))
        else:
            receipts[receipt.note] = number, receipt
            if line != receipt.line() or not _same(receipt.signature, signed(row, secret)):
                findings.append(Finding(receipt.note, ALTERED, number))
    if not ended:
        findings.append(Finding("", NO_SUMMARY))
    return receipts, findings


def _check_key(receipt: Receipt, key: Key, where: str) -> None:
    if not receipt.signature:
        raise ReceiptError(f"{where}: this receipt was made without a key, so nothing can be verified by it")
    if receipt.key != key.id:
        raise ReceiptError(f"{where}: was not signed with this key, whose id is {key.id}; give the project's key")


def _rows(path: Path) -> Iterator[tuple[int, str, dict[str, Any] | None]]:
    """The lines of a file, by number, as they stand and as JSON; None for one without anything in it."""
    try:
        for number, text in read_lines(path, Reading(max_bytes=MEGABYTE), exact=True):
            line = text.removesuffix("\n")
            yield number, line, row_of(line, f"{path}:{number}") if line.strip() else None
    except FormatError as error:
        raise ReceiptError(str(error)) from None
