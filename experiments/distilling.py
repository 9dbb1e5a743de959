"""What a quick model learns from what a strong one marks in raw notes.

    python experiments/packs.py train --left-out 0 --spanish-train --out MODELS
    python experiments/encoder.py train BASE ENCODER --left-out 0 --spanish-train
    python experiments/distilling.py ENCODER --models MODELS --left-out 0 [--language en ...] [--seed 0]

Notes by hand that neither model has learnt from are halved. The linear model with the encoder beside it marks the
first half, and the linear model goes on from these marks, as `elision distil` does. All are measured on the second
half, taggers alone: recall and precision of characters, strict F1 by parent label. "closed" is how much of the distance
to the strong model is gone in recall. "learnt by hand" goes on from the gold marks of the same notes: the most that
their text can teach.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import elision
from elision.languages.base import HERE
from elision.languages.synth_data import languages_made
from elision.synth.learning import made
from elision.taggers.base import Tagger
from elision.taggers.distillation import distil
from elision.taggers.encoder.tagger import EncoderTagger
from elision.taggers.encoder.tagger import load as load_encoder
from elision.taggers.linear.kind import load
from elision.taggers.linear.training import fit
from elision.taggers.mixed import DOUBTED, mixed
from experiments.adapting import AGAIN, figures
from experiments.handwritten import noted
from experiments.pack_notes import QUARTERS, dated, quarter


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=Path, metavar="ENCODER")
    parser.add_argument("--models", type=Path, default=HERE, help="folder of the linear taggers, by language")
    parser.add_argument("--left-out", type=int, choices=range(QUARTERS), required=True)
    parser.add_argument("--language", nargs="+", default=noted(), choices=noted())
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    encoder = load_encoder(given.encoder)
    print(f"elision {elision.__version__}, seed {given.seed}\n")
    print("| language | tagger | raw notes | recall | precision | strict F1 | closed |")
    print("|---|---|---|---|---|---|---|")
    for language in given.language:
        if (given.models / language / "model").is_dir():
            for row in rows(language, given, encoder):
                print(f"| {language} | {' | '.join(row)} |", flush=True)


def rows(language: str, given: argparse.Namespace, encoder: EncoderTagger) -> Iterator[tuple[str, ...]]:
    """What each tagger finds in the notes that are measured."""
    quick = load(given.models / language / "model")
    notes = dated(quarter(language, given.left_out, inside=True))
    raw, gold = notes[::2], quarter(language, given.left_out, inside=True)[1::2]
    again = made(language, AGAIN, seed=given.seed) if language in languages_made() else []
    strong = mixed(quick, encoder, DOUBTED)
    taggers: list[tuple[str, Tagger]] = [
        ("quick", quick),
        ("strong", strong),
        ("distilled", distil(strong, raw, quick.settings, start=quick, again=again).tagger),
        ("learnt by hand", fit(quick.settings, raw, start=quick, again=again)),
    ]
    found = {name: figures(tagger, gold, hand=True) for name, tagger in taggers}
    least, most = found["quick"][0], found["strong"][0]
    for name, values in found.items():
        closed = f"{100 * (values[0] - least) / (most - least):.0f} %" if most > least else ""
        yield name, str(len(raw)), *(f"{100 * value:.1f}" for value in values), closed


if __name__ == "__main__":
    main()
