"""Chinese: the mainland in simplified script, Taiwan in traditional script. The data are in `zh/synth/*.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from random import Random

from elision.languages.synth import Age, Piece, Pieces, Synth
from elision.languages.synth_data import countries_of, facts_of, said, words_of
from elision.languages.synth_lists import HELD_OUT, TRAIN, held_out, list_file, sided
from elision.languages.zh.synth_people import draw, form, names_of, titled

_NUMERALS = "〇一二三四五六七八九"
_LUNAR_MONTHS = ("正月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "冬月", "腊月")


def numeral(number: int) -> str:
    """A number below 200 in Chinese numerals."""
    if number >= 100:
        rest = number - 100
        return "一百" + ("" if not rest else ("零" if rest < 10 else "一" if rest < 20 else "") + numeral(rest))
    tens, ones = divmod(number, 10)
    head = "" if tens == 0 else "十" if tens == 1 else _NUMERALS[tens] + "十"
    return head + (_NUMERALS[ones] if ones else "") or "零"


def _infant(age: Age, form: str, rng: Random) -> str:
    months = 12 * age.years + age.months
    if age.years >= 1:
        rest = rng.choice((f"{age.months}月", f"{age.months}个月", f"零{age.months}月")) if age.months else ""
        return f"{age.years}岁{rest}"
    if months >= 1:
        days = age.days % 30
        return rng.choice(
            (
                f"{months}月",
                f"{months}个月",
                f"{months}月{days}天" if days else f"{months}月龄",
                f"{months}月龄" if form != "field" else f"{months}月",
            )
        )
    return rng.choice((f"{age.days}天", f"{age.days}天", f"生后{age.days}天" if form == "" else f"{age.days}日"))


def say_age(age: Age, form: str, rng: Random) -> Pieces:
    """The age with its 岁, as our pack has it. Forms: number, field, words, spaced, nominal, about, latin, tw."""
    years = age.years
    if years < 5 and form not in ("number", "latin", "tw"):
        return (Piece(_infant(age, form, rng), "AGE"),)
    if form == "number":
        return (Piece(str(years), "AGE"),)
    if form == "words":
        return (Piece(f"{numeral(years)}岁", "AGE"),)
    if form == "spaced":
        return (Piece(f"{years} 岁", "AGE"),)
    if form == "nominal":
        return (Piece(f"{years}周岁", "AGE"),)
    if form == "about":
        return (
            Piece(
                rng.choice(
                    (f"{years // 10 * 10}余岁", f"{years // 10 * 10}多岁", f"{numeral(max(years // 10 * 10, 10))}多岁")
                ),
                "AGE",
            ),
        )
    if form == "latin":
        return (Piece(rng.choice((f"{years}Y", f"{years}yo", f"{years}y/o")), "AGE"),)
    if form == "tw":
        return (Piece(f"{years}歲" if years else f"{max(1, age.months)}個月大", "AGE"),)
    if form == "field":
        return (Piece(rng.choice((f"{years}", f"{years}岁", f"{years}岁", f"{years} 岁", f"{years}Y")), "AGE"),)
    return (Piece(f"{years}岁", "AGE"),)


def _years_in_numerals(day: date) -> str:
    return "".join(_NUMERALS[int(digit)] for digit in str(day.year))


def _lunar(day: date) -> str:
    """A day of the lunar calendar near this one: the habit of writing is what matters here."""
    number = (day.day + 9) % 29 + 1
    tens = "初" if number <= 10 else "十" if number < 20 else "二十" if number == 20 else "廿"
    digit = "十" if number == 10 else "" if number == 20 else _NUMERALS[number % 10]
    return _LUNAR_MONTHS[(day.month - 2) % 12] + tens + digit


@cache
def _divisions(side: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in sided(list_file("zh", "divisions"), side))


def _invented(rng: Random, side: str) -> str:
    """A name of two characters for a place that there is not, on its side."""
    heads, tails = (list_file("zh", "place-characters")[at] for at in (0, 1))
    while True:
        name = rng.choice(heads) + rng.choice(tails)
        if side not in (HELD_OUT, TRAIN) or held_out(name) == (side == HELD_OUT):
            return name


def _short(name: str) -> str:
    for end in ("特别行政区", "壮族自治区", "回族自治区", "维吾尔自治区", "自治区", "省", "市", "地区", "盟"):
        if name.endswith(end) and len(name) > len(end) + 1:
            return name.removesuffix(end)
    return name


def cn_place(rng: Random, side: str) -> Mapping[str, str]:
    """A province, a city in it, a county or district of the city, and a postcode."""
    state, city, *areas = rng.choice(_divisions(side))
    area = rng.choice(areas)
    if rng.random() < 0.45:
        city = _invented(rng, side) + rng.choice(("市", "市", "市", "县"))
        area = _invented(rng, side) + rng.choice(("区", "区", "县", "市") if city.endswith("市") else ("镇", "乡"))
    first = said("zh")["zips"].get(state[:2], "32")
    zipped = f"{first}{rng.randint(0, 79):02}{rng.choice(('00', '00', f'{rng.randint(1, 30):02}'))}"
    return {
        "city": city,
        "city:short": _short(city),
        "state": _short(state),
        "state:long": state,
        "zip": zipped,
        "area": area,
    }


def tw_place(rng: Random, side: str) -> Mapping[str, str]:
    city = rng.choice(list_file("zh", "cities_tw"))
    area = rng.choice(sided(list_file("zh", "towns-tw"), side))
    if rng.random() < 0.3:
        area = (
            rng.choice("柳雲和松竹梅南北東新永安")
            + rng.choice("濱塘溪埔崙寮園湖港厝林豐")
            + rng.choice(("區", "鄉", "鎮"))
        )
    code = f"{rng.randint(100, 983)}" + rng.choice(("", "", f"{rng.randint(1, 60):02}", f"-{rng.randint(1, 60):02}"))
    return {"city": city, "city:short": city[:2], "state": city, "state:long": city, "zip": code, "area": area}


def _stems() -> tuple[str, ...]:
    heads, tails, *_ = list_file("zh", "place-characters")
    return tuple(head + tail for head in heads for tail in tails)


def _firms() -> tuple[str, ...]:
    *_, heads, tails = list_file("zh", "place-characters")
    return tuple(head + tail for head in heads for tail in tails if head != tail)


def _stems_tw() -> tuple[str, ...]:
    heads, tails = "柳雲和松竹福光永安新南龍美仁文東金興", "濱塘德興安和平豐溪湖華光成榮山"
    return tuple(head + tail for head in heads for tail in tails)


def _city_names() -> Sequence[str]:
    return tuple(name for name in list_file("zh", "cities") if len(name) < 4)


SYNTH_NOTES = Synth(
    **facts_of("zh"),
    countries=countries_of("zh", {"CN": cn_place, "TW": tw_place}),
    names=names_of,
    words={
        **words_of("zh"),
        "cityname": _city_names,
        "clan": lambda: list_file("zh", "names-cn-family")[:80],
        "clan_tw": lambda: list_file("zh", "names-tw-family")[:60],
        "stem": _stems,
        "stem_tw": _stems_tw,
        "firm": _firms,
        "road": lambda: (*list_file("zh", "roads"), *_stems()[::9]),
    },
    ordinal=str,
    age=say_age,
    person=draw,
    form=form,
    titled=titled,
    date_tokens={
        "零年": _years_in_numerals,
        "零月": lambda day: numeral(day.month),
        "零日": lambda day: numeral(day.day),
        "农历农": lambda day: "农历" + _lunar(day),
        "阴历农": lambda day: "阴历" + _lunar(day),
        "农": _lunar,
        "ROC": lambda day: str(day.year - 1911),
    },
)
