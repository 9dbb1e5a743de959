"""Where many strings stand in a text, in time that does not grow with how many they are.

A few are looked for one by one, which is the quickest for them. Of many, all stretches of the text that are as long as
one of them are compared by a number that stands for each, and what has the number of one is compared letter by letter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from elision.text.classes import codes_of

FEW = 24  # strings that are looked for one by one
LONGEST = 48  # characters by which a longer string is found; the rest is compared where these stand
_BASE = 0x9E3779B97F4A7C15  # odd, so that there is a way back
_INVERSE = pow(_BASE, -1, 1 << 64)

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


def standing(strings: Collection[str], text: str) -> set[str]:
    """Which of the strings stand in the text."""
    if len(strings) <= FEW:
        return {string for string in strings if string in text}
    return {string for string, _ in places_of(strings, text)}


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
            for string in self._strings:  # noqa: SIM110  # a loop, as `any` costs twice that
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
    numbers = _numbers(text)
    return np.concatenate((np.zeros(1, np.uint64), np.cumsum(numbers * _powers(_BASE, len(numbers)))))


def _numbers(text: str) -> Sums:
    return codes_of(text).astype(np.uint64) + np.uint64(1)


def _powers(base: int, count: int) -> Sums:
    """The powers of a number, from 0 on, modulo 2 to the 64."""
    powers = np.full(count, base, np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint64)


def _like(sums: Sums, size: int, strings: Collection[str]) -> list[int]:
    """Places at which stretches of this size have the number of one of these strings of this size."""
    if size >= len(sums):
        return []
    numbers = (sums[size:] - sums[:-size]) * _powers(_INVERSE, len(sums) - size)
    wanted = np.unique(_numbers("".join(strings)).reshape(-1, size) @ _powers(_BASE, size))
    at = np.minimum(np.searchsorted(wanted, numbers), len(wanted) - 1)
    places: list[int] = np.flatnonzero(wanted[at] == numbers).tolist()
    return places
