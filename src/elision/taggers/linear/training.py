"""From documents to a linear tagger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.document import Document
from elision.errors import ModelError
from elision.plugins import plugin
from elision.taggers import kernels
from elision.taggers.base import Tagger, Watch
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Floats
from elision.taggers.corpus import check, groups_of, strict_f1
from elision.taggers.cutters import batch_of
from elision.taggers.gold import begun_anew, calibrated_on, start_card, tag_set, tags_of, training_card, unit_of
from elision.taggers.linear.columns import Attributes
from elision.taggers.linear.dense import Dense
from elision.taggers.linear.learning import Pace, Rows, features_of, learn, sequences, tags_at
from elision.taggers.linear.model import Linear, window
from elision.taggers.linear.pruning import compact, prune, rounded, weights_of
from elision.taggers.linear.resources import forms_of, places_of, refuse_unused
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.svm import learn_with_svm
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.warm_start import Few, beginning, going_on, more_values
from elision.taggers.linear.word_groups import learn_groups, templates_of, vector_forms

CROSSING = 0.002  # of spans: whole notes are learnt about as well as lines
SAME = ("features", "language", "cut", "unit", "loss", "lexicons", "patterns", "vectors", "vector_file")


def fit(
    settings: Settings,
    documents: Iterable[Document],
    dev: Iterable[Document] = (),
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
) -> LinearTagger:
    """Learn a linear tagger; see `elision.taggers.store.fit`."""
    refuse_unused(settings)
    own, dev = list(documents), tuple(dev)
    check(own)
    notes = [*own, *again]
    begun = _beginning(start, settings) if start else None
    batch = batch_of(settings, [document.text for document in notes])
    tags = tags_of(notes, batch)
    unit = begun.unit if begun else unit_of(settings.unit, batch, tags, CROSSING)
    bounds = sequences(batch, unit)
    begun_anew(tags, bounds[:, 0].tolist())
    chain = Chain(
        tag_set([*tags, *(begun.chain.tags if begun else ())]),
        free=settings.trainer == "crfsuite" or settings.loss != "chain",
    )
    groups = np.concatenate((groups_of(own), np.full(len(again), -1, np.int32)))
    lines = templates_of(settings)
    word_groups = begun.word_groups if begun else learn_groups(settings, batch, groups)
    attributes = Attributes(lines, places_of(settings), {**forms_of(settings), **vector_forms(word_groups)})
    base = begun.linear if begun else None
    values = attributes.values(batch, settings.least, groups)
    values = more_values(base.values, values) if base else values
    rows = features_of(batch, lines, attributes, values, settings.least, groups, base.weights.keys if base else None)
    if not rows.features:
        raise ModelError(
            f"no feature occurs in {settings.least} notes or patients; give more notes, or a lower least (1 keeps all)"
        )
    gold = tags_at(tags, chain.tags)

    def linear(w: Floats, turns: Floats) -> Linear:
        weights = going_on(base, rows, w, turns, chain.tags) if base else weights_of(rows, w, turns)
        return Linear(chain.tags, lines, values, weights, attributes.places, attributes.forms, of_vectors)

    def hook(seed: int, epoch: int, loss: float, now: Callable[[], tuple[Floats, Floats]]) -> None:
        if watch is None:
            return
        strict = None
        if dev and seed == 0:
            strict = strict_f1(dev, LinearTagger(settings, linear(*now()), chain, unit).detect(dev))
        watch(seed, epoch, loss, strict)

    first = beginning(base, rows, chain.tags) if base else None
    of_vectors: Dense | None = None
    if settings.trainer == "svm":
        offsets = window(lines, attributes)
        w, turns, of_vectors = learn_with_svm(rows, gold, chain, settings, batch, groups, offsets, watch)
    else:
        w, turns = _learnt(rows, gold, bounds, chain, settings, hook, first)
    small = compact(prune(linear(w, turns), settings.megabytes))
    exact = settings.trainer == "crfsuite"  # its tags, to the last one
    _refuse_useless(small, np.finfo(np.float32 if exact else np.float16))
    learnt = small if exact else rounded(small)
    card = training_card(own, tags[: int(batch.notes[len(own)])], unit)
    card["features"] = {"kinds": len(learnt.templates), "learnt": rows.features, "kept": learnt.kept}
    if of_vectors and settings.dense:
        card["vectors"] = {"words": len(of_vectors.vectors.words), "numbers": of_vectors.vectors.table.shape[1]}
    if begun:
        card["start"] = start_card(begun, len(again))
    before = begun.calibration if begun else Calibration()
    tagger = LinearTagger(settings, learnt, chain, unit, card=card, word_groups=word_groups)
    return calibrated_on(tagger, dev, before) if dev else tagger.calibrated(before)


def _learnt(
    rows: Rows,
    gold: npt.NDArray[np.int16],
    bounds: Any,
    chain: Chain,
    settings: Settings,
    hook: Any,
    start: tuple[Floats, Floats] | None,
) -> tuple[Floats, Floats]:
    if settings.trainer != "online":
        learnt: tuple[Floats, Floats] = plugin("trainers", settings.trainer, "the trainer")(
            rows, gold, bounds, chain, settings
        )
        return learnt
    loss = {"chain": kernels.CHAIN, "softmax": kernels.SOFTMAX, "hinge": kernels.HINGE}[settings.loss]
    pace = Pace(
        loss=loss, epochs=settings.epochs, seeds=settings.seeds, seed=settings.seed, dropout=settings.dropout,
        rate=settings.rate, l1=settings.l1, l2=settings.l2,
    )  # fmt: skip
    if start is None:
        return learn(rows, gold, bounds, chain.allowed, len(chain.tags), pace, hook)
    few = Few(rows, start[0])
    w, turns = learn(
        few.rows, gold, bounds, chain.allowed, len(chain.tags), pace, few.told(hook), (few.start, start[1])
    )
    return few.whole(w), turns


def _beginning(start: Tagger, settings: Settings) -> LinearTagger:
    """The model from which learning goes on, if it can."""
    if not isinstance(start, LinearTagger):
        raise ModelError("learning goes on from a linear model only; this one is of another kind")
    if {settings.trainer, start.settings.trainer} != {"online"}:
        raise ModelError("learning goes on from models of elision's own trainer only; this one was learnt otherwise")
    theirs = {name: getattr(start.settings, name) for name in SAME}
    if different := [name for name in SAME if getattr(settings, name) != theirs[name]]:
        raise ModelError(f"{different[0]}: must be as in the model from which learning goes on")
    return start


def _refuse_useless(linear: Linear, holds: np.finfo[Any]) -> None:
    weights = linear.weights
    if not all((np.abs(each) <= holds.max).all() for each in (weights.alone.weights, weights.weights, weights.turns)):
        raise ModelError("learning ran away: weights became larger than a model can hold; set a lower rate")
    if not linear.kept:
        raise ModelError("no feature kept a weight; give more notes, or set a lower l1 or c1")
