"""What detection knows of words in all languages together: names, titles and streets of any may stand in any note.

Each folder of a language may have a `detect.toml`; what belongs to none alone is in that of `common`. A key holds words
with blanks between them, or a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elision.languages.base import COMMON, folder, known, languages, table_of

FILE = "detect"


def everywhere(key: str) -> tuple[str, ...]:
    """The words under a key in all languages, those that belong to none alone first."""
    shared = table_of(folder(COMMON, f"{FILE}.toml"))
    return tuple(word for table in (shared, *_tables()) for word in _words(table.get(key, ())))


def in_each(key: str) -> list[tuple[str, ...]]:
    """The words under a key in each language that has any."""
    return [_words(table[key]) for table in _tables() if key in table]


def any_of(key: str) -> str:
    """The words, which may be patterns, as alternatives of a pattern; of none, one that nothing fits."""
    return "|".join(everywhere(key)) or "(?!)"


def of(tag: str) -> Mapping[str, Any]:
    """What one language has; nothing if it is none of ours."""
    found = known(tag)
    return found.table(FILE) if found else {}


def _tables() -> list[Mapping[str, Any]]:
    return [one.table(FILE) for one in languages().values()]


def _words(value: Any) -> tuple[str, ...]:
    return tuple(value.split() if isinstance(value, str) else value)
