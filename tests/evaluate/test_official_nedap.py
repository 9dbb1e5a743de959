"""The nedap scores equal what the official program printed, in every figure of every golden case on spans."""

from __future__ import annotations

import json
import math
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from elision.document import Document
from elision.errors import ScoreError
from elision.evaluate.official import Block, nedap
from elision.evaluate.official.nedap import (
    ALL,
    Measure,
    agreement,
    macro_f1,
    render,
    score,
    significance,
    significance_exact,
)
from elision.formats import read
from tests.notes import GOLDEN, note

CASES = sorted(case.name for case in (GOLDEN / "nedap").iterdir())
MEASURES: list[Measure] = ["f1", "precision", "recall"]
FRAGMENTS = "case_06"  # where a span in fragments is left out
fragments_are_fine = pytest.mark.filterwarnings("ignore:nedap's program leaves out:UserWarning")


@cache
def expected(case: str) -> Any:
    return json.loads((GOLDEN / "nedap" / case / "expected.json").read_text("utf-8"))


def notes(case: str, side: str, tmp_path: Path) -> list[Document]:
    """One side of a case; those of systems have no texts of their own, so they get those of gold."""
    folder = tmp_path / side
    shutil.copytree(GOLDEN / "nedap" / case / side, folder)
    for text in (GOLDEN / "nedap" / case / "gold").glob("*.txt"):
        shutil.copy(text, folder)
    return list(read(folder, "brat"))


def golden_form(block: Block) -> dict[str, Any]:
    """A block in the words of the golden files."""
    return {
        "tp": block.counts.tp,
        "fp": block.counts.fp,
        "fn": block.counts.fn,
        "precision": block.precision,
        "recall": block.recall,
        "f1": block.f1,
        "accuracy": float(block.printed["accuracy"]),
    }


@fragments_are_fine
@pytest.mark.parametrize(
    ("case", "system", "table"),
    [(case, "system", "entity_level") for case in CASES] + [("case_08", "system_b", "entity_level_system_b")],
)
def test_golden(case: str, system: str, table: str, tmp_path: Path) -> None:
    blocks = score(notes(case, "gold", tmp_path), notes(case, system, tmp_path))
    wanted = expected(case)[table]
    assert render(blocks).splitlines() == wanted["printed"]
    assert blocks[0].f1 == wanted["micro_f1"]
    assert macro_f1(blocks) == wanted["macro_f1_unrounded"]
    names = ["ALL", *(block.name for block in blocks[1:])]
    assert dict(zip(names, map(golden_form, blocks), strict=True)) == wanted["classes"]


def test_all_golden_cases_are_there() -> None:
    assert len(CASES) == 8


@fragments_are_fine
@pytest.mark.parametrize("case", CASES)
def test_golden_agreement(case: str, tmp_path: Path) -> None:
    figure = agreement(notes(case, "gold", tmp_path), notes(case, "system", tmp_path))
    assert (None if math.isnan(figure) else figure) == expected(case)["iaa_gold_vs_system"]


def test_spans_in_fragments_are_left_out_with_a_warning(tmp_path: Path) -> None:
    gold, system = notes(FRAGMENTS, "gold", tmp_path), notes(FRAGMENTS, "system", tmp_path)
    with pytest.warns(UserWarning, match=r"leaves out spans in fragments: 1 \(first in note nota-05\)"):
        score(gold, system)
    assert len(expected(FRAGMENTS)["warnings"]) == 2


@pytest.mark.parametrize("measure", MEASURES)
def test_golden_significance(measure: Measure, tmp_path: Path) -> None:
    gold, a, b = (notes("case_08", side, tmp_path) for side in ("gold", "system", "system_b"))
    wanted = expected("case_08")["significance"][f"micro_{measure}"]
    drawn = significance(gold, a, b, n=wanted["trials"], seed=wanted["numpy_legacy_seed"], measure=measure)
    assert (drawn.p, drawn.difference) == (wanted["p_value"], wanted["observed_abs_difference"])
    exact = significance_exact(gold, a, b, measure)
    assert (exact.at_least, exact.trials, exact.p) == (
        wanted["exact_count_ge"],
        wanted["exact_total"],
        wanted["exact_p"],
    )
    assert exact.difference == drawn.difference


def test_significance_comes_near_to_the_exact_one(tmp_path: Path) -> None:
    gold, a, b = (notes("case_08", side, tmp_path) for side in ("gold", "system", "system_b"))
    drawn, exact = significance(gold, a, b), significance_exact(gold, a, b)
    assert drawn.trials == 9_999
    assert abs(drawn.p - exact.p) < 0.02
    assert significance(gold, b, a) == drawn  # two-sided


def test_a_system_against_itself_is_never_significant() -> None:
    gold = [note("[NAME Roe]", "1"), note("[NAME Doe]", "2")]
    assert significance(gold, gold, gold, n=99).p == significance_exact(gold, gold, gold).p == 1.0


def test_too_many_notes_for_the_exact_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes that move the counts by 1, 2, 4, …: no two ways to swap can be followed as one."""
    gold = [note("[ID 7] " * 2**number, f"{number}") for number in range(6)]
    nothing = [document.with_spans([]) for document in gold]
    assert significance_exact(gold, gold, nothing).trials == 64
    monkeypatch.setattr(nedap, "MAX_OUTCOMES", 63)
    with pytest.raises(ScoreError, match=r"6 notes are too many for the exact test; use significance\(\)"):
        significance_exact(gold, gold, nothing)


def test_notes_that_move_the_counts_alike_are_followed_as_one() -> None:
    """Two hundred notes have 2^200 ways to swap; only the two in which one system keeps all are as far apart."""
    gold = [note("[ID 7]", f"{number}") for number in range(200)]
    exact = significance_exact(gold, gold, [document.with_spans([]) for document in gold], "recall")
    assert (exact.at_least, exact.trials, exact.p) == (2, 2**200, 2 / 2**200)


def test_a_note_that_the_system_left_out_is_missed() -> None:
    gold = [note("[NAME Roe]", "1"), note("[NAME Doe]", "2")]
    every, name = score(gold, gold[:1])
    assert (every.name, every.counts.tp, every.counts.fn) == (ALL, 1, 1)
    assert name.per_document["2"].fn == 1


def test_different_texts_are_an_error() -> None:
    with pytest.raises(ScoreError, match="note 1: gold and system have different texts from offset 1 on"):
        score([note("ab", "1")], [note("ac", "1")])
