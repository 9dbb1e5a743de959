"""The recall dial: how little the model must believe in `O` for as much PHI to be covered as one wants.

The probability of `O` is multiplied by the dial before tags are chosen. A dial of 1 changes nothing, a smaller one
covers more, PHI and other text. Which dial keeps a promise is found out on notes that the model has not learnt from. A
dial that reaches a recall on these notes misses it on others about every second time; one whose lower bound
reaches it seldom does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from elision.document import Document
from elision.errors import LabelError, ModelError, ScoreError
from elision.evaluate.bounds import at_least
from elision.evaluate.coverage import Coverage, coverage
from elision.evaluate.stats import draws, weighted_sums
from elision.evaluate.tally import ratio
from elision.taggers.base import Tagger
from elision.taggers.corpus import strict_f1

T = TypeVar("T", bound=Tagger)

LOWEST = 1e-6
STEPS = tuple(float(f"{10 ** (-half / 2):.3g}") for half in range(13))  # from 1 down to LOWEST
CLOSE = 1.05  # two dials this close are the same
REPLICATES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """A dial and what it does on notes that were not learnt from; characters are visible ones, as in `evaluate`."""

    dial: float
    recall: float  # share of the PHI characters that are covered
    recall_low: float  # its lower bound at this confidence, notes drawn anew
    clean: float  # share of the notes with PHI in which no span leaks
    clean_low: float  # its exact lower bound
    over_redaction: float  # share of the other characters that are covered
    strict_f1: float
    notes: int  # with PHI
    confidence: float

    def as_json(self) -> dict[str, float | int]:
        return asdict(self)


def set_dial(
    tagger: T,
    notes: Iterable[Document],
    recall: float = 0.99,
    confidence: float = 0.95,
    *,
    target: Literal["recall", "bound"] = "recall",
) -> tuple[T, Dial]:
    """The tagger with the largest dial, 1 at most, that covers so large a share of the PHI characters of these notes.

    With target "bound", the lower bound of that share must reach it. What was measured goes into its card, too.
    """
    if not 0 < recall <= 1:
        raise ModelError(f"a recall to reach lies between 0 and 1, not at {recall}; for 99 % say 0.99")
    if target not in ("recall", "bound"):
        raise ModelError(f"target {target!r}: choose recall, or bound for its lower bound")
    measure = _measure(tagger, notes, confidence)
    found = _search(measure, lambda at: at.recall if target == "recall" else at.recall_low, recall, target)
    return tagger.dialled(found.dial).noting(dial=found.as_json()), found


def curve(
    tagger: Tagger, notes: Iterable[Document], dials: Iterable[float] = STEPS, confidence: float = 0.95
) -> list[Dial]:
    """What each of these dials does."""
    measure = _measure(tagger, notes, confidence)
    return [measure(dial) for dial in dials]


def _search(measure: Callable[[float], Dial], value: Callable[[Dial], float], wanted: float, target: str) -> Dial:
    """The largest dial that reaches what is wanted, as far as steps and halving tell; always one that was measured.

    More is covered with every step down, but for rare exceptions: of two steps between which the target is
    reached, the upper one was seen to miss it and the lower one to reach it, and so it stays when the gap is halved.
    """
    missed: list[Dial] = []
    for dial in STEPS:
        reached = measure(dial)
        if value(reached) >= wanted:
            break
        missed.append(reached)
    else:
        best = max(missed, key=value)
        what, more = ("recall", "") if target == "recall" else ("the lower bound of recall", "measure on more notes, ")
        raise ModelError(
            f"no dial down to {LOWEST:g} brings {what} to {wanted:g} on these {best.notes} notes; the nearest is "
            f"{value(best):.4f}, at dial {best.dial:g}: learn from more notes, {more}or ask for less"
        )
    above = missed[-1].dial if missed else reached.dial
    while above / reached.dial > CLOSE:
        between = measure(float(f"{(above * reached.dial) ** 0.5:.3g}"))
        if value(between) >= wanted:
            reached = between
        else:
            above = between.dial
    return reached


def _measure(tagger: Tagger, notes: Iterable[Document], confidence: float) -> Callable[[float], Dial]:
    """A function that measures a dial on these notes."""
    gold = list(notes)
    if not any(document.spans for document in gold):
        raise LabelError(
            f"none of the {len(gold)} notes has a span, so there is no recall to measure; was the format right?"
        )
    tagger.dialled(LOWEST)  # a tagger without a dial says so
    if not 0 < confidence < 1:
        raise ScoreError(f"a confidence lies between 0 and 1, not at {confidence}; for 95 % say 0.95")

    def measure(dial: float) -> Dial:
        return _measured(gold, tagger.dialled(dial).detect(gold), dial, confidence)

    return measure


def _measured(gold: Sequence[Document], system: Sequence[Any], dial: float, confidence: float) -> Dial:
    found = coverage([(document, document.with_spans(spans)) for document, spans in zip(gold, system, strict=True)])
    told = found.characters.gold > 0
    notes, clean = int(told.sum()), int((found.leaks[told] == 0).sum())
    clean_low = at_least(clean, notes, confidence)
    return Dial(
        dial=dial,
        recall=ratio(int(found.characters.found.sum()), int(found.characters.gold.sum())),
        recall_low=_lower(found, confidence, clean_low),
        clean=ratio(clean, notes),
        clean_low=clean_low,
        over_redaction=ratio(int(found.over_redacted.sum()), int(found.harmless.sum())),
        strict_f1=strict_f1(gold, system),
        notes=notes,
        confidence=confidence,
    )


def _lower(found: Coverage, confidence: float, clean_low: float) -> float:
    """The lower bound of the share of characters; whole notes are drawn anew, as theirs stand or fall together.

    Where every note is covered whole, all draws agree and say nothing of the notes to come. Then the bound for whole
    notes takes their place, as if a note that leaks at all leaked everything.
    """
    told = found.characters.gold > 0
    counts = np.stack((found.characters.found, found.characters.gold), axis=1)[told].astype(np.float64)
    if len(counts) < 2 or (counts[:, 0] == counts[:, 1]).all():
        return min(clean_low, ratio(int(counts[:, 0].sum()), int(counts[:, 1].sum())))
    rng = np.random.default_rng(0)
    (sums,) = weighted_sums([counts], REPLICATES, lambda rows, size: draws(rows, size, rng))
    return float(np.quantile(sums[:, 0] / sums[:, 1], 1 - confidence))
