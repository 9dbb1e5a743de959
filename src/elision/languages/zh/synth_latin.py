"""People whose names stand in Latin letters in Chinese notes: foreigners, and those of Hong Kong and Singapore."""

from __future__ import annotations

from functools import cache
from random import Random

from elision.languages.synth import Names, Person
from elision.languages.synth_lists import sided
from elision.languages.synth_origins import names_of


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FOREIGN, HONG_KONG = "latin", "hk"
ORIGINS = (FOREIGN, HONG_KONG)
_FROM = (
    "us",
    "gb",
    "in",
    "ng",
    "gh",
    "ke",
    "za",
    "id",
    "vi",
    "ph",
    "pk",
    "ru",
    "fr",
    "de",
    "ar",
    "ko",
    "jp",
    "th",
    "it",
)
_FAMILIES = _words("""
    Chan Wong Lam Cheung Leung Ng Lee Ho Lau Tsang Yeung Kwok Fung Yip Chow Tang Siu Mak Poon Yau Cheng Chiu Choi
    Chu Hui Ip Kam Kwan Lai Law Lo Lui Luk Ma Mok Pang So Suen Szeto Tam Tse Tsui Wan Wu Yuen Yu Au-Yeung Au Fok Hung Ko
    Lim Tan Goh Koh Ong Teo Chua Sim Toh Ang Quek Yeo Chong
""")
_SYLLABLES = {
    "f": _words("""Mei Wai Yee Ling Kuen Lan Ying Fong Sau Wing Yan Ka Man Yuk Siu Lai Suet Hoi Ching Tsz Wan Kwan Pui
        Miu Hing Oi Lin Sze Yin Fan Choi Shuk Chun Fung Huan Xin Bee Geok"""),
    "m": _words("""Tai Man Ming Ka Ho Chi Keung Kwok Wah Wing Kin Fai Chun Hin Yiu Shing Siu Hung Wai Lok Tsz Kit Yu Pak
        Chung Kam Tong Leung Cheuk Hei On Tung Kwong Sing Boon Kiat Seng Hock"""),
}  # fmt: skip
_ENGLISH = {
    "f": _words("""Winnie Mandy Fiona Carmen Queenie Vivian Kitty Joyce Phoebe Yoyo Cherry Peggy Doris Ivy Karen Mabel
        Hazel Amy Gigi Janice Connie Elaine Shirley Bonnie Rachel Natalie"""),
    "m": _words("""Dickson Jackson Ricky Kelvin Raymond Alvin Edmond Wilson Samson Terence Vincent Patrick Jacky Benny
        Ivan Clement Stanley Gordon Marco Jason Hinson Anson Desmond Calvin"""),
}  # fmt: skip
_STYLES = {  # {F}: the family name in capitals
    FOREIGN: ("5: {given} {family}", "{F}, {given}", "{F} {given}", "{given} {F}", "{family} {given}"),
    HONG_KONG: (
        "4: {english} {family}",
        "5: {F} {given}",
        "2: {family} {given}",
        "{F} {given} {english}",
        "{F}, {given}",
    ),
}


@cache
def _names(origin: str, side: str) -> Names:
    return Names(*(sided(listed, side) for listed in names_of(origin)))


def draw_latin(sex: str, origin: str, rng: Random, side: str) -> Person:
    """Somebody whose name is written in Latin letters, always in the same way."""
    style = _style(origin, rng)
    if origin == HONG_KONG:
        given = " ".join(rng.sample(_SYLLABLES[sex], 2))
        return Person(sex, (given,), rng.choice(sided(_FAMILIES, side)), origin,
                      {"style": style, "english": rng.choice(sided(_ENGLISH[sex], side))})  # fmt: skip
    names = _names(rng.choice(_FROM), side)
    given = rng.choice(names.female if sex == "f" else names.male)
    return Person(sex, (given,), rng.choice(names.family or names.male), origin, {"style": style, "english": given})


def _style(origin: str, rng: Random) -> str:
    rows = [row.rpartition(": ") for row in _STYLES[origin]]
    return rng.choices([style for *_, style in rows], [float(weight or 1) for weight, *_ in rows])[0]


def form_in_latin(person: Person, wanted: str, rng: Random) -> str | None:
    """A form of such a name."""
    family, given, english = person.family, person.given[0], person.more["english"]
    if wanted == "last":
        return family
    if wanted in ("first", "first_initial"):
        return english
    if wanted == "last_first":
        return f"{family.upper()}, {given}"
    if wanted == "initial_last":
        return rng.choice((f"{english[0]}. {family}", f"{english} {family}", english))
    if wanted == "last_first_initial":
        return f"{family} {english[0]}."
    if wanted in ("initials", "initials_dots"):
        letters = english[0] + family[0]
        return letters if wanted == "initials" else ".".join(letters) + "."
    if wanted in ("full", "sign", "full_middle", "full_initial"):
        return person.more["style"].format(F=family.upper(), family=family, given=given, english=english)
    return None
