"""Reading and scoring MEDDOCAN train and dev, beside the official program where it is at hand.

    python benchmarks/score_meddocan.py [CORPUS] [--official evaluate.py] [--runs 5]

CORPUS holds the folders train and dev as in the public download (default: ../shared/corpora/meddocan). The system is
the gold standard with every seventh span left out, so that something is wrong. Each run is a process of its own;
times are wall-clock medians and include starting Python. The official program is not part of this project: pass the
path of its evaluate.py (PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script) to have it timed in turn with ours on the same
files. It takes a process for each sub-task; ours does both in one. Without its sentence files it reports no leak.
"""

from __future__ import annotations

import argparse
import json
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


def run(command: list[str], cwd: Path) -> tuple[float, str]:
    """Wall-clock seconds and the output of one process."""
    start = time.perf_counter()
    output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=cwd).stdout
    return time.perf_counter() - start, output


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
        commands = {"elision": [sys.executable, "-c", WORK, str(gold), str(system)]}
        if arguments.official:
            for track in ("ner", "spans"):
                program = [sys.executable, str(arguments.official.resolve())]
                commands[f"official {track}"] = [*program, "brat", track, f"{gold}/", f"{system}/"]
        runs = [
            {name: run(command, Path(folder)) for name, command in commands.items()}
            for _ in range(arguments.runs + 1)  # the first warms the file cache
        ][1:]
    print(f"elision {elision.__version__}, Python {sys.version.split()[0]}, medians of {arguments.runs} runs in turn")
    parts = [json.loads(done["elision"][1]) for done in runs]
    for name in parts[0]:
        value = statistics.median(part[name] for part in parts)
        print(f"  {name:16} {value:,.3f}" if isinstance(parts[0][name], float) else f"  {name:16} {value:,}")
    for name in commands:
        print(f"  {name:16} {statistics.median(done[name][0] for done in runs):.3f} s, the whole process")
    if arguments.official:
        ratios = [sum(s for name, (s, _) in done.items() if name != "elision") / done["elision"][0] for done in runs]
        print(f"official, both sub-tasks, by elision: {statistics.median(ratios):.2f} (above 1: elision is faster)")


if __name__ == "__main__":
    main()
