"""A run that has ended, as it is found again later: its output, which column was what, and its receipts."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import ReceiptError, RunError
from elision.evidence.reading import lines_of
from elision.evidence.receipts import DONE as CLEANED
from elision.evidence.receipts import PURPOSE, Receipt, hash_of, receipt_of
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.run.local import manifest
from elision.run.local.folder import receipts_in
from elision.run.plan import folder_of

LIVES_ON = ("surrogate", "shift")  # operators whose results look like what they replace


@dataclass(frozen=True)
class Finished:
    """The folder of a run's records, and what its manifest says."""

    folder: Path
    out: str
    policy: str
    columns: Columns
    summary: dict[str, Any]

    def receipts(self) -> Iterator[Receipt]:
        """The receipts, one after another; the summary apart."""
        for line in lines_of(receipts_in(self.folder)):
            if line.row and "summary" not in line.row:
                yield receipt_of(line.row, line.where)

    def identifiers(self) -> dict[str, int]:
        """How many were found in each note."""
        return {one.note: sum(sum(done.values()) for done in one.spans.values()) for one in self.receipts()}

    def done_by(self, *operators: str) -> list[str]:
        """The labels with which one of these was done."""
        return sorted(label for label, done in self.summary["spans"].items() if any(done.get(one) for one in operators))


def finished(where: str) -> Finished | None:
    """The run whose folder this is, or whose output; None if no run has ended there."""
    for folder in (Path(where), folder_of(where)):
        if (folder / manifest.NAME).is_file():
            return _of(folder, where)
    return None


def _of(folder: Path, where: str) -> Finished:
    state = manifest.read(folder)
    if state is None or state.state != manifest.DONE or state.counts is None:
        raise RunError(f"{folder}: the run has not ended; give its command again, then draw")
    said = state.settings
    out = said["output"] if Path(where) == folder else where
    names = {name: said.get(f"column for {name}", "") for name in ("texts", "id")}
    texts = tuple(json.loads(names["texts"])) if names["texts"] else ()
    return Finished(folder, out, said.get("policy", ""), Columns(texts=texts, id=names["id"]), state.counts["summary"])


def receipts_for(run: Finished, documents: list[Document], key: Key | None) -> list[Receipt]:
    """The receipt of each of these notes. With the key, each text must be the one that its receipt tells of."""
    wanted = {document.id for document in documents}
    found = {one.note: one for one in run.receipts() if one.note in wanted and one.status == CLEANED}
    secret = key.secret(PURPOSE) if key else None
    theirs = []
    for document in documents:
        receipt = found.get(document.id)
        if receipt is None:
            raise ReceiptError(
                f"{run.folder}: {document.name} has no receipt here; these are the receipts of another output"
            )
        if key is not None and receipt.key != key.id:
            raise ReceiptError(f"{run.folder}: the receipts were not signed with this key; give the project's key")
        if secret and not hmac.compare_digest(receipt.output, hash_of("output", document, secret)):
            raise ReceiptError(f"{document.name}: was changed after its receipt; elision verify tells which notes were")
        theirs.append(receipt)
    return theirs
