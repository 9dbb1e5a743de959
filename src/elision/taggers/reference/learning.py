"""Online learning, as the compiled loop does it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.taggers.reference.rows import Floats, backward, exp, exp_rows, forward, sum_rows

Ints = npt.NDArray[np.int32]
Shorts = npt.NDArray[np.int16]
Mask = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]

CHAIN, SOFTMAX = 0, 1  # HINGE is 2
STEEPEST = np.float32(20)
ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class _Pace:
    """Of FTRL-proximal: how fast weights move, and what holds them back."""

    rate: np.float32
    beta: np.float32
    l1: np.float32
    l2: np.float32


def mixed(x: Hashes) -> Hashes:
    """The finish of splitmix64: bits that look random, the same for the same number."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def learn(
    rows: Ints, gold: Shorts, bounds: Ints, w: Floats, z: Floats, r: Floats, tw: Floats, tz: Floats, tr: Floats,
    allowed: Floats, slots: int, labels: int, width: int, loss: int, drop: int, seed: int, skip: float,
    rate: float, beta: float, l1: float, l2: float, turn_rate: float, turn_l2: float, turn_beta: float, /,
) -> float:  # fmt: skip
    """One pass of FTRL-proximal over the sequences, in their order; returns the sum of the losses.

    `rows` holds the features of each token, -1 for none; `w`, `z` and `r` have a row for each: the weights, the sums
    that they follow from, the roots of the summed squares of the gradients. `tw`, `tz` and `tr` are the same for
    turns, from a label (the last row: from the start) to a label.

    A sequence is scored with the weights as they are, then all its tokens teach, one after another. Of a token's
    features, `drop` in 256 sit out, chosen by the seed and the numbers of token and slot alone; those left count for
    more in turn. Tokens whose gradients are all less than `skip` teach nothing. The loss is that of a chain of labels,
    or of each token by itself: cross-entropy, or the squared hinge of each label against the rest.
    """
    found = rows.reshape(-1, slots)
    w, z, r, tw, tz, tr, allowed = (table.reshape(-1, width) for table in (w, z, r, tw, tz, tr, allowed))
    pace = _Pace(np.float32(rate), np.float32(beta), np.float32(l1), np.float32(l2))
    turn_pace = _Pace(np.float32(turn_rate), np.float32(turn_beta), np.float32(0), np.float32(turn_l2))
    up = np.float32(256) / np.float32(256 - drop)
    salt = mixed(np.array([(seed + 1) & ALL], np.uint64))
    pairs = bounds.reshape(-1, 2)
    if len(pairs) and (pairs.min() < 0 or (pairs[:, 1] < pairs[:, 0]).any() or int(pairs.max()) > len(found)):
        raise ValueError("a sequence that is not within the tokens")
    total = 0.0
    with np.errstate(all="ignore"):
        for first, after in pairs[pairs[:, 1] > pairs[:, 0]].tolist():
            features, tags = found[first:after], gold[first:after].astype(np.intp)
            kept = (features >= 0) & _kept(salt, np.arange(first, after, dtype=np.uint64), slots, drop)
            s = _scores(w, features, kept) * up
            if loss == CHAIN:
                more, g, turns = _chain(s, tags, tw, allowed, labels)
                _follow(tw, tz, tr, np.arange(labels + 1), turns, turn_pace)
            elif loss == SOFTMAX:
                more, g = _softmax(s, tags, labels)
            else:
                more, g = _hinge(s, tags, labels)
            total += more
            kept &= (np.abs(g[:, :labels]).max(axis=1) >= np.float32(skip))[:, None]
            token, slot = np.nonzero(kept)
            _teach(w, z, r, features[token, slot], (g * up)[token], pace)
    return total


