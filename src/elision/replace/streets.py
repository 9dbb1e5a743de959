"""Streets and house numbers: the kind of street, flats and directions stay; names and numbers become others."""

from __future__ import annotations

import re
from functools import cache

from elision.languages.base import COMMON, region_of
from elision.replace.choices import Choices, Scope
from elision.replace.name_lists import is_listed, other_letter
from elision.replace.names import stand_in
from elision.replace.place_lists import is_state, latin, state, town, town_countries
from elision.replace.standins import base, choices, places_of, plain_words, words
from elision.replace.words import digits, dressed, pick, plain

PIECE = re.compile(
    r"(?P<nth>\d+(?:st|nd|rd|th|ST|ND|RD|TH)(?!\w))|(?P<number>\d+)|(?P<word>[^\W\d_ªº]+(?:['’][^\W\d_]{2,})*)"
)
NO_LETTERS = Choices(())
_FLATS = Choices("ABCDEFGH")


@cache
def generic(language: str, *names: str) -> frozenset[str]:
    """Words that stay: kinds of streets, floors, particles, titles."""
    file = latin(language)
    found = frozenset(word for name in (*names, "street", "around") for word in plain_words(file, f"words.{name}"))
    return found | (plain_words(COMMON, "particle") - {"v", "d"} if places_of(language).particles else frozenset())


def has_street(text: str, language: str) -> bool:
    """Whether a word of this piece is a kind of street, or ends in one as Dutch ones do."""
    file = latin(language)
    kinds = plain_words(file, "words.street")
    found = [plain(word) for word in re.findall(r"[^\W\d_]+", text)]
    if any(word in kinds for word in found):
        return len(found) > 1 or any(c.isdigit() for c in text)
    return any(_ending(word, language) for word in found)


@cache
def _endings(language: str) -> tuple[str, ...]:
    kinds = words(language, "words.street") if places_of(language).joined_streets else ()
    return tuple(sorted(kinds, key=len, reverse=True))


def _ending(word: str, language: str) -> str:
    """The kind of street that ends a word, as Dutch has it: Kerkstraat."""
    fitting = (end for end in _endings(language) if len(end) > 2 and word.endswith(end))
    return next((end for end in fitting if len(word) > len(end) + 1), "")


def street(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another street of the same kind, with other numbers of as many digits."""
    return replaced(text, scope, generic(base(scope.language)), turn, letters=_FLATS)


def replaced(
    text: str, scope: Scope, keep: frozenset[str], turn: int = 0, letters: Choices = NO_LETTERS, small: bool = False
) -> str | None:
    """A text with all words but those to keep replaced: towns by towns, names by names, numbers by numbers.

    With `small`, unknown words in small letters stay where there are capitals: they are words of the language.
    """
    pieces = list(PIECE.finditer(text))
    moved, last, at = "", 0, 0
    while at < len(pieces):
        size = _town_at(text, pieces, at, keep, scope.language)
        until = pieces[at + max(size, 1) - 1].end()
        stretch = text[pieces[at].start() : until]
        other = town(stretch, scope, turn) if size else _one(pieces[at], scope, keep, turn, letters, small)
        if other is None:
            return None
        moved += text[last : pieces[at].start()] + other
        last, at = until, at + max(size, 1)
    return moved + text[last:]


def _town_at(text: str, pieces: list[re.Match[str]], at: int, keep: frozenset[str], language: str) -> int:
    """How many words from here are the name of a town; 0 if none are.

    In some languages, a town of the usual country only.
    """
    known = town_countries(latin(language))
    only = places_of(language).towns_of
    here = region_of(language) or only
    if pieces[at].lastgroup != "word":
        return 0
    for size in range(min(4, len(pieces) - at), 0, -1):
        last = pieces[at + size - 1]
        word = plain(text[pieces[at].start() : last.end()]) if last.lastgroup == "word" else ""
        if word in known and (size > 1 or word not in keep) and (not only or here in known[word]):
            return size
    return 0


def _one(
    piece: re.Match[str], scope: Scope, keep: frozenset[str], turn: int, letters: Choices, small: bool
) -> str | None:
    text = piece[0]
    if piece.lastgroup == "number":
        return digits(text, scope, turn=turn)
    if piece.lastgroup == "nth":
        return _nth(digits(text[:-2], scope, turn=turn), text)
    word = plain(text)
    if len(text) == 1:
        glued = piece.string[: piece.start()][-1:].isdigit()
        if word in keep and not glued:
            return text
        after_number = piece.string[: piece.start()].rstrip(" ,.ºª-")[-1:].isdigit()
        if text.upper() in letters and (small or after_number):
            other = pick(letters, scope, lambda c: c != text.upper(), "flat", word, turn=turn)
            return other.lower() if other and text.islower() else other
        return other_letter(text, scope)
    if word in keep:
        return text
    if len(text) > 3 and is_state(text, base(scope.language)):
        return state(text, scope, turn)
    language = base(scope.language)
    if end := _ending(word, language):
        found = pick(choices(language, "stems"), scope, lambda stem: plain(stem) not in word, "stem", word, turn=turn)
        return dressed(found + end, text) if found else None
    if text.isupper() and len(text) < 5 and _is_acronym(piece):
        return "".join(other_letter(c, scope) for c in text)
    if small and text.islower() and not piece.string.islower() and not is_listed(word):  # a town was found before
        return text
    return stand_in(text, scope, (), turn)


def _is_acronym(piece: re.Match[str]) -> bool:
    """Capitals among other words in small letters, or alone: MGH, not HIGH STREET."""
    rest = piece.string[: piece.start()] + piece.string[piece.end() :]
    return any(c.islower() for c in rest) or not any(c.isalpha() for c in rest)


def _nth(number: str, like: str) -> str:
    """5th, 21st: the ending that the number has in English."""
    end = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + (end.upper() if like.isupper() else end)
