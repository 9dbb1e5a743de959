"""Which of our languages a note is in: by Chinese characters, else by the small words that every sentence has."""

from __future__ import annotations

import re
from collections import Counter

from elision.characters import HAN_RANGES

LANGUAGES = ("en", "es", "nl", "zh")
MOST = 20_000  # characters of a note that are looked at
SURE = 1.5  # times as many small words as in the next language, or it is not told
LEAST = 2  # small words
_SMALL = {
    "en": "the of and to with was for is on in at by from has had no he she his her this that as are were be been not "
    "patient history which who after which but year old day dated seen you your",
    "es": "el la los las de del y con que en un una por para se su al es fue sin como más años paciente presenta "
    "refiere ha lo le no tras desde hasta día edad muy ni a o está",
    "nl": "de het een en van met op in is te voor bij niet geen zijn heeft werd was door naar aan hij zij haar ook om "
    "patiënt jaar uit als dat die wordt na over sinds mevrouw dhr mw ik er u",
}
_WORDS = {language: frozenset(words.split()) for language, words in _SMALL.items()}
_WORD = re.compile(r"[^\W\d_]+")
_HAN = re.compile(f"[{HAN_RANGES}]")


def language_of(text: str) -> str:
    """`en`, `es`, `nl` or `zh`; "" where the text does not tell."""
    text = text[:MOST]
    words = Counter(_WORD.findall(text.lower()))
    chinese = 0 if text.isascii() else len(_HAN.findall(text))
    if chinese and chinese > sum(count for word, count in words.items() if word.isascii()):
        return "zh"
    counts = sorted((sum(words[word] for word in small & words.keys()), language) for language, small in _WORDS.items())
    (next_best, _), (best, language) = counts[-2:]
    return language if best >= LEAST and best >= SURE * next_best else ""
