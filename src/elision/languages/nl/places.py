"""What Dutch knows of places."""

from __future__ import annotations

import re

from elision.languages.places import Places

_WOMEN = ("ster", "esse", "euse", "trice", "ares", "ente", "vrouw", "zuster", "meisje")


def _gender(word: str) -> str:
    return "female" if word.endswith(_WOMEN) else "male"


PLACES = Places(
    postcode=re.compile(r"(?<![\d-])(?:NL-|B-)?[1-9]\d{3} ?[A-Z]{2}(?![A-Za-z\d])|^(?:B-)?[1-9]\d{3}(?=\s+\D)"),
    joined_streets=True,
    gender=_gender,
)
