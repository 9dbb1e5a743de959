"""Online learning: from tagged notes to weights.

FTRL-proximal: every weight has its own pace, and those that do not help stay at zero. Each feature is left
out of a token with some chance (dropout), so that no weight leans on one word alone. Several seeds are learnt
independently and their weights averaged. The same seed gives the same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.taggers import kernels
from elision.taggers.batch import Batch, edges_of
from elision.taggers.chain import Floats, Ints, padded
from elision.taggers.corpus import groups_with
from elision.taggers.linear.columns import Attributes, Values, numbered
from elision.taggers.linear.features import Template
from elision.taggers.linear.model import Keys, joint_rows
from elision.taggers.linear.token_features import FormNumbers
from elision.text.tokens import Column

KEY_BITS = 18
TURN_RATE = 0.1
STEADY = 16.0  # the root of squared gradients behind a weight with which learning begins: the more, the less it moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How to learn."""

    loss: int = kernels.CHAIN
    epochs: int = 12
    seeds: int = 1
    seed: int = 0
    dropout: float = 0.5
    rate: float = 0.2
    l1: float = 0.5
    l2: float = 0.0
    skip: float = 0.002  # tokens about which the model errs less teach nothing
    jobs: int = 2


@dataclass(frozen=True, slots=True)
class Rows:
    """The features of every token: for each template, or each offset of an any-of one, the number of one; -1: none."""

    rows: Ints  # tokens x slots
    bases: tuple[int, ...]
    alone: int  # features of one attribute; those from there on are conjunctions
    keys: Keys

    @property
    def features(self) -> int:
        return self.alone + len(self.keys)


def features_of(
    batch: Batch,
    templates: Sequence[Template],
    attributes: Attributes,
    values: Values,
    least: int,
    groups: Column,
    known: Keys | None = None,
) -> Rows:
    """All features of a batch; conjunctions only where they occur in at least so many groups of notes, or are known."""
    numbers = numbered(values)
    types, forms = batch.kinds
    of_form = FormNumbers(attributes.forms, numbers)(forms)[types]
    table = np.zeros((batch.spread_size, len(attributes.number)), np.int32)
    table[batch.spread] = np.concatenate((of_form, attributes.of_places(batch, numbers)), axis=1)
    alone, bases, found = _alone(batch, table, templates, attributes, values)
    keys: list[Keys] = []
    size = alone
    for terms in joint_rows(templates, attributes).tolist():
        packed = packed_keys(batch, table, terms)
        kept = _frequent(packed, groups[batch.note_of], least, known)
        at = np.searchsorted(kept, packed)
        at[at == len(kept)] = 0
        hit = (kept[at] == packed) if len(kept) else np.zeros(len(batch), np.bool_)
        found[terms[6] - 1] = [np.where(hit, at + size, -1).astype(np.int32)]
        keys.append(kept)
        size += len(kept)
    columns = [column for number in range(len(templates)) for column in found[number]]
    return Rows(
        np.ascontiguousarray(np.stack(columns, axis=1)),
        bases,
        alone,
        np.concatenate(keys) if keys else np.zeros(0, np.uint64),
    )


def _alone(
    batch: Batch, table: Ints, templates: Sequence[Template], attributes: Attributes, values: Values
) -> tuple[int, tuple[int, ...], dict[int, list[Ints]]]:
    size = 0
    bases: list[int] = []
    found: dict[int, list[Ints]] = {}
    for number, template in enumerate(templates):
        bases.append(size if template.alone else -1)
        if not template.alone:
            continue
        found[number] = []
        for name, offset in template.terms:
            value = table[batch.spread + offset, attributes.number[name]]
            found[number].append(np.where(value > 0, value + (size - 1), -1).astype(np.int32))
        size += len(values[template.terms[0][0]])
    return size, tuple(bases), found


def packed_keys(batch: Batch, table: Ints, terms: Sequence[int]) -> Keys:
    """The key of a conjunction at each token; 0 where one of its values is not known."""
    key = np.full(len(batch), terms[6], np.uint64)
    whole = np.ones(len(batch), np.bool_)
    for attribute, offset in (terms[0:2], terms[2:4], terms[4:6]):
        if attribute >= 0:
            value = table[batch.spread + offset, attribute]
            whole &= value > 0
            key = key << np.uint64(KEY_BITS) | value.astype(np.uint64)
    return np.where(whole, key, np.uint64(0))


