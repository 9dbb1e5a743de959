"""From documents to a fitted tagger."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.document import Document, Span
from elision.errors import LabelError, ModelError
from elision.taggers.calibration import Calibration, calibrate, calibration_error
from elision.taggers.linear import kernels
from elision.taggers.linear.batch import Batch
from elision.taggers.linear.chain import Chain
from elision.taggers.linear.columns import Attributes
from elision.taggers.linear.learning import Pace, Rows, features_of, learn, sequences, tags_at
from elision.taggers.linear.model import Floats, Linear
from elision.taggers.linear.pruning import compact, prune, rounded, weights_of
from elision.taggers.linear.resources import forms_of, places_of
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.warm_start import Few, beginning, going_on, more_values
from elision.taggers.linear.word_groups import learn_groups, templates_of, vector_forms
from elision.text.bio import OUTSIDE, encode

Watch = Callable[[int, int, float, float | None], None]

SAME = ("features", "language", "cut", "loss", "lexicons", "patterns", "vectors", "vector_file")
CROSSING = 0.002  # lines are sequences unless more spans than this share run over a line's end


def fit(
    tagger: LinearTagger,
    documents: Iterable[Document],
    dev: Sequence[Document],
    watch: Watch | None,
    start: LinearTagger | None = None,
    again: Sequence[Document] = (),
) -> None:
    """Learn; see `LinearTagger.fit`."""
    own = list(documents)
    check(own)
    notes = [*own, *again]
    settings = tagger.settings
    if start:
        _refuse_other(start, settings)
    batch = tagger.batch([document.text for document in notes])
    if not len(batch):
        raise ModelError("the notes to learn from hold no words; is this the right folder?")
    tags = [tag for at, document in enumerate(notes) for tag in encode(document.spans, batch.tokens_of(at))]
    if all(tag == OUTSIDE for tag in tags):
        raise LabelError("no span holds a word, so there is nothing to learn; are the offsets those of these texts?")
    if not any(tag == OUTSIDE for tag in tags):
        raise LabelError("every word of the notes is inside a span; there is nothing to tell spans from")
    tagger.unit_ = start.unit_ if start else _unit(settings.unit, batch, tags)
    bounds = sequences(batch, tagger.unit_)
    for first in bounds[:, 0].tolist():  # a span that runs over the end of a sequence begins anew
        if tags[first].startswith("I-"):
            tags[first] = "B" + tags[first][1:]
    chain = Chain(
        _tag_set([*tags, *(start.chain_.tags if start else ())]),
        free=settings.trainer == "crfsuite" or settings.loss != "chain",
    )
    tagger.chain_ = chain
    groups = np.concatenate((groups_of(own), np.full(len(again), -1, np.int32)))
    lines = templates_of(settings)
    tagger.word_groups_ = start.word_groups_ if start else learn_groups(settings, batch, groups)
    attributes = Attributes(lines, places_of(settings), {**forms_of(settings), **vector_forms(tagger.word_groups_)})
    base = start.linear_ if start else None
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

    tagger.calibration_ = Calibration()

    def hook(seed: int, epoch: int, loss: float, now: Callable[[], tuple[Floats, Floats]]) -> None:
        if watch is None:
            return
        strict = None
        if dev and seed == 0:
            live = LinearTagger(settings)
            live.chain_, live.unit_, live.calibration_ = chain, tagger.unit_, Calibration()
            live.linear_ = linear(*now())
            strict = strict_f1(dev, live(dev))
        watch(seed, epoch, loss, strict)

    first = beginning(base, rows, chain.tags) if base else None
    w, turns = _learnt(rows, gold, bounds, chain, settings, hook, first)
    small = compact(prune(linear(w, turns), settings.megabytes))
    exact = settings.trainer == "crfsuite"  # its tags, to the last one
    _refuse_useless(small, np.finfo(np.float32 if exact else np.float16))
    tagger.linear_ = small if exact else rounded(small)
    tagger.card_ = _card(own, tags[: int(batch.notes[len(own)])], tagger, rows)
    if start:
        begun = {name: start.card_[name] for name in ("training", "data", "start") if name in start.card_}
        tagger.card_["start"] = {"fingerprint": start.version_, "again": len(again), **begun}
    before = start.calibration_ if start else Calibration()
    if dev:
        tagger.card_["dev"] = _calibrated(tagger, dev, before)
    else:
        tagger.calibration_ = before


def _learnt(
    rows: Rows,
    gold: npt.NDArray[np.int16],
    bounds: Any,
    chain: Chain,
    settings: Settings,
    hook: Any,
    start: tuple[Floats, Floats] | None,
) -> tuple[Floats, Floats]:
    if settings.trainer == "crfsuite":
        from elision.papers.with_crfsuite import learn_with_crfsuite

        return learn_with_crfsuite(rows, gold, bounds, chain, settings)
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


def _refuse_other(start: LinearTagger, settings: Settings) -> None:
    """A model from which learning cannot go on."""
    if {settings.trainer, start.settings.trainer} != {"online"}:
        raise ModelError("learning goes on from models of elision's own trainer only; this one was learnt by CRFsuite")
    theirs = {name: getattr(start.settings, name) for name in SAME}
    if different := [name for name in SAME if getattr(settings, name) != theirs[name]]:
        raise ModelError(f"{different[0]}: must be as in the model from which learning goes on")


def _refuse_useless(linear: Linear, holds: np.finfo[Any]) -> None:
    weights = linear.weights
    if not all((np.abs(each) <= holds.max).all() for each in (weights.alone.weights, weights.weights, weights.turns)):
        raise ModelError("learning ran away: weights became larger than a model can hold; set a lower rate")
    if not linear.kept:
        raise ModelError("no feature kept a weight; give more notes, or set a lower l1 or c1")


def check(notes: Sequence[Document]) -> None:
    if not notes:
        raise ModelError("no notes to learn from; is this the right folder?")
    if not any(document.spans for document in notes):
        raise LabelError(
            f"none of the {len(notes)} notes has a span to learn from; was the format guessed right, are the "
            "annotations beside the texts?"
        )
    for document in notes:
        if any(not span.label for span in document.spans):
            raise LabelError(f"{document.name}: a span without a label; give it one, or leave it out")
        if pair := _first_disagreement(document.spans):
            a, b = pair
            raise LabelError(
                f"{document.name}: spans {a.start}–{a.end} ({a.label}) and {b.start}–{b.end} ({b.label}) overlap and "
                "disagree; merge() them first"
            )


def _first_disagreement(spans: Iterable[Span]) -> tuple[Span, Span] | None:
    """Two spans that overlap and have different labels. Those of one label may: what they cover is learnt."""
    furthest: dict[str, Span] = {}
    for span in sorted(spans, key=_place):
        for other in furthest.values():
            if other.label != span.label and span.start < other.end:
                return other, span
        if span.label not in furthest or span.end > furthest[span.label].end:
            furthest[span.label] = span
    return None


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


def groups_of(notes: Sequence[Document]) -> npt.NDArray[np.int32]:
    """A number for each note, the same for notes of one patient."""
    numbers: dict[str, int] = {}
    return np.array(
        [
            numbers.setdefault(f"p{note.patient}" if note.patient else f"n{at}", len(numbers))
            for at, note in enumerate(notes)
        ],
        np.int32,
    )


def strict_f1(gold: Sequence[Document], system: Sequence[Sequence[Any]]) -> float:
    """F1 of spans with the same offsets and label, over all notes."""
    right = wanted = given = 0
    for document, spans in zip(gold, system, strict=True):
        theirs = {(span.start, span.end, span.label) for span in document.spans}
        ours = {(span.start, span.end, span.label) for span in spans}
        right, wanted, given = right + len(theirs & ours), wanted + len(theirs), given + len(ours)
    return 2 * right / (wanted + given) if wanted + given else 0.0


def _calibrated(tagger: LinearTagger, dev: Sequence[Document], before: Calibration) -> dict[str, Any]:
    """Calibrate the scores of spans on notes that were not learnt from; what was measured there."""
    system = tagger(dev)
    scores = np.array([span.score for spans in system for span in spans])
    gold = [{(span.start, span.end, span.label) for span in document.spans} for document in dev]
    right = np.array(
        [(s.start, s.end, s.label) in known for known, spans in zip(gold, system, strict=True) for s in spans], np.bool_
    )
    tagger.calibration_ = calibrate(scores, right, before)
    return {
        "notes": len(dev),
        "fingerprint": fingerprint(dev),
        "strict_f1": round(strict_f1(dev, system), 6),
        "calibration_error_before": round(calibration_error(scores, right), 6),
        "calibration_error": round(calibration_error(tagger.calibration_(scores), right), 6),
    }


def fingerprint(documents: Iterable[Document]) -> str:
    """A SHA-256 that names these notes and spans, whatever their order and ids."""
    digests = sorted(
        hashlib.sha256(
            "\0".join(
                (document.text, *(f"{s.start} {s.end} {s.label}" for s in sorted(document.spans, key=_place)))
            ).encode()
        ).digest()
        for document in documents
    )
    return hashlib.sha256(b"".join(digests)).hexdigest()


def _place(span: Any) -> tuple[int, int, str]:
    return span.start, span.end, span.label


def _card(notes: Sequence[Document], tags: Sequence[str], tagger: LinearTagger, rows: Rows) -> dict[str, Any]:
    counts = Counter(tag[2:] for tag in tags if tag.startswith("B-"))
    return {
        "labels": dict(sorted(counts.items())),
        "unit": tagger.unit_,
        "training": {
            "notes": len(notes),
            "patients": len({note.patient for note in notes if note.patient}),
            "tokens": len(tags),
            "spans": sum(counts.values()),
            "fingerprint": fingerprint(notes),
        },
        "features": {"kinds": len(tagger.linear_.templates), "learnt": rows.features, "kept": tagger.linear_.kept},
        "licence": "",
        "notes": "",
    }
