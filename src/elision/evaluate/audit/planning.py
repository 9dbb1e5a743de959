"""How many notes must be read so that a promise can be kept.

A promise is an upper bound: at most so many of all notes leak, or at most so many identifiers are missed in a note,
each with a confidence. A plan is enough if the bound of the report keeps the promise with the given power, where as
many leak as is expected. If none are expected, it is enough when no leak is found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from elision.errors import ScoreError
from elision.evaluate.audit.bounds import highest_mean, most_in, unlikely
from elision.evaluate.audit.designs import SIMPLE, STRATIFIED, Grouping, Stratum
from elision.evaluate.bounds import at_most, incomplete_beta

MOST_NOTES = 10_000_000
MOST = 10  # identifiers that are counted in a note


@dataclass(frozen=True, slots=True)
class Promise:
    """What is to be shown. None: not asked for. `expect_…`: how much is thought to leak; less than the promise."""

    leaking: float | None = None  # at most this share of all notes
    missed: float | None = None  # at most so many identifiers in a note
    most: int = MOST
    expect_leaking: float = 0.0
    expect_missed: float = 0.0
    confidence: float = 0.95
    power: float = 0.95

    def __post_init__(self) -> None:
        for name, value, limit in (
            ("--at-most-leaking", self.leaking, 1.0),
            ("--at-most-missed", self.missed, float(self.most)),
            ("--confidence", self.confidence, 1.0),
        ):
            if value is not None and not 0 < value < limit:
                raise ScoreError(f"{name} {value:g}: lies between 0 and {limit:g}; for 2 % say 2% or 0.02")
        for name, expected, promised in (
            ("--expect-leaking", self.expect_leaking, self.leaking),
            ("--expect-missed", self.expect_missed, self.missed),
        ):
            if not 0 <= expected < (1.0 if promised is None else promised):
                raise ScoreError(f"{name} {expected:g}: must be less than what is promised, and not less than 0")


def notes_needed(promise: Promise, design: str = SIMPLE, grouping: Grouping | None = None) -> int | None:
    """The number of notes to read, None if reading all of them would not do; without groups, of any number of notes.

    This number is enough. It is the least one, but for the jumps of whole numbers.
    """
    if promise.leaking is None and promise.missed is None:
        raise ScoreError("say what is to be shown: --at-most-leaking 2%, --at-most-missed 0.1, or both")
    if grouping is None:
        return _first(lambda notes: _unlimited(promise, notes), 1, MOST_NOTES)
    total = len(grouping.codes)

    def enough(notes: int) -> bool:
        return notes == total or keeps(promise, design, grouping.strata(notes))

    return _first(enough, min(len(grouping.names), total), total)


def with_leaks(promise: Promise, design: str, grouping: Grouping | None, leaks: int) -> int | None:
    """The notes that keep the promise of a share although so many of them leak."""
    total = MOST_NOTES if grouping is None else len(grouping.codes)
    assert promise.leaking is not None  # noqa: S101 - the caller asked

    def enough(notes: int) -> bool:
        strata = grouping.strata(notes) if grouping else None
        return notes > leaks and _allowed(promise, design, strata, notes) >= leaks

    return _first(enough, len(grouping.names) if grouping else 1, total)


def _first(enough: Callable[[int], bool], least: int, most: int) -> int | None:
    few, many = least - 1, least
    while not enough(many):
        if many >= most:
            return None
        few, many = many, min(2 * many, most)
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    return many


def keeps(promise: Promise, design: str, strata: tuple[Stratum, ...]) -> bool:
    """Whether these notes are enough."""
    read = sum(stratum.read for stratum in strata)
    share, mean = promise.leaking, promise.missed
    kept = True
    if share is not None:
        if design in (SIMPLE, STRATIFIED):
            kept = _shown(_allowed(promise, design, strata, read), read, promise.expect_leaking, promise.power)
        else:
            kept = _mean_kept(strata, share, promise.expect_leaking, 1.0, promise)
    if kept and mean is not None:
        kept = _mean_kept(strata, mean, promise.expect_missed, promise.most, promise)
    return kept


def _unlimited(promise: Promise, notes: int) -> bool:
    """The same for a simple sample from notes without number."""
    kept = True
    if promise.leaking is not None:
        allowed = _allowed(promise, SIMPLE, None, notes)
        kept = _shown(allowed, notes, promise.expect_leaking, promise.power)
    if kept and promise.missed is not None:
        alike = (Stratum("", MOST_NOTES, notes),)
        kept = _mean_kept(alike, promise.missed, promise.expect_missed, promise.most, promise)
    return kept


def _allowed(promise: Promise, design: str, strata: tuple[Stratum, ...] | None, read: int) -> float:
    """How many of the notes that are read may leak so that the bound keeps the promise; -1 if not even none may."""
    share, confidence = promise.leaking, promise.confidence
    assert share is not None  # noqa: S101 - the caller asked
    if strata and design not in (SIMPLE, STRATIFIED):
        whole, heaviest = sum(one.notes for one in strata), max(one.weight for one in strata)
        seen = highest_mean(min(1.0, share * whole / (heaviest * read)), read, 1 - confidence)
        return -1 if seen < 0 else int(seen * read)

    def bound(count: int) -> float:
        if strata is None:
            return at_most(count, read, confidence)
        whole = sum(one.notes for one in strata)
        if design == SIMPLE:
            return most_in(count, read, whole, confidence) / whole
        return at_most(count, read, confidence) * read * max(one.weight for one in strata) / whole

    few, many = -1, read
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (middle, many) if bound(middle) <= share else (few, middle)
    return few


def _shown(allowed: float, read: int, expected: float, power: float) -> bool:
    """Whether no more than the allowed leak, with the power, where this share is expected to."""
    if allowed < 0 or expected == 0 or allowed >= read:
        return allowed >= 0
    return 1 - incomplete_beta(expected, allowed + 1, read - allowed) >= power


def _mean_kept(strata: tuple[Stratum, ...], mean: float, expected: float, most: float, promise: Promise) -> bool:
    """Whether the bound of Hoeffding keeps a promised mean, where the expected one is so."""
    read, whole = sum(one.read for one in strata), sum(one.notes for one in strata)
    scale = max(one.weight for one in strata) * read * most / whole
    allowed = highest_mean(min(1.0, mean / scale), read, 1 - promise.confidence)
    return allowed >= 0 and unlikely(allowed, expected / scale, read, 1 - promise.power)


@dataclass(frozen=True, slots=True)
class Planned:
    """One design with the notes that it needs, and how many it needs if some of those that are read leak."""

    design: str
    by: str
    notes: int | None
    groups: tuple[Stratum, ...]
    if_leaking: tuple[tuple[int, int | None], ...]


IF_LEAKING = (0, 1, 2, 5, 10)


def planned(promise: Promise, design: str, by: str, grouping: Grouping | None) -> Planned:
    notes = notes_needed(promise, design, grouping)
    groups = grouping.strata(notes) if grouping and notes else ()
    some: tuple[tuple[int, int | None], ...] = ()
    if promise.leaking is not None:
        alone = replace(promise, missed=None)
        some = tuple((leaks, with_leaks(alone, design, grouping, leaks)) for leaks in IF_LEAKING)
    return Planned(design, by, notes, groups, some)
