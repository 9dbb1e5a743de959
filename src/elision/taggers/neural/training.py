"""From documents to a neural tagger, with torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch

from elision.document import Document
from elision.errors import ModelError
from elision.evaluate.splits import hold_out
from elision.taggers.base import Watch
from elision.taggers.calibration import Calibration
from elision.taggers.checkpoints import Checkpoint, Checkpoints
from elision.taggers.corpus import fingerprint, strict_f1
from elision.taggers.cutters import batch_of
from elision.taggers.gold import calibrated_on, start_card, tags_of, training_card
from elision.taggers.neural.lessons import Lessons, lessons_of
from elision.taggers.neural.modules import Module
from elision.taggers.neural.reading import Pairs, Reading
from elision.taggers.neural.recurrent import Floats
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.tagger import NeuralTagger

LEAST_RATE = 1e-4  # of sgd: below it, learning stops
FREE = (
    "dropout",
    "optimiser",
    "rate",
    "falling",
    "clip",
    "batch",
    "epochs",
    "patience",
    "validation",
    "least",
    "seed",
    "dial",
)
POOL = 20  # portions of sequences that are sorted by length together
POSITIONS = 1 << 14  # at most in one portion, the padding with them


@dataclass
class State:
    """Where learning stands."""

    epoch: int = 0  # how many are done
    rate: float = 0.0
    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)  # on the notes put aside
    stale: int = 0  # epochs without gain
    done: bool = False

    def best(self) -> int:
        """The epoch whose weights are kept: the best on the notes put aside or, without any, the last."""
        return int(np.argmax(self.scores)) if self.scores else self.epoch - 1


def fit(
    settings: NeuralSettings,
    documents: Sequence[Document],
    dev: Sequence[Document] = (),
    watch: Watch | None = None,
    start: NeuralTagger | None = None,
    again: Sequence[Document] = (),
    checkpoints: Path | None = None,
) -> NeuralTagger:
    """Learn a neural tagger; see `elision.taggers.store.fit`."""
    if start:
        _refuse_other_settings(settings, start)
    learn, aside = _parts(settings, documents)
    lessons = lessons_of(settings, learn, start, again)
    learner = Learner(settings, lessons)
    keep = _checkpoints(checkpoints, settings, documents, dev, again, start, lessons.begun_with)
    if keep and (found := keep.load()):
        learner.go_on(found)

    def tagger(arrays: Mapping[str, Floats]) -> NeuralTagger:
        return NeuralTagger(lessons.settings, replace(lessons.network, arrays=arrays), lessons.chain, lessons.unit)

    while not learner.state.done:
        loss = learner.epoch()
        now = tagger(learner.module.arrays())
        learner.judge(strict_f1(aside, now.detect(aside)) if aside else None)
        if watch:
            watch(0, learner.state.epoch - 1, loss, strict_f1(dev, now.detect(dev)) if dev else None)
        if keep:
            keep.save(learner.checkpoint())
    state = learner.state
    learnt = tagger(learner.best)
    tags = tags_of(documents, batch_of(settings, [document.text for document in documents]))
    card = training_card(documents, tags, lessons.unit)  # those put aside have had their say, too
    card["network"] = {
        "weights": int(sum(array.size for array in learner.best.values())),
        "knows": {name: len(words) for name, words in lessons.network.words.items()},
        "epochs": state.epoch,
        "best_epoch": state.best() + 1,
        "losses": [round(each, 6) for each in state.losses],
        "put_aside": {
            "notes": len(aside),
            "strict_f1": [round(each, 6) for each in state.scores],
        },
        **({"pretrained": lessons.begun_with} if lessons.begun_with else {}),
    }
    if start:
        card["start"] = start_card(start, len(again))
    before = start.calibration if start else Calibration()
    noted = learnt.noting(**card)
    return calibrated_on(noted, dev, before) if dev else noted.calibrated(before)


class Learner:
    """The weights on their way."""

    def __init__(self, settings: NeuralSettings, lessons: Lessons) -> None:
        self.settings, self.lessons = settings, lessons
        arrays, chain = lessons.network.arrays, lessons.chain
        self.module = Module(lessons.settings, arrays, chain.allowed[:, : len(chain.tags)])
        self.state = State(rate=settings.rate)
        self.optimiser = _optimiser(settings, list(self.module.weights.values()))
        self.best: Mapping[str, Floats] = arrays

    def epoch(self) -> float:
        """Go through the notes once; the mean loss."""
        state, corpus = self.state, self.lessons.corpus
        rng = np.random.default_rng((self.settings.seed, state.epoch))
        chance = torch.Generator().manual_seed(int(rng.integers(1 << 62)))
        for group in self.optimiser.param_groups:
            group["lr"] = state.rate * (1 - state.epoch / self.settings.epochs if self.settings.falling else 1)
        total, count = 0.0, 0
        for chosen in portions(corpus.reading, self.settings.batch, rng):
            loss = self.module.loss(corpus, self.lessons.known, chosen, chance)
            self.optimiser.zero_grad()
            loss.backward()
            if self.settings.clip:
                torch.nn.utils.clip_grad_norm_(self.module.weights.values(), self.settings.clip)
            self.optimiser.step()
            total, count = total + float(loss.detach()) * len(chosen), count + len(chosen)
        mean = total / count
        if not np.isfinite(mean):
            raise ModelError("learning ran away: the loss is no number any more; set a lower rate")
        state.losses.append(mean)
        state.epoch += 1
        return mean

    def judge(self, score: float | None) -> None:
        """What an epoch was worth: keep its weights if they are the best; learn more slowly, or stop."""
        state, settings = self.state, self.settings
        if score is not None:
            state.scores.append(score)
        gained = state.scores if score is not None else [-loss for loss in state.losses]
        if state.best() == state.epoch - 1:
            self.best = self.module.arrays()
        state.stale = 0 if gained[-1] == max(gained) and gained.count(gained[-1]) == 1 else state.stale + 1
        if settings.patience and state.stale >= settings.patience:
            state.stale = 0
            if settings.optimiser == "sgd":
                state.rate /= 2
            else:
                state.done = True
        state.done |= state.epoch >= settings.epochs or (settings.optimiser == "sgd" and state.rate < LEAST_RATE)

    def checkpoint(self) -> Checkpoint:
        """All that is needed to go on: weights, the best so far, and what the optimiser remembers."""
        arrays = {f"now.{name}": array for name, array in self.module.arrays().items()}
        arrays |= {f"best.{name}": array for name, array in self.best.items()}
        for name, weight in self.module.weights.items():
            for key, value in self.optimiser.state.get(weight, {}).items():
                if isinstance(value, torch.Tensor):
                    arrays[f"optimiser.{name}.{key}"] = value.numpy()
        return Checkpoint({**vars(self.state)}, arrays)

    def go_on(self, found: Checkpoint) -> None:
        """Stand where a checkpoint was made."""
        self.state = State(**found.facts)
        self.best = {name: found.arrays[f"best.{name}"].copy() for name in self.module.weights}
        with torch.no_grad():
            for name, weight in self.module.weights.items():
                weight.copy_(torch.from_numpy(found.arrays[f"now.{name}"].copy()))
                start = f"optimiser.{name}."
                kept = {key[len(start) :]: array for key, array in found.arrays.items() if key.startswith(start)}
                if kept:
                    self.optimiser.state[weight] = {key: torch.tensor(array) for key, array in kept.items()}


def _refuse_other_settings(settings: NeuralSettings, start: NeuralTagger) -> None:
    """What a network is and what it reads stays as it is when learning goes on."""
    ours, theirs = settings.as_json(), start.settings.as_json()
    if different := [name for name in ours if name not in FREE and ours[name] != theirs[name]]:
        raise ModelError(f"{different[0]}: must be as in the model from which learning goes on")


def portions(reading: Reading, size: int, rng: np.random.Generator) -> Iterator[Pairs]:
    """All sequences in an order drawn anew, so many at a time; of about the same length where they have lengths."""
    order = rng.permutation(len(reading))
    if reading.targets is not None:
        yield from (order[first : first + size] for first in range(0, len(order), size))
        return
    lengths = reading.bounds[:, 1] - reading.bounds[:, 0]
    found: list[Pairs] = []
    for first in range(0, len(order), POOL * size):
        pool = order[first : first + POOL * size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        for at in range(0, len(pool), size):
            portion = pool[at : at + size]
            most = max(1, POSITIONS // int(lengths[portion].max()))
            found += [portion[begin : begin + most] for begin in range(0, len(portion), most)]
    yield from (found[at] for at in rng.permutation(len(found)).tolist())


def _optimiser(settings: NeuralSettings, weights: list[torch.Tensor]) -> torch.optim.Optimizer:
    """RMSprop and Adam are those of Keras; the rate is set at each epoch."""
    if settings.optimiser == "rmsprop":
        return torch.optim.RMSprop(weights, lr=settings.rate, alpha=0.9, eps=1e-7)
    if settings.optimiser == "adam":
        return torch.optim.Adam(weights, lr=settings.rate, eps=1e-7)
    return torch.optim.SGD(weights, lr=settings.rate)


def _parts(settings: NeuralSettings, documents: Sequence[Document]) -> tuple[Sequence[Document], Sequence[Document]]:
    """Notes to learn from, and notes put aside to tell by which epoch was best; of few patients, none are put aside."""
    patients = {note.patient or f"\0{at}" for at, note in enumerate(documents)}
    if not settings.validation or len(patients) < 2:
        return documents, ()
    learn, aside = hold_out(documents, (1 - settings.validation, settings.validation), settings.seed)
    if not (any(note.spans for note in learn) and any(note.spans for note in aside)):
        return documents, ()
    return learn, aside


def _checkpoints(
    folder: Path | None,
    settings: NeuralSettings,
    documents: Sequence[Document],
    dev: Sequence[Document],
    again: Sequence[Document],
    start: NeuralTagger | None,
    pretrained: str,
) -> Checkpoints | None:
    if folder is None:
        return None
    notes = {name: fingerprint(each) for name, each in (("notes", documents), ("dev", dev), ("again", again))}
    begins = {"start": start.version if start else "", "pretrained": pretrained}  # not by their names
    return Checkpoints(folder, {**notes, **settings.as_json(), **begins})
