"""Ages in every language: read, held against a limit, and put in one group beyond it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.languages.base import MORE
from elision.languages.de.knowledge import german
from elision.languages.en.knowledge import english
from elision.languages.es.knowledge import spanish
from elision.languages.it.knowledge import italian
from elision.languages.knowledge import MOST
from elision.languages.nl.knowledge import dutch
from elision.languages.pt.knowledge import portuguese
from elision.replace.ages import LONGEST, age_over, generalised, read
from tests.replace.pack_hits import LANGUAGES, hits

GROUPED = [
    ("en", "95-year-old", "90+-year-old"), ("en", "ninety-five year old", "90+ year old"),
    ("en", "95 years old", "90+ years old"), ("en", "92 years and 3 months", "90+ years"), ("en", "101yo", "90+yo"),
    ("en", "93Y", "90+Y"), ("en", "91 y.o.", "90+ y.o."), ("en", "9O yo", "90+ yo"), ("en", "95th", "90th-or-later"),
    ("en", "ninety-first", "90th-or-later"), ("en", "90s", "90s or beyond"), ("en", "late nineties", "90s or beyond"),
    ("en", "nonagenarian", "90+-year-old"), ("en", "Centenarian", "90+-year-old"),
    ("en", "88 and 92 years", "88 and 90+ years"),
    ("en", "one hundred and two years old", "90+ years old"), ("en", "110", "90+"),
    ("es", "95 años", "90 o más años"), ("es", "noventa y cinco años", "90 o más años"),
    ("es", "cien años", "90 o más años"),
    ("es", "95a", "90+a"), ("es", "92 años y 3 meses", "90 o más años"),
    ("es", "40, 52 y 95 años", "40, 52 y 90 o más años"),
    ("es", "nonagenaria", "de 90 o más años"), ("es", "décima década", "décima década o posterior"),
    ("es", "ciento tres años", "90 o más años"),
    ("de", "95 Jahre", "90+ Jahre"), ("de", "95-jährige", "90+-jährige"),
    ("de", "zweiundneunzigjährige", "90+-jährige"),
    ("de", "hundertzwei Jahre alt", "90+ Jahre alt"), ("de", "Ende neunzig", "90+"),
    ("de", "92 Jahre und 3 Monate", "90+ Jahre"),
    ("fr", "95 ans", "90+ ans"), ("fr", "quatre-vingt-quinze ans", "90+ ans"),
    ("fr", "nonagénaire", "de 90 ans et plus"), ("fr", "cent deux ans", "90+ ans"),
    ("nl", "95 jaar", "90+ jaar"), ("nl", "95-jarige", "90+-jarige"), ("nl", "tweeënnegentigjarige", "90+-jarige"),
    ("nl", "honderdentwee jaar oud", "90+ jaar oud"), ("nl", "91e", "90e of later"), ("nl", "eind negentig", "90+"),
    ("nl", "negentiger", "90-plusser"), ("nl", "honderdjarige", "90-plusser"),
    ("nl", "92 jaar en 3 maanden oud", "90+ jaar oud"),
    ("pt", "95 anos", "90 ou mais anos"), ("pt", "noventa e cinco anos", "90 ou mais anos"),
    ("pt", "cem anos", "90 ou mais anos"), ("pt", "95a", "90+a"), ("pt", "92 anos e 3 meses", "90 ou mais anos"),
    ("pt", "40, 52 e 95 anos", "40, 52 e 90 ou mais anos"), ("pt", "nonagenária", "de 90 ou mais anos"),
    ("pt", "décima década", "décima década ou posterior"), ("pt", "cento e três anos", "90 ou mais anos"),
    ("it", "95 anni", "90 o più anni"), ("it", "novantacinque anni", "90 o più anni"),
    ("it", "nonagenaria", "90 o più anni"), ("it", "novantaduenne", "90 o più anni"),
    ("zh", "92岁", "90岁以上"), ("zh", "九十二岁", "90岁以上"), ("zh", "一百零二岁", "90岁以上"),
    ("zh", "百岁", "90岁以上"),
    ("zh", "９５歲", "90歲以上"), ("zh", "92岁3个月", "90岁以上"), ("zh", "九旬老人", "90岁以上老人"),
    ("zh", "101", "90岁以上"),
    ("zh", "102yo", "90+yo"), ("zh", "期颐之年", "90岁以上"),
]  # fmt: skip

STAY = [
    ("en", "88"), ("en", "89 years old"), ("en", "eighty-nine"), ("en", "89½"), ("en", "80s"), ("en", "octogenarian"),
    ("en", "95 months"),
    ("en", "100 days old"), ("en", "96 hours old"), ("en", "1000 days old"), ("en", "7/12 old"),
    ("en", "third-grader"), ("es", "89 años"),
    ("es", "novena década"),
    ("es", "ochenta y nueve años"), ("es", "mes y medio"), ("es", "99 días"), ("nl", "89 jaar"), ("de", "89 Jahre"),
    ("de", "neunundachtzigjährige"), ("de", "Anfang achtzig"), ("de", "92 Wochen alt"),
    ("es", "ochenta y nueve años"), ("es", "mes y medio"), ("es", "99 días"),
    ("fr", "89 ans"), ("fr", "la soixantaine"), ("fr", "quatre-vingt-neuf ans"), ("fr", "95 mois"), ("nl", "89 jaar"),
    ("nl", "negenentachtigjarige"),
    ("pt", "89 anos"), ("pt", "nona década"), ("pt", "oitenta e nove anos"), ("pt", "99 dias"), ("pt", "mês e meio"),
    ("es", "ochenta y nueve años"), ("es", "mes y medio"), ("es", "99 días"), ("nl", "89 jaar"),
    ("nl", "negenentachtigjarige"), ("it", "89 anni"), ("it", "ottantanove anni"), ("it", "99 giorni"),
    ("nl", "begin tachtig"), ("nl", "tachtiger"), ("nl", "92 weken oud"), ("zh", "89岁"), ("zh", "八十九岁"),
    ("zh", "年近九旬"),
    ("zh", "八旬老人"), ("zh", "90后"), ("zh", "90天"), ("en", "89 ½ years"), ("zh", "95个月大"),
    ("en", "90+ years old"),
    ("es", "90 o más años"), ("zh", "90岁以上"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "grouped"), GROUPED)
def test_beyond_the_limit_all_are_one_group(language: str, text: str, grouped: str) -> None:
    assert age_over(text, language, 89) is True
    assert generalised(text, language) == grouped
    assert generalised(grouped, language) == grouped


@pytest.mark.parametrize(("language", "text"), STAY)
def test_others_stay(language: str, text: str) -> None:
    assert generalised(text, language) == text


LIMITS = [
    ("en", 88, ["88", "88-year-old", "eighty-eight", "88th"]), ("en", 89, ["89", "89 yo", "eighty-nine years", "89Y"]),
    ("en", 90, ["90", "90-year-old", "ninety", "ninetieth", "nonagenarian"]),
    ("en", 101, ["101", "one hundred and one", "101 y/o"]),
    ("es", 88, ["88 años", "ochenta y ocho años"]), ("es", 89, ["89a", "ochenta y nueve"]),
    ("es", 90, ["90", "noventa"]),
    ("de", 88, ["88 Jahre", "achtundachtzigjährige"]), ("de", 90, ["90-jährige", "neunzig"]),
    ("de", 101, ["hunderteins", "101"]),
    ("fr", 88, ["88 ans", "quatre-vingt-huit ans"]), ("fr", 90, ["nonante ans", "quatre-vingt-dix"]),
    ("es", 101, ["ciento un años", "101 años"]), ("nl", 88, ["88 jaar", "achtentachtigjarige"]),
    ("nl", 89, ["89e", "negenentachtig"]), ("nl", 90, ["90-jarige", "negentigjarige"]),
    ("nl", 101, ["honderdeen jaar", "101"]),
    ("pt", 88, ["88 anos", "oitenta e oito anos"]), ("pt", 89, ["89a", "oitenta e nove"]),
    ("pt", 90, ["90", "noventa"]), ("pt", 101, ["cento e um anos", "101 anos"]),
    ("it", 88, ["88 anni", "ottantotto anni"]), ("it", 90, ["90", "novanta"]), ("it", 101, ["centouno", "101 anni"]),
    ("zh", 88, ["88岁", "八十八岁"]), ("zh", 89, ["八十九"]), ("zh", 90, ["九十岁", "90歲"]),
    ("zh", 101, ["一百零一岁", "101岁"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "years", "texts"), LIMITS)
def test_at_the_limit(language: str, years: int, texts: list[str]) -> None:
    for text in texts:
        assert age_over(text, language, 89) is age_over(text, language) is (years > 89), text
        assert age_over(text, language, years - 1) is True, text
        if text != "nonagenarian":
            assert age_over(text, language, years) is False, text


@pytest.mark.parametrize(
    "text", ["", "old", "desconocida", "oud", "Dana", "三零后", "9" * (LONGEST + 1), "岁", "😀", "1931", "12345"]
)
def test_what_is_no_age(text: str) -> None:
    for language in LANGUAGES:
        assert age_over(text, language, 89) is None
        assert generalised(text, language) is None


def test_every_hit_of_the_packs_is_read() -> None:
    found = hits("AGE")
    assert len(found) > 300
    assert not [(language, text) for language, _, text in found if read(text, language) is None]


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", german), ("en", english), ("es", spanish), ("nl", dutch), ("pt", portuguese), ("it", italian)],
)
def test_all_numbers_in_words(language: str, said: object) -> None:
    assert callable(said)
    for years in range(1, MOST + 1):
        for words in said(years):
            ages = read(f"{words} jaar" if language == "nl" else words, language)
            assert ages
            assert [int(age.low) for age in ages] == [years], words


FORMS = {
    "de": ["{} Jahre alt", "{}-jährige", "{}", "{} J.", "{} Jahre und 3 Wochen"],
    "en": ["{} years old", "{}-year-old", "{}yo", "{}", "{} y/o", "{}th", "at {} years", "{} to 12 years"],
    "es": ["{} años", "{}", "{}a", "{} años y 4 meses", "{} y 12 años"],
    "fr": ["{} ans", "{}", "{} ans et 4 mois", "{} et 12 ans"],
    "nl": ["{} jaar", "{}-jarige", "{}", "{} jaar en 3 weken oud", "{}e"],
    "pt": ["{} anos", "{}", "{}a", "{} anos e 4 meses", "{} e 12 anos"],
    "it": ["{} anni", "{}", "{} anni e 4 mesi", "{} e 12 anni"],
    "zh": ["{}岁", "{}", "{}岁3个月", "{}歲半"],
}


@given(st.sampled_from(LANGUAGES), st.data(), st.integers(0, 125), st.sampled_from([17, 64, 79, 89, 99]))
def test_no_age_beyond_the_limit_is_left(language: str, data: st.DataObject, years: int, limit: int) -> None:
    text = data.draw(st.sampled_from(FORMS[language])).format(years)
    made = generalised(text, language, limit)
    assert made is not None
    if years <= limit:
        assert made == text
    else:
        assert str(years) not in made or years == limit + 1
        assert str(limit + 1) in made
        assert generalised(made, language, limit) == made


@given(
    st.text(st.sampled_from("0189lO ½/-+,.;'aysñoumeró岁歲月天个旬百十九零后\n\0😀"), max_size=20),
    st.sampled_from([*LANGUAGES, "", "xx"]),
)
def test_any_text_at_all(text: str, language: str) -> None:
    over = age_over(text, language, 89)
    made = generalised(text, language)
    assert (made is None) >= (over is None)
    assert over is not False or made == text
    assert (
        not over
        or made is None
        or age_over(made, language, 90) in (False, None)
        or "beyond" in made
        or "década" in made
    )


def test_a_language_that_knows_nothing_of_ages_has_digits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "qq" / "rules").mkdir(parents=True)
    (tmp_path / "qq" / "rules" / "names.toml").write_text("")
    monkeypatch.setenv(MORE, str(tmp_path))
    assert generalised("95 zims", "qq") == "90+ zims"
    assert generalised("88 zims", "qq") == "88 zims"
    assert generalised("zimsty", "qq") is None
