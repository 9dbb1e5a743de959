"""From a corpus to a model that is ready to use: scored and set on notes held out, then learnt again from all notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from elision.document import Document
from elision.errors import ElisionError, ModelError
from elision.evaluate.coverage import coverage
from elision.evaluate.matching import strict
from elision.evaluate.splits import hold_out
from elision.taggers.base import Recipe, Tagger, Watch, tag
from elision.taggers.calibration import Calibration, calibrate, calibration_error
from elision.taggers.corpus import check, fingerprint
from elision.taggers.store import fit
from elision.taggers.threshold import set_dial

FIRST, FINAL = "first", "final"  # folders of checkpoints: of what is scored, and of what is learnt from all notes
CURVE = (0.25, 0.5)  # shares of the notes after which a learning curve has a point, besides none and all


class Learnt(Protocol):
    """What was learnt from notes, with a card that says from which."""

    @property
    def card(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What is held out, and what is asked of the notes held out."""

    share: float = 0.1  # of the notes; 0: none, the model is neither scored nor calibrated unless dev notes are given
    recall: float = 0.0  # the dial is set for this share of the characters of gold spans; 0: it stays as it is
    final: bool = True  # learn again from all notes

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1:
            raise ModelError(f"--hold-out {self.share:g}: a share of the notes, from 0 to less than 1, such as 0.1")
        if not 0 <= self.recall < 1:
            raise ModelError(f"--recall {self.recall:g}: a share of the characters, less than 1, such as 0.99")


def train(
    documents: Sequence[Document],
    settings: Recipe,
    dev: Sequence[Document] = (),
    plan: Experiment | None = None,
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
    checkpoints: Path | None = None,
) -> Tagger:
    """Learn from these notes. Without `dev`, some patients are held out in its place; `card_` says what was done. For
    `start` and `again` see `store.fit`; what was learnt with a part of the notes goes into `card_`, too.

    The second learning of a final model counts its seeds on from the first, when it tells `watch`.
    """
    plan = plan or Experiment()
    check(documents)
    learn, judge, held = tuple(documents), tuple(dev), False
    if not dev and plan.share:
        (learn, judge), held = split(documents, plan.share, settings.seed), True
    if plan.recall and not judge:
        raise ModelError("the dial is set on notes that were not learnt from; hold some out, or give some as dev")
    tagger = fit(settings, learn, judge, watch, start, again, checkpoints and checkpoints / FIRST)
    if judge:
        if start:
            points = [*_curve(start, learn, judge, settings, watch, again)]
            tagger = tagger.noting(curve=[*points, {"notes": len(learn), **measured(tagger, judge)}])
        tagger = _with_dial(tagger, judge, plan.recall)
        tagger = tagger.noting(dev={**tagger.card["dev"], **measured(tagger, judge)})
    if held and plan.final:
        tagger = _final(tagger, documents, len(judge), watch, start, again, checkpoints and checkpoints / FINAL)
    if held:
        tagger = tagger.noting(held_out={"notes": len(judge), "share": plan.share, "seed": settings.seed})
    return tagger


def _curve(
    start: Tagger,
    learn: Sequence[Document],
    judge: Sequence[Document],
    settings: Recipe,
    watch: Watch | None,
    again: Sequence[Document],
) -> Iterator[dict[str, float]]:
    """How good the model is as it is, and after learning from a part of the notes, once each."""
    yield {"notes": 0, **measured(start, judge)}
    order = np.random.default_rng(settings.seed).permutation(len(learn)).tolist()
    for count in sorted({round(share * len(learn)) for share in CURVE}):
        part = [learn[at] for at in order[:count]]
        if any(note.spans for note in part):
            tagger = fit(replace(settings, seeds=1), part, (), watch, start, again)
            yield {"notes": count, **measured(tagger, judge)}


