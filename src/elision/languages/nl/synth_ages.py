"""Ages in Dutch: "84-jarige", "84 jaar oud", "begin tachtig"; the span holds what our pack of rules has in it."""

from __future__ import annotations

from random import Random

from elision.languages.synth import Age, Piece, Pieces

_ONES = [
    "nul", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf", "dertien",
    "veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien",
]  # fmt: skip
_TENS = [".", ".", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"]


def in_words(number: int) -> str:
    if number < 20:
        return _ONES[number]
    if number >= 100:
        return "honderd" + (in_words(number - 100) if number > 100 else "")
    one = number % 10
    joint = "ën" if one in (2, 3) else "en"
    return (_ONES[one] + joint if one else "") + _TENS[number // 10]


def ordinal(day: int) -> str:
    return f"{day}e"


def _amount(age: Age) -> tuple[int, str]:
    """The age as people say it: days, weeks and months for the smallest."""
    if age.years >= 2:
        return age.years, "jaar"
    months = 12 * age.years + age.months
    if months >= 3:
        return months, "maanden"
    return (age.days // 7, "weken") if age.days >= 14 else (age.days, "dagen")


def say_age(age: Age, form: str, rng: Random) -> Pieces:
    """The age of somebody; the span holds what our pack of rules has in it: "84-jarige", "84 jaar oud", "56 jr"."""
    number, unit = _amount(age)
    years = unit == "jaar"
    if form == "decade" and years and age.years >= 20:
        part = ("begin", "midden", "eind")[min(2, age.years % 10 // 4)]
        return (Piece(f"{part} {_TENS[min(9, age.years // 10)]}", "AGE"),)
    if form == "decade_person" and years and age.years >= 50:
        return (Piece(f"{_TENS[min(9, age.years // 10)]}er", "AGE"),)
    if form in ("decade", "decade_person"):
        return (Piece(f"{number} {unit}", "AGE"),)
    if form == "jarige":
        if not years:
            return (Piece(f"{number} {unit} {rng.choice(('oude', 'oude', 'oud'))}", "AGE"),)
        return (
            Piece(
                rng.choice((f"{number}-jarige",) * 5 + (f"{number} jarige", f"{number}jarige", f"{number}-jarig")),
                "AGE",
            ),
        )
    if form == "words":
        return (Piece(f"{in_words(number)}jarige" if years else f"{in_words(number)} {unit} oud", "AGE"),)
    if form == "old":
        return (
            Piece(
                rng.choice((f"{number} {unit} oud", f"{number} {unit} oud", f"{number} {'jr' if years else unit} oud")),
                "AGE",
            ),
        )
    if form == "number":
        return (Piece(str(number) if years else f"{number} {unit}", "AGE"),)
    if form in ("short", "field"):
        short = {
            "jaar": ("jr", "jr", "jaar", "j", "jr."),
            "maanden": ("mnd", "maanden"),
            "weken": ("wk", "weken"),
            "dagen": ("dgn", "dagen"),
        }
        chosen = rng.choice(short[unit])
        if chosen.endswith(".") and form == "short":
            return (Piece(f"{number} {chosen[:-1]}", "AGE"), Piece("."))
        glued = "" if rng.random() < 0.15 else " "
        return (
            Piece(
                str(number)
                if form == "field" and years and rng.random() < 0.25
                else f"{number}{glued}{chosen.rstrip('.')}",
                "AGE",
            ),
        )
    return (Piece(f"{number} {unit}", "AGE"),)
