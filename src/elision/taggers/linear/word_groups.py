"""Word vectors as attributes: which group of similar words a word belongs to, in few large groups and many small ones.

A model keeps the words and their groups, no vectors: `vector-8` to `vector-512`. A plug-in sorts words into groups
(`elision.papers.vector_groups`, from a file of vectors or from the training notes); a model that was learnt so loads
without it. The SVM has the vectors themselves (`dense`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.languages.groups import lists, shipped
from elision.models.store import Stored
from elision.plugins import plugin
from elision.taggers.batch import Batch
from elision.taggers.linear.attributes import FORM
from elision.taggers.linear.context_features import PLACES
from elision.taggers.linear.features import Template, templates
from elision.taggers.linear.settings import Settings
from elision.text.tokens import Column

LISTED = "listed"
OF_WORDS = ("word-", "before-", "behind-")  # attributes of Chinese words begin so

Numbers = npt.NDArray[np.uint16]

SIZES = (8, 32, 128, 512)  # of groups; on MEDDOCAN dev, single components cut in two to four did worse
WORDS, NUMBERS = "vector-words", "vector-groups"  # what a model folder calls them


@dataclass(frozen=True, slots=True, eq=False)
class WordGroups:
    """Words in small letters, and for each the number of its group in each of SIZES."""

    words: tuple[str, ...]
    numbers: Numbers  # words x SIZES


def templates_of(settings: Settings) -> tuple[Template, ...]:
    """The templates of these settings; vectors are features of the token itself unless said otherwise."""
    lines = list(settings.features)
    if _grouped(settings):
        lines += [f"vector-{size}[0]" for size in SIZES]
    return templates(lines)


def learn_groups(settings: Settings, batch: Batch, groups: Column) -> WordGroups | None:
    """Groups for the words of these notes, from a file or learnt from the notes; None where no vectors are wanted."""
    if not _grouped(settings):
        return None
    found: WordGroups = plugin("word_groups", "vectors", "groups of words by their")(settings, batch, groups)
    return found


def _grouped(settings: Settings) -> bool:
    return bool(settings.vectors or settings.vector_file) and not settings.dense


def vector_forms(known: WordGroups | None) -> dict[str, FORM]:
    """The attributes `vector-8` and so on."""
    if known is None:
        return {}
    row = {word: at for at, word in enumerate(known.words)}
    return {f"vector-{size}": _form(row, known.numbers[:, at].tolist()) for at, size in enumerate(SIZES)}


def _form(row: Mapping[str, int], numbers: Sequence[int]) -> FORM:
    def group(token: str) -> str:
        at = row.get(token.lower())
        return "" if at is None else str(numbers[at])

    return group


def stored_groups(known: WordGroups | None) -> tuple[dict[str, tuple[str, ...]], dict[str, npt.NDArray[Any]]]:
    """What a model folder keeps: strings and an array."""
    return ({}, {}) if known is None else ({WORDS: known.words}, {NUMBERS: known.numbers})


def groups_from(model: Stored, settings: Settings) -> WordGroups | None:
    """The way back; a KeyError or ValueError where words and groups do not fit together."""
    if not _grouped(settings):
        return None
    words, numbers = tuple(map(str, model.vocabulary[WORDS])), model.arrays[NUMBERS]
    if numbers.dtype != np.uint16 or numbers.shape != (len(words), len(SIZES)) or (numbers >= SIZES).any():
        raise ValueError("words without their groups")
    return WordGroups(words, numbers)


def groups_version(settings: Settings) -> str:
    """Which groups and lists of words these settings look at, "" if at none: their numbers mean nothing in others."""
    wanted = looked_at(settings) - set(PLACES)
    versions = []
    if any(name.startswith(("group-", *OF_WORDS)) for name in wanted):
        versions.append(shipped(settings.language).version)
    if LISTED in wanted:
        versions.append(lists().version)
    return " ".join(versions)


def looked_at(settings: Settings) -> set[str]:
    return {name for template in templates(settings.features) for name, _ in template.terms}
