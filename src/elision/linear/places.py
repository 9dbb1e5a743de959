"""Attributes of the place where a token stands: what its line says, what stands before it, where else it occurs.

Each is a function of a batch. It gives a code for every token and the value that each code means; the value ""
says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from elision.linear import kernels
from elision.linear.attributes import brief, plain, shape
from elision.linear.batch import FIRST, Batch
from elision.linear.sentences import SENTENCES
from elision.tokens import DIGIT, Column, classes

Coded = tuple[Column, list[str]]
Longs = npt.NDArray[np.int64]
Place = Callable[[Batch], Coded]

KEY_TOKENS = 8  # a line's key has at most so many tokens
HEADING_TOKENS = 7
EMAIL_LETTERS = 4


Kept = TypeVar("Kept")
Keyed = tuple[Column, list[str], Column]


def _once(function: Callable[[Batch], Kept]) -> Callable[[Batch], Kept]:
    """Several attributes need the same columns: worked out once for a batch and kept with it."""
    name = f"_{function.__name__}"

    def kept(batch: Batch) -> Kept:
        if name not in batch.__dict__:
            batch.__dict__[name] = function(batch)
        found: Kept = batch.__dict__[name]
        return found

    return kept


def gap(batch: Batch) -> Coded:
    """What stands before a token: nothing, a space, several, a newline, a blank line, the beginning of the note."""
    codes = np.minimum(_space_before(batch), 2)
    lines = batch.newlines
    codes[lines == 1] = 3
    codes[lines > 1] = 4
    codes[lines == FIRST] = 5
    return codes, ["glued", "space", "spaces", "newline", "blank", "begin"]


def line_place(batch: Batch) -> Coded:
    """How far into its line a token stands, up to six."""
    at = np.arange(len(batch), dtype=np.int32) - batch.line_starts[batch.line_of]
    return np.minimum(at, 6), [str(n) for n in range(7)]


def key(batch: Batch) -> Coded:
    """The `label:` behind which a token stands in its line; in the key itself, the key with a = before it."""
    codes, names, _ = _keys(batch)
    return codes, names


def key_distance(batch: Batch) -> Coded:
    """How many tokens behind the colon of its key a token stands, up to nine."""
    return _keys(batch)[2], ["", *(str(n) for n in range(1, 10))]


def key_before(batch: Batch) -> Coded:
    """The key at the beginning of the line before."""
    codes, names, _ = _keys(batch)
    of_line = np.concatenate((np.zeros(1, np.int32), codes[batch.line_starts[:-1]]))
    before = of_line[batch.line_of]
    before[
        batch.note_of
        != np.concatenate((np.full(1, -1, np.int32), batch.note_of[batch.line_starts[:-1]]))[batch.line_of]
    ] = 0
    return before, names


def heading(batch: Batch) -> Coded:
    """The last short line without digits that ended in a colon or a full stop: the section's title."""
    codes = np.zeros(len(batch), np.int32)
    names: dict[str, int] = {"": 0}
    starts, ends, text = batch.tokens.starts, batch.tokens.ends, batch.text
    fresh = set(batch.notes.tolist())
    now = 0
    for first, after in zip(batch.line_starts[:-1].tolist(), batch.line_starts[1:].tolist(), strict=True):
        if first in fresh:
            now = 0
        if after - first <= HEADING_TOKENS and text[ends[after - 1] - 1] in ".:：":
            line = text[starts[first] : ends[after - 1]]
            if not any(character.isdigit() or character in ":：" for character in line[:-1]):
                now = names.setdefault(plain(line), len(names))
        codes[first:after] = now
    return codes, list(names)


def chunk_place(batch: Batch) -> Coded:
    """How many tokens stand before and behind a token between white space, each up to four."""
    number, firsts = _chunks(batch)
    lasts = np.append(firsts[1:], len(batch)) - 1
    at = np.arange(len(batch))
    codes = np.minimum(at - firsts[number], 4) * 5 + np.minimum(lasts[number] - at, 4)
    return codes.astype(np.int32), [f"{code // 5}-{code % 5}" for code in range(25)]


def _of_chunk(function: Callable[[str], str]) -> Place:
    """A function of what stands between white space, from first word or number to last, where there are several."""

    def place(batch: Batch) -> Coded:
        first, last, kinds, forms = _cores(batch)
        names: dict[str, int] = {"": 0}
        of_form = np.array([names.setdefault(function(form), len(names)) for form in forms], np.int32)
        return _over(first, last + 1, of_form[kinds] if forms else kinds, len(batch)), list(names)

    return place


