"""How fast the linear taggers find spans, from `str` to `Span`, beside CRFsuite through dicts and a bare `re.finditer`.

    python benchmarks/tag_meddocan.py [CORPUS] [--preset NAME ...] [--rounds 5] [--no-peer]

CORPUS holds the folders train and dev as in the public download (default: ../shared/corpora/meddocan). Models learn
from train as their presets say and tag all notes of train and dev, on one thread, warm. In each round all programs take
their turn; a figure is the median of rounds, a ratio the median of the rounds' ratios. Tokens are ours for all, also
for `re.finditer`, which finds somewhat fewer.

The peer is what one writes with CRFsuite (extra `crfsuite`) in Python: for each token a dict of the same features under
the names of their templates, `Tagger.tag`, tags to spans. It is spared the values of attributes: each token's are
ready before the clock starts, so that only dicts are filled and tagged. It learnt from train in ten iterations.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import elision
from elision.bio import decode, encode
from elision.document import Document, Span
from elision.formats import read
from elision.taggers import kernels
from elision.taggers.cutters import batch_of
from elision.taggers.linear.attributes import form
from elision.taggers.linear.columns import Attributes
from elision.taggers.linear.features import Template, templates
from elision.taggers.linear.resources import places_of
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from elision.taggers.presets import preset as preset_named
from elision.text.tokens import tokenize

HERE = Path(__file__).resolve().parent
WORDS = re.compile(r"\w+|[^\w\s]")
COLD = """
import resource, sys, time
start = time.perf_counter()
from pathlib import Path
from elision.taggers.linear.kind import load
tagger = load(Path(sys.argv[1]))
tagger.spans([Path(sys.argv[2]).read_text("utf-8")])
print(time.perf_counter() - start)
"""
LONG = """
import json, resource, sys, time
from pathlib import Path
from elision.formats import read
from elision.taggers.linear.kind import load
tagger = load(Path(sys.argv[1]))
texts = [note.text for split in ("train", "dev") for note in read(Path(sys.argv[2]) / split, "brat")]
def memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6
found = {"after loading": memory()}
def some(first, after):  # digits are others in every note, so that there are always new words
    return [f"{texts[at % len(texts)]} {at} X{at}y".replace("1", str(at)) for at in range(first, after)]
done = 0
for upto in (1_000, 10_000, 50_000, 100_000):
    while done < upto:
        tagger.spans(some(done, done + 100))
        done += 100
    found[f"after {upto:,} notes"] = memory()
