"""The loops over characters and tokens in plain Python and numpy: what the compiled ones must do, and what runs where
they were not built.

Each function has the signature of its twin in `_loops.c` and writes into the same arrays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from zlib import crc32

import numpy as np
import numpy.typing as npt

from elision.text.characters import HAN_RANGES
from elision.text.classes import DIGIT, HAN, LETTER, LOWER, MARK, OTHER, SPACE, UNKNOWN, UPPER, codes_of

Codes = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.int32]
Kinds = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

FIRST = 9  # "newlines" before the first token of a note
_PHONE = re.compile(r"\d{4}[-.,]\d{3}[-.,]\d{4}\d*")
_LETTER = rf"[^\W\d_{HAN_RANGES}]"
_UNIT = re.compile(rf"({_LETTER}+(?:[\u0300-\u036f]+{_LETTER}*)*|\d+|[{HAN_RANGES}])")
LONGEST_WORD = 8  # characters of a Chinese word
SHORTEST = 5  # letters of a word that may have a slip
MOST_LETTERS = 61  # of a word that can be a slip of another
_COLONS = (ord(":"), ord("："))


def cut(codes: Codes, table: Kinds, starts: Ints, ends: Ints, /) -> int:
    """Tokens: at every change between letters, digits and punctuation, at case changes, between Chinese characters, and
    before a telephone number. Returns how many there are, -1 if the table does not know the class of a character."""
    kinds = table[codes]
    if not len(kinds):
        return 0
    if kinds.max() == UNKNOWN:
        return -1
    kinds = _settle_marks(kinds)
    begins, solid = _boundaries(kinds), kinds != SPACE
    after = np.append(begins[1:] | ~solid[1:], True)
    firsts, afters = _unglue_phones(codes, np.flatnonzero(begins & solid), np.flatnonzero(after & solid) + 1)
    starts[: len(firsts)], ends[: len(afters)] = firsts, afters
    return len(firsts)


def _unglue_phones(
    codes: Codes, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Cut digits glued to a telephone number from it: 47798 of 47798497-045-1949 (He 2015, Table 1)."""
    sizes = ends - starts
    like = (sizes[:-4] > 3) & (sizes[1:-3] == 1) & (sizes[2:-2] == 3) & (sizes[3:-1] == 1) & (sizes[4:] > 3)
    cuts = [
        int(ends[i]) - 3
        for i in np.flatnonzero(like).tolist()
        if _PHONE.fullmatch("".join(map(chr, codes[ends[i] - 4 : ends[i + 4]].tolist())))
    ]
    return np.sort(np.append(starts, cuts)).astype(np.int64), np.sort(np.append(ends, cuts)).astype(np.int64)


def _settle_marks(kinds: Kinds) -> Kinds:
    """Marks and zero-width characters inside a word stay in it; elsewhere each stands alone."""
    marks = np.flatnonzero(kinds == MARK)
    for run in np.split(marks, np.flatnonzero(np.diff(marks) > 1) + 1) if len(marks) else ():
        first, last = int(run[0]), int(run[-1])
        before = kinds[first - 1] if first else SPACE
        after = kinds[last + 1] if last + 1 < len(kinds) else SPACE
        if not (UPPER <= before <= DIGIT and UPPER <= after <= DIGIT):
            kinds[first : last + 1] = OTHER
    return kinds


def _boundaries(kinds: Kinds) -> Mask:
    """Where a token begins, white space counted as if it were one."""
    letters = kinds != MARK
    begins = np.zeros(len(kinds), np.bool_)
    begins[letters] = _letter_boundaries(kinds[letters])
    return begins


def _letter_boundaries(kinds: Kinds) -> Mask:
    before, here = kinds[:-1], kinds[1:]
    cut = (here >= HAN) | (before >= HAN) | ((before == DIGIT) != (here == DIGIT))
    cut |= (here == SPACE) != (before == SPACE)
    cut |= ((before == LOWER) | (before == LETTER)) & (here == UPPER)  # LETTER: the º of NºCol
    # ALMarital: of a run of capitals, the last one belongs to the small letters that follow.
    cut[:-1] |= (before[:-1] == UPPER) & (here[:-1] == UPPER) & (here[1:] == LOWER)
    return np.concatenate((np.ones(1, np.bool_), cut))


