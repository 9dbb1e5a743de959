"""Pairs of gold and system documents for tests: from marked text, and from Hypothesis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from elision.document import Document, Span
from elision.evaluate.matching import Pair
from tests.notes import note
from tests.strategies import LABELS, spans_in, texts


def pair(gold: str, system: str, id: str = "note-1") -> Pair:
    """A pair from the same text, marked twice: `pair("[DATE 3 May]", "3 [DATE May]")`."""
    documents = note(gold, id), note(system, id)
    assert documents[0].text == documents[1].text, "the two sides must mark the same text"
    return documents


def places_of(document: Document) -> set[tuple[int, int, str]]:
    return {(span.start, span.end, span.label) for span in document.spans}


def stirred(pairs: Iterable[Pair], rng: Random) -> tuple[Pair, ...]:
    """The same pairs with the spans of each document in another order."""

    def stir(document: Document) -> Document:
        return document.with_spans(rng.sample(document.spans, len(document.spans)))

    return tuple((stir(gold), stir(system)) for gold, system in pairs)


@st.composite
def _spoiled(draw: st.DrawFn, document: Document) -> tuple[Span, ...]:
    """What a system might make of gold spans: lost, relabelled, cut short, grown, said twice, and some of its own."""
    spans: list[Span] = []
    for span in document.spans:
        fate = draw(st.sampled_from(["keep", "keep", "lose", "relabel", "cut", "grow", "twice"]))
        if fate == "relabel":
            spans.append(replace(span, label=draw(st.sampled_from(LABELS))))
        elif fate == "cut" and len(span) > 1:
            spans.append(replace(span, start=span.start + 1))
        elif fate == "grow":
            spans.append(replace(span, end=min(span.end + 2, len(document.text))))
        elif fate != "lose":
            spans += [span] * (2 if fate == "twice" else 1)
    return (*spans, *draw(spans_in(document.text, empty=True)))


@st.composite
def pairs(draw: st.DrawFn, *, disjoint: bool = False) -> tuple[Pair, ...]:
    """A few notes, with gold spans of any kind (or disjoint ones) and a system that is right here and there."""
    found = []
    for number in range(draw(st.integers(1, 3))):
        text = draw(texts)
        gold = Document(text, f"note-{number}", spans=draw(spans_in(text, disjoint=disjoint, empty=not disjoint)))
        found.append((gold, gold.with_spans(draw(_spoiled(gold)))))
    return tuple(found)
