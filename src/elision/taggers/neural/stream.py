"""Raw notes as what language models and word vectors are learnt from: one stream of characters, and words.

The models are asked for states line by line (see `strings`), so that they learn from lines as well: without the white
space around them, a newline between two, a blank line between two notes. Only characters and words that enough notes
have become known, counted by patient where patients are known.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from elision.document import Document
from elision.errors import ModelError
from elision.evaluate.splits import hold_out
from elision.taggers.batch import Codes
from elision.taggers.neural.pretrained import Ints, form_of
from elision.taggers.vectors.vectors import Vectors, train_vectors
from elision.text.classes import codes_of
from elision.text.tokens import tokenize

HELD = 0.05  # of the notes, to measure perplexity on
MOST_HELD = 300_000  # characters of them
UNKNOWN = 0  # the row of all characters that are not known
_LINES = re.compile(r"\r\n?|\n")  # what ends a line for `Batch.line_of`


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """Notes as rows of characters, in an order that does not depend on how they came."""

    characters: tuple[str, ...] = field(repr=False)
    learn: list[Ints] = field(repr=False)
    held: Ints = field(repr=False)  # notes that are not learnt from, joined
    held_out: int  # how many these are

    @property
    def newline(self) -> int:
        return self.characters.index("\n") + 1

    def digest(self) -> str:
        """A SHA-256 that names what is learnt from and what is held out."""
        digest = hashlib.sha256("".join(self.characters).encode())
        for rows in (*self.learn, self.held):
            digest.update(hashlib.sha256(rows.tobytes()).digest())
        return digest.hexdigest()


def prepared(documents: Sequence[Document], groups: Ints, least: int, seed: int) -> Notes:
    """The notes as language models need them, some of them held out by patient."""
    count = len(set(groups.tolist()))
    if count < 2:
        raise ModelError(
            "the notes are of one patient, so that none can be held out to measure perplexity; give notes of others"
        )
    share = max(HELD, 1 / count)
    learn, held = hold_out(documents, (1 - share, share), seed)
    texts = [sorted(filter(None, (lines_of(note.text) for note in part))) for part in (learn, held)]
    if not all(texts):
        raise ModelError(
            "the notes to learn from, or those held out to measure perplexity, have no text; is this the right "
            "folder? With few notes, give more, or another --seed"
        )
    characters = known_characters(documents, groups, least)
    rows = [rows_of(part, characters) for part in texts]
    judged = joined(rows[1], characters.index("\n") + 1)[:MOST_HELD]
    return Notes(characters, rows[0], judged, len(held))


def lines_of(text: str) -> str:
    """The lines of a note that are not blank, without the white space around them."""
    return "\n".join(line for part in _LINES.split(text) if (line := part.strip()))


def known_characters(notes: Sequence[Document], groups: Ints, least: int) -> tuple[str, ...]:
    """The characters that stand in notes of at least this many groups, in order; the newline always."""
    found = _in_groups(notes, groups, least, set)
    return tuple(sorted(found | {"\n"}))


def rows_of(texts: Iterable[str], characters: Sequence[str]) -> list[Ints]:
    """Each text as the rows of its characters, from 1 on in their order; unknown ones are UNKNOWN."""
    codes = np.array([ord(character) for character in characters], np.uint32)
    rows = np.arange(1, len(codes) + 1, dtype=np.int32)
    return [_looked_up(codes_of(text), codes, rows) for text in texts]


def _looked_up(text: Codes, codes: Codes, rows: Ints) -> Ints:
    places = np.minimum(np.searchsorted(codes, text), len(codes) - 1)
    found: Ints = np.where(codes[places] == text, rows[places], UNKNOWN).astype(np.int32)
    return found


def joined(notes: Sequence[Ints], newline: int) -> Ints:
    """The notes one after the other, a blank line between two and behind the last."""
    gap = np.full(2, newline, np.int32)
    return np.concatenate([part for note in notes for part in (note, gap)]) if notes else np.zeros(0, np.int32)


def word_vectors(
    notes: Sequence[Document], groups: Ints, *, language: str, size: int, least: int, seed: int
) -> Vectors:
    """Vectors for the words, by their form, that stand in notes of at least this many groups."""

    def words(text: str) -> list[str]:
        return [form_of(word) for word in tokenize(text, language).texts(text)]

    frequent = _in_groups(notes, groups, least, words)
    vectors = train_vectors((words(note.text) for note in notes), size=size, minimum=least, seed=seed)
    kept = [at for at, word in enumerate(vectors.words) if word in frequent]
    return Vectors(tuple(vectors.words[at] for at in kept), vectors.table[kept])


def _in_groups(notes: Sequence[Document], groups: Ints, least: int, parts: Callable[[str], Iterable[str]]) -> set[str]:
    """The parts of texts that are found in notes of at least this many groups."""
    counts: Counter[str] = Counter()
    for _, places in groupby(np.argsort(groups, kind="stable").tolist(), lambda at: int(groups[at])):
        counts.update(set().union(*(parts(notes[at].text) for at in places)))
    return {part for part, count in counts.items() if count >= least}


def check_groups(groups: Ints, least: int) -> None:
    """Refuse notes of so few that nothing in them could become known."""
    count = len(set(groups.tolist()))
    if count < least:
        raise ModelError(
            f"the notes are of {count:,} patients (or are as many notes), and nothing is learnt that fewer than "
            f"{least:,} have; give more notes, or allow fewer with --least"
        )
