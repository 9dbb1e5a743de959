from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given

from elision.document import Document, Span
from elision.evaluate.coverage import coverage, leaks
from elision.evaluate.matching import Pair
from tests.evaluate.made import pair, pairs, places_of
from tests.strategies import fewer


@pytest.mark.parametrize(
    ("gold", "system", "characters", "over"),
    [  # characters: gold, both, system
        ("on [DATE 3 May] seen", "on [DATE 3 May] seen", (4, 4, 4), 0),
        ("on [DATE 3 May] seen", "on [AGE 3 May] seen", (4, 4, 4), 0),
        ("on [DATE 3 May] seen", "on [DATE 3] [DATE May] seen", (4, 4, 4), 0),  # the gap is white space
        ("on [DATE 3 May] seen", "on [DATE 3 ]May seen", (4, 1, 1), 0),
        ("on [DATE 3 May] seen", "[DATE on 3 May] seen", (4, 4, 6), 2),
        ("on [DATE 3 May] seen", "on 3 May [DATE seen]", (4, 0, 4), 4),
        ("on [DATE 3 May] seen", "on 3 May seen", (4, 0, 0), 0),
        ("on[DATE  ]3 May seen", "on[DATE  ]3 May seen", (0, 0, 0), 0),
        ("[NAME_PATIENT 李明] 😀", "[NAME_PATIENT 李]明 [OTHER 😀]", (2, 1, 2), 1),
    ],
)
def test_characters(gold: str, system: str, characters: tuple[int, int, int], over: int) -> None:
    found = coverage([pair(gold, system)])
    tally = found.characters
    assert (tally.gold[0], tally.found[0], tally.system[0]) == characters
    assert tally.right[0] == tally.found[0]
    assert found.over_redacted.tolist() == [over]


def test_visible_and_harmless_characters() -> None:
    found = coverage([pair("on [DATE 3 May]\u00a0seen\t\n", "on [DATE 3 May]\u00a0seen\t\n"), pair("", "", "empty")])
    assert found.visible.tolist() == [10, 0]
    assert found.harmless.tolist() == [6, 0]


@pytest.mark.parametrize(
    ("gold", "system", "partly", "wholly"),
    [
        ("[NAME_PATIENT Jane Roe], 44", "[NAME_PATIENT Jane Roe], 44", 0, 0),
        ("[NAME_PATIENT Jane Roe], 44", "[AGE Jane Roe], 44", 0, 0),  # the label does not matter
        ("[NAME_PATIENT Jane Roe], 44", "Jane [NAME_PATIENT Roe], 44", 1, 0),
        ("[NAME_PATIENT Jane Roe], 44", "Jane Roe, 44", 0, 1),
        ("[NAME_PATIENT Jane Roe,] 44", "[NAME_PATIENT Jane Roe], 44", 0, 0),  # an open comma tells nothing
        ("[NAME_PATIENT Jane Roe,] 44", "Jane Roe[NAME_PATIENT ,] 44", 0, 1),  # and to cover it helps nobody
        ("[NAME_PATIENT J. R.], 44", "J. [NAME_PATIENT R.], 44", 1, 0),
        ("[NAME_PATIENT 😀], 44", "😀, 44", 0, 1),  # without letters or digits, what can be seen tells
        ("[NAME_PATIENT 😀😀], 44", "[NAME_PATIENT 😀]😀, 44", 1, 0),
        ("[NAME_PATIENT  ], 44", " , 44", 0, 0),
        ("[CITY Ghent] [DATE 3 May]", "Ghent 3 [DATE May]", 1, 1),
    ],
)
def test_leaks(gold: str, system: str, partly: int, wholly: int) -> None:
    found = coverage([pair(gold, system)])
    assert (found.partly.sum(), found.wholly.sum()) == (partly, wholly)
    assert found.leaks.tolist() == [partly + wholly]
    assert leaks(found).clean_notes == (partly + wholly == 0)


