"""Names of people as Dutch writes them: particles, initials, names of two families."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from elision.languages.synth import Names, Person
from elision.languages.synth_lists import list_of, names_of, sided

# Particles of surnames, which stand behind a name that is sorted by its surname: "Vries, A. de".
_PARTICLES = "van de den der het 't ten ter te op in uit aan bij over onder vd v.d. v/d von 's la le du l' d' el al"
_OLD = re.compile(r"(?:dr|dochter|sz|szn|zoon)$")  # names of fathers, as they were written long ago
_FRONT = re.compile(r"^(?:'t|'s|[a-z]\S*)$", re.IGNORECASE)


def split_family(family: str) -> tuple[str, str]:
    """The particles of a surname, and the rest: "van der", "Meer-de Wit"."""
    words = family.split(" ")
    count, particles = 0, _PARTICLES.split()
    while count < len(words) - 1 and words[count].lower() in particles and _FRONT.match(words[count]):
        count += 1
    return " ".join(words[:count]), " ".join(words[count:])


@cache
def dutch_names(origin: str) -> Names:
    """The names of an origin; those of the two countries and of their old colonies stand in our own lists, too."""
    if origin in ("nl", "be"):
        country = names_of(origin)
        family = tuple(name for name in country.family if " " not in split_family(name)[1] and not _OLD.search(name))
        own = list_of("nl", f"surnames_{origin}")()
        old = "_be" if origin == "be" else ""
        return Names(
            (*list_of("nl", f"given_female{old}")(), *country.female),
            (*list_of("nl", f"given_male{old}")(), *country.male),
            (*own, *own, *family),
        )
    if origin in ("ma", "sr", "antilles"):
        return Names(*(list_of("nl", f"names_{origin}_{kind}")() for kind in ("female", "male", "family")))
    return names_of(origin)


@cache
def _on(origin: str, side: str) -> Names:
    return Names(*(sided(listed, side) for listed in dutch_names(origin)))


def make_person(sex: str, origin: str, country: str, rng: Random, side: str) -> Person:
    """Somebody: given names, of which the first is in use, and a surname that may be that of two families."""
    names = _on(origin, side)
    given = names.female if sex == "f" else names.male
    count = rng.choices((1, 2, 3), (5, 4, 2))[0] if origin in ("nl", "be", "sr", "id") else rng.choice((1, 1, 2))
    own = [rng.choice(given)]
    while len(own) < count:
        own.append(rng.choice(given))
    family = rng.choice(names.family)
    if sex == "f" and rng.random() < 0.2 and country == "NL":
        home = "nl" if rng.random() < 0.7 else origin
        family = f"{rng.choice(_on(home, side).family)}{'-' if rng.random() < 0.85 else ' - '}{family}"
    first = _initial(own[0], rng) if rng.random() < 0.8 else f"{rng.choice('ABCDEFGHJKLMNPRSTW')}."
    letters = first + "".join(_initial(name, rng) for name in own[1:])
    return Person(sex, tuple(own), family, origin, {"letters": letters})


def _initial(name: str, rng: Random) -> str:
    for two in ("Th", "Chr", "Ch", "Ph", "Tj", "IJ", "Joh"):
        if name.startswith(two) and rng.random() < 0.3:
            return f"{two}."
    return f"{name[0].upper()}."


def _letters(person: Person) -> str:
    return person.more.get("letters") or "".join(f"{name[0].upper()}." for name in person.given)


def _capital(family: str, rng: Random) -> str:
    """A surname that stands alone: "De Vries", as the rule has it, or "de Vries", as many write; "v.d. Berg"."""
    front, rest = split_family(family)
    if not front:
        return family
    if front in ("van der", "van den", "van de") and rng.random() < 0.15:
        return f"{rng.choice(('v.d.', 'v.d.', 'vd', 'v/d', 'V.d.', 'V.D.'))} {rest}"
    return family[0].upper() + family[1:] if rng.random() < 0.5 else family


def _short(person: Person, rng: Random) -> str:
    """Initials as people sign: HdV, HV, hvdb."""
    front, rest = split_family(person.family)
    first = _letters(person)[0]
    if "-" in rest and rng.random() < 0.3:
        last = "".join(part.strip()[:1].upper() for part in re.split(r"-", rest))
    else:
        last = rest[0].upper()
    middle = "".join(word.strip("'")[0] for word in front.split(" ") if word.strip("'")) if front else ""
    drawn = rng.random()
    if middle and drawn < 0.65:
        return f"{first}{middle}{last}"
    return f"{first}{last}" if drawn < 0.92 else f"{first}{last}".lower()


def write_name(person: Person, form: str, rng: Random) -> str | None:
    """The forms that Dutch writes in its own manner."""
    front, rest = split_family(person.family)
    letters = _letters(person)
    if form == "last":
        return _capital(person.family, rng)
    if form == "full_initial":
        return f"{person.given[0]} {person.family}"
    if form == "initial_last":
        drawn = rng.random()
        if drawn < 0.2:
            letters = letters[: letters.index(".") + 1]
        blank = "" if drawn > 0.96 else " "
        return f"{letters if drawn < 0.9 or drawn > 0.96 else letters.replace('.', '')}{blank}{person.family}"
    if form in ("last_first", "last_first_initial"):
        first = person.given[0] if form == "last_first" else letters
        if not front:
            return f"{rest}{', ' if rng.random() < 0.88 else ' '}{first}"
        if rng.random() < 0.65:
            return f"{rest}, {first} {front}"
        return f"{person.family}{', ' if rng.random() < 0.85 else ' '}{first}"
    if form == "initials":
        return _short(person, rng)
    if form == "initials_dots":
        return f"{letters[0]}.{rest[0]}." if not front or rng.random() < 0.7 else f"{letters[0]}. {front} {rest[0]}."
    if form == "first_initial":
        return (
            f"{person.given[0]} {rest[0]}."
            if not front or rng.random() < 0.5
            else f"{person.given[0]} {front} {rest[0]}."
        )
    return None
