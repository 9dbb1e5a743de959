"""Every written form in the tables: what it means, and how it is written some days later, earlier, and by its year."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from elision.document import Document
from elision.languages.base import folder
from elision.replace.beside import feasts_in
from elision.replace.dates import Written, date_of, is_relative, read, shifted, year_only, years_in
from elision.replace.dates.reading import _found

TABLES = sorted(Path(__file__).parent.glob("forms_*.tsv"))
REST = {"q": "quarter", "k": "week", "e": "decade"}
SEASONS = ("winter", "spring", "summer", "autumn")


def rows() -> list[tuple[str, ...]]:
    """language, written, meaning, after 40 days, 400 days before, year only."""
    found = []
    for table in TABLES:
        head, *lines = table.read_text("utf-8").split("\n")[:-1]
        assert head.count("\t") == 5
        found += [tuple(cell.replace("\\n", "\n") for cell in line.split("\t")) for line in lines]
    return found


ROWS = rows()


def meaning(found: Written) -> str:
    """2001-05-03, --05-03 without a year, 2001-05, 2001; several with strokes; season, quarter, week and the like."""
    dates = [found.dates[index] for index in sorted(found.dates)]
    told = []
    for given in dates:
        year = "" if given.year is None else f"{given.year:04d}"
        if given.month is None:
            told.append(year or (f"day {given.day}" if given.day is not None else ""))
        else:
            told.append(f"{year or '-'}-{given.month:02d}" + ("" if given.day is None else f"-{given.day:02d}"))
    more = [SEASONS[field.value] for field in found.fields if field.role == "s"]
    more += [f"{REST[field.role]} {field.value}" for field in found.fields if field.role in REST]
    days = [f"weekday {field.value + 1}" for field in found.fields if field.role == "w"]
    text = " ".join([*(["/".join(told)] if any(told) else []), *more])
    return text or "/".join(days)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}: {row[1]}" for row in ROWS])
def test_a_form(row: tuple[str, ...]) -> None:
    language, written, means, later, earlier, year = row
    found = read(written, language)
    if found is not None:
        assert meaning(found) == means
    elif means == "relative":
        assert is_relative(written, language)
    else:
        assert means in ("feast", "-")
    assert shifted(written, 40, language) == (later or None)
    assert shifted(written, -400, language) == (earlier or None)
    assert year_only(written, language) == (year or None)
    assert (date_of(written, language) is not None) == (len(means) == 10 and means[0] in "0129" and means[4] == "-")


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}: {row[1]}" for row in ROWS])
def test_a_note_without_the_year_shows_none(row: tuple[str, ...]) -> None:
    """What `years_in` tells covers what `year_only` writes."""
    language, written, *_, year = row
    for number in year.strip("年").replace(", ", "-").split("-"):
        assert not number or int(number) in years_in(written, language)


def test_the_tables_are_large() -> None:
    for table in TABLES:
        assert sum(table.stem.endswith(row[0][:2]) for row in ROWS) >= 300
    assert len({row[:2] for row in ROWS}) == len(ROWS)


# Rules of the packs whose hits have no date that can be moved: a day without its month, a feast that wanders, a year of
# the lunar cycle or of a reign, half a year, a day of the lunar calendar, a solar term. They are masked.
MASKED = {
    "birth-decade", "birth-year-in-words",
    "lunar-labelled", "lunar", "lunar-months-alone", "birth-lunar", "solar-term",
    "ordinal-day", "day-only", "weekday-day", "day-of-something", "past-next", "day-with-hour", "this-month-day",
    "day-range-in-month", "day-of-an-act", "weekday-and-day", "day-only-end", "day-before-another",
    "lunar-year", "lunar-day-alone", "reign-year", "written-day",
    "aviation-date", "day-range-first", "day-range-slash", "day-after-month",
    "days-and-month",
    "roman-month-bare", "roman-month-short", "dates-crossing", "day-bare", "day-of-sheet",
}  # fmt: skip
MASKED_HITS = {
    "2021, May 3rd", "2019, nov 7", "2018, maart 21",
    "Ramadan", "ramadan", "Suikerfeest", "vrijdag de 13e", "明年上半年", "7 Ogos 2022",
    "twaalf april negentienhonderd achtenveertig",
    "25.XI.", "3.I.", "Freitag, den 13.", "sechziger Jahren", "Winter 2021/22", "KW 23/2019",
    "31/02/1958", "30/02/2017", "20/13/2011", "12O4/1971", "17/081/1990", "26708/2018", "14/032/2015",
}  # fmt: skip


def hits(language: str) -> list[tuple[str, str]]:
    """The dates that the rules of a language's pack find in their own examples, with the name of the rule."""
    found = []
    for file in ("dates.toml", "ages.toml"):
        for rule in tomllib.loads(folder(language, "rules", file).read_text("utf-8"))["rule"]:
            if rule["label"] in ("DATE", "DATE_BIRTH") and rule["name"] != "zodiac":
                found += [(rule["name"], piece.split("]")[0]) for hit in rule["hits"] for piece in hit.split("[")[1:]]
    return found


@pytest.mark.parametrize("language", ["de", "en", "es", "nl", "zh", "pt", "fr", "it"])
def test_all_that_the_rules_find_is_moved_or_made_coarse_or_known_to_be_masked(language: str) -> None:
    found = hits(language)
    assert len(found) > 170
    moved = [hit for _, hit in found if shifted(hit, 40, language) is not None]
    unknown = [
        (name, hit)
        for name, hit in found
        if shifted(hit, 40, language) is None
        and not [*feasts_in(Document(hit, language=language))]
        and name not in MASKED
        and hit not in MASKED_HITS
    ]
    assert unknown == []
    assert len(moved) / len(found) > 0.7


@pytest.mark.parametrize("year", [1, 1899, 1950, 1989, 2000, 2024, 9999])
def test_a_date_is_read_once_where_the_year_of_its_note_says_nothing(year: int) -> None:
    """What is read without the note's year and kept is what would be read with it."""
    odd = [("en", "Feb 29, 00"), ("en-GB", "29/02/00"), ("es", "29-02-00"), ("zh-TW", "89.2.29"), ("zh", "00-02-29")]
    for language, text in [*odd, *(row[:2] for row in ROWS)]:
        assert read(text, language, year=year) == _found.__wrapped__(text, language, None, year), text
