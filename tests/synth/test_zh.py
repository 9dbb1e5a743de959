"""Chinese names, ages, dates and places as made notes write them."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from elision.languages.synth import Age, Person
from elision.languages.synth_lists import HELD_OUT, TRAIN
from elision.languages.zh.synth_notes import SYNTH_NOTES, cn_place, numeral, say_age, tw_place
from elision.languages.zh.synth_people import draw, form
from elision.synth.patterns import write_date

HAN = Person("f", ("晓晴",), "林", "han")
SHORT = Person("m", ("磊",), "石", "han")
UYGHUR = Person("f", ("阿依努尔",), "卡德尔", "uyghur", {"joint": "·"})
TIBETAN = Person("m", ("扎西",), "", "tibetan")
WORD = Person("m", ("伟",), "高兴", "ambiguous")


@pytest.mark.parametrize(
    ("person", "wanted", "text"),
    [
        (HAN, "full", "林晓晴"),
        (HAN, "last", "林"),
        (HAN, "first", "晓晴"),
        (HAN, "full_middle", "Lin Xiaoqing"),
        (HAN, "initials", "LXQ"),
        (HAN, "initials_dots", "L.X.Q."),
        (UYGHUR, "full", "阿依努尔·卡德尔"),
        (UYGHUR, "last", "阿依努尔"),
        (TIBETAN, "full", "扎西"),
        (WORD, "full", "高兴"),
        (WORD, "last", "高"),
        (HAN, "username", None),
    ],
)
def test_forms_of_names(person: Person, wanted: str, text: str | None) -> None:
    assert form(person, wanted, Random(1)) == text


@pytest.mark.parametrize("seed", range(20))
def test_a_gap_keeps_the_characters(seed: int) -> None:
    written = form(SHORT, "last_first", Random(seed))
    assert written is not None
    assert "".join(written.split()) == "石磊"
    assert len(written) > 2


@pytest.mark.parametrize(
    ("age", "wanted", "text"),
    [
        (Age(65, 0, 23741), "", "65岁"),
        (Age(65, 0, 23741), "number", "65"),
        (Age(65, 0, 23741), "words", "六十五岁"),
        (Age(20, 0, 7305), "words", "二十岁"),
        (Age(103, 0, 37621), "words", "一百零三岁"),
        (Age(65, 0, 23741), "tw", "65歲"),
        (Age(0, 0, 0), "tw", "1個月大"),
    ],
)
def test_ages_are_spans_with_their_word(age: Age, wanted: str, text: str) -> None:
    (piece,) = say_age(age, wanted, Random(1))
    assert (piece.text, piece.label) == (text, "AGE")


@pytest.mark.parametrize(
    ("number", "text"), [(0, "零"), (7, "七"), (10, "十"), (18, "十八"), (31, "三十一"), (112, "一百一十二")]
)
def test_numerals(number: int, text: str) -> None:
    assert numeral(number) == text


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("YYYY年M月D日", "2020年1月2日"),
        ("零年年零月月零日日", "二〇二〇年一月二日"),
        ("民國ROC年M月D日", "民國109年1月2日"),
        ("M月D日Weekday", "1月2日星期四"),
        ("农历农", "农历腊月十二"),
    ],
)
def test_dates(pattern: str, text: str) -> None:
    assert "".join(write_date(date(2020, 1, 2), pattern, "zh")) == text


def test_given_names_of_one_side_are_never_on_the_other() -> None:
    sides = {
        side: {draw("f", "han", "CN", Random(seed), side).given[0] for seed in range(1500)}
        for side in (TRAIN, HELD_OUT)
    }
    assert not sides[TRAIN] & sides[HELD_OUT]
    assert min(map(len, sides.values())) > 300


@pytest.mark.parametrize("side", [TRAIN, HELD_OUT])
@pytest.mark.parametrize("place", [cn_place, tw_place])
def test_places_say_what_templates_ask_for(place: object, side: str) -> None:
    assert callable(place)
    for seed in range(200):
        found = place(Random(seed), side)
        assert set(found) == {"city", "city:short", "state", "state:long", "zip", "area"}
        assert all(found.values())
        assert found["zip"].replace("-", "").isdigit()


def test_every_origin_has_names() -> None:
    for code, country in SYNTH_NOTES.countries.items():
        for origin in country.origins:
            for sex in "fm":
                person = draw(sex, origin, code, Random(3), TRAIN)
                assert all(
                    form(person, wanted, Random(4)) for wanted in ("full", "last", "first", "full_middle", "initials")
                )


@pytest.mark.parametrize("origin", ["latin", "hk"])
def test_names_in_latin_letters_are_written_one_way_by_one_person(origin: str) -> None:
    written = set()
    for seed in range(60):
        person = draw("f", origin, "CN", Random(seed), TRAIN)
        full = {form(person, "full", Random(at)) for at in range(5)}
        assert len(full) == 1
        (name,) = full
        assert name
        assert person.family.upper() in name.upper()
        assert form(person, "last", Random(1)) == person.family
        written.add("capitals" if person.family.upper() in name else "comma" if ", " in name else "plain")
    assert {"capitals", "plain"} <= written
