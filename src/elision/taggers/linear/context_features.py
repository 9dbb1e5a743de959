"""Attributes of the place where a token stands: what its line says, what stands before it, where else it occurs.

Each is a function of a batch. It gives a code for every token and the value that each code means; the value ""
says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from elision.taggers import kernels
from elision.taggers.batch import Batch
from elision.taggers.linear.attributes import brief, plain, shape
from elision.taggers.linear.sentences import SENTENCES
from elision.text import native
from elision.text.tokens import Column

Coded = tuple[Column, Sequence[str]]
Longs = npt.NDArray[np.int64]
Place = Callable[[Batch], Coded]

KEY_TOKENS = 8  # a line's key has at most so many tokens
KEY_LETTERS = 256  # by which a longer one is told: in text without blanks, a key can go back to where the line begins
CUT_OFF = "…"  # stands before the name of such a key
HEADING_TOKENS = 7
EMAIL_LETTERS = 4
FURTHEST = 9  # behind the colon of a key
MOST_BESIDE = 4  # tokens of a chunk that are counted on either side

_GAPS = ("glued", "space", "spaces", "newline", "blank", "begin")
_DISTANCES = ("", *map(str, range(1, FURTHEST + 1)))
_CHUNK_PLACES = tuple(f"{before}-{behind}" for before in range(MOST_BESIDE + 1) for behind in range(MOST_BESIDE + 1))


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
    return batch.gaps, _GAPS


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
    return _keys(batch)[2], _DISTANCES


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
    codes = np.empty(len(batch), np.int32)
    native.chunk_places(batch.chunk_of, MOST_BESIDE, codes)
    return codes, _CHUNK_PLACES


def _of_chunk(function: Callable[[str], str]) -> Place:
    """A function of what stands between white space, from first word or number to last, where there are several."""

    def place(batch: Batch) -> Coded:
        kinds, forms = _cores(batch)
        names: dict[str, int] = {"": 0}
        of_form = np.array([0, *(names.setdefault(function(form), len(names)) for form in forms)], np.int32)
        return of_form[kinds], list(names)

    return place


def elsewhere(batch: Batch) -> Coded:
    """For a capitalised form or a number that occurs again in the note: behind which other key it does."""
    kinds, _ = batch.kinds
    behind, keys, _ = _keys(batch)
    telling = np.array([0 if key.startswith("=") else at for at, key in enumerate(keys)], np.int32)
    codes = np.zeros(len(batch), np.int32)
    native.elsewhere(kinds, batch.notes, _worth(batch), behind, telling, codes)
    return codes, ["", "again", *keys]


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
        sizes = {len(worth[kind]) for kind in there} - {0}
        begun = {names[at : at + size] for size in sizes for at in range(len(names) - size + 1)}
        like = [kind for kind in there if worth[kind] in begun]
        if like:
            codes[part] = np.isin(kinds[part], like)
    return codes, ["", "like"]


def _worth(batch: Batch) -> npt.NDArray[np.bool_]:
    """Which forms are told again: capitalised ones and numbers."""
    _, forms = batch.kinds
    return np.array([len(form) > 2 and (form[0].isupper() or form[0].isdigit()) for form in forms], np.bool_)


@_once
def _again(batch: Batch) -> tuple[Longs, Longs]:
    """Capitalised forms and numbers that occur more than once in their note: the tokens, those of a form in a row, and
    the number of each row."""
    types, forms = batch.kinds
    at = np.flatnonzero(_worth(batch)[types]) if forms else np.zeros(0, np.int64)
    who = batch.note_of[at].astype(np.int64) << 32 | types[at]
    order = np.argsort(who, kind="stable")
    at, who = at[order], who[order]
    group = np.cumsum(np.diff(who, prepend=-1) != 0) - 1
    often = (np.bincount(group)[group] > 1) if len(at) else np.zeros(0, np.bool_)
    at, who = at[often], who[often]
    return at, np.cumsum(np.diff(who, prepend=-1) != 0) - 1


@_once
def _keys(batch: Batch) -> Keyed:
    """Codes and names of keys, and how far behind its colon each token stands."""
    size, starts = len(batch), batch.tokens.starts
    firsts, colons, afters = (np.empty(size, np.int32) for _ in range(3))
    count = native.colons(
        batch.codes, starts, batch.tokens.ends, batch.classes, batch.newlines, batch.line_of, batch.line_starts,
        batch.chunk_of, KEY_TOKENS, firsts, colons, afters,
    )  # fmt: skip
    firsts, colons, afters = firsts[:count], colons[:count], afters[:count]
    begins = np.maximum(starts[firsts], starts[colons] - KEY_LETTERS - 1)
    kinds, forms = distinct(batch, begins, starts[colons])
    names: dict[str, int] = {"": 0}
    bare = [
        plain(form).strip(" -*•.\t") if len(form) <= KEY_LETTERS else CUT_OFF + plain(form[1:]).strip(" -*•.\t")
        for form in forms
    ]
    value = np.array([names.setdefault(form, len(names)) for form in bare], np.int32)
    itself = np.array([names.setdefault("=" + form, len(names)) for form in bare], np.int32)
    codes, after = np.zeros(size, np.int32), np.zeros(size, np.int32)
    native.keyed(firsts, colons, afters, value[kinds], itself[kinds], FURTHEST, codes, after)
    return codes, list(names), after


def distinct(batch: Batch, starts: Column, ends: Column) -> tuple[Column, list[str]]:
    """Stretches of the text that read the same share a number: the numbers, and what each reads."""
    starts, ends = np.ascontiguousarray(starts, np.int32), np.ascontiguousarray(ends, np.int32)
    numbers, firsts = np.empty(len(starts), np.int32), np.empty(len(starts), np.int32)
    firsts = firsts[: kernels.number(batch.codes, starts, ends, numbers, firsts)]
    pairs = zip(starts[firsts].tolist(), ends[firsts].tolist(), strict=True)
    return numbers, [batch.text[start:end] for start, end in pairs]


@_once
def _cores(batch: Batch) -> tuple[Column, list[str]]:
    """For each token the number of the form of its chunk, from first word or number to last, where there are several,
    from 1 on, 0 for others; and these forms."""
    firsts, lasts, core_of = (np.empty(len(batch), np.int32) for _ in range(3))
    count = native.cores(batch.chunk_of, batch.wordy, firsts, lasts, core_of)
    kinds, forms = distinct(batch, batch.tokens.starts[firsts[:count]], batch.tokens.ends[lasts[:count]])
    return np.append(np.zeros(1, np.int32), kinds + 1)[core_of], forms


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