def split(documents: Sequence[Document], share: float, seed: int) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Notes to learn from and notes to judge by; those of one patient stay together."""
    patients = {note.patient or f"\0{at}" for at, note in enumerate(documents)}
    if len(patients) < 2:
        raise ModelError(
            "the notes are of one patient, so none can be held out to score and calibrate on; give notes of others "
            "(--dev), or hold out none (--hold-out 0)"
        )
    learn, judge = hold_out(documents, (1 - share, share), seed)
    if not any(note.spans for note in learn):
        raise ModelError(
            "all notes with spans were held out, so nothing is left to learn from; give more notes, another seed, or "
            "hold out none (--hold-out 0)"
        )
    return learn, judge


def measured(tagger: Tagger, gold: Sequence[Document]) -> dict[str, float]:
    """How well the model as it stands does on notes: strict spans, and characters whatever the label."""
    return figures_of(gold, tag(tagger, gold))


def figures_of(gold: Sequence[Document], system: Sequence[Document]) -> dict[str, float]:
    """The same of notes with what was found in them."""
    pairs = list(zip(gold, system, strict=True))
    spans, characters = strict(pairs).all().score(), coverage(pairs)
    return {
        "strict_f1": round(spans.f1, 6),
        "strict_precision": round(spans.precision, 6),
        "strict_recall": round(spans.recall, 6),
        "character_recall": round(characters.characters.score().recall, 6),
        "over_redaction": round(int(characters.over_redacted.sum()) / max(1, int(characters.harmless.sum())), 6),
    }


def _with_dial(tagger: Tagger, dev: Sequence[Document], recall: float) -> Tagger:
    """The tagger with its dial set for a recall. That changes the scores of spans, so that they are calibrated anew."""
    if not recall:
        return tagger
    before = tagger.card["dev"]["strict_f1"]
    dialled, chosen = set_dial(tagger, dev, recall)
    scores, right = scores_and_truth(dialled.calibrated(Calibration()), dev)
    calibration = calibrate(scores, right)
    errors = {
        "calibration_error_before": round(calibration_error(scores, right), 6),
        "calibration_error": round(calibration_error(calibration(scores), right), 6),
    }
    return dialled.calibrated(calibration).noting(
        dial={**chosen.as_json(), "asked": recall, "strict_f1_without": before},
        dev={**tagger.card["dev"], **errors},
    )


def scores_and_truth(tagger: Tagger, gold: Sequence[Document]) -> tuple[Any, Any]:
    """The score of every span that the model finds, and whether the span is right."""
    rows = [
        (span.score, (span.start, span.end, span.label) in known)
        for document, system in zip(gold, tagger.detect(gold), strict=True)
        for known in [{(span.start, span.end, span.label) for span in document.spans}]
        for span in system
    ]
    return np.array([score for score, _ in rows], np.float64), np.array([right for _, right in rows], np.bool_)


def _final(
    tagger: Tagger,
    documents: Sequence[Document],
    held: int,
    watch: Watch | None,
    start: Tagger | None,
    again: Sequence[Document],
    checkpoints: Path | None,
) -> Tagger:
    """The same learnt from all notes, with what was set on those held out."""
    seeds = tagger.settings.seeds

    def later(seed: int, epoch: int, loss: float, strict_f1: float | None) -> None:
        if watch:
            watch(seed + seeds, epoch, loss, strict_f1)

    final = fit(tagger.settings, documents, (), later, start, again, checkpoints)
    told = {name: tagger.card[name] for name in ("dev", "dial", "curve") if name in tagger.card}
    told["final"] = (
        f"learnt from all {len(documents):,} notes; scores, calibration and dial are those of the same settings learnt "
        f"without {held:,} of them"
    )
    return final.calibrated(tagger.calibration).noting(**told)


def learnt_from(model: Learnt, documents: Sequence[Document]) -> Sequence[Document] | None:
    """Those of the notes that a model was learnt from: all, or all but those held out; None if it were others."""
    wanted = _dict(model.card.get("training")).get("fingerprint")
    parts: list[Sequence[Document]] = [documents]
    if held := _dict(model.card.get("held_out")):
        with suppress(ElisionError, KeyError, TypeError, ValueError):
            parts.append(split(documents, float(held["share"]), int(held["seed"]))[0])
    return next((part for part in parts if fingerprint(part) == wanted), None)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
