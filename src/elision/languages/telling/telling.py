"""Which languages a text is in, looked at in stretches.

Latin letters: each word says how likely it is in each language that we know (`words`), and the sums of stretches of
some sixteen words are compared. One of our languages is told if the words are its own, not just likelier than in
another; if no other language has a stretch that is plainly its; and if few words speak against it. Chinese is told by
its characters, beside the language of the Latin words around them; other scripts are mostly one language's.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.languages.base import DEFAULT, language
from elision.languages.telling import TOLD_BY, Told, words
from elision.text.characters import HAN_RUNS, HAN_SIGN

KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9d]")
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
    for marked, letters in _MARKS.get(code, ()):
        if sum(map(lower.count, letters)) * 100 >= count:
            return marked, count
    return code, count


def kana_in(text: str) -> tuple[int, list[str]]:
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


OURS = tuple(code for code, by in TOLD_BY.items() if by == "letters")
HAN = next((code for code, by in TOLD_BY.items() if by == "characters"), "")
NEAR = {code: near for code in OURS if (near := language(code).table("language").get("near", "").split())}
# "y.o", "c/o", "i.o.m"; a word, of which no more than 40 letters; the end of a stretch
_LETTER = "[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]"
TOKEN = re.compile(f"{_LETTER}{{2,40}}|{_LETTER}(?:[./]{_LETTER})+(?!{_LETTER})|{_LETTER}|\n|[.!?;](?=\\s)|[。！？；]")
STRETCH = 16  # words


# Limits in nats, chosen on notes by hand and on the first halves of fragments: `experiments/languages.py`.
ENOUGH = 4.0  # for one of our languages, against all languages mixed
AHEAD = 5.0  # of the next that is not ours
MORE = 3.5  # and how much more of those near to it, of which few words are known
EACH, LONG = 0.35, 40  # for each word, of no more words than these
FOREIGN = 20.0  # for a stretch of another language within a note of ours: a long sentence, or two
BRIEFLY, SHARE = 12.0, 0.6  # the same where a note is short: at least so much, and of what speaks for ours
SECOND = 16.0  # for a stretch of a second language of ours
BESIDE = 20.0  # for English beside Chinese
AGAINST = 25.0  # for a stretch in no language that we know
MANY = 20  # words, from which on a text that fits none of our languages is in another, and not just too short
GUESS = 4.0  # to name a language that is not ours
CHINESE, JAPANESE = 1.6, 0.9  # of each Chinese character, against Japanese
OWN = 0.04  # of Chinese characters that only Chinese has
LETTERS, SYLLABLES = 60, 25  # of another script that are no name
_WORDLESS = re.compile(r"[\s\d!-/:-@\[-`{-~°℃µ±×÷–—…•·≤≥“”‘’«»¿¡、。，：；？！（）【】《》％～]*")


@dataclass(frozen=True, slots=True)
class Latin:
    """What the words in Latin letters tell."""

    language: str = ""  # the likeliest of all, "" without words
    nats: float = 0.0  # for it, against all languages mixed
    ahead: float = 0.0  # of the next that is not ours, or of ours
    count: int = 0  # of words
    ours: bool = False  # whether it is told, and ours
    also: tuple[str, ...] = ()
    stretch: str = ""  # a language that has a stretch of its own in it
    against: float = 0.0  # what speaks for that

    @property
    def foreign(self) -> str:
        """The language that it is in if that is not ours."""
        plainly = self.language not in OURS and min(self.nats, self.ahead) >= GUESS
        if plainly and self.stretch == "?":
            return self.language
        return self.stretch or (self.language if plainly else "")


def told(text: str) -> Told:
    """The languages that a text is in."""
    if _WORDLESS.fullmatch(text):
        return Told(wordless=True)
    if text.isascii():
        return _by_latin(latin(text))
    text = unicodedata.normalize("NFC", text)
    words_ = latin(text)
    if not STRANGE.search(text):
        return _by_latin(words_)
    code, letters = others(text)
    kana, runs = kana_in(text)
    if kana > letters:
        code, letters = "ja", kana
    han = sum(map(len, runs))
    most = SYLLABLES if code in ("ja", "ko") else LETTERS
    if letters and (letters >= most or letters > words_.count + han):
        return Told(sure=1.0, guess=code or "?")
    if not han:
        return _by_latin(words_)
    chinese, japanese, likely = words.shipped().chinese(runs)
    if han <= words_.count and (words_.ours or words_.foreign):
        found = _by_latin(words_)
        return replace(found, also=(*found.also, HAN) if found.language else ())
    own = chinese > 2 * japanese and chinese >= OWN * han
    if not own and (japanese or likely < 1 + CHINESE * han):
        return Told(guess="ja" if japanese > chinese or likely < JAPANESE * han else "")
    if words_.foreign and (words_.against if words_.ours else min(words_.nats, words_.ahead)) >= FOREIGN:
        return Told(sure=1.0, guess=words_.foreign)
    also = words_.also if words_.language == DEFAULT or words_.nats < SECOND else (words_.language, *words_.also)
    if han <= words_.count or (words_.ours and words_.nats >= BESIDE):
        also = (DEFAULT, *also)
    return Told(HAN, _sure(likely), also)


def _by_latin(found: Latin) -> Told:
    if found.foreign:
        return Told(sure=_sure(min(found.nats, found.ahead)) if not found.stretch else 1.0, guess=found.foreign)
    if not found.ours:
        return Told()
    return Told(found.language, _sure(min(found.nats, found.ahead)), found.also)


def _sure(nats: float) -> float:
    return round(1 - math.exp(-max(nats, 0.0) / 4), 3)


def latin(text: str) -> Latin:
    """What words in Latin letters tell: which language all together, and which some stretch."""
    sums, weights, count = _stretches(TOKEN.findall(text))
    if not count:
        return Latin()
    names = words.shipped().languages
    own = np.array([one in OURS for one in names])
    whole = sums.sum(0)
    best = int(whole.argmax())
    all_ = _with_others(sums, best, own) if own[best] else [best]
    ours = sums[:, own].max(1, keepdims=True)
    nats = float(sums[:, all_].max(1).sum())  # each stretch in one of its languages
    if near := NEAR.get(names[best]):
        whole += [MORE if name in near else 0 for name in names]
    ahead = nats - float(whole[own != own[best]].max())
    told = own[best] and nats >= ENOUGH + EACH * min(weights, LONG) and ahead >= AHEAD
    if not told:
        strange = weights >= MANY and float(whole[own].max()) < 0
        return Latin(names[best], nats, ahead, count, stretch="?" if strange else "")
    least = min(FOREIGN, max(BRIEFLY, SHARE * nats))
    against = np.where(own, 0, _greatest(sums - ours, least))
    stretch = names[int(against.argmax())] if against.max() >= least else ""
    if not stretch and _greatest(-ours, AGAINST)[0] >= AGAINST:
        stretch = "?"
    also = tuple(names[one] for one in all_[1:])
    return Latin(names[best], nats, ahead, count, True, also, stretch, float(against.max()))


def _with_others(sums: npt.NDArray[Any], best: int, own: npt.NDArray[np.bool_]) -> list[int]:
    """The likeliest language, and each further one of ours with a stretch that is none of those before it: beside
    English, a French one is likelier in Italian, too, but not beside French."""
    found = [best]
    while True:
        second = np.where(own, _greatest(sums - sums[:, found].max(1, keepdims=True), SECOND), 0)
        if second.max() < SECOND:
            return found
        found.append(int(second.argmax()))


def _stretches(tokens: Sequence[str]) -> tuple[npt.NDArray[Any], float, int]:
    """What the words of each stretch say together, in nats; how far all count, and how many they are."""
    model = words.shipped()
    sums, count = [np.zeros((0, len(model.languages) + 1))], 0
    for first in range(0, len(tokens), words.TOGETHER):
        these = tokens[first : first + words.TOGETHER]
        rows = model.of(these)
        ends = rows[:, -1] == words.END
        rows[ends, -1] = 0
        count += len(these) - int(ends.sum())
        ends[::STRETCH] = True
        sums.append(np.add.reduceat(rows, np.flatnonzero(ends), axis=0, dtype=np.int32))
    whole = np.concatenate(sums) / words.UNIT
    return whole[:, :-1], float(whole[:, -1].sum()), count


def _greatest(sums: npt.NDArray[Any], least: float) -> npt.NDArray[Any]:
    """For each column the greatest sum of numbers that follow each other, or 0 if it cannot be `least`."""
    found = np.zeros(sums.shape[1])
    columns = np.flatnonzero(np.maximum(sums, 0).sum(0) >= least)
    if len(columns):
        totals = np.vstack((np.zeros(len(columns)), np.cumsum(sums[:, columns], axis=0)))
        found[columns] = (totals - np.minimum.accumulate(totals, axis=0)).max(0)
    return found
