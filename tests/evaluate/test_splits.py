from __future__ import annotations

import itertools
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.splits import Split, cross_domain, group_by, hold_out, k_fold, leave_one_group_out, train_fraction
from tests.strategies import fewer

PATIENTS = ["", "", "", "p1", "p2", "p3", "p4", "p5", "p6"]


@st.composite
def _documents(draw: st.DrawFn, least: int = 1) -> list[Document]:
    drawn = draw(
        st.lists(st.tuples(st.sampled_from(PATIENTS), st.sampled_from(["en", "es", "nl"])), min_size=least, max_size=30)
    )
    return [
        Document("3 May", f"n{i}", patient=patient, language=language) for i, (patient, language) in enumerate(drawn)
    ]


def _many(notes: int, per_patient: int = 1) -> list[Document]:
    return [
        Document(
            "x" * 40,
            f"n{i:03}",
            patient=f"p{i // per_patient}",
            language=["en", "es", "nl"][i % 3],
            spans=tuple(Span(at, at + 1, "DATE") for at in range(i % 17)),
        )
        for i in range(notes)
    ]


def _ids(documents: Iterable[Document]) -> list[str]:
    return [document.id for document in documents]


def _patients(documents: Iterable[Document]) -> set[str]:
    return {document.patient or document.id for document in documents}


def _language(document: Document) -> str:
    return document.language


def _spans_a_note(documents: Iterable[Document]) -> float:
    sizes = [len(document.spans) for document in documents]
    return sum(sizes) / len(sizes)


# Learning curves


@fewer
@given(_documents(), st.lists(st.floats(0.01, 1), min_size=2, max_size=4), st.integers(0, 5))
def test_a_smaller_fraction_is_part_of_a_larger(documents: list[Document], fractions: list[float], seed: int) -> None:
    parts = [set(_ids(train_fraction(documents, fraction, seed))) for fraction in sorted(fractions)]
    assert all(smaller <= larger for smaller, larger in itertools.pairwise(parts))
    assert parts[0]
    assert set(_ids(train_fraction(documents, 1, seed))) == set(_ids(documents))


@fewer
@given(_documents(), st.floats(0.01, 1), st.integers(0, 5), st.randoms())
def test_patients_stay_together_and_order_plays_no_part(
    documents: list[Document], fraction: float, seed: int, rng: Random
) -> None:
    part = train_fraction(documents, fraction, seed)
    rest = [document for document in documents if document not in part]
    assert not _patients(part) & _patients(rest)
    assert train_fraction(rng.sample(documents, len(documents)), fraction, seed) == part


def test_fractions_are_of_the_right_size_and_alike() -> None:
    documents = _many(400)
    for fraction in (0.05, 0.1, 0.25, 0.5):
        part = train_fraction(documents, fraction)
        assert len(part) == round(400 * fraction)
        assert _spans_a_note(part) == pytest.approx(_spans_a_note(documents), rel=0.1)
    assert _ids(train_fraction(documents, 0.1, seed=1)) != _ids(train_fraction(documents, 0.1, seed=2))


# Parts


@fewer
@given(_documents(least=12), st.integers(0, 5))
def test_parts_hold_every_document_once(documents: list[Document], seed: int) -> None:
    if len(_patients(documents)) < 3:
        return
    parts = hold_out(documents, seed=seed)
    assert sorted(_ids(document for part in parts for document in part)) == sorted(_ids(documents))
    assert all(parts)
    groups = [_patients(part) for part in parts]
    assert sum(map(len, groups)) == len(set().union(*groups)), "no patient is in two parts"


def test_parts_have_their_shares_of_notes_and_domains() -> None:
    parts = hold_out(_many(300), (0.6, 0.2, 0.2), alike_in=_language)
    assert [len(part) for part in parts] == [180, 60, 60]
    for part in parts:
        for group in group_by(part, _language).values():
            assert len(group) == pytest.approx(len(part) / 3, abs=2)


