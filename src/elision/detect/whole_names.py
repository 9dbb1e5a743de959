"""A name with the rest of it: the given name before it, the surname behind, initials, particles, double names.

A word goes with a name that stands beside it if it is written like it and is a name itself (`lists`). What is likelier
the beginning of a sentence, a title, a heading or a drug stays.
"""

from __future__ import annotations

import re
from functools import cache

from elision.detect.lists import (
    LIKELY,
    NO,
    PARTICLES,
    RARE,
    SURE,
    TITLES,
    is_given,
    is_listed,
    is_place,
    is_word,
    keys_of,
    name_of,
)
from elision.detect.whole_titles import with_titles
from elision.detect.whole_values import Stretch
from elision.detect.words import bare
from elision.languages import detection
from elision.languages.detection import any_of, everywhere
from elision.text.characters import HAN_RANGES

MOST_WORDS = 3  # that a name grows by on a side
WINDOW, BEFORE = 72, 40  # characters that are looked at behind a name, and before it
MOST_OF_RARE = 10  # letters of a name that no list has; longer words are as often made of two
WRAPPED = 56  # a line at least so long may go on in the next

_L = rf"[^\W\d_{HAN_RANGES}]"
_WORD = rf"{_L}{{1,24}}(?:['’-]{_L}{{1,24}}){{0,2}}"
_GAP = r"(?: |\u00a0|\r?\n)"
_PARTICLE = f"(?:{any_of('name_particles')})"
# Particles of two words that go with any name behind them, and those that a place has as often as a name.
_SURELY, _OF_PLACES = everywhere("sure_particles"), everywhere("place_particles")
_WORD_AFTER = re.compile(rf"({_GAP})({_WORD})(?![\w'’-])")
_WORD_BEFORE = re.compile(rf"(?<![\w'’-])({_WORD})({_GAP})\Z")
_PARTICLES_AFTER = re.compile(rf"[ -]({_PARTICLE})[ ]({_WORD})(?![\w'’-])")
_PARTICLES_BEFORE = re.compile(rf"(?<![\w'’-])({_PARTICLE}) \Z")
_HYPHEN_AFTER = re.compile(rf"[-‐]({_L}{{2,24}})(?![\w'’-])")
_HYPHEN_BEFORE = re.compile(rf"(?<![\w'’-])({_L}{{2,24}})[-‐]\Z")
_GIVEN_AFTER = re.compile(rf",[ ]{{0,2}}({_WORD})(?![\w'’-])")
_INITIAL_AFTER_COMMA = re.compile(r",[ ]?([A-ZÀ-Þ]\.)(?!\w| ?[A-ZÀ-Þ]\.)")
_SURNAME_BEFORE = re.compile(rf"(?:^|[\n|;:\t/]) {{0,3}}({_WORD}),[ ]{{0,2}}\Z")
_INITIAL_AFTER = re.compile(r"[ \u00a0]([A-ZÀ-Þ]\.)(?=[\s,;:)/|]|$)")
_LETTER_AFTER = re.compile(r"[ \u00a0]([B-DGJ-LNP-TWZ])(?=[,;:)|\n]|  |$)")
_INITIALS_BEFORE = re.compile(r"(?<![\w.'’-])((?:[A-ZÀ-Þ]\.[ -]?){1,4})\Z")
_INITIALS = re.compile(r"(?:[A-ZÀ-Þ]\.?[ -]?){1,4}")
_LETTER_BEFORE = re.compile(r"(?<![\w.'’-])([A-ZÀ-Þ][ \u00a0])\Z")
# Inside a sentence, or behind a title, so that it is no sentence's first word.
_CAPITAL_PARTICLES_BEFORE = re.compile(
    rf"(?:[^\W\d_A-ZÀ-Þ][ \u00a0]|[,;(/][ \u00a0]?|\b(?:{any_of('short_titles')})\. )"
    rf"((?:{any_of('capital_particles')}) )\Z"
)
_TITLED = re.compile(rf"(?<![\w'’-])(?:{any_of('titles_before')})\.?[ \u00a0]\Z", re.IGNORECASE)
# Behind these, a letter with a dot is no initial, or the end of a sentence.
_NO_INITIAL_BEHIND = re.compile(rf"(?:\d|\b(?:{any_of('no_initial_behind')}))[ \u00a0-]?\Z", re.IGNORECASE)
_NO_TAIL = keys_of("no_tails")
# One word of a name in small letters with a capital; no FRCPath.
_WRITTEN = re.compile(
    r"(?:(?:Mc|Mac|Fitz|O['’]|D['’]|L['’]|De|Di|La|Le|Van)?[A-ZÀ-ÖØ-ÞĀ-Ž][^\W\d_A-ZÀ-ÖØ-Þ]{1,23}|"
    r"[A-ZÀ-Þ]['’][A-ZÀ-Þ]?[a-zà-ÿ]{1,23})(?:[-’'](?:[A-ZÀ-ÖØ-ÞĀ-Ž])?[^\W\d_A-ZÀ-ÖØ-Þ]{1,23}){0,2}"
)
_NO_NAMES = TITLES | keys_of("no_names")  # before or behind a name, what somebody is, or a heading


