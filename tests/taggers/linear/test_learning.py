"""From tagged notes to weights: which features there are, and that what they tell is learnt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.bio import encode
from elision.taggers import kernels
from elision.taggers.batch import Batch, gather
from elision.taggers.chain import Chain
from elision.taggers.linear.columns import Attributes
from elision.taggers.linear.features import templates
from elision.taggers.linear.learning import Pace, Rows, features_of, learn, sequences, tags_at
from elision.taggers.linear.model import Linear
from elision.taggers.linear.pruning import weights_of
from tests.notes import note
from tests.taggers.linear.plainly import Floats, attributes_of, features_in, fewest, lines, scored, texts

# -- which features there are


@given(texts, lines, st.lists(st.integers(0, 2), min_size=4, max_size=4), st.integers(1, 4))
@fewest
def test_values_of_enough_groups_the_most_frequent_first(
    notes: list[str], lines: list[str], groups: list[int], least: int
) -> None:
    attributes = Attributes(templates(lines))
    column = np.array(groups[: len(notes)], np.int32)
    found = attributes.values(gather(notes), least, column)
    names = [*attributes.forms, *attributes.places]
    assert list(found) == names
    for name in names:
        where: dict[str, set[int]] = {}
        for group, text in zip(groups, notes, strict=False):
            for said in attributes_of(text, [name]):
                where.setdefault(said[name], set()).add(group)
        counts = {value: len(where[value]) for value in where if value and len(where[value]) >= least}
        assert list(found[name]) == sorted(counts, key=lambda value: (-counts[value], value))


@given(texts, lines, st.lists(st.integers(0, 2), min_size=4, max_size=4), st.integers(1, 3))
@fewest
def test_every_feature_has_a_number_of_its_own(
    notes: list[str], lines: list[str], groups: list[int], least: int
) -> None:
    """Conjunctions only if they occur in enough groups together; their values may do so apart."""
    declared, batch = templates(lines), gather(notes)
    attributes, column = Attributes(declared), np.array(groups[: len(notes)], np.int32)
    values = attributes.values(batch, least, column)
    rows = features_of(batch, declared, attributes, values, least, column)
    plain = features_in(notes, declared, values)
    where: dict[Any, set[int]] = {}
    for token, at in zip(plain, batch.note_of.tolist(), strict=True):
        for feature in token:
            where.setdefault(feature, set()).add(groups[at])
    number_of: dict[Any, int] = {}
    for token, numbers in zip(plain, rows.rows.tolist(), strict=True):
        for feature, number in zip(token, numbers, strict=True):
            if feature is None or not (declared[feature[0]].alone or len(where[feature]) >= least):
                assert number == -1
            else:
                assert number_of.setdefault(feature, number) == number
                assert (number < rows.alone) == declared[feature[0]].alone
    assert len(set(number_of.values())) == len(number_of)
    assert rows.features == sum(len(values[t.terms[0][0]]) for t in declared if t.alone) + len(rows.keys)
    assert sum(number >= rows.alone for number in number_of.values()) == len(rows.keys)


@pytest.mark.parametrize(
    ("patients", "least", "known"),
    [
        ([0, 1, 2], 1, "roe dr a b"),
        ([0, 1, 2], 2, "roe dr"),
        ([0, 1, 2], 3, "roe"),
        ([0, 0, 2], 2, "roe"),
        ([0, 0, 0], 2, ""),
        ([0, 1, 0], 2, "dr roe"),
    ],
)
def test_words_of_too_few_patients_are_dropped(patients: list[int], least: int, known: str) -> None:
    batch = gather(["Dr Roe Roe a a", "Dr Roe b", "Roe"])
    values = Attributes(templates(["lower[0]"])).values(batch, least, np.array(patients, np.int32))
    assert set(values["lower"]) == set(known.split())


def test_two_words_together_of_too_few_patients_are_dropped() -> None:
    batch, groups = gather(["Dr Roe", "Dr Roe", "Dr x Roe"]), np.arange(3, dtype=np.int32)
    declared = templates(["lower[-1] lower[0]", "lower[-2] lower[0]"])
    attributes = Attributes(declared)
    values = attributes.values(batch, 2, groups)
    assert set(values["lower"]) == {"dr", "roe"}
    for same, count in ((groups, 1), (np.array([0, 0, 1], np.int32), 0)):
        assert len(features_of(batch, declared, attributes, values, 2, same).keys) == count


# -- learning

NOTES = [
    "Seen by Dr [NAME Roe] today", "Dr [NAME Jane Roe] left ward Elm", "in ward [PLACE Elm] today",
    "Roe left ward [PLACE Oak]", "today no fever", "by Dr [NAME Elm Hart]", "left ward [PLACE Oak Hall] today",
    "fever in ward [PLACE Hart]",
]  # fmt: skip
LOSSES = {"chain": kernels.CHAIN, "softmax": kernels.SOFTMAX, "hinge": kernels.HINGE}
CHAIN = Chain(["O", "B-NAME", "B-PLACE", "I-NAME", "I-PLACE"])
PACE = Pace(epochs=20, dropout=0.2, l1=0.01)


class Lesson:
    """Tagged notes and their features."""

    def __init__(self, *lines: str, notes: list[str] = NOTES) -> None:
        documents = [note(text) for text in notes]
        self.texts = [document.text for document in documents]
        self.declared, self.batch = templates(lines), gather(self.texts)
        self.attributes, groups = Attributes(self.declared), np.arange(len(notes), dtype=np.int32)
        self.values = self.attributes.values(self.batch, 1, groups)
        self.rows: Rows = features_of(self.batch, self.declared, self.attributes, self.values, 1, groups)
        tags = [
            tag for at, document in enumerate(documents) for tag in encode(document.spans, self.batch.tokens_of(at))
        ]
        self.gold = tags_at(tags, CHAIN.tags)

    def learnt(self, hook: Any = None, **pace: Any) -> tuple[Floats, Floats]:
        bounds = sequences(self.batch, "line")
        return learn(
            self.rows, self.gold, bounds, CHAIN.allowed, len(CHAIN.tags), replace(PACE, **pace), hook
        )  # fmt: skip

    def row(self, feature: str, value: str) -> int:
        (template,) = templates([feature])
        return self.rows.bases[self.declared.index(template)] + self.values[template.terms[0][0]].index(value)

    def tagged(self, w: Floats, turns: Floats, loss: str) -> npt.NDArray[np.uint8]:
        """The notes as a model of these weights tags them."""
        linear = Linear(CHAIN.tags, self.declared, self.values, weights_of(self.rows, w, turns))
        scores = np.ascontiguousarray(scored(linear, self.texts))
        if loss == "chain":
            return CHAIN.viterbi(scores, sequences(self.batch, "line"), turns)
        return CHAIN.each(scores)


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return Lesson("lower[-2..2]", "lower[-1] lower[0]", "shape{-3..-1}", "line-place[0]")


@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_learns_what_can_be_told(loss: str, lesson: Lesson) -> None:
    losses: list[float] = []
    w, turns = lesson.learnt(lambda seed, epoch, cost, now: losses.append(cost), loss=LOSSES[loss])
    assert lesson.tagged(w, turns, loss).tolist() == lesson.gold.tolist()
    assert losses[-1] < losses[0] / 4
    assert turns.any() == (loss == "chain")
    assert not w[:, len(CHAIN.tags) :].any()


@pytest.mark.parametrize("loss", LOSSES)
def test_a_feature_that_decides_has_the_right_sign(loss: str) -> None:
    lesson = Lesson("lower[-1]", "plain[0]", notes=[*NOTES, *["no ward today by fever"] * 4])
    w, _ = lesson.learnt(loss=LOSSES[loss])
    outside, name, place = 0, 1, 2
    after_dr, after_ward = lesson.row("lower[-1]", "dr"), lesson.row("lower[-1]", "no")
    assert w[after_dr, name] > 0 > w[after_dr, outside]
    assert w[after_dr, place] <= 0
    assert w[after_ward, outside] >= 0 >= max(w[after_ward, name], w[after_ward, place])
    for word in ("dr", "today", "fever", "ward"):
        assert w[lesson.row("plain[0]", word), outside] > 0 >= w[lesson.row("plain[0]", word), name]


def test_a_chain_learns_which_tag_follows_which() -> None:
    """Words that tell nothing: only the tag before does."""
    lesson = Lesson("lower[0]", notes=["[NAME x x] y [PLACE x] y"] * 12)
    w, turns = lesson.learnt(epochs=30)
    assert turns[1, 3] > turns[1, 0]  # a name goes on
    assert turns[2, 0] > turns[2, 4]  # a place does not
    assert turns[-1, 1] > max(turns[-1, 0], turns[-1, 2])  # a line begins with a name
    assert lesson.tagged(w, turns, "chain").tolist() == lesson.gold.tolist()


@pytest.mark.parametrize("loss", LOSSES)
def test_the_same_seed_gives_the_same_weights_however_many_work_at_it(loss: str, lesson: Lesson) -> None:
    how = {"loss": LOSSES[loss], "seeds": 3, "epochs": 3, "dropout": 0.5}
    first = [table.tobytes() for table in lesson.learnt(**how, jobs=1)]
    assert [table.tobytes() for table in lesson.learnt(**how, jobs=2)] == first
    assert [table.tobytes() for table in lesson.learnt(**how, jobs=8)] == first
    assert [table.tobytes() for table in lesson.learnt(**how, seed=1)] != first


def test_weights_are_the_mean_of_those_of_the_seeds(lesson: Lesson) -> None:
    last: dict[int, tuple[Floats, Floats]] = {}
    told: list[tuple[int, int]] = []

    def hook(seed: int, epoch: int, cost: float, now: Any) -> None:
        told.append((seed, epoch))
        last[seed] = (now()[0].copy(), now()[1].copy())

    w, turns = lesson.learnt(hook, seeds=4, epochs=3, jobs=2)
    assert sorted(told) == [(seed, epoch) for seed in range(4) for epoch in range(3)]
    np.testing.assert_allclose(w, np.mean([last[seed][0] for seed in range(4)], axis=0), atol=1e-6)
    np.testing.assert_allclose(turns, np.mean([last[seed][1] for seed in range(4)], axis=0), atol=1e-6)
    assert len({last[seed][0].tobytes() for seed in range(4)}) == 4
    alone = lesson.learnt(seeds=1, epochs=3)
    np.testing.assert_array_equal(alone[0], last[0][0])


def test_what_holds_weights_back_leaves_fewer_and_smaller_ones(lesson: Lesson) -> None:
    counts = [np.count_nonzero(lesson.learnt(l1=l1)[0]) for l1 in (0.0, 0.5, 2.0, 1e6)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[1] > counts[2] > counts[3] == 0
    sizes = [float(np.abs(lesson.learnt(l2=l2)[0]).sum()) for l2 in (0.0, 10.0, 1000.0)]
    assert sizes[0] > sizes[1] > sizes[2]


def test_notes_without_words_teach_nothing() -> None:
    lesson = Lesson("lower[0]", "lower[0] lower[1]", notes=["", "\n"])
    w, turns = lesson.learnt(seeds=2)
    assert w.shape == (0, CHAIN.width)
    assert not turns.any()


def test_tags_become_numbers() -> None:
    found = tags_at(["O", "I-NAME", "B-NAME"], CHAIN.tags)
    assert found.dtype == np.int16
    assert found.tolist() == [0, 3, 1]


def test_sequences_are_lines_or_notes() -> None:
    batch: Batch = gather(["a b\n\nc", "", "d\r", "e f"])
    assert sequences(batch, "line").tolist() == [[0, 2], [2, 3], [3, 4], [4, 6]]
    assert sequences(batch, "note").tolist() == [[0, 3], [3, 4], [4, 6]]
