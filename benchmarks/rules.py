"""How fast packs of rules run, and that nothing makes them slow.

    python benchmarks/rules.py [CORPUS] [--pack es] [--rounds 5] [--adversarial]

CORPUS is a folder of notes in any format, or a JSONL file with a field text (default: MEDDOCAN train and dev beside the
project, for Spanish). A pack runs from `str` to `Span`, one thread, warm; in the same round a regular expression for
words passes over the same texts. With --adversarial every row runs over twelve alphabets that invite backtracking, at
10, 100 and 1,000 KB: the time for each KB at 1,000 KB is compared with that at 10 KB; and the whole pack runs over
10 MB in one line.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import elision
from elision.document import Document
from elision.formats import read
from elision.rules import Pack, Rules, read_pack

HERE = Path(__file__).resolve().parent
WORDS = re.compile(r"\w+")
ALPHABETS = (
    "a", "1", " ", "A", "aA", "1-", "1.", "1/ ", "A. ", "1 a", "Dr. A", "áÉ9年月日:# \t",
)  # fmt: skip


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def made(alphabet: str, size: int) -> str:
    return "".join(random.Random(size).choices(alphabet, k=size))


def _all_matches(rules: Rules, text: str) -> float:
    return seconds(lambda: sum(1 for _ in rules.matches(text)))


def adversarial(pack: Pack) -> None:
    worst: list[tuple[float, float, str, str]] = []
    for row in pack.rows:
        rules = Rules(Pack("", (row,)))
        for alphabet in ALPHABETS:
            times = {}
            for size in (10_000, 100_000, 1_000_000):
                times[size] = min(_all_matches(rules, made(alphabet, size)) for _ in range(3 if size < 1e6 else 1))
            worst.append((times[1_000_000] / 100 / times[10_000], times[1_000_000], row.id, alphabet))
    print(
        f"{len(pack.rows)} rows x {len(ALPHABETS)} alphabets; time for each KB at 1,000 KB by that at 10 KB, the worst:"
    )
    for growth, took, row_id, alphabet in sorted(worst, reverse=True)[:5]:
        print(f"  {growth:6.2f}   {took:7.3f} s   {row_id} over {alphabet!r}")
    took, row_id, alphabet = max((took, row_id, alphabet) for _, took, row_id, alphabet in worst)
    print(f"  the slowest megabyte: {took:.3f} s, {row_id} over {alphabet!r}")


def notes_of(path: Path) -> Iterator[Document]:
    """The notes of a folder or file in any format, or the field `text` of a JSONL file."""
    if path.suffix != ".jsonl":
        yield from read(path)
        return
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        yield Document(json.loads(line)["text"], str(number))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path)
    parser.add_argument("--pack", default="es")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--adversarial", action="store_true")
    given = parser.parse_args()
    meddocan = HERE.parents[1] / "shared" / "corpora" / "meddocan"
    folders = [given.corpus] if given.corpus else [meddocan / "train", meddocan / "dev"]
    if not all(folder.exists() for folder in folders):
        sys.exit(f"{folders[0]}: no notes here; give a folder of notes")
    documents = [document for folder in folders for document in notes_of(folder)]
    texts = [document.text for document in documents]
    characters = sum(map(len, texts))
    begin = time.perf_counter()
    pack = read_pack(given.pack)
    rules = Rules(pack)
    loaded = time.perf_counter() - begin
    works: dict[str, Callable[[], object]] = {
        "rules": lambda: rules.detect(documents),
        "rules, note by note": lambda: [rules.spans(text) for text in texts],
        're.findall(r"\\w+")': lambda: [WORDS.findall(text) for text in texts],
    }
    first = characters / 1e6 / seconds(works["rules"])
    for work in works.values():
        work()
    rounds = [{name: seconds(work) for name, work in works.items()} for _ in range(given.rounds)]
    spans = sum(map(len, rules.detect(documents)))
    print(
        f"elision {elision.__version__}, Python {sys.version.split()[0]}; pack {pack.name}, {len(pack.rows)} rows, "
        f"loaded in {loaded:.2f} s; {len(texts):,} notes, {characters / 1e6:.2f} M characters, {spans:,} spans"
    )
    print(f"  {'rules, the first time':20} {first:8.1f} M characters/s")
    for name in works:
        rate = characters / 1e6 / statistics.median(each[name] for each in rounds)
        ratio = statistics.median(each[name] / each["rules"] for each in rounds)
        print(f"  {name:20} {rate:8.1f} M characters/s   takes {ratio:5.2f} times as long as the rules")
    line = " ".join(texts).replace("\n", " ").replace("\r", " ")
    line = (line * (10_000_000 // len(line) + 1))[:10_000_000]
    print(f"  10 MB in one line: {seconds(lambda: rules.spans(line)):.1f} s")
    if given.adversarial:
        adversarial(pack)


if __name__ == "__main__":
    main()
