"""The places in use: towns by country, states, countries, what people do and where they come from.

From our packs of rules, from our own words for stand-ins, and from faker where it has real places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module

from elision.replace.name_lists import avoided, base, country, data, faker_list, pack_list, plain_words, words
from elision.replace.scope import Scope
from elision.replace.words import apart, pick, plain

_NAME = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+){0,3}")
_COUNTRY = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,2}")


def _provider(kind: str, locale: str) -> object:
    return import_module(f"faker.providers.{kind}.{locale}").Provider


def _rows(locale: str, name: str) -> tuple[str, ...]:
    """The names in a table of faker's: its values, or the last of each row that is a name."""
    table = getattr(_provider("address", locale), name)
    rows = table.values() if isinstance(table, dict) else table
    return tuple(row if isinstance(row, str) else row[1] for row in rows)


@cache
def towns(language: str) -> Mapping[str, tuple[str, ...]]:
    """Towns by country, the usual country of a language first."""
    if language == "es":
        found = {
            "ES": tuple(name for name in pack_list("es", "towns") if name not in words("es", "town.abroad")),
            "CO": _rows("es_CO", "municipalities"),
            "CL": _rows("es_CL", "communes"),
            "AR": _rows("es_AR", "municipalities"),
            "MX": words("es", "town.MX"),
        }
    elif language == "nl":
        found = {"NL": faker_list("address", "nl_NL", "cities"), "BE": faker_list("address", "nl_BE", "cities")}
        found["NL"] += tuple(sorted({*pack_list("nl", "towns")} - {*found["NL"], *found["BE"]}))
    else:
        table = data("en")["town"]
        found = {code: words("en", f"town.{code}") for code in table} if isinstance(table, dict) else {}
    return {code: tuple(sorted({name for name in listed if _NAME.fullmatch(name)})) for code, listed in found.items()}


@cache
def _stand_in_towns(language: str, code: str) -> tuple[str, ...]:
    unlike = avoided()
    return tuple(name for name in towns(language)[code] if len(name) > 3 and plain(name) not in unlike)


@cache
def town_countries(language: str) -> Mapping[str, tuple[str, ...]]:
    """In which countries there is a town of this plain name; in more than one, the usual country comes first."""
    found: dict[str, tuple[str, ...]] = {}
    for code, listed in towns(language).items():
        for name in listed:
            found[plain(name)] = (*found.get(plain(name), ()), code)
    if language == "en":  # towns that notes name; they are the usual country's if we do not know better
        for name in pack_list("en", "cities"):
            found.setdefault(plain(name), ("US",))
    return found


