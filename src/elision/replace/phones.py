"""Stand-ins for telephone and fax numbers: written the same way, and fictional where a country keeps numbers for that.

A number is read as country code, trunk zeros, number and extension. Only digits change: the country code, the zeros
and the first digit (mobile or not) stay. The same number with its country code and without has the same stand-in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from elision.languages.base import DEFAULT, code_of, languages, region_of
from elision.languages.knowledge import Phones
from elision.replace.choices import Scope

LONGEST = 200
TRIES = 50
_EXTENSION = (
    r"(?:extension|extensión|extensão|extensie|extn|ext|interno|int|anexo|ramal|toestel|tst|x|转|轉|分机|分機|呼|叩|#)"
)
_EXTENSION_AT = re.compile(rf"(?<![^\W\d_]){_EXTENSION}\.? ?:?-? ?(?=\d)|\D#(?=\d)|#(?=\d+$)", re.IGNORECASE)
_STAYS = re.compile(
    rf"(?<![^\W\d_])(?:{_EXTENSION}|tel|fax|double|triple|doble|dubbel)(?![^\W\d_])|x{{2,}}", re.IGNORECASE
)
_CODES = re.compile(  # the calling codes of countries
    r"1|7|20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-689]\d|3[578]\d|42\d|50\d|59\d|6[789]\d|8[058]\d|9[679]\d"
)
_SCANNED = dict(zip("OolI", "0011", strict=True))
_HAN = "零一二三四五六七八九"
_HAN_VALUES = {character: str(value) for value, character in enumerate(_HAN)} | {"〇": "0", "○": "0", "幺": "1"}
_WORD = re.compile(r"[^\W\d_]+")

# Where Ofcom keeps numbers for drama: area codes whose numbers 496 0000 to 496 0999 nobody has.
_GB_AREAS = ("113", "114", "115", "116", "117", "118", "121", "131", "141", "151", "161")
# What the Australian authority keeps for fiction.
_AU_MOBILES = (
    "491570006 491570156 491570157 491570158 491570159 491570110 491570313 491570737 491571266 491571491 "
    "491571804 491572549 491572665 491572983 491573770 491573087 491574118 491574632 491575254 491575789 "
    "491576398 491576801 491577426 491577644 491578957 491578148 491578888 491579212 491579760 491579455"
)
_US_AREAS = (
    "201 202 205 206 207 208 209 212 213 214 215 216 217 218 219 303 304 305 307 308 309 312 313 314 315 316 317 "
    "318 319 401 402 404 405 406 407 408 410 412 413 414 415 417 419 501 502 503 504 505 507 508 509 512 513 515 "
    "516 517 518 601 602 603 605 606 607 608 609 612 614 615 616 617 618 619 701 702 703 704 706 707 708 712 713 "
    "714 715 716 717 718 719 801 802 803 804 805 806 808 810 812 813 814 815 816 817 818 901 903 904 906 907 908 "
    "909 910 912 913 914 915 916 918"
)


@cache
def _spoken(language: str) -> Mapping[str, tuple[str, str]]:
    """Words for a digit: the language, and the digit; a word of several languages is this one's, or the first one's."""
    found: dict[str, tuple[str, str]] = {}
    for code in (*reversed([*languages()]), *({language} & {*languages()})):
        phones = languages()[code].phones
        words = dict(zip(phones.spoken, range(10), strict=False)) | {**phones.also}
        found |= {word: (code, str(digit)) for word, digit in words.items()}
    return found


@dataclass(frozen=True, slots=True)
class Number:
    """A telephone number as it is written: each digit's place, how it is put back, and what the digits mean."""

    places: list[tuple[int, int, str]]  # start, end, and how the new digit is written: "0", "〇" or a language
    digits: str
    country: str
    trunk: int  # digits before the number proper: country code and zeros
    main: int  # where the extension begins among the digits


def phone(text: str, scope: Scope) -> str | None:
    """A telephone number of the same form; None where there is none, or letters that we cannot read."""
    if len(text) > LONGEST:
        return None
    number = read(text, scope.language)
    if number is None:
        return None
    proper, rest = number.digits[number.trunk : number.main], number.digits[number.main :]
    for attempt in range(TRIES):
        draw = int.from_bytes(scope.secret.digest(scope.patient, "phone", proper or rest, str(attempt)))
        made = _fictional(proper, number.country, draw) or _any(proper, number.country, draw)
        made += _any(rest, "", draw >> 97) if rest else ""
        if made == proper + rest:
            continue
        candidate = _written(text, number, number.digits[: number.trunk] + made)
        if candidate != text and not scope.forbidden(candidate):
            return candidate
    return None


fax = phone


