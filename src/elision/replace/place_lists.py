"""The places in use: towns by country, states, countries, what people do and where they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from elision.languages.base import region_of
from elision.replace.choices import Choices, Scope
from elision.replace.standins import base, choices, known, known_words, places_of, plain_words, table
from elision.replace.standins import latin as latin_of
from elision.replace.words import apart, pick, plain


def latin(language: str) -> str:
    """The language of our lists for a text in Latin letters."""
    return latin_of(base(language))


@cache
def towns(language: str) -> Mapping[str, str]:
    """The lists of towns by country, the usual country of a language first."""
    return {country: f"towns-{country}" for country in table(language, "words").get("towns", ())}


@cache
def town_countries(language: str) -> Mapping[str, tuple[str, ...]]:
    """In which countries there is a town of this plain name; in more than one, the usual country comes first."""
    found: dict[str, tuple[str, ...]] = {}
    for country, listed in towns(language).items():
        for name in known(language, listed):
            found[plain(name)] = (*found.get(plain(name), ()), country)
    return found


def town(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another town of the same country, in the same case."""
    language, word = latin(scope.language), plain(text)
    if not word:
        return None
    by_country = towns(language)
    where, here = town_countries(language).get(word, ()), region_of(scope.language)
    known_here = here in where or (not where and here in by_country)
    code = here if known_here else next(iter((*where, *by_country)), "")
    return pick(choices(language, f"towns-{code}"), scope, unlike(word), "town", word, turn=turn, show=text)


def unlike(word: str) -> Callable[[str], bool]:
    """What neither holds nor is held by a plain word."""
    return lambda candidate: apart(plain(candidate), word)


@cache
def states(language: str) -> Mapping[str, str]:
    """The lists of states, provinces and counties of one country and form; the usual one comes first."""
    return {group: f"states-{group}" for group in table(language, "words").get("states", ())}


@cache
def _state_groups(language: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for group, listed in states(language).items():
        for name in known(language, listed):
            found.setdefault(name if group.endswith("short") else plain(name), group)
    return found


def is_state(text: str, language: str) -> bool:
    """Whether this is a state; short ones count in capitals only: MA, not ma."""
    groups = _state_groups(latin(language))
    return text in groups or (len(text) > 3 and plain(text) in groups)


def state(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another state of the same country, in the same form."""
    language = latin(scope.language)
    groups, group_of, here = states(language), _state_groups(language), region_of(scope.language)
    group = group_of.get(text) or group_of.get(plain(text)) or (here if here in groups else next(iter(groups), ""))
    show = "" if group.endswith("short") else text
    listed = choices(language, f"states-{group}")
    return pick(listed, scope, unlike(plain(text)), "state", plain(text), turn=turn, show=show)


def is_country(text: str, language: str) -> bool:
    return plain(text) in known_words(latin(language), "countries")


def nation(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another country; one known by its letters (USA) is replaced by a whole name."""
    language = latin(scope.language)
    letters = plain(text) in plain_words(language, "words.country-short")
    listed = choices(language, "countries")
    return pick(listed, scope, unlike(plain(text)), "country", plain(text), turn=turn, show="" if letters else text)


def nationality(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another nationality of the same form, or another religion."""
    language, word = latin(scope.language), plain(text)
    lists = nationalities(language)
    listed = next((name for name in lists if word in known_words(language, name)), next(iter(lists), ""))
    if places_of(language).by_gender:
        listed = lists[0 if word.endswith("a") else 1]
    return pick(choices(language, listed), scope, unlike(word), "nationality", word, turn=turn, show=text)


def nationalities(language: str) -> tuple[str, ...]:
    """The lists of nationalities, each of one form, and of religions."""
    return tuple(table(language, "words").get("nationalities", ()))


@cache
def _professions(language: str, form: str) -> Choices:
    listed = choices(language, "professions")
    return Choices(name for name in listed if _form(name, language) in ("", form)) if form else listed


def _form(name: str, language: str) -> str:
    """Whether a word for a profession is a woman's or a man's; "" if it may be either."""
    return places_of(language).gender(plain(name.split(" ")[0])) if name.strip() else ""


def profession(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another profession, a woman's for a woman's."""
    language, word = latin(scope.language), plain(text)
    if not word:
        return None
    form = _form(text, language)
    listed, show = _professions(language, form), text if text.isupper() else ""
    found = pick(listed, scope, unlike(word), "profession", word, turn=turn, show=show)
    if not found or not text[0].isupper():
        return found
    shown = found[0].upper() + found[1:]
    return None if scope.forbidden(shown) else shown