def elsewhere(batch: Batch) -> Coded:
    """For a capitalised form or a number that occurs again in the note: behind which other key it does."""
    at, group = _again(batch)
    keys_of, keys, _ = _keys(batch)
    codes = np.zeros(len(batch), np.int32)
    names = ["", "again", *keys]
    if not len(at):
        return codes, names
    own = keys_of[at]
    in_key = np.array([not key or key.startswith("=") for key in keys], np.bool_)
    telling = np.where(in_key[own], 0, own)
    first = _first(telling, group)
    second = _first(np.where(telling == first[group], 0, telling), group)
    other = np.where(first[group] != own, first[group], second[group])
    codes[at] = np.where(other > 0, other + 2, 1)
    return codes, names


def _beside_again(distance: int) -> Place:
    """For a form that occurs again in the note: the token that stands beside the other occurrence, in small letters."""

    def place(batch: Batch) -> Coded:
        at, group = _again(batch)
        kinds, forms = batch.kinds
        codes = np.zeros(len(batch), np.int32)
        names: dict[str, int] = {"": 0}
        of_form = np.array([names.setdefault(form.lower(), len(names)) for form in forms], np.int32)
        if len(at):
            begins = np.flatnonzero(np.diff(group, prepend=-1))
            other = np.where(at == at[begins][group], at[begins + 1][group], at[begins][group]) + distance
            inside = (other >= 0) & (other < len(batch))
            beside = np.where(inside, other, 0)
            inside &= batch.note_of[beside] == batch.note_of[at]
            codes[at] = np.where(inside, of_form[kinds[beside]], 0)
        return codes, list(names)

    return place


def email_like(batch: Batch) -> Coded:
    """Whether a capitalised form begins like a part of an e-mail address of the note: people are called like theirs."""
    codes = np.zeros(len(batch), np.int32)
    signs = np.searchsorted(batch.edges, np.flatnonzero(batch.codes == ord("@")), side="right") - 1
    kinds, forms = batch.kinds
    worth = [plain(form)[:EMAIL_LETTERS] if len(form) >= EMAIL_LETTERS and form[0].isupper() else "" for form in forms]
    for note in np.unique(signs).tolist() if any(worth) else ():
        text = batch.text[batch.edges[note] : batch.edges[note + 1]]
        names = " ".join(plain(word.partition("@")[0]) for word in text.split() if "@" in word)
        part = slice(int(batch.notes[note]), int(batch.notes[note + 1]))
        there = np.unique(kinds[part]).tolist()
        like = [kind for kind in there if worth[kind] and worth[kind] in names]
        if like:
            codes[part] = np.isin(kinds[part], like)
    return codes, ["", "like"]


@_once
def _again(batch: Batch) -> tuple[Longs, Longs]:
    """Capitalised forms and numbers that occur more than once in their note: the tokens, those of a form in a row, and
    the number of each row."""
    types, forms = batch.kinds
    worth = np.array([len(form) > 2 and (form[0].isupper() or form[0].isdigit()) for form in forms], np.bool_)
    at = np.flatnonzero(worth[types]) if forms else np.zeros(0, np.int64)
    who = batch.note_of[at].astype(np.int64) << 32 | types[at]
    order = np.argsort(who, kind="stable")
    at, who = at[order], who[order]
    group = np.cumsum(np.diff(who, prepend=-1) != 0) - 1
    often = (np.bincount(group)[group] > 1) if len(at) else np.zeros(0, np.bool_)
    at, who = at[often], who[often]
    return at, np.cumsum(np.diff(who, prepend=-1) != 0) - 1


def _first(codes: Column, group: Longs) -> Column:
    """For each group its first code that is not 0."""
    first = np.zeros(int(group[-1]) + 1, codes.dtype)
    there = np.flatnonzero(codes)
    groups, at = np.unique(group[there], return_index=True)
    first[groups] = codes[there[at]]
    return first


@_once
def _keys(batch: Batch) -> Keyed:
    """Codes and names of keys, and how far behind its colon each token stands."""
    colons, begins = _colons(batch)
    starts = batch.tokens.starts
    kinds, forms = distinct(batch, starts[begins], starts[colons])
    names: dict[str, int] = {"": 0}
    bare = [plain(form).strip(" -*•.\t") for form in forms]
    value = np.array([names.setdefault(form, len(names)) for form in bare], np.int32)
    itself = np.array([names.setdefault("=" + form, len(names)) for form in bare], np.int32)
    if not len(colons):
        return np.zeros(len(batch), np.int32), list(names), np.zeros(len(batch), np.int32)
    ends = batch.line_starts[batch.line_of[colons] + 1]
    ends[:-1] = np.minimum(ends[:-1], colons[1:] + 1)
    codes = _over(colons + 1, ends, value[kinds], len(batch))
    after = np.arange(len(batch)) - _over(colons + 1, ends, colons, len(batch))
    after = np.where(codes > 0, np.minimum(after, 9), 0).astype(np.int32)
    own = _over(begins, colons + 1, itself[kinds], len(batch))
    return np.where(own > 0, own, codes), list(names), np.where(own > 0, 0, after).astype(np.int32)


