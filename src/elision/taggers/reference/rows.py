"""Arithmetic on rows of labels as the compiled loops do it, to the last bit, and the sums along a chain."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

LANES = 8
FLOOR = np.float32(-60.0)  # scores this far below the best count as this far: nothing underflows, no path dies
LEAST = np.float32(1e-30)  # and so do paths this much worse than the best


def exp(x: Floats) -> Floats:
    """e to the x for -87 < x < 88, to about 1e-7: a power of two times a polynomial."""
    whole = np.rint(x * np.float32(1.44269504))
    r = x - whole * np.float32(0.693359375)
    r = r - whole * np.float32(-2.12194440e-4)
    p = np.full_like(x, 1.9875691500e-4)
    for coefficient in (1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1):
        p = p * r + np.float32(coefficient)
    p = p * r * r + r + np.float32(1)
    scale: Floats = ((whole.astype(np.int32) + np.int32(127)) << np.int32(23)).view(np.float32)
    result: Floats = p * scale
    return result


def exp_rows(rows: Floats, labels: int) -> Floats:
    """Scores to weights in [exp(FLOOR), 1], the best label's being 1; 0 in the padding. NaN counts as the worst."""
    x = rows[..., :labels]
    x = x - np.fmax.reduce(x, axis=-1)[..., None]
    weights = np.zeros_like(rows)
    weights[..., :labels] = exp(np.where(x > FLOOR, x, FLOOR))
    return weights


def sum_rows(rows: Floats) -> Floats:
    """The sums of rows, as LANES sums side by side that are added in pairs."""
    parts = rows.reshape(*rows.shape[:-1], rows.shape[-1] // LANES, LANES).sum(axis=-2)
    while parts.shape[-1] > 1:
        parts = parts[..., 0::2] + parts[..., 1::2]
    total: Floats = parts[..., 0]
    return total


def through(rows: Floats, matrix: Floats) -> Floats:
    """rows x matrix, the products added one after another."""
    out: Floats = (rows.T[: len(matrix), :, None] * matrix[:, None, :]).sum(axis=0)
    return out


def forward(e: Floats, step: Floats, alive: list[int]) -> Floats:
    """What a token and all before it say of its label, each row summing to 1; places x sequences x width.

    `e` are the weights that the scores give; at place t, the first `alive[t]` sequences have a token."""
    a = np.zeros_like(e)
    for t, m in enumerate(alive):
        now = (through(a[t - 1, :m], step[:-1]) if t else step[-1]) * e[t, :m]
        a[t, :m] = now * (np.float32(1) / sum_rows(now))[:, None]
    return a


def backward(b: Floats, e_next: Floats, step_t: Floats, labels: int) -> tuple[Floats, Floats]:
    """From what the tokens after the next one say of its label, to what the next one and those say of this one's; and
    what they say of the next one's. The largest of a row is 1, none is less than LEAST."""
    ahead = e_next * b
    back = through(ahead, step_t)
    back *= (np.float32(1) / np.fmax.reduce(back[:, :labels], axis=1))[:, None]
    return np.where(back > LEAST, back, LEAST), ahead
