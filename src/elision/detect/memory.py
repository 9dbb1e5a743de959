"""Patient memory: what was found with confidence in one note is searched in all the notes of the patient.

A model may see "Jane Roe" in the heading and miss "Roe" on page three. So names, numbers and addresses that a
detector is sure of are taken for known values (`known.py`) of their patient, and of each note by itself. Unlike what
the record states, they are doubted where a single word comes again (`doubt.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from elision.detect.base import Detector, Function, Named, as_detector
from elision.detect.codes import digits_of, may_stand
from elision.detect.doubt import LEAST, NEVER, SHORTEST, USED, Doubt, is_used
from elision.detect.kinds import kind_of
from elision.detect.known import Finder
from elision.detect.markup import bare
from elision.document import Document, Span, covered
from elision.labels import canonical, parent

SURE = 0.8
_PARENTS = ("NAME", "ID", "CONTACT")
_LABELS = ("STREET", "ZIP", "ADDRESS")
_SPELT = {"EMAIL": "@", "URL": "."}  # what stands in any of them; words of one are no find
_WORD = re.compile(r"[^\W\d_]+|\d+")
_STOP = re.compile(r"[.;!?]\s")
MOST_WORDS = 6  # of a remembered value that is looked for in a find


def with_memory(detector: Detector | Function, *, sure: float = SURE, on: bool = True) -> Detector:
    """The detector, with memory. It remembers within one call: give it all notes of a patient together
    (`by_patient` does for a stream). Notes without a patient are each their own."""
    looking = as_detector(detector)
    if not on:
        return looking

    def remembering(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = looking.detect(documents)
        groups: dict[str, list[int]] = {}
        for number, document in enumerate(documents):
            groups.setdefault(f"p{document.patient}" if document.patient else f"n{number}", []).append(number)
        spans: list[tuple[Span, ...]] = [()] * len(documents)
        for numbers in groups.values():
            together = remember([documents[n] for n in numbers], [found[n] for n in numbers], sure)
            for number, theirs in zip(numbers, together, strict=True):
                spans[number] = theirs
        return spans

    return Named(remembering)


def by_patient(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """The notes of a stream in portions, those of a patient that stand together in one."""
    numbered = enumerate(documents)
    for _, together in groupby(numbered, lambda pair: (pair[1].patient, -1 if pair[1].patient else pair[0])):
        yield [document for _, document in together]


def remember(
    documents: Sequence[Document],
    found: Sequence[Sequence[Span]],
    sure: float = SURE,
    doubt: Doubt | None = None,
) -> list[tuple[Span, ...]]:
    """The spans of one patient's notes, and with them what memory adds: stretches that no span covers as a whole."""
    known: dict[str, dict[str, None]] = {}
    for document, spans in zip(documents, found, strict=True):
        for label, value in worth_remembering(document, spans, sure):
            known.setdefault(label, {})[value] = None
    return recall(known, documents, found, doubt)


def worth_remembering(document: Document, spans: Iterable[Span], sure: float = SURE) -> Iterator[tuple[str, str]]:
    """Labels and texts of the spans of a note that may be looked for in the others."""
    for span in spans:
        if span.score >= sure and (parent(span.label) in _PARENTS or span.label in _LABELS):
            yield span.label, bare(document.text_of(span))


def recall(
    known: Mapping[str, Iterable[str]],
    documents: Sequence[Document],
    found: Sequence[Sequence[Span]],
    doubt: Doubt | None = None,
) -> list[tuple[Span, ...]]:
    """The spans of a patient's notes, and with them where remembered values stand that no span covers as a whole."""
    finder = Finder(_able_to_stand(known, documents), "memory")
    remembered = [
        (spans, finder.spans(document.text, covered(spans))) for document, spans in zip(documents, found, strict=True)
    ]
    if doubt is None or not any(added for _, added in remembered):
        return [(*spans, *added) for spans, added in remembered]
    written = {word for values in known.values() for value in values for word in _words_of(value)}
    wholes = {_joined(words) for values in known.values() for value in values if len(words := _words_of(value)) > 1}
    return [
        (*spans, *_believed(document, spans, added, written, wholes, doubt)) if added else tuple(spans)
        for document, (spans, added) in zip(documents, remembered, strict=True)
    ]