def read(text: str, language: str = DEFAULT) -> Number | None:
    """What is written here as a telephone number."""
    stays: set[int] = set()
    words: dict[int, str] = {}
    if _WORD.search(text):
        stays = {at for match in _STAYS.finditer(text) for at in range(*match.span())}
        words = {match.start(): match[0] for match in _WORD.finditer(text) if match.start() not in stays}
    places: list[tuple[int, int, str]] = []
    digits = ""
    at = 0
    while at < len(text):
        character = text[at]
        if "0" <= character <= "9":
            places.append((at, at + 1, "0"))
            digits += character
            at += 1
            continue
        word = words.get(at, "")
        spoken = _spoken(code_of(language)).get(word.lower()) if word else None
        value = unicodedata.decimal(character, None)
        size = 1
        if value is not None:
            places.append((at, at + 1, chr(ord(character) - value)))
            digits += str(value)
        elif spoken:
            size = len(word)
            places.append((at, at + size, spoken[0]))
            digits += spoken[1]
        elif at in stays:
            pass
        elif character in _HAN_VALUES:
            places.append((at, at + 1, "零"))
            digits += _HAN_VALUES[character]
        elif character in _SCANNED and not _in_word(text, at):
            places.append((at, at + 1, "0"))
            digits += _SCANNED[character]
        elif "A" <= character <= "Z":  # 1-800-GET-WELL: the letters are keys
            places.append((at, at + 1, "0"))
            digits += "22233344455566677778889999"[ord(character) - 65]
        elif character.isalpha():
            return None  # a word that we do not know may be anybody's name
        at += size
    if not digits or len(digits) > 40:
        return None
    main = _main(text, places)
    country, trunk = _country(text, digits[:main], language)
    if trunk >= main:  # zeros only
        trunk = 0
    return Number(places, digits, country, trunk, main)


def _in_word(text: str, at: int) -> bool:
    """Whether a letter stands among letters that are no scanned digits."""
    near = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
    return any(character.isalpha() and character not in _SCANNED for character in near)


def _main(text: str, places: Sequence[tuple[int, int, str]]) -> int:
    """How many digits stand before the extension."""
    match = next((match for match in _EXTENSION_AT.finditer(text) if match.start() > 0), None)
    if match is None:
        return len(places)
    return sum(start < match.end() for start, _, _ in places)


def _country(text: str, digits: str, language: str) -> tuple[str, int]:
    """The country's calling code, and how many digits stand before the number proper."""
    zeros = 2 if digits.startswith("00") else 0
    if (zeros or text.lstrip(" (").startswith("+")) and (match := _CODES.match(digits, zeros)):
        trunk = match.end()
        if digits[trunk : trunk + 1] == "0":  # +44 (0)20
            trunk += 1
        return match[0], trunk
    zeros = len(digits) - len(digits.lstrip("0")) if len(digits) > 6 else 0
    known = languages().get(code_of(language))
    return (known.phones if known else Phones()).home(digits, zeros, region_of(language))


def _fictional(proper: str, country: str, draw: int) -> str | None:
    """A number that a country keeps for films and examples, as long as this one."""
    if country == "1":
        return _american(proper, draw)
    if country == "44" and len(proper) == 10:
        return _british(proper, draw)
    if country == "61":
        return _australian(proper, draw)
    return None


def _american(proper: str, draw: int) -> str | None:
    last = f"55501{draw % 100:02}"
    if len(proper) == 7:
        return last
    if len(proper) != 10:
        return None
    free = proper[0] == "8" and proper[1] == proper[2]
    areas = _US_AREAS.split(" ")
    return (proper[:3] if free else areas[draw // 100 % len(areas)]) + last


def _british(proper: str, draw: int) -> str:
    three, last = f"{draw % 1000:03}", draw // 1000
    if proper[0] == "7":
        return f"7700900{three}"
    if proper[0] == "2":
        return f"2079460{three}"
    if proper[0] == "3":
        return f"3069990{three}"
    if proper[0] == "8":
        return f"8081570{three}"
    if proper[0] == "9":
        return f"9098790{three}"
    if proper[1] == "1" or proper[2] == "1":
        return f"{_GB_AREAS[last % len(_GB_AREAS)]}4960{three}"
    return f"1632960{three}"


def _australian(proper: str, draw: int) -> str | None:
    four = f"{draw % 10_000:04}"
    block = "5550" if draw // 10_000 % 2 else "7010"
    if len(proper) == 10 and proper[:4] in ("1300", "1800"):
        return f"{proper[:4]}9757{7 + draw % 5:02}"
    if len(proper) == 9 and proper[0] == "4":
        mobiles = _AU_MOBILES.split(" ")
        return mobiles[draw % len(mobiles)]
    if len(proper) == 9:
        return f"{'2378'[draw // 20_000 % 4]}{block}{four}"
    return f"{block}{four}" if len(proper) == 8 else None


def _any(proper: str, country: str, draw: int) -> str:
    """Other digits; the first stays in a long number, as it tells mobile from fixed."""
    kept = 0 if len(proper) < 8 else 1
    made = proper[:kept]
    for place in range(kept, len(proper)):
        low = 3 if country == "86" and place == 1 and proper[0] == "1" else place == 0 and proper[0] != "0"
        draw, more = divmod(draw, 10 - low)
        made += str(low + more)
    return made


def _written(text: str, number: Number, made: str) -> str:
    """The text with the made digits, each as its own was written."""
    pieces: list[str] = []
    at = 0
    for (start, end, how), digit, old in zip(number.places, made, number.digits, strict=True):
        word = digit
        if how != "0":
            word = text[start:end] if digit == old else _digit(int(digit), how, text[start:end])
        pieces += (text[at:start], word)
        at = end
    return "".join((*pieces, text[at:]))


def _digit(digit: int, how: str, before: str) -> str:
    if how == "零":
        return _HAN[digit]
    if len(how) == 1:
        return chr(ord(how) + digit)
    word = languages()[how].phones.spoken[digit]
    return word.upper() if before.isupper() else word.capitalize() if before[0].isupper() else word
