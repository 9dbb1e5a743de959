"""Word vectors, an optional feature of the window classifier: read from a file, or trained on the notes at hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from elision.errors import FormatError
from elision.taggers.vectors.cooccurrence import neighbours, ppmi, svd, vocabulary
from elision.taggers.vectors.files import read_table


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """A vector for each of many words: row i of the table is that of word i."""

    words: tuple[str, ...]
    table: npt.NDArray[np.float32]
    _rows: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.table.ndim != 2 or len(self.table) != len(self.words):
            raise FormatError(
                f"word vectors: {len(self.words):,} words, but a table of {' x '.join(map(str, self.table.shape))}; "
                "it must have a row for each word"
            )
        rows = {word: len(self.words) - 1 - i for i, word in enumerate(reversed(self.words))}  # the first one wins
        object.__setattr__(self, "_rows", rows)

    def rows(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        """A vector for each word, in their order: its own, else that of its lower-cased form, else zeros."""
        get = self._rows.get
        found = ((row if (row := get(word)) is not None else get(word.lower(), -1)) for word in words)
        rows = np.fromiter(found, np.intp, len(words))
        vectors = np.zeros((len(words), self.table.shape[1]), np.float32)
        vectors[rows >= 0] = self.table[rows[rows >= 0]]
        return vectors


def read_vectors(path: Path, *, only: Collection[str] | None = None, most: int = 200_000) -> Vectors:
    """The first `most` vectors of a file; with `only`, of these words and their lower-cased forms.

    GloVe's text, word2vec's text and binary form and fastText's .vec are told by looking at the file, also gzipped. Of
    a word that comes twice, the first vector counts. What stands behind the last vector taken is not looked at.
    """
    wanted = None if only is None else {form for word in only for form in (word, word.lower())}
    return Vectors(*read_table(path, wanted, most))


def train_vectors(
    sequences: Iterable[Sequence[str]], *, size: int = 50, window: int = 2, minimum: int = 5, seed: int = 0
) -> Vectors:
    """Vectors for the words that occur at least `minimum` times (the 20,000 most frequent of them).

    Words that stand in the same surroundings, up to `window` tokens to the left and right, get similar vectors. The
    order of the sequences does not matter.
    """
    if min(size, window, minimum) < 1:
        raise ValueError("size, window and minimum must be at least 1")
    words, ids, sequence = vocabulary(sequences, minimum)
    matrix = ppmi(*neighbours(ids, sequence, len(words), window), (len(words), 2 * window * len(words)))
    vectors, values = svd(matrix, size, seed)
    return Vectors(tuple(words), (vectors * np.sqrt(values)).astype(np.float32))