def _believed(
    document: Document,
    spans: Sequence[Span],
    added: Sequence[Span],
    written: set[str],
    wholes: set[str],
    doubt: Doubt,
) -> Iterator[Span]:
    """What is left of memory's finds: whole values of several words, numbers, and the words that are likely here.

    A word that the language uses, and one of a letter or two, must be likelier than others, and written as it was where
    it was found."""
    text, seen = document.text, covered(spans)
    starts = [start for start, _ in seen]

    def is_seen(start: int, end: int) -> bool:
        at = bisect_right(starts, start) - 1
        return at >= 0 and seen[at][1] >= end

    asked: list[tuple[int, int, float]] = []
    fresh: list[bool] = []
    doubted: list[tuple[Span, slice]] = []
    for span in added:
        stretch = text[span.start : span.end]
        words = _words_of(stretch)
        first, last = bisect_right(starts, span.start), bisect_right(starts, span.end - 1)
        alone = first == last and not is_seen(span.start, span.start + 1)
        if stated(span) or _joined(words) in wholes or (alone and _is_number(stretch)):
            yield span
        elif _SPELT.get(span.label, "") in stretch:
            doubted.append((span, slice(len(asked), len(asked) + len(words))))
            sure = _in_wholes(words, wholes)
            for match, is_sure in zip(_WORD.finditer(text, span.start, span.end), sure, strict=True):
                start, end = match.span()
                fresh.append(not is_seen(start, end))
                doubtful = fresh[-1] and not is_sure
                asked.append((start, end, _least(match[0], document.language, written) if doubtful else 0.0))
    likely = doubt.likely(text, asked) if any(least for _, _, least in asked) else [True] * len(asked)
    for span, here in doubted:
        places = [(start, end) for start, end, _ in asked[here]]
        for start, end in _runs(text, places, likely[here], fresh[here]):
            yield replace(span, start=start, end=end)


def _in_wholes(words: Sequence[str], wholes: set[str]) -> list[bool]:
    """Which of these words are part of a whole value of several."""
    sure = [False] * len(words)
    for first in range(len(words)):
        for after in range(first + 2, min(len(words), first + MOST_WORDS) + 1):
            if _joined(words[first:after]) in wholes:
                sure[first:after] = [True] * (after - first)
    return sure


def _least(word: str, language: str, written: set[str]) -> float:
    if word[0].isdigit():
        return 0.0
    if len(word) >= SHORTEST and not is_used(word, language):
        return LEAST
    return USED if word in written else NEVER


def _runs(
    text: str, places: Sequence[tuple[int, int]], likely: Sequence[bool], fresh: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    """Stretches of likely words that follow each other in a sentence, if one of them is covered by nothing else."""
    run: list[int] = []
    for at, (start, _) in enumerate(places):
        if run and (not likely[at] or _ends(text, places[run[-1]], start)):
            if any(fresh[one] for one in run):
                yield places[run[0]][0], places[run[-1]][1]
            run = []
        if likely[at]:
            run.append(at)
    if run and any(fresh[one] for one in run):
        yield places[run[0]][0], places[run[-1]][1]


def _ends(text: str, word: tuple[int, int], following: int) -> bool:
    """Whether a sentence ends behind a word: what is shorter may be cut short."""
    return word[1] - word[0] >= SHORTEST and bool(_STOP.search(text, word[1], following))


def _words_of(value: str) -> list[str]:
    return _WORD.findall(value)


def _joined(words: Iterable[str]) -> str:
    return " ".join(words).casefold()


def _is_number(stretch: str) -> bool:
    """Whether digits are at least half of it."""
    return 2 * sum(map(str.isdigit, stretch)) >= sum(map(str.isalnum, stretch))


def stated(span: Span) -> bool:
    """Whether the value that memory found is of a kind that records have, and no label of ours."""
    return span.source.rpartition(":")[2] not in canonical()


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
