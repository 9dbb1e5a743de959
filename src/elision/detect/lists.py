"""Lists of words of all languages, as keys."""

from __future__ import annotations

from elision.detect.words import bare
from elision.languages.detection import everywhere


def keys_of(key: str) -> frozenset[str]:
    return frozenset(map(bare, everywhere(key)))


COMMON = keys_of("usual")
TITLES = keys_of("titles")
DROPPED = keys_of("dropped")
PARTICLES = keys_of("particles")
DOUBTFUL = keys_of("doubtful")
ABBREVIATIONS = keys_of("abbreviations")
STREETS = keys_of("streets")
STREET_ENDINGS = everywhere("street_endings")
POINTERS = keys_of("pointers")
