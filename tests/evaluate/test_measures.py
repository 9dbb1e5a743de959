from __future__ import annotations

from collections.abc import Iterable
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from elision import labels
from elision.document import Document, Span
from elision.evaluate.matching import Pair, blind, pair_up, relaxed, strict
from elision.evaluate.measures import NoteCounts, average_f1, count, label_measures, macro_measures, measures
from elision.evaluate.tally import Counts, Tally, in_order, score
from elision.evaluate.token_labels import token_labels
from elision.text.tokens import tokenize
from tests.evaluate.made import pair, pairs, places_of, stirred
from tests.strategies import fewer

SEEN = pair(
    "[DATE 3 May] seen by [NAME_CLINICIAN Dr. Roe] in [CITY Ghent], patient [NAME_PATIENT Jane Poe] [AGE 44]",
    "[DATE 3 May] seen by [NAME_PATIENT Dr. Roe] in [HOSPITAL Ghent], patient Jane [NAME_PATIENT Poe] [AGE 4]4",
)


def _values(counts: NoteCounts) -> dict[str, float]:
    return {measure.name: measure.value for measure in measures(counts)}


# Spans


@pytest.mark.parametrize(
    ("name", "tally", "right"),
    [
        ("strict", strict([SEEN]).all(), 1),
        ("blind", strict([SEEN], blind).all(), 3),
        ("parent", strict([SEEN], labels.parent).all(), 2),
        ("relaxed", relaxed([SEEN]).all(), 3),
    ],
)
def test_ways_of_matching(name: str, tally: Tally, right: int) -> None:
    assert tally.score() == score(gold=5, found=right, system=5, right=right), name


def test_one_span_may_match_several_in_relaxed_only() -> None:
    cut = pair("seen by [NAME_CLINICIAN Jane Roe]", "seen by [NAME_CLINICIAN Jane] [NAME_CLINICIAN Roe]")
    assert relaxed([cut]).all().score() == score(gold=1, found=1, system=2, right=2)
    assert strict([cut]).all().score() == score(gold=1, found=0, system=2, right=0)


def test_spans_said_twice_count_once() -> None:
    gold, system = pair("[DATE 3 May]", "[DATE 3 May]")
    assert strict([(gold, system.with_spans(system.spans * 3))]).all().score() == score(1, 1, 1, 1)


def test_labels_keep_their_own_counts() -> None:
    tally = strict([SEEN, pair("[DATE 4 May]", "4 May", "note-2")])
    assert tally.labels == ("NAME_PATIENT", "NAME_CLINICIAN", "CITY", "HOSPITAL", "DATE", "AGE")
    dates = tally.of("DATE")
    assert (dates.gold.tolist(), dates.system.tolist(), dates.right.tolist()) == ([1, 1], [1, 0], [1, 0])


def test_order_of_labels() -> None:
    assert in_order(["ZZ", "DATE", "aa", "NAME_PATIENT", "DATE"]) == ("NAME_PATIENT", "DATE", "ZZ", "aa")


# Tokens


def _tokens(gold: str, system: str) -> tuple[dict[str, tuple[int, int, int]], tuple[int, int, int]]:
    found = token_labels([pair(gold, system)])
    tally, binary = found.tally(), found.binary().score()
    by_label = {label: tally.of(label).score() for label in tally.labels}
    return (
        {label: (figures.gold, figures.system, figures.right) for label, figures in by_label.items()},
        (binary.gold, binary.system, binary.right),
    )


@pytest.mark.parametrize(
    ("gold", "system", "by_label", "binary"),
    [
        ("on [DATE 3 May] seen", "on [DATE 3 May] seen", {"DATE": (2, 2, 2)}, (2, 2, 2)),
        ("on [DATE 3 May] seen", "on [DATE 3] May seen", {"DATE": (2, 1, 1)}, (2, 1, 1)),
        ("on [DATE 3 May] seen", "on [AGE 3] [DATE May seen]", {"DATE": (2, 2, 1), "AGE": (0, 1, 0)}, (2, 3, 2)),
        ("on [DATE 3 May] seen", "on 3 May seen", {"DATE": (2, 0, 0)}, (2, 0, 0)),
        ("on 3 May seen", "on 3 May seen", {}, (0, 0, 0)),
        # a span that cuts a token takes all of it
        ("seen [DATE today] again", "seen to[DATE d]ay again", {"DATE": (1, 1, 1)}, (1, 1, 1)),
    ],
)
def test_tokens(
    gold: str, system: str, by_label: dict[str, tuple[int, int, int]], binary: tuple[int, int, int]
) -> None:
    assert _tokens(gold, system) == (by_label, binary)


