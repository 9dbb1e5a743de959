"""How a stand-in is chosen: from a list by rendezvous hashing, and the same again in one patient's notes under one key.

Every entry has a weight for every keyed number, and the heaviest one is chosen. An entry's weight depends on its own
text and that number alone: in a list that grows by one entry, that entry wins some numbers, and all else stays.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import overload

import numpy as np
from numpy.typing import NDArray

from elision.keys import Secret
from elision.languages.base import DEFAULT


def nothing(_word: str) -> bool:
    return False


_LEAST = 3  # letters of a word that no stand-in may hold


class Called(frozenset[str]):
    """The plain words by which people of a note are called. A long note has tens of thousands, and none of what is
    asked for each of its names takes longer for that."""

    def apart(self, candidate: str) -> bool:
        """Whether none of the words holds a plain word, or is held by it; short ones do not count."""
        at = bisect_left(self._tails, candidate)
        if at < len(self._tails) and self._tails[at].startswith(candidate):
            return False
        ends = range(_LEAST, len(candidate) + 1)
        return self.isdisjoint(candidate[start:end] for end in ends for start in range(end - _LEAST + 1))

    @cached_property
    def _tails(self) -> list[str]:
        return sorted({word[at:] for word in self if len(word) >= _LEAST for at in range(len(word))})


@dataclass(frozen=True, slots=True)
class Scope:
    """Where stand-ins agree: the same original in the same scope has the same stand-in, in every run and process.

    `forbidden` tells of a stand-in that it must not be used: it is, or holds, something that is replaced in this note,
    or a known value of a patient. Makers try another one then, in an order that depends on the key alone. `called` are
    the words by which people of this note are called, however short: NG is then no initials.
    """

    secret: Secret
    patient: str  # or the note, where no patient is known
    language: str = DEFAULT  # perhaps with a country: en-GB
    forbidden: Callable[[str], bool] = nothing
    called: Called = Called()  # noqa: RUF009 - it is frozen

    def number(self, *parts: str) -> int:
        """A number below 2**64 that stands for these texts in this scope."""
        return self.secret.number(self.patient, *parts)


_FIRST, _SECOND, _HALF = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53), np.uint64(33)  # as MurmurHash3


def weights(numbers: NDArray[np.uint64], keyed: NDArray[np.uint64] | np.uint64) -> NDArray[np.uint64]:
    """The weights of entries with these numbers for a keyed number."""
    mixed = numbers ^ keyed
    mixed *= _FIRST
    mixed ^= mixed >> _HALF
    mixed *= _SECOND
    return mixed


class Choices(Sequence[str]):
    """Entries, each once and sorted."""

    def __init__(self, entries: Iterable[str]) -> None:
        self._there = frozenset(entries)
        self._entries = tuple(sorted(self._there))

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self._entries[at]

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, entry: object) -> bool:
        return entry in self._there

    @cached_property
    def numbers(self) -> NDArray[np.uint64]:
        """A number for each entry, worked out from its text."""
        raw = b"".join(blake2b(entry.encode(), digest_size=8).digest() for entry in self._entries)
        return np.frombuffer(raw, dtype=">u8").astype(np.uint64)

    def ranked(self, keyed: int) -> Iterator[str]:
        """The entries for a keyed number, the heaviest first."""
        if not self._entries:
            return
        left = weights(self.numbers, np.uint64(keyed))
        for _ in self._entries:
            at = int(left.argmax())
            yield self._entries[at]
            left[at] = 0
