"""Places: another of the same kind and country, in the same form, and never the original."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.keys import Key
from elision.labels import canonical
from elision.replace.choices import Scope
from elision.replace.names import name
from elision.replace.place_lists import states, town_countries, towns
from elision.replace.places import place
from elision.replace.postcodes import postcode
from elision.replace.standins import choices
from elision.replace.words import plain
from tests.replace.test_names import LANGUAGES, N
from tests.strategies import texts

SECRET = Key(b"a key for tests, and only for them").secret("names")
PLACES = ["CITY", "STATE", "COUNTRY", "ZIP", "STREET", "ADDRESS", "LOCATION_OTHER"]
FACILITIES = ["HOSPITAL", "CARE_FACILITY", "DEPARTMENT", "ROOM", "ORGANIZATION"]
LABELS = [*PLACES, *FACILITIES, "PROFESSION", "NATIONALITY"]
T = "[^\\W\\d_][\\w' -]+"  # a town, perhaps of several words
HAN = "[一-鿿]"


def scope(language: str = "en", patient: str = "p1", **more: object) -> Scope:
    return Scope(SECRET, patient, language, **more)  # type: ignore[arg-type]


SHAPES = [
    ("en", "CITY", "Boston", T),
    ("en", "CITY", "LEEDS", r"[A-Z' -]+"),
    ("en", "CITY", "Boston, MA", rf"{T}, [A-Z]{{2}}"),
    ("en", "CITY", "Zorgville", T),
    ("en", "STATE", "MA", "[A-Z]{2}"),
    ("en", "STATE", "Ohio", "[A-Z][A-Za-z ]+"),
    ("en", "COUNTRY", "USA", "[A-Z][a-z ]+(?: [A-Z][a-z]+)*"),
    ("en", "ZIP", "02115", r"\d{5}"),
    ("en", "ZIP", "02115-1234", r"\d{5}-\d{4}"),
    ("en", "ZIP", "SW1A 2AA", r"[A-Z]{2}\d[A-Z] \d[A-Z]{2}"),
    ("en", "ZIP", "ls1 4ab", r"[a-z]{2}\d \d[a-z]{2}"),
    ("en", "ZIP", "K1A 0B1", r"[A-Z]\d[A-Z] \d[A-Z]\d"),
    ("en", "STREET", "12 High Street", rf"\d\d {N} Street"),
    ("en", "STREET", "44 N 5th Ave, Apt 3B", r"\d\d N \d(?:st|nd|rd|th) Ave, Apt \d[A-H]"),
    ("en", "STREET", "PO Box 123", r"PO Box \d{3}"),
    ("en", "ADDRESS", "12 Roe Street, Leeds LS1 4AB", rf"\d\d {N} Street, {T} [A-Z]{{2}}\d \d[A-Z]{{2}}"),
    ("en", "ADDRESS", "12345 Main St, Boston MA 02115", rf"\d{{5}} {N} St, {T} [A-Z]{{2}} \d{{5}}"),
    ("en", "HOSPITAL", "Leeds General Hospital", f"{T} General Hospital"),
    ("en", "HOSPITAL", "St. James's University Hospital", rf"St\. {N}'s University Hospital"),
    ("en", "HOSPITAL", "MGH", "[A-Z]{3}"),
    ("en", "HOSPITAL", "Ohio State Clinic", "[A-Z][A-Za-z ]+ State Clinic"),
    ("en", "HOSPITAL", "Royal Children's Hospital", "(?:National|Central|General) Children's Hospital"),
    ("es", "HOSPITAL", "HOSPITAL GENERAL", "HOSPITAL (?:CENTRAL|NACIONAL|PROVINCIAL|COMARCAL|REGIONAL)"),
    ("en", "CARE_FACILITY", "Oakwood Nursing Home", f"{N} Nursing Home"),
    ("en", "DEPARTMENT", "Ward 4B", r"Ward \d[A-H]"),
    ("en", "ROOM", "Room 412, bed B", r"Room \d{3}, bed [A-H]"),
    ("en", "ORGANIZATION", "Roe & Doe Ltd", f"{N} & {N} Ltd"),
    ("en", "PROFESSION", "accountant", r"[a-z' -]+"),
    ("en", "NATIONALITY", "Irish", "[A-Z][a-z]+"),
    ("es", "CITY", "28012 Madrid", rf"\d{{5}} {T}"),
    ("es", "ZIP", "E-18012", r"E-\d{5}"),
    ("es", "STREET", "C/ Vicente García Torres Nº 46", rf"C/ {N} {N} {N} Nº \d\d"),
    ("es", "STREET", "Calle de Nicaragua, 23, 3D", rf"Calle de {T}, \d\d, \d[A-H]"),
    ("es", "STREET", "Avda. de la Vega 9, 3º izda.", rf"Avda\. de la {N} \d, \dº izda\."),
    ("es", "STREET", "Plaza Mayor s/n", None),
    ("es", "HOSPITAL", "Hospital Universitario San Roque", f"Hospital Universitario San {N}"),
    ("es", "CARE_FACILITY", "Centro de Salud Las Calesas", f"Centro de Salud Las {N}"),
    ("es", "PROFESSION", "abogada", r"[\wñáéíóú ]+"),
    ("es", "NATIONALITY", "francesa", r"\w+a"),
    ("es", "NATIONALITY", "Español", r"[A-ZÁÉÍÓÚ]?\w+[os lnr]"),
    ("de", "ZIP", "71522", r"\d{5}"),
    ("de", "ZIP", "A-6020", r"A-\d{4}"),
    ("de", "STREET", "Lindenstraße 12a", r"[A-Z][a-zäöüß]+strasse \d\d[a-h]"),
    ("de", "STREET", "MARKTGASSE 7", r"[A-ZÄÖÜ]+GASSE \d"),
    ("de", "ADDRESS", "Schulweg 3, 71522 Backnang", rf"[A-Z][a-zäöüß]+weg \d, \d{{5}} {T}"),
    ("de", "HOSPITAL", "Klinikum Herford", f"Klinikum {T}"),
    ("de", "CARE_FACILITY", "Pflegedienst Hüttental", f"Pflegedienst {T}"),
    ("de", "NATIONALITY", "Marokkaner", r"[A-ZÄÖÜ][a-zäöüß]+"),
    ("de", "PROFESSION", "Dachdecker", r"[A-ZÄÖÜ][\w ]+"),
    ("pt", "CITY", "Amadora", T),
    ("pt", "ZIP", "3510-024", r"\d{4}-\d{3}"),
    ("pt", "ZIP", "36090-180", r"\d{5}-\d{3}"),
    ("pt", "STREET", "Rua da Encina, 12", rf"Rua da {N}, \d\d"),
    ("pt", "HOSPITAL", "Hospital São Lázaro", f"Hospital São {N}"),
    ("pt", "PROFESSION", "costureira", r"[\wãçáéíóúâêô -]+"),
    ("pt", "NATIONALITY", "francesa", r"[\w-]+a"),
    ("fr", "CITY", "Tours", r"[A-ZÀ-ÞŒ'][\wÀ-ÿœ' -]+"),
    ("fr", "ZIP", "37000", r"\d{5}"),
    ("fr", "ZIP", "1205", r"[1-9]\d{3}"),
    ("fr", "STREET", "12 rue des Lilas", rf"\d\d rue des {N}"),
    ("fr", "STREET", "avenue de la Gare 31, bte 9", rf"avenue de la (?:Gare|{N}) \d\d, bte \d"),
    ("fr", "HOSPITAL", "Clinique Sainte-Clotilde", rf"Clinique Sainte-{N}"),
    ("fr", "NATIONALITY", "malienne", r"[\wà-ÿ-]+e"),
    ("fr", "PROFESSION", "soudeuse", r"[\wà-ÿœ'ï -]+"),
    ("it", "ZIP", "20129", r"\d{5}"),
    ("it", "STREET", "via Garibaldi 12", rf"via {N} \d\d"),
    ("it", "HOSPITAL", "Ospedale San Rocco", f"Ospedale San {N}"),
    ("it", "NATIONALITY", "francese", r"[a-zà-ù]+"),
    ("it", "PROFESSION", "falegname", r"[\wàèéìòù\x27 ]+"),
    ("nl", "ZIP", "1234 AB", r"[1-9]\d{3} [A-Z]{2}"),
    ("nl", "ZIP", "9000", r"[1-9]\d{3}"),
    ("nl", "STREET", "Kerkstraat 12a", r"[A-Z][a-z]+straat \d\d[a-h]"),
    ("nl", "STREET", "KERKLAAN 7", r"[A-Z]+LAAN \d"),
    ("nl", "STREET", "Laan van Meerdervoort 100", rf"Laan van {T} \d{{3}}"),
    ("nl", "ADDRESS", "Dorpsweg 3, 1234 AB Utrecht", rf"[A-Z][a-z]+weg \d, \d{{4}} [A-Z]{{2}} {T}"),
    ("nl", "HOSPITAL", "UZ Gent", f"UZ {T}"),
    ("nl", "HOSPITAL", "Sint Antonius Ziekenhuis", f"Sint {N} Ziekenhuis"),
    ("nl", "NATIONALITY", "Turkse", r"[A-Z][a-zëï]+e"),
    ("zh", "CITY", "北京市", f"{HAN}{{2}}市"),
    ("zh", "CITY", "海淀区", f"{HAN}{{2}}区"),
    ("zh", "STATE", "广东省", f"{HAN}{{2,3}}省"),
    (
        "zh",
        "ADDRESS",
        "北京市海淀区中山路12号3单元501室",
        rf"{HAN}{{2}}市{HAN}{{2}}区{HAN}{{2}}路\d\d号\d单元\d{{3}}室",
    ),
    ("zh", "HOSPITAL", "北京协和医院", f"{HAN}{{4}}医院"),
    ("zh", "HOSPITAL", "上海市第一人民医院", f"{HAN}{{2}}市第[二三四五六七八九]人民医院"),
    ("zh", "ROOM", "3病区12床", r"\d病区\d\d床"),
    ("zh", "ROOM", "待产加3床", r"待产加\d床"),
    ("zh", "NATIONALITY", "汉族", f"{HAN}{{1,4}}族"),
    ("zh", "ZIP", "100730", r"[1-8]\d{5}"),
    ("zh", "PROFESSION", "教师", f"{HAN}{{2,5}}"),
    ("zh", "COUNTRY", "美国", f"{HAN}+"),
]


@pytest.mark.parametrize(
    ("language", "label", "original", "shape"), SHAPES, ids=[f"{row[1]} {row[2]}" for row in SHAPES]
)
@pytest.mark.parametrize("patient", ["p1", "p2", "p3", "p4"])
def test_shapes(language: str, label: str, original: str, shape: str | None, patient: str) -> None:
    moved = place(original, scope(language, patient), label)
    if shape is None:
        assert moved is None
        return
    assert moved
    assert re.fullmatch(shape, moved), moved
    assert plain(moved) != plain(original)


@pytest.mark.parametrize(("language", "town", "country"), [
    ("en", "Leeds", "GB"), ("en", "Boston", "US"), ("en", "Ballarat", "AU"), ("en-GB", "Boston", "US"),
    ("en-AU", "Newcastle", "AU"), ("en-GB", "Nowhereville", "GB"), ("es", "Madrid", "ES"),
    ("es-CO", "Nowhereville", "CO"), ("es", "Abejorral", "CO"), ("nl", "Utrecht", "NL"),
    ("de", "Backnang", "DE"), ("de", "Innsbruck", "AT"), ("de-CH", "Nirgendsdorf", "CH"),
    ("pt", "Odivelas", "PT"), ("pt", "Diadema", "BR"),
    ("fr", "Grenoble", "FR"), ("fr", "Charleroi", "BE"), ("fr-CH", "Nullepart", "CH"), ("fr", "Lausanne", "CH"),
    ("it", "Bologna", "IT"), ("it", "Lugano", "CH"),
    ("nl", "Brugge", "BE"), ("nl-BE", "Nowheredorp", "BE"),
])  # fmt: skip
def test_a_town_of_the_same_country(language: str, town: str, country: str) -> None:
    for number in range(20):
        moved = place(town, scope(language, f"p{number}"), "CITY")
        assert moved in choices(language[:2], towns(language[:2])[country])
        assert country in town_countries(language[:2])[plain(moved)]


@pytest.mark.parametrize("number", range(10))
def test_the_same_place_is_the_same_wherever_it_stands(number: int) -> None:
    here = scope(patient=f"p{number}")
    leeds, roe = place("Leeds", here, "CITY"), name("Roe", here)
    assert place("Leeds General Infirmary", here, "HOSPITAL") == f"{leeds} General Infirmary"
    assert place("Leeds, Ohio", here, "CITY") == f"{leeds}, {place('Ohio', here, 'STATE')}"
    assert place("Roe Clinic", here, "HOSPITAL") == f"{roe} Clinic"
    assert place("LEEDS", here, "CITY") == (leeds or "").upper()
    beijing = place("北京", scope("zh", f"p{number}"), "CITY")
    assert place("北京市", scope("zh", f"p{number}"), "CITY") == f"{beijing}市"
    assert (place("北京友谊医院", scope("zh", f"p{number}"), "HOSPITAL") or "").startswith(beijing or "-")


def test_what_is_no_place_has_no_stand_in() -> None:
    for label in canonical():
        if label not in LABELS:
            assert place("Leeds", scope(), label) is None
    for label in LABELS:
        for text in ("", " ", "...", "😀", "\n"):
            assert place(text, scope(), label) is None
        assert place("Leeds " * 400, scope(), label) is None
    assert place("Cardiology", scope(), "DEPARTMENT") is None  # nothing in it is a name


@pytest.mark.parametrize(("language", "form"), [("es", "abogada"), ("es", "abogado")])
def test_professions_keep_their_gender(language: str, form: str) -> None:
    for number in range(30):
        first = (place(form, scope(language, f"p{number}"), "PROFESSION") or "").split()[0]
        assert first in {word.split()[0] for word in choices(language, "professions")}
        neutral = first.endswith(("ista", "e"))
        assert neutral or first.endswith("a") == form.endswith("a"), first


@given(st.from_regex(r"[1-9][0-9]{4}", fullmatch=True), st.sampled_from(["en", "es"]))
def test_every_digit_of_a_postcode_changes(code: str, language: str) -> None:
    moved = postcode(code, scope(language)) or ""
    assert all(a != b for a, b in zip(code, moved, strict=True))
    assert language != "es" or 1 <= int(moved[:2]) <= 52


ANY = st.text(max_size=40) | texts | st.lists(st.sampled_from([row[2] for row in SHAPES]), max_size=3).map(" ".join)


@given(ANY, st.sampled_from(LABELS), st.sampled_from(LANGUAGES), st.sampled_from(["p1", ""]))
def test_never_the_original_whatever_it_is(text: str, label: str, language: str, patient: str) -> None:
    here = scope(language, patient)
    moved = place(text, here, label)
    assert moved == place(text, here, label)
    if moved is not None:
        assert moved != text
        assert plain(moved) != plain(text)


@given(ANY, st.sampled_from(LABELS), st.sampled_from(LANGUAGES), st.sampled_from("aeio3市"))
def test_never_what_is_forbidden(text: str, label: str, language: str, taboo: str) -> None:
    moved = place(text, scope(language, forbidden=lambda candidate: taboo in candidate), label)
    assert moved is None or taboo not in moved


def test_ten_thousand_towns_spread_over_the_list() -> None:
    here = scope("nl")
    found = Counter(
        place(f"Qx{number}x".translate(str.maketrans("0123456789", "abcdefghij")), here, "CITY")
        for number in range(10_000)
    )
    assert len(found) > 1_900
    assert max(found.values()) < 22


def test_two_keys_share_no_towns_beyond_chance() -> None:
    other = Scope(Key(b"another key for tests, quite as long").secret("names"), "p1", "nl")
    same = sum(place(town, scope("nl"), "CITY") == place(town, other, "CITY") for town in choices("nl", "towns-NL"))
    assert same <= 6


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "nl", "pt"])
def test_the_lists_are_long_enough(language: str) -> None:
    assert len(choices(language, "countries")) > 100
    assert all(len(choices(language, listed)) >= 20 for listed in towns(language).values())
    assert all(len(choices(language, listed)) >= 7 for listed in states(language).values())


GOLDEN = {
    ("en", "CITY", "Leeds"): "Hartlepool",
    ("en", "STREET", "12 High Street"): "41 Sanchez Street",
    ("es", "HOSPITAL", "Hospital San Roque"): "Hospital San Primitivo",
    ("nl", "ADDRESS", "Dorpsweg 3, 1234 AB Utrecht"): "Oranjeweg 1, 6043 PH Stompetoren",
    ("zh", "HOSPITAL", "北京协和医院"): "威海仁和医院",
}


@pytest.mark.parametrize(("original", "expected"), GOLDEN.items(), ids=[row[2] for row in GOLDEN])
def test_a_key_gives_the_same_places_for_ever(original: tuple[str, str, str], expected: str) -> None:
    language, label, text = original
    assert place(text, scope(language), label) == expected