def test_a_token_goes_to_the_stronger_of_two_spans() -> None:
    document = Document("seen today", "note-1", spans=(Span(5, 7, "DATE", score=0.4), Span(7, 10, "AGE", score=0.9)))
    found = token_labels([(document, document)])
    assert [("O", *found.labels)[at] for at in found.gold.tolist()] == ["O", "AGE"]


def test_the_language_is_the_documents() -> None:
    gold, system = pair("[NAME_PATIENT 李明]", "[NAME_PATIENT 李明]")
    found = token_labels([(gold, Document(system.text, "note-1", language="zh", spans=system.spans))])
    assert len(found.gold) == len(tokenize(gold.text, "zh"))


@fewer
@given(pairs())
def test_every_token_of_the_text_counts_once(made: tuple[Pair, ...]) -> None:
    found = token_labels(made)
    sizes = [len(tokenize(gold.text, gold.language)) for gold, _ in made]
    assert np.bincount(found.note, minlength=len(made)).tolist() == sizes


@fewer
@given(pairs())
def test_a_token_is_phi_if_a_span_covers_any_of_it(made: tuple[Pair, ...]) -> None:
    found = token_labels(made)
    for row, (gold, system) in enumerate(made):
        tokens = tokenize(gold.text, gold.language)
        edges = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
        for column, document in ((found.gold, gold), (found.system, system)):
            inside = {at for span in document.spans for at in range(span.start, span.end)}
            assert (column[found.note == row] > 0).tolist() == [bool(inside & set(range(*edge))) for edge in edges]


# All of them together


def _tallies(counts: NoteCounts) -> Iterable[Tally]:
    by_label = (counts.strict, counts.blind, counts.parent, counts.relaxed, counts.tokens.tally())
    for tally in (*by_label, counts.coverage.by_label):
        yield tally.by_label
        yield tally.all()
    yield counts.tokens.binary()
    yield counts.coverage.characters


@fewer
@given(pairs())
def test_counts_are_consistent(made: tuple[Pair, ...]) -> None:
    counts = count(made)
    for tally in _tallies(counts):
        assert (tally.found >= 0).all()
        assert (tally.found <= tally.gold).all()
        assert (tally.right >= 0).all()
        assert (tally.right <= tally.system).all()
    strict_counts = counts.strict.all()
    for row, (gold, system) in enumerate(made):
        expected = (len(places_of(gold)), len(places_of(system)), len(places_of(gold) & places_of(system)))
        assert (strict_counts.gold[row], strict_counts.system[row], strict_counts.right[row]) == expected


@fewer
@given(pairs())
def test_laxer_matching_finds_no_less(made: tuple[Pair, ...]) -> None:
    counts = count(made)
    exact = counts.strict.by_label.found
    assert (exact <= counts.relaxed.by_label.found).all()
    assert ((counts.relaxed.by_label.found > 0) == (counts.relaxed.by_label.right > 0)).all()
    assert (counts.tokens.tally().all().found <= counts.tokens.binary().found).all()


@fewer
@given(pairs())
def test_a_perfect_system(made: tuple[Pair, ...]) -> None:
    assume(all(gold.text[span.start : span.end].strip() for gold, _ in made for span in gold.spans))
    assume(any(gold.spans for gold, _ in made))
    perfect = [(gold, gold) for gold, _ in made]
    lower = {"over_redaction", "leaks_per_note", "leaked_spans"}
    for name, value in _values(count(perfect)).items():
        assert value == (0.0 if name in lower else pytest.approx(1.0)), name


