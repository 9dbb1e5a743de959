"""A folded view of a text, with the way back to offsets of the original.

Identifiers hide in odd characters: full-width digits, zero-width spaces inside a name, soft hyphens, no-break
hyphens and spaces, accents as combining marks, Cyrillic letters that look Latin. Rules and lookups read the folded
text, where all these are plain; every place in it leads back to the exact original characters.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from elision.text.characters import HAN_FIXED

# Characters that look like an ASCII one but that compatibility folding leaves alone.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−⁃﹘", "-"),
        **dict.fromkeys("‘’‚‛′ʹʼˈ´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("⁄∕", "/"),
        **dict.fromkeys("\u2028\u2029", "\n"),
    }
)
_KEPT = "ªº"  # Spanish ordinals: Nº is not "No"
_WORD = re.compile(r"[^\W\d_\u2e80-\U0010ffff]+")  # Chinese characters end a word: no blank does there


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; character i of it comes from `original[starts[i]:ends[i]]`."""

    text: str
    starts: npt.NDArray[np.int32] | None  # None: nothing moved, offsets are the same
    ends: npt.NDArray[np.int32] | None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """A stretch of the folded text as a stretch of the original: all that went into it."""
        if self.starts is None or self.ends is None:
            return start, end
        if start >= end:
            at = int(self.starts[start]) if start < len(self.starts) else int(self.ends[-1]) if len(self.ends) else 0
            return at, at
        return int(self.starts[start]), int(self.ends[end - 1])

    def then(self, other: Folded) -> Folded:
        """This view, folded further by `other`, a view of its text."""
        if other.starts is None or other.ends is None or self.starts is None or self.ends is None:
            moved = self if other.starts is None else other
            return Folded(other.text, moved.starts, moved.ends)
        return Folded(other.text, self.starts[other.starts], self.ends[other.ends - 1])

    def folded(self, start: int, end: int) -> tuple[int, int]:
        """A stretch of the original as a stretch of the folded text: all that came out of it."""
        if self.starts is None or self.ends is None:
            return start, end
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        return (first, last) if first < last else (first, first)

    def within(self, stretches: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """Stretches of the original as stretches of the folded text: what came out of each and of nothing else."""
        if self.starts is None or self.ends is None:
            return stretches
        firsts = np.searchsorted(self.starts, [start for start, _ in stretches], side="left").tolist()
        lasts = np.searchsorted(self.ends, [end for _, end in stretches], side="right").tolist()
        return list(zip(firsts, map(max, firsts, lasts), strict=True))


def fold(text: str) -> Folded:
    """Fold a text. Folding what is folded changes nothing.

    What one pass uncovers the next may fold: an accent that a zero-width space kept from its letter, or one on a
    look-alike letter. So passes follow until nothing changes, nearly always after the first.
    """
    if text.isascii():
        return Folded(text, None, None)
    view = _fold_once(text)
    while view.text != text:
        text = view.text
        view = view.then(_fold_once(text))
    return view


def _fold_once(text: str) -> Folded:
    seen = set(_worth_a_look().findall(text))
    if not seen:
        return Folded(text, None, None)
    odd = frozenset(character for character in seen if not _folds_to_itself(character))
    if not odd:
        return Folded(_unmask(text), None, None)
    pieces: list[str] = []
    moves: list[tuple[int, int, int]] = []  # a cluster's start and end, and how many characters come of it
    at = 0
    for run in _runs_of(odd).finditer(text):
        first = run.start() - 1 if run.start() > at and unicodedata.combining(run[0][0]) else run.start()
        pieces.append(text[at:first])
        for start, end in _clusters(text, first, run.end()):
            plain = _fold_cluster(text[start:end])
            pieces.append(plain)
            moves.append((start, end, len(plain)))
        at = run.end()
    pieces.append(text[at:])
    return Folded(_unmask("".join(pieces)), *_places(moves, len(text)))


def viewed(text: str, moves: Sequence[tuple[int, int, str]]) -> Folded:
    """A text with other words in the place of stretches of it, which ascend and do not overlap."""
    pieces: list[str] = []
    at = 0
    for start, end, new in moves:
        pieces += (text[at:start], new)
        at = end
    pieces.append(text[at:])
    return Folded("".join(pieces), *_places([(start, end, len(new)) for start, end, new in moves], len(text)))


def _places(moves: list[tuple[int, int, int]], size: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """For each folded character where what it comes from starts and ends; between moves nothing changes."""
    first, after, many = np.array(moves, np.int32).T
    kept = np.ones(size, np.int32)  # how many folded characters stand for each original one
    for start, end in zip(first.tolist(), after.tolist(), strict=True):
        kept[start:end] = 0
    kept[first] = many
    starts = np.repeat(np.arange(size, dtype=np.int32), kept)
    ends = np.arange(1, size + 1, dtype=np.int32)
    ends[first] = after
    return starts, np.repeat(ends, kept)


@cache
def _worth_a_look() -> re.Pattern[str]:
    """Any character but those that most texts are made of and that stay as they are: Latin letters, Chinese ones."""
    plain = [chr(code) for code in range(0x250) if _folds_to_itself(chr(code)) and code not in _lookalikes()]
    return re.compile(f"[^{re.escape(''.join(plain))}{HAN_FIXED}]")


@cache
def _folds_to_itself(character: str) -> bool:
    return not unicodedata.combining(character) and _fold_cluster(character) == character


@lru_cache(maxsize=1_000)
def _runs_of(characters: frozenset[str]) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(sorted(characters)))}]+")


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The characters from start to end, each with the combining marks that follow it."""
    at = start
    for i in range(start + 1, end):
        if not unicodedata.combining(text[i]):
            yield at, i
            at = i
    yield at, end


@lru_cache(maxsize=100_000)
def _fold_cluster(cluster: str) -> str:
    """One character and its marks, plain; "" for what only hides."""
    if cluster in _KEPT:
        return cluster
    plain = cluster.translate(_PLAIN)
    if plain == cluster:
        plain = _compatible(cluster).translate(_PLAIN)
    return "".join(_digit(character) for character in plain if not _hides(character))


def _compatible(cluster: str) -> str:
    """NFKC, but no character that stands alone becomes a blank with a loose accent."""
    folded = unicodedata.normalize("NFKC", cluster)
    if folded[:1] == " " and len(folded) > 1:
        return cluster
    return " " if len(cluster) == 1 and unicodedata.category(cluster) == "Zs" else folded


def hides(text: str) -> bool:
    """Whether a text has characters in it that no reader sees."""
    return not text.isascii() and any(map(_hides, text))


def _hides(character: str) -> bool:
    """Zero-width characters, soft hyphens, direction marks, variation selectors."""
    return unicodedata.category(character) == "Cf" or "\ufe00" <= character <= "\ufe0f"


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


@cache
def _lookalikes() -> dict[int, str]:
    table = tomllib.loads((files("elision") / "data" / "lookalikes.toml").read_text("utf-8"))
    return {ord(a): b for row in table.values() for a, b in zip(row["from"], row["to"], strict=True)}


@cache
def _foreign() -> re.Pattern[str]:
    return re.compile(f"[{''.join(map(chr, _lookalikes()))}]")


def _unmask(text: str) -> str:
    """Look-alike letters to Latin ones, in words whose foreign letters are all look-alikes. One for one."""
    if not _foreign().search(text):
        return text
    return _WORD.sub(lambda match: _unmask_word(match[0]), text)


def _unmask_word(word: str) -> str:
    table = _lookalikes()
    if all(ord(c) in table or "LATIN" in unicodedata.name(c, "") for c in word):
        return word.translate(table)
    return word
