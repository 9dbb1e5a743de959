"""Small lists and patterns that the presets bring along: facts, written down by us in `data/papers.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

_TABLE = tomllib.loads((files("elision") / "data" / "papers.toml").read_text("utf-8"))
TITLES: tuple[str, ...] = tuple(_TABLE["titles"])
ABBREVIATIONS = frozenset(_TABLE["abbreviations"])
CITIES: tuple[str, ...] = tuple(_TABLE["cities"])
PLACES_AND_DATES: Mapping[str, tuple[str, ...]] = {name: tuple(words) for name, words in _TABLE["words"].items()}
EAGLES: Mapping[str, tuple[str, ...]] = {name: tuple(words) for name, words in _TABLE["eagles"].items()}
PATTERNS: Mapping[str, tuple[str, ...]] = {name: tuple(rows) for name, rows in _TABLE["patterns"].items()}
