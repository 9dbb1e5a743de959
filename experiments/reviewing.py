"""Does a queue by risk teach a model faster than notes at random?

    python experiments/reviewing.py [--languages nl en] [--times 3] [--out experiments/results]

Review is played through: of hand-written training notes of one language, two in five are put aside to score on. The
others wait in a queue, and who reviews a note sets its true spans. A model is learnt anew, from nothing, after 25, 50,
100 and 200 notes. The first 25 notes are the same in all queues, as no model can tell a risk before. Queues:

- random: in an order by chance;
- risk: what `elision train --from-review --preannotate` does: after each model, the riskiest of its notes come next;
- risk by length: the same, by risk per character, as long notes take longer to read.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from elision.document import Document
from elision.evaluate.splits import hold_out
from elision.formats import read
from elision.review.assessed import risks_by
from elision.taggers.base import Tagger, tag
from elision.taggers.experiment import measured
from elision.taggers.presets import preset
from elision.taggers.store import fit

HERE = Path(__file__).parent
STEPS = (25, 50, 100, 200)
PRESET = "elision-fast"
TESTED = 0.4
FIGURES = {"strict_f1": "strict F1", "strict_recall": "strict recall", "character_recall": "characters covered"}

Order = Callable[[Tagger, Sequence[Document]], list[Document]]  # of what waits: the next one first


def at_random(_: Tagger, waiting: Sequence[Document]) -> list[Document]:
    return list(waiting)


def by_risk(tagger: Tagger, waiting: Sequence[Document]) -> list[Document]:
    return _sorted(waiting, risks_by([tagger], tag(tagger, waiting)))


def by_risk_and_length(tagger: Tagger, waiting: Sequence[Document]) -> list[Document]:
    risks = risks_by([tagger], tag(tagger, waiting))
    return _sorted(waiting, [risk / len(note.text) for risk, note in zip(risks, waiting, strict=True)])


QUEUES: dict[str, Order] = {"random": at_random, "risk": by_risk, "risk by length": by_risk_and_length}


def _sorted(notes: Sequence[Document], risks: Sequence[float]) -> list[Document]:
    order = sorted(range(len(notes)), key=lambda at: -risks[at])
    return [notes[at] for at in order]


def played(
    notes: Sequence[Document], test: Sequence[Document], language: str, order: Order, steps: Sequence[int] = STEPS
) -> Iterator[dict[str, float]]:
    """What a model knows after so many notes, in this order; the first ones are as they come."""
    read_, waiting = list(notes[: steps[0]]), list(notes[steps[0] :])
    for count in steps:
        read_, waiting = [*read_, *waiting[: count - len(read_)]], waiting[count - len(read_) :]
        tagger = fit(preset(PRESET, read_, language=language, seeds=1), read_)
        yield {"notes": count, "characters": sum(len(note.text) for note in read_), **measured(tagger, test)}
        if count < steps[-1]:
            waiting = order(tagger, waiting)


def rows(
    notes: Sequence[Document], language: str, times: int, steps: Sequence[int] = STEPS
) -> Iterator[dict[str, str]]:
    """The figures of each queue: means over so many orders, with the least and the most of them."""
    found: dict[tuple[str, int], list[dict[str, float]]] = {}
    for seed in range(times):
        pool, test = hold_out(notes, (1 - TESTED, TESTED), seed)
        mixed = [pool[at] for at in np.random.default_rng(seed).permutation(len(pool)).tolist()]
        for name, order in QUEUES.items():
            for step in played(mixed, test, language, order, steps):
                found.setdefault((name, int(step["notes"])), []).append(step)
                print(language, name, seed, step, file=sys.stderr, flush=True)
    for (name, count), steps_ in found.items():
        yield {
            "language": language,
            "queue": name,
            "notes reviewed": str(count),
            "characters read": str(round(float(np.mean([step["characters"] for step in steps_])))),
            **{
                title + extra: f"{100 * float(take([step[figure] for step in steps_])):.1f}"
                for figure, title in FIGURES.items()
                for extra, take in (("", np.mean), (" least", np.min), (" most", np.max))
            },
        }


def write(found: Sequence[dict[str, str]], file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", nargs="+", default=["nl", "en"])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--out", type=Path, default=HERE / "results")
    said = parser.parse_args()
    found: list[dict[str, str]] = []
    for language in said.languages:
        notes = list(read(HERE / "notes" / f"{language}-train.jsonl"))  # never those that are unseen
        found += rows(notes, language, said.times)
    write(found, said.out / "reviewing.csv")


if __name__ == "__main__":
    main()
