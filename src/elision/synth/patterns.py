"""Numbers and dates by patterns, and numbers with valid check digits.

Of a number: `#` a digit, `%` a digit but 0, `?` a capital letter, `[A-F2]` one of these, `\\` the next character as it
is. `@KIND SHAPE` makes a number of a kind and sets its characters into the `#` of the shape. Of a date: "MM/DD/YYYY" or
"Dth of Month".
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from random import Random
from typing import NamedTuple

from elision.errors import SynthError
from elision.languages.synth import Synth
from elision.languages.synth_data import language_named
from elision.rules.checks import CHECKS

DIGITS, LETTERS = string.digits, string.ascii_uppercase
_PART = re.compile(r"\\(.)|\[([^\]]+)\]|([#%?])|([^\\\[#%?]+)", re.DOTALL)
_MBI = "ACDEFGHJKMNPQRTUVWXY"
_VIN = "ABCDEFGHJKLMNPRSTUVWXYZ"
_CREDIT = "0123456789ABCDEFGHJKLMNPQRTUWXY"


class Bearer(NamedTuple):
    """Whose number it is, for those that tell."""

    born: date
    sex: str


def _digits(rng: Random, count: int) -> str:
    return f"{rng.randrange(10**count):0{count}}"


def _checked(check: str, make: Callable[[Random, Bearer], str], last: str = DIGITS) -> Callable[[Random, Bearer], str]:
    """Numbers whose last character is what the check of our rules asks for; those that have none are made anew."""

    def made(rng: Random, bearer: Bearer) -> str:
        while True:
            head = make(rng, bearer)
            for character in last:
                if CHECKS[check](head + character):
                    return head + character

    return made


def _inside(
    check: str, make: Callable[[Random, Bearer], tuple[str, str]], fill: str
) -> Callable[[Random, Bearer], str]:
    """Numbers with a check character between two parts."""

    def made(rng: Random, bearer: Bearer) -> str:
        while True:
            head, tail = make(rng, bearer)
            for character in fill:
                if CHECKS[check](head + character + tail):
                    return head + character + tail

    return made


def _mbi(rng: Random, _: Bearer) -> str:
    def letter() -> str:
        return rng.choice(_MBI)

    def either() -> str:
        return rng.choice(_MBI + DIGITS)

    return "".join(
        (str(rng.randint(1, 9)), letter(), either(), _digits(rng, 1), letter(), either(), _digits(rng, 1), letter(),
        letter(),
         _digits(rng, 2))
    )  # fmt: skip


def _ssn(rng: Random, _: Bearer) -> str:
    area = rng.choice((rng.randint(1, 665), rng.randint(667, 899)))
    return f"{area:03}{rng.randint(1, 99):02}{rng.randint(1, 9999):04}"


def _nie(rng: Random, bearer: Bearer) -> str:
    return _checked("es-dni", lambda rng, _: rng.choice("XYZ") + _digits(rng, 7), LETTERS)(rng, bearer)


def _nss(rng: Random, _: Bearer) -> str:
    head = f"{rng.randint(1, 50):02}{rng.randint(10**7, 10**8 - 1)}"
    return f"{head}{int(head) % 97:02}"


def _national_be(rng: Random, bearer: Bearer) -> str:
    number = f"{bearer.born:%y%m%d}{rng.randint(0, 498) * 2 + (1 if bearer.sex == 'm' else 2):03}"
    full = "2" + number if bearer.born.year >= 2000 else number
    return f"{number}{97 - int(full) % 97:02}"


def _resident(rng: Random, bearer: Bearer) -> str:
    region = (
        f"{rng.choice((11, 12, 13, 14, 21, 22, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 50, 51, 52, 53, 61))}"
    )
    order = rng.randint(1, 499) * 2 + (1 if bearer.sex == "m" else 0)
    return f"{region}{rng.randint(1, 20):02}{rng.randint(1, 30):02}{bearer.born:%Y%m%d}{order:03}"


def _curp(rng: Random, bearer: Bearer) -> str:
    consonants = "BCDFGHJKLMNPQRSTVZ"
    head = rng.choice(consonants) + rng.choice("AEIOU") + rng.choice(consonants) + rng.choice(LETTERS)
    states = [
        "AS",
        "BC",
        "CH",
        "CL",
        "DF",
        "DG",
        "GT",
        "GR",
        "HG",
        "JC",
        "MC",
        "MN",
        "MS",
        "NL",
        "OC",
        "PL",
        "QT",
        "SP",
        "SL",
        "SR",
        "TC",
        "TS",
        "VZ",
        "YN",
        "ZS",
    ]
    tail = rng.choice(states) + "".join(rng.choice(consonants) for _ in range(3))
    century = rng.choice(LETTERS) if bearer.born.year >= 2000 else _digits(rng, 1)
    return f"{head}{bearer.born:%y%m%d}{'H' if bearer.sex == 'm' else 'M'}{tail}{century}"


def _iban(country: str, bank: str) -> Callable[[Random, Bearer], str]:
    def made(rng: Random, bearer: Bearer) -> str:
        account = fill(bank, rng, bearer)
        number = "".join(str(int(character, 36)) for character in f"{account}{country}00")
        return f"{country}{98 - int(number) % 97:02}{account}"

    return made


def _dea(rng: Random, _: Bearer) -> str:
    return rng.choice("ABFM") + rng.choice(LETTERS) + _digits(rng, 6)


KINDS: Mapping[str, Callable[[Random, Bearer], str]] = {
    "us_ssn": _ssn,
    "us_mbi": _mbi,
    "us_npi": _checked("us-npi", lambda rng, _: rng.choice("12") + _digits(rng, 8)),
    "us_dea": _checked("us-dea", _dea),
    "us_aba": _checked("us-aba", lambda rng, _: f"{rng.randint(1, 12):02}{_digits(rng, 6)}"),
    "gb_nhs": _checked("gb-nhs", lambda rng, _: rng.choice("4567") + _digits(rng, 8)),
    "au_medicare": _inside("au-medicare", lambda rng, _: (f"{rng.randint(2, 6)}{_digits(rng, 7)}", "1"), DIGITS),
    "au_tfn": _checked("au-tfn", lambda rng, _: f"{rng.randint(1, 9)}{_digits(rng, 7)}"),
    "es_dni": _checked("es-dni", lambda rng, _: _digits(rng, 8), LETTERS),
    "es_nie": _nie,
    "es_nss": _nss,
    "mx_curp": _checked("mx-curp", _curp),
    "ar_cuit": _checked("ar-cuit", lambda rng, _: rng.choice(("20", "23",
    "27")) + f"{rng.randint(5, 45) * 10**6 + rng.randrange(10**6):08}"),
    "cl_rut": _checked("cl-rut", lambda rng, _: str(rng.randint(3_000_000, 25_000_000)), DIGITS + "K"),
    "nl_bsn": _checked("nl-bsn", lambda rng, _: _digits(rng, 8)),
    "be_national": _national_be,
    "cn_resident": _checked("cn-resident", _resident, DIGITS + "X"),
    "tw_id": _checked("tw-id", lambda rng,
    bearer: rng.choice(LETTERS) + ("1" if bearer.sex == "m" else "2") + _digits(rng, 7)),
    "hk_id": _checked("hk-id", lambda rng, _: rng.choice(LETTERS) + _digits(rng, 6), DIGITS + "A"),
    "vin_us": _inside("vin-us", lambda rng, _: ("".join(rng.choice(_VIN + DIGITS) for _ in range(8)),
    rng.choice("ABCDEFGHJKLMNPRST")
                                                + rng.choice(_VIN) + _digits(rng, 6)), DIGITS + "X"),
    "card": _checked("luhn", lambda rng, _: (rng.choice(("4", "51", "53", "55")) + _digits(rng, 14))[:15]),
    "iban_nl": _iban("NL", "[ABDHILMNORSTV]???##########"),
    "iban_es": _iban("ES", "####################"),
    "iban_be": _iban("BE", "############"),
    "iban_gb": _iban("GB", "????##############"),
    "cn_credit": _checked("cn-credit", lambda rng, _: "12" + _digits(rng,
    6) + "".join(rng.choice(_CREDIT) for _ in range(9)), _CREDIT),
    "tw_business": _checked("tw-business", lambda rng, _: f"{rng.randint(1, 9)}{_digits(rng, 6)}"),
}  # fmt: skip


@cache
def _parts(pattern: str) -> tuple[str | tuple[str, ...], ...]:
    """A pattern as plain stretches and sets of characters to draw from."""
    found: list[str | tuple[str, ...]] = []
    for match in _PART.finditer(pattern):
        escaped, one_of, sign, text = match.groups()
        if one_of:
            found.append(
                tuple(re.sub(r"(.)-(.)", lambda m: "".join(map(chr, range(ord(m[1]), ord(m[2]) + 1))), one_of))
            )
        elif sign:
            found.append({"#": tuple(DIGITS), "%": tuple(DIGITS[1:]), "?": tuple(LETTERS)}[sign])
        else:
            found.append(escaped or text)
    return tuple(found)


def fill(pattern: str, rng: Random, bearer: Bearer) -> str:
    """A number after a pattern."""
    if not pattern.startswith("@"):
        draw = rng.random
        return "".join([part if isinstance(part, str) else part[int(draw() * len(part))] for part in _parts(pattern)])
    kind, _, shape = pattern[1:].partition(" ")
    if kind not in KINDS:
        raise SynthError(f"@{kind}: there is no such kind of number; there are {', '.join(KINDS)}")
    number = iter(KINDS[kind](rng, bearer))
    text = "".join(next(number, "") if character == "#" else character for character in shape)
    return text + "".join(number)


_TOKENS: dict[str, Callable[[date, Synth], str]] = {
    "YYYY": lambda day, _: f"{day.year:04}",
    "YY": lambda day, _: f"{day.year % 100:02}",
    "Month": lambda day, language: language.months[day.month - 1],
    "MONTH": lambda day, language: language.months[day.month - 1].upper(),
    "Mon": lambda day, language: language.months_short[day.month - 1],
    "MON": lambda day, language: language.months_short[day.month - 1].upper(),
    "MM": lambda day, _: f"{day.month:02}",
    "M": lambda day, _: str(day.month),
    "DD": lambda day, _: f"{day.day:02}",
    "Dth": lambda day, language: language.ordinal(day.day),
    "D": lambda day, _: str(day.day),
    "Weekday": lambda day, language: language.weekdays[day.weekday()],
    "WEEKDAY": lambda day, language: language.weekdays[day.weekday()].upper(),
    "Wday": lambda day, language: language.weekdays_short[day.weekday()],
}
_SPAN = re.compile(r"([^\[\]]*)\[([^\[\]]*)\]([^\[\]]*)")


@cache
def writer(pattern: str, code: str) -> Callable[[date], tuple[str, str, str]]:
    """A function from a day to what stands before the span, in it and behind it."""
    match = _SPAN.fullmatch(pattern)
    before, inside, after = match.groups() if match else ("", pattern, "")
    writers = [_plain(part, code) for part in (before, inside, after)]
    return lambda day: (writers[0](day), writers[1](day), writers[2](day))


def _plain(pattern: str, code: str) -> Callable[[date], str]:
    language = language_named(code)
    own = {name: _ignoring(function) for name, function in language.date_tokens.items()}
    tokens = {**_TOKENS, **own}
    longest = sorted(tokens, key=len, reverse=True)
    pieces = re.split(f"({'|'.join(map(re.escape, longest))})", pattern)
    makers = [(piece, tokens.get(piece) if at % 2 else None) for at, piece in enumerate(pieces) if piece]
    return lambda day: "".join([maker(day, language) if maker else piece for piece, maker in makers])


def _ignoring(function: Callable[[date], str]) -> Callable[[date, Synth], str]:
    return lambda day, _: function(day)


def write_date(day: date, pattern: str, code: str) -> tuple[str, str, str]:
    return writer(pattern, code)(day)
