"""What the recall dial costs on MEDDOCAN: set on one half of dev, measured on the other, and the other way round.

    python experiments/recall_dial.py [CORPUS] [--recall 0.99] [--target bound|recall]

CORPUS holds the folders train and dev as in the public download (default: ../shared/corpora/meddocan). The tagger
learns from train, has not seen dev, and is `presets.elision_fast`. The bar: at least 99 % of the PHI characters covered
at the cost of at most 2 % of the other characters, on notes on which the dial was not set. By default the dial is set
so that the lower bound of recall, not recall itself, reaches 99 %: otherwise other notes fall short about every second
time. The dial lies between 1 and 1e-6; `clean` is the share of notes in which no span leaks.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from elision.formats import read
from elision.taggers.linear.presets import elision_fast
from elision.taggers.linear.training import fit
from elision.taggers.threshold import Dial, curve, set_dial

HERE = Path(__file__).resolve().parent
DIALS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4)
HEAD = f"{'dial':>10} {'covered':>8} {'at least':>8} {'clean':>7} {'over':>7} {'F1':>7}"


def row(at: Dial) -> str:
    recall = f"{at.recall:8.4f} {at.recall_low:8.4f}"
    return f"{at.dial:10.3g} {recall} {at.clean:7.3f} {at.over_redaction:7.4f} {at.strict_f1:7.4f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What the recall dial costs on MEDDOCAN.")
    parser.add_argument("corpus", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "meddocan")
    parser.add_argument("--recall", type=float, default=0.99)
    parser.add_argument("--target", choices=("bound", "recall"), default="bound")
    chosen = parser.parse_args(arguments)
    train, dev = (list(read(chosen.corpus / split, "brat")) for split in ("train", "dev"))
    dev.sort(key=lambda note: note.id)
    tagger = fit(elision_fast(), train)
    print(f"learnt from {len(train)} notes; dials on all {len(dev)} notes of dev\n\n{HEAD}")
    for at in curve(tagger, dev, DIALS):
        print(row(at))
    good = True
    for first in (0, 1):
        here, there = dev[first::2], dev[1 - first :: 2]
        _, found = set_dial(tagger, here, chosen.recall, target=chosen.target)
        (other,) = curve(tagger, there, [found.dial])
        good = good and other.recall >= 0.99 and other.over_redaction <= 0.02
        print(f"\nset on {found.notes} notes, measured on {other.notes} others\n{HEAD}\n{row(found)}\n{row(other)}")
    print(f"\n99 % of the PHI characters at 2 % of the others: {'reached' if good else 'not reached'} on both halves")


if __name__ == "__main__":
    main()