def test_parts_of_patients_with_many_notes() -> None:
    parts = hold_out(_many(400, per_patient=4), (0.6, 0.2, 0.2))
    assert [len(part) for part in parts] == [240, 80, 80]


# Folds


@fewer
@given(_documents(least=2), st.integers(2, 6), st.integers(0, 5))
def test_each_document_is_tested_once(documents: list[Document], k: int, seed: int) -> None:
    if len(_patients(documents)) < k:
        return
    splits = list(k_fold(documents, k, seed))
    assert [split.name for split in splits] == [f"fold {number}" for number in range(1, k + 1)]
    assert sorted(_ids(document for split in splits for document in split.test)) == sorted(_ids(documents))
    for split in splits:
        assert split.test
        assert sorted(_ids([*split.train, *split.test])) == sorted(_ids(documents))
        assert not _patients(split.train) & _patients(split.test)


def test_folds_are_alike() -> None:
    documents = _many(200)
    for split in k_fold(documents, 10):
        assert len(split.test) == 20
        assert _spans_a_note(split.test) == pytest.approx(_spans_a_note(documents), rel=0.05)


# Domains


def test_groups() -> None:
    groups = group_by(_many(7), _language)
    assert {name: _ids(group) for name, group in groups.items()} == {
        "en": ["n000", "n003", "n006"],
        "es": ["n001", "n004"],
        "nl": ["n002", "n005"],
    }


def test_leaving_a_domain_out_leaves_its_patients_out() -> None:
    documents = [
        Document("x", "a", patient="p1", language="en"),
        Document("x", "b", patient="p1", language="nl"),
        Document("x", "c", patient="p2", language="nl"),
        Document("x", "d", language="en"),
        Document("x", "e", language="nl"),
    ]
    english, dutch = leave_one_group_out(documents, _language)
    assert english == Split("en", (documents[2], documents[4]), (documents[0], documents[3]), (documents[1],))
    assert (dutch.name, _ids(dutch.train), _ids(dutch.left_out)) == ("nl", ["d"], ["a"])


def test_every_domain_is_tested_on_the_same_notes() -> None:
    splits = {split.name: split for split in cross_domain(_many(300, per_patient=2), _language)}
    assert list(splits)[:4] == ["en to en", "en to es", "en to nl", "es to en"]
    assert len(splits) == 9
    for name, split in splits.items():
        source, _, target = name.partition(" to ")
        assert {document.language for document in split.train} == {source}
        assert split.test == splits[f"{target} to {target}"].test
        assert not _patients(split.train) & _patients(split.test)
        assert len(split.test) == pytest.approx(20, abs=2)
        assert len(split.train) == pytest.approx(80, abs=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: train_fraction(_many(3), 0), "fraction of the training documents lies between 0 and 1"),
        (lambda: train_fraction(_many(3), 10), "for 10 % say 0.1"),
        (lambda: train_fraction([], 0.5), "0 patients cannot make 1 parts"),
        (lambda: hold_out(_many(9), (0.5, 0.4)), "add up to 1"),
        (lambda: hold_out(_many(9), (1.2, -0.2)), "must be above 0"),
        (lambda: hold_out(_many(9, per_patient=9)), "1 patients cannot make 3 parts"),
        (lambda: list(k_fold(_many(9), 10)), "9 patients cannot make 10 folds"),
        (lambda: list(k_fold(_many(9), 1)), "cannot make 1 folds"),
        (lambda: list(leave_one_group_out(_many(1), _language)), r"all documents are of one domain \(en\)"),
        (lambda: list(cross_domain(_many(9), _language, 1.5)), "usual is 0.2"),
        (lambda: list(cross_domain([], _language)), "there are none"),
        (lambda: list(cross_domain(_many(4), _language)), "has too few patients"),
    ],
)
def test_what_cannot_be_split(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(ScoreError, match=message):
        call()
