"""How fast identifiers are replaced: stand-ins and the new text alone, and all up to a checked note with its receipt.

    python benchmarks/replace.py [--notes 500] [--rounds 5] [--policy tag surrogate ...]

Notes are made of the packs' own proofs (seed 0), in four languages, with their spans, so that no detector runs. In each
round all policies take their turn on one thread; a figure is the median of the rounds. `re.sub` over the same
stretches, with a constant, is the peer: what replacing costs without stand-ins, checks and receipts.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.document import Document
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.policy import policy_names
from elision.replace.operators import Work, replacements
from elision.replace.originals import Originals
from elision.rewrite import rewrite
from tests.replace.generated import generated, gold

NOTHING = Originals(())


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def by_re(notes: list[Document]) -> None:
    for note in notes:
        words = {note.text_of(span) for span in note.spans}
        if words:
            re.sub("|".join(map(re.escape, sorted(words, key=len, reverse=True))), "[PHI]", note.text)


def alone(deidentifier: Deidentifier, notes: list[Document]) -> None:
    """Stand-ins and the new text, without merging, sweeping, checking, receipts."""
    for note in notes:
        work = Work(note, deidentifier.policy, deidentifier.secrets, NOTHING, never)
        rewrite(note, [text for _, text in replacements(work)])


def never(_text: str) -> bool:
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--policy", nargs="+", default=policy_names(), choices=policy_names())
    given = parser.parse_args()
    notes = generated(given.notes, most=60)
    spans = sum(len(note.spans) for note in notes)
    print(f"{len(notes):,} notes, {spans:,} spans, {sum(len(note.text) for note in notes) / 1e6:.2f} M characters")
    found = [note.spans for note in notes]
    key = Key(bytes(range(32)))
    works: dict[str, Callable[[], object]] = {"re.sub": lambda: by_re(notes)}
    for name in given.policy:
        deidentifier = Deidentifier([gold], policy=name, key=key)
        works[f"{name}, alone"] = lambda deidentifier=deidentifier: alone(deidentifier, notes)  # type: ignore[misc]
        held = sum(cleaned.document is None for cleaned in deidentifier.replace(notes, found))  # and warm
        if held:
            print(f"{name}: {held} notes held")
        works[name] = lambda deidentifier=deidentifier: deidentifier.replace(notes, found)  # type: ignore[misc]
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(given.rounds):
        for name, work in works.items():
            took[name].append(seconds(work))
    for name, times in took.items():
        ratio = statistics.median(a / b for a, b in zip(times, took["re.sub"], strict=True))
        print(f"  {name:24} {spans / statistics.median(times):10,.0f} spans/s   {ratio:6.2f} x re.sub")


if __name__ == "__main__":
    main()
