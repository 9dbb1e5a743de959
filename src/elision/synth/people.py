"""Who the people of a note are, and how their names are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from random import Random

from elision.languages.synth import Names, Person, Piece, Pieces, Synth
from elision.languages.synth_data import language_named
from elision.languages.synth_lists import HELD_OUT, common, held_out, sided, weighted
from elision.text.characters import unaccented as without_marks

# role -> (label, key of the titles, key of what stands behind)
ROLES: Mapping[str, tuple[str, str, str]] = {
    "patient": ("NAME_PATIENT", "patient", ""),
    **dict.fromkeys(
        ("doctor", "doctor2", "doctor3", "doctor4", "author"), ("NAME_CLINICIAN", "clinician", "clinician")
    ),
    **dict.fromkeys(("nurse", "nurse2"), ("NAME_CLINICIAN", "nurse", "nurse")),
    **dict.fromkeys(("relative", "relative2", "relative3"), ("NAME_RELATIVE", "relative", "")),
    **dict.fromkeys(("other", "other2"), ("NAME_OTHER", "other", "")),
}
FORMS = (
    "full", "first", "last", "last_first", "full_middle", "full_initial", "last_first_initial", "initials",
    "initials_dots",
    "initial_last", "first_initial", "username", "sign", "title_last", "title_full", "title_first",
    "title_initial_last", "surnames", "nick",
)  # fmt: skip
LETTERS = ("caps", "lower")  # before a form: caps_full, lower_last


@cache
def names_on(code: str, origin: str, side: str) -> Names:
    """The names of an origin on a side."""
    return Names(*(sided(listed, side) for listed in language_named(code).names(origin)))


@cache
def cumulated(weights: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(accumulate(weights))


@cache
def table(rows: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    found = weighted(rows)
    return tuple(text for _, text in found), cumulated(tuple(weight for weight, _ in found))


def choose(rows: Sequence[str], rng: Random) -> str:
    """One of rows that may begin with weights."""
    texts, weights = table(tuple(rows))
    return texts[0] if len(texts) == 1 else rng.choices(texts, cum_weights=weights)[0]


@cache
def _origins(code: str, country: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    origins = language_named(code).countries[country].origins
    return tuple(origins), cumulated(tuple(origins.values()))


def invented(rng: Random, side: str) -> str:
    """A name that stands in no list, on this side like all others."""
    while True:
        onsets, vowels, codas = (common("tables")["syllables"][part] for part in ("onsets", "vowels", "codas"))
        syllables = [rng.choice(onsets) + rng.choice(vowels) for _ in range(rng.choice((1, 2, 2, 3)))]
        name: str = ("".join(syllables) + rng.choice(codas)).capitalize()
        if len(name) > 2 and held_out(name) == (side == HELD_OUT):
            return name


@cache
def _ambiguous(code: str, side: str) -> tuple[str, ...]:
    words = language_named(code).words.get("ambiguous")
    return sided(words(), side) if words else ()


def unaccented(name: str) -> str:
    """A name without its accents, as keyboards abroad write it."""
    return without_marks(name.replace("đ", "d").replace("Đ", "D").replace("ł", "l").replace("Ł", "L").replace("ı", "i"))


def draw_person(language: Synth, country: str, sex: str, rng: Random, side: str, odd: Mapping[str, float]) -> Person:
    """Somebody. `odd` says how often a name is `invented`, or `ambiguous`: a disease or a word, too."""
    origins, weights = _origins(language.code, country)
    origin = rng.choices(origins, cum_weights=weights)[0]
    if language.person:
        person = language.person(sex, origin, country, rng, side)
    else:
        names = names_on(language.code, origin, side)
        given = names.female if sex == "f" else names.male
        first = rng.choice(given)
        middle = (rng.choice(given),) if rng.random() < 0.3 else ()
        family = rng.choice(names.family)
        if rng.random() < 0.04:
            family = f"{family}-{rng.choice(names.family)}"
        person = Person(sex, (first, *middle), family, origin)
    drawn = rng.random()
    if drawn < odd.get("ambiguous", 0) and (words := _ambiguous(language.code, side)):
        person = Person(sex, person.given, rng.choice(words), "ambiguous")
    elif language.syllables and drawn > 1 - odd.get("invented", 0):
        first = invented(rng, side) if rng.random() < 0.4 else person.given[0]
        person = Person(sex, (first, *person.given[1:]), invented(rng, side), "invented")
    if language.unaccented and rng.random() < language.unaccented:
        more = {key: unaccented(value) for key, value in person.more.items()}
        person = Person(sex, tuple(map(unaccented, person.given)), unaccented(person.family), person.origin, more)
    return person


def _initials(person: Person) -> str:
    return "".join(name[0] for name in (*person.given, person.family.split()[-1])).upper()


def _username(person: Person, rng: Random) -> str:
    first, last = (
        "".join(c for c in unaccented(name).lower() if c.isascii() and c.isalnum()) or "user"
        for name in (person.given[0], person.family)
    )
    shape = rng.randrange(6)
    if shape == 0:
        return f"{first[0]}{last}"
    if shape == 1:
        return f"{first[0]}{last}{rng.randint(1, 99)}"
    if shape == 2:
        return f"{first[0]}{last[0]}{rng.randint(1, 999)}"
    if shape == 3:
        return f"{last[:6]}{first[0]}"
    if shape == 4:
        return f"{first}_{last}"
    return f"{first[0]}{last[:2]}{rng.randint(10, 99)}"


def _middle(person: Person) -> str:
    return person.given[1][0] + "." if len(person.given) > 1 else ""


# Every form as a function of the person; what a language writes otherwise, its own `form` says first.
_PLAIN: Mapping[str, Callable[[Person], str]] = {
    "full": lambda p: f"{p.given[0]} {p.family}",
    "first": lambda p: p.given[0],
    "last": lambda p: p.family,
    "surnames": lambda p: p.family,
    "nick": lambda p: p.given[0],
    "last_first": lambda p: f"{p.family}, {p.given[0]}",
    "full_middle": lambda p: f"{' '.join(p.given)} {p.family}",
    "full_initial": lambda p: " ".join(filter(None, (p.given[0], _middle(p), p.family))),
    "last_first_initial": lambda p: " ".join(filter(None, (f"{p.family}, {p.given[0]}", _middle(p)))),
    "initials": _initials,
    "initials_dots": lambda p: "".join(f"{letter}." for letter in _initials(p)),
    "initial_last": lambda p: f"{p.given[0][0]}. {p.family}",
    "first_initial": lambda p: f"{p.given[0]} {p.family[0]}.",
}


def known_form(form: str) -> bool:
    head, _, rest = form.partition("_")
    return form in FORMS or (head in LETTERS and rest in FORMS)


def _written(language: Synth, person: Person, form: str, rng: Random) -> str:
    own = language.form(person, form, rng) if language.form else None
    return own if own is not None else _PLAIN[form](person)


@cache
def _info(origin: str, sex: str) -> Mapping[str, str]:
    return {"origin": origin, "gender": sex}


def write_person(language: Synth, person: Person, role: str, form: str, rng: Random) -> Pieces:
    """A name in a form; titles and what stands behind are outside of the span."""
    label, titles, behind = ROLES[role]
    head, _, rest = form.partition("_")
    letters = head if head in LETTERS else ""
    form = (rest if letters else form) or "full"
    info = _info(person.origin, person.sex)
    if form == "username":
        return (Piece(_username(person, rng), "USERNAME", info),)
    before = after = ""
    if form.startswith("title_"):
        rows = language.titles.get(titles, {}).get(person.sex, ())
        form = form.removeprefix("title_")
        title = choose(rows, rng) if rows else ""
        before, after = language.titled(title, form) if language.titled else (f"{title} " if title else "", "")
    elif form == "sign":
        form = rng.choice(("full", "full", "full_initial", "initial_last"))
        rows = language.behind.get(behind, ())
        after = choose(rows, rng).rstrip() if rows else ""
    if form.startswith("initials"):
        label = "INITIALS"
    text = _written(language, person, form, rng)
    if letters:
        text, before, after = (part.upper() if letters == "caps" else part.lower() for part in (text, before, after))
    return tuple(piece for piece in (Piece(before), Piece(text, label, info), Piece(after)) if piece.text)
