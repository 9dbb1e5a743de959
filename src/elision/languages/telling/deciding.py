"""The one place where it is decided in which language a note is looked at, and whether it is held for that.

A record may say it, as a code: "en-GB", "eng", "Spanish", "Deutsch", an OMOP concept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from elision.errors import LabelError, RuleError
from elision.languages.base import (
    COMMON,
    DEFAULT,
    ENCODER,
    Language,
    code_of,
    folder,
    in_words,
    known,
    languages,
    served,
    table_of,
)
from elision.languages.telling import LANGUAGES, NOT_READ, NOT_SUPPORTED, NOT_TOLD, tell

UNKNOWN = "?"  # something is said, and it names no language
_NOTHING = frozenset(("", *"0 - . ? na n/a nan nil none null und undefined unk unknown unspecified mul zxx".split()))  # noqa: SIM905
_TAG = re.compile(r"[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*")
_COUNTRY = re.compile(r"[a-z]{2}[-_][A-Z]{2}")


def _names() -> Mapping[str, str]:
    """What languages that are not ours are called; ours say it themselves, in their `language.toml`."""
    return table_of(folder("telling", "names.toml"))


def concepts() -> Mapping[str, str]:
    """The codes of languages by their concepts in OHDSI's vocabularies (SNOMED)."""
    return _concepts(tuple(languages().values()))


@cache
def _concepts(ours: tuple[Language, ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for one in ours:
        if "omop" in one.table("language"):
            _take(found, str(one.table("language")["omop"]), one)
    return found


@cache
def _called(ours: tuple[Language, ...]) -> Mapping[str, str]:
    """The codes of languages by all that they are called, and by their concepts."""
    found = {word: code for code, words in _names().items() for word in (code, *words.split())}
    for one in ours:
        for word in (one.code, *str(one.table("language").get("called", "")).split()):
            _take(found, word, one)
    return {**found, **_concepts(ours)}


def _take(found: dict[str, str], word: str, language: Language) -> None:
    """Note that a word or number means a language, if it means no other of ours."""
    if found.get(word, language.code) in languages() and found.get(word, language.code) != language.code:
        raise RuleError(f"{language.path('language.toml')}: {word[:20]!r} means {found[word]} already")
    found[word] = language.code


def language_code(value: object) -> str:
    """The code of what is said; "" if nothing is, and `UNKNOWN` if it names no language."""
    said = "" if value is None else str(value).strip().lower()
    if said in _NOTHING:
        return ""
    called = _called(tuple(languages().values()))
    if code := called.get(said):
        return code
    if _TAG.fullmatch(said):
        first = re.split("[-_]", said)[0]
        return called.get(first, first)
    return called.get(re.split(r"[\s(,;/_-]", said)[0], UNKNOWN)


def is_language(value: object) -> bool:
    """Whether a cell names some language that is known, ours or not."""
    code = language_code(value)
    return code in _names() or code in languages()


def with_country(value: object, code: str) -> str:
    """The code with the country, where one is said: "es_MX" is es-MX."""
    said = "" if value is None else str(value).strip()
    return said.replace("_", "-") if _COUNTRY.fullmatch(said) and said.startswith(code) else code


PLAINLY = 0.95  # how sure it must be that a text is not in the language that its record states


@dataclass(frozen=True, slots=True)
class Decided:
    """The language of a note, how sure that is, and further ones of parts of it; or why the note is held."""

    language: str = ""
    sure: float = 0.0
    also: tuple[str, ...] = ()
    why: str = ""


def decide(
    text: str,
    *,
    stated: object = "",
    language: str = "",
    default: str = "",
    around: str = "",
    encoded: bool = False,
) -> Decided:
    """What is decided for a text. `language` was said for all notes, and is trusted; `stated` is what the note's record
    says; `default` serves what does not tell; `around` is other text of the same record, which may tell instead. With
    `encoded`, an encoder reads languages that are none of ours."""
    if language:
        return Decided(language, 1.0)
    code = language_code(stated)
    if code and code not in served():
        return Decided(why=f"{NOT_SUPPORTED}: {code}")
    told = tell(text)
    if code:
        if told.guess and told.sure >= PLAINLY and not _may_be(code, told.guess):
            return Decided(why=told.problem)
        others = (told.language, *told.also) if told.language and told.sure >= PLAINLY else told.also
        return Decided(with_country(stated, code), 1.0, tuple(dict.fromkeys(one for one in others if one != code)))
    if told.wordless:
        return Decided(default or DEFAULT, 1.0)
    if told.problem == NOT_TOLD and around and around != text:
        told = tell(around)
    if told.problem == NOT_TOLD and default:
        return Decided(default)
    if told.guess and told.guess == code_of(default) and (encoded or known(default)):
        return Decided(default, told.sure)
    if told.problem:
        return Decided(why=told.problem)
    return Decided(told.language, told.sure, told.also)


def _may_be(code: str, guess: str) -> bool:
    """Whether a note that reads like a language of nobody's is in this one, which is never told of itself."""
    return code not in LANGUAGES and guess in (code, "?")


def check_codes(*codes: str, encoded: bool = False) -> None:
    """Refuse codes that somebody said and that are none of ours. An encoder reads others, too, that have a name."""
    for code in codes:
        if code and code_of(code) not in served() and not (encoded and is_language(code_of(code))):
            more = is_language(code) and not encoded and folder(COMMON, ENCODER).is_dir()
            say = ", or --effort balanced, whose encoder reads others" if more else ""
            raise LabelError(f"no language {code[:20]!r}; say one of {', '.join(served())}{say}")


def unpacked(*codes: str) -> list[str]:
    """What somebody ought to know of languages that were said and have no pack, a line for each."""
    return [
        f"no pack for {code}: only the encoder and the rules that all languages share look at its notes; measure what "
        "they find with `elision score`"
        for code in dict.fromkeys(codes)
        if code and code_of(code) not in served()
    ]


def advice(why: str) -> str:
    """What to do about a note that is held for its language; "" for another reason."""
    ours = in_words(list(served()))
    if why == NOT_READ:
        return f"the encoder knows too few of its words, and there is no pack; elision works on {ours}"
    if why.startswith(NOT_SUPPORTED):
        return f"elision works on {ours}; if the note is in one of these, say which with --language"
    return f"say --language, or --default-language for notes that do not tell theirs: {ours}" if why == NOT_TOLD else ""
