"""Chinese people: names put together from characters, names of other origins, and the forms in which notes write them.

Forms that Chinese fills with its own: `last_first` is a name with a gap ("王　芳"), `full_middle` is pinyin,
`first_initial` the familiar form (小王, 老王, 阿芳), `last_first_initial` the masked one (王某某). `initials` are those
of the pinyin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from elision.languages.synth import Names, Person
from elision.languages.synth_data import said
from elision.languages.synth_lists import HELD_OUT, TRAIN, held_out, list_file, number_of, sided
from elision.languages.synth_lists import names_of as names_in_latin

FOREIGN, HONG_KONG = "latin", "hk"  # people whose names stand in Latin letters: foreigners, and those of Hong Kong
ORIGINS = (FOREIGN, HONG_KONG)
_COMMON = 100  # the commonest surnames are in use on both sides: a hundred of them name five people in six
_STYLES = {  # {F}: the family name in capitals
    FOREIGN: ("5: {given} {family}", "{F}, {given}", "{F} {given}", "{given} {F}", "{family} {given}"),
    HONG_KONG: (
        "4: {english} {family}",
        "5: {F} {given}",
        "2: {family} {given}",
        "{F} {given} {english}",
        "{F}, {given}",
    ),
}


@cache
def _characters(name: str) -> Mapping[str, str]:
    """Characters of names with their pinyin: a line holds a syllable and its characters."""
    return {
        character: sound for sound, *listed in map(str.split, list_file("zh", name)) for character in "".join(listed)
    }


@cache
def _sounds() -> Mapping[str, str]:
    return {**_characters("characters-male"), **_characters("characters-female"), **_characters("characters-family")}


@cache
def names_of(origin: str) -> Names:
    """The listed names of an origin; most given names are put together from characters, see `_given`."""
    if origin == "han":
        female = (*list_file("zh", "names-cn-female"), *list_file("zh", "given-female"))
        male = (*list_file("zh", "names-cn-male"), *list_file("zh", "given-male"))
        return Names(female, male, list_file("zh", "names-cn-family"))
    if origin == "tw":
        return Names(*(list_file("zh", f"names-tw-{kind}") for kind in ("female", "male", "family")))
    rows = {key: tuple(words) for key, *words in map(str.split, list_file("zh", "names-of-origins"))}
    return Names(rows[f"{origin}.f"], rows[f"{origin}.m"], rows.get(f"{origin}.family", ()))


@cache
def _listed(origin: str, side: str) -> Names:
    names = names_of(origin)
    common = tuple(names.family[:_COMMON]) if origin in ("han", "tw") else ()
    family = (*common, *sided(names.family, side))
    return Names(sided(names.female, side), sided(names.male, side), tuple(dict.fromkeys(family)))


@cache
def _pool(sex: str) -> str:
    return "".join(_characters("characters-female" if sex == "f" else "characters-male"))


def _given(sex: str, rng: Random, side: str) -> str:
    """A given name of one or two characters, on its side as a whole."""
    pool = _pool(sex)
    while True:
        drawn = rng.random()
        first = rng.choice(pool)
        name = (
            first if drawn < 0.14 else first * 2 if drawn < (0.19 if sex == "f" else 0.15) else first + rng.choice(pool)
        )
        if side not in (HELD_OUT, TRAIN) or held_out(name) == (side == HELD_OUT):
            return name


def draw(sex: str, origin: str, country: str, rng: Random, side: str) -> Person:
    """Somebody; most given names are put together from characters, some stand in lists."""
    if origin in ORIGINS:
        return draw_latin(sex, origin, rng, side)
    names = _listed(origin, side)
    listed = names.female if sex == "f" else names.male
    if origin in ("han", "tw", "hui", "korean"):
        double = rng.random() < 0.03
        family = rng.choice(said("zh", "names")[f"double_{country}"].split()) if double else _surname(names.family, rng)
        made = origin == "han" and rng.random() < 0.7
        given = _given(sex, rng, side) if made else rng.choice(listed)
        if rng.random() < 0.005 and not double:  # a married woman's two surnames
            family += rng.choice(names.family[:40]) if sex == "f" else ""
        return Person(sex, (given,), family, origin)
    given = rng.choice(listed)
    if (origin == "mongol" and rng.random() < 0.8) or origin == "tibetan":
        return Person(sex, (given,), "", origin)
    joint = rng.choice("··•・") if origin != "yi" else ""
    return Person(sex, (given,), rng.choice(names.family), origin, {"joint": joint})


def _surname(families: Sequence[str], rng: Random) -> str:
    """Surnames by rank: half of the people share the first twenty, but no surname is rare in training."""
    drawn = rng.random()
    return families[int(drawn * 40)] if drawn < 0.5 and len(families) > 20 else rng.choice(families)


def _full(person: Person) -> str:
    if person.more.get("joint"):
        return f"{person.given[0]}{person.more['joint']}{person.family}"
    return person.family if person.origin == "ambiguous" else person.family + person.given[0]


def _last(person: Person) -> str:
    if person.origin == "ambiguous":
        return person.family[0]
    return person.given[0] if "joint" in person.more or not person.family else person.family


def _pinyin(text: str) -> str:
    """The sounds of characters; nothing where one is not known."""
    sounds = [_sounds().get(character, "") for character in text]
    return "".join(sounds).capitalize() if all(sounds) else ""


def _in_latin(full: str, origin: str) -> str:
    """A name in Latin letters for those whose characters have no sound here: the same for the same person."""
    country, joint = ("tw", ", ") if origin == "tw" else ("cn", " ")
    families = list_file("zh", f"names-{country}-family-latin")
    given = list_file("zh", f"names-{country}-given-latin")
    number = number_of("latin", full)
    return f"{families[number % len(families)]}{joint}{given[number // 1000 % len(given)]}"


def form(person: Person, wanted: str, rng: Random) -> str | None:
    """A form of a name as Chinese writes it."""
    if person.origin in ORIGINS:
        return form_in_latin(person, wanted, rng)
    full = _full(person)
    last = _last(person)
    first = person.family[1:] if person.origin == "ambiguous" else person.given[0]
    plain = person.origin in ("han", "tw", "hui", "korean", "ambiguous") and len(full) < 5
    if wanted == "last":
        return last
    if wanted == "first":
        return first or full
    if wanted in ("last_first", "full_initial"):
        gap = rng.choice(("　", " ", "  ") if wanted == "last_first" else ("", "　", " ", ""))
        return (
            gap.join(full)
            if plain and len(full) == 2
            else gap.join((last, first))
            if plain and rng.random() < 0.2
            else full
        )
    if wanted == "initial_last":  # as people sign in haste
        return full if rng.random() < 0.75 else last
    if wanted == "first_initial":
        if not plain:
            return first
        return rng.choice((f"小{last}", f"老{last}", f"小{first[-1]}", f"阿{first[-1]}", first, first[-1] * 2))
    if wanted == "last_first_initial":
        return (
            rng.choice((f"{last}某某", f"{last}某", f"{last}XX", f"{last}×", f"{last}**", f"{last}某{first[-1]}"))
            if plain
            else f"{first}某"
        )
    if wanted == "full_middle":
        family, given = _pinyin(last), _pinyin(first)
        return (
            f"{family} {given}"
            if plain and family and given
            else rng.choice(("Aygul", "Tenzin", "Batu", "Maria Silva", "Amina", "Nguyen Thi Lan"))
        )
    if wanted in ("initials", "initials_dots"):
        letters = "".join(_pinyin(character)[:1] for character in full)
        if len(letters) < len(full):  # sounds that are not known
            letters = "".join(letter for letter in _in_latin(full, person.origin) if letter.isupper())[:3]
        return letters if wanted == "initials" else ".".join(letters) + "."
    return full if wanted in ("full", "sign") else None


def titled(title: str, _: str) -> tuple[str, str]:
    return "", title


@cache
def _latin(origin: str, side: str) -> Names:
    return Names(*(sided(listed, side) for listed in names_in_latin(origin)))


def draw_latin(sex: str, origin: str, rng: Random, side: str) -> Person:
    """Somebody whose name is written in Latin letters, always in the same way."""
    style = _style(origin, rng)
    if origin == HONG_KONG:
        known = said("zh", "names")["hk"]
        given = " ".join(rng.sample(known["syllables"][sex].split(), 2))
        family = rng.choice(sided(known["family"].split(), side))
        english = rng.choice(sided(known["english"][sex].split(), side))
        return Person(sex, (given,), family, origin, {"style": style, "english": english})
    names = _latin(rng.choice(said("zh", "names")["from"].split()), side)
    given = rng.choice(names.female if sex == "f" else names.male)
    return Person(sex, (given,), rng.choice(names.family or names.male), origin, {"style": style, "english": given})


def _style(origin: str, rng: Random) -> str:
    rows = [row.rpartition(": ") for row in _STYLES[origin]]
    return rng.choices([style for *_, style in rows], [float(weight or 1) for weight, *_ in rows])[0]


def form_in_latin(person: Person, wanted: str, rng: Random) -> str | None:
    """A form of such a name."""
    family, given, english = person.family, person.given[0], person.more["english"]
    if wanted == "last":
        return family
    if wanted in ("first", "first_initial"):
        return english
    if wanted == "last_first":
        return f"{family.upper()}, {given}"
    if wanted == "initial_last":
        return rng.choice((f"{english[0]}. {family}", f"{english} {family}", english))
    if wanted == "last_first_initial":
        return f"{family} {english[0]}."
    if wanted in ("initials", "initials_dots"):
        letters = english[0] + family[0]
        return letters if wanted == "initials" else ".".join(letters) + "."
    if wanted in ("full", "sign", "full_middle", "full_initial"):
        return person.more["style"].format(F=family.upper(), family=family, given=given, english=english)
    return None
