"""Reading and scoring MEDDOCAN train and dev, beside the official program where it is at hand.

    python benchmarks/score_meddocan.py [CORPUS] [--official evaluate.py] [--runs 5]

CORPUS holds the folders train and dev as in the public download (default: ../shared/corpora/meddocan). The system is
the gold standard with every seventh span left out, so that something is wrong. Each run is a process of its own;
times are wall-clock medians and include starting Python. The official program is not part of this project: pass the
path of its evaluate.py (PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script) to have it timed in turn with ours on the same files.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import elision

HERE = Path(__file__).resolve().parent
WORK = """
import json, resource, sys, time
start = time.perf_counter()
from pathlib import Path
from elision.evaluate.official import meddocan
from elision.formats import read
ready = time.perf_counter()
gold, system = (list(read(Path(path), "brat")) for path in sys.argv[1:3])
loaded = time.perf_counter()
blocks = meddocan.score(gold, system)
done = time.perf_counter()
spans = sum(len(document.spans) for document in gold)
print(json.dumps({
    "notes": len(gold), "spans": spans, "f1": blocks[0].f1, "import": ready - start, "read both sides": loaded - ready,
    "score": done - loaded, "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def prepare(corpus: Path, folder: Path) -> tuple[Path, Path]:
    """Gold and system folders with all notes of both splits."""
    gold, system = folder / "gold" / "brat", folder / "system" / "brat"
    gold.mkdir(parents=True)
    system.mkdir(parents=True)
    number = 0
    for text in sorted(corpus.glob("*/*.txt")):
        for side in (gold, system):
            shutil.copy(text, side / text.name)
        lines = text.with_suffix(".ann").read_text("utf-8").splitlines(keepends=True)
        (gold / text.name).with_suffix(".ann").write_text("".join(lines), "utf-8")
        kept = [line for i, line in enumerate(lines, start=number) if i % 7]
        (system / text.name).with_suffix(".ann").write_text("".join(kept), "utf-8")
        number += len(lines)
    return gold, system


def timed(command: list[str], runs: int, cwd: Path) -> tuple[float, str]:
    """Median wall-clock seconds and the last output."""
    seconds, output = [], ""
    for _ in range(runs + 1):  # the first run warms the file cache
        start = time.perf_counter()
        output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=cwd).stdout
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:]), output


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "meddocan")
    parser.add_argument("--official", type=Path, help="the official evaluate.py")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    if not arguments.corpus.is_dir():
        sys.exit(f"{arguments.corpus}: no MEDDOCAN corpus here; give its folder (the one that holds train and dev)")
    with tempfile.TemporaryDirectory() as folder:
        gold, system = prepare(arguments.corpus, Path(folder))
        seconds, output = timed([sys.executable, "-c", WORK, str(gold), str(system)], arguments.runs, Path(folder))
        print(f"elision {elision.__version__}, Python {sys.version.split()[0]}, median of {arguments.runs} processes")
        for name, value in json.loads(output).items():
            print(f"  {name:16} {value:,.3f}" if isinstance(value, float) else f"  {name:16} {value:,}")
        print(f"  {'whole process':16} {seconds:.3f} s")
        if arguments.official:
            command = [sys.executable, str(arguments.official.resolve()), "brat", "ner", f"{gold}/", f"{system}/"]
            theirs, _ = timed(command, arguments.runs, Path(folder))
            print(f"official program, sub-task 1 only: {theirs:.3f} s; ratio {theirs / seconds:.2f}")
    print(f"(peak of this script itself: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB)")


if __name__ == "__main__":
    main()
