"""Letters that are not Latin: whose they are, and how many there are."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from elision.text.characters import HAN_SIGN

KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9d]")
HAN_RUNS = re.compile(f"{HAN_SIGN.pattern}+")
_WHOLE = {  # scripts that are mostly one language's
    "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af\ua960-\ua97f\ud7b0-\ud7ff",
    "th": "\u0e01-\u0e5b",
    "he": "\u0590-\u05ff",
    "hi": "\u0900-\u097f",
    "bn": "\u0980-\u09ff",
    "ta": "\u0b80-\u0bff",
    "hy": "\u0530-\u058f",
    "ka": "\u10a0-\u10ff",
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "ru": "\u0400-\u052f",
    "ar": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
}
_MARKS = {  # letters that one language of a script has and those before it have not
    "ru": (("uk", "іїєґ"), ("be", "ў"), ("mk", "ѓќѕ"), ("sr", "љњћђџј"), ("ru", "ыэё"), ("bg", "ъ")),
    "ar": (("ur", "ٹڈڑےںھہ"), ("fa", "پچژگیک")),
}
_OTHERS = re.compile("|".join(f"(?P<{code}>[{letters}])" for code, letters in _WHOLE.items()))
# Letters that are not Latin; of those of no script that is named here, nothing is known but that they are not ours.
STRANGE = re.compile("[^\\W\\d_\u0000-\u036f\u1e00-\u1eff\u2000-\u2bff\u2c60-\u2c7f\ua720-\ua7ff\uff00-\uffef]")


@lru_cache(maxsize=1 << 14)
def _script(letter: str) -> str:
    if HAN_SIGN.match(letter):
        return "zh"
    found = _OTHERS.match(letter)
    return "ja" if KANA.match(letter) else (found.lastgroup or "") if found else ""


def others(text: str) -> tuple[str, int]:
    """The language of letters that are neither Latin, Chinese nor Japanese, and how many there are of it."""
    there = Counter(map(_script, STRANGE.findall(text)))
    counts = Counter({code: count for code, count in there.items() if code not in ("zh", "ja")})
    if not counts:
        return "", 0
    code, count = counts.most_common(1)[0]
    lower = text.lower() if code in _MARKS else ""
    for language, letters in _MARKS.get(code, ()):
        if sum(map(lower.count, letters)) * 100 >= count:
            return language, count
    return code, count


def japanese(text: str) -> tuple[int, list[str]]:
    """How many characters are Japanese, and the runs of Chinese characters of other lines. A text of which one
    character in fifteen is kana is Japanese, and so is a line of which one in seven is."""
    kana, whole = len(KANA.findall(text)), HAN_RUNS.findall(text)
    han = sum(map(len, whole))
    if kana * 15 >= han + kana and kana > 1:
        return kana + han, []
    if not kana:
        return 0, whole
    count, runs = 0, []
    for line in text.splitlines():
        kana, here = len(KANA.findall(line)), HAN_RUNS.findall(line)
        size = sum(map(len, here))
        if kana >= 2 and kana * 6 >= size:
            count += kana + size
        else:
            runs += here
    return count, runs
