"""Contextual strings: the states that the definition asks for, whatever else is in the batch and however long."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given

from elision.taggers.batch import Batch, cut_long, gather
from elision.taggers.neural import strings
from elision.taggers.neural.pretrained import Floats, LanguageModel, Pretrained
from elision.taggers.neural.recurrent import ROWS, lstm
from elision.taggers.neural.strings import LEAD, PIECE, STRETCH, states
from elision.taggers.rows import together
from tests.strategies import fewer, texts
from tests.taggers.neural.made_models import random_pretrained

MODEL = random_pretrained()
HIDDEN = MODEL.hidden
ALONE = [
    "Seen by R. roe on 3 may.\n\n  ward 7:\tstable\r\nlast line",
    "李明😀, 52 años",
    "one",
    "\0\n\u202eabc\u0301 \ud800 x",
    "\n".join("line " * n for n in range(60)),
    "a" * (PIECE + 3) + " word " * 40,
]


def of(text: str, model: Pretrained = MODEL) -> Floats:
    return of_batch(gather([text]), model)


def of_batch(batch: Batch, model: Pretrained = MODEL) -> Floats:
    return states(model, batch, cut_long(batch, "line"))


def read_whole(model: LanguageModel, rows: list[int]) -> Floats:
    """The states of one sequence behind each of its characters."""
    inputs = np.zeros((len(rows), ROWS, 4 * model.hidden), np.float32)
    inputs[:, 0] = model.embeddings[rows] @ model.weights + model.bias
    found: Floats = lstm(inputs, model.turning)[0][:, 0]
    return found


def by_definition(text: str) -> Floats:
    """Line by line and character by character."""
    batch = gather([text])
    found = np.zeros((len(batch), 2 * HIDDEN), np.float32)
    for first, after in cut_long(batch, "line").tolist():
        begin, end = int(batch.tokens.starts[first]), int(batch.tokens.ends[after - 1])
        rows = [MODEL.characters.index(c) + 1 if c in MODEL.characters else 0 for c in f"\n{text[begin:end]}\n"]
        forward, backward = read_whole(MODEL.forward, rows), read_whole(MODEL.backward, rows[::-1])[::-1]
        for token in range(first, after):
            found[token, :HIDDEN] = forward[batch.tokens.ends[token] - begin]
            found[token, HIDDEN:] = backward[batch.tokens.starts[token] - begin + 1]
    return found


@pytest.mark.parametrize("text", ALONE)
def test_a_word_has_the_states_after_its_last_and_before_its_first_character(text: str) -> None:
    assert np.allclose(of(text), by_definition(text), atol=1e-5)


@fewer
@given(texts)
def test_that_holds_for_any_text(text: str) -> None:
    found = of(text)
    assert found.dtype == np.float32
    assert np.allclose(found, by_definition(text), atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [1, 6, 33, 256])
def test_a_note_has_the_same_states_alone_and_among_others(hidden: int) -> None:
    model = random_pretrained(hidden)
    long = ["".join(f"word{n} " for n in range(size)) for size in (900, 2)]
    notes = [*ALONE, *long, *(f"note {n} of {n * 7}" for n in range(70)), "", " "]
    batch = gather(notes)
    together = of_batch(batch, model)
    for at, note in enumerate(notes):
        assert np.array_equal(of(note, model), together[batch.notes[at] : batch.notes[at + 1]])


def test_what_follows_changes_only_backward_states_and_what_precedes_only_forward_ones() -> None:
    one, other = of("roe saw ward 7 today"), of("roe saw ward 7 again")
    assert np.array_equal(one[:4, :HIDDEN], other[:4, :HIDDEN])
    assert not np.isclose(one[:4, HIDDEN:], other[:4, HIDDEN:]).all(axis=1).any()
    one, other = of("she saw ward"), of("roe saw ward")
    assert np.array_equal(one[1:, HIDDEN:], other[1:, HIDDEN:])
    assert not np.isclose(one[1:, :HIDDEN], other[1:, :HIDDEN]).all(axis=1).any()


def test_an_unknown_character_is_like_any_other() -> None:
    assert np.array_equal(of("ab ☃ cd"), of("ab ☄ cd"))
    assert not np.array_equal(of("ab ☃ cd"), of("ab , cd"))


@pytest.mark.parametrize("size", [STRETCH + LEAD - 3, STRETCH + LEAD - 2, STRETCH + LEAD - 1, 2 * STRETCH + LEAD, 5000])
def test_a_long_line_is_read_in_stretches_and_no_token_is_left_out(size: int) -> None:
    text = ("word, " * size)[: size - 1] + "x"
    found, wanted = of(text), by_definition(text)
    short = size + 2 <= STRETCH + LEAD
    assert np.allclose(found, wanted, atol=1e-5 if short else 1e-2)
    ends = gather([text]).tokens.ends
    first = ends + 1 <= STRETCH + LEAD  # read from the beginning of the line
    assert np.allclose(found[first, :HIDDEN], wanted[first, :HIDDEN], atol=1e-5)


def test_a_line_of_300000_characters_is_read() -> None:
    text = "abc 12, " * 37_500
    found = of(text)
    assert len(found) == len(gather([text]))
    assert np.abs(found).max() <= 1
    assert (np.abs(found[:, :HIDDEN]).max(axis=1) > 0).all()
    assert (np.abs(found[:, HIDDEN:]).max(axis=1) > 0).all()


def test_one_word_of_100000_characters_is_read() -> None:
    assert np.isfinite(of("a" * 100_000)).all()


def test_only_the_sequences_that_are_asked_for_are_read() -> None:
    batch = gather(["one\ntwo words\nthree"])
    bounds = cut_long(batch, "line")
    found = states(MODEL, batch, bounds[1:2])
    assert np.array_equal(found[1:3], of("two words"))
    assert not found[[0, 3]].any()
    assert states(MODEL, gather([]), np.zeros((0, 2), np.int32)).shape == (0, 2 * HIDDEN)


def test_threads_share_a_model() -> None:
    notes = [f"note {n} of ward {n % 7}\n" * (n % 5 + 1) for n in range(24)]
    wanted = [of(note) for note in notes]
    model = random_pretrained()  # with nothing computed yet
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda note: of(note, model), notes))
    for one, other in zip(found, wanted, strict=True):
        assert np.array_equal(one, other)


def test_memory_does_not_grow_with_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = set()

    def watched(inputs: Floats, turning: Floats, start: tuple[Floats, Floats] | None) -> tuple[Floats, Floats]:
        shapes.add(inputs.shape[:2])
        return lstm(inputs, turning, start)

    monkeypatch.setattr(strings, "lstm", watched)
    of("word " * 5000)
    assert max(shapes) == (PIECE, together(ROWS))
    assert {rows for _, rows in shapes} == {together(ROWS)}
