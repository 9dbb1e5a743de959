"""The cast of a note: who and what it is about, when and where. The same all over a note, and over a patient's notes.

What belongs to the patient depends on the patient's number only, what belongs to the note on the note's: so note i is
the same whatever is made before it, and in whichever process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from random import Random

from elision.errors import SynthError
from elision.languages.synth import Age, Country, Person, Piece, Pieces, Synth
from elision.languages.synth_data import language_named
from elision.languages.synth_lists import list_file, rng_of, sided
from elision.synth.patterns import Bearer, fill, write_date
from elision.synth.people import choose, draw_person, names_on, write_person

# What belongs to a note; all other things belong to the patient.
_OF_THE_NOTE = {"ENCOUNTER_ID", "ROOM", "DEPARTMENT", "ID_OTHER", "FAX", "LICENSE", "DEVICE"}
PLACES = {"city": "CITY", "state": "STATE", "zip": "ZIP"}
PARTS = re.compile(r"\{([^{}]*)\}")
_MOST_NESTED = 8
_FRESH_DAYS = {"past": (10, 6000), "recent": (1, 30), "future": (3, 200), "onset": (2, 900)}
CHILDREN = 0.2  # of the ages of others than the patient, or at another time
DAYS = ("visit", "admission", "discharge", "report", "dictated", "transcribed", "surgery", "prior", "lmp", "edd",
"death", "tomorrow",
        "yesterday", *_FRESH_DAYS)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """What all notes of a profile share."""

    language: Synth
    side: str
    seed: int | str
    countries: tuple[str, ...]
    ages: tuple[tuple[float, int, int], ...] = ((1.0, 18, 95),)  # weight, from, to
    years: tuple[int, int] = (2006, 2026)
    odd_names: Mapping[str, float] = field(default_factory=dict)
    women: float = 0.5
    gap: tuple[int, int] = (5, 120)  # days between a patient's notes


class Cast:
    """The cast of one note: the `visit`-th of a patient."""

    def __init__(self, setting: Setting, patient: int, visit: int, rng: Random) -> None:
        self.setting, self.visit, self.rng = setting, visit, rng
        self.language: Synth = setting.language
        self.side = setting.side
        self.key = (setting.seed, setting.language.code, setting.side, patient)
        own = rng_of(*self.key)
        self.country_code = _country(setting, own)
        self.country: Country = setting.language.countries[self.country_code]
        self.codes = tables(setting.language.code, self.country_code, "codes")
        self.rows = tables(setting.language.code, self.country_code, "made")
        self.sex = "f" if own.random() < setting.women else "m"
        self.days: dict[str, date] = {"visit": _visit(setting, self.key, visit)}
        self.born = _born(setting, own, _visit(setting, self.key, 0))
        self.habit = choose(self.country.dates["full"], rng)
        self.values: dict[tuple[str, str, str], str] = {}
        self.persons: dict[str, Person] = {}
        self.regions: dict[str, Mapping[str, str]] = {}

    # People

    def person(self, role: str, fresh: bool = False) -> Person:
        """Whoever has this role. A patient's notes share the patient and the relatives, and mostly the clinicians.

        A fresh one keeps the role until the next: rows of a list are about one person each.
        """
        found = None if fresh else self.persons.get(role)
        if found is None:
            kept = "" if role.startswith(("patient", "relative")) else self.rng.randrange(3)
            rng = self.rng if fresh else rng_of(*self.key, role, kept)
            sex = (
                self.sex
                if role == "patient"
                else ("f" if rng.random() < (0.8 if role.startswith("nurse") else 0.5) else "m")
            )
            found = draw_person(self.language, self.country_code, sex, rng, self.side, self.setting.odd_names)
            self.persons[role] = found
        return found

    def name(self, role: str, form: str) -> Pieces:
        return write_person(self.language, self.person(role), role, form, self.rng)

    # Time

    def day(self, name: str) -> date:
        """A day of the note's timeline; past, recent and future days are others each time."""
        if name in _FRESH_DAYS:
            low, high = _FRESH_DAYS[name]
            distance = int(low * (high / low) ** self.rng.random())
            later = self.days["visit"] + timedelta(distance if name == "future" else -distance)
            return max(later, self.born + timedelta(self.rng.randrange(1, 60))) if name != "future" else later
        found = self.days.get(name)
        if found is None:
            found = self.days[name] = max(self._fixed(name), self.born)
        return found

    def _fixed(self, name: str) -> date:
        visit, draw = self.days["visit"], self.rng.randint
        if name == "prior":
            return _visit(self.setting, self.key, self.visit - 1) if self.visit else visit - timedelta(draw(20, 200))
        if name == "edd":
            return self.day("lmp") + timedelta(280)
        distances = {"admission": (-9, 0), "discharge": (1, 12), "report": (0, 2), "dictated": (0, 1),
        "transcribed": (0, 2),
                     "surgery": (-500, -2), "lmp": (-275, -40), "death": (0, 20), "tomorrow": (1, 1),
                     "yesterday": (-1, -1)}  # fmt: skip
        return visit + timedelta(draw(*distances[name]))

    def write_day(self, day: date, form: str, label: str = "DATE") -> Pieces:
        dates = self.country.dates
        if form and form in dates:
            pattern = choose(dates[form], self.rng)
        else:
            pattern = self.habit if self.rng.random() < 0.88 else choose(dates["full"], self.rng)
        before, inside, after = write_date(day, pattern, self.language.code)
        return (Piece(before), Piece(inside, label), Piece(after)) if before or after else (Piece(inside, label),)

    def range(self, form: str) -> Pieces:
        """Two days with a dash or a word between: one span."""
        first = self.day("recent")
        form = form or "short"
        pattern = choose(self.country.dates.get(form, self.country.dates["full"]), self.rng)
        ends = [
            "".join(write_date(day, pattern, self.language.code))
            for day in (first, first + timedelta(self.rng.randint(1, 9)))
        ]
        joint = choose(self.country.dates.get("joint", ("-", "_-_")), self.rng).replace("_", " ")
        return (Piece(joint.join(ends), "DATE"),)

    def age(self, form: str, fresh: bool) -> Pieces:
        if fresh:
            of_a_child = self.rng.random() < CHILDREN
            years, months = self.rng.randint(*((1, 19) if of_a_child else (20, 92))), self.rng.randrange(12)
            return self.language.age(Age(years, months, 365 * years + 30 * months), form, self.rng)
        days = max(1, (self.days["visit"] - self.born).days)
        return self.language.age(Age(int(days / 365.2425), int(days / 30.44) % 12, days), form, self.rng)

    # Places, numbers, and what is put together

    def region(self, variant: str) -> Mapping[str, str]:
        found = self.regions.get(variant)
        if found is None:
            found = self.regions[variant] = self.country.place(rng_of(*self.key, "place", variant), self.side)
        return found

    def value(self, what: str, form: str, variant: str, fresh: bool, make: Callable[[Random], str], label: str) -> str:
        """A value that stays the same within a note or a patient's notes, unless a fresh one is asked for."""
        if fresh:
            return make(self.rng)
        key = (what, form, variant)
        found = self.values.get(key)
        if found is None:
            found = self.values[key] = make(self.rng if label in _OF_THE_NOTE else rng_of(*self.key, *key))
        return found

    def code(self, what: str, form: str, variant: str, fresh: bool) -> Pieces:
        label, patterns = self.codes[key_of(what, form, self.codes)]
        bearer = Bearer(self.born, self.sex)
        text = self.value(what, form, variant, fresh, lambda rng: fill(choose(patterns, rng), rng, bearer), label)
        return (Piece(text, label),)

    def made(self, what: str, form: str, variant: str, fresh: bool, nested: int = 0) -> Pieces:
        """What a template makes: a span as a whole, or pieces with labels of their own (an address)."""
        label, rows = self.rows[key_of(what, form, self.rows)]
        templates = _sided_rows(tuple(rows), self.side)
        if not label:
            return self._composed(choose(templates, self.rng), f"new{self.rng.random()}" if fresh else variant)
        make = lambda rng: self.template(choose(templates, rng), rng, variant, nested)  # noqa: E731
        return (Piece(self.value(what, form, variant, fresh, make, label), label),)

    def _composed(self, template: str, variant: str) -> Pieces:
        pieces: list[Piece] = []
        for at, part in enumerate(PARTS.split(template.replace("\\n", "\n"))):
            if at % 2 == 0:
                pieces.append(Piece(part))
            elif (head := part.partition(":")[0]) in PLACES:
                pieces.append(Piece(self.region(variant)[part], PLACES[head]))
            elif part in self.rows:
                pieces += self.made(*_what_form(part), variant, False)
            else:
                pieces.append(Piece(self.template("{" + part + "}", self.rng, variant, 0)))
        return tuple(piece for piece in pieces if piece.text)

    def template(self, template: str, rng: Random, variant: str, nested: int) -> str:
        """The text of a template."""
        if nested > _MOST_NESTED:
            raise SynthError(f"{self.language.code}: templates of `made` lead in a circle ({template[:40]})")
        parts = PARTS.split(template.replace("\\n", "\n"))
        return "".join([self._named(part, rng, variant, nested) if at % 2 else part for at, part in enumerate(parts)])

    def _named(self, name: str, rng: Random, variant: str, nested: int) -> str:
        if name.startswith("n:"):
            low, high = name[2:].split("-")
            return str(rng.randint(int(low), int(high)))
        if name.startswith("#:"):
            return fill(name[2:], rng, Bearer(self.born, self.sex))
        if name in ("family", "given"):
            names = names_on(self.language.code, next(iter(self.country.origins)), self.side)
            return rng.choice(names.family if name == "family" else rng.choice((names.female, names.male)))
        if name == "town":
            return self.country.place(rng, self.side)["city"]
        if name == "hospital:initials":
            words = self.made("hospital", "", variant, False, nested + 1)[0].text.replace("-", " ").split()
            return "".join(word[0].upper() for word in words if word[0].isalpha() and word not in ("of", "the", "and"))
        region = self.region(variant)
        if name in region:
            return region[name]
        if name in self.rows:
            rows = self.rows[name][1]
            return self.template(choose(_sided_rows(tuple(rows), self.side), rng), rng, variant, nested + 1)
        return choose(words_on(self.language.code, name, self.side), rng)


