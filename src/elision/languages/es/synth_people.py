"""Who people are in Spanish notes, and how names with two surnames are written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from elision.languages.synth import Names, Person
from elision.languages.synth_data import said
from elision.languages.synth_lists import list_file, list_of, names_of, sided

_TWO_SURNAMES = {"es", "mx", "co", "cl", "eu", "gl", "cat", "ca", "maya", "andes", "gq"}
_SOME_SURNAMES = {"ar_latin": 0.15, "pt": 0.6, "ph": 0.6}
_FEMALE = (
    "José Carmen Dolores Teresa Jesús Ángeles Luisa Pilar Isabel Mar Rosario Elena Nieves Victoria Soledad Luz Cruz"
)
_MALE = "Luis Antonio Manuel Carlos María Javier Ramón Miguel Ignacio Alberto Andrés Ángel Enrique Pablo Jesús"
# Given names that go together: one of the first, then one of the second.
_SECOND: Mapping[str, tuple[str, ...]] = {"f": tuple(_FEMALE.split(" ")), "m": tuple(_MALE.split(" "))}
_FIRST: Mapping[str, tuple[str, ...]] = {
    "f": ("María", "María", "María", "Ana", "Rosa", "Luz", "Eva"),
    "m": ("José", "José", "Juan", "Juan", "Luis", "Francisco", "Miguel", "Víctor", "Jesús"),
}
_COURTESY = {
    "m": ("D.", "Don", "don", "D.", "Sr. D."),
    "f": ("Dña.", "D.ª", "Doña", "doña", "Dª", "Dª.", "Sra. Dña."),
}


@cache
def names(origin: str) -> Names:
    """The names of an origin: ours, or else as for all languages."""
    own = said("es", "names").get(origin)  # Basque, Galician, Maya ...: no other language has them
    if own:
        return Names(*(tuple(own[kind].split()) for kind in ("female", "male", "family")))
    found = names_of(origin)
    if origin not in ("es", "mx"):
        return found
    more = tuple(word for word in list_of("es", "surnames")() if " " not in word)
    return Names(found.female, found.male, (*found.family, *more))


@cache
def sided_names(origin: str, side: str) -> Names:
    return Names(*(sided(listed, side) for listed in names(origin)))


@cache
def _particles(side: str) -> tuple[str, ...]:
    return sided(list_file("es", "surnames_particles"), side)


def person(sex: str, origin: str, country: str, rng: Random, side: str) -> Person:
    """Somebody with two surnames where that is the custom, and often with two given names that go together."""
    listed = sided_names(origin, side)
    given = rng.choice(listed.female if sex == "f" else listed.male)
    spanish = origin in _TWO_SURNAMES or origin == "ar_latin"
    if spanish and " " not in given and rng.random() < 0.2:
        first = rng.choice(_FIRST[sex]) if rng.random() < 0.6 else given
        second = rng.choice(_SECOND[sex])
        given = f"{first} {second}" if first != second else first
    family = _family(listed, spanish, rng, side)
    chance = 1.0 if origin in _TWO_SURNAMES else _SOME_SURNAMES.get(origin, 0.15 if country == "ES" else 0.05)
    more = {"family2": _family(listed, spanish, rng, side)} if rng.random() < chance else {}
    if more and origin == "cat" and rng.random() < 0.15:
        more["joint"] = " i "
    return Person(sex, (given,), family, origin, more)


def _family(listed: Names, spanish: bool, rng: Random, side: str) -> str:
    drawn = rng.random()
    if spanish and drawn < 0.05:
        return rng.choice(_particles(side))
    name = rng.choice(listed.family)
    return f"{name}-{rng.choice(listed.family)}" if spanish and drawn < 0.08 and " " not in name else name


def _surnames(person: Person) -> str:
    second = person.more.get("family2", "")
    return f"{person.family}{person.more.get('joint', ' ')}{second}" if second else person.family


def _abbreviated(given: str, rng: Random) -> str:
    """ "Mª José" for "María José", as most people write it."""
    head, _, rest = given.partition(" ")
    if rest and head == "María" and rng.random() < 0.5:
        return f"{rng.choice(('Mª', 'M.ª', 'Ma.', 'Mª.', 'M'))} {rest}"
    return given


def _letters(given: str, rng: Random) -> str:
    parts = [part[0] for part in given.split()]
    return rng.choice((". ".join(parts) + ".", ".".join(parts) + ".", "".join(parts), parts[0] + "."))


def _initials(person: Person) -> list[str]:
    words = (*person.given[0].split(), person.family.split()[-1], *person.more.get("family2", "").split()[-1:])
    return [word[0].upper() for word in words]


@cache
def _nicknames() -> Mapping[str, tuple[str, ...]]:
    rows = (line.split() for line in list_file("es", "nicknames"))
    return {name: tuple(short) for name, *short in rows}


def write_form(person: Person, form: str, rng: Random) -> str | None:
    """Forms of a name with two surnames."""
    given, both = person.given[0], _surnames(person)
    second = person.more.get("family2", "")
    if form == "surnames":
        return both
    if form == "last":
        return both if rng.random() < 0.35 else person.family
    if form == "first":
        return _abbreviated(given, rng)
    if form in ("full", "full_middle"):
        return f"{_abbreviated(given, rng)} {both if rng.random() < 0.85 else person.family}"
    if form == "last_first":
        return f"{both}, {_abbreviated(given, rng)}"
    if form == "full_initial":
        return f"{given} {person.family} {second[0].upper()}." if second else f"{given} {person.family[0].upper()}."
    if form == "last_first_initial":
        return f"{both}, {_letters(given, rng)}"
    if form == "initial_last":
        return f"{_letters(given, rng)} {both if rng.random() < 0.5 else person.family}"
    if form == "initials":
        return "".join(_initials(person))
    if form == "initials_dots":
        return (" " if rng.random() < 0.25 else "").join(f"{letter}." for letter in _initials(person))
    if form == "nick":
        return rng.choice(_nicknames().get(given.split()[0], (given.split()[0],)))
    return None


def titled(title: str, form: str) -> tuple[str, str]:
    """What stands before a name: "D." goes with a given name, "Sr." with a surname."""
    if title.startswith(("Sr", "Señor", "señor")) and form not in ("last", "surnames", "initial_last"):
        choices = _COURTESY["f" if title.rstrip(".").endswith("a") else "m"]
        title = choices[(len(title) + len(form)) % len(choices)]
    return (f"{title} " if title else "", "")
