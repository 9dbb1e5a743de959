"""The words of spans that identify somebody: which of them a model spells out, and how many patients have them.

Here a word is a token in small letters without accents. What the strings of a model spell depends on its kind
(`Holdings`): a piece of a word (a prefix, a character) spells nothing; a string of several words spells each of them
and every run of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from elision.document import Document
from elision.taggers.batch import Batch
from elision.taggers.chain import Ints
from elision.taggers.corpus import groups_with
from elision.text.characters import unaccented
from elision.text.tokens import Column

Counts = Mapping[str, npt.NDArray[np.int64]]  # of the strings of each list: in how many groups each is
Lists = Mapping[str, Sequence[str]]
Run = tuple[int, ...]  # words in a row, by number

_DIGITS = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Spelled:
    """Of so many distinct strings in the spans, those in the model; the fewest groups and the median of these."""

    distinct: int
    rare: int  # of all distinct ones, those in fewer groups than are asked for
    held: int
    fewest: int
    median: float
    below: int  # of those held, those in fewer groups than are asked for


class SpanWords:
    """The words of a batch by number, in how many groups each occurs, and the runs of them that the spans are."""

    def __init__(
        self,
        cut: Callable[[Sequence[str]], Batch],
        batch: Batch,
        of_token: Ints,
        documents: Sequence[Document],
        labels: Iterable[str],
    ) -> None:
        self._cut, self._note_of, self._of_token = cut, batch.note_of, of_token
        types, forms = batch.kinds
        self.numbers: dict[str, int] = {}
        of_form = np.array([self.numbers.setdefault(self.key(form), len(self.numbers)) for form in forms], np.int64)
        self.sequence: npt.NDArray[np.int64] = of_form[types] if len(forms) else np.zeros(0, np.int64)
        self.groups = groups_with(self.sequence, of_token, len(self.numbers))
        self._order = np.argsort(self.sequence, kind="stable")
        self._telling = {number for word, number in self.numbers.items() if any(c.isalnum() for c in word)}
        self.spans = set(self._spans(batch, documents, set(labels)))
        self.telling = {number for run in self.spans for number in run} & self._telling

    @staticmethod
    def key(token: str) -> str:
        return unaccented(token.lower(), "NFKD")

    def groups_of(self, word: str) -> int:
        number = self.numbers.get(word)
        return 0 if number is None else int(self.groups[number])

    def groups_with_run(self, run: Run) -> int:
        """In how many groups these words stand in a row."""
        low, high = np.searchsorted(self.sequence, [run[0], run[0] + 1], sorter=self._order)
        at = self._order[low:high]
        at = at[at + len(run) <= len(self.sequence)]
        for distance, number in enumerate(run[1:], 1):
            at = at[self.sequence[at + distance] == number]
        at = at[self._note_of[at] == self._note_of[at + len(run) - 1]]
        return len(np.unique(self._of_token[at]))

    def _spans(self, batch: Batch, documents: Sequence[Document], labels: set[str]) -> Iterator[Run]:
        for at, document in enumerate(documents):
            tokens, first = batch.tokens_of(at), int(batch.notes[at])
            for span in document.spans:
                if span.label in labels:
                    begin = first + int(np.searchsorted(tokens.ends, span.start, side="right"))
                    end = first + int(np.searchsorted(tokens.starts, span.end, side="left"))
                    if end > begin:
                        yield tuple(self.sequence[begin:end].tolist())

    def numbers_of(self, values: Sequence[str], *, digits: bool) -> list[int]:
        """The values as words; -1 for what no note has, and for what holds digits if these are not told."""
        return [
            -1 if not digits and _DIGITS.search(value) else self.numbers.get(self.key(value), -1) for value in values
        ]

    def runs_in(self, values: Sequence[str], *, digits: bool) -> list[Run]:
        """Each value as the words that it spells; -1 for what no note has, and for numbers if digits are not told."""
        batch = self._cut(list(values))
        types, forms = batch.kinds
        numbers = np.array(self.numbers_of(forms, digits=digits), np.int64)[types].tolist() if forms else []
        return [tuple(numbers[first:after]) for first, after in pairwise(batch.notes.tolist())]


class Holdings(Protocol):
    """What a model of one kind holds in clear, and what its strings spell."""

    @property
    def least(self) -> int:
        """Groups that a string must be in, as the model's settings have it."""

    @property
    def lists(self) -> Lists:
        """The strings that come from notes, by name of their list."""

    @property
    def before(self) -> Mapping[str, Collection[str]]:
        """Those of the strings that are not from these notes, as something that learning began with holds them."""

    @property
    def given(self) -> Iterable[str]:
        """Words of lists in the settings."""

    def batch(self, texts: Sequence[str]) -> Batch: ...

    def counted(self, batch: Batch, groups: Column) -> tuple[Counts, Counts]:
        """In how many of the groups of notes each string of each list is, and each conjunction of strings."""

    def spelled(self, words: SpanWords, clear: Lists) -> list[Run]:
        """What the strings of some lists spell."""

    def rows(self, words: SpanWords, clear: Lists) -> Iterator[Run]:
        """The runs of several words that the model spells."""


def count_words(words: SpanWords, runs: Iterable[Run], least: int) -> Spelled:
    """The words of the spans that runs spell."""
    held = words.telling & {number for run in runs for number in run}
    rare = sum(int(words.groups[number]) < least for number in words.telling)
    return _spelled(len(words.telling), rare, [int(words.groups[number]) for number in held], least)


def count_strings(words: SpanWords, runs: Iterable[Run], least: int) -> Spelled:
    """The spans of several words that are spelt from end to end by one run."""
    wanted = {run for run in words.spans if len(run) > 1}
    longest = max(map(len, wanted), default=0)
    parts = {
        run[first:after]
        for run in runs
        for first in range(len(run) - 1)
        for after in range(first + 2, min(len(run), first + longest) + 1)
    }
    rare = sum(words.groups_with_run(run) < least for run in wanted)
    return _spelled(len(wanted), rare, [words.groups_with_run(run) for run in wanted & parts], least)


def _spelled(distinct: int, rare: int, counts: Sequence[int], least: int) -> Spelled:
    fewest, median = (min(counts), float(np.median(counts))) if counts else (0, 0.0)
    return Spelled(distinct, rare, len(counts), fewest, median, sum(count < least for count in counts))
