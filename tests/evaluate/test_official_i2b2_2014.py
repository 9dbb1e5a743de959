"""The i2b2 2014 scores equal what the official program printed, in every figure of every golden case."""

from __future__ import annotations

import json
import math
import random
import re
import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.official import Block
from elision.evaluate.official.i2b2_2014 import render, score
from elision.evaluate.tally import Counts
from elision.formats import read
from tests.notes import GOLDEN, note

CASES = sorted(case.name for case in (GOLDEN / "i2b2_2014").iterdir())


def scored(case: str) -> list[Block]:
    folder = GOLDEN / "i2b2_2014" / case
    return score(read(folder / "gold", "i2b2-2014"), read(folder / "system", "i2b2-2014"))


def expected(case: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads((GOLDEN / "i2b2_2014" / case / "expected.json").read_text("utf-8"))
    return table


def rounded(figures: Sequence[float | None]) -> list[float | None]:
    """Means without their last bits, which hang on the order of summing; nan is null in the golden files."""
    return [None if figure is None or math.isnan(figure) else round(figure, 13) for figure in figures]


def golden_form(block: Block) -> dict[str, Any]:
    """A block in the words of the golden files."""
    assert block.macro is not None
    macro = block.macro
    return {
        "n_docs": len(block.per_document),
        "printed": {
            figure: {kind: block.printed[f"{figure} {kind}"] for kind in ("macro", "micro")}
            for figure in ("Precision", "Recall", "F1")
        },
        "tp": block.counts.tp,
        "fp": block.counts.fp,
        "fn": block.counts.fn,
        "micro_prf": [block.precision, block.recall, block.f1],
        "macro_prf": rounded([macro.precision, macro.recall, macro.f1]),
        "macro_sd_pr": rounded([macro.sd_precision, macro.sd_recall]),
        "per_doc_tp_fp_fn": {id: [c.tp, c.fp, c.fn] for id, c in block.per_document.items()},
    }


@pytest.mark.parametrize("case", [case for case in CASES if "error" not in expected(case)])
def test_golden(case: str) -> None:
    blocks = {f"{block.run} {block.name}".strip(): golden_form(block) for block in scored(case)}
    table = {
        name: {**block, "macro_prf": rounded(block["macro_prf"]), "macro_sd_pr": rounded(block["macro_sd_pr"])}
        for name, block in expected(case)["evaluations"].items()
    }
    assert list(blocks) == list(table)
    assert blocks == table


def test_all_golden_cases_are_there() -> None:
    """19 cases: one stops with an error, one holds two runs, which makes 19 reports of 42 blocks."""
    errors = [case for case in CASES if "error" in expected(case)]
    assert (len(CASES), errors) == (19, ["case_17"])
    assert sum(len(expected(case).get("evaluations", ())) for case in CASES) == 798


def test_different_texts_stop_the_program() -> None:
    with pytest.raises(ScoreError) as raised:
        scored("case_17")
    assert expected("case_17")["error"].removeprefix("AssertionError: ") in str(raised.value)


def test_nothing_common_is_an_error() -> None:
    with pytest.raises(ScoreError, match=r"no note is on both sides \(1 in gold, 2 in system\)"):
        score([note("a", "1-1")], [note("a", "1-2"), note("a", "1-3")])


def test_an_id_that_comes_twice_is_an_error() -> None:
    with pytest.raises(ScoreError, match="note 1-1 comes twice in system"):
        score([note("a", "1-1")], [note("a", "1-1"), note("b", "1-1")])


def test_ids_of_other_corpora_are_taken_whole() -> None:
    """2031-05-a and 2031-05-b are two notes, not two runs of one."""
    gold = [note("[DATE May] x", "2031-05-a"), note("[DATE June] x", "2031-05-b"), note("[AGE 90]", "letters/7")]
    strict = score(gold, gold)[1]
    assert (strict.run, list(strict.per_document)) == ("", ["2031-05-a", "2031-05-b", "letters/7"])


def test_labels_outside_the_tag_set_have_the_element_phi() -> None:
    """Their binary key stays a full key, so the label still counts."""
    blocks = {block.name: block for block in score([note("Dr. [CLINICIAN Roe]")], [note("Dr. [SURGEON Roe]")])}
    assert blocks["Strict"].counts.tp == blocks["Binary Strict"].counts.tp == blocks["NAME Strict"].counts.tp == 0
    assert blocks["Strict"].counts.fn == blocks["Binary Strict"].counts.fn == 1


def test_render_is_a_table_of_all_blocks_for_every_run() -> None:
    text = render(scored("case_18"))
    assert text.count("Report for runA:") == text.count("Report for runB:") == 1
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines.count("Binary HIPAA Strict (1) Precision 1.0 (0.0) 1.0") == 2
    assert len([line for line in lines if line.startswith(("Recall ", "F1 "))]) == 2 * 2 * 42
    assert "Token (1) Precision 1.0 (0.0) 1.0" in lines


def test_render_prints_what_the_program_printed() -> None:
    lines = [line.split() for line in render(scored("case_16")).splitlines()]
    strict = next(at for at, line in enumerate(lines) if line and line[0] == "Strict")
    printed = expected("case_16")["evaluations"]["Strict"]["printed"]
    for offset, figure in enumerate(("Precision", "Recall", "F1")):
        assert lines[strict + offset][-1] == printed[figure]["micro"]
        assert " ".join(lines[strict + offset]).endswith(
            f"{figure} {printed[figure]['macro']} {printed[figure]['micro']}"
        )


# He 2015, table 4: spans of gold, of the system, and those on which they agree, by type. The corpus itself
# may not be shown; as spans in one long text, these counts must give the paper's table 3 again.
HE_2015 = {
    "PATIENT": (879, 761, 729),
    "DOCTOR": (1912, 1789, 1676),
    "USERNAME": (92, 89, 88),
    "PROFESSION": (179, 101, 83),
    "HOSPITAL": (875, 737, 673),
    "ORGANIZATION": (82, 22, 21),
    "STREET": (136, 125, 120),
    "CITY": (260, 257, 218),
    "STATE": (190, 171, 160),
    "COUNTRY": (117, 75, 67),
    "ZIP": (140, 133, 133),
    "LOCATION-OTHER": (13, 0, 0),
    "AGE": (764, 696, 667),
    "DATE": (4980, 4934, 4831),
    "PHONE": (215, 213, 202),
    "FAX": (2, 0, 0),
    "EMAIL": (1, 0, 0),
    "MEDICALRECORD": (422, 422, 411),
    "DEVICE": (8, 0, 0),
    "IDNUM": (195, 175, 151),
}


def he_2015() -> tuple[Document, Document]:
    """Gold and system with the counts of the table: a span of four characters for each span of either side."""
    gold: list[Span] = []
    system: list[Span] = []
    at = 0
    for label, (in_gold, in_system, agreed) in HE_2015.items():
        for number in range(in_gold + in_system - agreed):
            span = Span(at, at + 4, label)
            if number < in_gold:
                gold.append(span)
            if number < agreed or number >= in_gold:
                system.append(span)
            at += 5
    return Document("word " * (at // 5), "1-1", spans=tuple(gold)), Document(
        "word " * (at // 5), "1-1", spans=tuple(system)
    )


def test_he_2015_is_reproduced_only_with_the_idnum_bug() -> None:
    gold, system = he_2015()
    blocks = {block.name: block for block in score([gold], [system])}
    strict, hipaa = blocks["Strict"], blocks["HIPAA Strict"]
    assert (strict.counts.tp, strict.counts.fp, strict.counts.fn) == (10_230, 470, 1_232)
    assert (f"{strict.precision:.4f}", f"{strict.recall:.4f}", f"{strict.f1:.4f}") == ("0.9561", "0.8925", "0.9232")
    assert (f"{hipaa.precision:.4f}", f"{hipaa.recall:.4f}", f"{hipaa.f1:.4f}") == ("0.9695", "0.9294", "0.9490")
    _, in_system, agreed = HE_2015["IDNUM"]
    with_idnum = (hipaa.counts.tp + agreed) / (hipaa.counts.tp + hipaa.counts.fp + in_system)
    assert f"{with_idnum:.4f}" == "0.9670"


def test_he_2015_errors_add_up() -> None:
    """His four kinds of error sort the system's spans: type, extent, missing (no system span), spurious."""
    gold, system = he_2015()
    strict = score([gold], [system])[1].counts
    of_type, extent, missing, spurious = 159, 202, 851, 109
    assert of_type + extent + spurious == strict.fp
    assert strict.tp + of_type + extent + spurious == len(system.spans) == 10_700
    touched_by_extent_errors = strict.fn - of_type - missing
    assert touched_by_extent_errors == 222


def many(rng: random.Random, spans: int) -> Document:
    """A note in which all spans begin at the same place: the worst that relaxed matching can meet."""
    ends = rng.sample(range(1, 20 * spans), spans)
    return Document("x" * (20 * spans), "1-1", spans=tuple(Span(0, end, "DATE") for end in ends))


def test_relaxed_matching_takes_linear_time() -> None:
    rng = random.Random(1)
    gold, system = many(rng, 4_000), many(rng, 4_000)
    before = time.process_time()
    score([gold], [system])
    assert time.process_time() - before < 5  # comparing each with each takes minutes


def by_hand(gold: Sequence[Span], system: Sequence[Span]) -> tuple[int, int, int]:
    """Relaxed counts as a set with a fuzzy relation gives them, each compared with each."""

    def equal(a: Span, b: Span) -> bool:
        return (a.label, a.start) == (b.label, b.start) and abs(a.end - b.end) <= 2

    def as_set(spans: Sequence[Span]) -> list[Span]:
        kept: list[Span] = []
        for span in spans:
            if not any(equal(span, other) for other in kept):
                kept.append(span)
        return kept

    g, s = as_set(gold), as_set(system)
    smaller, larger = (s, g) if len(s) <= len(g) else (g, s)
    right = sum(any(equal(a, b) for b in larger) for a in smaller)
    spurious = sum(not any(equal(a, b) for b in g) for a in s)
    missed = sum(not any(equal(a, b) for b in s) for a in g)
    return right, spurious, missed


few_spans = st.lists(
    st.builds(
        lambda start, size, label: Span(start, start + size, label),
        st.integers(0, 1),
        st.integers(1, 9),
        st.sampled_from(["DATE", "PATIENT"]),
    ),
    max_size=8,
)


@given(few_spans, few_spans)
def test_relaxed_counts_like_fuzzy_sets(gold: list[Span], system: list[Span]) -> None:
    text = "abcdefghijk"
    counts = score(
        [Document(text, "1-1", spans=tuple(gold))],
        [Document(text, "1-1", spans=tuple(system))],
    )[2].counts
    assert (counts.tp, counts.fp, counts.fn) == by_hand(gold, system)


def test_spans_within_spans_take_little_memory() -> None:
    """Each of these spans holds about as many tokens as the note; spelled out they are millions.

    A start or an end in three cuts a token: 667 and 666 of them.
    """
    spans = 2_000
    gold = Document("ab cd " * spans, "1-1", spans=tuple(Span(at, 6 * spans - at, "DATE") for at in range(spans)))
    tracemalloc.start()
    counts = score([gold], [gold])[0].counts
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (counts.tp, counts.fp, counts.fn) == (2 * spans + 667 + 666, 0, 0)
    assert most < 20_000_000


spans_anywhere = st.lists(
    st.builds(
        lambda a, b, label: Span(min(a, b), max(a, b), label),
        st.integers(0, 16),
        st.integers(0, 16),
        st.sampled_from(["DATE", "Date", "CITY", "NOBODY"]),
    ),
    max_size=8,
)


@given(st.text("ab1 é.", min_size=16, max_size=16), spans_anywhere, spans_anywhere)
def test_tokens_count_like_sets_of_what_each_span_holds(text: str, gold: list[Span], system: list[Span]) -> None:
    def tokens(spans: Sequence[Span], *, binary: bool) -> set[tuple[str, int, int]]:
        return {
            ("" if binary else span.label, start, end)
            for span in spans
            for start, end in [
                match.span() for match in re.compile("[a-zA-Z0-9]+").finditer(text, span.start, span.end)
            ]
            or [(span.end, span.end)]
        }

    sides = [Document(text, "1-1", spans=tuple(gold))], [Document(text, "1-1", spans=tuple(system))]
    blocks = {block.name: block.counts for block in score(*sides)}
    for name, binary in (("Token", False), ("Binary Token", True)):
        g, s = tokens(gold, binary=binary), tokens(system, binary=binary)
        assert blocks[name] == Counts(len(g & s), len(s - g), len(g - s))


@pytest.mark.parametrize(("spelling", "right"), [("05", 0), (" 5", 0), ("4", 1), ("five", 1), ("", 1)])
def test_a_spelling_counts_only_while_it_is_that_of_the_offset(spelling: str, right: int) -> None:
    gold = Document("Seen May 3", "1-1", spans=(Span(5, 10, "DATE"),))
    system = gold.with_spans([Span(5, 10, "DATE", info={"start": spelling})])
    assert score([gold], [system])[1].counts.tp == right


def test_a_golden_folder_reads_as_expected() -> None:
    """The tests above stand on the readers: names of notes come from the files, odd attributes are kept."""
    folder = Path(GOLDEN / "i2b2_2014" / "case_12" / "system")
    (document,) = read(folder, "i2b2-2014")
    assert document.id == "220-01"
    assert document.spans[0].info["start"] == "015"
    assert document.spans[1].info["end"] == "045"
