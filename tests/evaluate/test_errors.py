from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import asdict, replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.evaluate.breakdown import label_rows, parent_rows, span_confusion
from elision.evaluate.error_tables import (
    distribution,
    distribution_of,
    error_matrix,
    error_matrix_of,
    extent_table_of,
    sides,
)
from elision.evaluate.errors import Errors, Mistake, find_errors
from elision.evaluate.matching import Pair, strict
from elision.evaluate.measures import count
from elision.evaluate.tally import Counts
from tests.evaluate import he_2015
from tests.evaluate.made import pair, pairs, places_of, stirred
from tests.strategies import fewer


@pytest.fixture(scope="module")
def he() -> Errors:
    return find_errors(he_2015.pairs())


# The numbers of the paper, straight into the tables


def test_table_6_from_its_numbers() -> None:
    table = distribution(**{kind: number for kind, (number, _) in he_2015.TABLE_6.items()})
    assert table.total == 1_321
    for kind, (number, percent) in he_2015.TABLE_6.items():
        part = getattr(table, kind)
        assert (part.number, round(part.percent, 2)) == (number, percent)


def test_table_7_from_its_numbers() -> None:
    table = error_matrix(
        he_2015.LABELS,
        he_2015.type_error_matrix(),
        [number for number, _, _ in he_2015.MISSING],
        [number for number, _, _ in he_2015.SPURIOUS],
    )
    assert [(p.number, round(p.percent, 1), t) for p, t in zip(table.missing, table.row_totals, strict=True)] == (
        he_2015.MISSING
    )
    assert [(p.number, round(p.percent, 1), t) for p, t in zip(table.spurious, table.column_totals, strict=True)] == (
        he_2015.SPURIOUS
    )
    assert (table.missing_total, table.spurious_total) == (851, 109)


# The same numbers from notes on which a system errs as the paper's did


def test_each_side_is_divided(he: Errors) -> None:
    found = sides(he)
    assert (found.agree, found.type, found.extent, found.spurious) == (10_230, 159, 202, 109)
    assert found.system == 10_230 + 159 + 202 + 109 == 10_700
    assert (found.gold_agree, found.gold_type, found.touched, found.missing) == (10_230, 159, 222, 851)
    assert found.gold == 10_230 + 159 + 851 + 222 == 11_462


def test_table_6_from_notes(he: Errors) -> None:
    assert distribution_of(he) == distribution(type=159, extent=202, missing=851, spurious=109)


def test_table_7_from_notes(he: Errors) -> None:
    table = error_matrix_of(he)
    at = [table.labels.index(label) for label in he_2015.LABELS]
    assert [[table.counts[row][column] for column in at] for row in at] == he_2015.type_error_matrix()
    assert [table.missing[i].number for i in at] == [number for number, _, _ in he_2015.MISSING]
    assert [table.spurious[i].number for i in at] == [number for number, _, _ in he_2015.SPURIOUS]
    assert [table.row_totals[i] for i in at] == [total for _, _, total in he_2015.MISSING]
    assert [table.column_totals[i] for i in at] == [total for _, _, total in he_2015.SPURIOUS]


def test_table_8_from_notes(he: Errors) -> None:
    table = extent_table_of(he)
    assert {row.label: (row.short, row.long, row.short_and_long) for row in table.rows} == he_2015.TABLE_8
    assert (table.total.short, table.total.long, table.total.short_and_long, table.total.total) == (114, 78, 10, 202)


def test_table_4_from_notes() -> None:
    counts = count(he_2015.pairs(), he_2015.main_category)
    rows = {row.label: row for row in label_rows(counts, he_2015.main_category)}
    for label, (category, *numbers) in he_2015.TABLE_4.items():
        row = rows[label]
        figures = [round(figure, 4) for figure in (row.precision, row.recall, row.f1)]
        assert [row.parent, row.gold, row.system, row.agree, *figures] == [category, *numbers]
    overall = {row.label: row for row in parent_rows(counts, he_2015.main_category)}
    for category, expected in he_2015.OVERALL.items():
        row = overall[category]
        figures = [round(figure, 4) for figure in (row.precision, row.recall, row.f1)]
        assert (row.gold, row.system, row.agree, *figures) == expected
    assert sum(row.agree for row in overall.values()) == 10_352, "agreement on the main category, not on the label"


# Single cases


