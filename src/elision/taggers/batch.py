"""Many notes as one set of columns, so that what numpy or the kernels do is done once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from elision.taggers import kernels
from elision.taggers.sentence_starts import sentence_starts
from elision.text import native
from elision.text.classes import MARK, OTHER, classes, codes_of
from elision.text.tokens import Column, Tokens, tokenize

Tokenize = Callable[[str, str], Tokens]
Codes = npt.NDArray[np.uint32]

GAP = 8  # empty places between two notes, so that a window never sees the neighbour: the widest window there is
LONGEST = 1 << 12  # tokens of one sequence; longer ones are cut


class _Layout(NamedTuple):
    note_of: Column
    newlines: Column
    line_of: Column
    line_starts: Column
    chunk_of: Column
    gaps: Column


@dataclass(frozen=True)
class Batch:
    """Notes side by side: one text, one column of tokens.

    `notes[i]` is the first token of note i, `edges[i]` its first character in the joined text; both have one more
    entry for the end. Nothing but a newline stands between two notes.
    """

    text: str
    tokens: Tokens
    notes: Column
    edges: Column

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def codes(self) -> Codes:
        """The code points of the joined text."""
        return codes_of(self.text)

    @cached_property
    def classes(self) -> npt.NDArray[np.uint8]:
        """The class of each character of the joined text."""
        return classes(self.codes)

    @cached_property
    def raw(self) -> bytes:
        """The joined text in UTF-8."""
        return self.text.encode("utf-8", "surrogatepass")

    def characters(self, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Offsets in `raw`, where characters begin or it ends, as offsets in `text`."""
        if len(self.raw) == len(self.text):
            return offsets
        begins = np.cumsum((np.frombuffer(self.raw, np.uint8) & 0xC0) != 0x80) - 1
        return np.append(begins, len(self.text))[offsets]

    @cached_property
    def kinds(self) -> tuple[Column, list[str]]:
        """Tokens of the same form share a number: the numbers, and the form of each."""
        starts, ends = self.tokens.starts, self.tokens.ends
        numbers, firsts = np.empty(len(self), np.int32), np.empty(len(self), np.int32)
        firsts = firsts[: kernels.number(self.codes, starts, ends, numbers, firsts)]
        pairs = zip(starts[firsts].tolist(), ends[firsts].tolist(), strict=True)
        return numbers, [self.text[start:end] for start, end in pairs]

    @cached_property
    def wordy(self) -> npt.NDArray[np.bool_]:
        """Whether each token is made of letters or digits, not of marks, be they printed or combining."""
        kinds = self.classes[self.tokens.starts]
        wordy: npt.NDArray[np.bool_] = (kinds != OTHER) & (kinds != MARK)
        return wordy

    @cached_property
    def _layout(self) -> _Layout:
        size = len(self)
        note_of, newlines, line_of, chunk_of, gaps = (np.empty(size, np.int32) for _ in range(5))
        line_starts = np.empty(size + 1, np.int32)
        lines = native.lay(
            self.codes, self.tokens.starts, self.tokens.ends, self.notes, note_of, newlines, line_of, line_starts,
            chunk_of, gaps,
        )  # fmt: skip
        return _Layout(note_of, newlines, line_of, line_starts[: lines + 1], chunk_of, gaps)

    @property
    def note_of(self) -> Column:
        """The number of the note that each token belongs to."""
        return self._layout.note_of

    @property
    def newlines(self) -> Column:
        """How many newlines stand between each token and the one before; FIRST for the first token of a note."""
        return self._layout.newlines

    @property
    def line_starts(self) -> Column:
        """The first token of each line that has any, and one more entry for the end."""
        return self._layout.line_starts

    @property
    def line_of(self) -> Column:
        """The number of the line that each token stands in, counted over the whole batch."""
        return self._layout.line_of

    @property
    def chunk_of(self) -> Column:
        """The number of the stretch without white space that each token stands in."""
        return self._layout.chunk_of

    @property
    def gaps(self) -> Column:
        """What stands before each token: nothing, a blank, several, a newline, several, the beginning of the note."""
        return self._layout.gaps

    @cached_property
    def sentence_begins(self) -> npt.NDArray[np.bool_]:
        """Whether a sentence begins with each token."""
        return sentence_starts(self.codes, self.tokens, self.newlines, self.kinds)

    @cached_property
    def spread(self) -> Column:
        """Where each token stands when notes are set apart by GAP empty places."""
        return np.arange(len(self), dtype=np.int32) + GAP * (self.note_of + 1)

    @property
    def spread_size(self) -> int:
        return len(self) + GAP * len(self.notes)

    def tokens_of(self, note: int) -> Tokens:
        """The tokens of one note, with offsets in its own text."""
        part = slice(int(self.notes[note]), int(self.notes[note + 1]))
        return Tokens(self.tokens.starts[part] - self.edges[note], self.tokens.ends[part] - self.edges[note])


def gather(texts: Sequence[str], language: str = "", cut: Tokenize = tokenize) -> Batch:
    """A batch of these texts."""
    joined = "\n".join(texts)
    tokens = cut(joined, language)
    edges = np.concatenate((np.zeros(1, np.int64), np.cumsum([len(text) + 1 for text in texts], dtype=np.int64)))
    notes = np.searchsorted(tokens.starts, edges)
    return Batch(joined, tokens, notes.astype(np.int32), edges.astype(np.int32))


def edges_of(batch: Batch, unit: str) -> Column:
    """The first token of each line, sentence or note, and one more entry for the end."""
    if unit == "sentence":
        return np.append(np.flatnonzero(batch.sentence_begins), len(batch)).astype(np.int32)
    return batch.line_starts if unit == "line" else batch.notes


def cut_long(batch: Batch, unit: str) -> Column:
    """Where sequences begin and end; a long one is cut where a line begins or, failing that, anywhere."""
    edges = edges_of(batch, unit)
    sizes = np.diff(edges)
    if len(sizes) and sizes.max() > LONGEST:
        more = []
        for at in np.flatnonzero(sizes > LONGEST).tolist():
            first, after = int(edges[at]), int(edges[at + 1])
            while after - first > LONGEST:
                lines = batch.line_starts[np.searchsorted(batch.line_starts, first + LONGEST, side="right") - 1]
                first = int(lines) if lines > first else first + LONGEST
                more.append(first)
        edges = np.sort(np.concatenate((edges, np.array(more, np.int32))))
        sizes = np.diff(edges)
    bounds = np.empty((len(sizes), 2), np.int32)
    bounds[:, 0], bounds[:, 1] = edges[:-1], edges[1:]
    return bounds if sizes.all() else bounds[sizes > 0]
