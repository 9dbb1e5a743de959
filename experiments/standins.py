"""How many stand-ins change when a list grows by one entry?

    python experiments/standins.py [--words 10000]

To every list from which stand-ins are chosen an invented entry is added, and for so many keyed numbers, one a word, the
choices before and after are compared. Shown are the list, its entries, the share that changed, the share that one entry
should take (1 / (n + 1)), and how many changed to anything but the new entry. Names are lists by letter; they are shown
together, with the mean over the letters.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from elision.keys import Key
from elision.languages.base import COMMON, folder, languages
from elision.replace.choices import Choices, weights
from elision.replace.name_lists import BEHIND, KINDS, PINYIN, by_letter
from elision.replace.standins import FOLDER, choices

INVENTED = "Qvorzel"
Numbers = NDArray[np.uint64]


def lists() -> Iterator[tuple[str, list[Choices]]]:
    """All lists from which stand-ins are chosen: one each, or one for every letter."""
    for code in (*languages(), COMMON):
        where = folder(code) if code == COMMON else languages()[code].folder
        for path in sorted((where / FOLDER).glob("*.txt")):
            listed = choices(code, path.stem)
            parts = list(by_letter(listed).values()) if path.stem in (*KINDS, BEHIND, PINYIN) else [listed]
            if listed:
                yield f"{code} {path.stem}", [part for part in parts if part]


def numbers_of(words: int, secret: str = "names") -> Numbers:
    """A keyed number for each of so many words."""
    named = Key(bytes(range(32))).secret(secret)
    return np.array([named.number("patient", "name", f"word {at}") for at in range(words)], dtype=np.uint64)


def chosen(listed: Choices, numbers: Numbers) -> NDArray[np.int64]:
    """The place of the entry that each number chooses."""
    found = [weights(listed.numbers[None, :], part[:, None]).argmax(1) for part in np.array_split(numbers, 20)]
    return np.concatenate(found)


def changed(listed: Choices, numbers: Numbers) -> tuple[float, int]:
    """The share of the choices that an invented entry changes, and how many changed to another one."""
    more = Choices((*listed, INVENTED))
    at = more.index(INVENTED)
    before, after = chosen(listed, numbers), chosen(more, numbers)
    before = before + (before >= at)  # places in the longer list
    moved = before != after
    return float(moved.mean()), int((moved & (after != at)).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=10_000)
    numbers = numbers_of(parser.parse_args().words)
    print(f"{'list':34}{'entries':>9}{'changed':>10}{'1/(n+1)':>10}{'elsewhere':>11}")
    for name, parts in lists():
        found = [changed(part, numbers) for part in parts]
        share = sum(one for one, _ in found) / len(parts)
        expected = sum(1 / (len(part) + 1) for part in parts) / len(parts)
        entries, strays = sum(map(len, parts)), sum(stray for _, stray in found)
        print(f"{name:34}{entries:>9}{share:>10.3%}{expected:>10.3%}{strays:>11}")


if __name__ == "__main__":
    main()
