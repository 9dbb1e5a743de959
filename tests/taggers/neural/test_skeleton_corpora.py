"""Skeletons of corpora: what is counted, what a note looks like, what is listed of two corpora and what is not."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document
from elision.taggers.neural.skeleton import UNKNOWN, Skeleton, digits, skeleton
from elision.taggers.neural.skeleton_corpora import Corpus, compare, corpus_of, count_words, skeleton_of
from elision.text.tokens import tokenize
from tests.strategies import fewer, texts

words = st.sampled_from(["Seen", "by", "Brandt", "Quill", "on", ":", "12", "\n", "\n\n", "BP"])
corpora = st.lists(
    st.builds(Document, st.lists(words, min_size=1).map(" ".join), patient=st.sampled_from(["", "a", "b"])),
    min_size=1,
    max_size=8,
)


def made(documents: list[Document], r: float = 0.5) -> Corpus:
    counted = count_words(documents, tokenize)
    kept = skeleton({**counted.counts} or {"none": 1}, r)
    return corpus_of(documents, tokenize, counted, kept)


@given(texts)
def test_a_skeleton_of_all_words_is_the_note_with_digits_replaced(text: str) -> None:
    note = Document(text)
    everything = Skeleton(frozenset(count_words([note], tokenize).counts), 1)
    assert skeleton_of(note, tokenize, everything) == digits(text)


@given(texts)
def test_a_skeleton_keeps_the_lines_and_blanks_of_a_note(text: str) -> None:
    bare = skeleton_of(Document(text), tokenize, Skeleton(frozenset(), 1))
    assert bare.count("\n") == text.count("\n")
    assert bare.replace(UNKNOWN, "").strip("".join({*text})) == ""
    assert bare.count(UNKNOWN) == len(tokenize(text)) + text.count(UNKNOWN)


@fewer
@given(corpora)
def test_words_are_counted_by_how_often_and_by_how_many_patients(documents: list[Document]) -> None:
    found = count_words(documents, tokenize)
    cut = [[digits(word) for word in tokenize(note.text).texts(note.text)] for note in documents]
    assert found.counts == Counter(word for one in cut for word in one)
    assert found.total == sum(map(len, cut))
    who = [note.patient or at for at, note in enumerate(documents)]
    for word, patients in found.patients.items():
        assert patients == len({patient for patient, one in zip(who, cut, strict=True) if word in one})


@fewer
@given(corpora, corpora, st.integers(1, 4))
def test_nothing_is_listed_that_too_few_patients_have(
    first: list[Document], second: list[Document], least: int
) -> None:
    one, other = made(first), made(second)
    found = compare(one, other, least=least, most=100)
    for listed, ours, theirs in (
        (found.words, one.words, other.words),
        (found.lines, one.lines, other.lines),
    ):
        assert all(min(ours.patients[item], theirs.patients[item]) >= least for item, _, _ in listed.both)
        assert all(ours.patients[item] >= least for item, _ in listed.first)
        assert all(theirs.patients[item] >= least for item, _ in listed.second)
    assert {item for item, *_ in found.words.both} <= one.skeleton.words & other.skeleton.words
    assert found.first.not_listed == sum(one.words.patients[word] < least for word in one.skeleton.words)


@fewer
@given(corpora, corpora)
def test_the_order_of_two_corpora_changes_sides_only(first: list[Document], second: list[Document]) -> None:
    one, other = made(first), made(second)
    found, turned = (compare(*pair, least=1, most=9) for pair in ((one, other), (other, one)))
    assert (found.first, found.second, found.jaccard) == (turned.second, turned.first, turned.jaccard)
    assert (found.words.first, found.lines.second) == (turned.words.second, turned.lines.first)
    assert {item for item, *_ in found.words.both} == {item for item, *_ in turned.words.both}


@fewer
@given(corpora)
def test_a_corpus_is_like_itself(documents: list[Document]) -> None:
    found = compare(made(documents), made(documents), least=1, most=9)
    assert found.first == found.second
    assert found.jaccard == 1
    assert found.first.kept == found.first.kept_by_the_other
    assert not any((found.words.first, found.words.second, found.lines.first, found.lines.second))


def test_figures_of_two_small_corpora() -> None:
    one = made([Document("BP: 12\nSeen by Quill"), Document("BP: 13\nSeen by Brandt")], 0.6)
    other = made([Document("BP - 12\nCalled by Moss"), Document("BP - 13\nCalled by Vega")], 0.6)
    found = compare(one, other, least=2, most=9)
    assert (found.first.tokens, found.first.vocabulary, found.first.threshold) == (12, 7, 1)
    assert found.jaccard == pytest.approx(3 / 11)  # BP, by and DIGITDIGIT of 7 words each
    assert found.first.kept == 1
    assert found.first.kept_by_the_other == pytest.approx(6 / 12)
    assert [item for item, *_ in found.words.both] == ["BP", "DIGITDIGIT", "by"]
    assert found.words.first == ((":", 166.67), ("Seen", 166.67))
    assert found.words.second == (("-", 166.67), ("Called", 166.67))
    assert found.lines.first == (("BP: DIGITDIGIT", 500.0),)
    assert found.first.not_listed == 2  # the names
