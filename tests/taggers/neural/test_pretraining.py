"""Learning from raw notes: it learns, says so, keeps rare words out, and goes on where it stopped, to the bit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from math import exp, inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from elision.document import Document
from elision.errors import MissingExtraError, ModelError
from elision.models import store
from elision.taggers.batch import gather
from elision.taggers.neural import pretraining
from elision.taggers.neural.pretrained import Pretrained, load
from elision.taggers.neural.pretraining import Pretraining, Told, pretrain
from elision.taggers.neural.recurrent import ROWS, lstm
from elision.taggers.neural.stream import joined, known_characters, lines_of, prepared, rows_of
from tests.taggers.made_notes import made_notes
from tests.taggers.neural.test_pretrained import assert_same

torch = pytest.importorskip("torch")

from elision.taggers.neural import language_model  # noqa: E402
from elision.taggers.neural.language_model import CharacterModel, plain_weights  # noqa: E402

NOTES = made_notes(24)
TINY = Pretraining(hidden=6, embedding=3, size=4, epochs=3, rows=3, least=3, threads=1, language="en")


@cache
def whole() -> Pretrained:
    """Learnt without an interruption."""
    return pretrain(NOTES, TINY)


def without_time(found: Pretrained) -> Pretrained:
    return replace(found, card={**found.card, "seconds": 0})


def assert_same_learning(found: Pretrained, given: Pretrained) -> None:
    assert_same(without_time(found), without_time(given))


class Stop(Exception):  # noqa: N818 - no error
    """What interrupts learning in these tests."""


def stopping_after(count: int) -> Callable[[Told], None]:
    steps = 0

    def watch(told: Told) -> None:
        nonlocal steps
        steps += 1
        if steps == count:
            raise Stop

    return watch


# -- what is learnt


def test_it_learns_and_tells_how_far_it_is() -> None:
    told: list[Told] = []
    found = pretrain(NOTES, replace(TINY, epochs=8, hidden=16), watch=told.append)
    assert [(one.epoch, one.step) for one in told] == [
        (epoch, step) for epoch in range(8) for step in range(1, told[0].steps + 1)
    ]
    assert all(one.perplexity == (0, 0) for one in told[: told[0].steps - 1])
    first, last = told[told[0].steps - 1].perplexity, told[-1].perplexity
    for before, after, by_chance in zip(first, last, (len(found.characters) + 1,) * 2, strict=True):
        assert after < 0.8 * before < by_chance
    assert [found.card["perplexity"][side] for side in ("forward", "backward")] == pytest.approx(last, abs=1e-3)
    assert found.card["training"]["notes"] == 24
    assert found.card["training"]["held_out"] >= 1
    assert len(found.card["history"]) == 8


def test_the_weights_in_numpy_give_the_states_that_torch_gives() -> None:
    torch.manual_seed(3)
    model = CharacterModel(9, 4, 7)
    rows = np.array([1, 5, 0, 9, 2, 2])
    plain = plain_weights({name: weight.numpy() for name, weight in model.state_dict().items()})
    inputs = np.zeros((len(rows), ROWS, 28), np.float32)
    inputs[:, 0] = plain.inputs[rows]
    with torch.no_grad():
        wanted, _ = model.lstm(model.embedding(torch.from_numpy(rows)))
    assert np.allclose(lstm(inputs, plain.turning)[0][:, 0], wanted.numpy(), atol=1e-6)


def test_perplexity_is_that_of_the_notes_held_out() -> None:
    notes = prepared(NOTES, np.arange(24, dtype=np.int32), TINY.least, TINY.seed)
    losses = [entry["losses"][0] for entry in whole().card["history"]]
    assert whole().card["perplexity"]["forward"] == pytest.approx(exp(min(losses)), abs=1e-3)
    assert 0 < len(notes.held) < sum(map(len, notes.learn))


def test_the_same_notes_and_seed_give_the_same_weights_in_whatever_order_they_come() -> None:
    before = torch.random.get_rng_state()
    assert_same_learning(pretrain(NOTES[::-1], TINY), whole())
    assert torch.equal(torch.random.get_rng_state(), before)
    other = pretrain(NOTES, replace(TINY, seed=1))
    assert not np.array_equal(other.forward.turning, whole().forward.turning)
    assert not np.array_equal(whole().backward.turning, whole().forward.turning)


# -- what is kept of notes


def test_words_and_characters_of_few_notes_have_no_row() -> None:
    rare = [Document(f"{note.text}\nward Quetz§l {'x' * (at < 2)}", f"r{at}") for at, note in enumerate(NOTES)]
    notes = [*NOTES[3:], *(replace(note, text=note.text.replace("Quetz§l", "quiet")) for note in rare[:3])]
    notes += [replace(rare[0], text=f"{rare[0].text} Quetz§l Quetz§l Quetz§l Quetz§l"), rare[1]]
    found = pretrain(notes, TINY)
    assert "quetz" not in found.words
    assert "§" not in found.characters
    assert "quiet" in found.words
    assert "\n" in found.characters
    assert "quetz" in pretrain(notes, replace(TINY, least=2)).words


def test_notes_of_one_patient_count_once() -> None:
    notes = [replace(note, patient=f"p{at % 4}") for at, note in enumerate(NOTES)]
    marked = [
        replace(note, text=f"{note.text} § Quetz" if note.patient in ("p0", "p1") else note.text) for note in notes
    ]
    found = pretrain(marked, TINY)
    assert "§" not in found.characters
    assert "quetz" not in found.words
    assert found.card["training"]["patients"] == 4


def test_digits_of_words_are_zeros() -> None:
    assert any("0" in word for word in whole().words)
    assert not any(set(word) & set("123456789") for word in whole().words)


# -- the stream


@pytest.mark.parametrize(
    ("text", "lines"),
    [("a\n\n  b c \r\nd\re\t\n", "a\nb c\nd\ne"), (" \n\r\n", ""), ("", ""), ("\u2003x\u00a0\n\0", "x\n\0")],
)
def test_notes_are_learnt_as_lines(text: str, lines: str) -> None:
    assert lines_of(text) == lines
    batch = gather([text])
    starts = batch.tokens.starts[batch.line_starts[:-1]]
    assert [text[at] for at in starts.tolist()] == [line[0] for line in lines.splitlines()]


def test_characters_become_rows_and_a_blank_line_stands_between_notes() -> None:
    notes = [Document("ab😀", "1"), Document("b\na", "2"), Document("b☃", "3")]
    groups = np.arange(3, dtype=np.int32)
    assert known_characters(notes, groups, 2) == ("\n", "a", "b")
    rows = rows_of([note.text for note in notes], ("\n", "a", "b"))
    assert [one.tolist() for one in rows] == [[2, 3, 0], [3, 1, 2], [3, 0]]
    assert joined(rows, 1).tolist() == [2, 3, 0, 1, 1, 3, 1, 2, 1, 1, 3, 0, 1, 1]


# -- interruptions


@pytest.mark.slow
@pytest.mark.parametrize("every", [0.0, inf])
@pytest.mark.parametrize("count", [1, 2, 14, 15, 16, 29, 30, 44, 45])
def test_learning_goes_on_as_if_it_had_never_stopped(tmp_path: Path, count: int, every: float) -> None:
    """Interrupted within epochs and where they end, with a checkpoint at each step or only at the end of epochs."""
    folder = tmp_path / "checkpoint"
    with pytest.raises(Stop):
        pretrain(NOTES, TINY, folder, stopping_after(count), every)
    assert_same_learning(pretrain(NOTES, TINY, folder), whole())


def test_it_may_be_stopped_again_and_again_and_go_on_for_longer(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoint"
    short = pretrain(NOTES, replace(TINY, epochs=1), folder)
    assert len(short.card["history"]) == 1
    while True:
        try:
            found = pretrain(NOTES, TINY, folder, stopping_after(2), every=0)
            break
        except Stop:
            continue
    assert_same_learning(found, whole())


def test_minutes_end_learning_before_its_first_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = count()  # each look at the clock is a second later
    monkeypatch.setattr(pretraining, "time", SimpleNamespace(monotonic=lambda: float(next(looks))))
    told: list[Told] = []
    hurried = replace(TINY, minutes=1e-9, epochs=100)
    found = pretrain(NOTES, hurried, tmp_path / "checkpoint", told.append)
    assert not told
    found.save(tmp_path / "pre")
    again = pretrain(NOTES, hurried, tmp_path / "checkpoint", told.append)
    assert not told
    assert_same_learning(again, found)
    assert again.card["seconds"] == found.card["seconds"] > 0
    assert load(tmp_path / "pre").card["perplexity"]["forward"] > 0


def test_the_rate_falls_when_nothing_is_gained_and_ends_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_model, "LEAST_RATE", language_model.RATE / 3)
    monkeypatch.setattr(language_model, "GAIN", 0.1)
    found = pretrain(NOTES, replace(TINY, epochs=200, hidden=2))
    rates = [entry["rates"][0] for entry in found.card["history"]]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < rates[0] / 3
    assert len(rates) < 200


OTHERS: dict[str, tuple[Sequence[Document], Pretraining, str]] = {
    "notes": (NOTES[1:], TINY, "text"),
    "hidden": (NOTES, replace(TINY, hidden=5), "hidden"),
    "seed": (NOTES, replace(TINY, seed=2), "seed"),
    "rows and least": (NOTES, replace(TINY, rows=2, least=2), "least, rows"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_checkpoint_of_other_notes_or_settings_is_refused(tmp_path: Path, name: str) -> None:
    pretrain(NOTES, TINY, tmp_path / "checkpoint")
    before = store.fingerprint(tmp_path / "checkpoint")
    notes, settings, named = OTHERS[name]
    with pytest.raises(ModelError, match=f"as these differ: .*{named}"):
        pretrain(notes, settings, tmp_path / "checkpoint")
    assert store.fingerprint(tmp_path / "checkpoint") == before


@pytest.mark.parametrize("name", ["0.model.output.bias", "1.state.0", "1.optimiser.2.exp_avg"])
def test_a_checkpoint_that_lacks_something_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "checkpoint"
    pretrain(NOTES, replace(TINY, epochs=1), folder)
    stored = store.load(folder)
    arrays = {known: array for known, array in stored.arrays.items() if known != name}
    assert len(arrays) < len(stored.arrays)
    store.save(folder, store.Stored(stored.kind, stored.card, {}, arrays), overwrite=True)
    with pytest.raises(ModelError, match="checkpoint of this learning, or damaged; remove it"):
        pretrain(NOTES, TINY, folder)


def test_time_that_is_over_within_an_epoch_ends_it_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Told] = []
    monkeypatch.setattr(pretraining._Learning, "_is_over", lambda self: len(told) >= 20)
    found = pretrain(NOTES, TINY, tmp_path / "checkpoint", told.append)
    assert [(entry["epoch"], entry["step"]) for entry in found.card["history"]] == [(0, 15), (1, 5)]
    monkeypatch.undo()
    longer = pretrain(NOTES, TINY, tmp_path / "checkpoint")
    assert [entry["epoch"] for entry in longer.card["history"]] == [0, 1, 1, 2]


# -- what is refused


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        ([], "of 0 patients"),
        (NOTES[:2], "of 2 patients .* with --least"),
        ([Document("", str(at)) for at in range(9)], "have no text"),
        ([Document(" \n\t", str(at)) for at in range(9)], "have no text"),
    ],
)
def test_notes_that_nothing_can_be_learnt_from_are_refused(notes: list[Document], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        pretrain(notes, TINY)


def test_notes_of_one_patient_are_refused() -> None:
    with pytest.raises(ModelError, match="of one patient"):
        pretrain([replace(note, patient="p") for note in NOTES], replace(TINY, least=1))


@pytest.mark.parametrize(
    "change",
    [{"hidden": 0}, {"hidden": 10**6}, {"size": 0}, {"epochs": 0}, {"least": 0}, {"seed": -1}, {"threads": -1},
     {"minutes": -1.0}, {"minutes": nan}, {"minutes": inf}],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused_by_name(change: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match=f"^{next(iter(change))} .*must be"):
        replace(TINY, **change)


def test_odd_notes_are_learnt_from() -> None:
    odd = ["\0\0\x07", "\u202eabc", "😀" * 50, "a" * 20_000, "one\r\n\r\ntwo", "李明 住院", "", "x"]
    found = pretrain([Document(text, str(at)) for at, text in enumerate(odd * 2)], replace(TINY, least=2, epochs=1))
    assert {"\0", "😀", "李", "a"} <= set(found.characters)


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"elision\[train\]"):
        pretrain(NOTES, TINY)
