"""How quick each effort is on usual notes, in one thread, beside Presidio with its small model.

    python benchmarks/efforts.py [--texts 100] [--corpora ../shared/corpora] [--efforts fast balanced most] [--rounds 3]
        [--envs DIR] [--without-peer]

The texts are those of aci-bench (visits as they are written down), the English part of E3C (cases) and MEDDOCAN's dev
part: the first of each. Clocked is what finds identifiers, over all texts in one call, when notes like them were seen
before; for the first time, too. All in one thread; tokens are elision's for both. The peer is installed as
`peers/run.py` does it, and reads the English texts; "times Presidio" is the ratio in the same run.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import elision
from benchmarks.peers.run import HERE as PEERS_HERE
from benchmarks.peers.run import MODEL, PEERS, environment, run_worker
from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.effort import Effort
from elision.formats import read
from elision.pipeline import Deidentifier
from elision.text.tokens import tokenize

CORPORA = Path(__file__).resolve().parents[2] / "shared" / "corpora"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, default=CORPORA)
    parser.add_argument("--texts", type=int, default=100, help="of each corpus")
    parser.add_argument("--efforts", nargs="+", type=Effort, default=[Effort.FAST, Effort.BALANCED, Effort.MOST])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--envs", type=Path, default=Path.home() / ".cache" / "elision-peers")
    parser.add_argument("--without-peer", action="store_true")
    given = parser.parse_args()
    print(f"elision {elision.__version__}, {given.texts} texts of each corpus, one thread\n")
    print("| texts of | effort | tokens/s | for the first time | times Presidio |")
    print("|---|---|---|---|---|")
    for corpus, language, texts in corpora(given.corpora, given.texts):
        notes = [Document(text, str(at), language=language) for at, text in enumerate(texts)]
        tokens = sum(len(tokenize(text)) for text in texts)
        peer = (
            tokens / presidio(given, texts) if language == PEERS["presidio"].language and not given.without_peer else 0
        )
        for effort in given.efforts:
            first, later = ours(language, effort, notes, given.rounds)
            ratio = f"{tokens / later / peer:.1f}" if peer else ""
            print(f"| {corpus} | {effort} | {tokens / later:.0f} | {tokens / first:.0f} | {ratio} |", flush=True)
        if peer:
            print(f"| {corpus} | Presidio | {peer:.0f} | | 1.0 |", flush=True)


def corpora(folder: Path, most: int) -> Iterator[tuple[str, str, list[str]]]:
    """Texts by corpus, with their language."""
    with (folder / "aci-bench/train.csv").open(encoding="utf-8") as file:
        yield "aci-bench", "en", [row["note"] for row in csv.DictReader(file)][:most]
    lines = (folder / "e3c-en/notes.jsonl").read_text("utf-8").splitlines()[:most]
    yield "E3C", "en", [json.loads(line)["text"] for line in lines]
    yield "MEDDOCAN dev", "es", [note.text for note in read(folder / "meddocan/dev", "brat")][:most]


def ours(language: str, effort: Effort, notes: list[Document], rounds: int) -> tuple[float, float]:
    """Seconds for the first time, and the median of later ones."""
    deidentifier = Deidentifier(detectors_for(language, effort=effort))
    deidentifier.detect([Document("Seen by Dr. Roe, who is well.", language=language)])
    first = seconds(lambda: deidentifier.detect(notes))
    return first, statistics.median(seconds(lambda: deidentifier.detect(notes)) for _ in range(rounds))


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def presidio(given: argparse.Namespace, texts: list[str]) -> float:
    """Seconds that the peer takes for the texts: the median of rounds."""
    python = environment(given.envs, "presidio", PEERS["presidio"].requirements)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.json", Path(folder) / "out.json"
        source.write_text(json.dumps([{"text": text} for text in texts]), "utf-8")
        command = [
            str(python),
            str(PEERS_HERE / "presidio_worker.py"),
            str(source),
            str(target),
            str(given.rounds),
            MODEL,
        ]
        run_worker(command, "presidio", target)
        took: list[float] = json.loads(target.read_text("utf-8"))["systems"][0]["seconds"]
        return statistics.median(took)


if __name__ == "__main__":
    main()