line = " ".join(texts).replace("\\n", " ").replace("\\r", " ")
line = (line * (10_000_000 // len(line) + 1))[:10_000_000]
start = time.perf_counter()
spans = tagger.spans([line])[0]
found["10 MB in one line, s"] = time.perf_counter() - start
found["its spans"] = len(spans)
found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
print(json.dumps(found))
"""


class Peer:
    """CRFsuite through dicts."""

    def __init__(self, settings: Settings, learn: Sequence[Document], folder: Path) -> None:
        import pycrfsuite

        self.lines: tuple[Template, ...] = templates(settings.features)
        self.names = [str(line) for line in self.lines]
        self.attributes = Attributes(self.lines, places_of(settings))
        self.settings = settings
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params({"max_iterations": 10})
        for document, values in zip(learn, self.values([document.text for document in learn]), strict=True):
            tokens = tokenize(document.text, settings.language)
            trainer.append(self.rows(values), encode(document.spans, tokens))
        path = str(folder / "peer")
        trainer.train(path)
        self.tagger: Any = pycrfsuite.Tagger()
        self.tagger.open(path)

    def values(self, texts: Sequence[str]) -> list[list[dict[str, str]]]:
        """For each note and token the value of each attribute."""
        batch = batch_of(self.settings, texts)
        numbers, forms = batch.kinds
        columns: dict[str, list[str]] = {}
        for name in self.attributes.forms:
            function = form(name)
            assert function
            of_form = [function(one) for one in forms]
            columns[name] = [of_form[number] for number in numbers.tolist()]
        for name, place in self.attributes.places.items():
            codes, meanings = place(batch)
            columns[name] = [meanings[code] for code in codes.tolist()]
        rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        return [rows[first:after] for first, after in pairwise(batch.notes.tolist())]

    def rows(self, values: Sequence[dict[str, str]]) -> list[dict[str, str]]:
        """A dict of features for each token."""
        end = len(values)
        rows = []
        for at in range(end):
            row = {}
            for name, line in zip(self.names, self.lines, strict=True):
                terms = [
                    values[at + offset][attribute] if 0 <= at + offset < end else "" for attribute, offset in line.terms
                ]
                if all(terms):
                    row[name] = "|".join(terms)
            rows.append(row)
        return rows

    def spans(self, text: str, values: Sequence[dict[str, str]]) -> tuple[Span, ...]:
        tokens = tokenize(text, self.settings.language)
        return tuple(decode(self.tagger.tag(self.rows(values)), tokens))


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def cold(folder: Path, note: Path) -> float:
    command = [sys.executable, "-c", COLD, str(folder), str(note)]
    starts = [time.perf_counter()]
    for _ in range(6):
        subprocess.run(command, check=True, capture_output=True)
        starts.append(time.perf_counter())
    return statistics.median(after - before for before, after in pairwise(starts[1:]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "meddocan")
    parser.add_argument("--preset", nargs="+", default=["elision-fast", "elision-best"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-peer", action="store_true", help="without CRFsuite, which takes minutes")
    given = parser.parse_args()
    if not given.corpus.is_dir():
        sys.exit(f"{given.corpus}: no MEDDOCAN corpus here; give its folder (the one that holds train and dev)")
    train, dev = (list(read(given.corpus / split, "brat")) for split in ("train", "dev"))
    texts = [document.text for document in (*train, *dev)]
    tokens = sum(len(tokenize(text, "es")) for text in texts)
    print(
        f"elision {elision.__version__}, Python {sys.version.split()[0]}, numpy {np.__version__}, "
        f"kernels {'compiled' if kernels.COMPILED else 'numpy'}\n"
        f"{len(texts):,} notes, {tokens:,} tokens, {sum(map(len, texts)) / 1e6:.2f} M characters"
    )
    for preset in given.preset:
        settings = preset_named(preset, language="es")
        tagger = fit(settings, train)
        works: dict[str, Callable[[], object]] = {
            "elision": lambda tagger=tagger: tagger.spans(texts),  # type: ignore[misc]
            "elision, note by note": lambda tagger=tagger: [tagger.spans([text]) for text in texts],  # type: ignore[misc]
            "re.finditer": lambda: [[match.span() for match in WORDS.finditer(text)] for text in texts],
        }
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if not given.no_peer:
                peer = Peer(settings, train, folder)
                some = texts[::5]  # a fifth is enough for what takes so long
                values = peer.values(some)
                works["CRFsuite through dicts"] = lambda peer=peer, some=some, values=values: [  # type: ignore[misc]
                    peer.spans(text, known) for text, known in zip(some, values, strict=True)
                ]
            share = {"CRFsuite through dicts": len(texts[::5]) and sum(map(len, texts[::5])) / sum(map(len, texts))}
            for work in works.values():
                work()
            gc.collect()
            gc.freeze()  # what the peer holds ready must not slow down the others
            rounds = [
                {name: seconds(work) / share.get(name, 1.0) for name, work in works.items()}
                for _ in range(given.rounds)
            ]
            tagger.save(folder / "model")
            note = next(iter(sorted((given.corpus / "dev").rglob("*.txt"))))
            print(f"\n{preset}: {tagger.linear.kept:,} features")
            for name in works:
                rate = tokens / statistics.median(each[name] for each in rounds)
                ratio = statistics.median(each[name] / each["elision"] for each in rounds)
                print(f"  {name:24} {rate:12,.0f} tokens/s   takes {ratio:6.2f} times as long as elision")
            print(f"  cold start: Python, import, load, first note {cold(folder / 'model', note):.2f} s")
            command = [sys.executable, "-c", LONG, str(folder / "model"), str(given.corpus)]
            found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            print("  memory, MB (and a note of 10 MB in one line):")
            for name, value in found.items():
                print(f"    {name:24} {value:10,.1f}")


if __name__ == "__main__":
    main()
