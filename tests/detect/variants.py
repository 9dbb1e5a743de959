"""Ways to write a known value, made simply and apart from the code that finds them."""

from __future__ import annotations

import unicodedata
from datetime import date

from hypothesis import strategies as st

GIVEN = ["Jane", "Lieneke", "José", "Karolina", "Willem", "Gaëlle", "Bartholomew", "Yolanda"]
FAMILY = ["Roe", "Quintero", "Ñúñez", "Hoogenboom", "Achterberg", "Müllerson", "Okonkwo", "Featherstone"]
_MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
}
MONTHS = {language: names.split() for language, names in _MONTHS.items()}


def names_written(given: str, family: str) -> list[str]:
    """The forms of a name of two words, all of which are the patient's."""
    both = f"{given} {family}"
    plain = "".join(c for c in unicodedata.normalize("NFD", both) if not unicodedata.combining(c))
    return [
        both, both.upper(), both.lower(), plain, unicodedata.normalize("NFD", both),
        f"{family}, {given}", f"{family} {given}", f"{given}-{family}", f"{family.upper()}, {given}",
        f"{given[0]}. {family}", f"{given[0]} {family}", f"{family}, {given[0]}.", f"{family} {given[0]}.",
        f"{family} {given[0]}{family[0]}", f"{given[0]}.{family[0]}.", family, given, family.upper(), f"{family}s",
    ]  # fmt: skip


def disguised(text: str) -> list[str]:
    """The same to the eye."""
    return [
        "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
        "\u200b".join(text),
        text.replace(" ", "\u00a0"),
        text[:1] + "\u00ad" + text[1:],
        text.replace("-", "\u2011"),
        "\u202e" + text + "\u202c",
        text.replace("o", "о").replace("e", "е"),  # Cyrillic
        unicodedata.normalize("NFD", text),
    ]


def dates_written(day: date) -> list[str]:
    """The forms of a date in full."""
    y, m, d = day.year, day.month, day.day
    found = [
        f"{a}{sep}{b}{sep}{year}" for sep in "/-." for a, b in ((d, m), (m, d), (f"{d:02}", f"{m:02}"))
        for year in (y, f"{y % 100:02}")
    ]  # fmt: skip
    found += [f"{y}{sep}{m:02}{sep}{d:02}" for sep in "/-."] + [f"{y}{m:02}{d:02}", f"{d:02}{m:02}{y}"]
    found += [f"{y}年{m}月{d}日", f"{y}年{m:02}月{d:02}日", f"{d} {m} {y}"]
    for names in MONTHS.values():
        name = names[m - 1]
        brief = name[: 3 if sum(each.startswith(name[:3]) for each in names) == 1 else 4]  # juin, juil
        found += [f"{d} {name} {y}", f"{name} {d}, {y}", f"{d}-{brief}-{y}", f"{d} de {name} de {y}", f"{d} {name}"]
    found += [f"{d}th of {MONTHS['en'][m - 1]} {y}", f"{MONTHS['en'][m - 1]} {d}", f"{MONTHS['nl'][m - 1]} {y}"]
    return found


@st.composite
def grouped(draw: st.DrawFn, digits: str, separators: str = " -./") -> str:
    """The digits with separators between some of them, never two together."""
    cuts = draw(st.sets(st.integers(1, len(digits) - 1), max_size=3))
    sep = draw(st.sampled_from(separators))
    return "".join((sep if at in cuts else "") + digit for at, digit in enumerate(digits))


@st.composite
def slip(draw: st.DrawFn, word: str) -> str:
    """One slip, the first letter apart."""
    at = draw(st.integers(1, len(word) - 2))
    other = draw(st.sampled_from("bdfkprtvz"))
    forms = [
        word[:at] + word[at + 1 :],
        word[:at] + other + word[at:],
        word[:at] + other + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    ]
    return draw(st.sampled_from(forms))
