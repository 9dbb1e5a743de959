"""The notes by hand: `notes/<language>-<split>.jsonl`. notes/README.md says what they are."""

from __future__ import annotations

from pathlib import Path

from elision.document import Document
from elision.formats import read

NOTES = Path(__file__).resolve().parent / "notes"
TRAIN = "train"  # may be read and learnt from
UNSEEN = ("unseen", "unseen-dense", "unseen-records", "unseen-long")  # only their figures are read


def handwritten(language: str, split: str = TRAIN) -> list[Document]:
    return list(read(NOTES / f"{language}-{split}.jsonl", "jsonl"))


def noted() -> list[str]:
    """The languages that have notes by hand."""
    return sorted(file.name.partition("-")[0] for file in NOTES.glob(f"*-{TRAIN}.jsonl"))
