"""What some notes of one's own make of a model: learning curves.

    python experiments/adapting.py hand [--language en es nl zh] [--seed 0]
    python experiments/packs.py train --language es --without meddocan --out FOLDER
    python experiments/adapting.py meddocan FOLDER/es [--corpora ../shared/corpora] [--own 0 20 50 100 200] [--seed 0]

`elision train --start-from` goes on from a model with the first so many notes and 300 made ones; "alone" are models
that learn from one's own notes only (the same features, rules among them). `hand`: from each model that comes with
elision, with every other of the unseen notes by hand, measured on those between; `meddocan`: from a Spanish model
that never saw MEDDOCAN, with the first notes of its train part, measured on dev. Beside it, what is left of the model
on 200 made notes of the held-out side. Taggers alone: recall and precision of characters, strict F1 by parent label.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import elision

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.document import Document
from elision.evaluate.coverage import coverage
from elision.evaluate.matching import strict
from elision.languages.base import folder
from elision.languages.synth_data import languages_made
from elision.languages.synth_lists import HELD_OUT
from elision.synth.learning import made
from elision.taggers.base import Tagger, tag
from elision.taggers.linear.kind import load
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.training import fit
from experiments.pack_notes import CORPORA, by_hand, by_parent, comparable, dated, meddocan

AGAIN = 300  # as `elision train` has it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", choices=("hand", "meddocan"))
    parser.add_argument("model", nargs="?", type=Path, help="a Spanish model that never saw MEDDOCAN")
    parser.add_argument("--language", nargs="+", choices=languages_made(), default=languages_made())
    parser.add_argument("--corpora", type=Path, default=CORPORA)
    parser.add_argument("--own", type=int, nargs="+", default=[0, 20, 50, 100, 200])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if (given.notes == "meddocan") != bool(given.model):
        parser.error("meddocan needs a model that never saw it, and hand none; see above")
    print(f"elision {elision.__version__}, seed {given.seed}\n")
    print("| | own notes | these notes: recall | precision | strict F1 | made notes: recall | precision | F1 |")
    print("|---|---|---|---|---|---|---|---|")
    if given.notes == "hand":
        for language in given.language:
            notes = by_hand(language, "unseen")
            own = dated(notes[::2])
            curve(
                language,
                load(folder(language, "model")),
                own,
                notes[1::2],
                [0, 20, len(own)],
                given.seed,
                hand=True,
            )
    else:
        own, dev = (meddocan(given.corpora, part) for part in ("train", "dev"))
        curve("es", load(given.model), own, dev, given.own, given.seed, hand=False)


def curve(
    language: str,
    model: LinearTagger,
    own: Sequence[Document],
    these: Sequence[Document],
    counts: Sequence[int],
    seed: int,
    *,
    hand: bool,
) -> None:
    general, again = made(language, 200, HELD_OUT, seed + 1), made(language, AGAIN, seed=seed)
    for count in counts:
        for name, tagger in _taggers(model, own[:count], again):
            sides = (figures(tagger, these, hand=hand), figures(tagger, general, hand=False))
            cells = (f"{100 * each:.1f}" for side in sides for each in side)
            print(f"| {language} {name} | {count} | {' | '.join(cells)} |", flush=True)


def _taggers(
    model: LinearTagger, own: Sequence[Document], again: Sequence[Document]
) -> Iterator[tuple[str, LinearTagger]]:
    """The model as it is without notes of one's own; with them, it goes on, and another begins with nothing."""
    if not own:
        yield "model as it is", model
        return
    for name, start in (("goes on", model), ("alone", None)):
        yield name, fit(model.settings, own, start=start, again=again if start else ())


def figures(tagger: Tagger, notes: Sequence[Document], *, hand: bool) -> tuple[float, float, float]:
    found = tag(tagger, notes)
    gold, system = comparable(notes, found) if hand else (notes, found)
    pairs = list(zip(by_parent(gold), by_parent(system), strict=True))
    characters = coverage(pairs).characters.score()
    return characters.recall, characters.precision, strict(pairs).all().score().f1


if __name__ == "__main__":
    main()
