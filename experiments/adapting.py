"""What some notes of one's own add to made ones: a learning curve.

    python experiments/adapting.py [CORPUS] [--made 1500] [--own 0 20 50 100 200] [--seed 0]

CORPUS holds MEDDOCAN's folders train and dev (default: ../shared/corpora/meddocan). `elision-fast` with rules learns
from made Spanish notes and the first so many notes of train, each counted five times (`elision train --start-from es`),
and from the same notes alone. Measured on dev: recall and precision of characters, strict F1 by parent label.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import elision

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.evaluate.coverage import coverage
from elision.evaluate.matching import strict
from elision.presets import elision_fast
from elision.synth.mixture import made
from elision.taggers.held_out import weighted
from elision.taggers.tagger import LinearTagger
from experiments.packs import by_parent, meddocan

HERE = Path(__file__).resolve().parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "meddocan")
    parser.add_argument("--made", type=int, default=1500)
    parser.add_argument("--own", type=int, nargs="+", default=[0, 20, 50, 100, 200])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    train, dev = (meddocan(given.corpus.parent, part) for part in ("train", "dev"))
    gold = by_parent(dev)
    settings = elision_fast("es", rules=True, seed=given.seed)
    print(f"elision {elision.__version__}, {given.made:,} made notes, seed {given.seed}\n")
    print("| own notes | made notes too | recall | precision | strict F1, parents |")
    print("|---|---|---|---|---|")
    for own in given.own:
        for more in (made("es", given.made, seed=given.seed), []):
            if not own and not more:
                continue
            notes = [*more, *weighted(train[:own], 5 if more else 1)]
            system = by_parent(list(LinearTagger(settings).fit(notes).tag(dev)))
            pairs = list(zip(gold, system, strict=True))
            characters, spans = coverage(pairs).characters.score(), strict(pairs).all().score()
            cells = (f"{100 * each:.1f}" for each in (characters.recall, characters.precision, spans.f1))
            print(f"| {own} | {'yes' if more else 'no'} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
