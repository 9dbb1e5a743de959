"""The names in use: lists of faker by language, sorted by what a name is and by its first letter.

What a word is (given name or surname, a woman's or a man's) depends on the word alone, never on where it stands, so
that it has one stand-in in "Roe", "Jane Roe" and "Roe, J.".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from itertools import accumulate

from elision.detect.lists import COMMON
from elision.languages.base import COMMON as ALL
from elision.languages.base import folder
from elision.replace.words import LETTERS, plain

FEMALE, MALE, EITHER, SURNAME, BEHIND, PINYIN = "female", "male", "either", "surname", "behind", "pinyin"
LOCALES: Mapping[str, tuple[str, ...]] = {
    "en": ("en_US", "en_GB", "en_IE", "en_NZ"),
    "es": ("es_ES", "es_MX", "es_CO", "es_AR", "es_CL"),
    "nl": ("nl_NL", "nl_BE"),
}
# Where a letter has few names, the neighbours help out first. They also tell what a name is that no list of ours has.
_NEAR: Mapping[str, tuple[str, ...]] = {
    "en": ("en", "en_IN"),
    "es": ("it_IT", "pt_BR", "fr_FR", "ro_RO"),
    "nl": ("de_DE", "fr_FR", "da_DK"),
}
_ABROAD = tuple(dict.fromkeys(("en", *_NEAR["es"], *_NEAR["nl"], "en_IN", "pl_PL", "sv_SE", "fi_FI")))
_ENOUGH = 12  # names of a kind with a letter
_FEW = 3
_ONE_WORD = re.compile(r"[^\W\d_]{3,}|[^\W\d_]{1,2}'[^\W\d_]{3,}")
_BEHIND = re.compile(r"(?:de|den|der|van|van de|van den|van der|ten|ter|te|van 't) ([A-Z][^\W\d_]{2,})")

Pools = Mapping[str, Mapping[str, tuple[str, ...]]]  # kind -> letter -> names


@cache
def data(name: str) -> dict[str, object]:
    """A file of our own words for stand-ins."""
    return tomllib.loads(folder(ALL if name == "names" else name, "standins.toml").read_text("utf-8"))


@cache
def words(file: str, name: str) -> tuple[str, ...]:
    """A list of such a file; `name` may lead through tables: "everyday.en"."""
    found: object = data(file)
    for part in name.split("."):
        found = found.get(part, ()) if isinstance(found, dict) else ()
    return tuple(str(word) for word in found) if isinstance(found, list) else ()


@cache
def plain_words(file: str, name: str) -> frozenset[str]:
    return frozenset(plain(word) for word in words(file, name))


@cache
def pack_list(language: str, name: str) -> tuple[str, ...]:
    """A list of words of a language's pack of rules; empty if it has none of this name."""
    path = folder(language, "rules", f"{name}.txt")
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def faker_list(kind: str, locale: str, *names: str) -> tuple[str, ...]:
    """A list of a provider of faker, without faker's own machinery."""
    provider = import_module(f"faker.providers.{kind}.{locale}").Provider
    return tuple(str(word) for name in names for word in getattr(provider, name, ()))


@cache
def base(language: str) -> str:
    """The language whose lists are in use; English for those that we have no lists of."""
    code = language.replace("_", "-").partition("-")[0].lower()
    return code if code in LOCALES or code == "zh" else "en"


@cache
def country(language: str) -> str:
    """The country that a language names, in capitals; "" if none."""
    return language.replace("_", "-").partition("-")[2].upper()


