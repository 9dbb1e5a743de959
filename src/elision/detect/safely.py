"""What detectors find in notes, failing closed: a note over which one fails is held, and no other note with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from elision.detect.base import Detector
from elision.detect.doubt import Doubt
from elision.detect.markup import Views
from elision.detect.memory import recall, remember
from elision.document import Document, Span
from elision.errors import HeldError

Detected = tuple[Span, ...] | HeldError  # what was found in a note, or why it is held
Values = Mapping[str, Iterable[str]]  # by label


def found_by_all(
    detectors: Sequence[Detector], documents: Sequence[Document], barred: Callable[[Document], str]
) -> list[Detected]:
    """What every detector finds in each note. `barred` tells why a note is held unseen, "" if it is not."""
    found: list[list[Span] | HeldError] = [
        HeldError(why) if (why := barred(document)) else [] for document in documents
    ]
    for detector in detectors:
        open_ = [at for at, spans in enumerate(found) if not isinstance(spans, HeldError)]
        for at, theirs in zip(open_, _by(detector, [documents[at] for at in open_]), strict=True):
            so_far = found[at]
            if isinstance(theirs, HeldError):
                found[at] = theirs
            elif not isinstance(so_far, HeldError):
                so_far.extend(theirs)
    return [spans if isinstance(spans, HeldError) else tuple(spans) for spans in found]


def remembered(
    documents: Sequence[Document],
    found: Sequence[Detected],
    memories: Callable[[str], Values] | None,
    doubt: Doubt,
) -> list[Detected]:
    """What was found, and what memory adds: from `memories` of a patient, where given, else from these notes."""
    patients: dict[str, list[int]] = {}
    for at, (document, spans) in enumerate(zip(documents, found, strict=True)):
        if not isinstance(spans, HeldError):
            patients.setdefault(f"p{document.patient}" if document.patient else f"n{at}", []).append(at)
    all_found = list(found)
    for numbers in patients.values():
        theirs: Sequence[Sequence[Span]] = [spans for at in numbers if not isinstance(spans := found[at], HeldError)]
        views = Views([documents[at] for at in numbers])
        notes, theirs = views.documents, views.forth(theirs)
        added: Sequence[Detected]
        try:
            if memories and notes[0].patient:
                added = views.back(recall(memories(notes[0].patient), notes, theirs, doubt))
            else:
                added = views.back(remember(notes, theirs, doubt=doubt))
        except Exception as error:
            added = [held_by("memory", error)] * len(numbers)
        for at, spans in zip(numbers, added, strict=True):
            all_found[at] = spans
    return all_found


def held_by(name: str, error: Exception) -> HeldError:
    """The error's kind and no more: its message may quote the note."""
    return HeldError(f"{name}: {type(error).__name__}")


def _by(detector: Detector, documents: Sequence[Document]) -> list[Detected]:
    """What one detector finds in each note. If it fails over many, each is tried alone, so that only those are held
    over which it fails."""
    if not documents:
        return []
    try:
        found = list(detector.detect(documents))
        if len(found) != len(documents):
            return [HeldError(f"{detector.name}: notes-lost")] * len(documents)
        return [_sound(detector, document, spans) for document, spans in zip(documents, found, strict=True)]
    except HeldError as error:  # its message is a reason
        held = error
    except Exception as error:
        held = held_by(detector.name, error)
    # Only here is the memory free that the error's traceback held.
    if len(documents) > 1:
        return [spans for document in documents for spans in _by(detector, [document])]
    return [held]


def _sound(detector: Detector, document: Document, spans: Iterable[Span]) -> Detected:
    spans = tuple(spans)
    if any(span.end > len(document.text) for span in spans):
        return HeldError(f"{detector.name}: span-beyond-text")
    return spans
