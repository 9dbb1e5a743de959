"""A language as one value made from one folder: all that only this language knows stands there.

    spanish = language("es-MX")
    spanish.path("model")  # the folder of its model
    spanish.words("towns")  # a list of it
    spanish.table("dates")  # a file of TOML

Adding a language is adding a folder: beside the ones that come with elision, or in a folder that ELISION_LANGUAGES
names (several are parted as in PATH). What a folder does not have, the language does without: only `rules` must be
there. Files are data and never run; modules of Python count in the folders that come with elision and in no other.

    language.toml   name, what it is called elsewhere, its OMOP concept, whether blanks part its words
    rules/*.toml    its pack
    detect.toml     words of names, dates and addresses that detection knows (`elision.languages.detection`)
    used.txt        words that it uses as words, too, whatever names they are
    model, pos, groups   learnt from its notes
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from elision.errors import RuleError
from elision.languages.knowledge import Ages, Dates, Phones, Places
from elision.languages.synth import Synth

HERE = Path(__file__).parent
COMMON = "common"  # the folder of what all languages share
ENCODER = "encoder"  # the folder there of the one for all languages
RULES = "rules"
MORE = "ELISION_LANGUAGES"
DEFAULT = "en"  # of notes without words, and of Latin words in a language that has none of its own
_CODE = re.compile(r"[a-z]{2,8}")
_KEYS = {"name": str, "called": str, "omop": int, "told": str, "near": str, "spaced": bool}  # of language.toml
_KINDS = {str: "a string in quotes", int: "a number", bool: "true or false"}


@lru_cache(maxsize=256)
def code_of(tag: str) -> str:
    """The language itself, without country or script: es for es-MX."""
    return tag.replace("_", "-").partition("-")[0].lower()


def region_of(tag: str) -> str:
    """The country or script of a language, "" without: MX for es-MX."""
    return tag.replace("_", "-").partition("-")[2].upper()


@dataclass(frozen=True)
class Language:
    """What a language knows."""

    code: str
    folder: Path

    def path(self, *parts: str) -> Path:
        """A place in its folder, whether something is there or not."""
        return self.folder.joinpath(*parts)

    def has(self, *parts: str) -> bool:
        return self.path(*parts).exists()

    @cached_property
    def name(self) -> str:
        """What it is called in English."""
        return str(self.table("language").get("name", self.code))

    @cached_property
    def comes_with_elision(self) -> bool:
        return self.folder.parent == HERE

    @cached_property
    def spaced(self) -> bool:
        """Whether blanks part its words; where they do not, a token is a character."""
        return bool(self.table("language").get("spaced", True))

    def table(self, name: str) -> Mapping[str, Any]:
        """A file of TOML; empty if it has none of this name."""
        return table_of(self.path(f"{name}.toml"))

    def words(self, name: str) -> tuple[str, ...]:
        """A list, a word or phrase a line, of its own or of its rules; empty if it has none of this name."""
        return _lines(self.path(f"{name}.txt")) or _lines(self.path(RULES, f"{name}.txt"))

    @cached_property
    def dates(self) -> Dates:
        """What it knows of dates."""
        return self.known("DATES") or Dates()

    @cached_property
    def ages(self) -> Ages:
        """What it knows of ages."""
        return self.known("AGES") or Ages()

    @cached_property
    def phones(self) -> Phones:
        """What it knows of telephone numbers."""
        return self.known("PHONES") or Phones()

    @cached_property
    def places(self) -> Places:
        """What it knows of places."""
        return self.known("PLACES") or Places()

    @cached_property
    def checks(self) -> Mapping[str, Callable[[str], bool]]:
        """What its rules can ask besides what rules of all languages can."""
        return self.known("CHECKS", "checks") or {}

    @cached_property
    def synth(self) -> Synth | None:
        """What notes in it are made of; None if none can be made."""
        found: Synth | None = self.known("SYNTH_NOTES", "synth_notes")
        return found

    def known(self, name: str, module: str = "knowledge") -> Any:
        """What a module of its folder has under a name; None if there is none."""
        if not self.comes_with_elision or not self.has(f"{module}.py"):
            return None
        return getattr(import_module(f"elision.languages.{self.code}.{module}"), name, None)


def folders() -> list[Path]:
    """Where languages are looked for: those that come with elision, then those that ELISION_LANGUAGES names."""
    return [HERE, *(Path(one) for one in os.environ.get(MORE, "").split(os.pathsep) if one)]


def languages() -> Mapping[str, Language]:
    """All languages by their codes, those that come with elision first."""
    return _languages(tuple(folders()))


def shipped() -> Mapping[str, Language]:
    """The languages that come with elision."""
    return _languages((HERE,))


def served() -> Mapping[str, Language]:
    """The languages whose notes are looked at. Rules alone find too little of people without a cue: one that comes with
    elision waits for its model, one that somebody adds does as it is."""
    found = languages()
    return {code: one for code, one in found.items() if not one.comes_with_elision or one.has("model")}


def with_model() -> list[str]:
    """The codes of the languages that come with elision and need not wait for their model."""
    return [code for code, one in shipped().items() if one.has("model")]


def in_words(codes: Sequence[str], last: str = "and") -> str:
    """Codes as a sentence lists them: en, es and nl."""
    return f" {last} ".join(filter(None, (", ".join(codes[:-1]), *codes[-1:])))


def language(tag: str) -> Language:
    """The language of a tag such as es or es-MX."""
    if found := known(tag):
        return found
    raise RuleError(f"{tag!r}: no such language; there are {', '.join(languages())}")


def known(tag: str) -> Language | None:
    """The language of a tag, None if it is none of ours."""
    return languages().get(code_of(tag))


def is_spaced(tag: str) -> bool:
    """Whether blanks part the words of a language; of one that is none of ours, they do."""
    return (found := known(tag)) is None or found.spaced


def folder(code: str, *parts: str) -> Path:
    """A place in the folder of a language that comes with elision, or in what all share."""
    return HERE.joinpath(code, *parts)


@cache
def _languages(where: tuple[Path, ...]) -> Mapping[str, Language]:
    found: dict[str, Language] = {}
    for one in where:
        if not one.is_dir():
            raise RuleError(f"{one}: no such folder; {MORE} names folders of languages")
        for path in sorted(one.glob(f"*/{RULES}")):
            code = path.parent.name
            if code == COMMON and one == HERE:
                continue
            if not _CODE.fullmatch(code):
                raise RuleError(f"{path.parent}: {code!r} is no code of a language; call the folder such as de or fil")
            if code in found:
                raise RuleError(f"{path.parent}: {code} is there already, in {found[code].folder}")
            if not any(path.glob("*.toml")):
                raise RuleError(f"{path}: no file of rules (.toml) in this folder")
            found[code] = Language(code, path.parent)
            _refuse(path.parent / "language.toml", found[code].table("language"))
    return found


def _refuse(path: Path, table: Mapping[str, Any]) -> None:
    """Say at once what is wrong with what a language says of itself."""
    for key, kind in _KEYS.items():
        if key in table and not isinstance(table[key], kind):
            raise RuleError(f"{path}: {key} must be {_KINDS[kind]}")


@cache
def table_of(path: Path) -> Mapping[str, Any]:
    """A file of TOML; empty if it is not there."""
    try:
        return tomllib.loads(_read(path)) if path.is_file() else {}
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{path}: is no TOML: {error}") from None


@cache
def _lines(path: Path) -> tuple[str, ...]:
    lines = _read(path).splitlines() if path.is_file() else []
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise RuleError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise RuleError(f"{path}: is not UTF-8") from None
