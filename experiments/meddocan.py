"""The systems of `presets.py` on MEDDOCAN: trained on train, measured on dev, beside what Cotik 2019 published.

    python experiments/meddocan.py [CORPUS] [--only NAME ...] [--iterations 100] [--no-pos] [--seed 0]
        [--encoder FOLDER [--epochs 3]]

CORPUS holds the folders train and dev as in the public download (default: ../shared/corpora/meddocan). It prints a
Markdown table. CRFsuite's L-BFGS stops by itself, or after --iterations (0: never earlier). Leak is missed spans per
sentence; sub-task 2 is "strict" and "merged", all as the official program counts them. Cotik's published numbers are
those of the test split. Only the window classifier depends on the seed; CRFsuite's L-BFGS draws no random numbers.

--encoder names one that never saw dev (`encoder.py train … --spanish-train`). It goes on with MEDDOCAN's labels from
the train part, for an hour or two, and is measured alone and beside each system that tells chances. A stopped command
goes on where the encoder's learning was.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import elision
from elision.document import Document
from elision.evaluate.official import meddocan
from elision.formats import read
from elision.papers.presets import ZUCCON_BEST
from elision.taggers import store
from elision.taggers.base import Tagger, tag
from elision.taggers.encoder.tagger import load as load_encoder
from elision.taggers.linear.presets import BEST
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.training import fit
from elision.taggers.mixed import DOUBTED, mixed
from elision.taggers.presets import presets

HERE = Path(__file__).resolve().parent
SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "elision fast": ("elision-fast", {}),
    "elision best": ("elision-best", {}),
    "elision fast, with rules": ("elision-fast", {"rules": True}),
    "elision best, with rules": ("elision-best", {"rules": True}),
    "elision fast, with groups of words": ("elision-fast", {"groups": True}),
    "elision best, with groups of words": ("elision-best", {"groups": True}),
    "elision fast, no privacy cut-off": ("elision-fast", {"least": 1}),
    "elision best, no privacy cut-off": ("elision-best", {"least": 1}),
    "elision best, without parts of speech": ("elision-best", {"features": BEST}),
    "Cotik 2019 window": ("cotik2019-window", {}),
    "Cotik 2019 CRF": ("cotik2019-crf", {}),
    "Cotik 2019 CRF, all of the neighbours": ("cotik2019-crf", {"neighbours": "all"}),
    "Cotik 2019 CRF, He's tokens": ("cotik2019-crf", {"cut": "he2015"}),
    "Cotik 2019 window, fine tokens": ("cotik2019-window", {"cut": "fine"}),
    "He 2015, official run": ("he2015", {"run": "official"}),
    "He 2015, unofficial run 1": ("he2015", {"run": "unofficial1"}),
    "He 2015, unofficial run 2": ("he2015", {}),
    "He 2015, without preprocessing": ("he2015", {"preprocessing": "tokens"}),
    "Zuccon 2013, all but POS": ("zuccon2013", {"families": ZUCCON_BEST}),
    "Zuccon 2013, all families": ("zuccon2013", {}),
    "Liu 2015": ("liu2015", {}),
}
PUBLISHED = """| *Cotik 2019 window, published (test)* | *.884* | *.866* | *.903* | *.073* | *.891* | *.904* | | | |
| *Cotik 2019 CRF, published (test)* | *.897* | *.914* | *.880* | *.090* | *.930* | *.940* | | | |"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "meddocan")
    parser.add_argument("--only", nargs="+", choices=list(SYSTEMS), default=list(SYSTEMS), metavar="NAME")
    parser.add_argument("--iterations", type=int, default=0)
    parser.add_argument("--no-pos", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--encoder", type=Path, help="one that never saw dev")
    parser.add_argument("--epochs", type=int, default=3, help="of the encoder")
    given = parser.parse_args()
    train, dev = (list(read(given.corpus / split, "brat")) for split in ("train", "dev"))
    versions = {name: importlib.metadata.version(name) for name in ("numpy", "python-crfsuite")}
    print(f"`{' '.join(sys.argv)}` · elision {elision.__version__} · Python {platform.python_version()} · {versions}\n")
    print("| system | F1 | precision | recall | leak | sub-task 2 strict F1 | merged F1 | features | MB | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    encoder = adapted(given.encoder, train, given.seed, given.epochs) if given.encoder else None
    if encoder:
        print(row("encoder", encoder, dev), flush=True)
    for name in given.only:
        start = time.perf_counter()
        tagger = fit(settings_of(name, train, given.seed, given.iterations, pos=not given.no_pos), train)
        seconds = f"{time.perf_counter() - start:.0f}"
        print(row(name, tagger, dev, f"{tagger.linear.kept:,}", f"{size(tagger):.2f}", seconds), flush=True)
        if encoder and tagger.tells_chances:
            print(row(f"{name}, with the encoder", mixed(tagger, encoder, DOUBTED), dev), flush=True)
    print(PUBLISHED)


def adapted(folder: Path, train: Sequence[Document], seed: int, epochs: int) -> Tagger:
    """The encoder of a folder, once it has learnt these notes, too."""
    start = load_encoder(folder)
    settings = replace(start.settings, seed=seed, epochs=epochs)
    return store.fit(settings, train, start=start, checkpoints=folder.with_name(f"{folder.name}-meddocan.checkpoint"))


def settings_of(name: str, train: Sequence[Document], seed: int, iterations: int, *, pos: bool) -> Settings:
    """All that is chosen about a system."""
    preset, how = SYSTEMS[name]
    how = dict(how)
    if preset == "he2015":
        how["documents"] = train
    if not pos and preset == "zuccon2013":
        how["families"] = [family for family in how.get("families", ZUCCON_BEST) if family != "pos"]
    elif not pos and not preset.startswith("elision"):
        how["pos"] = False
    settings: Settings = replace(presets()[preset]("es", **how), seed=seed)
    if settings.trainer == "crfsuite" and iterations:
        settings = replace(settings, options={**settings.options, "max_iterations": iterations})
    return settings


def row(
    name: str, tagger: Tagger, dev: Sequence[Document], features: str = "", megabytes: str = "", seconds: str = ""
) -> str:
    """A line of the table."""
    ner, strict, merged = meddocan.score(dev, tag(tagger, dev))
    figures = (ner.f1, ner.precision, ner.recall, ner.leak, strict.f1, merged.f1)
    cells = [f"{figure:.4f}".lstrip("0") if figure is not None else "–" for figure in figures]
    return f"| {name} | {' | '.join(cells)} | {features} | {megabytes} | {seconds} |"


def size(tagger: LinearTagger) -> float:
    """Megabytes of the model's folder."""
    with tempfile.TemporaryDirectory() as folder:
        return tagger.save(Path(folder) / "model") / 1e6


if __name__ == "__main__":
    main()
