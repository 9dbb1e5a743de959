"""From scores to tags, as the compiled loops do it.

Each function has the signature of its twin in `_kernels.c` and writes into the same arrays. Sums are taken in the same
order and in single precision, so both give the same bits wherever scores are numbers; numpy's matrix product would be
faster and would not. Rows of labels are `width` long, the labels padded with zeros to a multiple of LANES.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from elision.taggers.reference.rows import Floats, backward, exp_rows, forward, sum_rows

Ints = npt.NDArray[np.int32]
Shorts = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

ROOM = 1 << 17  # products that are summed at once: as many as the processor caches hold
MOST_TOKENS = 1 << 15  # of a group of sequences
NEVER = np.float32(-1e30)


def decode(
    scores: Floats, bounds: Ints, step: Floats, step_t: Floats, before: Shorts, tags: Bytes, share: Floats,
    posteriors: Floats, labels: int, width: int, outside: int, dial: float, /,
) -> None:  # fmt: skip
    """Scores to the tags that the posteriors expect most.

    `bounds` holds the first token of each sequence and the one after its last. `step[i, j]` is the weight of label j
    after label i, 0 where j may not follow; its last row is for the first token. `step_t` is its transpose.
    `before[l]` is the B of an I, -1 for other labels.

    Forward and backward sums give the posterior of each label at each token (kept in `posteriors` if there is room for
    them). The tags are those whose posteriors have the largest sum, that of `outside` times `dial`, where an I follows
    nothing but its B and itself; of equal ones the lower label, but an I rather goes on than follows its B.

    `share[t]` makes the scores of spans: the product over a span's tokens is the probability of exactly this span. It
    is the posterior of the tag where a span begins (or none is), that of the tag given the tag before where one goes
    on, and at a span's last token this times the probability that the span does not go on.
    """
    rows, kept = scores.reshape(-1, width), posteriors.reshape(-1, width)
    step, step_t = step.reshape(-1, width)[: labels + 1], step_t.reshape(-1, width)[:labels]
    before = before[:labels]
    with np.errstate(all="ignore"):
        for at, inside, alive in _groups(bounds, len(rows), labels * width):
            e = exp_rows(rows[at], labels)
            a = forward(e, step, alive)
            b = np.zeros_like(a)
            now = np.repeat((np.arange(width) < labels).astype(np.float32)[None], alive[0], axis=0)
            for t in reversed(range(len(at))):
                if t + 1 < len(at):
                    on = alive[t + 1]
                    now[:on] = backward(now[:on], e[t + 1, :on], step_t, labels)[0]
                b[t, : alive[t]] = now[: alive[t]]
            p = a * b
            p *= (np.float32(1) / sum_rows(p))[..., None]
            best = _most_expected(p, inside, before, outside, np.float32(dial))
            where = at[inside]
            tags[where], share[where] = best[inside], _shares(p, e, b, best, inside, step, before, outside)[inside]
            if posteriors.size >= rows.size:
                kept[where] = p[inside]


def _groups(bounds: Ints, n: int, cost: int) -> Iterator[tuple[Indices, Mask, list[int]]]:
    """Sequences of about the same length side by side, the longest first: the token at each place (places x sequences),
    whether there is one (where not, it is the sequence's first), and how many sequences have one at each place."""
    pairs = bounds.reshape(-1, 2).astype(np.intp)
    if len(pairs) and (pairs.min() < 0 or pairs.max() > n or (pairs[:, 1] < pairs[:, 0]).any()):
        raise ValueError("a sequence that is not within the tokens")
    firsts, sizes = pairs[:, 0], pairs[:, 1] - pairs[:, 0]
    order = np.argsort(-sizes, kind="stable")
    order = order[sizes[order] > 0]
    while len(order):
        longest = int(sizes[order[0]])
        many = max(1, min(ROOM // cost, MOST_TOKENS // longest))
        group, order = order[:many], order[many:]
        places = np.arange(longest)[:, None]
        inside = places < sizes[group]
        yield firsts[group] + np.where(inside, places, 0), inside, inside.sum(axis=1).tolist()


def _most_expected(p: Floats, inside: Mask, before: Shorts, outside: int, dial: np.float32) -> Bytes:
    """The tags with the largest sum of posteriors; places x sequences."""
    labels = len(before)
    gain = p[:, :, :labels].copy()
    tags = np.empty(gain.shape[:2], np.uint8)
    if 0 <= outside < labels:
        gain[:, :, outside] *= dial
        certain = gain[:, :, outside] > 1 - p[:, :, outside]  # no other can have more
        tags[...] = np.where(certain, outside, gain.argmax(axis=2))
    else:
        tags[...] = gain.argmax(axis=2)
    last = np.concatenate((np.full_like(tags[:1], 255), tags[:-1]))  # the best by themselves, if they fit together
    whole = ((before[tags] < 0) | (last == tags) | (last == before[tags]) | ~inside).all(axis=0)
    rest = np.flatnonzero(~whole)
    if len(rest):
        tags[:, rest] = _constrained(gain[:, rest], inside[:, rest].sum(axis=1).tolist(), before)
    return tags


def _constrained(gain: Floats, alive: list[int], before: Shorts) -> Bytes:
    """The tags with the largest sum of gains, an I only after its B or itself."""
    inner = np.flatnonzero(before >= 0)
    begin = before[inner]
    origin = np.zeros(gain.shape, np.uint8)
    now = gain[0]
    now[:, inner] = NEVER
    for t, m in enumerate(alive):
        if t:
            last = now[:m]
            top = last.argmax(axis=1)
            origin[t, :m] = top[:, None]
            origin[t, :m, inner] = np.where(last[:, begin] > last[:, inner], begin, inner).T
            best = np.repeat(last[np.arange(m), top][:, None], len(before), axis=1)
            best[:, inner] = np.maximum(last[:, begin], last[:, inner])
            now[:m] = best + gain[t, :m]
        now[:m] -= now[:m].max(axis=1)[:, None]  # only differences matter; small ones stay precise
    return _traced(origin, now.argmax(axis=1), alive)


def _traced(origin: Bytes, last: Indices, alive: list[int]) -> Bytes:
    """Tags from the last one of each sequence and, for each place and label, the label before."""
    tags = np.zeros(origin.shape[:2], np.uint8)
    top = last.copy()
    for t in reversed(range(len(alive))):
        m = alive[t]
        tags[t, :m] = top[:m]
        top[:m] = origin[t, np.arange(m), top[:m]]
    return tags


def _shares(
    p: Floats, e: Floats, b: Floats, tags: Bytes, inside: Mask, step: Floats, before: Shorts, outside: int
) -> Floats:
    """See `decode`. Given a token's tag, the next one's is as likely as the step there times what it and all after it
    say."""

    def ahead(at: tuple[Indices, ...]) -> Floats:
        t, sequence = at
        said: Floats = step[tags[t, sequence]] * e[t + 1, sequence] * b[t + 1, sequence]
        return said

    def ratio(part: Floats, whole: Floats) -> Floats:
        return np.where(whole > 0, part / whole, np.float32(0))

    share: Floats = np.take_along_axis(p, tags[:, :, None].astype(np.intp), axis=2)[:, :, 0]
    begins = before[tags[1:]] < 0
    goes = np.nonzero(~begins & inside[1:])
    said = ahead(goes)
    share[1:][goes] = ratio(said[np.arange(len(said)), tags[1:][goes]], sum_rows(said))
    ends = np.nonzero(begins & inside[1:] & (tags[:-1] != outside))
    said, tag = ahead(ends), tags[:-1][ends]
    begin = np.where(before[tag] < 0, tag, before[tag])
    total = sum_rows(said)
    on = np.where(before == begin[:, None], said[:, : len(before)], 0).sum(axis=1)
    share[:-1][ends] *= ratio(total - on, total)
    return share


def viterbi(scores: Floats, bounds: Ints, add: Floats, tags: Bytes, labels: int, width: int, /) -> None:
    """Scores to the best path: the largest sum of scores and of `add[i, j]` for label j after label i, whose last row
    is for the first token. Of equal ones the lower label."""
    rows, turns = scores.reshape(-1, width), add.reshape(-1, width)[: labels + 1, :labels]
    into = np.ascontiguousarray(turns[:labels].T)
    with np.errstate(all="ignore"):
        for at, inside, alive in _groups(bounds, len(rows), labels * width):
            now = rows[at[0], :labels] + turns[labels]
            origin = np.zeros((*at.shape, labels), np.uint8)
            for t, m in enumerate(alive[1:], 1):
                ways = now[:m, None, :] + into
                origin[t, :m] = top = ways.argmax(axis=2)
                best = np.take_along_axis(ways, top[:, :, None], axis=2)[:, :, 0]
                now[:m] = best + rows[at[t, :m], :labels]
            tags[at[inside]] = _traced(origin, now.argmax(axis=1), alive)[inside]
