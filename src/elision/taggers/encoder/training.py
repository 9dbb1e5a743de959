"""From documents to an encoder that tags, with torch."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from elision.document import Document
from elision.errors import ModelError
from elision.models import store
from elision.taggers.base import Watch
from elision.taggers.batch import Batch
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain
from elision.taggers.checkpoints import Checkpoint, Checkpoints
from elision.taggers.corpus import fingerprint, strict_f1
from elision.taggers.cutters import batch_of
from elision.taggers.encoder.base import load_base
from elision.taggers.encoder.layers import Numbers
from elision.taggers.encoder.modules import Module
from elision.taggers.encoder.packing import Floats
from elision.taggers.encoder.pieces import Pieces
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.tagger import EncoderTagger, widened
from elision.taggers.encoder.weights import Weights
from elision.taggers.encoder.windows import EDGES, Line, Longs, Windows, gathered, line_of, tokens_of, windows_drawn
from elision.taggers.gold import calibrated_on, start_card, tag_set, tags_of, training_card

FREE = ("language", "frozen", "rate", "head_rate", "decay", "warm", "dropout", "batch", "epochs", "seed", "dial",
        "arithmetic", "base")  # fmt: skip
SIZES = (30, 62, 126)  # pieces of windows that notes are cut into, beside whole ones: around a doubted word stand few
POOL = 16  # portions of windows that are sorted by length together
EVERY = 300.0  # seconds from one checkpoint to the next


@dataclass
class State:
    """Where learning stands."""

    epoch: int = 0
    portion: int = 0  # of the epoch, how many are done
    total: float = 0.0  # what they cost, by token
    count: int = 0  # and how many tokens they had
    losses: list[float] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Lessons:
    """Notes as numbers."""

    line: Line
    gold: Numbers  # the tag of each token


def fit(
    settings: EncoderSettings,
    documents: Sequence[Document],
    dev: Sequence[Document] = (),
    watch: Watch | None = None,
    start: EncoderTagger | None = None,
    again: Sequence[Document] = (),
    checkpoints: Path | None = None,
) -> EncoderTagger:
    """Learn a tagger; see `elision.taggers.store.fit`."""
    notes = [*documents, *again]
    batch = batch_of(settings, [note.text for note in notes])
    tags = tags_of(notes, batch)
    chain = Chain(tag_set([*tags, *(start.chain.tags if start else ())]))
    pieces, weights, head, begun = _begin(settings, chain, start)
    learner = Learner(settings, Module(settings, weights, head), _lessons(batch, tags, chain, pieces))
    keep = _checkpoints(checkpoints, settings, documents, dev, again, begun)
    if keep and (found := keep.load()):
        learner.go_on(found)

    def tagger() -> EncoderTagger:
        learnt, said = learner.module.weights()
        return EncoderTagger(settings, pieces, learnt, widened(said, chain), chain)

    while learner.state.epoch < settings.epochs:
        loss = learner.epoch(keep)
        if watch:
            now = tagger()
            watch(0, learner.state.epoch - 1, loss, strict_f1(dev, now.detect(dev)) if dev else None)
        if keep:
            keep.save(learner.checkpoint())
    own = batch_of(settings, [note.text for note in documents])
    card = training_card(documents, tags[: len(own)], "note")
    card["network"] = {
        "weights": sum(weight.numel() for weight in learner.module.learnt.values()),
        "epochs": settings.epochs,
        "losses": [round(each, 6) for each in learner.state.losses],
    }
    card["begun_with"] = begun
    if start:
        card["start"] = start_card(start, len(again))
    before = start.calibration if start else Calibration()
    noted = tagger().noting(**card)
    return calibrated_on(noted, dev, before) if dev else noted.calibrated(before)


class Learner:
    """The weights on their way."""

    def __init__(self, settings: EncoderSettings, module: Module, lessons: Lessons) -> None:
        self.settings, self.module, self.lessons, self.state = settings, module, lessons, State()
        self.optimiser = torch.optim.AdamW(list(module.groups()), betas=(0.9, 0.98), eps=1e-6)

    def epoch(self, keep: Checkpoints | None = None) -> float:
        """Go through the notes once, or through what is left of them; the mean loss."""
        state, settings = self.state, self.settings
        portions = list(_portions(self.lessons.line, settings, state.epoch))
        written = time.monotonic()
        for windows, chosen in portions[state.portion :]:
            drawn = np.random.default_rng((settings.seed, state.epoch, state.portion)).integers(1 << 62)
            torch.manual_seed(int(drawn))
            self._pace((state.epoch + state.portion / len(portions)) / settings.epochs)
            self._learn(windows, chosen)
            state.portion += 1
            if keep and time.monotonic() - written > EVERY:
                keep.save(self.checkpoint())
                written = time.monotonic()
        mean = state.total / max(1, state.count)
        state.losses.append(mean)
        state.epoch, state.portion, state.total, state.count = state.epoch + 1, 0, 0.0, 0
        return mean

    def _learn(self, windows: Windows, chosen: Longs) -> None:
        line = self.lessons.line
        places = int((windows.end - windows.begin)[chosen].max()) + EDGES
        pieces, lengths = gathered(line, windows, chosen, places)
        first, after = tokens_of(line, windows)
        tokens = np.concatenate([np.arange(first[at], after[at]) for at in chosen])
        if not len(tokens):
            return
        row = np.repeat(np.arange(len(chosen)), (after - first)[chosen])
        at = row * places + 1 + line.first[tokens] - windows.begin[chosen][row]
        loss = self.module.loss(pieces, lengths, at.astype(np.int32), self.lessons.gold[tokens])
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.module.learnt.values(), 1.0)
        self.optimiser.step()
        cost = float(loss.detach())
        if not np.isfinite(cost):
            raise ModelError("learning ran away: the loss is no number any more; set a lower rate")
        self.state.total += cost * len(tokens)
        self.state.count += len(tokens)

    def _pace(self, done: float) -> None:
        """The rate rises at first, then falls to nothing."""
        warm = self.settings.warm
        share = done / warm if done < warm else (1 - done) / (1 - warm)
        for group in self.optimiser.param_groups:
            group["lr"] = group["most"] * max(share, 1e-3)

    def checkpoint(self) -> Checkpoint:
        """All that is needed to go on."""
        arrays = {f"now.{name}": array for name, array in self.module.arrays().items()}
        for name, weight in self.module.learnt.items():
            for key, value in self.optimiser.state.get(weight, {}).items():
                arrays[f"optimiser.{name}.{key}"] = value.cpu().numpy()
        return Checkpoint({**vars(self.state)}, arrays)

    def go_on(self, found: Checkpoint) -> None:
        """Stand where a checkpoint was made."""
        self.state = State(**found.facts)
        with torch.no_grad():
            for name, weight in self.module.learnt.items():
                weight.copy_(torch.tensor(found.arrays[f"now.{name}"]))
                begin = f"optimiser.{name}."
                kept = {key[len(begin) :]: array for key, array in found.arrays.items() if key.startswith(begin)}
                if kept:
                    on = {key: torch.tensor(array) for key, array in kept.items()}
                    self.optimiser.state[weight] = {
                        key: each if key == "step" else each.to(weight.device) for key, each in on.items()
                    }


def _begin(
    settings: EncoderSettings, chain: Chain, start: EncoderTagger | None
) -> tuple[Pieces, Weights, tuple[Floats, Floats], str]:
    """Pieces, weights and head to begin with, and the fingerprint of what they are from."""
    tags = len(chain.tags)
    if start is None:
        if not settings.base:
            raise ModelError(
                "the encoder begins with pre-trained weights: --set base=FOLDER, or go on from a model, such as "
                "--start-from shipped"
            )
        if not Path(settings.base).is_dir():
            raise ModelError(
                f"base {settings.base}: no such folder of pre-trained weights; give one, or go on from a model"
            )
        base = load_base(Path(settings.base))
        if base.weights.layers < settings.layers:
            raise ModelError(f"layers {settings.layers}: the pre-trained weights have {base.weights.layers}")
        weights = base.weights.lower(settings.layers)
        rng = np.random.default_rng(settings.seed)
        first = rng.normal(0, 0.02, (weights.width, tags)).astype(np.float32)
        return base.pieces, weights, (first, np.zeros(tags, np.float32)), store.fingerprint(Path(settings.base))
    ours, theirs = settings.as_json(), start.settings.as_json()
    if different := [name for name in ours if name not in FREE and ours[name] != theirs[name]]:
        raise ModelError(f"{different[0]}: must be as in the model from which learning goes on")
    columns = [chain.tags.index(tag) for tag in start.chain.tags]
    matrix, bias = np.zeros((start.weights.width, tags), np.float32), np.full(tags, start.head[1].min() - 1, np.float32)
    matrix[:, columns] = start.head[0][:, : len(columns)]
    bias[columns] = start.head[1][: len(columns)]
    return start.pieces, start.weights, (matrix, bias), start.version


def _lessons(batch: Batch, tags: Sequence[str], chain: Chain, pieces: Pieces) -> Lessons:
    number = {tag: at for at, tag in enumerate(chain.tags)}
    return Lessons(line_of(batch, pieces), np.array([number[tag] for tag in tags], np.int32))


def _portions(line: Line, settings: EncoderSettings, epoch: int) -> Iterator[tuple[Windows, Longs]]:
    """All notes in an order drawn anew, in windows of about the same length in a portion."""
    rng = np.random.default_rng((settings.seed, epoch))
    most = settings.window - EDGES
    windows = windows_drawn(line.notes, np.array([*(size for size in SIZES if size < most), most]), rng)
    lengths = windows.end - windows.begin + EDGES
    order = rng.permutation(len(windows))
    portions: list[Longs] = []
    pool = POOL * max(1, settings.batch // settings.window)
    for begin in range(0, len(order), pool):
        some = order[begin : begin + pool]
        some = some[np.argsort(lengths[some], kind="stable")[::-1]]
        while len(some):
            count = max(1, settings.batch // int(lengths[some[0]]))
            portions.append(some[:count])
            some = some[count:]
    yield from ((windows, portions[at]) for at in rng.permutation(len(portions)).tolist())


def _checkpoints(
    folder: Path | None,
    settings: EncoderSettings,
    documents: Sequence[Document],
    dev: Sequence[Document],
    again: Sequence[Document],
    begun: str,
) -> Checkpoints | None:
    if folder is None:
        return None
    notes: Mapping[str, str] = {
        name: fingerprint(each) for name, each in (("notes", documents), ("dev", dev), ("again", again))
    }
    return Checkpoints(folder, {**notes, **settings.as_json(), "begun_with": begun})
