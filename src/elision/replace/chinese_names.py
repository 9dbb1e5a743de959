"""Chinese names: a surname for the surname, a given name of as many characters; titles and masks stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from elision.languages.base import region_of
from elision.replace.choices import Choices, Scope
from elision.replace.standins import choices, han, known, words
from elision.replace.words import pick

MASK = r"[Xx×＊*○]{1,3}(?![A-Za-z])|某{1,2}"
_MASKED = re.compile(rf"(.*?)({MASK}|某+)")
TRADITIONAL, SIMPLE = "-traditional", ""  # ends of the names of lists


@cache
def _traditional() -> frozenset[str]:
    """Characters that only lists of Taiwan have."""
    return frozenset("".join(words(han(), "traditional")))


def is_traditional(text: str, language: str) -> bool:
    """Whether a text is in traditional script; where its characters do not tell, the language's country does."""
    return any(c in _traditional() for c in text) or region_of(language) in ("TW", "HK", "MO", "HANT")


def script_of(text: str, language: str) -> str:
    """The script of a text, as lists have it at the end of their names."""
    return TRADITIONAL if is_traditional(text, language) else SIMPLE


def surnames(script: str) -> tuple[Choices, Choices]:
    """Surnames of one character, and of two."""
    return choices(han(), f"surnames{script}"), choices(han(), f"double{script}")


@cache
def _known_surnames() -> frozenset[str]:
    lists = (known(han(), f"{name}{script}") for name in ("surnames", "double") for script in (SIMPLE, TRADITIONAL))
    return frozenset((*(name for listed in lists for name in listed), *words(han(), "surname-words")))


def given_characters(script: str) -> tuple[Choices, Choices, Choices]:
    """Characters of given names: women's, men's, those of both."""
    female, male, either = (choices(han(), f"given-{name}{script}") for name in ("female", "male", "either"))
    return female, male, either


def _gendered(given: str, script: str) -> Choices:
    """The characters for the last one of a given name, by whose characters the original has."""
    female, male, either = given_characters(script)
    more = sum((c in female) - (c in male) for c in given)
    return female if more > 0 else male if more < 0 else either


def chinese_name(text: str, scope: Scope, turn: int = 0) -> str | None:
    """A run of Chinese characters that is a name, perhaps with a title or a mask (李某某, 王XX)."""
    before = _before(text)
    rest = text[len(before) :]
    after = ""
    if rest.endswith(titles := words(han(), "title-after")):
        after = next((tail for tail in titles if rest.endswith(tail) and len(rest) > len(tail)), "")
    rest = rest[: len(rest) - len(after)]
    mask = ""
    if found := _MASKED.fullmatch(rest):
        rest, mask = found[1], found[2]
    if not rest:
        return None
    parts = []
    for part in rest.split("·"):
        other = _person(part, scope, rest, turn, foreign="·" in rest, titled=bool(before or after or mask))
        if other is None:
            return None
        parts.append(other)
    return before + "·".join(parts) + mask + after


def _before(text: str) -> str:
    """The title before a name; 老 and 小 only before a surname that is no other word."""
    if not text.startswith(titles := words(han(), "title-before")):
        return ""
    head = next((head for head in titles if text.startswith(head) and len(text) > len(head)), "")
    surname = text[len(head) : len(head) + 1]
    usual = len(head) == 1 and any(surname in surnames(script)[0] for script in (SIMPLE, TRADITIONAL))
    return head if len(head) > 1 or usual else ""


def _person(part: str, scope: Scope, own: str, turn: int, foreign: bool, titled: bool) -> str | None:
    script = script_of(own, scope.language)
    strange = _strange(own, scope)
    if foreign or len(part) > 4:
        found = pick(as_long(f"foreign{script}", len(part)), scope, strange, "foreign", part, turn=turn)
        return found or _given(part, scope, script, own, turn)
    surname, given = _split(part, titled)
    found = pick(surnames(script)[len(surname) - 1], scope, strange, "surname", surname, turn=turn) if surname else ""
    other = _given(given, scope, script, own, turn) if given else ""
    return None if found is None or other is None else found + other


@cache
def as_long(name: str, size: int) -> Choices:
    """The entries of a list that have as many characters."""
    return Choices(entry for entry in choices(han(), name) if len(entry) == size)


def _strange(own: str, scope: Scope) -> Callable[[str], bool]:
    """What has no character of the original."""
    return lambda candidate: not any(c in own for c in candidate) and not scope.forbidden(candidate)


@cache
def _given_names() -> frozenset[str]:
    return frozenset(known(han(), "given-names"))


def _split(part: str, titled: bool) -> tuple[str, str]:
    """Surname and given name. What has no known surname, or is a usual given name as it stands, is a given name."""
    known = _known_surnames()
    if len(part) > 1 and part[:2] in known:
        return part[:2], part[2:]
    if len(part) == 1:
        return (part, "") if titled or part in known else ("", part)
    if part[0] in known and not (len(part) == 2 and part in _given_names()):
        return part[0], part[1:]
    return ("", part) if len(part) == 2 else (part[0], part[1:])


def _given(given: str, scope: Scope, script: str, own: str, turn: int) -> str | None:
    """As many characters of given names, the last by gender; the same given name has the same stand-in alone."""
    either = given_characters(script)[2]
    found = ""
    for at in range(len(given)):
        again = at and given[at] == given[at - 1]  # 丽丽 stays doubled
        choices = _gendered(given, script) if at == len(given) - 1 or len(given) > 4 else either
        strange = _strange(own + found, scope)
        other = found[-1:] if again else pick(choices, scope, strange, "given", given, str(at), turn=turn)
        if not other:
            return None
        found += other
    return found
