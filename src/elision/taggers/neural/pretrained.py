"""What is learnt from raw notes, for taggers to begin with: word vectors, and two language models of characters.

The forward model reads a text from its beginning, the backward model from its end; each is one layer of LSTM. What they
would predict is not kept, only what they remember: that is what a tagger asks for (see `strings`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.models import store
from elision.taggers.batch import Codes
from elision.taggers.vectors.vectors import Vectors

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

KIND = "pretrained"
LARGEST = np.float32(1e6)  # of all numbers, so that no product of them is infinite
MOST = 1 << 27  # numbers of the table that `LanguageModel.inputs` is: 512 MB
_PREFIX = f"{KIND}."  # of names in a tagger's folder
WORDS, CHARACTERS = f"{_PREFIX}words", f"{_PREFIX}characters"  # what lists of strings are called there
_AGAIN = "get the folder again from where it was learnt, or learn it again (elision pretrain)"
_PARTS = ("embeddings", "weights", "bias", "turning")


def form_of(word: str) -> str:
    """A word as it has a vector: in small letters, each digit as 0. Dates and numbers of one pattern share a vector."""
    return zeros(word.lower())


def zeros(word: str) -> str:
    """A word with 0 in place of each digit."""
    if word.isalpha():
        return word
    return "".join("0" if character.isdecimal() else character for character in word)


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """One direction: what `recurrent.lstm` needs to read characters.

    Row 0 of the embeddings is that of all unknown characters. Four hidden sizes stand side by side in the other arrays:
    for the gates in, forget and out, then for the candidate.
    """

    embeddings: Floats = field(repr=False)  # 1 + characters x embedding size
    weights: Floats = field(repr=False)  # embedding size x 4 hidden sizes
    bias: Floats = field(repr=False)  # 4 hidden sizes
    turning: Floats = field(repr=False)  # hidden size x 4 hidden sizes

    def __post_init__(self) -> None:
        _lock(self, *_PARTS)

    @cached_property
    def inputs(self) -> Floats:
        """What each character brings to the gates and the candidate."""
        return self.embeddings @ self.weights + self.bias

    @property
    def hidden(self) -> int:
        return len(self.turning)


@dataclass(frozen=True, eq=False)  # arrays have no plain equality
class Pretrained:
    """Word vectors, and the language models of both directions. Whatever does not fit together is refused."""

    words: tuple[str, ...] = field(repr=False)  # words of notes: kept out of logs
    table: Floats = field(repr=False)  # words x size
    characters: tuple[str, ...] = field(repr=False)
    forward: LanguageModel
    backward: LanguageModel
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        _check(self)
        _lock(self, "table")

    @property
    def hidden(self) -> int:
        """The size of one direction's state."""
        return self.forward.hidden

    @property
    def size(self) -> int:
        """The size of a word vector."""
        return int(self.table.shape[1])

    @cached_property
    def vectors(self) -> Vectors:
        """The word vectors, to be asked for with `form_of` words."""
        return Vectors(self.words, self.table)

    @cached_property
    def _rows(self) -> Ints:
        rows = np.zeros(0x110000, np.int32)
        rows[[ord(character) for character in self.characters]] = np.arange(1, len(self.characters) + 1)
        return rows

    def rows(self, codes: Codes) -> Ints:
        """The row of each character, given as a code point; 0 for unknown ones."""
        rows: Ints = self._rows[codes]
        return rows

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All arrays by name; the names fit beside those of a tagger."""
        sides = {"forward": self.forward, "backward": self.backward}
        found: dict[str, npt.NDArray[Any]] = {
            f"{_PREFIX}{side}.{part}": getattr(model, part) for side, model in sides.items() for part in _PARTS
        }
        return {f"{_PREFIX}table": self.table, **found}

    def lists(self) -> dict[str, Sequence[str]]:
        """All strings, as lists by name; the names fit beside those of a tagger."""
        return {WORDS: self.words, CHARACTERS: self.characters}

    @classmethod
    def from_arrays(
        cls,
        arrays: Mapping[str, npt.NDArray[Any]],
        lists: Mapping[str, Sequence[str]],
        card: Mapping[str, Any] | None = None,
        where: str = "pre-trained weights",
    ) -> Pretrained:
        """What `arrays` and `lists` gave, out of a folder that may hold more; `where` is what an error names."""

        def model(side: str) -> LanguageModel:
            return LanguageModel(*(_named(arrays, f"{side}.{part}") for part in _PARTS))

        try:
            words, characters = (tuple(_named(lists, name)) for name in ("words", "characters"))
            table = _named(arrays, "table")
            return cls(words, table, characters, model("forward"), model("backward"), card or {})
        except ModelError as error:
            raise ModelError(f"{where}: {error}") from None

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write it as a folder; returns its size in bytes."""
        arrays = {name: np.ascontiguousarray(array) for name, array in self.arrays().items()}
        return store.save(folder, store.Stored(KIND, self.card, self.lists(), arrays), overwrite=overwrite)


