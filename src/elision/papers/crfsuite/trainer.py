"""Training a CRF through CRFsuite (extra `crfsuite`). Decoding is ours; `crfsuite_file` says what it must do.

CRFsuite takes anything it is given: it falls back in silence where it does not know a choice, crashes at some zeros,
cuts strings at a NUL, and writes a model without weights where it could not learn. So what goes in and what comes out
is checked here.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elision.errors import LabelError, MissingExtraError, ModelError, shown
from elision.formats.atomic import writing
from elision.papers.crfsuite.file import CrfsuiteModel, parse_crfsuite, read_crfsuite

__all__ = ["ALGORITHMS", "CrfsuiteModel", "read_crfsuite", "train_crfsuite"]

ALGORITHMS = ("lbfgs", "l2sgd", "ap", "pa", "arow")

Option = float | int | str | bool

_NO_OPTIONS: Mapping[str, Option] = {}
_CHOICES: Mapping[str, tuple[str | int, ...]] = {
    "linesearch": ("MoreThuente", "Backtracking", "StrongBacktracking"),
    "type": (0, 1, 2),
}
_AT_LEAST_ONE = ("num_memories", "period", "max_linesearch")  # 0 crashes CRFsuite, or keeps it from learning


def train_crfsuite(
    sequences: Iterable[tuple[Sequence[Sequence[str]], Sequence[str]]],
    path: Path,
    *,
    algorithm: str = "lbfgs",
    options: Mapping[str, Option] = _NO_OPTIONS,
    progress: Callable[[str], None] | None = None,
) -> None:
    """Train a CRF with CRFsuite and write its model file.

    `sequences` are (the attributes of each token, the tag of each token); sequences without tokens are passed over.
    `options` are called as CRFsuite calls them (c1, c2, max_iterations, feature.minfreq…); what is not given keeps
    CRFsuite's default. `progress` gets a line an iteration. The same sequences and options give the same file.
    """
    trainer = _trainer(algorithm, options)
    _fill(trainer, sequences)
    log = _Log(progress)
    trainer.message = log.hear
    with writing(path) as stream:  # CRFsuite opens the file once more by its name
        _same_shuffles()
        trainer.train(stream.name)
        # CRFsuite does not say when it could not learn or not write: see what is there.
        try:
            model = parse_crfsuite(memoryview(Path(stream.name).read_bytes()))
        except ModelError as error:
            raise ModelError(
                f"{path}: CRFsuite left no usable model: {error} ({log.ending}); "
                "if the disk is not full, try other options"
            ) from None
        if not len(model.state_weight) and not model.transition.any():
            raise ModelError(
                f"CRFsuite gave no feature a weight ({log.ending}); try a lower c1 or feature.minfreq, "
                "more iterations, or leave the options out"
            )


def _trainer(algorithm: str, options: Mapping[str, Option]) -> Any:
    try:
        import pycrfsuite
    except ImportError:
        raise MissingExtraError("training with CRFsuite", "crfsuite") from None
    if algorithm not in ALGORITHMS:
        raise ModelError(f"CRFsuite has no algorithm{shown(algorithm)}; it has {', '.join(ALGORITHMS)}")
    trainer = pycrfsuite.Trainer(algorithm, verbose=False)
    known = trainer.params()
    for name, value in options.items():
        if name not in known:
            raise ModelError(f"CRFsuite's {algorithm} has no option{shown(name)}; it has {', '.join(known)}")
        trainer.set(name, _checked(name, value, type(trainer.get(name))))
    return trainer


def _checked(name: str, value: Option, kind: type) -> Option:
    """An option's value as its kind, if it is one that CRFsuite can use."""
    number: float | str = value
    if kind is not str:
        try:
            number = float(value)
        except ValueError:
            raise ModelError(f"the option {name} takes a number") from None
    choices = (0, 1) if kind is bool else _CHOICES.get(name, ())
    if choices and number not in choices:
        raise ModelError(f"the option {name} takes one of {', '.join(map(str, choices))}")
    if isinstance(number, str):
        return number
    lowest = 1 if name in _AT_LEAST_ONE else 0
    if not math.isfinite(number) or number < lowest:
        raise ModelError(f"the option {name} takes a number from {lowest} upwards")
    if kind is float:
        return number
    if number != int(number) or number >= 2**31:
        raise ModelError(f"the option {name} takes a whole number below {2**31:,}")
    return int(number)


def _fill(trainer: Any, sequences: Iterable[tuple[Sequence[Sequence[str]], Sequence[str]]]) -> None:
    """Give the sequences to CRFsuite, after checks for what it would take amiss."""
    labels: set[str] = set()
    for number, (tokens, tags) in enumerate(sequences, 1):
        if len(tokens) != len(tags):
            raise LabelError(f"sequence {number:,}: {len(tags):,} tags for {len(tokens):,} tokens; each needs one")
        for place, attributes in enumerate(tokens, 1):
            _refuse_odd(attributes, f"sequence {number:,}, token {place:,}")
        new = set(tags) - labels
        _refuse_odd(list(new), f"the tags of sequence {number:,}")
        labels |= new
        if len(tokens):
            trainer.append(tokens, tags)
    if not labels:
        raise LabelError("no sequence has a token, so there is nothing to learn from; is the corpus empty?")
    if len(labels) == 1:
        raise LabelError(f"all tokens have the one tag{shown(*labels)}; a CRF learns to tell at least two apart")


def _refuse_odd(strings: Sequence[str], where: str) -> None:
    if isinstance(strings, str | Mapping):  # these iterate as well, but not over what is meant
        raise ModelError(f"{where}: the attributes must be a list of strings")
    try:
        if b"\0" in "".join(strings).encode():
            raise ModelError(f"{where}: a string has a NUL in it, where CRFsuite would cut it; take it out first")
    except (UnicodeEncodeError, TypeError):
        raise ModelError(f"{where}: something there is not a string, or half a character (a lone surrogate)") from None


def _same_shuffles() -> None:
    """Set C's random numbers, with which all but lbfgs shuffle, to where they stand in a new process."""
    ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).srand(1)


@dataclass(slots=True)
class _Log:
    """Makes a line an iteration of what CRFsuite says in pieces of lines, and keeps how it ended."""

    progress: Callable[[str], None] | None
    ending: str = "it does not say why"
    _line: str = ""
    _iteration: dict[str, str] = field(default_factory=dict)

    def hear(self, piece: str) -> None:
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            self._hear_line(line)

    def _hear_line(self, line: str) -> None:
        if line.startswith("*****"):  # ***** Iteration #3 *****
            self._iteration = {"number": line.strip("* ").partition("#")[2]}
        elif "terminated" in line or line.startswith("ERROR"):
            self.ending = line
        elif self._iteration and not line:
            if self.progress:
                features = self._iteration.get("Active features")
                more = f", {features} features" if features else ""
                self.progress(f"iteration {self._iteration['number']}: loss {self._iteration.get('Loss', '?')}{more}")
            self._iteration = {}
        elif self._iteration:
            name, _, value = line.partition(": ")
            self._iteration[name] = value
