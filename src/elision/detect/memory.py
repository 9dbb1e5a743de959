"""Patient memory: what was found with confidence in one note is searched in all the notes of the patient.

A model may see "Jane Roe" in the heading and miss "Roe" on page three. So names, numbers and addresses that a
detector is sure of are taken for known values (`known.py`) of their patient, and of each note by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from elision.detect.codes import digits_of, may_stand
from elision.detect.detector import Detector
from elision.detect.kinds import kind_of
from elision.detect.known import Finder
from elision.detect.markup import bare
from elision.document import Document, Span, covered
from elision.labels import parent

SURE = 0.8
_PARENTS = ("NAME", "ID", "CONTACT")
_LABELS = ("STREET", "ZIP", "ADDRESS")


def with_memory(detector: Detector, *, sure: float = SURE, on: bool = True) -> Detector:
    """The detector, with memory. It remembers within one call: give it all notes of a patient together
    (`by_patient` does for a stream). Notes without a patient are each their own."""
    if not on:
        return detector

    def remembering(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = detector(documents)
        groups: dict[str, list[int]] = {}
        for number, document in enumerate(documents):
            groups.setdefault(f"p{document.patient}" if document.patient else f"n{number}", []).append(number)
        spans: list[tuple[Span, ...]] = [()] * len(documents)
        for numbers in groups.values():
            together = remember([documents[n] for n in numbers], [found[n] for n in numbers], sure)
            for number, theirs in zip(numbers, together, strict=True):
                spans[number] = theirs
        return spans

    return remembering


def by_patient(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """The notes of a stream in portions, those of a patient that stand together in one."""
    numbered = enumerate(documents)
    for _, together in groupby(numbered, lambda pair: (pair[1].patient, -1 if pair[1].patient else pair[0])):
        yield [document for _, document in together]


def remember(
    documents: Sequence[Document], found: Sequence[Sequence[Span]], sure: float = SURE
) -> list[tuple[Span, ...]]:
    """The spans of one patient's notes, and with them what memory adds: stretches that no span covers as a whole."""
    known: dict[str, dict[str, None]] = {}
    for document, spans in zip(documents, found, strict=True):
        for label, value in worth_remembering(document, spans, sure):
            known.setdefault(label, {})[value] = None
    return recall(known, documents, found)


def worth_remembering(document: Document, spans: Iterable[Span], sure: float = SURE) -> Iterator[tuple[str, str]]:
    """Labels and texts of the spans of a note that may be looked for in the others."""
    for span in spans:
        if span.score >= sure and (parent(span.label) in _PARENTS or span.label in _LABELS):
            yield span.label, bare(document.text_of(span))


def recall(
    known: Mapping[str, Iterable[str]], documents: Sequence[Document], found: Sequence[Sequence[Span]]
) -> list[tuple[Span, ...]]:
    """The spans of a patient's notes, and with them where remembered values stand that no span covers as a whole."""
    finder = Finder(_able_to_stand(known, documents), "memory")
    return [
        (*spans, *finder.spans(document.text, covered(spans))) for document, spans in zip(documents, found, strict=True)
    ]


def _able_to_stand(known: Mapping[str, Iterable[str]], documents: Sequence[Document]) -> Mapping[str, Iterable[str]]:
    """The values without numbers whose digits none of these notes has: of what other notes of a patient told, most."""
    digits = ""
    left: dict[str, Iterable[str]] = {}
    for name, values in known.items():
        left[name] = values
        if kind_of(name).how in ("code", "phone"):
            digits = digits or "\n".join(digits_of(document.text) for document in documents)
            left[name] = may_stand(list(values), digits)
    return left
