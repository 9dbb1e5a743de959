"""A language as one value made from one folder: all that only this language knows stands there.

    spanish = language("es-MX")
    spanish.path("model")  # the folder of its model
    spanish.words("towns")  # a list of it
    spanish.table("dates")  # a file of TOML

Adding a language is adding a folder: beside the ones that come with elision, or in a folder that ELISION_LANGUAGES
names (several are parted as in PATH). What a folder does not have, the language does without: only `rules` must be
there. Files are data and never run; modules of Python count in the folders that come with elision and in no other.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from elision.errors import RuleError
from elision.languages.ages import Ages
from elision.languages.dates import Dates
from elision.languages.phones import Phones
from elision.languages.places import Places

HERE = Path(__file__).parent
COMMON = "common"  # the folder of what all languages share
RULES = "rules"
MORE = "ELISION_LANGUAGES"
DEFAULT = "en"  # of notes without words, and of Latin words in a language that has none of its own


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

    def table(self, name: str) -> Mapping[str, Any]:
        """A file of TOML; empty if it has none of this name."""
        return _table(self.path(f"{name}.toml"))

    def words(self, name: str) -> tuple[str, ...]:
        """A list, a word or phrase a line, of its own or of its rules; empty if it has none of this name."""
        return _lines(self.path(f"{name}.txt")) or _lines(self.path(RULES, f"{name}.txt"))

    @cached_property
    def dates(self) -> Dates:
        """What it knows of dates."""
        found: Dates | None = self.value("dates")
        return found or Dates()

    @cached_property
    def ages(self) -> Ages:
        """What it knows of ages."""
        found: Ages | None = self.value("ages")
        return found or Ages()

    @cached_property
    def phones(self) -> Phones:
        """What it knows of telephone numbers."""
        found: Phones | None = self.value("phones")
        return found or Phones()

    @cached_property
    def places(self) -> Places:
        """What it knows of places."""
        found: Places | None = self.value("places")
        return found or Places()

    def value(self, name: str) -> Any:
        """What a module of its folder calls by its own name in capitals: DATES of `dates.py`; None if there is none."""
        if self.folder.parent != HERE or not self.has(f"{name}.py"):
            return None
        return getattr(import_module(f"elision.languages.{self.code}.{name}"), name.upper())


def folders() -> list[Path]:
    """Where languages are looked for: those that come with elision, then those that ELISION_LANGUAGES names."""
    return [HERE, *(Path(one) for one in os.environ.get(MORE, "").split(os.pathsep) if one)]


def languages() -> Mapping[str, Language]:
    """All languages by their codes, those that come with elision first."""
    return _languages(tuple(folders()))


def language(tag: str) -> Language:
    """The language of a tag such as es or es-MX."""
    if found := languages().get(code_of(tag)):
        return found
    raise RuleError(f"{tag!r}: no such language; there are {', '.join(languages())}")


def folder(code: str, *parts: str) -> Path:
    """A place in the folder of a language that comes with elision, or in what all share."""
    return HERE.joinpath(code, *parts)


@cache
def _languages(where: tuple[Path, ...]) -> Mapping[str, Language]:
    found: dict[str, Language] = {}
    for one in where:
        for path in sorted(one.glob(f"*/{RULES}")):
            code = path.parent.name
            if code != COMMON and any(path.glob("*.toml")):
                found.setdefault(code, Language(code, path.parent))
    return found


@cache
def _table(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


@cache
def _lines(path: Path) -> tuple[str, ...]:
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
