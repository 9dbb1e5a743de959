"""Which notes are read: all alike, so many of each group, or more of those where more could be missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from elision.errors import ScoreError
from elision.evaluate.tally import Ints

SIMPLE: Final = "simple"
STRATIFIED: Final = "stratified"
WEIGHTED: Final = "weighted"
DESIGNS = {
    SIMPLE: "every note is as likely to be read as any other",
    STRATIFIED: "each group has the share in the sample that it has in all notes",
    WEIGHTED: "notes in which more could be missed are read more often, and count less each",
}
LENGTHS = ("short", "middle", "long")
RISKS = ("low risk", "middle risk", "high risk")
RATES = (1.0, 2.0, 4.0)  # how often notes of a risk are read, beside those of the lowest
_PARTS = (0.5, 0.9)  # the share of notes below the middle risk, and below the high one
MOST_GROUPS = 50


@dataclass(frozen=True, slots=True)
class Stratum:
    """A group of notes: how many there are, and how many of them are read."""

    name: str
    notes: int
    read: int

    @property
    def weight(self) -> float:
        """For how many notes each one that is read stands."""
        return self.notes / self.read


@dataclass(frozen=True, slots=True)
class Grouping:
    """The group of every note, by number, and how often notes of each are read beside the others."""

    names: tuple[str, ...]
    codes: Ints
    rates: tuple[float, ...]

    @property
    def sizes(self) -> list[int]:
        return [int(size) for size in np.bincount(self.codes, minlength=len(self.names))]

    def strata(self, notes: int) -> tuple[Stratum, ...]:
        """The groups, if so many notes are read."""
        read = allocate(self.sizes, self.rates, notes)
        return tuple(map(Stratum, self.names, self.sizes, read))


def alike(notes: int) -> Grouping:
    """All notes in one group."""
    return Grouping(("all notes",), np.zeros(notes, np.int64), (1.0,))


def by_value(values: Sequence[str]) -> Grouping:
    """A group for each value: a type of note, an author, a ward."""
    names = sorted(set(values))
    if len(names) > MOST_GROUPS:
        raise ScoreError(
            f"--by makes {len(names):,} groups, and {MOST_GROUPS} are the most that can be told apart; group by "
            "something coarser, such as --by length"
        )
    place = {name: at for at, name in enumerate(names)}
    codes = np.array([place[value] for value in values], np.int64)
    return Grouping(tuple(name or "(none)" for name in names), codes, (1.0,) * len(names))


def by_length(characters: Ints) -> Grouping:
    """Three groups of about as many notes each."""
    edges = [int(edge) for edge in np.quantile(characters, (1 / 3, 2 / 3), method="lower")]
    names = (
        f"{LENGTHS[0]} (up to {edges[0]:,} characters)",
        f"{LENGTHS[1]} (up to {edges[1]:,})",
        f"{LENGTHS[2]} (more)",
    )
    return _present(names, np.searchsorted(edges, characters, side="left"), (1.0,) * 3)


def by_risk(risk: Ints) -> Grouping:
    """The half with the least, the tenth with the most, and those between; what is equal stays together."""
    edges = np.quantile(risk, _PARTS, method="lower")
    return _present(RISKS, np.searchsorted(edges, risk, side="left"), RATES)


def _present(names: Sequence[str], codes: Ints, rates: Sequence[float]) -> Grouping:
    """The groups that have notes."""
    there = np.unique(codes)
    return Grouping(
        tuple(names[at] for at in there),
        np.searchsorted(there, codes).astype(np.int64),
        tuple(rates[at] for at in there),
    )


def allocate(sizes: Sequence[int], rates: Sequence[float], notes: int) -> list[int]:
    """How many notes of each group are read: by size and rate, at least one of each, none beyond its size."""
    total = sum(sizes)
    if not len(sizes) <= notes <= total:
        raise ScoreError(
            f"{notes:,} notes cannot be read of {total:,} in {len(sizes):,} groups: at least one of each group, and "
            "at most all"
        )
    low, high = 0.0, 1.0
    while sum(_ideal(sizes, rates, high)) < notes * (1 - 1e-12):
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if sum(_ideal(sizes, rates, middle)) >= notes else (middle, high)
    ideal = _ideal(sizes, rates, high)
    read = [max(1, int(share)) for share in ideal]
    groups = range(len(sizes))
    while (missing := notes - sum(read)) > 0:
        for at in sorted((at for at in groups if read[at] < sizes[at]), key=lambda at: read[at] - ideal[at])[:missing]:
            read[at] += 1
    while (over := sum(read) - notes) > 0:
        for at in sorted((at for at in groups if read[at] > 1), key=lambda at: ideal[at] - read[at])[:over]:
            read[at] -= 1
    return read


def _ideal(sizes: Sequence[int], rates: Sequence[float], scale: float) -> list[float]:
    return [min(float(size), scale * size * rate) for size, rate in zip(sizes, rates, strict=True)]


def draw(grouping: Grouping, strata: Sequence[Stratum], seed: int) -> Ints:
    """The places of the notes to read, in the order in which they are read; groups are mixed in it.

    Each note gets a random number, of a generator whose numbers are the same in every version of numpy. Those with the
    least in each group are read.
    """
    numbers = np.random.PCG64(np.random.SeedSequence(seed)).random_raw(2 * len(grouping.codes)).reshape(2, -1)
    drawn = []
    for code, stratum in enumerate(strata):
        places = np.flatnonzero(grouping.codes == code)
        drawn.append(places[np.argsort(numbers[0, places], kind="stable")[: stratum.read]])
    places = np.concatenate(drawn)
    return places[np.argsort(numbers[1, places], kind="stable")].astype(np.int64)
