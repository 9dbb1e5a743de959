"""Chinese: the mainland in simplified script, Taiwan in traditional script.

Names are in `synth_people`, places and addresses in `synth_places`, forms of dates and numbers in `synth_tables`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from random import Random

from elision.languages.synth import Age, Country, Piece, Pieces, Synth
from elision.languages.synth_lists import list_file, list_of
from elision.languages.zh.synth_organizations import ORGANIZATION_WORDS
from elision.languages.zh.synth_people import draw, form, names_of, titled
from elision.languages.zh.synth_places import NAMES_OF_LISTS, cn_place, places_made, tw_place, words_of_places
from elision.languages.zh.synth_tables import CODES, CODES_TW, DATES, DATES_TW

_ORIGINS_CN = {
    "han": 88,
    "uyghur": 2,
    "tibetan": 1.2,
    "mongol": 1.2,
    "hui": 1.5,
    "korean": 0.7,
    "yi": 0.5,
    "foreign": 1.5,
    "latin": 2.5,
    "hk": 2.5,
}
_ORIGINS_TW = {"tw": 90, "indigenous_tw": 3, "foreign": 2, "southeast": 2, "latin": 3, "hk": 4}
_NUMERALS = "〇一二三四五六七八九"
_LUNAR_MONTHS = ("正月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "冬月", "腊月")


def _of_places(name: str) -> Sequence[str]:
    return words_of_places()[name]


def _city_names() -> Sequence[str]:
    return tuple(name for name in list_file("zh", "cities") if len(name) < 4)


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


SYNTH_NOTES = Synth(
    code="zh",
    countries={
        "CN": Country(8, DATES, CODES, places_made("CN"), cn_place, _ORIGINS_CN),
        "TW": Country(2, DATES_TW, CODES_TW, places_made("TW"), tw_place, _ORIGINS_TW),
    },
    names=names_of,
    words={
        **{name: partial(_of_places, name) for name in NAMES_OF_LISTS},
        **ORGANIZATION_WORDS,
        "cityname": _city_names,
        "countyname": list_of("zh", "counties"),
        "towntw": list_of("zh", "towns-tw"),
        "professions": list_of("zh", "professions"),
        "professions_tw": list_of("zh", "professions_tw"),
        "peoples": list_of("zh", "peoples"),
        "ambiguous": list_of("zh", "ambiguous-names"),
        "road_tw": list_of("zh", "roads_tw"),
        "firm_tw": list_of("zh", "firm-stems_tw"),
        "departments": list_of("zh", "departments"),
        "departments_tw": list_of("zh", "departments_tw"),
    },
    titles={
        "patient": {"f": ("5: 女士", "小姐", "阿姨", "太太"), "m": ("6: 先生", "大爷", "师傅")},
        "clinician": {
            "f": (
                "5: 医师",
                "5: 医生",
                "4: 主任",
                "2: 主任医师",
                "2: 副主任医师",
                "2: 主治医师",
                "大夫",
                "教授",
                "住院医师",
            ),
            "m": (
                "5: 医师",
                "5: 医生",
                "4: 主任",
                "2: 主任医师",
                "2: 副主任医师",
                "2: 主治医师",
                "大夫",
                "教授",
                "住院医师",
            ),
        },
        "nurse": {"f": ("5: 护士", "2: 护师", "护士长", "主管护师", "助产士"), "m": ("5: 护士", "2: 护师")},
        "relative": {"f": ("4: 女士", "阿姨", "大姐"), "m": ("4: 先生", "师傅")},
        "other": {"f": ("3: 女士", "老师", "阿姨", "警官"), "m": ("3: 先生", "2: 师傅", "老师", "警官", "律师")},
    },
    behind={"clinician": ("9: ", "（签名）", "/医师"), "nurse": ("9: ", "（签字）")},
    sexes={
        "word": (("3: 女性", "女"), ("3: 男性", "男")),
        "adult": (("女性",), ("男性",)),
        "noun": (("女",), ("男",)),
        "child": (("女孩", "女童"), ("男孩", "男童")),
        "letter": (("F", "女"), ("M", "男")),
        "field": (("女",), ("男",)),
        "pronoun": (("她",), ("他",)),
        "Pronoun": (("她",), ("他",)),
        "his": (("其", "她的"), ("其", "他的")),
        "His": (("其",), ("其",)),
        "him": (("她",), ("他",)),
        "himself": (("自己",), ("自己",)),
        "spouse": (("3: 丈夫", "2: 爱人", "老公", "配偶"), ("3: 妻子", "2: 爱人", "老婆", "配偶")),
        "title": (("女士",), ("先生",)),
        "baby": (("女婴", "女活婴"), ("男婴", "男活婴")),
    },
    months=tuple(f"{number}月" for number in range(1, 13)),
    months_short=tuple(f"{number}月" for number in range(1, 13)),
    weekdays=tuple(f"星期{day}" for day in "一二三四五六日"),
    weekdays_short=tuple(f"周{day}" for day in "一二三四五六日"),
    ordinal=str,
    age=say_age,
    mixture={"zh": 0.7, "zh-maternity": 0.3},
    unlabelled=("FAMILY_RELATION", "SEX", "OTHER"),
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
    spaced=False,
    syllables=False,
)
