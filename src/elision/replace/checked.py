"""Kinds of numbers with a check character or a birth date in them: how a stand-in becomes a valid one.

A kind names a check of `rules.checks`, the shape of the number, and where its check character stands. A stand-in is
drawn at random within the kind's letters and then completed: the few characters that can stand there are tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from elision.rules.checks import CHECKS

DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPE = str.maketrans(dict.fromkeys(DIGITS, "0") | dict.fromkeys(LETTERS + "Ñ", "A"))
_CREDIT = "ABCDEFGHJKLMNPQRTUWXY"  # not I, O, S, V, Z
_VIN = "ABCDEFGHJKLMNPRSTUVWXYZ"  # not I, O, Q
_CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ"
_STATES = "ASBCBSCCCLCMCSCHDFDGGTGRHGJCMCMNMSNTNLOCPLQTQRSPSLSRTCTSTLVZYNZS"  # of Mexico, two letters each
_PROVINCES = "11121314152122233132333435363741424344454650515253546162636465"  # of China, two digits each


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of number."""

    check: str
    shape: str  # a pattern for it, with 0 for digits and A for letters
    slot: int = -1  # where the check character stands, if there is one
    help: int = -2  # a digit that may change too, where no check character fits
    keep: tuple[int, ...] = ()  # places that say what kind of number it is, not whose
    letters: str = LETTERS
    last: str = DIGITS + LETTERS  # what may stand in the slot
    starts: str = ""  # what may stand first
    pure: bool = False  # a form, without a check character
    dated: str = ""  # where in it a birth date stands, and how it is written

    def fits(self, text: str) -> bool:
        return CHECKS[self.check](text)


KINDS = (
    Kind("cn-resident", "0{17}[0A]", last=DIGITS + "X", dated="6:yyyymmdd"),
    Kind("mx-curp", "A{4}0{6}A{6}[0A]0", keep=(10,), dated="4:yymmdd"),
    Kind("cn-credit", "[0A]{18}", letters=_CREDIT, last=DIGITS + _CREDIT),
    Kind("es-dni", "0{7,8}A|A0{7}A", starts="123456789XYZ", last="TRWAGMYFPDXBNJZSQVHLCKE"),
    Kind("tw-id", "A0{9}", keep=(1,)),
    Kind("hk-id", "A{1,2}0{6}[0A]", last=DIGITS + "A"),
    Kind("iban", "AA00[0A]{11,30}", keep=(0, 1)),
    Kind("us-dea", "A[0A]0{7}", keep=(0,)),
    Kind("vin-us", "[0A]{17}", slot=8, help=16, letters=_VIN, last=DIGITS + "X"),
    Kind("vin", "[0A]{17}", letters=_VIN, pure=True),
    Kind("us-mbi", "0A[0A]0A[0A]0AA00", letters="ACDEFGHJKMNPQRTUVWXY", pure=True),
    Kind("cl-rut", "0{7,8}[0A]", last=DIGITS + "K"),
    Kind("es-nss", "0{12}", starts="1234"),
    Kind("be-national", "0{11}", dated="0:yymmdd"),
    Kind("ar-cuit", "0{11}", keep=(0, 1)),
    Kind("gb-chi", "0{10}", dated="0:ddmmyy"),
    Kind("gb-nhs", "0{10}"),
    Kind("us-npi", "0{10}", keep=(0,)),
    Kind("au-medicare", "0{10,11}", slot=8, help=7, starts="23456"),
    Kind("nl-bsn", "0{8,9}"),
    Kind("au-tfn", "0{9}"),
    Kind("us-aba", "0{9}"),
    Kind("tw-business", "0{8}"),
    Kind("us-ssn", "0{9}", starts="12345678", pure=True),
    Kind("luhn", "0{9,19}", keep=(0,)),
)

# Which of several checks that a number satisfies is meant, by its label. The rest follow in the order above.
_FIRST = {
    "NATIONAL_ID": "es-dni es-nss nl-bsn be-national ar-cuit cl-rut au-tfn us-ssn",
    "MEDICAL_RECORD": "gb-chi gb-nhs",
    "HEALTH_PLAN": "au-medicare us-mbi luhn es-nss",
    "LICENSE": "us-npi us-dea",
    "ACCOUNT": "iban luhn us-aba",
    "VEHICLE": "vin-us vin",
    "DEVICE": "luhn",
}


def kinds_for(plain: str, label: str) -> tuple[Kind, ...]:
    """The kinds that a number may be by its shape, those that its label speaks for first."""
    return _kinds_shaped(plain.translate(_SHAPE), label)


@lru_cache(maxsize=10_000)
def _kinds_shaped(shape: str, label: str) -> tuple[Kind, ...]:
    first = _FIRST.get(label, "").split()
    order = {name: place for place, name in enumerate(first)}
    fitting = [kind for kind in KINDS if re.fullmatch(kind.shape, shape)]
    return tuple(sorted(fitting, key=lambda kind: order.get(kind.check, len(first))))


def kinds_of(plain: str, label: str) -> tuple[Kind, ...]:
    """The kind whose check this number satisfies, if any, and after it the mere forms that it has besides."""
    found: list[Kind] = []
    pure: list[Kind] = []
    for kind in kinds_for(plain, label):
        if (kind.pure or not found) and kind.fits(plain):
            (pure if kind.pure else found).append(kind)
    return (*found, *pure)


