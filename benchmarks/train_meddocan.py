"""How long `elision-fast` and `elision-best` take to learn MEDDOCAN train and dev, and how much memory.

    python benchmarks/train_meddocan.py [CORPUS] [--preset NAME ...]

CORPUS holds the folders train and dev as in the public download (default: ../shared/corpora/meddocan). Each learning
is a process of its own that reads the corpus, learns and saves; two threads, as many as a learning takes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import elision

HERE = Path(__file__).resolve().parent
WORK = """
import json, resource, sys, tempfile, time
start = time.perf_counter()
from pathlib import Path
from elision.formats import read
from elision.taggers.presets import preset
from elision.taggers.linear.training import fit
notes = [note for split in ("train", "dev") for note in read(Path(sys.argv[2]) / split, "brat")]
ready = time.perf_counter()
tagger = fit(preset(sys.argv[1], language="es"), notes)
learnt = time.perf_counter()
with tempfile.TemporaryDirectory() as folder:
    size = tagger.save(Path(folder) / "model")
print(json.dumps({
    "notes": len(notes), "tokens": tagger.card["training"]["tokens"], "start and read s": ready - start,
    "learn s": learnt - ready, "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "model MB": size / 1e6,
}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "meddocan")
    parser.add_argument("--preset", nargs="+", default=["elision-fast", "elision-best"])
    given = parser.parse_args()
    if not given.corpus.is_dir():
        sys.exit(f"{given.corpus}: no MEDDOCAN corpus here; give its folder (the one that holds train and dev)")
    print(f"elision {elision.__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    for preset in given.preset:
        command = [sys.executable, "-c", WORK, preset, str(given.corpus)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"{preset}:", ", ".join(f"{name} {value:,.1f}" for name, value in found.items()))


if __name__ == "__main__":
    main()
