"""What a corpus holds, and how far two annotators agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.agreement import agreement, kappa
from elision.evaluate.corpus import describe, lines, with_patient_of_id
from elision.evaluate.corpus_tables import agreement_json, agreement_table, corpus_json, corpus_tables
from elision.evaluate.matching import Pair
from elision.evaluate.token_labels import token_labels
from elision.taggers.linear.sentences import sentences_in
from tests.evaluate.made import pair, pairs
from tests.notes import note
from tests.strategies import fewer

CORPUS = [
    replace(note("Seen by [DOCTOR Ilse Quorn] on [DATE 3 May].\n\nWell. seen", "a-1"), patient="a"),
    replace(note("[DATE 4 May]: seen.", "a-2"), patient="a"),
    note("Well.", "b"),
]


def test_the_counts_of_a_small_corpus() -> None:
    found = describe(CORPUS)
    assert (found.notes, found.patients, found.notes_without_patient) == (3, 1, 1)
    assert (found.sentences, found.tokens, found.characters) == (4, 11 + 5 + 2, 40 + 12 + 5)
    assert (found.vocabulary, found.vocabulary_folded) == (12, 11)  # Seen and seen
    assert (found.spans, found.identifier_tokens, found.notes_without_spans) == (3, 6, 1)
    assert (found.span_tokens, round(found.span_characters, 2)) == (2.0, 6.67)
    assert found.tokens_per_note == 6.0
    assert found.spans_per_note == 1.0
    assert found.identifier_share == pytest.approx(6 / 18)
    rows = {row.label: row for row in found.labels}
    assert [*rows] == ["DATE", "DOCTOR"]
    assert (rows["DATE"].spans, rows["DATE"].notes, rows["DATE"].tokens) == (2, 2, 4)
    assert rows["DATE"].share == rows["DATE"].token_share == pytest.approx(2 / 3)
    assert (rows["DOCTOR"].span_tokens, rows["DOCTOR"].span_characters) == (2.0, 10.0)


def test_a_span_said_twice_counts_once_and_a_token_has_one_label() -> None:
    text = "Ilse Quorn"
    spans = (Span(0, 10, "NAME"), Span(0, 10, "NAME"), Span(5, 10, "DOCTOR"), Span(3, 3, "NAME"))
    found = describe([Document(text, "1", spans=spans)])
    assert found.spans == 3
    assert found.identifier_tokens == 2
    assert found.span_tokens == pytest.approx((2 + 1 + 0) / 3)


def test_a_corpus_without_patients_or_spans_has_no_numbers_that_are_not() -> None:
    found = describe([note("Well.")])
    assert (found.patients, found.labels, found.span_tokens, found.identifier_share) == (None, (), 0.0, 0.0)
    empty = describe([])
    assert (empty.notes, empty.tokens_per_note, empty.spans_per_note) == (0, 0.0, 0.0)
    assert ("patients", "not known") in corpus_tables(found)[0].rows


def test_notes_are_read_once_and_not_kept() -> None:
    def one_at_a_time() -> Iterator[Document]:
        yield from CORPUS

    assert describe(one_at_a_time()) == describe(CORPUS)


def test_sentences_are_lines_unless_a_splitter_says_otherwise() -> None:
    text = "Seen by Dr. Quorn. She was well.\n\n  \nHome."
    assert lines(text) == 2
    assert sentences_in(text) == 3
    assert sentences_in("") == 0
    assert describe([note(text)], sentences_in).sentences == 3


@pytest.mark.parametrize(
    ("id", "patient"), [("220-03", "220"), ("training-PHI-Gold-Set1/220-03", "220"), ("note-1", ""), ("220", "")]
)
def test_the_file_names_of_2014_say_the_patient(id: str, patient: str) -> None:
    assert with_patient_of_id(Document("Well.", id)).patient == patient
    assert with_patient_of_id(Document("Well.", id, patient="x")).patient == "x"


ONE, OTHER = pair(
    "[DATE 3 May] seen by [DOCTOR Ilse Quorn] of Pell Vale",
    "[DATE 3 May] seen by Ilse [DOCTOR Quorn] of [CITY Pell Vale]",
)


def test_agreement_by_label() -> None:
    found = agreement([ONE], [OTHER])
    rows = {row.label: row for row in found.labels}
    assert (found.notes, found.notes_only_here, found.notes_only_against) == (1, 0, 0)
    assert (rows["DATE"].f1, rows["DATE"].kappa) == (1.0, 1.0)
    assert (rows["DOCTOR"].spans, rows["DOCTOR"].spans_against, rows["DOCTOR"].agreed, rows["DOCTOR"].f1) == (
        1,
        1,
        0,
        0,
    )
    # of nine tokens, one side marks two and the other one of these
    chance = (2 * 1 + 7 * 8) / 81
    assert rows["DOCTOR"].kappa == pytest.approx((8 / 9 - chance) / (1 - chance))
    assert (rows["CITY"].spans, rows["CITY"].spans_against, rows["CITY"].kappa) == (0, 1, 0.0)
    assert found.all.f1 == pytest.approx(2 / 5)
    assert found.any.agreed == 1


def test_the_side_does_not_matter() -> None:
    there, back = agreement([ONE], [OTHER]), agreement([OTHER], [ONE])
    assert [(row.label, row.f1, row.kappa) for row in there.labels] == [
        (row.label, row.f1, row.kappa) for row in back.labels
    ]


def test_only_notes_of_both_sides_count() -> None:
    found = agreement([ONE, note("[DATE 1 May]", "x")], [OTHER, note("[DATE 1 May]", "y"), note("Well.", "z")])
    assert (found.notes, found.notes_only_here, found.notes_only_against) == (1, 1, 2)
    assert found.all.spans == 2
    assert agreement_table(found).note == "3 notes are on one side only, and do not count"


def test_what_cannot_be_compared_is_refused_by_its_name() -> None:
    with pytest.raises(ScoreError, match=r"no note is on both sides \(1 in A, 1 in B\)"):
        agreement([ONE], [note("Well.", "x")])
    with pytest.raises(ScoreError, match="A and B have different texts from offset 0"):
        agreement([ONE], [note("Well.")])
    with pytest.raises(ScoreError, match="is twice in B"):
        agreement([ONE], [OTHER, OTHER])


def test_kappa_without_a_choice_has_no_value() -> None:
    assert kappa(np.zeros((2, 2), np.int64)) is None
    assert kappa(np.array([[7, 0], [0, 0]], np.int64)) is None
    assert kappa(np.array([[0, 0], [0, 7]], np.int64)) is None
    found = agreement([note("Well.")], [note("Well.")])
    assert agreement_table(found).rows[0][-1] == "–"


@fewer
@given(pairs())
def test_kappa_is_that_of_scikit_learn(made: tuple[Pair, ...]) -> None:
    tokens = token_labels(made)
    found = agreement(*zip(*made, strict=True))
    for at, row in [(at, row) for at, row in enumerate(found.labels, start=1) if row.kappa is not None]:
        assert row.kappa == pytest.approx(cohen_kappa_score(tokens.gold == at, tokens.system == at))
    if found.all.kappa is not None:
        assert found.all.kappa == pytest.approx(cohen_kappa_score(tokens.gold, tokens.system))
    if found.any.kappa is not None:
        assert found.any.kappa == pytest.approx(cohen_kappa_score(tokens.gold > 0, tokens.system > 0))


@fewer
@given(pairs(), st.booleans())
def test_shares_add_up(made: tuple[Pair, ...], second: bool) -> None:
    found = describe(one[second] for one in made)
    assert sum(row.spans for row in found.labels) == found.spans
    assert sum(row.tokens for row in found.labels) == found.identifier_tokens <= found.tokens
    assert not found.spans or sum(row.share for row in found.labels) == pytest.approx(1)
    assert found.vocabulary_folded <= found.vocabulary <= found.tokens


def test_json_has_all_numbers_and_no_word_of_a_note() -> None:
    agreed = agreement_json(agreement([ONE], [OTHER]))
    text = corpus_json(describe(CORPUS))
    rows = json.loads(text)
    assert rows["tokens"] == 18
    assert rows["labels"][0]["label"] == "DATE"
    assert json.loads(agreed)["all"]["f1"] == pytest.approx(0.4)
    assert not [word for word in ("Quorn", "Ilse", "May", "Pell") if word in text + agreed]
