"""How fast notes are made, and how near their labels come to what the profiles ask for.

    python benchmarks/synth.py [PROFILE ...] [--notes 1000] [--side train]

For each profile: the time to read it and to tilt its grammars, the time that a note and a thousand characters take
(one thread, warm, the best of three rounds), spans a note, and the label whose share is farthest from what was asked.
"""

from __future__ import annotations

import argparse
import time

from elision.languages.synth_lists import SIDES
from elision.synth.generate import Maker, shares_of
from elision.synth.profiles import profile_names, read_profile


def row(name: str, notes: int, side: str) -> str:
    start = time.perf_counter()
    maker = Maker(read_profile(name), 1, side)
    ready = time.perf_counter() - start
    made = list(maker.notes(range(notes)))
    best = min(_seconds(maker, notes) for _ in range(3))
    characters = sum(len(note.text) for note in made)
    shares = shares_of(made)
    asked = maker.profile.labels
    far = max(asked, key=lambda label: abs(asked[label] - shares.get(label, 0)), default="")
    nearest = f"{far} {shares.get(far, 0):.1%}, asked {asked[far]:.1%}" if far else ""
    spans = sum(len(note.spans) for note in made)
    return (
        f"| {name} | {ready:.2f} s | {1000 * best / notes:.2f} ms | {1e6 * best / characters:.2f} ms "
        f"| {characters / notes:,.0f} | {spans / notes:.1f} | {nearest} |"
    )


def _seconds(maker: Maker, notes: int) -> float:
    start = time.perf_counter()
    for _ in maker.notes(range(notes)):
        pass
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("profiles", nargs="*", default=list(profile_names()))
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--side", choices=SIDES, default="train")
    options = parser.parse_args()
    print("| profile | ready in | a note | 1,000 characters | characters | spans | farthest label |")
    print("|---|---|---|---|---|---|---|")
    for name in options.profiles:
        print(row(name, options.notes, options.side))


if __name__ == "__main__":
    main()
