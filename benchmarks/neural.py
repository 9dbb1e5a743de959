"""How fast a neural model finds spans, beside `elision-fast` and a bare `re.findall`, in one thread.

    python benchmarks/neural.py MODEL [TEXTS] [--rounds 5]

MODEL is a folder of `elision train`, of any kind (`experiments/neural.py run … --keep` leaves some in RESULTS/models);
TEXTS are notes in any format (default: MEDDOCAN's development part). `elision-fast` is the model that comes with
elision for the language of MODEL. All are warm, and take their turn in each round: a figure is the median of rounds,
in processor time, and a ratio the median of the rounds' ratios. Tokens are those of elision.
"""

from __future__ import annotations

import os

# before numpy is loaded: its threads would be counted as time
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

import elision
from elision.document import Document
from elision.errors import ElisionError
from elision.formats import read
from elision.languages.base import code_of, languages
from elision.taggers.store import load
from elision.text.tokens import tokenize

HERE = Path(__file__).resolve().parent
TEXTS = HERE.parents[1] / "shared" / "corpora" / "meddocan" / "dev"
WORDS = re.compile(r"\w+|\S")
MODEL, FAST, FINDALL = "the model", "elision-fast", "re.findall"


def works(folder: Path, texts: Sequence[str]) -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    tagger = load(folder)
    notes = [Document(text, str(at)) for at, text in enumerate(texts)]
    found: dict[str, Callable[[], object]] = {MODEL: lambda: tagger.detect(notes)}
    language = languages().get(code_of(tagger.language))
    if language and language.has("model"):
        fast = load(language.path("model"))
        found[FAST] = lambda: fast.detect(notes)
    found[FINDALL] = lambda: [WORDS.findall(text) for text in texts]
    return found


def timed(works: Mapping[str, Callable[[], object]], rounds: int) -> list[dict[str, float]]:
    """Processor seconds of each in each round, after one that is not timed."""
    for work in works.values():
        work()
    return [{name: seconds(work) for name, work in works.items()} for _ in range(rounds)]


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return max(time.process_time() - start, 1e-9)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("texts", nargs="?", type=Path, default=TEXTS)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(arguments)
    try:
        texts = [note.text for note in read(given.texts)]
        found = works(given.model, texts)
    except ElisionError as error:
        sys.exit(f"error: {error}")
    if not texts or given.rounds < 1:
        sys.exit(f"{given.texts}: no notes, or no rounds to time; give notes, and at least one round")
    tokens = sum(len(tokenize(text, load(given.model).language)) for text in texts)
    rounds = timed(found, given.rounds)
    print(
        f"elision {elision.__version__}, Python {sys.version.split()[0]}, numpy {np.__version__}, one thread\n"
        f"{len(texts):,} notes, {tokens:,} tokens, {given.rounds} rounds\n"
    )
    names = [name for name in (FAST, FINDALL) if name in found]
    print(f"| system | tokens/s | {' | '.join(f'times as long as {name}' for name in names)} |")
    print(f"|---|---:|{'---:|' * len(names)}")
    for name in found:
        rate = tokens / statistics.median(each[name] for each in rounds)
        ratios = [statistics.median(each[name] / each[other] for each in rounds) for other in names]
        print(f"| {name} | {rate:,.0f} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |")


if __name__ == "__main__":
    main()