@fewer
@given(pairs())
def test_a_system_that_finds_nothing(made: tuple[Pair, ...]) -> None:
    values = _values(count([(gold, system.with_spans(())) for gold, system in made]))
    for name, value in values.items():
        if name.endswith((".precision", ".recall", ".f1")) or name in ("over_redaction", "strict.average_f1"):
            assert value == 0.0, name
    telling = any(gold.text[span.start : span.end].strip() for gold, _ in made for span in gold.spans)
    assert (values["leaked_spans"] > 0) == telling


@fewer
@given(pairs(), st.randoms())
def test_the_order_of_spans_and_of_notes_plays_no_part(made: tuple[Pair, ...], rng: Random) -> None:
    counts = count(made)
    assert _values(count(stirred(made, rng))) == _values(counts)
    assert _values(count(made[::-1])) == pytest.approx(_values(counts))


@fewer
@given(pairs())
def test_sides_swap_precision_and_recall(made: tuple[Pair, ...]) -> None:
    values = _values(count(made))
    swapped = _values(count([(system, gold) for gold, system in made]))
    for name in ("strict", "blind", "parent", "relaxed", "token", "binary_token", "character"):
        assert values[f"{name}.precision"] == swapped[f"{name}.recall"]
        assert values[f"{name}.f1"] == pytest.approx(swapped[f"{name}.f1"])


@fewer
@given(pairs())
def test_measures_are_those_of_plain_counts(made: tuple[Pair, ...]) -> None:
    values = _values(count(made))
    plain = Counts()
    for gold, system in made:
        a, b = places_of(gold), places_of(system)
        plain += Counts(len(a & b), len(b - a), len(a - b))
    assert values["strict.precision"] == plain.precision
    assert values["strict.recall"] == plain.recall
    assert values["strict.f1"] == pytest.approx(plain.f1)


def test_documents_missing_on_a_side_count() -> None:
    a, b, c = (
        pair("[DATE 3 May]", "[DATE 3 May]"),
        pair("[DATE 4 May]", "4 May", "b"),
        pair("5 May", "[DATE 5 May]", "c"),
    )
    pairing = pair_up([a[0], b[0]], [a[1], c[1]])
    assert strict(pairing.all()).all().score() == score(gold=2, found=1, system=2, right=1)
    assert _values(count(pairing.all()))["clean_notes"] == pytest.approx(2 / 3)


def test_nothing_at_all_gives_zeros() -> None:
    assert set(_values(count([])).values()) == {0.0}


# Averages


def test_average_f1_is_the_plain_mean_over_the_labels_of_gold() -> None:
    made = [pair("[DATE 3 May] [AGE 44] [CITY Ghent] x", "[DATE 3 May] [AGE 44] Ghent [PHONE x]")]
    assert average_f1("strict", strict(made)).value == pytest.approx((1 + 1 + 0) / 3)
    assert average_f1("strict", strict(made), without=["AGE"]).value == pytest.approx((1 + 0) / 2)
    assert average_f1("strict", strict(made), without=["AGE", "DATE", "CITY"]).value == 0.0


def test_macro_is_over_notes_that_have_the_figure() -> None:
    made = [
        pair("[DATE 3 May] [AGE 44]", "[DATE 3 May] 44", "a"),
        pair("[DATE 3 May]", "3 May", "b"),
        pair("3 May", "[DATE 3 May]", "c"),
        pair("3 May", "3 May", "d"),
    ]
    values = {measure.name: measure.value for measure in macro_measures("strict", strict(made).all())}
    assert values["strict.macro_precision"] == pytest.approx((1 + 0) / 2)
    assert values["strict.macro_recall"] == pytest.approx((1 / 2 + 0) / 2)
    assert values["strict.macro_f1"] == pytest.approx((2 / 3 + 0 + 0) / 3)


def test_label_measures() -> None:
    values = {measure.name: measure.value for measure in label_measures("strict", strict([SEEN]))}
    assert values["strict.DATE.recall"] == 1.0
    assert values["strict.NAME_PATIENT.recall"] == 0.0
