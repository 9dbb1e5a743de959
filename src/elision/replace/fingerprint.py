"""Which lists the stand-ins come from: other lists, other stand-ins, so a receipt names them."""

from __future__ import annotations

import json
from functools import cache

from elision.keys import digest_of
from elision.replace import chinese_places, place_lists
from elision.replace.chinese_names import given_characters, surnames
from elision.replace.name_lists import LOCALES, data, letter_shares, pools


@cache
def fingerprint() -> str:
    """The SHA-256 of all lists in use."""
    lists = {
        "words": [data(name) for name in ("names", "en", "es", "nl", "zh")],
        "names": {language: [letter_shares(language), pools(language)] for language in (*LOCALES, "zh")},
        "chinese names": [[surnames(script), given_characters(script)] for script in ("simple", "traditional")],
        "places": {**place_lists.everything(), **chinese_places.everything()},
    }
    return digest_of(json.dumps(lists, ensure_ascii=False, sort_keys=True).encode())
