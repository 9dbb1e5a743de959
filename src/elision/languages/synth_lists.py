"""Lists of words and names, each word on one of two sides: what is held out is never seen in training."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from random import Random
from typing import Any

from elision.errors import SynthError
from elision.languages.base import COMMON, folder
from elision.languages.synth import Names
from elision.text.characters import unaccented

TRAIN, HELD_OUT, BOTH = "train", "held_out", "both"
SIDES = (TRAIN, HELD_OUT, BOTH)

# Names in Latin letters by where they come from: frozen lists of Faker's, and ours where Faker has none. Where both
# know an origin, their names are joined: Faker's stand a name a line, ours between blanks.
_FAKER, _OWN = "names-faker", "names"
_KINDS = ("female", "male", "family")


def number_of(*parts: object) -> int:
    """A number that depends on these parts only: the same on every machine and in every order of calls."""
    return int.from_bytes(blake2b("\0".join(map(str, parts)).encode(), digest_size=8).digest())


def rng_of(*parts: object) -> Random:
    return Random(number_of(*parts))  # noqa: S311  # notes are made up, not kept secret


def held_out(word: str) -> bool:
    """Whether a word belongs to the fifth that is held out; "Peña", "PEÑA" and "Pena" go together."""
    return number_of("side", unaccented(word.casefold()).strip()) % 5 == 0


def sided(words: Sequence[str], side: str) -> tuple[str, ...]:
    """The words of a side; both sides share a list too short to be divided."""
    if side == BOTH:
        return tuple(dict.fromkeys(words))
    chosen = tuple(dict.fromkeys(word for word in words if held_out(word) == (side == HELD_OUT)))
    return chosen or tuple(dict.fromkeys(words))


def weighted(rows: Sequence[str]) -> tuple[tuple[float, str], ...]:
    """Rows that may begin with a weight: "2.5: text"."""
    found = []
    for row in rows:
        head, colon, rest = row.partition(": ")
        plain = bool(colon) and head.replace(".", "", 1).isdigit()
        found.append((float(head), rest) if plain else (1.0, row))
    return tuple(found)


@cache
def list_file(language: str, name: str) -> tuple[str, ...]:
    """A list of words of a language, a word or phrase a line: from its grammars' folder, or else its pack of rules."""
    for path in (folder(language, "synth", "lists", f"{name}.txt"), folder(language, "rules", f"{name}.txt")):
        if path.is_file():
            lines = (line.strip() for line in path.read_text("utf-8").splitlines())
            return tuple(line for line in lines if line and not line.startswith("#"))
    raise SynthError(
        f"{language}: there is no list {name}.txt in languages/{language}/synth/lists or in languages/{language}/rules"
    )


def list_of(language: str, *names: str) -> Callable[[], tuple[str, ...]]:
    """A list of words that is read when it is needed; several files make one list."""
    return lambda: tuple(word for name in names for word in list_file(language, name))


@cache
def common(name: str) -> Mapping[str, Any]:
    """A table that made notes of all languages share."""
    return tomllib.loads(folder(COMMON, f"synth-{name}.toml").read_text("utf-8"))


def origins() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*common(_FAKER), *common(_OWN))))


@cache
def names_of(origin: str) -> Names:
    """The names of an origin; lists without gender serve for both."""
    faker, own = common(_FAKER).get(origin, {}), common(_OWN).get(origin, {})
    return Names(*((*faker.get(kind, "").splitlines(), *own.get(kind, "").split()) for kind in _KINDS))
