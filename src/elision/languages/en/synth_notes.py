"""English: the United States, the United Kingdom and Australia. The data are in `en/synth/*.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from elision.languages.synth import Age, Piece, Pieces, Synth
from elision.languages.synth_data import countries_of, facts_of, numerals, said, small, words_of
from elision.languages.synth_lists import list_file, list_of, names_of, sided


def in_words(number: int) -> str:
    ones, tens = (numerals("en", kind) for kind in ("ones", "tens"))
    if number < 20:
        return ones[number]
    if number >= 100:
        return "one hundred" + (f" and {in_words(number - 100)}" if number > 100 else "")
    return tens[number // 10] + (f"-{ones[number % 10]}" if number % 10 else "")


def ordinal(day: int) -> str:
    return f"{day}{'th' if 10 < day % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def _amount(age: Age) -> tuple[int, str]:
    """The age as people say it: days, weeks and months for the smallest."""
    if age.years >= 2:
        return age.years, "year"
    months = 12 * age.years + age.months
    if months >= 2:
        return months, "month"
    return (age.days // 7, "week") if age.days >= 14 else (age.days, "day")


def say_age(age: Age, form: str, rng: Random) -> Pieces:
    """The age of somebody; the span holds what our pack of rules has in it, of years the number alone.

    Without a form, in a sentence before a noun ("a <age> woman"): form "adjective". "number" is the number alone.
    """
    number, unit = _amount(age)
    if form == "decade":
        tens = age.years // 10 * 10
        return (Piece(f"{rng.choice(('', 'early ', 'mid-', 'late '))}{tens}s" if tens >= 20 else "teens", "AGE"),)
    told = in_words(number) if form == "words" else str(number)
    behind = rng.choice(_behind_age(unit, "" if number == 1 else "s", form))
    return (Piece(told, "AGE"), Piece(behind)) if unit == "year" and behind else (Piece(told + behind, "AGE"),)


def _behind_age(unit: str, plural: str, form: str) -> tuple[str, ...]:
    """What may stand behind an age's number."""
    letter = unit[0]
    if form == "words":
        return (f"-{unit}-old",)
    if form in ("number", ""):
        return ("" if unit == "year" else f" {unit}{plural}",)
    if form == "short":  # 65 yo
        return (f"{letter}o", f" {letter}o", f"{letter}/o", f" {letter}/o", f" {letter}.o.")
    if form == "of":  # at the age of 65; 65 years
        return (f" {unit}{plural}",)
    if form == "field":  # AGE: 65Y
        return ("", letter.upper(), f" {unit}s", letter, " yrs" if unit == "year" else f" {unit}s")
    return (f"-{unit}-old", f"-{unit}-old", f" {unit} old", f"-{unit} old")


def stems() -> tuple[str, ...]:
    return list_file("en", "town-stems")


def roads() -> tuple[str, ...]:
    """What roads are called after."""
    tails = list_file("en", "town-tails")[:6]
    usual = said("en")["roads"]
    joined = (stem + tail for stem in stems()[:40] for tail in tails)
    return (*stems(), *joined, *names_of("us").family[:400], *usual)


def _town(rng: Random, side: str) -> str:
    """A town: one that there is, or one that there could be."""
    drawn = rng.random()
    if drawn < 0.4:
        return rng.choice(_on_side("towns", side))
    if drawn < 0.7:
        return rng.choice(_on_side("stems", side)) + rng.choice(list_file("en", "town-tails"))
    return f"{rng.choice(list_file('en', 'town-heads'))} {rng.choice(_on_side('families', side))}"


@cache
def _on_side(name: str, side: str) -> tuple[str, ...]:
    lists: Mapping[str, Callable[[], Sequence[str]]] = {
        "towns": list_of("en", "cities", "more-cities", "towns"),
        "stems": stems,
        "families": lambda: (*names_of("gb").family, *names_of("us").family[:300]),
        "counties": list_of("en", "counties-gb"),
    }
    return sided(lists[name](), side)


def us_place(rng: Random, side: str) -> Mapping[str, str]:
    states = said("en")["states"]["US"]
    state = rng.choice(tuple(states))
    long, prefixes = states[state]
    low, high = (int(end) for end in prefixes.split("-"))
    code = f"{rng.randint(low, high):03}{rng.randint(1, 99):02}"
    if rng.random() < 0.08:
        code += f"-{rng.randint(1, 9999):04}"
    return {"city": _town(rng, side), "state": state, "state:long": long, "zip": code}


def gb_place(rng: Random, side: str) -> Mapping[str, str]:
    inward = f"{rng.randint(1, 9)}{rng.choice('ABDEFGHJLNPQRSTUWXYZ')}{rng.choice('ABDEFGHJLNPQRSTUWXYZ')}"
    area = rng.choice(list_file("en", "postal-areas-gb"))
    code = f"{area}{rng.randint(1, 28)}{' ' if rng.random() < 0.93 else ''}{inward}"
    county = rng.choice(_on_side("counties", side))
    return {"city": _town(rng, side), "state": county, "state:long": county, "zip": code}


def au_place(rng: Random, side: str) -> Mapping[str, str]:
    states = said("en")["states"]["AU"]
    state = rng.choice(tuple(states))
    long, first = states[state]
    return {"city": _town(rng, side), "state": state, "state:long": long, "zip": f"{first}{rng.randint(0, 899):03}"}


SYNTH_NOTES = Synth(
    **facts_of("en"),
    countries=countries_of("en", {"US": us_place, "GB": gb_place, "AU": au_place}),
    names=names_of,
    words={**words_of("en"), "road": roads, "small_family": lambda: small(names_of("us").family[:600])},
    ordinal=ordinal,
    age=say_age,
)