def load(folder: Path) -> Pretrained:
    """Read what `Pretrained.save` wrote."""
    stored = store.load(folder, (KIND,))
    return Pretrained.from_arrays(stored.arrays, stored.vocabulary, stored.card, f"{folder}")


def _named(found: Mapping[str, Any], name: str) -> Any:
    if _PREFIX + name not in found:
        raise ModelError(f"{_PREFIX}{name} is missing; {_AGAIN}")
    return found[_PREFIX + name]


def _lock(owner: object, *names: str) -> None:
    """Let nobody write into these arrays of a value."""
    for name in names:
        view = getattr(owner, name).view()
        view.flags.writeable = False
        object.__setattr__(owner, name, view)


def _check(found: Pretrained) -> None:
    """Refuse what does not fit together: the one place where that is looked at."""
    if len(set(found.characters)) < len(found.characters) or any(len(one) != 1 for one in found.characters):
        raise ModelError(f"{_PREFIX}characters must be single characters, none of them twice; {_AGAIN}")
    if len(set(found.words)) < len(found.words):
        raise ModelError(f"{_PREFIX}words has a word twice; {_AGAIN}")
    sizes = {"words": len(found.words), "characters": len(found.characters) + 1}
    _check_array("table", found.table, ("words", "size"), sizes)
    for side, model in (("forward", found.forward), ("backward", found.backward)):
        embedding = f"{side} embedding"
        _check_array(f"{side}.turning", model.turning, ("hidden", "gates"), sizes)
        _check_array(f"{side}.bias", model.bias, ("gates",), sizes)
        _check_array(f"{side}.weights", model.weights, (embedding, "gates"), sizes)
        _check_array(f"{side}.embeddings", model.embeddings, ("characters", embedding), sizes)
    if sizes["gates"] != 4 * sizes["hidden"] or not sizes["hidden"]:
        raise ModelError(f"{_PREFIX}forward.turning must be four times as wide as it is high; {_AGAIN}")
    if sizes["characters"] * sizes["gates"] > MOST:
        raise ModelError(
            f"{sizes['characters']:,} characters for {sizes['hidden']:,} hidden units take too much memory; learn with "
            "fewer hidden units (--hidden), or with characters of more notes only (--least)"
        )


def _check_array(name: str, array: npt.NDArray[Any], axes: tuple[str, ...], sizes: dict[str, int]) -> None:
    """Whether an array has these axes; an axis that has no size yet gets it."""
    what = _PREFIX + name
    if array.dtype != np.float32 or array.ndim != len(axes):
        raise ModelError(f"{what} must be float32, of {len(axes)} dimensions; {_AGAIN}")
    for axis, size in zip(axes, array.shape, strict=True):
        if sizes.setdefault(axis, size) != size:
            raise ModelError(f"{what} has {size:,} for {axis} where there are {sizes[axis]:,}; {_AGAIN}")
    if array.size and not np.abs(array).max() <= LARGEST:  # true for NaN, too
        raise ModelError(f"{what} holds NaN, or numbers too large to be of use; {_AGAIN}")
