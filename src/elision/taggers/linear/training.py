"""From documents to a linear tagger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.bio import OUTSIDE, encode
from elision.document import Document
from elision.errors import LabelError, ModelError
from elision.plugins import plugin
from elision.taggers.base import Tagger, Watch
from elision.taggers.calibration import Calibration, calibrate, calibration_error
from elision.taggers.corpus import check, fingerprint, groups_of, strict_f1
from elision.taggers.linear import kernels
from elision.taggers.linear.batch import Batch
from elision.taggers.linear.chain import Chain
from elision.taggers.linear.columns import Attributes
from elision.taggers.linear.cutters import batch_of
from elision.taggers.linear.learning import Pace, Rows, features_of, learn, sequences, tags_at
from elision.taggers.linear.model import Floats, Linear
from elision.taggers.linear.pruning import compact, prune, rounded, weights_of
from elision.taggers.linear.resources import forms_of, places_of
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.warm_start import Few, beginning, going_on, more_values
from elision.taggers.linear.word_groups import learn_groups, templates_of, vector_forms

SAME = ("features", "language", "cut", "loss", "lexicons", "patterns", "vectors", "vector_file")
CROSSING = 0.002  # lines are sequences unless more spans than this share run over a line's end


def fit(
    settings: Settings,
    documents: Iterable[Document],
    dev: Iterable[Document] = (),
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
) -> LinearTagger:
    """Learn a linear tagger; see `elision.taggers.store.fit`."""
    own, dev = list(documents), tuple(dev)
    check(own)
    notes = [*own, *again]
    begun = _beginning(start, settings) if start else None
    batch = batch_of(settings, [document.text for document in notes])
    tags = _tags(notes, batch)
    unit = begun.unit if begun else _unit(settings.unit, batch, tags)
    bounds = sequences(batch, unit)
    for first in bounds[:, 0].tolist():  # a span that runs over the end of a sequence begins anew
        if tags[first].startswith("I-"):
            tags[first] = "B" + tags[first][1:]
    chain = Chain(
        _tag_set([*tags, *(begun.chain.tags if begun else ())]),
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
        return Linear(chain.tags, lines, values, weights, attributes.places, attributes.forms)

    def hook(seed: int, epoch: int, loss: float, now: Callable[[], tuple[Floats, Floats]]) -> None:
        if watch is None:
            return
        strict = None
        if dev and seed == 0:
            strict = strict_f1(dev, LinearTagger(settings, linear(*now()), chain, unit).detect(dev))
        watch(seed, epoch, loss, strict)

    first = beginning(base, rows, chain.tags) if base else None
    w, turns = _learnt(rows, gold, bounds, chain, settings, hook, first)
    small = compact(prune(linear(w, turns), settings.megabytes))
    exact = settings.trainer == "crfsuite"  # its tags, to the last one
    _refuse_useless(small, np.finfo(np.float32 if exact else np.float16))
    learnt = small if exact else rounded(small)
    card = _card(own, tags[: int(batch.notes[len(own)])], unit, learnt, rows)
    if begun:
        card["start"] = _start(begun, len(again))
    before = begun.calibration if begun else Calibration()
    tagger = LinearTagger(settings, learnt, chain, unit, card=card, word_groups=word_groups)
    return _calibrated(tagger, dev, before) if dev else tagger.calibrated(before)


def _tags(notes: Sequence[Document], batch: Batch) -> list[str]:
    """What each token is; an error where there is nothing to learn."""
    if not len(batch):
        raise ModelError("the notes to learn from hold no words; is this the right folder?")
    tags = [tag for at, document in enumerate(notes) for tag in encode(document.spans, batch.tokens_of(at))]
    if all(tag == OUTSIDE for tag in tags):
        raise LabelError("no span holds a word, so there is nothing to learn; are the offsets those of these texts?")
    if not any(tag == OUTSIDE for tag in tags):
        raise LabelError("every word of the notes is inside a span; there is nothing to tell spans from")
    return tags


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
        raise ModelError("learning goes on from models of elision's own trainer only; this one was learnt by CRFsuite")
    theirs = {name: getattr(start.settings, name) for name in SAME}
    if different := [name for name in SAME if getattr(settings, name) != theirs[name]]:
        raise ModelError(f"{different[0]}: must be as in the model from which learning goes on")
    return start


def _start(begun: LinearTagger, again: int) -> dict[str, Any]:
    """What the card says of the model from which learning went on."""
    told = {name: begun.card[name] for name in ("training", "data", "start") if name in begun.card}
    return {"fingerprint": begun.version, "again": again, **told}


def _refuse_useless(linear: Linear, holds: np.finfo[Any]) -> None:
    weights = linear.weights
    if not all((np.abs(each) <= holds.max).all() for each in (weights.alone.weights, weights.weights, weights.turns)):
        raise ModelError("learning ran away: weights became larger than a model can hold; set a lower rate")
    if not linear.kept:
        raise ModelError("no feature kept a weight; give more notes, or set a lower l1 or c1")


def _unit(wanted: str, batch: Batch, tags: Sequence[str]) -> str:
    if wanted != "auto":
        return wanted
    crossing = sum(tags[first].startswith("I-") for first in batch.line_starts[:-1].tolist())
    spans = sum(tag.startswith("B-") for tag in tags)
    return "note" if crossing > CROSSING * spans else "line"


def _tag_set(tags: Sequence[str]) -> list[str]:
    """O, then the begins, then the insides; every label has both."""
    labels = sorted({tag[2:] for tag in tags if tag != OUTSIDE})
    return [OUTSIDE, *(f"B-{label}" for label in labels), *(f"I-{label}" for label in labels)]


def _calibrated(tagger: LinearTagger, dev: Sequence[Document], before: Calibration) -> LinearTagger:
    """The tagger with scores of spans that are calibrated on notes that were not learnt from, and what was measured
    there."""
    system = tagger.detect(dev)
    scores = np.array([span.score for spans in system for span in spans])
    gold = [{(span.start, span.end, span.label) for span in document.spans} for document in dev]
    right = np.array(
        [(s.start, s.end, s.label) in known for known, spans in zip(gold, system, strict=True) for s in spans], np.bool_
    )
    calibration = calibrate(scores, right, before)
    measured = {
        "notes": len(dev),
        "fingerprint": fingerprint(dev),
        "strict_f1": round(strict_f1(dev, system), 6),
        "calibration_error_before": round(calibration_error(scores, right), 6),
        "calibration_error": round(calibration_error(calibration(scores), right), 6),
    }
    return tagger.calibrated(calibration).noting(dev=measured)


def _card(notes: Sequence[Document], tags: Sequence[str], unit: str, linear: Linear, rows: Rows) -> dict[str, Any]:
    counts = Counter(tag[2:] for tag in tags if tag.startswith("B-"))
    return {
        "labels": dict(sorted(counts.items())),
        "unit": unit,
        "training": {
            "notes": len(notes),
            "patients": len({note.patient for note in notes if note.patient}),
            "tokens": len(tags),
            "spans": sum(counts.values()),
            "fingerprint": fingerprint(notes),
        },
        "features": {"kinds": len(linear.templates), "learnt": rows.features, "kept": linear.kept},
        "licence": "",
        "notes": "",
    }
