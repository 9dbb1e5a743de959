"""Batches of notes: each column is what plain Python makes of the notes one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.taggers.batch import GAP, gather
from elision.taggers.cutters import cutter
from elision.taggers.linear.learning import sequences
from elision.text.native import FIRST
from elision.text.portions import portions
from elision.text.tokens import Tokens, tokenize
from tests.strategies import fewer, texts

PIECES = [
    "Roe",
    "roe",
    "é",
    "李明",
    "😀",
    "12",
    ".",
    "\ud800",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\n\r",
    "\0",
    "\ufeff",
    "\u2028",
]
notes = st.lists(texts | st.lists(st.sampled_from(PIECES), max_size=15).map("".join), max_size=5)
BREAK = re.compile(r"\r\n|\r|\n")


def newlines(text: str) -> list[int]:
    """Line breaks before each token of one note."""
    tokens = tokenize(text)
    edges = zip([0, *tokens.ends.tolist()], tokens.starts.tolist(), strict=False)
    return [len(BREAK.findall(text[before:start])) if at else FIRST for at, (before, start) in enumerate(edges)]


@given(notes, st.sampled_from(["fine", "he2015"]))
@fewer
def test_each_note_has_its_own_tokens(notes: list[str], cut: str) -> None:
    tokenizer = cutter(cut)
    batch = gather(notes, "en", tokenizer)
    assert len(batch.notes) == len(batch.edges) == len(notes) + 1
    alone = [tokenizer(text, "en") for text in notes]
    assert batch.notes.tolist() == [0, *accumulate(map(len, alone))]
    for at, (text, tokens) in enumerate(zip(notes, alone, strict=True)):
        np.testing.assert_array_equal(batch.tokens_of(at).starts, tokens.starts)
        np.testing.assert_array_equal(batch.tokens_of(at).ends, tokens.ends)
        assert batch.text[batch.edges[at] :].startswith(text)


@given(notes)
@fewer
def test_lines_are_those_of_each_note(notes: list[str]) -> None:
    batch = gather(notes)
    found = [breaks for text in notes for breaks in newlines(text)]
    assert batch.newlines.tolist() == found
    firsts = [at for at, breaks in enumerate(found) if breaks]
    assert batch.line_starts.tolist() == [*firsts, len(found)]
    assert batch.line_of.tolist() == [sum(first <= at for first in firsts) - 1 for at in range(len(found))]
    assert sequences(batch, "line").tolist() == [list(pair) for pair in pairwise([*firsts, len(found)])]


@given(notes)
@fewer
def test_the_other_columns(notes: list[str]) -> None:
    batch = gather(notes)
    alone = [tokenize(text) for text in notes]
    words = [word for text, tokens in zip(notes, alone, strict=True) for word in tokens.texts(text)]
    note_of = [at for at, tokens in enumerate(alone) for _ in range(len(tokens))]
    assert batch.codes.tolist() == [ord(character) for character in "\n".join(notes)]
    assert batch.note_of.tolist() == note_of
    assert batch.spread.tolist() == [at + GAP * (note + 1) for at, note in enumerate(note_of)]
    assert batch.spread_size == len(words) + GAP * (len(notes) + 1)
    assert batch.wordy.tolist() == [word[0].isalnum() for word in words]
    numbers, forms = batch.kinds
    assert forms == list(dict.fromkeys(words))
    assert [forms[number] for number in numbers.tolist()] == words
    bounds = [list(pair) for pair in pairwise(batch.notes.tolist()) if pair[0] < pair[1]]
    assert sequences(batch, "note").tolist() == bounds


@given(notes)
@fewer
def test_offsets_in_bytes_become_offsets_in_characters(notes: list[str]) -> None:
    batch = gather(notes)
    sizes = [len(character.encode("utf-8", "surrogatepass")) for character in batch.text]
    begins = [0, *accumulate(sizes)]
    assert begins[-1] == len(batch.raw)
    assert batch.characters(np.array(begins, np.int64)).tolist() == list(range(len(batch.text) + 1))
    pairs = np.array(list(pairwise(begins)), np.int64).reshape(-1, 2)
    assert batch.characters(pairs).tolist() == [[at, at + 1] for at in range(len(batch.text))]


def test_a_language_goes_to_the_tokeniser() -> None:
    heard = []

    def listening(text: str, language: str) -> Tokens:
        heard.append((text, language))
        return tokenize(text)

    gather(["a", "b"], "es", listening)
    assert heard == [("a\nb", "es")]


@given(st.lists(st.integers(0, 12)), st.integers(1, 20))
@fewer
def test_portions_hold_as_much_as_they_may(sizes: list[int], most: int) -> None:
    items = list(enumerate(sizes))
    runs = list(portions(items, lambda item: item[1], most))
    assert [item for run in runs for item in run] == items
    assert all(run for run in runs)
    totals = [sum(size for _, size in run) for run in runs]
    assert all(total <= most or len(run) == 1 for run, total in zip(runs, totals, strict=True))
    assert all(total + after[0][1] > most for total, after in zip(totals, runs[1:], strict=False))


def test_portions_take_no_more_items_than_they_need() -> None:
    taken = []

    def items() -> Iterator[str]:
        for item in "abcdef":
            taken.append(item)
            yield item

    runs = portions(items(), len, 2)
    assert next(runs) == ["a", "b"]
    assert taken == ["a", "b", "c"]
    assert list(portions(list[str](), len)) == []


@pytest.mark.parametrize("notes", [[], [""], ["", ""], ["\r\n", " "]], ids=repr)
def test_nothing_to_read(notes: list[str]) -> None:
    batch = gather(notes)
    assert len(batch) == 0
    assert batch.notes.tolist() == [0] * (len(notes) + 1)
    assert batch.line_starts.tolist() == [0]
    assert sequences(batch, "line").shape == sequences(batch, "note").shape == (0, 2)
