"""Notes to learn from: whether they can be, whose they are, what names them, and how right a system's spans are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from elision.document import Document, Span
from elision.errors import LabelError, ModelError
from elision.text.tokens import Column


def check(notes: Sequence[Document]) -> None:
    if not notes:
        raise ModelError("no notes to learn from; is this the right folder?")
    if not any(document.spans for document in notes):
        raise LabelError(
            f"none of the {len(notes)} notes has a span to learn from; was the format guessed right, are the "
            "annotations beside the texts?"
        )
    for document in notes:
        if any(not span.label for span in document.spans):
            raise LabelError(f"{document.name}: a span without a label; give it one, or leave it out")
        if pair := _first_disagreement(document.spans):
            a, b = pair
            raise LabelError(
                f"{document.name}: spans {a.start}–{a.end} ({a.label}) and {b.start}–{b.end} ({b.label}) overlap and "
                "disagree; merge() them first"
            )


def _first_disagreement(spans: Iterable[Span]) -> tuple[Span, Span] | None:
    """Two spans that overlap and have different labels. Those of one label may: what they cover is learnt."""
    furthest: dict[str, Span] = {}
    for span in sorted(spans, key=_place):
        for other in furthest.values():
            if other.label != span.label and span.start < other.end:
                return other, span
        if span.label not in furthest or span.end > furthest[span.label].end:
            furthest[span.label] = span
    return None


def groups_of(notes: Sequence[Document]) -> npt.NDArray[np.int32]:
    """A number for each note, the same for notes of one patient."""
    numbers: dict[str, int] = {}
    return np.array(
        [
            numbers.setdefault(f"p{note.patient}" if note.patient else f"n{at}", len(numbers))
            for at, note in enumerate(notes)
        ],
        np.int32,
    )


def groups_with(codes: npt.NDArray[np.int64], groups: Column, size: int) -> npt.NDArray[np.int64]:
    """In how many groups each code occurs; what is in a group below 0 does not count."""
    counted = groups >= 0
    pairs = np.unique(codes[counted] << 32 | groups[counted])
    return np.bincount(pairs >> 32, minlength=size)


def strict_f1(gold: Sequence[Document], system: Sequence[Sequence[Span]]) -> float:
    """F1 of spans with the same offsets and label, over all notes."""
    right = wanted = given = 0
    for document, spans in zip(gold, system, strict=True):
        theirs = {(span.start, span.end, span.label) for span in document.spans}
        ours = {(span.start, span.end, span.label) for span in spans}
        right, wanted, given = right + len(theirs & ours), wanted + len(theirs), given + len(ours)
    return 2 * right / (wanted + given) if wanted + given else 0.0


def fingerprint(documents: Iterable[Document]) -> str:
    """A SHA-256 that names these notes and spans, whatever their order and ids."""
    digests = sorted(
        hashlib.sha256(
            "\0".join(
                (document.text, *(f"{s.start} {s.end} {s.label}" for s in sorted(document.spans, key=_place)))
            ).encode()
        ).digest()
        for document in documents
    )
    return hashlib.sha256(b"".join(digests)).hexdigest()


def _place(span: Span) -> tuple[int, int, str]:
    return span.start, span.end, span.label
