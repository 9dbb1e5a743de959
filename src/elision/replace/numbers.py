"""Who is who in a note: the persons and values of each kind, numbered as they come.

"Jane Roe" and "Roe" are one person; "3 May 2001" and "03/05/2001" are one date, and another date is another number.
"""

from __future__ import annotations

import re
from functools import cache

from elision.detect.lists import DROPPED, PARTICLES
from elision.detect.markup import bare
from elision.document import Document, Span
from elision.labels import parent
from elision.languages.base import DEFAULT
from elision.replace.originals import plain, squeezed

_WORD = re.compile(r"[^\W\d_]+")
_UNNAMED = ("INITIALS", "USERNAME")  # names of which no part is one


@cache
def called(label: str) -> str:
    """How a label is written in a text: names and dates without their roles."""
    return label if parent(label) not in ("NAME", "DATE") or label in _UNNAMED else parent(label)


def words_of(text: str) -> frozenset[str]:
    """The words of a name, without titles and particles."""
    low = plain(bare(text))
    words = frozenset(_WORD.findall(low)) - DROPPED - PARTICLES
    return words or frozenset(low.split())


def value_of(document: Document, span: Span) -> str:
    """What is the same for a value however it is written: the words of a name, the day of a date, letters and digits
    of anything else that is known."""
    text = document.text_of(span)
    if called(span.label) == "NAME":
        return "".join(sorted(words_of(text)))
    if parent(span.label) == "DATE":
        from elision.replace.dates import date_of

        day = date_of(bare(text), document.language or DEFAULT)
        if day is not None:
            return str(day)
    if parent(span.label) == "OTHER":
        return plain(bare(text)).strip() or text  # of no known kind: 1-11 and 11-1 may be two codes
    return squeezed(plain(bare(text))) or text


def numbers_of(document: Document) -> dict[tuple[int, int], int]:
    """By its place, the number of each span among those that are called alike."""
    people: list[frozenset[str]] = []
    values: dict[str, dict[str, int]] = {}
    numbers = {}
    for span in sorted(document.spans, key=lambda span: span.start):
        name = called(span.label)
        if name == "NAME":
            number = _person(people, words_of(document.text_of(span)))
        else:
            seen = values.setdefault(name, {})
            number = seen.setdefault(value_of(document, span), len(seen) + 1)
        numbers[span.start, span.end] = number
    return numbers


def _person(people: list[frozenset[str]], words: frozenset[str]) -> int:
    """The number of the person who has these words, or whose words are among these; initials stand for words."""
    for at, theirs in enumerate(people):
        if words == theirs or _within(words, theirs) or _within(theirs, words):
            people[at] = theirs | words
            return at + 1
    people.append(words)
    return len(people)


def _within(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether some words of a name are among others', of which they share one in full."""
    firsts = {word[0] for word in others}
    letters = {word for word in others if len(word) == 1}
    return any(len(word) > 1 for word in some & others) and all(
        word in others or (word in firsts if len(word) == 1 else word[0] in letters) for word in some
    )
