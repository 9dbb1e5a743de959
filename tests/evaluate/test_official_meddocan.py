"""The MEDDOCAN scores equal what the official programs printed, in every figure of every golden case."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.official import Block, table
from elision.evaluate.official.meddocan import MERGED, NER, STRICT, codalab, leak, score, sentence_counts
from elision.formats import Reading, read
from tests.notes import CORPORA, GOLDEN, note
from tests.strategies import spans_in, texts

Keys = Literal["brat", "xml"]
FORMAT: dict[Keys, str] = {"brat": "brat", "xml": "meddocan-xml"}
ALL = sorted(case.name for case in (GOLDEN / "meddocan").glob("case_*"))
STOPS = "case_17"  # where the official program stops


def sides(case: str, keys: Keys) -> tuple[list[Document], list[Document]]:
    folder, lenient = GOLDEN / "meddocan" / case, Reading(lenient=True)
    return (
        list(read(folder / "gold" / keys, FORMAT[keys], lenient)),
        list(read(folder / "system" / keys, FORMAT[keys], lenient)),
    )


@cache
def load(name: str) -> Any:
    return json.loads((GOLDEN / "meddocan" / name).read_text("utf-8"))


CASES: list[tuple[str, Keys]] = [
    (case, keys) for case in ALL if case != STOPS for keys in FORMAT if keys in load(f"{case}/expected.json")["results"]
]


def golden_form(block: Block) -> dict[str, Any]:
    """A block in the words of the golden files."""
    form = {
        "n_docs": len(block.per_document),
        "tp": block.counts.tp,
        "fp": block.counts.fp,
        "fn": block.counts.fn,
        "precision": block.precision,
        "recall": block.recall,
        "f1": block.f1,
        "per_doc_tp_fp_fn": {id: [c.tp, c.fp, c.fn] for id, c in block.per_document.items()},
        "printed": dict(block.printed),
    }
    return {**form, "leak": "NA" if block.leak is None else block.leak} if block.name == NER else form


@pytest.mark.parametrize(("case", "keys"), CASES)
def test_golden(case: str, keys: Keys) -> None:
    gold, system = sides(case, keys)
    blocks = score(gold, system, load(f"{case}/sentence_counts.json"), keys)
    results = load(f"{case}/expected.json")["results"][keys]
    assert [block.name for block in blocks] == [NER, STRICT, MERGED]
    assert {block.name: golden_form(block) for block in blocks} == {
        name: results[name] for name in (NER, STRICT, MERGED)
    }


@pytest.mark.parametrize(("case", "keys"), CASES)
def test_golden_ranking(case: str, keys: Keys) -> None:
    gold, system = sides(case, keys)
    lines = codalab(gold, system, load(f"{case}/sentence_counts.json"), keys)
    assert lines == load(f"{case}/expected.json")["results"][keys]["codalab"]


def test_all_golden_cases_are_there() -> None:
    """19 cases, of which 16, 17 and 19 are in brat only and 17 stops with an error: 34 reports of 3 blocks."""
    assert len(ALL) == 19
    assert len(CASES) * 3 == 102


@pytest.mark.parametrize("scorer", [score, codalab])
def test_fragments_stop_the_program(scorer: Any) -> None:
    gold, system = sides(STOPS, "brat")
    with pytest.raises(ScoreError, match="span 48–62 is in fragments, at which the official program stops"):
        scorer(gold, system)
    assert "ValueError" in load(f"{STOPS}/expected.json")["results"]["brat"]["codalab"]


def test_nothing_common_is_an_error() -> None:
    with pytest.raises(ScoreError, match=r"no note is on both sides \(1 in gold, 1 in system\)"):
        score([note("a", "1")], [note("a", "2")])


def test_sentence_counts_are_those_of_the_organisers() -> None:
    sizes = {split: len(sentence_counts(split)) for split in ("train", "dev", "test")}
    sums = {split: sum(sentence_counts(split).values()) for split in ("train", "dev", "test")}
    assert sizes == {"train": 500, "dev": 250, "test": 250}
    assert sums == {"train": 14_925, "dev": 7_768, "test": 7_526}
    assert len(sentence_counts()) == 1_000


def test_cotik_2019_leak() -> None:
    """Their CRF had a recall of .880 on the 5,661 spans of the test set, and a leak of .090."""
    missed = round((1 - 0.880) * 5_661)
    assert missed == 679
    assert f"{leak(missed, sum(sentence_counts('test').values())):.3f}" == "0.090"


def test_sentences_are_found_for_notes_in_folders() -> None:
    id = next(iter(sentence_counts("dev")))
    (ner, *_) = score([note("Vive en [PAIS Perú].", f"dev/{id}")], [note("Vive en Perú.", f"dev/{id}")])
    assert ner.leak == 1 / sentence_counts()[id]


def test_notes_of_other_corpora_have_no_leak_but_a_score() -> None:
    document = note("Vive en [PAIS Perú].", "letter-1")
    (ner, *_) = score([document], [document])
    assert (ner.leak, ner.printed["Leak"], ner.f1) == (None, "NA", 1.0)


@pytest.mark.parametrize(
    ("gold", "system", "right"),
    [
        ("[PAIS A], [PAIS B] x", "[PAIS A, B] x", 1),  # one span for a run: the run is right
        ("[PAIS A] x [PAIS B]", "[PAIS A x B]", 0),  # a word between them
        ("[PAIS A]_[PAIS B]", "[PAIS A]_[PAIS B]", 3),  # both spans and the run count
        ("[PAIS A]º[PAIS B]", "[PAIS A]º[PAIS B]", 2),  # º is a letter, so there is no run
    ],
)
def test_merged(gold: str, system: str, right: int) -> None:
    assert score([note(gold)], [note(system)])[2].counts.tp == right


def test_table() -> None:
    gold, system = sides("case_13", "brat")
    text = table(score(gold, system, load("case_13/sentence_counts.json")))
    printed = load("case_13/expected.json")["results"]["brat"]
    lines = [line.split() for line in text.splitlines()]
    assert lines[0][-4:] == ["Leak", "Precision", "Recall", "F1"]
    for line, name in zip(lines[1:], (NER, STRICT, MERGED), strict=True):
        assert line[:3] == name.split()
        figures = printed[name]["printed"]
        assert line[7:] == [figures[figure] for figure in ("Leak", "Precision", "Recall", "F1") if figure in figures]


# --- The whole corpus, where it is ---


@cache
def corpus(split: str) -> tuple[Document, ...]:
    """Train or dev, in the order of the file names; never the test split."""
    folder = CORPORA / "meddocan" / split
    if not folder.is_dir():
        pytest.skip(f"the MEDDOCAN corpus is not here ({split})")
    return tuple(sorted(read(folder, "brat"), key=lambda document: document.id + ".ann"))


def degraded(documents: Sequence[Document]) -> list[Document]:
    """The degradation that `whole_corpus_expected.json` describes, over all spans of a split."""
    system, k = [], 0
    for document in documents:
        spans: list[Span] = []
        for span in document.spans:
            k += 1
            if k % 7 == 0:
                continue
            if k % 11 == 0:
                span = replace(span, end=span.end + 1)
            if k % 13 == 0:
                span = replace(span, label="TERRITORIO")
            spans.append(span)
            if k % 17 == 0:
                spans.append(replace(span, start=span.start + 1))
        system.append(document.with_spans(spans))
    return system


@pytest.mark.parametrize("split", ["train", "dev"])
@pytest.mark.parametrize("what", ["identity", "degraded"])
def test_whole_corpus(split: str, what: str) -> None:
    gold = corpus(split)
    system = degraded(gold) if what == "degraded" else gold
    blocks = {block.name: golden_form(block) for block in score(gold, system)}
    for form in blocks.values():
        del form["per_doc_tp_fp_fn"], form["printed"]
    assert blocks == load("whole_corpus_expected.json")["results"][f"{split}_{what}"]


def test_scoring_the_whole_corpus_takes_under_a_second() -> None:
    gold = corpus("train") + corpus("dev")
    system = degraded(gold)
    assert sum(len(document.spans) for document in gold) == 17_134
    before = time.process_time()
    score(gold, system)
    assert time.process_time() - before < 1


# --- By hand, on small texts ---


def merged_by_hand(text: str, gold: Sequence[Span], system: Sequence[Span]) -> tuple[int, int, int]:
    """The merged track with each span compared with each."""

    def runs(spans: Sequence[Span]) -> set[tuple[int, int]]:
        found: list[list[int]] = []
        for start, end in sorted((span.start, span.end) for span in spans):
            gap = text[found[-1][1] : start] if found else ""
            if found and not [c for c in gap if c.isalnum()]:
                found[-1][1] = end
            else:
                found.append([start, end])
        return {(start, end) for start, end in found}

    g, s = {(span.start, span.end) for span in gold}, {(span.start, span.end) for span in system}
    right = (g & s) | (runs(gold) & runs(system))

    def outside(spans: set[tuple[int, int]]) -> int:
        return sum(not any(a <= start and end <= b for a, b in right) for start, end in spans)

    return len(right), outside(s - g), outside(g - s)


@given(st.data())
def test_merged_counts_like_comparing_each_with_each(data: st.DataObject) -> None:
    text = data.draw(texts).replace("\r", "_")  # translated newlines are in the golden cases
    gold, system = data.draw(spans_in(text, empty=True)), data.draw(spans_in(text, empty=True))
    merged = score([Document(text, "1", spans=gold)], [Document(text, "1", spans=system)])[2].counts
    assert (merged.tp, merged.fp, merged.fn) == merged_by_hand(text, gold, system)
