"""What detection knows of words in all languages together: names, titles and streets of any may stand in any note.

Each folder of a language may have a `detect.toml`; what belongs to none alone is in that of `common`. A key holds words
with blanks between them, or a list. All are read once, when detection is needed first.

A language that somebody added may say only what makes detection find more, or what counts in its own notes: words that
are no names there must not take a name away from a note in another language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from elision.errors import RuleError
from elision.languages.base import COMMON, HERE, folder, known, languages, table_of

FILE = "detect.toml"
_ADDED = """
months written_months of_month before_month day_endings day_ordinals birth name_particles capital_particles
joining_particles streets street_kinds street_endings forms endings small short
"""
_MAY_ADD = frozenset(_ADDED.split())
_OWN = frozenset(("fillers", "initials_first", "postcode"))  # asked for one language at a time


def everywhere(key: str) -> tuple[str, ...]:
    """The words under a key in all languages, those that belong to none alone first."""
    return tuple(word for path in (folder(COMMON, FILE), *_files()) for word in _words(path, key))


def in_each(key: str) -> list[tuple[str, ...]]:
    """The words under a key in each language that has any."""
    return [words for path in _files() if (words := _words(path, key))]


def any_of(key: str) -> str:
    """The words, which may be patterns, as alternatives of a pattern; of none, one that nothing fits."""
    for path in _files():
        if HERE not in path.parents:  # ours are tried in the tests
            _try(path, key)
    return "|".join(everywhere(key)) or "(?!)"


def of(tag: str) -> Mapping[str, Any]:
    """What one language has; nothing if it is none of ours."""
    found = known(tag)
    return table_of(found.path(FILE)) if found else {}


def _files() -> list[Path]:
    for one in languages().values():
        if not one.comes_with_elision and (wrong := sorted(set(table_of(one.path(FILE))) - _MAY_ADD - _OWN)):
            raise RuleError(
                f"{one.path(FILE)}: {wrong[0][:40]} is not for added languages, as it counts in notes of all; "
                f"there may be {', '.join(sorted(_MAY_ADD | _OWN))}"
            )
    return [one.path(FILE) for one in languages().values()]


def _words(path: Path, key: str) -> tuple[str, ...]:
    value = table_of(path).get(key, ())
    words = tuple(value.split() if isinstance(value, str) else value) if isinstance(value, str | list | tuple) else (0,)
    if not all(isinstance(word, str) and word for word in words):
        raise RuleError(f"{path}: {key} is a list of words, or words with blanks between them")
    return words


def _try(path: Path, key: str) -> None:
    for word in _words(path, key):
        try:
            re.compile(word)
        except re.error as error:
            raise RuleError(f"{path}, {key}: {word!r} is no pattern: {error}") from None