def town(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another town of the same country, in the same case."""
    language, word = latin(scope.language), plain(text)
    if not word:
        return None
    by_country = towns(language)
    where, here = town_countries(language).get(word, ()), country(scope.language)
    code = here if here in where or (not where and here in by_country) else (*where, next(iter(by_country)))[0]
    return pick(_stand_in_towns(language, code), scope, unlike(word), "town", word, turn=turn, show=text)


def latin(language: str) -> str:
    """The language of our lists for a text in Latin letters."""
    found = base(language)
    return "en" if found == "zh" else found


def unlike(word: str) -> Callable[[str], bool]:
    """What neither holds nor is held by a plain word."""
    return lambda candidate: apart(plain(candidate), word)


@cache
def states(language: str) -> Mapping[str, tuple[str, ...]]:
    """States, provinces and counties in groups of one country and form; the usual group comes first."""
    if language == "es":
        return {
            "ES": faker_list("address", "es_ES", "states"),
            "ES regions": faker_list("address", "es_ES", "regions"),
            "MX": _rows("es_MX", "states"),
            "CO": _rows("es_CO", "departments"),
            "CL": _rows("es_CL", "regions"),
            "AR": _rows("es_AR", "provinces"),
        }
    if language == "nl":
        return {code: faker_list("address", f"nl_{code}", "provinces") for code in ("NL", "BE")}
    return {
        "US": faker_list("address", "en_US", "states"),
        "US short": faker_list("address", "en_US", "states_abbr"),
        "GB": faker_list("address", "en_GB", "counties"),
        "AU": faker_list("address", "en_AU", "states"),
        "AU short": faker_list("address", "en_AU", "states_abbr"),
        "CA": faker_list("address", "en_CA", "provinces"),
        "CA short": faker_list("address", "en_CA", "provinces_abbr"),
        "IE": faker_list("address", "en_IE", "counties"),
    }


@cache
def _state_groups(language: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for group, listed in states(language).items():
        for name in listed:
            found.setdefault(name if group.endswith("short") else plain(name), group)
    for name in pack_list("en", "states") if language == "en" else ():
        found.setdefault(plain(name), "GB" if name.endswith("shire") else "US")
    return found


def is_state(text: str, language: str) -> bool:
    """Whether this is a state; short ones count in capitals only: MA, not ma."""
    groups = _state_groups(latin(language))
    return text in groups or (len(text) > 3 and plain(text) in groups)


def state(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another state of the same country, in the same form."""
    language = latin(scope.language)
    groups, known, here = states(language), _state_groups(language), country(scope.language)
    group = known.get(text) or known.get(plain(text)) or (here if here in groups else next(iter(groups)))
    show = "" if group.endswith("short") else text
    return pick(groups[group], scope, unlike(plain(text)), "state", plain(text), turn=turn, show=show)


@cache
def countries(language: str) -> tuple[str, ...]:
    locale = {"en": "en", "es": "es", "nl": "nl_NL", "zh": "zh_CN", "zh-tw": "zh_TW"}[language]
    return tuple(
        name for name in faker_list("address", locale, "countries") if _COUNTRY.fullmatch(name) and len(name) < 16
    )


@cache
def _known_countries(language: str) -> frozenset[str]:
    more = (
        *pack_list(language, "countries"),
        *words(language, "words.country-short"),
        *words(language, "words.country"),
    )
    return frozenset(plain(name) for name in (*countries(language), *more))


def is_country(text: str, language: str) -> bool:
    return plain(text) in _known_countries(latin(language))


def nation(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another country; one known by its letters (USA) is replaced by a whole name."""
    language = latin(scope.language)
    letters = plain(text) in plain_words(language, "words.country-short")
    listed = countries(language)
    return pick(listed, scope, unlike(plain(text)), "country", plain(text), turn=turn, show="" if letters else text)


def nationality(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another nationality of the same form, or another religion."""
    language, word = latin(scope.language), plain(text)
    lists = _nationalities(language)
    listed = next((listed for listed, known in lists.items() if word in known), next(iter(lists)))
    if language == "es":
        listed = [*lists][0 if word.endswith("a") else 1]
    return pick(listed, scope, unlike(word), "nationality", word, turn=turn, show=text)


@cache
def _nationalities(language: str) -> Mapping[tuple[str, ...], frozenset[str]]:
    """Lists of words of one form, and each as plain words."""
    table = data(language)["nationality"]
    lists = [words(language, f"nationality.{name}") for name in table] if isinstance(table, dict) else []
    if language == "en":
        lists.append(pack_list("en", "religions"))
    return {listed: frozenset(map(plain, listed)) for listed in lists}


@cache
def _professions(language: str, form: str) -> tuple[str, ...]:
    return tuple(name for name in pack_list(language, "professions") if _form(name, language) in ("", form))


def _form(name: str, language: str) -> str:
    """Whether a word for a profession is a woman's or a man's; "" if it may be either."""
    first = plain(name.split(" ")[0]) if name.strip() else ""
    if language == "es":
        if first.endswith(("ista", "ente", "ante", "e", "crata")):
            return ""
        return "female" if first.endswith(("a", "triz", "as")) else "male"
    if language == "nl":
        ends = ("ster", "esse", "euse", "trice", "ares", "ente", "vrouw", "zuster", "meisje")
        return "female" if first.endswith(ends) else "male"
    return "female" if first.endswith(("ess", "woman", "maid")) else "male" if first.endswith("man") else ""


def profession(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another profession, a woman's for a woman's."""
    language, word = latin(scope.language), plain(text)
    if not word:
        return None
    form = _form(text, language)
    listed = _professions(language, form) if form else pack_list(language, "professions")
    found = pick(listed, scope, unlike(word), "profession", word, turn=turn, show=text if text.isupper() else "")
    if not found or not text[0].isupper():
        return found
    shown = found[0].upper() + found[1:]
    return None if scope.forbidden(shown) else shown


def everything() -> dict[str, object]:
    """All lists of this module, for the fingerprint."""
    found: dict[str, object] = {}
    for language in ("en", "es", "nl"):
        found |= {f"towns {language}": dict(towns(language)), f"states {language}": dict(states(language))}
        found |= {
            f"professions {language}": pack_list(language, "professions"),
            f"countries {language}": countries(language),
        }
    return found