@cache
def _given(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return faker_list("person", locale, "first_names_female"), faker_list("person", locale, "first_names_male")


@cache
def _surnames(locale: str) -> tuple[str, ...]:
    return faker_list("person", locale, "last_names")


def _shares(locale: str, name: str) -> dict[str, float]:
    """The names of a list and how many people have each, where faker knows; 0 where not."""
    listed = getattr(import_module(f"faker.providers.person.{locale}").Provider, name, ())
    total = sum(listed.values()) if isinstance(listed, dict) else 0
    return {plain(word): listed[word] / total if total else 0.0 for word in listed}


@cache
def _counts(language: str) -> Mapping[str, tuple[float, float, float]]:
    """In how many locales a word is a woman's name, a man's, a surname; shares of people decide ties. "": abroad."""
    found: dict[str, list[float]] = {plain(word): [0, 0, 1] for word in words("names", "surname")}
    for locale in LOCALES[language] if language else _ABROAD:
        for column, name in enumerate(("first_names_female", "first_names_male", "last_names")):
            for word, share in _shares(locale, name).items():
                found.setdefault(word, [0, 0, 0])[column] += 1 + share
    return {word: (row[0], row[1], row[2]) for word, row in found.items()}


@cache
def behind() -> frozenset[str]:
    """Surnames that Dutch people have behind a particle: Vries, Dijk."""
    listed = [match[1] for locale in LOCALES["nl"] for name in _surnames(locale) if (match := _BEHIND.fullmatch(name))]
    return frozenset(plain(name) for name in (*listed, *pack_list("nl", "particle-surnames")))


@cache
def pinyin() -> frozenset[str]:
    """Syllables of Chinese names in Latin letters."""
    lists = [
        *faker_list("person", "zh_CN", "first_romanized_names", "last_romanized_names"),
        *faker_list("person", "zh_TW", "first_romanized_names", "last_romanized_names"),
    ]
    return frozenset(plain(part) for name in lists for part in name.split("-") if part.isascii())


@cache
def _all_counts(language: str) -> tuple[Mapping[str, tuple[float, float, float]], ...]:
    """The lists in which a word of a language is looked up, one after the other."""
    order = (language, *(other for other in LOCALES if other != language)) if language in LOCALES else tuple(LOCALES)
    return tuple(_counts(name) for name in (*order, ""))


def _listed(word: str, language: str) -> tuple[float, float, float] | None:
    for counts in _all_counts(language):
        if found := counts.get(word):
            return found
    return None


def is_listed(word: str, language: str) -> bool:
    """Whether a plain word stands in any list of names."""
    return word in pinyin() or _listed(word, language) is not None


def kind(word: str, language: str) -> str:
    """What a plain word is as a name, by the lists where it is more usual; what stands in none is a surname."""
    if language == "zh" and word in pinyin():
        return PINYIN
    if language == "nl" and word in behind():
        return BEHIND
    female, male, surname = _listed(word, language) or (0, 0, 1)
    if surname > max(female, male):
        return SURNAME
    if female >= 2 * male:
        return FEMALE
    return MALE if male >= 2 * female else EITHER


@cache
def avoided() -> frozenset[str]:
    """What no stand-in should be: everyday and clinical words, countries, drugs, names of diseases and signs.

    "Kidney" is a surname of faker's: in a note it would give itself away, and change what the note says."""
    lists = [words("names", f"everyday.{language}") for language in LOCALES]
    lists += [pack_list("en", "given-words"), pack_list("es", "eponyms"), pack_list("nl", "eponyms")]
    lists += [pack_list("common", name) for name in ("terms", "drugs")] + [pack_list("en", "countries")]
    return COMMON | frozenset(plain(word) for listed in lists for word in listed)


def _sorted(names: Iterable[str]) -> dict[str, list[str]]:
    """Names by their first letter, each once, in an order that no list's own order changes."""
    found: dict[str, dict[str, str]] = {letter: {} for letter in LETTERS}
    for name in sorted(names):
        word = plain(name)
        if _ONE_WORD.fullmatch(name) and name[0].isupper() and word[:1] in found and word not in avoided():
            found[word[0]].setdefault(word, name)
    return {letter: list(rows.values()) for letter, rows in found.items()}


@cache
def _own(language: str, locales: tuple[str, ...]) -> Mapping[str, Mapping[str, list[str]]]:
    """The names of these locales, by what they are in a language."""
    names = {name for locale in locales for names in (*_given(locale), _surnames(locale)) for name in names}
    names |= {match[1] for name in names if (match := _BEHIND.fullmatch(name))} if language == "nl" else set()
    by_kind: dict[str, list[str]] = {name: [] for name in (FEMALE, MALE, EITHER, SURNAME, BEHIND)}
    for name in names:
        if not name.isupper():
            by_kind[kind(plain(name), language)].append(name)
    return {name: _sorted(listed) for name, listed in by_kind.items()}


@cache
def pools(language: str) -> Pools:
    """All stand-ins of a language by kind and letter; letters with few names borrow from other languages."""
    syllables = _sorted(word.capitalize() for word in pinyin())
    if language == "zh":
        english = pools("en")
        return {
            **english,
            PINYIN: {letter: tuple(syllables[letter]) or english[SURNAME][letter] for letter in LETTERS},
        }
    rest = tuple(other for code in LOCALES for other in LOCALES[code] if code != language)
    others = [_own(language, locales) for locales in ((near,) for near in _NEAR[language])] + [
        _own(language, rest + _ABROAD)
    ]
    own = _own(language, LOCALES[language])
    full: dict[str, dict[str, tuple[str, ...]]] = {}
    for name in (SURNAME, FEMALE, MALE, EITHER, BEHIND):  # surnames first: where the others have no more, these stand
        full[name] = {}
        for letter in LETTERS:
            listed = list(own[name][letter])
            for other in () if name == BEHIND else others:
                if len(listed) < _ENOUGH:
                    listed += [word for word in other[name][letter] if word not in listed]
            if name != SURNAME and len(listed) < (_ENOUGH if name == BEHIND else _FEW):
                listed += full[SURNAME][letter]
            if name == SURNAME and len(listed) < _ENOUGH:  # an X, above all
                listed += [word for word in syllables[letter] if word not in listed]
            full[name][letter] = tuple(listed)
    return full


@cache
def letter_shares(language: str) -> tuple[int, ...]:
    """How many surnames of the language begin with each letter or one before it. Each letter has some."""
    if language == "zh":
        return letter_shares("en")
    own = _own(language, LOCALES[language])
    return tuple(accumulate(max(1, len(own[SURNAME][letter])) for letter in LETTERS))
