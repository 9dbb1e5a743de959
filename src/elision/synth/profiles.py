"""Profiles: what a corpus of made notes is like, as a row of TOML. `data/profiles/*.toml` come with elision."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any

from elision.errors import SynthError
from elision.labels import canonical
from elision.languages.base import folder as language_folder
from elision.languages.synth_data import is_made, language_named, languages_made
from elision.languages.synth_lists import BOTH, HELD_OUT
from elision.synth.grammar import HELD_OUT as HELD_OUT_FILE
from elision.synth.noise import Noise
from elision.synth.reading import WHOLE

FOLDER = Path(str(files("elision"))) / "data" / "profiles"
MIXED_NAMES = {"ambiguous": 0.05, "invented": 0.08}  # of the mixtures for training
INJECT = "inject"  # the grammar of what is put into other people's notes: no note by itself


@dataclass(frozen=True, slots=True)
class Profile:
    """What notes are like. Grammars by name or pattern ("maternity*") with weights."""

    name: str
    language: str
    grammars: Mapping[str, float] = field(default_factory=lambda: {"*": 1.0})
    countries: tuple[str, ...] = ()
    labels: Mapping[str, float] = field(default_factory=dict)  # label -> share of the spans to aim at
    notes_per_patient: tuple[int, int] = (1, 1)
    ages: tuple[tuple[float, int, int], ...] = ((1.0, 0, 17), (4.0, 18, 59), (4.0, 60, 89), (0.6, 90, 103))
    years: tuple[int, int] = (2006, 2026)
    women: float = 0.5
    days_between: tuple[int, int] = (5, 120)
    names: Mapping[str, float] = field(default_factory=dict)  # ambiguous, invented: how often
    noise: Noise = field(default_factory=Noise)
    ocr: float = 0.0


def profile_names() -> tuple[str, ...]:
    return tuple(sorted({path.stem for path in FOLDER.glob("*.toml")} | set(languages_made())))


def read_profile(name: str) -> Profile:
    """A profile by its name, a TOML file, or the broad mixture of a language by its code."""
    path = FOLDER / f"{name}.toml"
    if name.endswith(".toml"):
        path = Path(name)
    elif not path.is_file() and is_made(name):
        return Profile(name, name, notes_per_patient=(1, 4), names=MIXED_NAMES)
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError:
        raise SynthError(
            f"{name[:60]}: no such profile; there are {', '.join(profile_names())}, or give a file that ends in .toml"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SynthError(f"{path}: is no TOML: {error}") from None
    return _profile(path, table)


def _profile(path: Path, table: dict[str, Any]) -> Profile:
    known = {row.name for row in fields(Profile)} - {"name"}
    if unknown := set(table) - known:
        raise SynthError(f"{path}: no such key {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    if "language" not in table:
        raise SynthError(f"{path}: says no language; there are {', '.join(languages_made())}")
    kept = dict(table)
    try:
        for key in ("countries", "years", "notes_per_patient", "days_between"):
            if key in kept:
                kept[key] = tuple(kept[key])
        if "ages" in kept:
            kept["ages"] = tuple((float(weight), int(low), int(high)) for weight, low, high in kept["ages"])
        kept["noise"] = Noise(**table.get("noise", {}))
        profile = Profile(path.stem, **kept)
        _check(profile, path)
    except (TypeError, ValueError) as error:
        raise SynthError(f"{path}: {error}; see docs/synth.md for what a profile holds") from None
    return profile


def _check(profile: Profile, path: Path) -> None:
    language = language_named(profile.language)
    for code in profile.countries:
        if code not in language.countries:
            raise SynthError(
                f"{path}: no country {code} in {profile.language}; there are {', '.join(language.countries)}"
            )
    for label, share in profile.labels.items():
        if label not in canonical() or not 0 <= share <= 1:
            raise SynthError(f"{path}: labels: {label} = {share}: a canonical label and its share of the spans, 0 to 1")
    low, high = profile.notes_per_patient
    if not 1 <= low <= high <= 64:
        raise SynthError(f"{path}: notes_per_patient: from 1 to 64, the fewer first")
    if (
        profile.years[0] > profile.years[1]
        or profile.days_between[0] > profile.days_between[1]
        or profile.days_between[0] < 0
    ):
        raise SynthError(f"{path}: years, days_between: the lesser first")


def grammar_files(profile: Profile, side: str) -> dict[Path, float]:
    """The grammars of a profile on a side, with their weights."""
    folder = language_folder(profile.language, "synth")
    every = [path for path in grammars_in(folder) if _name(path) != INJECT]
    for key in profile.grammars:
        if every and not any(fnmatchcase(_name(path), key) for path in every):
            raise SynthError(f"{profile.name}: grammars: none in {folder} is called {key}")
    on_side = [path for path in every if side == BOTH or path.stem.startswith(HELD_OUT_FILE) == (side == HELD_OUT)]
    found = {path: weight for path in on_side if (weight := _weight(profile, _name(path))) > 0}
    if not found:  # the profile names its grammars, and none of them is on this side: any of the language will do
        found = dict.fromkeys(on_side, 1.0)
    if not found:
        raise SynthError(f"{profile.name}: no grammar for the side {side} in {folder}")
    return found


def _name(path: Path) -> str:
    return path.stem.removeprefix(HELD_OUT_FILE)


def _weight(profile: Profile, name: str) -> float:
    """The weight of a grammar: by its name, or by the first pattern that fits ("maternity*"), and "*" last."""
    if name in profile.grammars:
        return profile.grammars[name]
    patterns = sorted(profile.grammars, key=lambda key: key == "*")
    return next((profile.grammars[key] for key in patterns if fnmatchcase(name, key)), 0.0)


def grammars_in(folder: Path) -> list[Path]:
    """The files that notes can be made of; others are there to be included."""
    return [path for path in sorted([*folder.glob("*.grammar"), *folder.glob(f"*{WHOLE}")]) if _begins_a_note(path)]


def _begins_a_note(path: Path) -> bool:
    return path.suffix == WHOLE or any(
        line.split("=")[0].strip() == "note" for line in path.read_text("utf-8").splitlines() if "=" in line
    )
