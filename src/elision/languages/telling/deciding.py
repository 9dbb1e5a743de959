"""The one place where it is decided in which language a note is looked at, and whether it is held for that."""

from __future__ import annotations

from dataclasses import dataclass

from elision.errors import LabelError
from elision.languages.base import DEFAULT, code_of, known, languages
from elision.languages.telling import LANGUAGES, NOT_SUPPORTED, NOT_TOLD, tell
from elision.languages.telling.stated import language_code, with_country

PLAINLY = 0.95  # how sure it must be that a text is not in the language that its record states


@dataclass(frozen=True, slots=True)
class Decided:
    """The language of a note, how sure that is, and further ones of parts of it; or why the note is held."""

    language: str = ""
    sure: float = 0.0
    also: tuple[str, ...] = ()
    why: str = ""


def decide(text: str, *, stated: object = "", language: str = "", default: str = "", around: str = "") -> Decided:
    """What is decided for a text. `language` was said for all notes, and is trusted; `stated` is what the note's record
    says; `default` serves what does not tell; `around` is other text of the same record, which may tell instead."""
    if language:
        return Decided(language, 1.0)
    code = language_code(stated)
    if code and code not in languages():
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
    if told.guess and told.guess == code_of(default) and known(default):
        return Decided(default, told.sure)
    if told.problem:
        return Decided(why=told.problem)
    return Decided(told.language, told.sure, told.also)


def _may_be(code: str, guess: str) -> bool:
    """Whether a note that reads like a language of nobody's is in this one, which is never told of itself."""
    return code not in LANGUAGES and guess in (code, "?")


def check_codes(*codes: str) -> None:
    """Refuse codes that somebody said and that are none of ours."""
    for code in codes:
        if code and known(code) is None:
            raise LabelError(f"no language {code[:20]!r}; say one of {', '.join(languages())}")


def advice(why: str) -> str:
    """What to do about a note that is held for its language; "" for another reason."""
    *most, last = languages()
    ours = f"{', '.join(most)} and {last}"
    if why.startswith(NOT_SUPPORTED):
        return f"elision works on {ours}; if the note is in one of these, say which with --language"
    return f"say --language, or --default-language for notes that do not tell theirs: {ours}" if why == NOT_TOLD else ""