def grown_name(part: Stretch) -> tuple[int, int]:
    """Where the name begins and ends of which a part was found."""
    text, start, end, floor, ceiling, language = part
    start, end = with_titles(part)
    for _ in range(MOST_WORDS):
        further = _further(text, start, end, ceiling, language)
        if further == end:
            break
        end = further
    for _ in range(MOST_WORDS):
        earlier = _earlier(text, start, end, floor, language)
        if earlier == start:
            break
        start = earlier
    return start, end


def joins(text: str, end: int, start: int, language: str) -> bool:
    """Whether two names with this between them are one: a blank, initials, particles of two words, one more name."""
    found = _JOINT.fullmatch(text, end, start) if 0 < start - end <= 32 else None
    if not found or not (_LATIN.match(text, end - 1) or text[end - 1] == ".") or not _LATIN.match(text, start):
        return False
    return not found[1] or (_WRITTEN.fullmatch(found[1]) is not None and name_of(found[1], language) > NO)


_LATIN = re.compile(_L)
_JOINT = re.compile(
    rf"[ \u00a0](?:[A-ZÀ-Þ]\.[ \u00a0-]?|[A-Z] ){{0,3}}(?:({_L}{{2,24}})[ \u00a0])?"
    rf"(?:(?:{any_of('joining_particles')})[ \u00a0])?"
)


def _further(text: str, start: int, end: int, ceiling: int, language: str) -> int:
    until = min(ceiling, end + WINDOW)
    here = text[end : end + 1]
    if end >= until or here not in " \u00a0\r\n,-‐":
        return end
    last = _last_word(text, start, end)
    if not last:
        return end
    if here in "-‐":
        found = _HYPHEN_AFTER.match(text, end, until)
        if found and (found[1][0].isupper() or (found[1] not in _NO_TAIL and len(found[1]) < 8)):
            return found.end()
    if here == ",":
        found = _GIVEN_AFTER.match(text, end, until)
        if found and is_given(found[1]) and _is_name(found[1], last, language, SURE):
            return found.end()
        found = _INITIAL_AFTER_COMMA.match(text, end, until)
        return found.end() if found else end
    found = _INITIAL_AFTER.match(text, end, until) or _LETTER_AFTER.match(text, end, until)
    if found:
        return found.end()
    found = _PARTICLES_AFTER.match(text, end, until)
    if found and _WRITTEN.fullmatch(found[2]) and _is_title(last):
        kind = name_of(found[2], language)
        if (kind == SURE and not is_place(found[2])) or (
            " " in found[1] and (kind > NO or found[1].startswith(_SURELY))
        ):
            return found.end()
    found = _WORD_AFTER.match(text, end, until)
    if not found:
        return end
    alone, ends = len(last) == end - start, _ENDS.match(text, found.end()) is not None
    titled = bool(_INITIALS.fullmatch(text, start, end) and _TITLED.search(text[max(0, start - 16) : start]))
    if not _goes_on(found[2], last, language, alone, ends, titled):
        return end
    sure = name_of(found[2], language) == SURE
    if found[1] not in " \u00a0":
        return found.end() if sure and text[end - 1].isalpha() and _wrapped(text, end, found.end()) else end
    return found.end() if sure or not _NO_NAME_BEFORE.match(text, found.end()) else end


def _goes_on(word: str, last: str, language: str, alone: bool, ends: bool, titled: bool) -> bool:
    """Whether a word behind a name is the rest of it."""
    if bare(word) in _NO_NAMES or bare(word) in PARTICLES:
        return False
    if bare(last) in PARTICLES and len(last) > 1:  # there must be more
        return _WRITTEN.fullmatch(word) is not None or (word.isupper() and len(word) > 3)
    if len(last) == 1:  # an initial
        return word[0].isupper() and len(word) > 2 and (titled or is_listed(word) or name_of(word, language) > NO)
    if _is_name(word, last, language, RARE if _is_title(last) else LIKELY):
        return True
    if word.isupper():  # Alma WESSELIUS, as letters have it
        return len(word) > 5 and alone and _is_title(last) and is_given(last) and "-" not in word and not is_word(word)
    return _is_title(last) and _WRITTEN.fullmatch(word) is not None and len(word) > 2 and is_listed(word, rare=ends)


def _goes_before(word: str, language: str) -> bool:
    """Whether a word with a hyphen behind it is the first half of a name."""
    return is_listed(word) or bare(word) in PARTICLES or name_of(word, language) > NO


def _is_title(word: str) -> bool:
    return word[:1].isupper() and not (word.isupper() and len(word) > 1)


