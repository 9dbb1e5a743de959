"""The lists of stand-ins in the folder `standins` of a language; languages/common/standins/README.md explains them.

Other lists, other stand-ins: receipts and runs name the lists by their fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from elision.keys import digest_of
from elision.languages.base import COMMON, DEFAULT, Language, code_of, folder, folders, languages
from elision.languages.knowledge import Places
from elision.replace.choices import Choices
from elision.replace.words import plain

FOLDER = "standins"


def base(language: str) -> str:
    """The language whose lists are in use: the default for an unknown one, what all share for one without lists."""
    try:
        return _found(language)
    except LookupError:
        return DEFAULT


@lru_cache(maxsize=1_024)
def _found(language: str) -> str:
    code = code_of(language)
    if code == COMMON:
        return code
    if code not in languages():
        raise LookupError  # and ask again, the next time: there may be another folder of languages by then
    return code if languages()[code].has(FOLDER) else COMMON


@cache
def latin(code: str) -> str:
    """The language of the lists for a text in Latin letters."""
    return str(table(code, "words").get("latin", code))


@cache
def han() -> str:
    """The language whose lists serve for Chinese characters, whatever the note's language; "" if there is none."""
    return next((code for code in languages() if table(code, "words").get("script") == "Han"), "")


def places_of(language: str) -> Places:
    """What the language whose lists are in use knows of places."""
    return _language(base(language)).places


def _language(code: str) -> Language:
    return Language(COMMON, folder(COMMON)) if code == COMMON else languages()[code]


@cache
def _lines(code: str, name: str) -> tuple[str, ...]:
    return _language(code).words(f"{FOLDER}/{name}")


@cache
def choices(code: str, name: str) -> Choices:
    """The entries of a list that may stand in; none if there is no such list."""
    return Choices(line.removeprefix("+") for line in _lines(code, name) if line[0] != "-")


@cache
def known(code: str, name: str) -> tuple[str, ...]:
    """The entries by which a list knows what belongs to it."""
    return tuple(line.removeprefix("-") for line in _lines(code, name) if line[0] != "+")


@cache
def known_words(code: str, name: str) -> frozenset[str]:
    return frozenset(map(plain, known(code, name)))


@cache
def table(code: str, name: str) -> Mapping[str, Any]:
    """A file of TOML in the folder; empty if there is none."""
    return _language(code).table(f"{FOLDER}/{name}")


@cache
def words(code: str, name: str) -> tuple[str, ...]:
    """Words that stay; `name` may lead through tables: "place.care"."""
    found: object = table(code, "words")
    for part in name.split("."):
        found = found.get(part, ()) if isinstance(found, dict) else ()
    return tuple(str(word) for word in found) if isinstance(found, list) else ()


@cache
def plain_words(code: str, name: str) -> frozenset[str]:
    return frozenset(map(plain, words(code, name)))


_HOW = "rendezvous 2"  # how entries are chosen, and for whom


def fingerprint() -> str:
    """The SHA-256 of all lists in use, and of how their entries are chosen."""
    return _fingerprint(tuple(folders()))


@cache
def _fingerprint(where: tuple[Path, ...]) -> str:
    paths = [path for one in where for path in sorted(one.glob(f"*/{FOLDER}/*.t*"))]
    told = [part for path in paths for part in ("/".join(path.parts[-3:]).encode(), path.read_bytes())]
    return digest_of(b"\0".join((_HOW.encode(), *told)))
