"""Known addresses: streets and places as words, postcodes as codes, Chinese ones by their parts."""

from __future__ import annotations

import re

from elision.detect.index import ANY_STREET, Index
from elision.detect.lists import COMMON, PARTICLES, STREET_ENDINGS, STREETS
from elision.detect.words import bare, spellings, units_of_value
from elision.languages.detection import any_of, everywhere
from elision.text.characters import HAN_RANGES, has_han
from elision.text.fold import fold

_POSTCODE = re.compile(
    r"\b(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}|\d{5}-\d{4}|\d{5,6})\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_PIECE = re.compile(r"[,;\n\r]+")
_HAN_PIECE = re.compile(rf"[{HAN_RANGES}\d]+?(?:{any_of('address_ends')})|.+", re.DOTALL)
_HAN_STREET, _HAN_PLACE = everywhere("street_ends"), everywhere("place_ends")
SHORTEST_PLACE = 4  # letters of a place's name that is searched alone
SHORTEST_WHOLE = 7  # characters of a street with its number that is searched as it is, too
LONGEST_SIDE = 4  # letters of a word such as "bis" or "izq" that goes with a number


def add_address(index: Index, value: str, kinds: tuple[int, int, int]) -> list[tuple[str, int]]:
    """List the words of an address under the kinds (street, place, postcode); returns what is to be searched as codes.

    Words are searched beside a number or a word such as "street" of the same address, or beside each other; the
    name of a place, or of a street in one word (Keizersgracht), alone, too.
    """
    street, place, zip_ = kinds
    text = fold(value).text
    codes: list[tuple[str, int]] = []
    for piece in _whole_pieces(text):
        if has_han(piece):
            codes += _han(piece.strip(), street, place)
            continue
        posts = _POSTCODE.findall(piece)
        rest = _POSTCODE.sub(" ", piece) if posts else piece
        if len(piece) > SHORTEST_WHOLE and _DIGIT.search(rest):
            codes.append((piece, street))
        codes += [(post, zip_) for post in posts]
        _add_words(index, rest if _leaves_words(rest) else piece, street, place)
        if not posts and re.fullmatch(r"\s*\d{4}\s*", piece):
            codes.append((piece.strip(), zip_))
    return codes


def _whole_pieces(text: str) -> list[str]:
    """The address at its commas; "7" and "3º izq" stay with the street before them."""
    found: list[str] = []
    for piece in _PIECE.split(text):
        keys = units_of_value(piece).keys
        if found and all(len(key) < LONGEST_SIDE + key.isdigit() or key in STREETS for key in keys):
            found[-1] += " " + piece
        elif piece.strip():
            found.append(piece)
    return found


def _leaves_words(rest: str) -> bool:
    """Whether a piece has a number other than its postcode, or none: "12345 Elm Street" keeps its number."""
    return _DIGIT.search(rest) is not None or not (set(map(bare, re.findall(r"[^\W\d_]+", rest))) & STREETS)


def _add_words(index: Index, piece: str, street: int, place: int) -> None:
    units = units_of_value(piece)
    cores: list[tuple[str, tuple[str, ...]]] = []
    sides: set[str] = set()
    before: list[str] = []
    generic = numbered = False
    for text, key in zip(units.texts, units.keys, strict=True):
        if text.isdigit():
            numbered = True
            sides.add(key)
        elif (
            key in STREETS
            or (len(key) <= 2 and key not in PARTICLES)
            or (numbered and cores and len(key) < LONGEST_SIDE)
        ):
            generic = generic or key in STREETS
            sides.add(key)
        elif key in PARTICLES:
            before.append(key)
        else:
            cores.append((text, tuple(before)))
            before = []
    sides.update(before)  # the "s/n" at the end of a street without a number
    compound = any(bare(text).endswith(STREET_ENDINGS) for text, _ in cores)
    kind = street if generic or numbered or compound else place
    if kind == street:
        sides.add(ANY_STREET)
    for text, particles in cores:
        key = bare(text)
        if kind == street:
            alone = len(key) > 7 and key.endswith(STREET_ENDINGS)
        else:
            alone = len(cores) == 1 and len(key) >= SHORTEST_PLACE and key not in COMMON
        index.add(spellings(text), kind, alone=alone, beside=sides, before=particles or None)


def _han(piece: str, street: int, place: int) -> list[tuple[str, int]]:
    """A Chinese address: the whole, from the street on, the street, and the name of each place."""
    parts = [match[0] for match in _HAN_PIECE.finditer(piece)]
    found = [(piece, street)]
    for at, part in enumerate(parts):
        if len(part) < 3:
            continue
        if part.endswith(_HAN_STREET):
            found += [("".join(parts[at:]), street), ("".join(parts[at : at + 2]), street), (part, street)]
        elif part[-1] in _HAN_PLACE:
            found.append((part, place))
    return found