@pytest.mark.parametrize(
    ("gold", "system", "kinds", "shape"),
    [
        ("on [DATE 3 May]", "on [DATE 3 May]", [], ""),
        ("on [DATE 3 May]", "on [AGE 3 May]", ["type"], ""),
        ("on [DATE 3 May]", "on 3 [DATE May]", ["extent"], "short"),
        ("on [DATE 3] May", "on [DATE 3 May]", ["extent"], "long"),
        ("on [DATE 3] May", "on [AGE 3 May]", ["extent"], "long"),
        ("[DATE on 3] May", "on [DATE 3 May]", ["extent"], "short and long"),
        ("on [DATE 3 May]", "on 3 May", ["missing"], ""),
        ("on 3 May", "on [DATE 3 May]", ["spurious"], ""),
        ("[DATE 3] [DATE May]", "[DATE 3 May]", ["extent"], "long"),
        ("[DATE 3 May]", "[DATE 3] [DATE May]", ["extent", "extent"], "short"),
    ],
)
def test_kinds(gold: str, system: str, kinds: list[str], shape: str) -> None:
    found = find_errors([pair(gold, system)])
    assert [mistake.kind for mistake in found.mistakes] == kinds
    assert all(mistake.shape == shape for mistake in found.mistakes)


def test_spans_that_only_meet_do_not_touch() -> None:
    found = find_errors([pair("[DATE 3 May][AGE , 90]", "3 May[AGE , 90]")])
    assert [mistake.kind for mistake in found.mistakes] == ["missing"]


def _made(gold: list[tuple[int, int, str]], system: list[tuple[int, int, str]]) -> Pair:
    document = Document("0123456789", "note-1", spans=tuple(Span(*place) for place in gold))
    return document, document.with_spans(Span(*place) for place in system)


@pytest.mark.parametrize(
    ("gold", "system", "gold_kinds", "system_kinds", "mistakes"),
    [
        # said twice counts once
        ([(0, 2, "A"), (0, 2, "A")], [(0, 2, "A"), (0, 2, "A")], [1, 0, 0, 0], [1, 0, 0, 0], []),
        # two labels at one place, one of them right: the other is a type error
        ([(0, 2, "A")], [(0, 2, "A"), (0, 2, "B")], [1, 0, 0, 0], [1, 1, 0, 0], [("type", "A", "B")]),
        # the type error stands for the gold span that is still without its match
        ([(0, 2, "A"), (0, 2, "C")], [(0, 2, "A"), (0, 2, "B")], [1, 1, 0, 0], [1, 1, 0, 0], [("type", "C", "B")]),
        # agreement does not keep a second span from being an extent error
        ([(0, 5, "A")], [(0, 5, "A"), (3, 8, "A")], [1, 0, 0, 0], [1, 0, 1, 0], [("extent", "A", "A")]),
        # the closest shares most characters; then comes the same label; then the first
        ([(0, 2, "A"), (2, 6, "B")], [(1, 5, "A")], [0, 0, 2, 0], [0, 0, 1, 0], [("extent", "B", "A")]),
        ([(0, 2, "A"), (3, 5, "B")], [(0, 5, "B")], [0, 0, 2, 0], [0, 0, 1, 0], [("extent", "B", "B")]),
        ([(3, 5, "B"), (0, 2, "A")], [(0, 5, "C")], [0, 0, 2, 0], [0, 0, 1, 0], [("extent", "A", "C")]),
        # a long early span hides behind shorter ones that begin later
        ([(0, 9, "A"), (1, 2, "B")], [(5, 6, "C")], [0, 0, 1, 1], [0, 0, 1, 0],
         [("extent", "A", "C"), ("missing", "B", "")]),
        # a span without characters agrees or not, but overlaps nothing
        ([(3, 3, "A"), (1, 1, "A")], [(3, 3, "A"), (0, 5, "A")], [1, 0, 0, 1], [1, 0, 0, 1],
         [("spurious", "", "A"), ("missing", "A", "")]),
    ],
)  # fmt: skip
def test_duplicates_and_several_matches(
    gold: list[tuple[int, int, str]],
    system: list[tuple[int, int, str]],
    gold_kinds: list[int],
    system_kinds: list[int],
    mistakes: list[tuple[str, str, str]],
) -> None:
    found = find_errors([_made(gold, system)])
    assert found.gold.tolist() == [gold_kinds]
    assert found.system.tolist() == [system_kinds]
    labels = [(m.kind, m.gold[2] if m.gold else "", m.system[2] if m.system else "") for m in found.mistakes]
    assert labels == mistakes


def test_mistakes_name_places_and_turn_into_json() -> None:
    found = find_errors([pair("seen by [NAME_CLINICIAN Dr. Roe]", "seen by Dr. [NAME_PATIENT Roe]", "note-7")])
    (mistake,) = found.mistakes
    assert mistake == Mistake("note-7", "extent", (8, 15, "NAME_CLINICIAN"), (12, 15, "NAME_PATIENT"), "short")
    assert "Roe" not in json.dumps(asdict(mistake))


# Properties


@fewer
@given(pairs())
def test_the_kinds_divide_the_spans_of_each_side(made: tuple[Pair, ...]) -> None:
    found = find_errors(made)
    for row, (gold, system) in enumerate(made):
        assert found.gold[row].sum() == len(places_of(gold))
        assert found.system[row].sum() == len(places_of(system))
        assert found.gold[row, 0] == found.system[row, 0] == len(places_of(gold) & places_of(system))


