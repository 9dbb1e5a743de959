"""What a neural model, or a folder of `elision pretrain`, holds in clear: words, and characters.

No list spells several words in a row. What the weights themselves may have kept of the notes, nobody can count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from elision.taggers.audit_words import Counts, Lists, Run, SpanWords
from elision.taggers.batch import Batch, gather
from elision.taggers.corpus import groups_with
from elision.taggers.cutters import batch_of
from elision.taggers.neural import pretrained as raw
from elision.taggers.neural.inputs import EDGES, characters_with, inputs_of
from elision.taggers.neural.pretrained import Pretrained, form_of
from elision.taggers.neural.tagger import NeuralTagger
from elision.taggers.neural.weights import BRANCHES, CHARACTERS, TEXT
from elision.text.tokens import Column

LETTERS = (CHARACTERS, raw.CHARACTERS)
Longs = npt.NDArray[np.int64]


class NeuralHoldings:
    """See `elision.taggers.audit_words.Holdings`; `start` is the model from which learning went on, `pretrained` what
    learning began with."""

    given: Iterable[str] = ()

    def __init__(self, tagger: NeuralTagger, start: NeuralTagger | None, pretrained: Pretrained | None) -> None:
        self._settings = tagger.settings
        self.lists: Lists = _lists(tagger)
        before: dict[str, frozenset[str]] = {}
        if pretrained:
            before[raw.CHARACTERS] = frozenset(pretrained.characters)
            before[TEXT] = frozenset(pretrained.words if self._settings.words_of else ())
        for name, strings in (_lists(start) if start else {}).items():
            before[name] = before.get(name, frozenset()) | {*strings}
        self.before: Mapping[str, Collection[str]] = before

    @property
    def least(self) -> int:
        return self._settings.least

    def batch(self, texts: Sequence[str]) -> Batch:
        return batch_of(self._settings, texts)

    def counted(self, batch: Batch, groups: Column) -> tuple[Counts, Counts]:
        inputs = inputs_of(self._settings, batch)
        stands = inputs.form_of[:-1]
        group = groups[np.searchsorted(inputs.notes, np.arange(len(stands)), side="right") - 1]
        found: dict[str, Longs] = {}
        for name, strings in self.lists.items():
            if name in BRANCHES:
                found[name] = _of_words(inputs.forms, stands, group, strings)
            elif name in LETTERS:
                found[name] = _of_characters(batch, groups, strings)
        return found, {}

    def spelled(self, words: SpanWords, clear: Lists) -> list[Run]:
        return _alone(words, clear, digits=self._settings.digits == "kept")

    def rows(self, *_: object) -> Iterator[Run]:
        return iter(())


class PretrainedHoldings:
    """See `elision.taggers.audit_words.Holdings`."""

    given: Iterable[str] = ()

    def __init__(self, pretrained: Pretrained) -> None:
        self.lists: Lists = pretrained.lists()
        self.before: Mapping[str, Collection[str]] = {raw.CHARACTERS: ("\n",)}  # known, whatever the notes hold
        self._card = pretrained.card

    @property
    def least(self) -> int:
        settings = self._card.get("settings")
        least = settings.get("least") if isinstance(settings, dict) else None
        return least if isinstance(least, int) else 0

    def batch(self, texts: Sequence[str]) -> Batch:
        return gather(texts, str(self._card.get("language", "")))

    def counted(self, batch: Batch, groups: Column) -> tuple[Counts, Counts]:
        stands, forms = batch.kinds
        known = [form_of(form) for form in forms]
        words = _of_words(known, stands, groups[batch.note_of], self.lists[raw.WORDS])
        return {raw.WORDS: words, raw.CHARACTERS: _of_characters(batch, groups, self.lists[raw.CHARACTERS])}, {}

    def spelled(self, words: SpanWords, clear: Lists) -> list[Run]:
        return _alone(words, clear, digits=False)

    def rows(self, *_: object) -> Iterator[Run]:
        return iter(())


def _lists(tagger: NeuralTagger) -> dict[str, Sequence[str]]:
    """The strings of a model that come from notes; the edges of words do not."""
    found = {name: [each for each in known if each not in EDGES] for name, known in tagger.network.words.items()}
    return {**found, **(tagger.network.pretrained.lists() if tagger.network.pretrained else {})}


def _of_words(forms: Sequence[str], stands: Column, groups: Column, words: Sequence[str]) -> Longs:
    """In how many groups each word is, of forms that stand in notes of these groups."""
    numbers = {word: at for at, word in enumerate(words)}
    number_of = np.array([numbers.get(form, len(words)) for form in forms], np.int64)
    return groups_with(number_of[stands], groups, len(words) + 1)[: len(words)]


def _of_characters(batch: Batch, groups: Column, characters: Sequence[str]) -> Longs:
    """The same for the characters of all texts."""
    found = characters_with(batch, groups)
    return np.array([found.get(each, 0) for each in characters], np.int64)


def _alone(words: SpanWords, clear: Lists, *, digits: bool) -> list[Run]:
    """Each string as a word, but for characters."""
    strings = [each for name, values in clear.items() if name not in LETTERS for each in values]
    return [(number,) for number in words.numbers_of(strings, digits=digits)]