def _is_name(word: str, beside: str, language: str, least: int) -> bool:
    """Whether a word that stands beside a word of a name, and is written like it, is a name."""
    size, kind = len(word), name_of(word, language)
    if kind < least or size < 2 or bare(word) in _NO_NAMES:
        return False
    if word.isupper():
        if "-" in word and min(map(len, word.split("-"))) < 3:  # PA-C
            return False
        return (size > 3 and kind == SURE) or (size > 4 and kind >= LIKELY and not beside.isupper())
    return _WRITTEN.fullmatch(word) is not None and (kind >= LIKELY or 3 < size <= MOST_OF_RARE)


def _earlier(text: str, start: int, end: int, floor: int, language: str) -> int:
    since = max(floor, start - BEFORE)
    before = text[since:start]
    if not before or before[-1] not in " \u00a0\n.-‐," or _is_plain(before):
        return start
    first = _first_word(text, start, end)
    if not first:
        return start
    if before[-1] in "-‐":
        found = _HYPHEN_BEFORE.search(before)
        if found and found[1][0].isupper() and bare(found[1]) not in _NO_NAMES and _goes_before(found[1], language):
            return since + found.start()
        return start
    found = _INITIALS_BEFORE.search(before)
    if found and first[0].isupper() and len(first) > 1:
        titled = _TITLED.search(before[: found.start(1)]) is not None
        allowed = titled or (_initials_first(language) and not _NO_INITIAL_BEHIND.search(before[: found.start(1)]))
        return since + found.start(1) if allowed else start
    found = _SURNAME_BEFORE.search(before)
    if found and _may_precede(found[1], first) and _is_name(found[1], first, language, LIKELY):
        return since + found.start(1)
    found = _LETTER_BEFORE.search(before)
    if found and _TITLED.search(before[: found.start(1)]):
        return since + found.start(1)
    found = _CAPITAL_PARTICLES_BEFORE.search(before)
    if found and first[0].isupper():
        return since + found.start(1)
    found = _PARTICLES_BEFORE.search(before)
    if found and first[0].isupper():
        rest = before[: found.start(1)]
        titled = _TITLED.search(rest) is not None or _INITIALS_BEFORE.search(rest) is not None
        allowed = titled or (" " in found[1] and not found[1].startswith(_OF_PLACES))
        return since + found.start(1) if allowed else start
    found = _WORD_BEFORE.search(before)
    if found and (found[2] in " \u00a0" or _wrapped(text, since + found.start(2), end)):
        word = found[1]
        if not _may_precede(word, first):
            return start
        titled = _TITLED.search(before[: found.start(1)]) is not None
        least = RARE if titled and len(word) > 3 else LIKELY if is_given(word) and len(word) > 3 else SURE
        if _is_name(word, first, language, least):
            return since + found.start(1)
    return start


@cache
def _initials_first(language: str) -> bool:
    """Whether initials stand before a surname without a title, too."""
    return bool(detection.of(language).get("initials_first", True))


def _is_plain(before: str) -> bool:
    """Whether a word in small letters stands before, no particle, or a short form with a dot, as mostly: it is told
    without patterns."""
    word = before[before.rfind(" ", 0, -1) + 1 : -1]
    if before[-1] != " ":
        return False
    if word[-1:] == ".":
        return len(word) > 2 and word[:-1].isalpha() and word != "St."
    return word.isalpha() and word.islower() and word not in _PARTICLES


_PARTICLES = PARTICLES | keys_of("short_particles")


def _may_precede(word: str, first: str) -> bool:
    """Whether a word is written like the name behind it, and is no title."""
    return (
        len(word) > 2 and bare(word) not in _NO_NAMES and not (word.isupper() and len(word) < 5 and not first.isupper())
    )


def _wrapped(text: str, at: int, behind: int) -> bool:
    """Whether the line that ends here was perhaps broken to fit a width, in prose, and the next is no field."""
    line = text[text.rfind("\n", max(0, at - 4 * WRAPPED), at) + 1 : at]
    following = text[behind : behind + WRAPPED].partition("\n")[0]
    return WRAPPED < len(line) < 4 * WRAPPED and not _COLUMNS.search(line) and not _COLUMNS.search(following)


_ENDS = re.compile(r"[,;)(|\n]|[ \t]{2}|\.?\Z")
_NO_NAME_BEFORE = re.compile(r"[ \t]{0,2}[:=\d]")  # it is a field, or a drug with its dose
_COLUMNS = re.compile(r"[|\t:=]|  ")


def _last_word(text: str, start: int, end: int) -> str:
    found = _LAST.search(text[max(start, end - 26) : end])
    return found[1] if found else ""


def _first_word(text: str, start: int, end: int) -> str:
    found = _FIRST.match(text[start : min(end, start + 26)])
    return found[1] if found else ""


_LAST = re.compile(rf"({_L}{{1,24}})\.?\Z")
_FIRST = re.compile(rf"({_L}{{1,24}})")
