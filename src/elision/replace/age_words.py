"""Numbers as they stand in ages, written with digits or in words of a language."""

from __future__ import annotations

import re
from functools import cache

from elision.languages.base import languages
from elision.languages.knowledge import Ages, Found, said

_DIGITS = re.compile(r"(\d{1,4})(?:[.,;]\d{1,2}(?!\d)|½)?", re.ASCII)
_PART = re.compile(r"(\d{1,3}) ?/ ?(12|52|365|7)(?!\d)(?:ths?)?", re.ASCII)  # 7/12: seven months
_SCANNED = re.compile(r"(?<![^\W_])(?=\w*[\dO])[\dlIO][\dlIOo](?![^\W\d_][^\W_]|\d|[lIOo])")
_WORD = re.compile(r"[^\W\d_]+")


@cache
def ages_of(code: str) -> Ages:
    """What a language knows of ages; nothing for one that we do not know."""
    return languages()[code].ages if code in languages() else Ages()


def numbers(text: str, language: str) -> list[Found]:
    """The numbers in a folded text, by place; words in one language."""
    found = [*_by_digits(text)]
    taken = {at for one in found for at in range(one.start, one.end)}
    ages = ages_of(language)
    more = ages.numbers(text) if ages.numbers else _by_words(text.lower(), ages)
    return sorted([*found, *(one for one in more if one.start not in taken)])


def _by_digits(text: str) -> list[Found]:
    found = [
        Found(match.start(), match.end(), int(match[1]) / int(match[2]), int(match[1]) / int(match[2]), "part")
        for match in _PART.finditer(text)
    ]
    taken = {at for one in found for at in range(one.start, one.end)}
    for match in _SCANNED.finditer(text):
        if not match[0].isdigit() and match.start() not in taken:
            value = int(match[0].translate(str.maketrans("OolI", "0011")))
            found.append(Found(*match.span(), value, value))
            taken.update(range(*match.span()))
    return found + [_digits(match, text) for match in _DIGITS.finditer(text) if match.start() not in taken]


def _digits(match: re.Match[str], text: str) -> Found:
    value = int(match[1])
    tail = text[match.end() : match.end() + 3].lower()
    decade = re.match(r"['’]?s\b", tail) is not None and value % 10 == 0
    nth = re.match(r"(?:st|nd|rd|th|ste|de|e)\b", tail) is not None
    return Found(*match.span(), value, value + 9 * decade, "decade" if decade else "nth" if nth else "")


def _by_words(text: str, ages: Ages) -> list[Found]:
    """Numbers in words: the longest run of words that says one."""
    words = [*_WORD.finditer(text)]
    known = said(ages.words)
    found = []
    at = 0
    while at < len(words):
        for size in range(min(5, len(words) - at), 0, -1):
            value = known.get(" ".join(word[0] for word in words[at : at + size]))
            if value is not None:
                found.append(Found(words[at].start(), words[at + size - 1].end(), *value))
                at += size
                break
        else:
            one = _single(words[at], ages)
            found += [one] if one else []
            at += 1
    return found


def _single(word: re.Match[str], ages: Ages) -> Found | None:
    """A word that says an age by itself, or begins with a number."""
    start, end = word.span()
    if ages.joined and (match := ages.joined.match(word[0])):
        value = said(ages.words).get(match[1])
        if value:
            return Found(start, start + len(match[1]), value[0], value[1])
    for stem, (years, kind) in ages.stems.items():
        if word[0].startswith(stem) and len(word[0]) - len(stem) < 3:
            return Found(start, end, years, years + 9, kind)
    stage = ages.stages.get(word[0])
    return None if stage is None else Found(start, end, stage, stage)
