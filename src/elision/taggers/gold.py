"""What notes have to teach: a tag for each token, the set of tags, what is one sequence; and what a tagger's scores are
worth on notes that it has not learnt from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from elision.bio import OUTSIDE, encode
from elision.document import Document
from elision.errors import LabelError, ModelError
from elision.taggers.base import Tagger
from elision.taggers.batch import Batch
from elision.taggers.calibration import Calibration, calibrate, calibration_error
from elision.taggers.corpus import fingerprint, strict_f1
from elision.taggers.learnt import NAME as LEARNT
from elision.taggers.learnt import learnt_card

T = TypeVar("T", bound=Tagger)


def tags_of(notes: Sequence[Document], batch: Batch) -> list[str]:
    """What each token is; an error where there is nothing to learn."""
    if not len(batch):
        raise ModelError("the notes to learn from hold no words; is this the right folder?")
    tags = [tag for at, document in enumerate(notes) for tag in encode(document.spans, batch.tokens_of(at))]
    if all(tag == OUTSIDE for tag in tags):
        raise LabelError("no span holds a word, so there is nothing to learn; are the offsets those of these texts?")
    if not any(tag == OUTSIDE for tag in tags):
        raise LabelError("every word of the notes is inside a span; there is nothing to tell spans from")
    return tags


def unit_of(wanted: str, batch: Batch, tags: Sequence[str], most: float) -> str:
    """What is one sequence where "auto" is wanted: a line; a note if more than this share of spans run over a line's
    end."""
    if wanted != "auto":
        return wanted
    crossing = sum(tags[first].startswith("I-") for first in batch.line_starts[:-1].tolist())
    spans = sum(tag.startswith("B-") for tag in tags)
    return "note" if crossing > most * spans else "line"


def tag_set(tags: Sequence[str]) -> list[str]:
    """O, then the begins, then the insides; every label has both."""
    labels = sorted({tag[2:] for tag in tags if tag != OUTSIDE})
    return [OUTSIDE, *(f"B-{label}" for label in labels), *(f"I-{label}" for label in labels)]


def begun_anew(tags: list[str], firsts: Sequence[int]) -> None:
    """A span that runs over the end of a sequence begins anew in the next."""
    for first in firsts:
        if tags[first].startswith("I-"):
            tags[first] = "B" + tags[first][1:]


def training_card(notes: Sequence[Document], tags: Sequence[str], unit: str) -> dict[str, Any]:
    """What a model's card says of the notes that it was learnt from."""
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
        LEARNT: learnt_card(notes),
        "licence": "",
        "notes": "",
    }


def start_card(begun: Tagger, again: int) -> dict[str, Any]:
    """What a model's card says of the one from which learning went on."""
    told = {name: begun.card[name] for name in ("training", "data", "start", LEARNT) if name in begun.card}
    return {"fingerprint": begun.version, "again": again, **told}


def calibrated_on(tagger: T, dev: Sequence[Document], before: Calibration) -> T:
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