def _country(setting: Setting, rng: Random) -> str:
    codes = setting.countries
    if len(codes) == 1:
        return codes[0]
    return rng.choices(codes, [setting.language.countries[code].weight for code in codes])[0]


def _visit(setting: Setting, key: tuple[object, ...], number: int) -> date:
    """The day of a patient's note; each note some days after the one before."""
    rng = rng_of(*key, "visits")
    day = rng.randint(date(setting.years[0], 1, 1).toordinal(), date(setting.years[1], 10, 31).toordinal())
    return date.fromordinal(day + sum(rng.randint(*setting.gap) for _ in range(number)))


def _born(setting: Setting, rng: Random, first: date) -> date:
    weights = [weight for weight, _, _ in setting.ages]
    _, low, high = rng.choices(setting.ages, weights)[0]
    days = int(rng.uniform(low, high + 0.999) * 365.2425)
    return first - timedelta(max(1, days))


def key_of(what: str, form: str, table: Mapping[str, object]) -> str:
    """The row of a table for a slot: that of its form, if it has one of its own."""
    return f"{what}:{form}" if f"{what}:{form}" in table else what


@cache
def tables(code: str, country: str, name: str) -> Mapping[str, tuple[str, Sequence[str]]]:
    """A country's numbers or templates; what it has none of, another country of the language lends."""
    language = language_named(code)
    found: dict[str, tuple[str, Sequence[str]]] = {}
    for other in (*language.countries.values(), language.countries[country]):
        for key, row in getattr(other, name).items():
            if other is language.countries[country] or key not in found:
                found[key] = row
    return found


@cache
def words_on(code: str, name: str, side: str) -> tuple[str, ...]:
    """A list of words of a language, on a side."""
    words = language_named(code).words.get(name)
    return sided(words() if words else list_file(code, name), side)


@cache
def _sided_rows(rows: tuple[str, ...], side: str) -> tuple[str, ...]:
    return sided(rows, side)


@cache
def _what_form(name: str) -> tuple[str, str]:
    what, _, form = name.partition(":")
    return what, form