def _colons(batch: Batch) -> tuple[Longs, Longs]:
    """The colons that end a key, and where the key begins: with the line or, further into it, with the word."""
    starts, ends = batch.tokens.starts, batch.tokens.ends
    there = batch.codes[starts]
    at = np.flatnonzero((there == ord(":")) | (there == ord("：")))
    at = at[batch.newlines[at] == 0]
    at = at[classes(batch.codes[ends[at - 1] - 1]) != DIGIT]  # a time of day
    line = batch.line_of[at]
    first = batch.line_starts[line].astype(np.int64)
    again = np.diff(line, prepend=-1) == 0
    _, chunk_firsts = _chunks(batch)
    word = chunk_firsts[np.searchsorted(chunk_firsts, at, side="right") - 1]
    begins = np.where(again | (at - first > KEY_TOKENS), np.maximum(word, first), first)
    return at[begins < at], begins[begins < at]


def _over(firsts: npt.NDArray[Any], afters: npt.NDArray[Any], codes: npt.NDArray[Any], size: int) -> Column:
    """A column with these codes from each first to before its after, 0 elsewhere. The stretches are disjoint."""
    lengths = np.maximum(afters - firsts, 0)
    column = np.zeros(size, np.int32)
    shifts = np.repeat(firsts - np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)[:-1])), lengths)
    column[np.arange(int(lengths.sum())) + shifts] = np.repeat(codes, lengths)
    return column


def distinct(batch: Batch, starts: Column, ends: Column) -> tuple[Column, list[str]]:
    """Stretches of the text that read the same share a number: the numbers, and what each reads."""
    starts, ends = np.ascontiguousarray(starts, np.int32), np.ascontiguousarray(ends, np.int32)
    numbers, firsts = np.empty(len(starts), np.int32), np.empty(len(starts), np.int32)
    firsts = firsts[: kernels.number(batch.codes, starts, ends, numbers, firsts)]
    pairs = zip(starts[firsts].tolist(), ends[firsts].tolist(), strict=True)
    return numbers, [batch.text[start:end] for start, end in pairs]


@_once
def _cores(batch: Batch) -> tuple[Longs, Longs, Column, list[str]]:
    """Chunks of several words or numbers: first and last of these, and the form as in `distinct`."""
    words = np.flatnonzero(batch.wordy)
    chunk = _chunks(batch)[0][words]
    begins = np.flatnonzero(np.diff(chunk, prepend=-1))
    ends = np.append(begins[1:], len(words)) - 1
    many = ends > begins
    first, last = words[begins[many]], words[ends[many]]
    kinds, forms = distinct(batch, batch.tokens.starts[first], batch.tokens.ends[last])
    return first, last, kinds, forms


def _space_before(batch: Batch) -> Column:
    starts, ends = batch.tokens.starts, batch.tokens.ends
    before = np.concatenate((np.zeros(1, np.int32), ends))[:-1]
    return starts - before if len(starts) else starts.copy()


@_once
def _chunks(batch: Batch) -> tuple[Longs, Longs]:
    """Stretches without white space: the number of each token's, and the first token of each."""
    begins = _space_before(batch) > 0
    begins[batch.notes[:-1][np.diff(batch.notes) > 0]] = True
    return np.cumsum(begins) - 1, np.flatnonzero(begins)


PLACES: dict[str, Place] = {
    "gap": gap,
    "line-place": line_place,
    "key": key,
    "key-distance": key_distance,
    "key-before": key_before,
    "heading": heading,
    "chunk-place": chunk_place,
    "chunk-shape": _of_chunk(lambda chunk: shape(chunk[:20])),
    "chunk-brief": _of_chunk(lambda chunk: brief(chunk[:64])),
    "chunk-plain": _of_chunk(lambda chunk: plain(chunk[:64])),
    "elsewhere": elsewhere,
    "before-again": _beside_again(-1),
    "after-again": _beside_again(1),
    "email-like": email_like,
    **SENTENCES,
}