def wrong_for(plain: str, label: str, kind: Kind | None) -> Callable[[str], bool]:
    """Whether a stand-in is deliberately wrong: by the original's check, and by those that its label speaks for."""
    first = _FIRST.get(label, "").split()
    kinds = [one for one in kinds_for(plain, label) if one is kind or one.check in first]
    return lambda drawn: not any(one.fits(drawn) for one in kinds)


def complete(kind: Kind, drawn: list[str], original: str, draw: int, days: int | None) -> str | None:
    """The drawn characters as a valid number of this kind, or None if this draw cannot become one."""
    for place in kind.keep:
        drawn[place] = original[place]
    if kind.starts and original[0] != "0":
        fitting = [one for one in kind.starts if one.isdigit() == original[0].isdigit()]
        if fitting:
            drawn[0] = fitting[draw % len(fitting)]
    if kind.dated:
        _put_date(kind, drawn, original, draw, days)
    if kind.check == "iban":
        return _iban(drawn)
    if kind.check in ("es-nss", "be-national"):
        drawn[-2:] = _by_97("".join(drawn), kind.check, original)
    if kind.pure or kind.fits("".join(drawn)):
        text = "".join(drawn)
        return text if kind.fits(text) else None
    return next((text for text in _tries(kind, drawn, original) if kind.fits(text)), None)


def _tries(kind: Kind, drawn: list[str], original: str) -> Iterator[str]:
    """The number with each character that can stand in its slot, and then with each digit that may help."""
    slot, help = kind.slot % len(drawn), kind.help % len(drawn)
    lasts = [one for one in kind.last if one.isdigit() == original[slot].isdigit()]
    helps = [drawn[help]]
    if drawn[help].isdigit():
        step = 2 if kind.check == "cn-resident" else 1  # there the digit before the last tells the sex
        helps += [str((int(drawn[help]) + more) % 10) for more in range(step, 10, step)]
    for helping in helps:
        for last in lasts:
            drawn[help], drawn[slot] = helping, last
            yield "".join(drawn)


def _iban(drawn: Sequence[str]) -> str | None:
    """The two check digits behind the country are worked out; 98 less the remainder of the rest by 97."""
    head, rest = "".join(drawn[:2]), "".join(drawn[4:])
    number = int("".join(str(int(character, 36)) for character in rest + head + "00"))
    return f"{head}{98 - number % 97:02}{rest}"


def _by_97(drawn: str, check: str, original: str) -> str:
    """The last two digits of a Spanish or Belgian number."""
    if check == "es-nss":
        number = int(drawn[2:10])
        base = int(drawn[:2]) * 10**7 + number if number < 10**7 else int(drawn[:10])
        return f"{base % 97:02}"
    young = int(original[9:]) != 97 - int(original[:9]) % 97  # born since 2000: counted with a 2 before
    return f"{97 - int(('2' if young else '') + drawn[:9]) % 97:02}"


def _put_date(kind: Kind, drawn: list[str], original: str, draw: int, days: int | None) -> None:
    """A birth date where the original has one: its own, shifted, or any. What stands around it keeps its form, too."""
    place, _, form = kind.dated.partition(":")
    start = int(place)
    drawn[start : start + len(form)] = moved_date(original[start : start + len(form)], form, draw, days)
    if kind.check == "mx-curp":
        drawn[1] = "AEIOU"[draw % 5]
        drawn[11:13] = _pair(_STATES, draw // 5)
        drawn[13:16] = [_CONSONANTS[draw // size % len(_CONSONANTS)] for size in (7, 211, 7919)]
    if kind.check == "cn-resident":
        drawn[:6] = f"{_pair(_PROVINCES, draw)}{1 + draw // 31 % 12:02}{1 + draw // 373 % 28:02}"
        _same_sex(drawn, original, 16)
    if kind.check == "be-national":
        _same_sex(drawn, original, 8)


def _pair(pairs: str, draw: int) -> str:
    at = draw % (len(pairs) // 2) * 2
    return pairs[at : at + 2]


def _same_sex(drawn: list[str], original: str, place: int) -> None:
    """Odd numbers are men's and even ones women's."""
    drawn[place] = str(int(drawn[place]) // 2 * 2 + int(original[place]) % 2)


def moved_date(written: str, form: str, draw: int, days: int | None) -> str:
    """A date in this form as it is `days` later; any date without `days`, or where none can be read."""
    places = {part: form.index(part) for part in ("yyyy" if "yyyy" in form else "yy", "mm", "dd")}
    found = {part: int(written[at : at + len(part)]) for part, at in places.items()}
    year = found.get("yyyy") or 1900 + (found.get("yy") or 100)  # 29 February is a day of 2000, not of 1900
    more = found["mm"] // 20 * 20 if "yyyy" not in form else 0  # Belgium adds 20 or 40 to the months of some
    moved = date(1931, 1, 1) + timedelta(draw % 32_000)
    if days is not None:
        with suppress(ValueError, OverflowError):
            moved = date(year, found["mm"] - more, found["dd"]) + timedelta(days)
    parts = {"yyyy": f"{moved.year:04}", "yy": f"{moved.year % 100:02}", "mm": f"{moved.month + more:02}"}
    for part, value in {**parts, "dd": f"{moved.day:02}"}.items():
        form = form.replace(part, value)
    return form
