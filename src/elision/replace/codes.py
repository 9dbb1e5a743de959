"""Stand-ins for numbers and codes by which somebody or something is known: of the same form, and as valid.

Digits stay digits, letters stay letters of the same case; dashes, blanks and strokes stay. The same code in the same
scope has the same stand-in, however it is set apart: 12-345 and 12345 agree.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from elision.replace.checked import DIGITS, LETTERS, complete, kinds_of, moved_date, wrong_for
from elision.replace.choices import Scope
from elision.text.characters import base as base_of

LONGEST = 200
TRIES = 50

# Words that say what a number is. They stay; any other letters may be somebody's name.
_WORDS = (
    "mrn urn umrn nhs chi nhi dni nie nif nhc nss nass nuss cip cipa tsi bsn ssn sss npi dea gmc nmc ahpra curp rfc "
    "cuit cuil rut run iban bic imei meid vin udi mac lot ref serial sn s/n no nr num number nummer numero número nº "
    "id pid patnr patiëntnummer dossier dossiernummer kaart polis record chart account acct episode encounter visit "
    "csn fin licence license lic reg registration plate model device case order accession policy member medicare "
    "medicaid matrícula historia episodio expediente tarjeta póliza colegiado"
)
_KEPT = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, _WORDS.split()))})\b(?:[ .]*[:#=]|\.(?= )|(?= )|(?=-\d))"
    r"|(?<![^\W\d_])x{2,}(?![^\W\d_])",  # masked already
    re.IGNORECASE,
)
_MAY_KEEP = re.compile(r"[^\W\d_][ .:#=-]|xx", re.IGNORECASE)  # is in all of which something stays; quick
_FIELD = re.compile(r"\((?:01|10|11|13|15|17|21|30|91|240)\)")  # on a device's label, what the next field is
_HEX = re.compile(
    r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    re.IGNORECASE,
)
_RFC = re.compile(r"[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}")
# For each character of ASCII the first one of its alphabet, and how it reads.
_ALPHABETS = {one: (48, one) for one in DIGITS} | {one: (65, one) for one in LETTERS}
_ALPHABETS |= {one.lower(): (97, one) for one in LETTERS}
_HAN_DIGITS = "零一二三四五六七八九"
_PROVINCES = "京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川贵云藏陕甘青宁新"


def code(text: str, scope: Scope, label: str, *, valid: bool = True, days: int | None = None) -> str | None:
    """A code of the same form; None if it has nothing that could be replaced.

    Where the original satisfies a check, so does the stand-in, or none with `valid=False`. A birth date in it (CURP,
    RFC, Chinese, Belgian and Scottish numbers) moves by `days`, or becomes any other.
    """
    if len(text) > LONGEST:
        return None
    places = _places(text, label)
    if not places:
        return None
    plain = "".join(value for _, _, value in places)
    kinds = kinds_of(plain, label)
    kind = kinds[0] if kinds else None
    wrong = None if valid else wrong_for(plain, label, kind)
    letters = "ABCDEF" if _HEX.search(text) else kind.letters if kind and valid else LETTERS
    for attempt in range(TRIES):
        number = _number(scope, plain, attempt)
        drawn = _drawn(plain, letters, number)
        made: str | None = "".join(drawn)
        if kind and valid:
            made = complete(kind, drawn, plain, number >> 17, days)
        elif valid and kind is None and _RFC.fullmatch(plain):
            made = _rfc(drawn, plain, number >> 17, days)
        elif not valid and label == "NATIONAL_ID" and len(plain) == 9 and plain.isdigit():
            made = "9" + "".join(drawn[1:])  # no social security number begins so
        if made is None or made == plain or (wrong and not wrong(made)):
            continue
        if valid and not all(form.fits(made) for form in kinds[1:]):
            continue
        candidate = _written(text, places, made)
        if candidate != text and not scope.forbidden(candidate):
            return candidate
    return None


def _number(scope: Scope, plain: str, attempt: int) -> int:
    """A number large enough to draw every character of the code from it."""
    parts = range(len(plain) // 48 + 1)
    return int.from_bytes(
        b"".join(scope.secret.digest(scope.patient, "code", plain, f"{attempt}.{part}") for part in parts)
    )


def _places(text: str, label: str) -> list[tuple[int, int, str]]:
    """What is replaced: where, the code of its alphabet's 0 or A (-1, -2: Chinese), and what it reads as."""
    kept: set[int] = set()
    if _MAY_KEEP.search(text):
        kept.update(at for match in _KEPT.finditer(text) for at in range(*match.span()))
    if label == "DEVICE":
        kept.update(at for match in _FIELD.finditer(text) for at in range(*match.span()))
    places: list[tuple[int, int, str]] = []
    for at, character in enumerate(text):
        if at in kept:
            continue
        if known := _ALPHABETS.get(character):
            places.append((at, *known))
        elif not character.isascii():
            found = _foreign(character, label)
            if found is None:
                return []  # a letter that we have no others for would stay in clear
            if found[1]:
                places.append((at, *found))
    return places


@lru_cache(maxsize=10_000)
def _foreign(character: str, label: str) -> tuple[int, str] | None:
    """A character beyond ASCII: its alphabet and how it reads; "" if it stays, None if there are no others like it."""
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return ord(character) - digit, str(digit)
    if character in "〇○零一幺二三四五六七八九":
        return -1, str(max(0, _HAN_DIGITS.find(character.replace("幺", "一"))))
    if label == "VEHICLE" and character in _PROVINCES:
        return -2, LETTERS[_PROVINCES.index(character) % 26]
    if not character.isalpha():
        return (0, "") if not character.isalnum() else None
    plain = base_of(character, "NFKD")
    if plain.isascii() and plain.isalpha():
        wide = "\uff21" <= character <= "\uff5a"
        small = character.islower()
        return (
            0xFF41 if small else 0xFF21
        ) if wide else 97 if small else 65, "Ñ" if character in "Ññ" else plain.upper()
    return (0, "") if "\u2e80" <= character <= "\u9fff" else None  # a rare one may tell whose it is


def _drawn(plain: str, letters: str, number: int) -> list[str]:
    """As many characters of the same kinds; no 0 first where none stood."""
    drawn = []
    for place, character in enumerate(plain):
        if not character.isdigit():
            number, at = divmod(number, len(letters))
            drawn.append(letters[at])
        elif place == 0 and character != "0":
            number, at = divmod(number, 9)
            drawn.append(DIGITS[at + 1])
        else:
            number, at = divmod(number, 10)
            drawn.append(DIGITS[at])
    return drawn


def _written(text: str, places: list[tuple[int, int, str]], made: str) -> str:
    """The text with the made characters in their places."""
    characters = list(text)
    for (at, first, _), character in zip(places, made, strict=True):
        if first in (48, 65):
            characters[at] = character
        elif first == -1:
            characters[at] = _HAN_DIGITS[int(character)]
        elif first == -2:
            characters[at] = _PROVINCES[LETTERS.index(character)]
        else:
            characters[at] = chr(first + (int(character) if character.isdigit() else ord(character) - 65))
    return "".join(characters)


def _rfc(drawn: list[str], plain: str, draw: int, days: int | None) -> str:
    """The tax number of Mexico has a birth date and no check that we know; the date stays one."""
    start = len(plain) - 9
    drawn[start : start + 6] = moved_date(plain[start : start + 6], "yymmdd", draw, days)
    return "".join(drawn)
