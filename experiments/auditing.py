"""Do the bounds of an audit hold, and are as many notes enough as its plan says?

    python experiments/auditing.py [--times 2000] [--seed 0] [--out experiments/results]

A made-up run of notes has a known number of identifiers missed in each. From it samples are drawn again and again, each
is audited as `elision audit report` does it, and counted is how often the 95 % interval holds the truth, and how often
the bound keeps the promise where the plan's number of notes was read. Runs differ in how much leaks, and whether it
leaks evenly, in some groups, or in few notes with much.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from elision.evaluate.audit import estimates
from elision.evaluate.audit.designs import DESIGNS, SIMPLE, STRATIFIED, WEIGHTED, Grouping, Stratum, alike
from elision.evaluate.audit.estimates import Estimate
from elision.evaluate.audit.planning import MOST, Promise, notes_needed
from elision.evaluate.tally import Ints

NOTES = 6_000
GROUPS = {
    SIMPLE: ((1.0,), (1.0,)),
    STRATIFIED: ((0.6, 0.3, 0.1), (1.0, 1.0, 1.0)),
    WEIGHTED: ((0.5, 0.4, 0.1), (1.0, 2.0, 4.0)),
}
# The share of notes that leak in the small, the middle and the large group, and the values of those that do.
RUNS = {
    "little, even": ((0.004, 0.004, 0.004), (1, 2)),
    "some, even": ((0.03, 0.03, 0.03), (1, 2, 3)),
    "much, even": ((0.3, 0.3, 0.3), (1, 2, 5)),
    "in the large group": ((0.03, 0.0, 0.0), (1, 2)),
    "in the risky group": ((0.002, 0.01, 0.2), (1, 3, 10)),
    "few, but much": ((0.005, 0.005, 0.005), (10,)),
}
LEAKING, MISSED, EXPECT_LEAKING, EXPECT_MISSED = 0.03, 0.15, 0.01, 0.02


@dataclass(frozen=True)
class Run:
    """A run with the number of identifiers missed in each note, and the groups of the notes."""

    grouping: Grouping
    missed: Ints

    @property
    def share(self) -> float:
        return float((self.missed > 0).mean())

    @property
    def mean(self) -> float:
        return float(self.missed.mean())


def run_of(design: str, rates: Sequence[float], values: Sequence[int]) -> Run:
    """A run in which exactly these shares of the groups leak."""
    parts, weights = GROUPS[design]
    sizes = [round(part * NOTES) for part in parts]
    if len(sizes) == 1:
        shares = [sum(part * rate for part, rate in zip(GROUPS[STRATIFIED][0], rates, strict=True))]
    else:
        shares = list(rates)
    missed = [_values(size, share, values) for size, share in zip(sizes, shares, strict=True)]
    codes = np.repeat(np.arange(len(sizes)), sizes)
    names = tuple(f"group {at + 1}" for at in range(len(sizes)))
    grouping = alike(NOTES) if design == SIMPLE else Grouping(names, codes, weights)
    return Run(grouping, np.concatenate(missed))


def _values(size: int, share: float, values: Sequence[int]) -> Ints:
    leaking = round(size * share)
    return np.concatenate([np.resize(values, leaking), np.zeros(size - leaking)]).astype(np.int64)


def samples(run: Run, strata: Sequence[Stratum], rng: np.random.Generator, times: int) -> Iterator[tuple[Ints, Ints]]:
    """For each of so many samples, the notes that leak and the identifiers missed in each group."""
    groups = [np.bincount(run.missed[run.grouping.codes == at], minlength=MOST + 1) for at in range(len(strata))]
    drawn = [
        rng.multivariate_hypergeometric(counts, stratum.read, size=times, method="marginals")
        for counts, stratum in zip(groups, strata, strict=True)
    ]
    sizes = np.arange(MOST + 1)
    for at in range(times):
        yield (
            np.array([group[at, 1:].sum() for group in drawn], np.int64),
            np.array([group[at] @ sizes for group in drawn], np.int64),
        )


@cache
def _share(design: str, strata: tuple[Stratum, ...], leaking: tuple[int, ...]) -> Estimate:
    return estimates.share(design, strata, leaking)


@cache
def _mean(strata: tuple[Stratum, ...], missed: tuple[int, ...]) -> Estimate:
    return estimates.mean(strata, missed, MOST)


def covered(design: str, run: Run, notes: int, rng: np.random.Generator, times: int) -> tuple[float, float]:
    """How often the interval of the share, and that of the mean, holds the truth."""
    strata = run.grouping.strata(notes)
    right = np.zeros(2)
    for leaking, missed in samples(run, strata, rng, times):
        share = _share(design, strata, tuple(leaking.tolist()))
        mean = _mean(strata, tuple(missed.tolist()))
        right += (_holds(share, run.share), _holds(mean, run.mean))
    return float(right[0] / times), float(right[1] / times)


def _holds(found: Estimate, truth: float) -> bool:
    return found.low <= truth + 1e-12 and truth - 1e-12 <= found.high


def enough(design: str, run: Run, promise: Promise, rng: np.random.Generator, times: int) -> tuple[int, float]:
    """The number of notes of the plan, and how often the promise is kept with it."""
    notes = notes_needed(promise, design, run.grouping)
    assert notes is not None
    strata = run.grouping.strata(notes)
    kept = 0
    for leaking, missed in samples(run, strata, rng, times):
        if promise.leaking is not None:
            kept += _share(design, strata, tuple(leaking.tolist())).at_most <= promise.leaking
        elif promise.missed is not None:
            kept += _mean(strata, tuple(missed.tolist())).at_most <= promise.missed
    return notes, kept / times


def intervals(times: int, seed: int, sizes: Sequence[int] = (60, 300)) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    rng = np.random.default_rng(seed)
    for design in DESIGNS:
        for name, (rates, values) in RUNS.items():
            run = run_of(design, rates, values)
            for notes in sizes:
                share, mean = covered(design, run, notes, rng, times)
                rows.append(
                    {
                        "design": design,
                        "leaks": name,
                        "true share": f"{100 * run.share:.2f}",
                        "notes read": notes,
                        "share covered": f"{100 * share:.1f}",
                        "mean covered": f"{100 * mean:.1f}",
                    }
                )
    return rows


def plans(times: int, seed: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    rng = np.random.default_rng(seed)
    even = (EXPECT_LEAKING,) * 3
    for design in DESIGNS:
        run = run_of(design, even, (2,))  # 2 % in a note: as much as is expected
        for said, promise in (
            (f"at most {100 * LEAKING:g} % leak", Promise(leaking=LEAKING, expect_leaking=EXPECT_LEAKING)),
            (f"at most {MISSED:g} missed in a note", Promise(missed=MISSED, expect_missed=EXPECT_MISSED)),
        ):
            notes, kept = enough(design, run, promise, rng, times)
            rows.append({"design": design, "promise": said, "notes of the plan": notes, "kept": f"{100 * kept:.1f}"})
    return rows


def write(rows: Sequence[dict[str, object]], file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    said = parser.parse_args()
    write(plans(said.times, said.seed), said.out / "audit-plans.csv")
    write(intervals(said.times, said.seed), said.out / "audit-intervals.csv")


if __name__ == "__main__":
    main()
