"""A pack of a language in Latin letters beside the Chinese one: what it finds among Chinese characters is left to that.

Such a tagger has never seen a Chinese character, and takes them for anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from elision.detect.base import Detector, dial_of, parts_of
from elision.document import Document, Span
from elision.languages.base import is_spaced
from elision.languages.telling.scripts import HAN_RUNS


class BesideChinese:
    """A detector whose finds are cut at Chinese characters."""

    def __init__(self, detector: Detector) -> None:
        self.detector = detector
        self.name, self.version, self.parts = detector.name, detector.version, parts_of(detector)

    @property
    def dial(self) -> float | None:
        return dial_of(self.detector)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = self.detector.detect(documents)
        return [
            tuple(piece for span in spans for piece in _pieces(document.text, span))
            for document, spans in zip(documents, found, strict=True)
        ]


def beside(language: str, detectors: Sequence[Detector]) -> list[Detector]:
    """Detectors of another language, as they are used in a note that is mainly in this one."""
    return [BesideChinese(one) for one in detectors] if not is_spaced(language) else list(detectors)


def _pieces(text: str, span: Span) -> Iterator[Span]:
    here = text[span.start : span.end]
    if here.isascii():
        yield span
        return
    cuts = [0, *(edge for run in HAN_RUNS.finditer(here) for edge in run.span()), len(here)]
    for begin, end in list(pairwise(cuts))[::2]:
        if any(map(str.isalnum, here[begin:end])):
            yield replace(span, start=span.start + begin, end=span.start + end)
