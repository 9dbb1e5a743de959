"""The researcher: what elision finds in notes with a gold standard, how good it is, and whether one way is better.

python -m tests.walks.researcher FOLDER
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from tests.walks.walking import Walk, expect

EXAMPLES = Path(__file__).parents[2] / "examples" / "notes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    walk = Walk(parser.parse_args().folder)
    shutil.copytree(EXAMPLES / "gold", walk.folder / "gold")
    walk.elision("detect gold rules.jsonl --rules-only")
    walk.elision("detect gold found.jsonl --effort fast")
    recall = {}
    for found in ("rules", "found"):
        scores = json.loads(walk.elision(f"score gold {found}.jsonl --json --html {found}.html --replicates 200"))
        recall[found] = scores["corrected"]["strict.recall"]["value"]
    expect(min(recall.values()) > 0.5, f"recall of the rules and of all: {recall}")
    compared = walk.elision("compare rules.jsonl found.jsonl --gold gold --replicates 200 --shuffles 200")
    expect("strict.f1" in compared and "leaks_per_note" in compared, f"compare prints {compared}")
    learnt = walk.elision("crossval gold --folds 2 --epochs 1 --seeds 1 --language en")
    expect("mean" in learnt, f"crossval prints {learnt}")


if __name__ == "__main__":
    main()
