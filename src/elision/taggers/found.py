"""From spans over the tokens of a batch to spans of its notes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from elision.document import Span
from elision.taggers.batch import Batch
from elision.taggers.calibration import Calibration
from elision.taggers.chain import TokenSpans

SCORE_DIGITS = 6  # numpy's last bits depend on how many numbers it works out together; a note's score must not


def spans_of(
    batch: Batch, found: TokenSpans, names: Sequence[str], calibration: Calibration, source: str
) -> list[tuple[Span, ...]]:
    """What was found in a batch, note by note, with scores that tell how often such spans are right."""
    note = batch.note_of[found.first]
    starts = (batch.tokens.starts[found.first] - batch.edges[note]).tolist()
    ends = (batch.tokens.ends[found.after - 1] - batch.edges[note]).tolist()
    scores = calibration(found.score).round(SCORE_DIGITS).tolist()
    spans = [
        Span(start, end, names[label], score, source)
        for start, end, label, score in zip(starts, ends, found.label.tolist(), scores, strict=True)
    ]
    upto = np.searchsorted(note, np.arange(len(batch.notes))).tolist()
    return [tuple(spans[first:after]) for first, after in pairwise(upto)]
