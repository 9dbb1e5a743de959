"""What Spanish knows of places."""

from __future__ import annotations

import re

from elision.languages.places import Places


def _gender(word: str) -> str:
    if word.endswith(("ista", "ente", "ante", "e", "crata")):
        return ""
    return "female" if word.endswith(("a", "triz", "as")) else "male"


PLACES = Places(
    postcode=re.compile(r"(?<![\d-])(?:E-)?\d{5}(?![\d-])"),
    provinces=52,
    towns_of="ES",  # there are towns for every saint beyond
    by_gender=True,
    gender=_gender,
)
