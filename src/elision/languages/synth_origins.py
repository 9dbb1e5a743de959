"""Names in Latin letters by where they come from: frozen lists of Faker's, and ours where Faker has none."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from elision.languages.base import COMMON, folder
from elision.languages.synth import Names

# Where both know an origin, their names are joined: Faker's stand a name a line, ours between blanks.
_FAKER, _OWN = "synth-names-faker.toml", "synth-names.toml"
_KINDS = ("female", "male", "family")


@cache
def _table(name: str) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(folder(COMMON, name).read_text("utf-8"))


def origins() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*_table(_FAKER), *_table(_OWN))))


@cache
def names_of(origin: str) -> Names:
    """The names of an origin; lists without gender serve for both."""
    faker, own = _table(_FAKER).get(origin, {}), _table(_OWN).get(origin, {})
    return Names(*((*faker.get(kind, "").splitlines(), *own.get(kind, "").split()) for kind in _KINDS))
