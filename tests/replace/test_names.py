"""Names: the same person everywhere, in the same shape, and never the original."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.detect.lists import COMMON
from elision.keys import Key
from elision.languages.base import folder
from elision.replace.choices import Called, Scope
from elision.replace.name_lists import EITHER, FEMALE, KINDS, MALE, SURNAME, kind, letter_shares, letters_of, pools
from elision.replace.names import name, username
from elision.replace.standins import choices
from elision.replace.words import LETTERS, digits, plain
from tests.strategies import texts

SECRET = Key(b"a key for tests, and only for them").secret("names")
LABELS = ["NAME_PATIENT", "NAME_RELATIVE", "NAME_OTHER", "NAME_CLINICIAN", "INITIALS", "USERNAME"]
LANGUAGES = [
    "en",
    "en-GB",
    "es",
    "es-MX",
    "nl",
    "nl-BE",
    "zh",
    "zh-TW",
    "",
    "sv",
    "de",
    "de-AT",
    "pt",
    "pt-BR",
    "fr",
    "it",
]
X = "[A-ZÀ-Þ][a-zß-ÿ]+"  # a word with a capital
N = "[A-ZÀ-Þ](?:'[A-Z])?[a-zß-ÿA-Z]+"  # a surname, perhaps O'Hara or McCabe
HAN = "[一-鿿]"


def scope(language: str = "en", patient: str = "p1", **more: object) -> Scope:
    return Scope(SECRET, patient, language, **more)  # type: ignore[arg-type]


SHAPES = [
    ("en", "Jane Roe", rf"{N} {N}"),
    ("en", "JANE ROE", r"[A-Z']{3,} [A-Z']{3,}"),
    ("en", "jane roe", r"[a-z']{3,} [a-z']{3,}"),
    ("en", "Roe, Jane A.", rf"{N}, {N} [A-Z]\."),
    ("en", "ROE, J.", r"[A-Z']{3,}, [A-Z]\."),
    ("en", "J.R.", r"[A-Z]\.[A-Z]\."),
    ("en", "JR", r"[A-Z]{2}"),
    ("en", "Dr. Jane McDonald", rf"Dr\. {N} {N}"),
    ("en", "Mr John Smith Jr.", rf"Mr {N} {N} Jr\."),
    ("en", "Jane O'Neil's", rf"{N} {N}'s"),
    ("en", "Roe’s", rf"{N}’s"),
    ("en", "Jane Roe, MD", rf"{N} {N}, MD"),
    ("en", "Mary-Ann Roe-Doe", rf"{N}-{N} {N}-{N}"),
    ("en", "Jane and John Roe", rf"{N} and {N} {N}"),
    ("en", "Doctor Smith", rf"Doctor {N}"),
    ("en", "Captain Jane Roe", rf"Captain {N} {N}"),
    ("en", "Jane Ma", rf"{N} {N}"),
    ("en", "JACK MA", r"[A-Z']{3,} (?!MA)[A-Z']{2,}"),
    ("en", "Major, Jane", rf"{N}, {N}"),
    ("en", "Roe, Dr. Jane", rf"{N}, Dr\. {N}"),
    ("en", "Do Minh", rf"{N} {N}"),
    ("en", "Al-Masri", rf"Al-{N}"),
    ("en", "Henry Roe III", rf"{N} {N} III"),
    ("es", "María García López", rf"{N} {N} {N}"),
    ("es", "José García de la Torre y López", rf"{N} {N} de la {N} y {N}"),
    ("es", "GARCÍA LÓPEZ, JUAN", r"[A-ZÀ-Þ]+ [A-ZÀ-Þ]+, [A-ZÀ-Þ]+"),
    ("es", "D. Juan Pérez", rf"D\. {N} {N}"),
    ("es", "Dña. Pilar Ruiz", rf"Dña\. {N} {N}"),
    ("es", "María Pastor García", rf"{N} {N} {N}"),
    ("es", "Pastor García", rf"{N} {N}"),
    ("es", "Dr. Del Río", rf"Dr\. Del {N}"),
    ("es", "Don Andrés", rf"Don {N}"),
    ("es", "Mª Carmen Pérez", rf"{N} {N} {N}"),
    ("es", "Luis Fernández-Rico", rf"{N} {N}-{N}"),
    ("de", "Frau Dr. Anke Obermoser", rf"Frau Dr\. {N} {N}"),
    ("de", "Hans-Peter von der Heide", rf"{N}-{N} von der {N}"),
    ("de", "Obermoser, A.", rf"{N}, [A-Z]\."),
    ("pt", "Dra. Maria da Conceição Pereira", rf"Dra\. {N} da {N} {N}"),
    ("pt", "PEREIRA, JOÃO", r"[A-ZÀ-Þ]+, [A-ZÀ-Þ]+"),
    ("pt", "Sr. António dos Santos", rf"Sr\. {N} dos {N}"),
    ("nl", "dhr. J.A. van der Berg", rf"dhr\. [A-Z]\.[A-Z]\. van der {N}"),
    ("nl", "Mw. De Vries-Jansen", rf"Mw\. De {N}-{N}"),
    ("nl", "Pieter 't Hooft", rf"{N} 't {N}"),
    ("nl", "Jansen, A.C. van", rf"{N}, [A-Z]\.[A-Z]\. van"),
    ("fr", "Mme Odile Vasseur", rf"Mme {N} {N}"),
    ("fr", "VASSEUR Odile", r"[A-ZÀ-Þ']+ [A-ZÀ-Þ][a-zß-ÿ]+"),
    ("fr", "Dr J. de La Tour", rf"Dr [A-Z]\. de La {N}"),
    ("zh", "张伟", f"{HAN}{{2}}"),
    ("zh", "李小明", f"{HAN}{{3}}"),
    ("zh", "欧阳娜娜", rf"{HAN}{{2}}({HAN})\1"),
    ("zh", "王主任", f"{HAN}主任"),
    ("zh", "张伟医生", f"{HAN}{{2}}医生"),
    ("zh", "老张", f"老{HAN}"),
    ("zh", "李某某", f"{HAN}某某"),
    ("zh", "王XX", f"{HAN}XX"),
    ("zh", "玛丽·史密斯", rf"{HAN}{{2}}·{HAN}{{3}}"),
    ("zh", "Wang Wei", rf"{N} {N}"),
    ("zh", "John Smith", rf"{N} {N}"),
]


@pytest.mark.parametrize(("language", "original", "shape"), SHAPES, ids=[row[1] for row in SHAPES])
@pytest.mark.parametrize("patient", ["p1", "p2", "p3", "p4"])
def test_shapes(language: str, original: str, shape: str, patient: str) -> None:
    moved = name(original, scope(language, patient))
    assert moved
    assert re.fullmatch(shape, moved), moved
    assert plain(moved) != plain(original)
    kept = {plain(word) for word in re.findall(r"\w{3,}", shape)}
    for word in re.findall(r"[^\W\d_一-鿿]{3,}", original):
        assert plain(word) in kept or plain(word) not in plain(moved)


ALIKE = [
    ("en", "Jane Roe", ["ROE, JANE", "Ms. Jane Roe", "jane roe", "Dr Jane Roe's"]),
    ("en", "Jordan O'Neil", ["O'NEIL, JORDAN", "Jordan O’Neil"]),
    (
        "es",
        "José Luis García Núñez",
        ["Jose Luis Garcia Nunez", "GARCÍA NÚÑEZ, JOSÉ LUIS", "Jose\u0301 Luis García Nuñez"],
    ),
    ("es", "María Roca", ["Mª Roca", "M.ª Roca"]),
    ("de", "Jürgen Müllner", ["Müllner, Jürgen", "MÜLLNER, JÜRGEN", "Dr. Jürgen Müllner"]),
    ("nl", "Jan de Vries", ["de Vries, Jan", "dhr. Jan de Vries", "JAN DE VRIES"]),
    ("en", "Jane Roe", ["Ja\u200bne Roe", "Ｊａｎｅ Ｒｏｅ", "Jane\u00a0Roe"]),
]


@pytest.mark.parametrize(("language", "original", "others"), ALIKE)
def test_the_same_person_is_the_same_however_written(language: str, original: str, others: list[str]) -> None:
    def bag(text: str) -> Counter[str]:
        return Counter(plain(re.sub("['’]s$", "", text)).split())

    for patient in ("p1", "p2", "p3", *(f"q{number}" for number in range(200))):
        here = scope(language, patient)
        whole = bag(name(original, here) or "")
        for other in others:
            extra = bag(name(other, here) or "") - whole
            assert set(extra) <= {"ms", "dr", "dhr"}, other


PEOPLE = {
    "de": "Heidrun Obermoser",
    "en": "Jane Roe",
    "es": "Carmen Pérez",
    "fr": "Odile Vasseur",
    "it": "Ilaria Bracciaforte",
    "nl": "Anneke Jansen",
    "pt": "Filomena Bastos",
}


@pytest.mark.parametrize("language", PEOPLE)
@pytest.mark.parametrize("number", range(20))
def test_parts_and_initials_follow_the_whole(language: str, number: int) -> None:
    here = scope(language, f"patient {number}")
    first, last = PEOPLE[language].split()
    given_name, surname = (name(f"{first} {last}", here) or "").split()
    assert name(first, here) == given_name
    assert name(last.upper(), here) == surname.upper()
    assert name(f"{last}, {first[0]}.", here) == f"{surname}, {plain(given_name)[0].upper()}."
    both = plain(given_name)[0].upper() + plain(surname)[0].upper()
    same = both == first[0] + last[0]  # no stand-in is the original: then there is none
    assert name(first[0] + last[0], here, "INITIALS") == (None if same else both)
    assert name(f"{first[0]}.{last[0]}.", here) == (None if same else f"{both[0]}.{both[1]}.")
    assert username(f"{plain(first)}.{plain(last)}", here) == f"{plain(given_name)}.{plain(surname)}"


def test_usernames_follow_the_surrogate_name() -> None:
    here = replace(scope(), called=Called(("jane", "roe")))
    jane, roe = (plain(word) for word in (name("Jane Roe", here) or "").split())
    assert re.fullmatch(rf"{jane[0]}{roe}\d\d", username("jroe12", here) or "")
    assert username("janeroe", here) == jane + roe
    assert username("roe_j", here) == f"{roe}_{jane[0]}"
    assert username("JROE", here) == (jane[0] + roe).upper()
    assert name("jane.roe", here, "USERNAME") == f"{jane}.{roe}"
    assert username("...", here) is None


GENDERS = [
    ("de", FEMALE, ["Heidrun", "Ursula", "Anke", "Gudrun"]),
    ("de", MALE, ["Jürgen", "Wolfgang", "Uwe", "Klaus"]),
    ("en", FEMALE, ["Jane", "Sarah", "Emily", "Karen"]),
    ("en", MALE, ["John", "James", "Robert", "Peter"]),
    ("es", FEMALE, ["María", "Carmen", "Lucía", "Pilar"]),
    ("es", MALE, ["José", "Antonio", "Javier", "Andrés"]),
    ("fr", FEMALE, ["Odile", "Marie", "Solène"]),
    ("fr", MALE, ["Bastien", "Thierry", "Loïc"]),
    ("it", FEMALE, ["Giulia", "Francesca", "Ilaria"]),
    ("it", MALE, ["Giovanni", "Matteo", "Luca"]),
    ("nl", FEMALE, ["Anneke", "Maria", "Sofie"]),
    ("pt", FEMALE, ["Filomena", "Graciete", "Rosângela"]),
    ("pt", MALE, ["João", "Gonçalo", "Wellington"]),
    ("nl", MALE, ["Jan", "Pieter", "Willem", "Bart"]),
]


@pytest.mark.parametrize(("language", "gender", "names"), GENDERS)
def test_gender_is_kept(language: str, gender: str, names: list[str]) -> None:
    for original in names:
        assert kind(plain(original), language) == gender
        for number in range(30):
            moved = name(original, scope(language, f"p{number}"))
            assert moved
            listed = pools(language)[gender][plain(moved)[0]]
            assert moved in listed


def test_chinese_gender_and_script() -> None:
    for number in range(20):
        here = scope("zh", f"p{number}")
        simple, traditional = name("张丽娟", here) or "", name("陳美麗", here) or ""
        assert len(simple) == len(traditional) == 3
        assert not set(simple) & set("张丽娟")
        alone = name("丽娟", here) or ""
        assert simple.endswith(alone)


def test_titles_alone_and_nothing_have_no_stand_in() -> None:
    for text in ("", " ", "...", "😀", "\0", "-"):
        assert name(text, scope()) is None
    assert name("a" * 10_000, scope()) is None
    assert name("Dr. Roe " * 400, scope()) is None


GOLDEN = {
    ("en", "Jane Roe"): "Marissa Trenor",
    ("en", "O'Neil, Mary-Ann"): "Hassett, Megan-Melinda",
    ("es", "María García de la Torre"): "Viviana Solé de la Jofré",
    ("nl", "dhr. J. van der Berg"): "dhr. Z. van der Vrome",
    ("zh", "李小明"): "史帆延",
    ("zh", "陳美麗"): "房可玉",
}


@pytest.mark.parametrize(("original", "expected"), GOLDEN.items(), ids=[row[1] for row in GOLDEN])
def test_a_key_gives_the_same_names_for_ever(original: tuple[str, str], expected: str) -> None:
    language, text = original
    assert name(text, scope(language)) == expected


ANY = st.text(max_size=40) | texts | st.lists(st.sampled_from([row[1] for row in SHAPES]), max_size=3).map(" ".join)


@given(ANY, st.sampled_from(LABELS), st.sampled_from(LANGUAGES), st.sampled_from(["p1", "p2", ""]))
def test_never_the_original_whatever_it_is(text: str, label: str, language: str, patient: str) -> None:
    here = scope(language, patient)
    moved = name(text, here, label)
    assert moved == name(text, here, label)
    if moved is not None:
        assert moved != text
        assert plain(moved) != plain(text)


@given(ANY, st.sampled_from(LABELS), st.sampled_from(LANGUAGES), st.sampled_from("aeiou明"))
def test_never_what_is_forbidden(text: str, label: str, language: str, taboo: str) -> None:
    moved = name(text, scope(language, forbidden=lambda candidate: taboo in candidate), label)
    assert moved is None or taboo not in moved


def test_a_forbidden_name_gives_way_to_another() -> None:
    usual = name("Jane Roe", scope()) or ""
    given_name, surname = usual.split()
    other = name("Jane Roe", scope(forbidden=lambda candidate: surname in candidate)) or ""
    assert other.split()[0] == given_name
    assert other.split()[1] != surname
    assert other.split()[1][0] == surname[0]
    assert name("Jane Roe", scope(forbidden=lambda _: True)) is None


@pytest.mark.parametrize("language", ["de", "en", "es", "nl", "zh", "pt", "fr", "it"])
def test_letters_are_drawn_as_names_begin_whatever_the_letter_was(language: str) -> None:
    shares = [after - before for before, after in pairwise((0, *letter_shares(language)))]
    found = [letters_of(scope(language, f"p{number}")) for number in range(2_000)]
    assert all(sorted(letters) == list(LETTERS) for letters in found)
    for letter in "aqsx":
        counts = Counter(letters[letter] for letters in found)
        off = sum(
            (counts[other] - expected) ** 2 / expected
            for other, share in zip(LETTERS, shares, strict=True)
            if (expected := 2_000 * share / sum(shares)) > 1
        )
        assert off < 60  # 25 degrees of freedom: once in ten thousand


@pytest.mark.parametrize("language", ["de", "en", "es", "nl", "pt", "fr", "it"])
def test_there_are_names_for_every_letter(language: str) -> None:
    for kind_of in KINDS:
        assert all(len(pools(language)[kind_of][letter]) >= 3 for letter in LETTERS), kind_of


def _made_up(letter: str, many: int) -> list[str]:
    """Words that no list has, so that they are surnames."""
    return [f"{letter.upper()}q{LETTERS[i // 676]}{LETTERS[i // 26 % 26]}x{LETTERS[i % 26]}" for i in range(many)]


def test_ten_thousand_names_spread_over_the_list() -> None:
    here = scope()
    found = Counter(name(word, here) for word in _made_up("t", 10_000))
    listed = pools("en")[SURNAME][letters_of(here)["t"]]
    mean = 10_000 / len(listed)
    assert set(found) == set(listed)
    assert max(found.values()) < mean + 6 * mean**0.5


def test_two_keys_and_two_patients_share_no_names_beyond_chance() -> None:
    other = Key(b"another key for tests, quite as long").secret("names")
    words = [word for letter in "abcdlmst" for word in _made_up(letter, 500)]
    for here, there in [(scope(), Scope(other, "p1", "en")), (scope(), scope(patient="p2"))]:
        ours, theirs = letters_of(here), letters_of(there)
        chance = sum(500 / len(pools("en")[SURNAME][ours[c]]) for c in "abcdlmst" if ours[c] == theirs[c])
        same = sum(name(word, here) == name(word, there) for word in words)
        assert same <= chance + 4 * chance**0.5 + 3


def test_few_of_a_patients_names_meet() -> None:
    meet = 0
    for number in range(100):
        here = scope(patient=f"p{number}")
        found = [name(word, here) for word in ("Jane", "John", "Peter", "Mary", "Roe", "Smith", "Jones", "Carter")]
        meet += len(found) - len(set(found))
    assert meet <= 4


def test_either_stays_either() -> None:
    assert kind("jordan", "en") == EITHER
    for number in range(20):
        assert kind(plain(name("Jordan", scope(patient=str(number))) or ""), "en") in (EITHER, SURNAME)


@given(st.from_regex(r"[0-9]{1,40}", fullmatch=True))
def test_other_digits_as_many(run: str) -> None:
    moved = digits(run, scope())
    assert moved.isdigit()
    assert len(moved) == len(run)
    assert moved != run
    assert (moved[0] == "0") <= (run[0] == "0")


@pytest.mark.parametrize("language", ["de", "en", "es", "nl", "pt", "fr", "it", "common"])
def test_no_stand_in_is_a_word_of_the_clinic(language: str) -> None:
    """Kidney was a surname here, and Power, Rice, Spain and India were others."""
    listed = [folder("common", "rules", f"{name}.txt").read_text().splitlines() for name in ("terms", "drugs")]
    names = {plain(word) for by_letter in pools(language).values() for words in by_letter.values() for word in words}
    clinical = "kidney heart liver chest power rice spain india paris dakota diamond vena nek arts agudo metoprolol "
    clinical += "magen bauch date"
    assert not names & {*clinical.split(), *(plain(word) for words in listed for word in words), *COMMON}


def test_no_town_that_stands_in_is_a_word_of_the_clinic() -> None:
    towns = {plain(town) for town in choices("nl", "towns-NL")}
    assert not towns & {"graft", "long", "maag", "nier", "arm"}
