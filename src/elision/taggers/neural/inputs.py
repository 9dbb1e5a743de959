"""From a batch of notes to the numbers that a network reads.

A network reads positions: the tokens of a note and, where it wants that, a #RETURN between two lines. What it knows of
a position depends on its form, a number for each distinct token of the batch, so that tables have a row for each form
and not for each position. One position more stands at the end, for all that lies outside of a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.taggers.batch import Batch
from elision.taggers.corpus import groups_with
from elision.taggers.neural.pretrained import zeros
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.skeleton import RETURN, digits
from elision.text.tokens import Column

Numbers = npt.NDArray[np.int32]

OUTSIDE, UNKNOWN = 0, 1  # the first rows of every table of words: outside of the note, and words that it does not know
GAPS = 6  # kinds of what stands before a token
PADDING, STRANGE = (
    0,
    1,
)  # the first rows of a table of characters: behind the word, and unknown ones
EDGES = ("\x02", "\x03")  # stand before a word's first character and behind its last
HALF = 12  # characters of each end of a word that are looked at


@dataclass(frozen=True, eq=False)
class Inputs:
    """The positions of a batch. Forms are numbered: that of what lies outside is the last."""

    forms: tuple[str, ...]  # normalised words, without the one outside
    spelled: tuple[str, ...]  # a token of each form as it stands in the text; "" for #RETURN
    form_of: Numbers  # of each position, and the one outside
    gap_of: Numbers
    place_of: Column  # the position of each token
    notes: Column  # the first position of each note, and one more for the end


def inputs_of(settings: NeuralSettings, batch: Batch) -> Inputs:
    """What a network with these settings reads of a batch."""
    types, spelled = batch.kinds
    gap_of = batch.gaps
    forms = [normal(form, settings) for form in spelled]
    firsts = batch.notes[:-1][np.diff(batch.notes) > 0]
    broken = batch.newlines > 0
    broken[firsts] = False
    if settings.returns:
        before = np.flatnonzero(broken)
        types = np.insert(types, before, len(forms))
        gap_of = np.insert(gap_of, before, 0)
        forms, spelled = [*forms, RETURN], [*spelled, ""]
        place_of = (np.arange(len(batch)) + np.cumsum(broken)).astype(np.int32)
    else:
        place_of = np.arange(len(batch), dtype=np.int32)
    ends = np.append(place_of, len(types))
    outside = np.int32(len(forms))
    return Inputs(
        tuple(forms),
        tuple(spelled),
        np.append(types, outside).astype(np.int32),
        np.append(gap_of, 0).astype(np.int32),
        place_of,
        ends[batch.notes].astype(np.int32),
    )


def normal(word: str, settings: NeuralSettings) -> str:
    """A word as a network looks it up."""
    word = word.lower() if settings.lower else word
    if settings.digits == "zero":
        return zeros(word)
    return digits(word) if settings.digits == "DIGIT" else word


def coded(words: Sequence[str], known: dict[str, int]) -> Numbers:
    """The row of each word in a table, and last that of what lies outside."""
    return np.array([*(known.get(word, UNKNOWN) for word in words), OUTSIDE], np.int32)


def spelling(words: Sequence[str], known: dict[str, int]) -> Numbers:
    """The characters of each word as rows of a table, the edges among them; of a long word, those of its two ends."""
    rows = np.zeros((len(words), 2 * HALF + 2), np.int32)
    for row, word in zip(rows, words, strict=True):
        shown = word if len(word) <= 2 * HALF else word[:HALF] + word[-HALF:]
        row[: len(shown) + 2] = [known.get(each, STRANGE) for each in (EDGES[0], *shown, EDGES[1])]
    return rows


def characters_with(batch: Batch, groups: Column) -> dict[str, int]:
    """In how many groups each character of the first notes of a batch stands; there is a group for each of these."""
    edges = batch.edges[: len(groups) + 1]
    codes = batch.codes[: edges[-1]]
    note_of = np.repeat(np.arange(len(groups)), np.diff(edges))[: len(codes)]
    distinct, stands = np.unique(codes, return_inverse=True)
    patients = groups_with(stands.astype(np.int64), groups[note_of], len(distinct))
    return dict(zip(map(chr, distinct.tolist()), patients.tolist(), strict=True))
