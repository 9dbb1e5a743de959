"""Two annotations of the same notes as one, on the safe side, and the places that somebody should look at again.

Trienes 2020 adjudicated so: what one annotator alone marked, the other is taken to have missed. Spans that overlap
become one span over all that either has marked, with the label of the longest of them. So nothing that anybody marked
is left unmarked.

Two checks then look through all notes: the same words under another label elsewhere, and words that are marked in one
place and not in another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from elision.document import Document, Span
from elision.evaluate.matching import pair_up
from elision.text.tokens import tokenize

LEAST = 3  # characters of words that are looked for where they are not marked
LONGEST = 8  # tokens of them

Why = Literal["other-label", "not-marked"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place to look at again. `label` is what stands there, or for what is not marked, what it is elsewhere.

    `usual` is the label that the same words have most often, and `times` how often they have it.
    """

    document: str
    start: int
    end: int
    label: str
    why: Why
    usual: str
    times: int


def adjudicated(one: Iterable[Document], other: Iterable[Document]) -> list[Document]:
    """Both annotations as one; a note that only one side has is as it is there."""
    paired = pair_up(one, other, names=("A", "B"))
    both = [first.with_spans(united((*first.spans, *second.spans))) for first, second in paired.both]
    return [*both, *paired.gold_only, *paired.system_only]


def united(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans that overlap as one over all of them, with the label of the longest; the first one's if they are equal."""
    group: list[Span] = []
    end = 0
    for span in sorted((span for span in spans if span.end > span.start), key=lambda span: span.start):
        if group and span.start >= end:
            yield _one(group, end)
            group = []
        group.append(span)
        end = max(end, span.end) if len(group) > 1 else span.end
    if group:
        yield _one(group, end)


def _one(group: Sequence[Span], end: int) -> Span:
    longest = max(group, key=lambda span: span.end - span.start)
    return replace(longest, start=group[0].start, end=end, info={} if len(group) > 1 else longest.info)


def doubts(documents: Sequence[Document]) -> list[Doubt]:
    """What the two checks find, by note and place."""
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        for span in document.spans:
            labels[_said(document.text_of(span))][span.label] += 1
    usual = {words: counts.most_common(1)[0] for words, counts in labels.items()}
    found = (doubt for document in documents for doubt in (*_others(document, usual), *_unmarked(document, usual)))
    return sorted(found, key=lambda doubt: (doubt.document, doubt.start, doubt.end))


Usual = dict[str, tuple[str, int]]  # words -> their label, and how often they have it


def _others(document: Document, usual: Usual) -> Iterator[Doubt]:
    for span in document.spans:
        label, times = usual[_said(document.text_of(span))]
        if span.label != label:
            yield Doubt(document.id, span.start, span.end, span.label, "other-label", label, times)


def _unmarked(document: Document, usual: Usual) -> Iterator[Doubt]:
    """The longest words at each place that are marked elsewhere, where nothing is marked."""
    tokens = tokenize(document.text, document.language)
    starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
    marked = _marked(document)
    at = 0
    while at < len(starts):
        for size in range(min(LONGEST, len(starts) - at), 0, -1):
            start, end = starts[at], ends[at + size - 1]
            known = usual.get(_said(document.text[start:end]))
            if known and end - start >= LEAST and not any(marked[start:end]):
                yield Doubt(document.id, start, end, known[0], "not-marked", *known)
                at += size - 1
                break
        at += 1


def _marked(document: Document) -> bytearray:
    marked = bytearray(len(document.text))
    for span in document.spans:
        marked[span.start : span.end] = b"\1" * (span.end - span.start)
    return marked


def _said(words: str) -> str:
    return " ".join(words.split())