def lay(
    codes: Codes, starts: Ints, ends: Ints, notes: Ints, note_of: Ints, newlines: Ints, line_of: Ints,
    line_starts: Ints, chunk_of: Ints, gaps: Ints, /,
) -> int:  # fmt: skip
    """Where each token stands: its note, its line, its chunk (a stretch without white space); how many newlines stand
    before it, FIRST for the first of a note; what stands there: nothing, a blank, several, a newline, several, the
    beginning of the note. `line_starts` gets each line's first token, and the end; returns how many lines."""
    fresh = notes[:-1][np.diff(notes) > 0]
    note_of[:] = np.repeat(np.arange(len(notes) - 1, dtype=np.int32), np.diff(notes))
    # a lone carriage return is a line's end, too
    breaks = np.flatnonzero((codes == 10) | ((codes == 13) & (np.append(codes[1:], 0) != 10)))
    newlines[:] = np.diff(np.searchsorted(breaks, starts), prepend=0)
    newlines[fresh] = FIRST
    begins = np.flatnonzero(newlines > 0)
    line_starts[: len(begins)], line_starts[len(begins)] = begins, len(starts)
    line_of[:] = np.repeat(np.arange(len(begins), dtype=np.int32), np.diff(begins, append=len(starts)))
    space = starts - np.append(np.zeros(1, np.int32), ends)[: len(starts)]
    chunk_begins = space > 0
    chunk_begins[fresh] = True
    chunk_of[:] = np.cumsum(chunk_begins) - 1
    gaps[:] = np.minimum(space, 2)
    gaps[newlines == 1] = 3
    gaps[newlines > 1] = 4
    gaps[newlines == FIRST] = 5
    return len(begins)


def colons(
    codes: Codes, starts: Ints, ends: Ints, kinds: Kinds, newlines: Ints, line_of: Ints, line_starts: Ints,
    chunk_of: Ints, most: int, firsts: Ints, at: Ints, afters: Ints, /,
) -> int:  # fmt: skip
    """The colons that end a key, and not a line's beginning or a time of day: where the key begins (with the line or,
    further into it and behind another key, with the word) and where what it says ends. Returns how many there are."""
    found: list[tuple[int, int, int]] = []
    last_line = -1
    for here in np.flatnonzero(np.isin(codes[starts], _COLONS) & (newlines == 0)).tolist():
        if here == 0 or kinds[ends[here - 1] - 1] == DIGIT:
            continue
        line = int(line_of[here])
        first = int(line_starts[line])
        if line == last_line or here - first > most:
            first = max(int(np.searchsorted(chunk_of, chunk_of[here])), first)
        last_line = line
        if first < here:
            found.append((first, here, int(line_starts[line + 1])))
    for number, (first, here, after) in enumerate(found):
        following = found[number + 1][1] + 1 if number + 1 < len(found) else after
        firsts[number], at[number], afters[number] = first, here, min(after, following)
    return len(found)


def keyed(
    firsts: Ints, at: Ints, afters: Ints, values: Ints, own: Ints, furthest: int, codes: Ints, distances: Ints, /
) -> None:
    """Codes of keys for what stands behind them, with how far behind, and for the keys themselves. Of keys that lie in
    each other, the last one counts; they come in the order of their colons, as `colons` gives them."""
    stretches = list(zip(*(column.tolist() for column in (firsts, at, afters, values, own)), strict=True))
    for _, colon, after, value, _ in stretches:
        if after > colon + 1:
            codes[colon + 1 : after] = value
            distances[colon + 1 : after] = np.minimum(np.arange(1, after - colon), furthest) if value else 0
    written = len(codes)  # from behind, so that no token is written twice
    for first, colon, _, _, itself in reversed(stretches):
        if itself:
            codes[first : min(colon + 1, written)] = itself
            distances[first : min(colon + 1, written)] = 0
            written = min(first, written)


def elsewhere(kinds: Ints, notes: Ints, worth: Mask, keys: Ints, telling: Ints, codes: Ints, /) -> None:
    """For tokens whose form is `worth` it and occurs more than once in the note: 2 and the number of the first key that
    tells something (`telling`: 0 if not) behind which it does and that is not this one's, 1 if there is none."""
    for first, after in zip(notes[:-1].tolist(), notes[1:].tolist(), strict=True):
        part = slice(first, after)
        at = [first + i for i in np.flatnonzero(worth[kinds[part]]).tolist()]
        often: dict[int, list[int]] = {}
        for i in at:
            often.setdefault(int(kinds[i]), []).append(int(telling[keys[i]]))
        for i in at:
            told = often[int(kinds[i])]
            if len(told) > 1:
                two = [*dict.fromkeys(key for key in told if key), 0, 0]
                other = two[0] if two[0] != keys[i] else two[1]
                codes[i] = other + 2 if other else 1


def cores(chunk_of: Ints, wordy: Mask, firsts: Ints, lasts: Ints, core_of: Ints, /) -> int:
    """Chunks of several words or numbers: first and last of these, and for each token between them the chunk's number,
    from 1 on, 0 for others; returns how many there are."""
    words = np.flatnonzero(wordy)
    begins = np.flatnonzero(np.diff(chunk_of[words], prepend=-1))
    ends = np.append(begins[1:], len(words)) - 1
    many = ends > begins
    count = int(many.sum())
    firsts[:count], lasts[:count] = words[begins[many]], words[ends[many]]
    core_of[:] = 0
    for number, (first, last) in enumerate(zip(firsts[:count].tolist(), lasts[:count].tolist(), strict=True), 1):
        core_of[first : last + 1] = number
    return count


