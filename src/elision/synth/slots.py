"""Slots: what a grammar may ask the cast for, and what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from elision.errors import SynthError
from elision.labels import canonical
from elision.languages.synth import Piece, Pieces, Synth
from elision.languages.synth_lists import BOTH
from elision.synth.cast import DAYS, PARTS, PLACES, Cast, key_of, words_on
from elision.synth.grammar import Grammar, Slot, slots
from elision.synth.people import FORMS, ROLES, choose, known_form, unaccented

_NUMBERS = re.compile(r"(\d+)(?:-(\d+))?$")
_DECIMALS = re.compile(r"(\d+)\.(\d+)-(\d+)\.(\d+)$")
_CASES: Mapping[str, Callable[[str], str]] = {
    "caps": str.upper,
    "lower": str.lower,
    "cap": lambda text: text[:1].upper() + text[1:],
}
_MAIL_HOSTS = ["mail", "post", "inbox", "web", "net", "home", "fastpost", "letterbox"]


class Plan(NamedTuple):
    """A slot, read: its form, which of several it asks for, whether fresh, and in which letters."""

    what: str
    form: str
    variant: str
    fresh: bool
    letters: str
    rest: tuple[str, ...]


@cache
def plan(slot: Slot) -> Plan:
    forms = list(slot.forms)
    what = slot.what
    if what == "id":  # <id:KIND>
        what = forms.pop(0) if forms else ""
    variant, fresh, letters, rest = "", False, "", []
    for form in forms:
        if form == "new":
            fresh = True
        elif form in _CASES:
            letters = form
        elif form.isdigit() and what != "n":
            variant = form
        elif form:
            rest.append(form)
    return Plan(what, rest[0] if rest else "", variant, fresh, letters, tuple(rest[1:]))


def fill(cast: Cast, slot: Slot) -> Pieces:
    """What a slot becomes in this cast."""
    asked = plan(slot)
    maker = _MAKERS.get(asked.what)
    if maker:
        pieces = maker(cast, asked)
    elif key_of(asked.what, asked.form, cast.codes) in cast.codes:
        pieces = cast.code(asked.what, asked.form, asked.variant, asked.fresh)
    else:
        pieces = cast.made(asked.what, asked.form, asked.variant, asked.fresh)
    if asked.letters:
        change = _CASES[asked.letters]
        pieces = tuple(Piece(change(piece.text), piece.label, piece.info) for piece in pieces)
    return pieces


def _person(cast: Cast, asked: Plan) -> Pieces:
    form = asked.form
    if asked.fresh and asked.what != "patient":
        cast.person(asked.what, fresh=True)
    if asked.letters == "caps" and not form:
        return cast.name(asked.what, "full")
    return cast.name(asked.what, form)


def _date(cast: Cast, asked: Plan) -> Pieces:
    if asked.form == "range":
        return cast.range(asked.rest[0] if asked.rest else "")
    if asked.form in DAYS:
        return cast.write_day(cast.day(asked.form), asked.rest[0] if asked.rest else "")
    return cast.write_day(cast.day("past"), asked.form)


def _year(cast: Cast, asked: Plan) -> Pieces:
    return cast.write_day(cast.day(asked.form or "past"), asked.what)


def _born(cast: Cast, asked: Plan) -> Pieces:
    return cast.write_day(cast.born, asked.form, "DATE_BIRTH")


def _weekday(cast: Cast, asked: Plan) -> Pieces:
    return cast.write_day(cast.day(asked.form or "recent"), "weekday")


def _time(cast: Cast, asked: Plan) -> Pieces:
    hour, minute = cast.rng.randrange(24), cast.rng.randrange(60)
    if asked.form == "12h":
        return (Piece(f"{hour % 12 or 12}:{minute:02} {'AM' if hour < 12 else 'PM'}"),)
    if asked.form == "plain":
        return (Piece(f"{hour:02}{minute:02}"),)
    return (Piece(f"{hour:02}:{minute:02}"),)


def _age(cast: Cast, asked: Plan) -> Pieces:
    return cast.age(asked.form, asked.fresh)


def _sex(cast: Cast, asked: Plan) -> Pieces:
    sex = cast.person(asked.rest[0]).sex if asked.rest else cast.sex
    return (Piece(choose(cast.language.sexes[asked.form][sex == "m"], cast.rng)),)


def _number(cast: Cast, asked: Plan) -> Pieces:
    match = _NUMBERS.match(asked.form)
    assert match  # noqa: S101  # `check` has seen it
    return (Piece(str(cast.rng.randint(int(match[1]), int(match[2] or match[1])))),)


def _decimal(cast: Cast, asked: Plan) -> Pieces:
    low, high = asked.form.split("-")
    places = len(low.partition(".")[2])
    text = f"{cast.rng.uniform(float(low), float(high)):.{places}f}"
    return (Piece(text.replace(".", ",") if "comma" in asked.rest else text),)


def _pick(cast: Cast, asked: Plan) -> Pieces:
    return (Piece(choose(words_on(cast.language.code, asked.form, cast.side), cast.rng)),)


def _place(cast: Cast, asked: Plan) -> Pieces:
    variant = f"new{cast.rng.random()}" if asked.fresh else asked.variant
    region = cast.region(variant)
    return (Piece(region[key_of(asked.what, asked.form, region)], PLACES[asked.what]),)


def _host(cast: Cast) -> str:
    place = "".join(c for c in unaccented(cast.region("")["city"]).lower() if c.isascii() and c.isalnum()) or "care"
    return f"{place}{cast.rng.choice(('health', 'hospital', 'clinic', 'care', ''))}.example"


def _email(cast: Cast, asked: Plan) -> Pieces:
    person = cast.person(asked.form or "patient")
    names = [
        "".join(c for c in unaccented(name).lower() if c.isascii() and c.isalnum()) or "me"
        for name in (person.given[0], person.family)
    ]
    user = cast.rng.choice(("{0}.{1}", "{0}{1}", "{0}_{1}", "{1}.{0}", "{2}{1}", "{0}{3}", "{2}.{1}{3}")).format(
        *names, names[0][0], cast.rng.randint(1, 99)
    )
    host = f"{cast.rng.choice(_MAIL_HOSTS)}.example" if asked.form in ("", "patient", "relative") else _host(cast)
    return (
        Piece(
            f"{user}@{host.replace('.example', cast.rng.choice(('.example', '.example.com', '.example.org')))}", "EMAIL"
        ),
    )


def _url(cast: Cast, _: Plan) -> Pieces:
    head = cast.rng.choice(("www.", "https://www.", "http://", "https://portal."))
    tail = cast.rng.choice(("", "", "/appointments", "/results", f"/p/{cast.rng.randint(100, 99999)}"))
    return (Piece(f"{head}{_host(cast)}{tail}", "URL"),)


def _ip(cast: Cast, _: Plan) -> Pieces:
    draw = cast.rng.randint
    head = cast.rng.choice(
        (f"10.{draw(0, 255)}.{draw(0, 255)}", f"192.168.{draw(0, 255)}", f"198.51.100.{draw(0, 9)}"[:10])
    )
    return (Piece(f"{head}.{draw(1, 254)}", "IP"),)


def _username(cast: Cast, asked: Plan) -> Pieces:
    return cast.name(asked.form or "author", "username")


_MAKERS: Mapping[str, Callable[[Cast, Plan], Pieces]] = {
    **dict.fromkeys(ROLES, _person),
    **dict.fromkeys(PLACES, _place),
    **dict.fromkeys(("year", "month", "month_year"), _year),
    "date": _date, "dob": _born, "weekday": _weekday, "time": _time, "age": _age, "sex": _sex, "n": _number,
    "dec": _decimal,
    "pick": _pick, "email": _email, "url": _url, "ip": _ip, "username": _username,
}  # fmt: skip


def labels_of(slot: Slot, language: Synth) -> tuple[str, ...]:
    """The labels of the spans that a slot brings, as far as can be told before it is filled."""
    if slot.what == "mark":
        return (slot.forms[0],)
    asked = plan(slot)
    what = asked.what
    if what in ROLES:
        if asked.form.endswith(("initials", "initials_dots")):
            return ("INITIALS",)
        return ("USERNAME",) if asked.form == "username" else (ROLES[what][0],)
    fixed = {"dob": "DATE_BIRTH", "age": "AGE", "email": "EMAIL", "url": "URL", "ip": "IP", "username": "USERNAME"}
    if what in ("date", "weekday", "year", "month", "month_year"):
        return ("DATE",)
    if what in fixed or what in PLACES:
        return (fixed.get(what) or PLACES[what],)
    if what in _MAKERS:
        return ()
    country = next(iter(language.countries.values()))
    for table in (country.codes, country.made):
        found = table.get(key_of(what, asked.form, table))
        if found and found[0]:
            return (found[0],)
        if found:  # templates of parts that have labels, such as an address, or key words that bring no span
            parts = (part for row in found[1] for part in PARTS.findall(row))
            return tuple(dict.fromkeys(label for part in parts if (label := _label_of(part, table))))
    return ()


def _label_of(part: str, table: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    return PLACES.get(part.partition(":")[0]) or table.get(part, ("",))[0]


def check(grammar: Grammar, language: Synth, countries: Iterable[str] = ()) -> None:
    """Refuse slots that the language cannot fill, with their place, and countries in which it is not spoken."""
    if unknown := sorted(grammar.countries - set(language.countries)):
        raise SynthError(f"{grammar.name}: no country {unknown[0]}; there are {', '.join(language.countries)}")
    for slot, where in slots(grammar):
        if wrong := _wrong(slot, language, tuple(countries) or tuple(language.countries)):
            raise SynthError(f"{where}: <{slot.what}:{','.join(slot.forms)}>: {wrong}")


def _wrong(slot: Slot, language: Synth, countries: tuple[str, ...]) -> str:
    if slot.what == "mark":
        if len(slot.forms) != 2:
            return "write <mark:LABEL,symbol>"
        return "" if slot.forms[0] in canonical() else "no such label; see `elision labels`"
    asked = plan(slot)
    what, form = asked.what, asked.form
    if what in ROLES:
        return "" if not form or known_form(form) else f"no such form of a name; there are {', '.join(FORMS)}"
    if what == "date":
        dates = set.intersection(*(set(language.countries[code].dates) for code in countries))
        wanted = [form, *asked.rest] if form in (*DAYS, "range") else [form]
        odd = [
            name
            for name in wanted
            if name and name not in dates and name not in (*DAYS, "range", "short", "long", "no_year", "numeric")
        ]
        return f"no such day or form of a date: {odd[0]}" if odd else ""
    if what == "sex":
        if form not in language.sexes:
            return f"no such words; there are {', '.join(language.sexes)}"
        return "" if not asked.rest or asked.rest[0] in ROLES else "no such person"
    if what == "n":
        match = _NUMBERS.match(form)
        return "" if match and int(match[2] or match[1]) >= int(match[1]) else "write <n:60-180>"
    if what == "dec":
        return "" if _DECIMALS.match(form) else "write <dec:2.0-9.9>"
    if what == "pick":
        return "" if words_on(language.code, form, BOTH) else "an empty list"
    if what in ("email", "username"):
        return "" if not form or form in ROLES else "no such person"
    if what in _MAKERS:
        return ""
    tables = [table for code in countries for table in (language.countries[code].codes, language.countries[code].made)]
    if not any(key_of(what, form, table) in table for table in tables):
        return f"there is no slot {what} in {', '.join(countries)}"
    return ""