def _kept(salt: Hashes, tokens: Hashes, slots: int, drop: int) -> Mask:
    """Which features of these tokens are not dropped: a random byte for each, eight from a number."""
    eights = np.arange(-(-slots // 8), dtype=np.uint64) * np.uint64(0xD1B54A32D192ED03)
    bits = mixed(salt + tokens[:, None] * np.uint64(0x9E3779B97F4A7C15) + eights)
    bytes = (bits[:, :, None] >> np.arange(0, 64, 8, dtype=np.uint64)) & np.uint64(255)
    mask: Mask = bytes.reshape(len(tokens), -1)[:, :slots] >= np.uint64(drop)
    return mask


def _scores(w: Floats, features: Ints, kept: Mask) -> Floats:
    if not len(w):
        return np.zeros((len(features), w.shape[1]), np.float32)
    taken = w[np.where(kept, features, 0)]
    taken[~kept] = 0
    scores: Floats = taken.sum(axis=1)
    return scores


def _chain(
    s: Floats, gold: npt.NDArray[np.intp], tw: Floats, allowed: Floats, labels: int
) -> tuple[float, Floats, Floats]:
    """The loss of a chain (each token's own part of it), and its gradients by scores and by turns."""
    width = s.shape[1]
    step = allowed[: labels + 1] * exp(np.where(tw < STEEPEST, np.where(tw > -STEEPEST, tw, -STEEPEST), STEEPEST))
    step_t = np.zeros((labels, width), np.float32)
    step_t[:, :labels] = step[:labels, :labels].T
    e = exp_rows(s, labels)
    a = forward(e[:, None], step, [1] * len(s))[:, 0]
    b = (np.arange(width) < labels).astype(np.float32)
    g, turns = np.empty_like(s), np.zeros_like(step)
    for t in reversed(range(len(s))):
        if t + 1 < len(s):
            (b,), (ahead,) = backward(b[None], e[t + 1, None], step_t, labels)
            # what the model expects of the step from t to t + 1
            every = (a[t, :labels] * sum_rows(step[:-1] * ahead)).cumsum()[-1]
            by = np.float32(1) / every if every > 0 else np.float32(0)
            turns[:-1] += (a[t, :labels] * by)[:, None] * step[:-1] * ahead
            turns[gold[t], gold[t + 1]] -= np.float32(1)
        g[t] = a[t] * b
        g[t] *= np.float32(1) / sum_rows(g[t])
    loss = _cross_entropy(g, gold)
    turns[-1] += g[0]
    return loss, g, turns


def _cross_entropy(g: Floats, gold: npt.NDArray[np.intp]) -> float:
    """The loss of these probabilities, which become its gradients."""
    each = np.arange(len(g))
    loss = -float(np.log(g[each, gold].astype(np.float64) + 1e-30).sum())
    g[each, gold] -= np.float32(1)
    return loss


def _softmax(s: Floats, gold: npt.NDArray[np.intp], labels: int) -> tuple[float, Floats]:
    e = exp_rows(s, labels)
    g = e * (np.float32(1) / sum_rows(e))[:, None]
    return _cross_entropy(g, gold), g


def _hinge(s: Floats, gold: npt.NDArray[np.intp], labels: int) -> tuple[float, Floats]:
    sign = np.where(gold[:, None] == np.arange(labels), np.float32(1), np.float32(-1))
    miss = np.float32(1) - sign * s[:, :labels]
    miss = np.where(miss > 0, miss, np.float32(0))
    g = np.zeros_like(s)
    g[:, :labels] = np.float32(-2) * sign * miss
    return float((miss * miss).sum(dtype=np.float64)), g


def _teach(w: Floats, z: Floats, r: Floats, features: Ints, g: Floats, pace: _Pace) -> None:
    """Every feature follows its gradients in their order: the first of each at once, then the second, and so on."""
    order = np.argsort(features, kind="stable")
    ordered = features[order]
    fresh = np.flatnonzero(np.diff(ordered, prepend=-1))
    turn = np.empty(len(features), np.intp)
    turn[order] = np.arange(len(features)) - np.repeat(fresh, np.diff(fresh, append=len(features)))
    for now in range(int(turn.max(initial=-1)) + 1):
        these = np.flatnonzero(turn == now)
        _follow(w, z, r, features[these], g[these], pace)


def _follow(w: Floats, z: Floats, r: Floats, at: npt.NDArray[np.signedinteger], g: Floats, pace: _Pace) -> None:
    """FTRL-proximal for some rows, each of them once."""
    per = np.float32(1) / pace.rate
    root = np.sqrt(r[at] * r[at] + g * g)
    total = z[at] + g - (root - r[at]) * per * w[at]
    size = np.abs(total) - pace.l1
    weight = np.where(size > 0, size / ((pace.beta + root) * per + pace.l2), np.float32(0))
    r[at], z[at], w[at] = root, total, np.where(total > 0, -weight, weight)
