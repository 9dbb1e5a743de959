"""From raw notes to pre-trained weights: both language models, then word vectors. Learnt with torch, which is loaded
only when learning begins.

The two directions learn in turn, a step each, so that both have learnt as much whenever it ends: after `epochs`, after
`minutes`, or when neither gets better. Some notes are held out, by patient, to measure the perplexity. A checkpoint
holds all that goes on from it; the same notes, settings and number of threads give the same weights, whether learning
was interrupted or not, unless `minutes` ends it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from elision.document import Document
from elision.errors import MissingExtraError, ModelError
from elision.taggers.checkpoints import Checkpoint, Checkpoints
from elision.taggers.corpus import fingerprint, groups_of
from elision.taggers.neural.pretrained import Ints, Pretrained
from elision.taggers.neural.stream import Notes, check_groups, joined, prepared, word_vectors

if TYPE_CHECKING:
    from elision.taggers.neural.language_model import Direction

ROUND = 2_000_000  # characters after which perplexity is measured, if an epoch is longer
EVERY = 60.0  # seconds between two checkpoints
MINUTE = 60.0
_FREE = ("epochs", "minutes", "threads")  # settings that may be others when learning goes on


@dataclass(frozen=True, slots=True, kw_only=True)
class Pretraining:
    """Settings of pre-training."""

    language: str = ""
    hidden: int = 256  # units of each direction
    embedding: int = 32  # numbers for a character
    size: int = 100  # numbers for a word
    epochs: int = 20  # how often to go through the notes, at most
    minutes: float = 0.0  # after which learning ends; 0: when it is done
    rows: int = 64  # stretches of the notes that are read side by side
    least: int = 5  # patients, or notes, that a word or character must be found in
    seed: int = 0
    threads: int = 0  # 0: as many as torch takes

    def __post_init__(self) -> None:
        for name, most in (("hidden", 4096), ("embedding", 1024), ("size", 1000), ("epochs", 10_000), ("rows", 4096)):
            if not 1 <= getattr(self, name) <= most:
                raise ModelError(f"{name} {getattr(self, name):,}: must be from 1 to {most:,}")
        for name in ("least", "seed", "threads"):
            if getattr(self, name) < (name == "least"):
                raise ModelError(f"{name} {getattr(self, name):,}: must be at least {int(name == 'least')}")
        if not (isfinite(self.minutes) and self.minutes >= 0):
            raise ModelError(f"minutes {self.minutes:g}: must be at least 0; 0 sets no limit")


@dataclass(frozen=True, slots=True)
class Told:
    """How far learning is; pairs are of the forward and the backward model."""

    epoch: int  # from 0 on
    step: int  # how many are done of this epoch
    steps: int  # that it has
    loss: tuple[float, float]  # of the last step
    perplexity: tuple[float, float]  # on the notes held out, the best so far; 0 before it was measured
    seconds: float  # so far, those before an interruption counted


Watch = Callable[[Told], None]


def pretrain(
    documents: Sequence[Document],
    settings: Pretraining,
    checkpoint: Path | None = None,
    watch: Watch | None = None,
    every: float = EVERY,
) -> Pretrained:
    """Learn from raw notes; spans are not looked at. With a folder for checkpoints, learning goes on from what is there
    and writes one each `every` seconds. `watch` is told after every step; what it raises ends learning."""
    torch = torch_or_told("learning from raw notes")
    groups = groups_of(documents)
    check_groups(groups, settings.least)
    notes = prepared(documents, groups, settings.least, settings.seed)
    asked = {name: value for name, value in asdict(settings).items() if name not in _FREE}
    checkpoints = Checkpoints(checkpoint, {"text": notes.digest(), **asked}) if checkpoint else None
    threads = torch.get_num_threads()
    torch.set_num_threads(settings.threads or threads)
    try:
        learning = _Learning(notes, settings, checkpoints, watch, every)
        learning.run()
        used = torch.get_num_threads()
    finally:
        torch.set_num_threads(threads)
    words = word_vectors(
        documents, groups, language=settings.language, size=settings.size, least=settings.least, seed=settings.seed
    )
    forward, backward = learning.sides
    card = {
        "settings": {**asdict(settings), "threads": used},
        "language": settings.language,
        "training": {
            "notes": len(documents),
            "patients": len({note.patient for note in documents if note.patient}),
            "held_out": notes.held_out,
            "characters": sum(map(len, notes.learn)),
            "fingerprint": fingerprint(documents),
        },
        "perplexity": {"forward": round(forward.perplexity, 4), "backward": round(backward.perplexity, 4)},
        "history": learning.history,
        "seconds": round(learning.seconds, 1),
    }
    return Pretrained(words.words, words.table, notes.characters, forward.plain(), backward.plain(), card)


def torch_or_told(what: str) -> ModuleType:
    """The module torch, or how to get it."""
    try:
        import torch
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise MissingExtraError(what, "train") from None
    return torch


class _Learning:
    """Both directions, and where they stand."""

    def __init__(
        self,
        notes: Notes,
        settings: Pretraining,
        checkpoints: Checkpoints | None,
        watch: Watch | None,
        every: float,
    ) -> None:
        from elision.taggers.neural.language_model import STEPS, Direction

        self.notes, self.settings, self.checkpoints, self.watch, self.every = notes, settings, checkpoints, watch, every
        self.length = STEPS
        self.sides = [
            Direction(len(notes.characters), settings.embedding, settings.hidden, 2 * settings.seed + side)
            for side in range(2)
        ]
        self.epoch = self.step = 0
        self.before = 0.0  # seconds before an interruption
        self.history: list[dict[str, Any]] = []
        self.measured = False  # since the last step
        self._restore()
        self.began = self.saved = time.monotonic()

    @property
    def seconds(self) -> float:
        return self.before + time.monotonic() - self.began

    def run(self) -> None:
        """Learn until there is a reason to end."""
        while self.epoch < self.settings.epochs and not self._is_over():
            texts = [_laid(text, self.settings.rows, self.length) for text in self._texts()]
            steps = -(-(len(texts[0]) - 1) // self.length)
            for step in range(self.step, steps):
                losses = [self._learn(side, text, step) for side, text in zip(self.sides, texts, strict=True)]
                self.step, self.measured = step + 1, False
                if self._is_due(steps, texts[0].shape[1]):
                    self._measure()
                self._save(at_once=self.step == steps)
                self._tell(steps, losses)
                if self._is_over():
                    break
            else:
                self.epoch, self.step = self.epoch + 1, 0
        if not self.measured:  # time is over in the midst of an epoch
            self._measure()
            self._save(at_once=True)

    def _learn(self, side: Direction, text: Ints, step: int) -> float:
        first = step * self.length
        loss = side.step(text[first : first + self.length + 1], fresh=step == 0)
        if not isfinite(loss):
            raise ModelError("learning went astray: the loss is no number any more; try another --seed")
        return loss

    def _is_over(self) -> bool:
        late = 0 < self.settings.minutes * MINUTE <= self.seconds
        return late or all(side.is_done for side in self.sides)

    def _is_due(self, steps: int, rows: int) -> bool:
        """Whether perplexity is measured after this step."""
        return self.step == steps or self.step % max(1, ROUND // (rows * self.length)) == 0

    def _texts(self) -> tuple[Ints, Ints]:
        """The stream of this epoch, forward and backward."""
        order = np.random.default_rng((self.settings.seed, self.epoch)).permutation(len(self.notes.learn)).tolist()
        text = joined([self.notes.learn[at] for at in order], self.notes.newline)
        return text, text[::-1]

    def _measure(self) -> None:
        losses = []
        for side, text in zip(self.sides, (self.notes.held, self.notes.held[::-1]), strict=True):
            losses.append(round(side.measure(_cut(_laid(text, self.settings.rows, self.length), self.length)), 6))
        rates = [side.rate for side in self.sides]
        self.measured = True
        self.history.append({"epoch": self.epoch, "step": self.step, "losses": losses, "rates": rates})

    def _tell(self, steps: int, losses: Sequence[float]) -> None:
        if self.watch:
            one, other = (side.perplexity for side in self.sides)
            self.watch(Told(self.epoch, self.step, steps, (losses[0], losses[1]), (one, other), self.seconds))

    def _save(self, *, at_once: bool) -> None:
        if self.checkpoints is None or not (at_once or time.monotonic() - self.saved >= self.every):
            return
        facts = {
            "epoch": self.epoch,
            "step": self.step,
            "seconds": self.seconds,
            "history": self.history,
            "measured": self.measured,
            "sides": [side.facts() for side in self.sides],
        }
        arrays = {f"{at}.{name}": array for at, side in enumerate(self.sides) for name, array in side.arrays().items()}
        self.checkpoints.save(Checkpoint(facts, arrays))
        self.saved = time.monotonic()

    def _restore(self) -> None:
        found = self.checkpoints.load() if self.checkpoints else None
        if found is None or self.checkpoints is None:
            return
        try:
            facts = found.facts
            self.epoch, self.step = int(facts["epoch"]), int(facts["step"])
            self.before, self.history = float(facts["seconds"]), list(facts["history"])
            self.measured = bool(facts["measured"])
            for at, side in enumerate(self.sides):
                own = {name[2:]: array for name, array in found.arrays.items() if name.startswith(f"{at}.")}
                side.restore(facts["sides"][at], own)
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError):  # the last is torch's for shapes
            raise ModelError(
                f"{self.checkpoints.folder}: is no checkpoint of this learning, or damaged; remove it and begin again"
            ) from None


def _laid(text: Ints, rows: int, length: int) -> Ints:
    """A stream as characters x rows, to be read side by side; the last character of each row is only predicted."""
    rows = max(1, min(rows, len(text) // (2 * length)))
    width = (len(text) - 1) // rows
    places = np.arange(width + 1)[:, None] + width * np.arange(rows)
    laid: Ints = text[places]
    return laid


def _cut(text: Ints, length: int) -> Iterator[Ints]:
    """Steps of a stream; each begins with the character that the one before predicted last."""
    for first in range(0, len(text) - 1, length):
        yield text[first : first + length + 1]
