"""The names in use, by what a name is and by its first letter.

What a word is (given name or surname, a woman's or a man's) depends on the word alone, never on where it stands, so
that it has one stand-in in "Roe", "Jane Roe" and "Roe, J.".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import accumulate

from elision.languages.base import COMMON, languages
from elision.replace.choices import Choices
from elision.replace.standins import choices, known_words, latin, table
from elision.replace.words import LETTERS, plain

FEMALE, MALE, EITHER, SURNAME, BEHIND, PINYIN = "female", "male", "either", "surname", "behind", "pinyin"
KINDS = (FEMALE, MALE, EITHER, SURNAME)

Pools = Mapping[str, Mapping[str, Choices]]  # kind -> letter -> names


@cache
def _kinds(language: str) -> Mapping[str, str]:
    """What plain words are as names: by the lists of the language, then those of the others, then what all share."""
    found: dict[str, str] = {}
    for code in (COMMON, *reversed([*languages()]), language):
        found |= {word: kind for kind in KINDS for word in known_words(code, kind)}
    for special in (BEHIND, PINYIN):  # where a language has them
        found |= dict.fromkeys(known_words(language, special), special)
    return found


@cache
def _listed() -> frozenset[str]:
    syllables = (word for code in languages() for word in known_words(code, PINYIN))
    names = (word for code in (COMMON, *languages()) for kind in KINDS for word in known_words(code, kind))
    return frozenset((*names, *syllables))


def is_listed(word: str) -> bool:
    """Whether a plain word stands in any list of names."""
    return word in _listed()


def kind(word: str, language: str) -> str:
    """What a plain word is as a name, by the first list that has it; what stands in none is a surname."""
    return _kinds(language).get(word, SURNAME)


def by_letter(names: Iterable[str]) -> Mapping[str, Choices]:
    """Names by their first letter."""
    found: dict[str, list[str]] = {letter: [] for letter in LETTERS}
    for name in names:
        found[plain(name)[0]].append(name)
    return {letter: Choices(listed) for letter, listed in found.items()}


@cache
def pools(language: str) -> Pools:
    """All stand-ins of a language by kind and letter."""
    lists = {name: choices(latin(language), name) for name in KINDS}
    lists |= {name: choices(language, name) for name in (BEHIND, PINYIN)}
    return {name: by_letter(listed) for name, listed in lists.items()}


@cache
def letter_shares(language: str) -> tuple[int, ...]:
    """How many surnames of the language begin with each letter or one before it. Each letter has some."""
    shares = table(latin(language), "letters")
    return tuple(accumulate(int(str(shares[letter])) for letter in LETTERS))
