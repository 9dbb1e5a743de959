"""Reads what notes in a language are made of: its `synth/*.toml`, of which `synth.md` says what stands in each.

Only what data cannot say is left to the language's `synth_notes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from elision.errors import SynthError
from elision.languages.base import folder, languages, table_of
from elision.languages.synth import Country, Synth
from elision.languages.synth_lists import list_of, weighted

COMMON = "common"  # what all countries of a language share
Place = Callable[[Random, str], Mapping[str, str]]
Made = Mapping[str, tuple[str, tuple[str, ...]]]  # slot -> its label, and what it is put together from

# Of `words.toml`, what goes into a `Synth` as it stands.
_AS_THEY_STAND = (
    "months", "months_short", "weekdays", "weekdays_short", "titles", "behind", "mixture", "unlabelled", "unaccented",
    "spaced", "syllables",
)  # fmt: skip


def said(code: str, name: str = "words") -> Mapping[str, Any]:
    """A file of a language's data."""
    return table_of(folder(code, "synth", f"{name}.toml"))


def numerals(code: str, kind: str) -> list[str]:
    """Words for numbers, from 0 or of tens."""
    return str(said(code)["numbers"][kind]).split()


def facts_of(code: str) -> dict[str, Any]:
    """The fields of a `Synth` that are plain data."""
    table = said(code)
    sexes = {key: (tuple(words["f"]), tuple(words["m"])) for key, words in table["sexes"].items()}
    plain = {name: table[name] for name in _AS_THEY_STAND if name in table}
    lists = {name: tuple(value) for name, value in plain.items() if isinstance(value, list)}
    return {"code": code, "sexes": sexes, **plain, **lists}


def words_of(code: str) -> dict[str, Callable[[], Sequence[str]]]:
    """The lists that templates speak of: files, those in small letters, and small lists."""
    table = said(code)
    return {
        **{name: list_of(code, *files) for name, files in table.get("lists", {}).items()},
        **{name: partial(_small, code, *files) for name, files in table.get("small", {}).items()},
        **{name: partial(tuple, words) for name, words in table.get("words", {}).items()},
    }


def _small(code: str, *files: str) -> tuple[str, ...]:
    """Words in small letters, as hasty people write them."""
    return small(list_of(code, *files)())


def small(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


def countries_of(code: str, places: Mapping[str, Place]) -> dict[str, Country]:
    """The countries of a language, each with what makes a place in it."""
    world = said(code, "countries").get("world", {})
    return {country: _country(code, country, place, world) for country, place in places.items()}


def _country(code: str, country: str, place: Place, world: Mapping[str, float]) -> Country:
    told = said(code, "countries")[country]
    own = told["origins"]
    origins = {key: own[key] for key in own if key not in world} | {key: own.get(key, world[key]) for key in world}
    dates = {form: tuple(rows) for form, rows in _merged(code, "dates", country).items()}
    more = said(code, "more")
    made = mixed(_labelled(_merged(code, "made", country)), *(more[part] for part in (COMMON, country) if part in more))
    return Country(told["weight"], dates, _labelled(_merged(code, "codes", country)), made, place, origins)


def _merged(code: str, name: str, country: str) -> dict[str, Sequence[str]]:
    """The rows of a country: what all share, then those of the country that it is like, then its own."""
    like = said(code, "countries").get(country, {}).get("like", "" if country == COMMON else COMMON)
    return {**(_merged(code, name, like) if like else {}), **said(code, name).get(country, {})}


def _labelled(rows: Mapping[str, Sequence[str]]) -> Made:
    return {slot: (row[0], tuple(row[1:])) for slot, row in rows.items()}


def mixed(made: Made, *more: Mapping[str, Sequence[Any]]) -> Made:
    """Templates with more of them: a slot's weight (by which old and new come about equally often), then templates."""
    found = dict(made)
    for table in more:
        for slot, (weight, *rows) in table.items():
            label, before = found[slot]
            found[slot] = (label, (*before, *(f"{weight * own:.3g}: {row}" for own, row in weighted(rows))))
    return found


def is_made(code: str) -> bool:
    """Whether notes can be made in a language."""
    return code in languages() and languages()[code].synth is not None


def languages_made() -> tuple[str, ...]:
    return tuple(code for code in languages() if is_made(code))


def language_named(code: str) -> Synth:
    """What notes in a language are made of, by its code."""
    found = languages().get(code)
    if found is None or found.synth is None:
        raise SynthError(f"{code[:20]}: no notes can be made in this language; there are {', '.join(languages_made())}")
    return found.synth
