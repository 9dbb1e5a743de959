"""Patterns of our own presets: dates, telephone numbers and ages, the same for all languages."""

from __future__ import annotations

from collections.abc import Mapping


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