def _frequent(packed: Keys, groups: Column, least: int, known: Keys | None) -> Keys:
    distinct, codes = np.unique(packed, return_inverse=True)
    often = groups_with(codes.astype(np.int64), groups, len(distinct)) >= least
    if known is not None:
        often |= np.isin(distinct, known)
    kept: Keys = distinct[often & (distinct > 0)]
    return kept


Hook = Callable[[int, int, float, Callable[[], tuple[Floats, Floats]]], None]  # seed, epoch, loss, weights so far


def learn(
    rows: Rows,
    gold: npt.NDArray[np.int16],
    bounds: Ints,
    allowed: Floats,
    labels: int,
    pace: Pace,
    hook: Hook | None = None,
    start: tuple[Floats, Floats] | None = None,
) -> tuple[Floats, Floats]:
    """Weights (features x width) and turns, averaged over seeds; learning begins at nothing, or with those given."""

    def one(number: int) -> tuple[Floats, Floats]:
        return _learn_one(rows, gold, bounds, allowed, labels, pace, number, hook, start)

    w = np.zeros((rows.features, padded(labels)), np.float32)
    turns = np.zeros((labels + 1, padded(labels)), np.float32)
    jobs = max(1, min(pace.jobs, pace.seeds))
    with ThreadPoolExecutor(jobs) as pool:
        for first in range(0, pace.seeds, jobs):  # no more weights in memory at once than there are jobs
            for more, more_turns in pool.map(one, range(first, min(first + jobs, pace.seeds))):
                w += more / np.float32(pace.seeds)
                turns += more_turns / np.float32(pace.seeds)
    return w, turns


def _learn_one(
    rows: Rows,
    gold: npt.NDArray[np.int16],
    bounds: Ints,
    allowed: Floats,
    labels: int,
    pace: Pace,
    number: int,
    hook: Hook | None,
    start: tuple[Floats, Floats] | None,
) -> tuple[Floats, Floats]:
    width = padded(labels)
    if start is None:
        w, z, r = (np.zeros((rows.features, width), np.float32) for _ in range(3))
        tw, tz, tr = (np.zeros((labels + 1, width), np.float32) for _ in range(3))
    else:
        (w, z, r), (tw, tz, tr) = _state(start[0], pace.rate, pace.l1), _state(start[1], TURN_RATE, 0.0)
    random = np.random.default_rng((pace.seed, number))
    drop = round(pace.dropout * 256)
    for epoch in range(pace.epochs):
        order = np.ascontiguousarray(bounds[random.permutation(len(bounds))])
        loss = kernels.learn(
            rows.rows, gold, order, w, z, r, tw, tz, tr, allowed, rows.rows.shape[1], labels, width, pace.loss, drop,
            int(random.integers(1 << 62)), pace.skip, pace.rate, 1.0, pace.l1, pace.l2, TURN_RATE, 0.0, 1.0,
        )  # fmt: skip
        if hook:
            hook(number, epoch, loss / max(len(gold), 1), lambda: (w, tw))
    return w, tw


def _state(start: Floats, rate: float, l1: float) -> tuple[Floats, Floats, Floats]:
    """Weights with which learning begins, the sums that they follow from, and the roots of squared gradients: a feature
    that has a weight already moves as slowly as one about which much was learnt."""
    w, r = start.copy(), np.zeros_like(start)
    r[w.any(axis=1)] = STEADY
    z = -(w * (1 + r) / np.float32(rate) + np.sign(w) * np.float32(l1))
    return w, z.astype(np.float32), r


def sequences(batch: Batch, unit: str) -> Ints:
    """Where sequences begin and end: lines, sentences or whole notes."""
    edges = edges_of(batch, unit)
    bounds = np.stack([edges[:-1], edges[1:]], axis=1)
    return np.ascontiguousarray(bounds[bounds[:, 1] > bounds[:, 0]].astype(np.int32))


def tags_at(tags: Iterable[str], labels: Sequence[str]) -> npt.NDArray[np.int16]:
    """Tags as numbers of labels."""
    number = {label: at for at, label in enumerate(labels)}
    return np.array([number[tag] for tag in tags], np.int16)
