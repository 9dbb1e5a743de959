"""Where many strings stand in a text, in time that does not grow with how many they are.

A few are looked for one by one, which is the quickest for them. Of many, all stretches of the text that are as long as
one of them are compared by a number that stands for each, and what has the number of one is compared letter by letter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from elision.characters import codes_of

FEW = 24  # strings that are looked for one by one
LONGEST = 48  # characters by which a longer string is found; the rest is compared where these stand
_BASE = 0x9E3779B97F4A7C15 | 1
_MOST = (1 << 64) - 1

Sums = npt.NDArray[np.uint64]


def places_of(strings: Collection[str], text: str) -> Iterator[tuple[str, int]]:
    """Each string with each place of the text where it begins, places that overlap included. Empty ones are nowhere."""
    if len(strings) <= FEW:
        for string in strings:
            at = text.find(string) if string else -1
            while at >= 0:
                yield string, at
                at = text.find(string, at + 1)
        return
    sizes: dict[int, set[str]] = {}
    longer: dict[str, dict[int, set[str]]] = {}  # by how they begin, and how long they are
    for string in strings:
        if len(string) > LONGEST:
            longer.setdefault(string[:LONGEST], {}).setdefault(len(string), set()).add(string)
        elif string:
            sizes.setdefault(len(string), set()).add(string)
    if longer:
        sizes.setdefault(LONGEST, set()).update(longer)
    sums = _sums(text)
    for size, of_size in sizes.items():
        known = of_size if size < LONGEST else of_size.intersection(strings)
        for at in _like(sums, size, of_size):
            stretch = text[at : at + size]
            if stretch in known:
                yield stretch, at
            if size == LONGEST:
                for whole, wanted in longer.get(stretch, {}).items():
                    if (found := text[at : at + whole]) in wanted:
                        yield found, at


class AnyOf:
    """Tells whether a short text holds one of many strings."""

    def __init__(self, strings: Iterable[str]) -> None:
        self._strings = tuple(strings)
        self._by_size: list[tuple[int, frozenset[str]]] = []
        if len(self._strings) > FEW:
            sizes: dict[int, list[str]] = {}
            for string in self._strings:
                sizes.setdefault(len(string), []).append(string)
            self._by_size = [(size, frozenset(of_size)) for size, of_size in sorted(sizes.items())]

    def __bool__(self) -> bool:
        return bool(self._strings)

    def within(self, text: str) -> bool:
        if not self._by_size:
            for string in self._strings:  # a loop, as `any` costs twice that
                if string in text:
                    return True
            return False
        for size, of_size in self._by_size:
            for at in range(len(text) - size + 1):
                if text[at : at + size] in of_size:
                    return True
        return False


def _sums(text: str) -> Sums:
    """Numbers of which the difference of two stands for what lies between, times a power of the base for where."""
    codes = codes_of(text).astype(np.uint64) + np.uint64(1)
    return np.concatenate((np.zeros(1, np.uint64), np.cumsum(codes * _powers(_BASE, len(codes)))))


def _powers(base: int, count: int) -> Sums:
    """The powers of a number, from 0 on, modulo 2 to the 64."""
    return np.concatenate(
        (np.ones(min(1, count), np.uint64), np.cumprod(np.full(max(0, count - 1), base, np.uint64), dtype=np.uint64))
    )


def _like(sums: Sums, size: int, strings: Iterable[str]) -> list[int]:
    """Places at which stretches of this size have the number of one of these strings of this size."""
    if size >= len(sums):
        return []
    inverse = pow(_BASE, -1, _MOST + 1)
    numbers = (sums[size:] - sums[:-size]) * _powers(inverse, len(sums) - size)
    wanted = np.unique(np.array([_sums(string)[-1] for string in strings], np.uint64))
    at = np.minimum(np.searchsorted(wanted, numbers), len(wanted) - 1)
    return np.flatnonzero(wanted[at] == numbers).tolist()  # type: ignore[no-any-return]