def test_labels() -> None:
    found = coverage([pair("[CITY Ghent] [DATE 3 May] x", "[CITY Ghe]nt 3 May [OTHER x]")])
    assert found.labels == ("CITY", "DATE", "OTHER")
    by_label = found.by_label.by_label
    assert by_label.gold.tolist() == [[5, 4, 0]]
    assert by_label.found.tolist() == [[3, 0, 0]]
    assert by_label.system.tolist() == [[3, 0, 1]]
    assert by_label.right.tolist() == [[3, 0, 0]]
    assert found.spans.tolist() == [[1, 1, 0]]
    assert found.partly.tolist() == [[1, 0, 0]]
    assert found.wholly.tolist() == [[0, 1, 0]]


def test_characters_of_overlapping_spans_count_once_for_a_label() -> None:
    gold = Document("0123456789", "note-1", spans=(Span(0, 6, "ID"), Span(3, 8, "ID"), Span(4, 9, "PHONE")))
    found = coverage([(gold, gold)])
    assert found.characters.gold.tolist() == [9]
    assert found.by_label.by_label.gold.tolist() == [[5, 8]]
    assert found.labels == ("PHONE", "ID")


def test_leaks_in_short() -> None:
    made = [
        pair("[CITY Ghent] [DATE 3 May]", "Ghent 3 [DATE May]", "a"),
        pair("[CITY Ghent] [DATE 3 May]", "[CITY Ghent] 3 [DATE May]", "b"),
        pair("[CITY Ghent] [DATE 3 May]", "[CITY Ghent] [DATE 3 May]", "c"),
        pair("nothing", "nothing", "d"),
    ]
    found = leaks(coverage(made))
    assert (found.notes, found.clean_notes, found.spans, found.partly, found.wholly) == (4, 2, 6, 2, 1)
    assert (found.mean, found.median, found.maximum) == (0.75, 0.5, 2)
    assert found.distribution == ((0, 2), (1, 1), (2, 1))
    assert json.loads(json.dumps(asdict(found)))["distribution"] == [[0, 2], [1, 1], [2, 1]]


def test_no_notes() -> None:
    found = leaks(coverage([]))
    assert (found.notes, found.mean, found.median, found.maximum, found.distribution) == (0, 0.0, 0.0, 0, ())


def _covered(document: Document) -> set[int]:
    return {at for span in document.spans for at in range(span.start, span.end)}


@fewer
@given(pairs())
def test_characters_against_sets(made: tuple[Pair, ...]) -> None:
    """The same counts in the plain way, with sets of offsets."""
    found = coverage(made)
    for row, (gold, system) in enumerate(made):
        visible = {at for at, character in enumerate(gold.text) if not character.isspace()}
        in_gold, in_system = _covered(gold) & visible, _covered(system) & visible
        assert found.visible[row] == len(visible)
        assert found.characters.gold[row] == len(in_gold)
        assert found.characters.system[row] == len(in_system)
        assert found.characters.found[row] == len(in_gold & in_system)
        assert found.over_redacted[row] == len(in_system - in_gold)
        assert found.harmless[row] == len(visible - in_gold)
        for at, label in enumerate(found.labels):
            own = _covered(gold.with_spans(span for span in gold.spans if span.label == label)) & visible
            assert found.by_label.by_label.gold[row, at] == len(own)
            assert found.by_label.by_label.found[row, at] == len(own & in_system)


@fewer
@given(pairs())
def test_leaks_against_sets(made: tuple[Pair, ...]) -> None:
    found = coverage(made)
    for row, (gold, system) in enumerate(made):
        hidden = _covered(system)
        partly = wholly = 0
        for start, end, _ in places_of(gold):
            inside = range(start, end)
            telling = {at for at in inside if gold.text[at].isalnum()}
            telling = telling or {at for at in inside if not gold.text[at].isspace()}
            wholly += bool(telling) and not telling & hidden
            partly += bool(telling - hidden) and bool(telling & hidden)
        assert (found.partly[row].sum(), found.wholly[row].sum()) == (partly, wholly)
        assert found.spans[row].sum() == len(places_of(gold))


@fewer
@given(pairs())
def test_covering_everything_leaks_nothing(made: tuple[Pair, ...]) -> None:
    found = coverage([(gold, gold.with_spans([Span(0, len(gold.text), "X")])) for gold, _ in made])
    assert not found.leaks.any()
    assert np.array_equal(found.over_redacted, found.harmless)
