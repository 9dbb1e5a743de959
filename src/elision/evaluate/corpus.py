"""What a corpus holds, as the tables of papers tell it: notes, words, and identifiers by label.

Notes are read once and not kept. A span is its start, end and label: what a note says twice counts once. A token has
one label at most, as in scoring (`token_labels`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from elision.document import Document
from elision.evaluate.matching import places
from elision.evaluate.tally import in_order, ratio
from elision.evaluate.token_labels import labels_of
from elision.text.tokens import Tokens, tokenize

Sentences = Callable[[str], int]
_NUMBERED = re.compile(r"(?:.*/)?([0-9]+)-[0-9]+")


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label: its spans and their share of all, its tokens and their share of all tokens of identifiers."""

    label: str
    spans: int
    share: float
    tokens: int
    token_share: float
    notes: int  # that have such a span
    span_tokens: float  # the mean length of a span
    span_characters: float


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """The counts of a corpus. `patients` is None if no note says whose it is."""

    notes: int
    patients: int | None
    notes_without_patient: int
    sentences: int
    tokens: int
    characters: int
    vocabulary: int  # distinct tokens
    vocabulary_folded: int  # the same in small letters
    spans: int
    identifier_tokens: int
    notes_without_spans: int
    span_tokens: float  # the mean length of a span
    span_characters: float
    labels: tuple[LabelRow, ...]

    @property
    def tokens_per_note(self) -> float:
        return ratio(self.tokens, self.notes)

    @property
    def spans_per_note(self) -> float:
        return ratio(self.spans, self.notes)

    @property
    def identifier_share(self) -> float:
        """The share of tokens that belong to an identifier."""
        return ratio(self.identifier_tokens, self.tokens)


@dataclass(slots=True)
class _Seen:
    """Sums over the notes so far; those by label are counters."""

    notes: int = 0
    sentences: int = 0
    tokens: int = 0
    characters: int = 0
    unknown: int = 0
    without_spans: int = 0
    patients: set[str] = field(default_factory=set)
    forms: set[str] = field(default_factory=set)
    spans: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    in_notes: Counter[str] = field(default_factory=Counter)
    long: Counter[str] = field(default_factory=Counter)
    wide: Counter[str] = field(default_factory=Counter)


def lines(text: str) -> int:
    """The lines of a text that are not empty: its sentences where there is no better way to count them."""
    return sum(not line.isspace() for line in text.splitlines() if line)


def describe(documents: Iterable[Document], sentences: Sentences = lines) -> CorpusStatistics:
    """Count a corpus in one pass. `sentences` says how many there are in a text."""
    seen = _Seen()
    for document in documents:
        tokens = tokenize(document.text, document.language)
        seen.notes += 1
        seen.tokens += len(tokens)
        seen.characters += len(document.text)
        seen.sentences += sentences(document.text)
        seen.forms.update(tokens.texts(document.text))
        seen.unknown += not document.patient
        if document.patient:
            seen.patients.add(document.patient)
        _add_spans(seen, document, tokens)
    return _finished(seen)


def _add_spans(seen: _Seen, document: Document, tokens: Tokens) -> None:
    found = places(document)
    seen.without_spans += not found
    if not found:
        return
    names = in_order(label for _, _, label in found)
    place = {label: at for at, label in enumerate(names, start=1)}
    held = np.bincount(labels_of(tokens, document.spans, place), minlength=len(names) + 1).tolist()[1:]
    seen.held.update(dict(zip(names, held, strict=True)))
    seen.in_notes.update(names)
    starts, ends, labels = zip(*found, strict=True)
    firsts = np.searchsorted(tokens.ends, np.array(starts, np.int64), side="right")
    lasts = np.searchsorted(tokens.starts, np.array(ends, np.int64), side="left")
    for start, end, label, size in zip(starts, ends, labels, np.maximum(lasts - firsts, 0).tolist(), strict=True):
        seen.spans[label] += 1
        seen.wide[label] += end - start
        seen.long[label] += size if end > start else 0


def _finished(seen: _Seen) -> CorpusStatistics:
    spans, held = seen.spans.total(), seen.held.total()
    rows = tuple(
        LabelRow(
            label,
            spans=count,
            share=ratio(count, spans),
            tokens=seen.held[label],
            token_share=ratio(seen.held[label], held),
            notes=seen.in_notes[label],
            span_tokens=ratio(seen.long[label], count),
            span_characters=ratio(seen.wide[label], count),
        )
        for label in in_order(seen.spans)
        for count in [seen.spans[label]]
    )
    return CorpusStatistics(
        notes=seen.notes,
        patients=len(seen.patients) or None,
        notes_without_patient=seen.unknown,
        sentences=seen.sentences,
        tokens=seen.tokens,
        characters=seen.characters,
        vocabulary=len(seen.forms),
        vocabulary_folded=len({form.lower() for form in seen.forms}),
        spans=spans,
        identifier_tokens=held,
        notes_without_spans=seen.without_spans,
        span_tokens=ratio(seen.long.total(), spans),
        span_characters=ratio(seen.wide.total(), spans),
        labels=rows,
    )


def with_patient_of_id(document: Document) -> Document:
    """The patient by the name of a file of i2b2 2014, whose first number it is: the note `set1/220-03` is of 220."""
    match = _NUMBERED.fullmatch(document.id)
    return replace(document, patient=match[1]) if match and not document.patient else document
