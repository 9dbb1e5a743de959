"""Dates of many patients: intervals stay, what goes there comes back, and nothing is ever raised."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from elision.keys import Key
from elision.languages.base import MORE
from elision.replace.choices import Scope
from elision.replace.dates import date_of, days_of, month_year, read, shifted, year_only, years_in
from tests.strategies import texts

LANGUAGES = ["de", "en", "en-GB", "es", "nl", "zh", "zh-TW", "xx", "", "pt", "fr", "it"]
_MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
MONTHS = {language: words.split() for language, words in _MONTHS.items()}

# Forms that say for themselves how they are padded, so that they come back letter by letter.
FORMS = [
    ("de", "{d.day}. {month} {d.year:04d}"), ("de", "{d.day:02d}.{d.month:02d}.{d.year:04d} 07:15"),
    ("en", "{d.month:02d}/{d.day:02d}/{d.year:04d}"), ("en", "{d.year:04d}-{d.month:02d}-{d.day:02d}T10:20:00Z"),
    ("en", "{month} {d.day}, {d.year:04d}"), ("en", "{d.day} {month} {d.year:04d}"),
    ("en", "{d.year:04d}{d.month:02d}{d.day:02d}"), ("en-GB", "{d.day:02d}/{d.month:02d}/{d.year:04d}"),
    ("es", "{d.day} de {month} de {d.year:04d}"), ("es", "{d.day:02d}-{d.month:02d}-{d.year:04d}"),
    ("fr", "{d.day} {month} {d.year:04d}"), ("fr", "{d.day:02d}.{d.month:02d}.{d.year:04d}"),
    ("it", "{d.day} {month} {d.year:04d}"), ("it", "{d.day:02d}/{d.month:02d}/{d.year:04d}"),
    ("nl", "{d.day} {month} {d.year:04d}"), ("nl", "{d.day:02d}-{d.month:02d}-{d.year:04d} 07:15"),
    ("pt", "{d.day} de {month} de {d.year:04d}"), ("pt", "{d.day:02d}/{d.month:02d}/{d.year:04d}"),
    ("zh", "{d.year:04d}年{d.month}月{d.day}日"), ("zh", "{d.year:04d}.{d.month:02d}.{d.day:02d}"),
]  # fmt: skip
DAYS = st.dates(date(1850, 1, 1), date(2150, 12, 31))  # numbers glued to each other are dates in these years only
SHIFTS = st.integers(-3650, 3650).filter(bool)
WORDS = (
    "3 05 31 1998 '98 2001 / - . , de del of the May mayo mei Sept mrt. III th º e 年 月 日 初五 正月 二〇 民國 "
    "109 星期三 Monday lunes t/m al to 10:20 Z O l １２ days ago hace Q3 week kwartaal años 80s -present ~ 上午"
)
PIECES = st.lists(st.sampled_from(WORDS.split()), max_size=9)


def write(form: str, language: str, day: date) -> str:
    months = MONTHS.get(language[:2])
    return form.format(d=day, month=months[day.month - 1] if months else "")


@given(st.sampled_from(FORMS), DAYS, SHIFTS)
def test_there_and_back(form: tuple[str, str], day: date, days: int) -> None:
    language, pattern = form
    text = write(pattern, language, day)
    moved = shifted(text, days, language)
    assert moved is not None
    assert date_of(moved, language) == day + timedelta(days)
    if abs(days) < 365:
        assert moved != text
    assume(date(1850, 1, 1) <= day + timedelta(days) <= date(2150, 12, 31))
    assert shifted(moved, -days, language) == text


@pytest.mark.slow
def test_intervals_of_ten_thousand_patients() -> None:
    """Several dates of a patient, each in another form, keep their distances to the day."""
    random = Random(5)
    secret = Key(bytes(range(32))).secret("dates")
    for number in range(10_000):
        days = days_of(Scope(secret, f"patient {number}"))
        originals, moved = [], []
        for _ in range(3):
            language, pattern = FORMS[random.randrange(len(FORMS))]
            day = date(1930, 1, 1) + timedelta(random.randrange(36_000))
            text = shifted(write(pattern, language, day), days, language)
            assert text is not None
            found = date_of(text, language)
            assert found is not None
            originals.append(day)
            moved.append(found)
        assert moved[1] - moved[0] == originals[1] - originals[0]
        assert moved[2] - moved[1] == originals[2] - originals[1]
        assert moved[0] - originals[0] == timedelta(days)


@pytest.mark.parametrize(
    ("first", "second", "days"),
    [
        (date(2000, 2, 28), date(2000, 3, 1), 365), (date(1999, 12, 31), date(2000, 1, 1), -366),
        (date(1900, 2, 28), date(1900, 3, 1), 1), (date(2004, 2, 29), date(2005, 2, 28), 59),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", FORMS, ids=[f"{language} {form}" for language, form in FORMS])
def test_leap_days_and_year_ends(form: tuple[str, str], first: date, second: date, days: int) -> None:
    language, pattern = form
    moved = [date_of(shifted(write(pattern, language, day), days, language) or "", language) for day in (first, second)]
    assert moved == [first + timedelta(days), second + timedelta(days)]


@given(st.one_of(texts, st.text(max_size=90), PIECES.map("".join), PIECES.map(" ".join)), st.sampled_from(LANGUAGES))
@example("", "en")
@example(" \n", "es")
@example("0/0/0000", "nl")
@example("99999999", "zh")
@example("²/³/2001", "en")
@example("٣/٤/٢٠٠١", "en")
@example("年月日", "zh")
@example("１２/０３/２００１", "en")
@example("5 May 0000", "en")
@example("十百年", "zh")
@example("3" * 100_000, "en")
@example("de " * 26, "es")
def test_any_text_is_read_or_not_and_nothing_is_raised(text: str, language: str) -> None:
    for days in (40, -400, 10**7, -(10**7), 10**12):
        moved = shifted(text, days, language, year=2001, month=2)
        assert moved is None or moved
        assert shifted(text, days, language) is None or text
    for function in (year_only, month_year):
        assert function(text, language) != ""
    assert all(1 <= year <= 9999 for year in years_in(text, language))
    date_of(text, language, year=1)
    read(text, language, year=9999, day_first=False)


@given(DAYS, st.integers(-365, 365), st.booleans())
def test_widths_stay(day: date, days: int, wide: bool) -> None:
    """Numbers filled up stay as long as they are, and as wide."""
    text = f"{day:%Y-%m-%d}"
    if wide:
        text = text.translate({ord("0") + number: ord("０") + number for number in range(10)})
    moved = shifted(text, days, "zh")
    assert moved is not None
    assert re.sub("[0-9]", "0", re.sub("[０-９]", "９", moved)) == re.sub("[0-9]", "0", re.sub("[０-９]", "９", text))


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.lists(DAYS, min_size=2, max_size=2),
    st.integers(-365, 365),
    st.sampled_from(list(MONTHS)),
)
def test_full_dates_and_months_keep_their_order(pair: list[date], days: int, language: str) -> None:
    """A day before the month or after it stays there, if a month lies between them."""
    day, other = pair
    assume(abs((day - other.replace(day=15)).days) > 46)
    month = f"{MONTHS[language][other.month - 1]} {other.year}"
    moved, new = shifted(f"{day:%Y-%m-%d}", days, language), shifted(month, days, language)
    assert moved is not None
    assert new is not None
    found = read(new, language)
    assert found is not None
    given = found.dates[0]
    assert given.year is not None
    assert given.month is not None
    assert (date.fromisoformat(moved) < date(given.year, given.month, 15)) == (day < other.replace(day=15))


def test_the_shift_of_a_patient_is_its_own_and_never_nothing() -> None:
    secret = Key(bytes(range(32))).secret("dates")
    found = [days_of(Scope(secret, str(number))) for number in range(20_000)]
    assert found == [days_of(Scope(secret, str(number), "nl")) for number in range(20_000)]
    assert set(found) == {*range(-365, 0), *range(1, 366)}
    counts = [found.count(day) for day in sorted(set(found))]
    assert max(counts) < 60  # 27 are to be expected
    other = Key(bytes(reversed(range(32)))).secret("dates")
    same = sum(days_of(Scope(other, str(number))) == days for number, days in enumerate(found))
    assert same < 60  # as chance has it: 27


def test_shifts_by_weeks() -> None:
    secret = Key(bytes(range(32))).secret("dates")
    found = {days_of(Scope(secret, str(number)), weeks=True) for number in range(5_000)}
    assert found == {7 * week for week in range(-52, 53) if week}
    assert shifted("Monday", 70, "en") == "Monday"


@pytest.mark.parametrize(
    ("text", "language", "how", "moved"),
    [
        ("3/5/2001", "en", {"day_first": True}, "12/6/2001"), ("3/5/2001", "en-GB", {"day_first": False}, "4/14/2001"),
        ("3/5/2001", "en_GB", {}, "12/6/2001"), ("3/5/2001", "en-US", {}, "4/14/2001"),
        ("25/12/2001", "en-US", {}, "03/02/2002"), ("12/25/2001", "es", {}, "02/03/2002"),
        ("20 February", "en", {"year": 2000}, "31 March"), ("20 February", "en", {"year": 2001}, "1 April"),
        ("29 February", "en", {"year": 2001}, "9 April"), ("16th", "en", {"month": 2, "year": 2000}, "27th"),
        ("16th", "en", {}, None), ("本月13日", "zh", {"month": 4}, "本月23日"), ("el 18", "es", {"month": 5}, "el 27"),
        ("May 2001", "en", {}, "June 2001"),
    ],
)  # fmt: skip
def test_what_the_caller_knows(text: str, language: str, how: dict[str, int], moved: str | None) -> None:
    known = {name: value for name, value in how.items() if name != "day_first"}
    order = bool(how["day_first"]) if "day_first" in how else None
    assert shifted(text, 40, language, day_first=order, **known) == moved


@pytest.mark.parametrize(
    ("text", "language", "year", "years"),
    [
        ("3/5/98", "en", None, (1998,)), ("3/5/31", "en", None, (2031,)), ("3/5/31", "en", 2020, (1931,)),
        ("3/5/28", "en", 2020, (2028,)), ("'05", "en", 2020, (2005,)), ("the 1920s", "en", None, (1920,)),
        ("jaren '30", "nl", None, (1930,)), ("1925-1930", "es", None, (1925, 1930)),
        ("born 1931 in Ely", "en", None, (1931,)),
        ("民國18年3月9日", "zh", None, (1929,)), ("mayo", "es", None, ()), ("12O4/1971", "es", None, (1971,)),
    ],
)  # fmt: skip
def test_years_for_high_ages(text: str, language: str, year: int | None, years: tuple[int, ...]) -> None:
    assert years_in(text, language, year=year) == years


@pytest.mark.parametrize(
    ("text", "language", "month"),
    [
        ("03/11/1951", "es", "noviembre de 1951"), ("03/11/1951", "en", "March 1951"), ("3 mei 2001", "nl", "mei 2001"),
        ("3 maggio 2001", "it", "maggio 2001"),
        ("二〇〇一年五月三日", "zh", "2001年5月"), ("2001", "en", None), ("3-5 May 2001", "en", None),
        ("3 May", "en", None),
    ],
)  # fmt: skip
def test_month_and_year(text: str, language: str, month: str | None) -> None:
    assert month_year(text, language) == month


def test_a_language_that_knows_nothing_of_dates_moves_those_by_numbers_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "qq" / "rules").mkdir(parents=True)
    (tmp_path / "qq" / "rules" / "names.toml").write_text("")
    monkeypatch.setenv(MORE, str(tmp_path))
    assert shifted("03.05.2001", 40, "qq") == "12.06.2001"
    assert shifted("2001-05-03", 40, "qq") == "2001-06-12"
    assert year_only("03.05.2001", "qq") == "2001"
    for text in ("May 3, 2001", "5 mei 2001", "yesterday", "2001年5月3日", "monday", "spring"):
        assert shifted(text, 40, "qq") is None
        assert month_year(text, "qq") is None
