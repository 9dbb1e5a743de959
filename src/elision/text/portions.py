"""Notes without end, some at a time: enough that what is done for many at once is worth it, not so many that memory is
full."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

PORTION = 1 << 19  # characters of notes that are tagged together
NOTE = 16  # what a note without a word counts for, in characters: a million of them still come in portions


def size_of(text: str) -> int:
    """What a note counts for in a portion."""
    return len(text) + NOTE


def portions(items: Iterable[Item], size: Callable[[Item], int], most: int = PORTION) -> Iterator[list[Item]]:
    """Items in runs of about so many characters; a longer one comes alone."""
    run: list[Item] = []
    total = 0
    for item in items:
        if run and total + size(item) > most:
            yield run
            run, total = [], 0
        run.append(item)
        total += size(item)
    if run:
        yield run
