"""The linear taggers that are ours. Nothing is hidden here.

Each function gives the `Settings` from which `taggers.store.fit` learns. Each takes any setting by its name, too, and
`words=True`, which cuts a language without blanks into words, not characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elision.languages.base import code_of
from elision.languages.groups import SIZES, cut
from elision.taggers.linear.pos import spoken
from elision.taggers.linear.settings import Settings
from elision.taggers.settings import settings_with


def _spelt(words: str) -> str:
    """Each word in small letters, with a capital, and in capitals."""
    return "|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}|{word.upper()}" for word in words.split())


_NAMES_OF_MONTHS = _spelt(
    "january february march april may june july august september october november december "
    "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre "
    "januari februari maart mei juni juli augustus oktober"
)
_SHORT_MONTHS = _spelt("jan feb mar apr jun jul aug sept sep oct nov dec ene abr ago dic mrt okt")
_SMALL_NUMBERS = _spelt(
    "one two three four five six seven eight nine ten eleven twelve un una dos tres cuatro cinco seis siete ocho nueve "
    "diez once doce een twee drie vier vijf zes zeven acht negen tien elf twaalf"
)
_SPANS_OF_TIME = _spelt(
    "years year yrs months month mos weeks week wks days day años año meses mes semanas semana días día "
    "jaar jarige maanden maand weken week dagen dag"
)
_ANY_MONTH = rf"(?:{_NAMES_OF_MONTHS}|(?:{_SHORT_MONTHS})\.?)"

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "numbers-date": (
        r"\b[0-3]?\d[-/.][0-3]?\d[-/.](?:[12]\d)?\d\d\b",
        r"\b[12]\d{3}[-/.年] ?[01]?\d[-/.月] ?[0-3]?\d(?:日|\b)",
    ),
    "month": (rf"\b(?:{_NAMES_OF_MONTHS})\b", r"\b\d{1,2} ?月"),
    "month-and-year": (rf"\b{_ANY_MONTH}[ /,-]{{0,2}}(?:del? |of )?(?:[12]\d)?\d\d\b",),
    "phone": (
        r"\b\d{3}[ .-]?\d{2,3}[ .-]?\d{2}[ .-]?\d{2,3}\b",
        r"\b\d{3}[ .-]?\d{3}[ .-]?\d{3}\b",
    ),
    "age": (
        rf"\b(?:\d{{1,3}}|{_SMALL_NUMBERS})[ -]?(?:{_SPANS_OF_TIME})\b",
        r"\d{1,3} ?(?:岁|个月|天)",
    ),
}


FAST = (
    "lower[-2..2]", "plain[-3..3]", "shape[-2..2]", "brief[-3..3]", "prefix2[0]", "prefix3[-1..1]", "suffix2[0]",
    "suffix3[-1..1]", "gap[-1..1]", "key[0]", "key-distance[0]", "key[0] key-distance[0]", "chunk-brief[0]",
    "chunk-plain[0]", "chunk-place[0]", "elsewhere[0]", "lower[-1] lower[0]", "lower[0] lower[1]",
    "shape[-1] shape[0]", "shape[0] shape[1]",
)  # fmt: skip
BEST = (
    "form[-1..1]", "lower[-5..5]", "plain[-3..3]", "shape[-3..3]", "brief[-5..5]", "length[-1..1]",
    "prefix1[-1..1]", "prefix2[-1..1]", "prefix3[-2..2]", "prefix4[-1..1]", "prefix5[0]",
    "suffix1[-1..1]", "suffix2[-1..1]", "suffix3[-2..2]", "suffix4[-1..1]", "suffix5[0]",
    "lower[-2] lower[-1]", "lower[-1] lower[0]", "lower[0] lower[1]", "lower[1] lower[2]",
    "lower[-2] lower[-1] lower[0]", "lower[-1] lower[0] lower[1]", "lower[0] lower[1] lower[2]",
    "shape[-1] shape[0]", "shape[0] shape[1]", "shape[-1] shape[0] shape[1]", "lower[-1] shape[0]", "shape[0] lower[1]",
    "gap[-2..2]", "gap[0] gap[1]", "gap[0] lower[0]", "gap[1] lower[0]", "gap[0] shape[0]", "gap[0] lower[-1]",
    "line-place[0]", "key[0]", "key-distance[0]", "key[0] key-distance[0]", "key[0] shape[0]",
    "chunk-brief[0]", "chunk-shape[0]", "chunk-plain[0]", "chunk-place[0]", "chunk-brief[0] chunk-place[0]",
    "chunk-shape[0] chunk-place[0]", "email-like[-1..1]", "email-like[0] brief[0]",
    "elsewhere[-1..1]", "elsewhere[0] shape[0]", "elsewhere[0] key[0]", "elsewhere[0] lower[-1]",
    "before-again[0]", "after-again[0]", *(f"pattern-{name}[-1..1]" for name in PATTERNS),
)  # fmt: skip
BEST_POS = ("pos[-2..2]", "pos[-1] pos[0]", "pos[0] pos[1]", "pos[0] lower[-1]", "pos[0] brief[0]")


RULES = ("rule[-1..1]", "rule[0] shape[0]", "rule[0] lower[-1]")
GROUPS = tuple(f"group-{size}[-1..1]" for size in SIZES)
LISTED = ("listed[-1..1]", "listed[0] shape[0]", "listed[-1] listed[0]", "listed[0] listed[1]")
WORDS = (
    "word-place[-1..1]",
    "word-rarity[-1..1]",
    *(f"{way}-{size}[0]" for way in ("word", "before", "behind") for size in SIZES),
)


def elision_fast(
    language: str = "",
    *,
    rules: bool = False,
    pos: bool = False,
    groups: bool = False,
    listed: bool = False,
    **more: Any,
) -> Settings:
    """Ours, small and quick: what runs by default on every note.

    `rules` adds what the language's pack of rules finds as features: better, and half as fast. `pos` adds parts of
    speech, which tell an unknown word from an unknown name, and takes a quarter of the speed. `groups` adds the groups
    of like words that come with elision, which tell what a word is like that no training note had, at no cost; in
    Chinese, where text is cut into words for that, at a little. `listed` adds what public lists have a word as, a name,
    a surname, a place, for languages in Latin letters, at no cost either.
    """
    features = FAST + (BEST_POS if pos else ()) + (RULES if rules else ()) + (_groups(language) if groups else ())
    features += LISTED if listed else ()
    fast = Settings(features=features, language=language, epochs=12, seeds=4, megabytes=4.0, dial=0.3)
    return settings_with(fast, {}, more)


def elision_best(language: str = "", *, rules: bool = False, groups: bool = False, **more: Any) -> Settings:
    """Ours, as good as it gets: a wider view, patterns, parts of speech where we have them, ten learnings in one.

    `rules` and `groups` are as in `elision_fast`.
    """
    features = BEST + (BEST_POS if code_of(language) in spoken() else ())
    features += (RULES if rules else ()) + (_groups(language) if groups else ())
    best = Settings(features=features, language=language, epochs=16, seeds=10, dropout=0.6, megabytes=12.0, dial=0.25)
    return settings_with(best, {"patterns": PATTERNS}, more)


def _groups(language: str) -> tuple[str, ...]:
    return WORDS if code_of(language) in cut() else GROUPS
