"""What English knows of places."""

from __future__ import annotations

import re

from elision.languages.places import Places

_AT_THE_END = r"(?<!\d)\d{5}-\d{4}$|(?<!\d)\d{5}$"
_ISLES = r"(?<![A-Z\d])(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?![A-Z\d])"


def _gender(word: str) -> str:
    if word.endswith(("ess", "woman", "maid")):
        return "female"
    return "male" if word.endswith("man") else ""


PLACES = Places(
    country="US",
    postcode=re.compile(rf"{_ISLES}|{_AT_THE_END}|(?<![\d-])(?<=[A-Z]{{2}} )\d{{4}}$"),
    postcode_first=False,
    particles=False,
    gender=_gender,
)
