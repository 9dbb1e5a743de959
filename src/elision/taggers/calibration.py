"""From a span's score as the model has it to one that can be believed: of spans with score .9, nine in ten are right.

Platt's way: a logistic curve over the score's log-odds, fitted on notes that were not learnt from. Two numbers, so a
few hundred spans are enough, and never a curve that falls. It is kept only where it helps: spans that it was not fitted
to must come out better, and scores must not be further off than they were. On unseen MEDDOCAN notes a step curve
(isotonic regression) did worse, and the span's length beside its score helped too little to be worth a third number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]
Right = npt.NDArray[np.bool_]

EDGE = 1e-4  # a model that says 0 or 1 is taken to mean about this far from it
ENOUGH = 50  # fewer spans tell nothing
SLOPES = (0.05, 10.0)
FOLDS = 5
_RIDGE = 0.1  # how hard the identity pulls; some hundred spans outweigh it
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Calibration:
    """score -> 1 / (1 + exp(-(slope * log-odds + shift))); slope 1 and shift 0 leave it as it is."""

    slope: float = 1.0
    shift: float = 0.0

    def __call__(self, scores: Scores) -> Scores:
        if self.slope == 1 and self.shift == 0:
            return np.clip(scores, 0.0, 1.0)  # sums of rounded numbers may come to a hair more than 1
        return _chances(self.slope * log_odds(scores) + self.shift)


def log_odds(scores: Scores) -> Scores:
    within = np.clip(scores, 0.0, 1.0)
    odds: Scores = np.log((within + EDGE) / (1 - within + EDGE))
    return odds


def calibrate(scores: Scores, right: Right, otherwise: Calibration | None = None) -> Calibration:
    """The curve that fits scores of spans to whether they were right; the identity where it helps nothing, and where
    they are too few the other one, if there is any."""
    if len(scores) < ENOUGH:
        return otherwise or Calibration()
    unseen = np.empty(len(scores))
    fold = np.arange(len(scores)) % FOLDS
    for part in range(FOLDS):
        unseen[fold == part] = _fitted(scores[fold != part], right[fold != part])(scores[fold == part])
    curve = _fitted(scores, right)
    helps = log_loss(unseen, right) < log_loss(scores, right)
    harms = calibration_error(curve(scores), right) > calibration_error(scores, right)
    return curve if helps and not harms else Calibration()


def log_loss(scores: Scores, right: Right) -> float:
    """How surprised one is, on average, who believed the scores."""
    chances = np.where(right, scores, 1 - scores)
    return float(-np.log(np.maximum(chances, EDGE)).mean())


def calibration_error(scores: Scores, right: Right, bins: int = 10) -> float:
    """By how much scores are off, on average over equally full bins."""
    if not len(scores):
        return 0.0
    order = np.argsort(scores, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    return float(sum(len(part) * abs(scores[part].mean() - right[part].mean()) for part in parts) / len(scores))


def _fitted(scores: Scores, right: Right) -> Calibration:
    x = log_odds(scores)
    many, few = int(right.sum()), int((~right).sum())
    target = np.where(right, (many + 1) / (many + 2), 1 / (few + 2))  # Platt's: never quite 0 or 1
    slope, shift = _newton(x, target, np.array([1.0, 0.0]), free=(True, True))
    if not SLOPES[0] <= slope <= SLOPES[1]:  # the best curve that is neither flat nor falling nor a step
        slope, shift = _newton(x, target, np.array([min(max(slope, SLOPES[0]), SLOPES[1]), 0.0]), free=(False, True))
    return Calibration(slope, shift)


def _newton(x: Scores, target: Scores, start: Scores, free: tuple[bool, bool]) -> tuple[float, float]:
    """Slope and shift of the least penalised loss, which is convex: a step that does not lower it is halved."""
    beta, loss = start, _loss(x, target, start)
    mask = np.array(free, np.float64)
    for _ in range(_STEPS):
        chances = _chances(beta[0] * x + beta[1])
        off, weight = chances - target, chances * (1 - chances)
        climb = (np.array([off @ x, off.sum()]) + _RIDGE * (beta - (1.0, 0.0))) * mask
        mixed = (weight @ x) * mask[0] * mask[1]
        bend = np.array([[weight @ (x * x) + _RIDGE, mixed], [mixed, weight.sum() + _RIDGE]])
        step = np.linalg.solve(bend, climb)
        while np.abs(step).max() > 1e-9:
            lower = _loss(x, target, beta - step)
            if lower < loss:
                beta, loss = beta - step, lower
                break
            step = step / 2
        else:
            break
    return float(beta[0]), float(beta[1])


def _loss(x: Scores, target: Scores, beta: Scores) -> float:
    odds = beta[0] * x + beta[1]
    return float((np.logaddexp(0.0, odds) - target * odds).sum() + _RIDGE / 2 * ((beta - (1.0, 0.0)) ** 2).sum())


def _chances(odds: Scores) -> Scores:
    chances: Scores = np.exp(-np.logaddexp(0.0, -odds))
    return chances
