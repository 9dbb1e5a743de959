"""Verifying: do a run's notes and its receipts agree, and is every receipt as it was signed?"""

from __future__ import annotations

import hmac
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from elision.document import Document
from elision.errors import ReceiptError
from elision.evidence.reading import lines_of
from elision.evidence.receipts import HELD, PURPOSE, Receipt, Total, canonical, hash_of, receipt_of, signed
from elision.evidence.unordered import UnorderedTotal
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


class _Kept(NamedTuple):
    """What a comparison needs of a receipt: a run has millions of them."""

    line: int
    output: str
    held: bool

    @classmethod
    def of(cls, receipt: Receipt, line: int = 0) -> _Kept:
        return cls(line, receipt.output, receipt.status == HELD)


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
    summary: Mapping[str, Any] | None = None,
) -> list[Finding]:
    """Compare a run's receipts with the notes that came out of it; one finding for each note, and more for the run.

    `sole`: if there is one receipt and one note, they belong together, whatever the file of the note is called.
    `table`: the notes are cells. Their ids may be missing or come again, if a signed summary says so: then they count
    in their order; and an empty cell may be an empty note. `plain` gives the text of a cell that was written otherwise.
    `summary`: of receipts that are a table themselves, a folder of Parquet; a file has its own.
    """
    path = Path(path)
    receipts, findings = _checked(path, key, summary)
    if (
        table
        and any(finding.what == TWICE for finding in findings)
        and not any(finding.what in (UNFIT, NO_SUMMARY) for finding in findings)
    ):
        others = [one for one in findings if one.what != TWICE]
        return (_by_text if path.is_dir() else _in_order)(path, documents, key, others, plain)
    if sole and len(receipts) == 1:
        documents = list(documents)
        if len(documents) == 1:
            documents = [replace(documents[0], id=next(iter(receipts)))]
    altered = {finding.note for finding in findings if finding.what == ALTERED}
    secret = key.secret(PURPOSE)
    present: set[str] = set()
    for document in documents:
        kept = receipts.get(document.id)
        if kept is None or document.id in present:
            findings.append(Finding(document.id, EXTRA))
        elif document.id not in altered:
            findings.append(Finding(document.id, _compared(kept, document, secret, plain), kept.line))
        present.add(document.id)
    for note, kept in receipts.items():
        if note not in present and note not in altered:
            empty = table and _compared(kept, Document("", note), secret, plain) == OK
            findings.append(Finding(note, OK_HELD if kept.held else OK if empty else MISSING, kept.line))
    return findings


def _in_order(
    path: Path, documents: Iterable[Document], key: Key, findings: list[Finding], plain: Callable[[str], str]
) -> list[Finding]:
    """The same where ids come again: of one id, the first receipt is of the first note."""
    waiting: dict[str, deque[_Kept]] = {}
    for number, where, _, row, _ in lines_of(path):
        if row and "summary" not in row:
            receipt = receipt_of(row, where)
            if receipt.status == HELD:
                findings.append(Finding(receipt.note, OK_HELD, number))
            else:
                waiting.setdefault(receipt.note, deque()).append(_Kept.of(receipt, number))
    secret = key.secret(PURPOSE)
    for document in documents:
        if theirs := waiting.get(document.id):
            kept = theirs.popleft()
            findings.append(Finding(document.id, _compared(kept, document, secret, plain), kept.line))
        else:
            findings.append(Finding(document.id, EXTRA))
    return [*findings, *(Finding(note, MISSING, kept.line) for note, left in waiting.items() for kept in left)]


def _by_text(
    path: Path, documents: Iterable[Document], key: Key, findings: list[Finding], plain: Callable[[str], str]
) -> list[Finding]:
    """The same in a table, whose rows have no order: of one id, a receipt is of the note that it fits."""
    waiting: dict[str, dict[str, int]] = {}
    for _, where, _, row, _ in lines_of(path):
        if row:
            receipt = receipt_of(row, where)
            if receipt.status == HELD:
                findings.append(Finding(receipt.note, OK_HELD))
            else:
                theirs = waiting.setdefault(receipt.note, {})
                theirs[receipt.output] = theirs.get(receipt.output, 0) + 1
    secret = key.secret(PURPOSE)
    unfit: dict[str, int] = {}
    for document in documents:
        theirs = waiting.get(document.id, {})
        fitting = next((one for one in _hashes(document, secret, plain) if theirs.get(one)), None)
        if fitting is None:
            unfit[document.id] = unfit.get(document.id, 0) + 1
        else:
            theirs[fitting] -= 1
            findings.append(Finding(document.id, OK))
    for note in dict.fromkeys((*unfit, *waiting)):
        left, odd = sum(waiting.get(note, {}).values()), unfit.get(note, 0)
        findings += [Finding(note, CHANGED)] * min(left, odd)
        findings += [Finding(note, MISSING)] * (left - odd) + [Finding(note, EXTRA)] * (odd - left)
    return findings


def _compared(kept: _Kept, document: Document, secret: Secret, plain: Callable[[str], str]) -> str:
    if kept.held:
        return PRESENT
    return OK if any(_same(kept.output, one) for one in _hashes(document, secret, plain)) else CHANGED


def _hashes(document: Document, secret: Secret, plain: Callable[[str], str]) -> list[str]:
    """The hashes that a receipt of this note may have."""
    texts = dict.fromkeys((document.text, plain(document.text)))
    return [hash_of("output", replace(document, text=text, spans=()), secret) for text in texts]


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())


def _checked(path: Path, key: Key, summary: Mapping[str, Any] | None) -> tuple[dict[str, _Kept], list[Finding]]:
    """The receipts by note, with their lines, and what is wrong with any of them or with the whole."""
    secret = key.secret(PURPOSE)
    is_table = path.is_dir()
    total = UnorderedTotal(key) if is_table else Total(key)
    receipts: dict[str, _Kept] = {}
    findings: list[Finding] = []
    ended = False
    for number, where, line, row, told in lines_of(path):
        if row is None:
            findings.append(Finding("", UNFIT, number))
            continue
        if ended or "summary" in row:
            if ended or line != canonical(total.summary(row.get("columns"))):
                findings.append(Finding("", UNFIT, number))
            ended = True
            continue
        receipt = receipt_of(row, where)
        _check_key(receipt, key, where)
        total.add(receipt)
        if receipt.note in receipts:
            findings.append(Finding(receipt.note, TWICE, number))
        else:
            receipts[receipt.note] = _Kept.of(receipt, number)
            if not told or line != receipt.line() or not _same(receipt.signature, signed(row, secret)):
                findings.append(Finding(receipt.note, ALTERED, number))
    if is_table and summary is not None:
        if ended or canonical(summary) != canonical(total.summary()):
            findings.append(Finding("", UNFIT))
    elif not ended or is_table:
        findings.append(Finding("", NO_SUMMARY))
    return receipts, findings


def _check_key(receipt: Receipt, key: Key, where: str) -> None:
    if not receipt.signature:
        raise ReceiptError(f"{where}: this receipt was made without a key, so nothing can be verified by it")
    if receipt.key != key.id:
        raise ReceiptError(f"{where}: was not signed with this key, whose id is {key.id}; give the project's key")
