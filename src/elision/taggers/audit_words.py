"""The words of spans that identify somebody: which of them a model spells out, and how many patients have them.

Here a word is a token in small letters without accents. A value that is a piece of a word (a prefix, a shape) spells
nothing; a value of several words spells each of them and every run of them. A conjunction of words at neighbouring
places spells them in a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from elision.document import Document
from elision.taggers.batch import Batch
from elision.taggers.chain import Ints
from elision.taggers.linear.columns import groups_with
from elision.taggers.linear.context_features import PLACES
from elision.taggers.linear.learning import KEY_BITS
from elision.taggers.linear.model import Keys, Linear
from elision.taggers.linear.tagger import LinearTagger
from elision.text.characters import unaccented

Run = tuple[int, ...]  # words in a row, by number

# Attributes whose values are no words: pieces of them, shapes, marks. A name that is not here counts as one of words.
_NO_WORDS = re.compile(
    r"(prefix|suffix)\d+|gram\d+-\d+|(chunk-)?(shape|brief)|length|upper|title|inner-upper|roman|some-.*|digits"
    r"|letters-digits|digits-punctuation|gap|line-place|key-distance|chunk-place|sentence-.*|pos2?"
    r"|(vector|group)-\d+|listed|(lexicon|in|pattern)-.*"
)
_WORD_ALONE = ("form", "lower", "plain", "short")  # attributes that are the token itself
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
        self, tagger: LinearTagger, batch: Batch, of_token: Ints, documents: Sequence[Document], labels: Iterable[str]
    ) -> None:
        self._tagger, self._note_of, self._of_token = tagger, batch.note_of, of_token
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

    def numbers_of(self, name: str, values: Sequence[str]) -> list[int]:
        """The values of an attribute that is the token itself, as words; -1 for what no note has or digits hide."""
        hidden = name == "plain"
        return [-1 if hidden and _DIGITS.search(value) else self.numbers.get(self.key(value), -1) for value in values]

    def runs_in(self, values: Sequence[str], *, digits: bool) -> list[Run]:
        """Each value as the words that it spells; -1 for what no note has, and for numbers if digits are not told."""
        batch = self._tagger.batch(list(values))
        types, forms = batch.kinds
        known = [-1 if not digits and _DIGITS.search(form) else self.numbers.get(self.key(form), -1) for form in forms]
        numbers = np.array(known, np.int64)[types].tolist() if forms else []
        return [tuple(numbers[first:after]) for first, after in pairwise(batch.notes.tolist())]

    def spelled(self, clear: Mapping[str, Sequence[str]]) -> list[Run]:
        """What the values of all lists of strings spell."""
        runs: list[Run] = []
        for name, values in clear.items():
            kind = words_kind(name)
            if kind == "alone":
                runs += [(number,) for number in self.numbers_of(name, values)]
            elif kind == "several":
                runs += self.runs_in(values, digits=name not in PLACES)
        return runs


def words_kind(name: str) -> Literal["alone", "several", "none"]:
    """Whether the values of an attribute are words alone, may hold several, or hold none."""
    if name in _WORD_ALONE:
        return "alone"
    return "none" if _NO_WORDS.fullmatch(name) else "several"


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


def spelled_by(linear: Linear, held: Keys, words: SpanWords, clear: Mapping[str, Sequence[str]]) -> Iterator[Run]:
    """All runs of words that the model spells: by values of several words, and by the conjunctions held."""
    yield from (run for run in words.spelled(clear) if len(run) > 1)
    single = {
        name: np.array([-1, *words.numbers_of(name, linear.values[name])], np.int64)
        for name in _WORD_ALONE
        if name in linear.values
    }
    for number, template in enumerate(linear.templates, 1):
        if template.alone:
            continue
        shift = KEY_BITS * len(template.terms)
        low, high = np.searchsorted(held, np.array([number << shift, number + 1 << shift], np.uint64))
        keys = held[low:high]
        places = {
            offset: single[name][
                (keys >> np.uint64(shift - KEY_BITS * at) & np.uint64((1 << KEY_BITS) - 1)).astype(np.int64)
            ]
            for at, (name, offset) in enumerate(template.terms, 1)
            if name in single
        }
        for offsets in _neighbours(sorted(places)):
            yield from map(tuple, np.stack([places[offset] for offset in offsets], axis=1).tolist())


def _neighbours(offsets: Sequence[int]) -> list[list[int]]:
    """The runs of two and more offsets that follow one another."""
    runs: list[list[int]] = []
    for offset in offsets:
        if runs and runs[-1][-1] == offset - 1:
            runs[-1].append(offset)
        else:
            runs.append([offset])
    return [run for run in runs if len(run) > 1]
