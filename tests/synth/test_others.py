"""Marked notes with other people's values."""

from __future__ import annotations

import re

import pytest

from elision.document import Document, Span
from elision.languages.synth_lists import HELD_OUT
from elision.synth.learning import KEPT, made, with_others

LANGUAGES = ("en", "es", "nl", "zh")


def around(note: Document) -> list[str]:
    """What stands between the spans."""
    ends = [0, *(span.end for span in note.spans)]
    starts = [*(span.start for span in note.spans), len(note.text)]
    return [note.text[end:start] for end, start in zip(ends, starts, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_only_what_is_marked_changes(language: str) -> None:
    notes = made(language, 12, HELD_OUT)
    every = list(with_others(notes, 2))
    assert [note.text for note in every[: len(notes)]] == [note.text for note in notes]
    assert len(every) == 3 * len(notes)
    for note, copy in zip(2 * notes, every[len(notes) :], strict=True):
        assert [span.label for span in copy.spans] == [span.label for span in note.spans]
        assert around(copy) == around(note)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_most_values_are_others(language: str) -> None:
    notes = made(language, 12, HELD_OUT)
    pairs = [
        (note.text_of(one), copy.text_of(other))
        for note, copy in zip(notes, list(with_others(notes, 1))[len(notes) :], strict=True)
        for one, other in zip(note.spans, copy.spans, strict=True)
        if one.label not in KEPT
    ]
    assert sum(one != other for one, other in pairs) > 0.8 * len(pairs)
    assert not any(re.search(r"\[[A-Z_]+\]", other) for _, other in pairs)  # no tag where there is no stand-in


def test_the_same_person_is_the_same_again() -> None:
    text = "Ravi Pellworm, 71, came with his wife Odalys. Mr Pellworm is well; Odalys drove."
    spans = [
        Span(0, 13, "NAME_PATIENT"), Span(15, 17, "AGE"), Span(38, 44, "NAME_RELATIVE"), Span(49, 57, "NAME_PATIENT"),
        Span(67, 73, "NAME_RELATIVE"),
    ]  # fmt: skip
    note = Document(text, "n1", language="en", spans=tuple(spans))
    first, copy, other = with_others([note], 2)
    full, age, wife, last, again = (copy.text_of(span) for span in copy.spans)
    assert age == "71"
    assert full.endswith(last)
    assert wife == again
    assert {first.patient, copy.patient, other.patient} == {"n1"}
    assert len({first.id, copy.id, other.id}) == len({first.text, copy.text, other.text}) == 3


def test_seeds_choose() -> None:
    notes = made("en", 3, HELD_OUT)
    assert list(with_others(notes, 1, 4)) == list(with_others(notes, 1, 4))
    assert list(with_others(notes, 1, 4)) != list(with_others(notes, 1, 5))