@fewer
@given(pairs())
def test_the_kinds_are_what_they_say(made: tuple[Pair, ...]) -> None:
    """Against the plain definition, span by span."""
    found = find_errors(made)
    expected = [_plain_kinds(places_of(system), places_of(gold)) for gold, system in made]
    assert found.system.tolist() == expected
    assert found.gold.tolist() == [_plain_kinds(places_of(gold), places_of(system)) for gold, system in made]


def _plain_kinds(spans: set[tuple[int, int, str]], others: set[tuple[int, int, str]]) -> list[int]:
    kinds = Counter(min((_kind(span, other) for other in others), default=3) for span in spans)
    return [kinds[kind] for kind in range(4)]


def _kind(span: tuple[int, int, str], other: tuple[int, int, str]) -> int:
    if span == other:
        return 0
    if span[:2] == other[:2]:
        return 1
    return 2 if set(range(*span[:2])) & set(range(*other[:2])) else 3


@fewer
@given(pairs())
def test_every_mistake_is_listed(made: tuple[Pair, ...]) -> None:
    found = find_errors(made)
    listed = Counter(mistake.kind for mistake in found.mistakes)
    table = distribution_of(found)
    assert listed == Counter({kind: n for kind in he_2015.TABLE_6 if (n := getattr(table, kind).number)})
    for mistake in found.mistakes:
        assert (mistake.shape != "") == (mistake.kind == "extent")
        assert (mistake.gold is None, mistake.system is None) == (mistake.kind == "spurious", mistake.kind == "missing")


@fewer
@given(pairs())
def test_the_closest_gold_span_shares_most(made: tuple[Pair, ...]) -> None:
    notes = {gold.id: gold for gold, _ in made}
    for mistake in find_errors(made).mistakes:
        if mistake.kind == "extent" and mistake.gold and mistake.system:
            inside = set(range(*mistake.system[:2]))
            shared = {place: len(inside & set(range(*place[:2]))) for place in places_of(notes[mistake.document])}
            assert shared[mistake.gold] == max(shared.values()) > 0


@fewer
@given(pairs(), st.randoms())
def test_the_order_of_spans_plays_no_part(made: tuple[Pair, ...], rng: Random) -> None:
    found, again = find_errors(made), find_errors(stirred(made, rng))
    assert found.mistakes == again.mistakes
    assert np.array_equal(found.gold, again.gold)
    assert np.array_equal(found.system, again.system)


@fewer
@given(pairs(disjoint=True))
def test_errors_add_up_with_the_strict_counts(made: tuple[Pair, ...]) -> None:
    """FP = type + extent + spurious, FN = type + touched + missing, as He's tables do."""
    found, score = sides(find_errors(made)), strict(made).all().score()
    counts = Counts(score.right, score.system - score.right, score.gold - score.found)
    assert (counts.tp, counts.fp) == (found.agree, found.type + found.extent + found.spurious)
    assert counts.fn == found.gold_type + found.touched + found.missing


@fewer
@given(pairs())
def test_the_span_confusion_holds_every_system_span_once(made: tuple[Pair, ...]) -> None:
    found = find_errors(made)
    matrix = span_confusion(found)
    by_label = Counter(label for _, system in made for _, _, label in places_of(system))
    assert dict(zip(matrix.labels[1:], matrix.counts[:, 1:].sum(axis=0).tolist(), strict=True)) == {
        label: by_label[label] for label in found.labels
    }
    assert matrix.counts[0, 0] == 0


def test_no_notes_no_errors() -> None:
    found = find_errors([])
    assert distribution_of(found).total == 0
    assert error_matrix_of(found).labels == ()
    assert extent_table_of(found).rows == ()


@pytest.mark.slow
def test_the_same_gold_span_may_be_the_closest_of_many() -> None:
    """Nothing here is quadratic in the number of spans that lie apart; a long note takes no time worth naming."""
    gold = Document("x" * 200_000, "long", spans=tuple(Span(i, i + 3, "A") for i in range(0, 200_000 - 5, 5)))
    system = gold.with_spans(replace(span, end=span.end + 1) for span in gold.spans)
    assert find_errors([(gold, system)]).system.tolist() == [[0, 0, len(gold.spans), 0]]


def test_spans_within_spans_are_compared_in_bulk() -> None:
    """Each span here touches all of the other side, and the outermost of gold, which shares most, comes first."""
    size, spans = 60_000, 6_000
    gold = Document("x" * size, "deep", spans=tuple(Span(at, size - at, "A") for at in range(spans)))
    system = gold.with_spans(replace(span, end=span.end - 1) for span in gold.spans)
    before = time.process_time()
    mistakes = find_errors([(gold, system)]).mistakes
    assert time.process_time() - before < 5  # one by one it takes several times as long
    assert [mistake.gold for mistake in mistakes] == [(0, size, "A")] * spans