def chunk_places(chunk_of: Ints, most: int, codes: Ints, /) -> None:
    """How many tokens stand before and behind each in its chunk, each up to `most`: before x (most + 1) + behind."""
    at = np.arange(len(chunk_of))
    before = np.minimum(at - np.searchsorted(chunk_of, chunk_of), most)
    behind = np.minimum(np.searchsorted(chunk_of, chunk_of, side="right") - 1 - at, most)
    codes[:] = before * (most + 1) + behind


def words(
    codes: Codes,
    starts: Ints,
    ends: Ints,
    kinds: Kinds,
    keys: Codes,
    buckets: Ints,
    costs: npt.NDArray[np.uint16],
    unknown: int,
    firsts: Ints,
    which: Ints,
    /,
) -> None:
    """The words of Chinese text, those that are the cheapest together: the first token of the word in which each
    stands, and the word's place among `keys`, checksums of known words that ascend. A character that is no known word
    costs `unknown` and has the place -1; what is not Chinese has -1 for both. `buckets` tells where keys with each
    upper half begin."""
    del buckets

    def place(word: str) -> int:
        key = crc32(word.encode())
        at = int(keys.searchsorted(key))
        return at if at < len(keys) and keys[at] == key else -1

    firsts[:], which[:] = -1, -1
    han = (kinds[starts] == HAN) & (ends - starts == 1)
    runs = np.cumsum(~han | (np.diff(np.append(starts, -1), prepend=-1)[:-1] != 1) | ~np.append(False, han[:-1]))
    for run in np.unique(runs[han]).tolist():
        here = np.flatnonzero(runs == run)
        text = "".join(map(chr, codes[starts[here]].tolist()))
        steps: list[tuple[int, int, int]] = [(0, -1, 0)]  # from the end on: the cost so far, a word's place and size
        for begin in range(len(text) - 1, -1, -1):
            best = (unknown + steps[-1][0], -1, 1)
            for size in range(1, min(LONGEST_WORD, len(text) - begin) + 1):
                at = place(text[begin : begin + size])
                if at >= 0 and (cost := int(costs[at]) + steps[-size][0]) <= best[0]:
                    best = (cost, at, size)
            steps.append(best)
        begin = 0
        while begin < len(text):
            _, at, size = steps[len(text) - begin]
            firsts[here[begin : begin + size]], which[here[begin : begin + size]] = here[begin], at
            begin += size


def units(
    text: str, table: Kinds, words: Mapping[str, tuple[str, int]], /
) -> tuple[list[int], list[int], list[str], list[str], bytes] | None:
    """The words, numbers and single Chinese characters of a text as columns: starts, ends, texts, and what `words` says
    of each, its key and kind. None if the table does not know the class of a character."""
    if (table[codes_of(text)] == UNKNOWN).any():
        return None
    parts = _UNIT.split(text)  # what stands between two units, a unit, and so on
    edges = list(accumulate(map(len, parts)))
    said = [words[part] for part in parts[1::2]]
    return edges[:-1:2], edges[1::2], parts[1::2], [key for key, _ in said], bytes(kind for _, kind in said)


def nearest(words: list[str], known: list[str], limits: bytes, /) -> list[int]:
    """For each word the number of the nearest known one, the first of several, within the slips that each known one may
    have; -1 if there is none. Words of more than MOST_LETTERS letters are near to none."""
    return [_nearest(word, known, limits) for word in words]


def _nearest(word: str, known: Sequence[str], limits: bytes) -> int:
    best, least, letters = -1, 256, set(word)
    for at, (other, limit) in enumerate(zip(known, limits, strict=True)):
        most = min(limit, least - 1)
        if len(max(word, other, key=len)) > MOST_LETTERS or abs(len(word) - len(other)) > most:
            continue
        if len(letters.difference(other)) <= most and begins_alike(word, other):
            slips = distance(word, other, most)
            if slips is not None:
                best, least = at, slips
    return best


def begins_alike(word: str, known: str) -> bool:
    """In words of five letters the first letter stays, or changes places with the second: Bowel is not Dowel."""
    return len(known) > SHORTEST or word[:1] == known[:1] or (word[:1] == known[1:2] and word[1:2] == known[:1])


def distance(a: str, b: str, most: int) -> int | None:
    """How many slips lie between two words; None if more than so many."""
    if abs(len(a) - len(b)) > most:
        return None
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None
