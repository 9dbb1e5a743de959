"""Attributes of a token's form: what each says of words in any script."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ElisionError
from elision.taggers.linear.attributes import FORMS, RUN_PLACES, form, run
from elision.taggers.linear.columns import Attributes
from elision.taggers.linear.features import templates
from tests.strategies import fewer, texts

JANE = "Ja\u0301ne"  # the accent is a character of its own
CASES = [
    ("form", "McRoe", "McRoe"),
    ("lower", "McRoe", "mcroe"),
    ("ascii", "Roe", "1"),
    ("ascii", "Roë", "0"),
    ("lower", "ÁLAMO", "álamo"),
    ("lower", "İ", "i\u0307"),
    ("lower", "ẞ", "ß"),
    ("lower", "ΟΔΟΣ", "οδος"),
    ("lower", "李", "李"),
    ("plain", "McRoe7", "mcroe0"),
    ("plain", "Núñez", "nunez"),
    ("plain", "Nu\u0301n\u0303ez", "nunez"),
    ("plain", "İzmir", "izmir"),
    ("plain", "Strauß", "strauß"),
    ("plain", "ﬁne", "fine"),
    ("plain", "№", "no"),
    ("plain", "𝒳", "x"),
    ("plain", "2º", "0o"),
    ("plain", "１２³", "000"),
    ("plain", "李", "李"),
    ("plain", "\u0301", ""),
    ("shape", "MartI9", "AaaaA0"),
    ("shape", "Núñez", "Aaaaa"),
    ("shape", JANE, "Aa\u0301aa"),
    ("shape", "ǅß", "Aa"),
    ("shape", "İ", "A"),
    ("shape", "Nºª", "Axx"),
    ("shape", "李明", "xx"),
    ("shape", "𝒳𝒸😀", "Aa😀"),
    ("shape", "１²½Ⅳ", "0²½Ⅳ"),
    ("shape", "3-May", "0-Aaa"),
    ("shape", "a" * 30, "a" * 24),
    ("brief", "MartI9", "AaA0"),
    ("brief", "12/31/2099", "0/0/0"),
    ("brief", "--", "-"),
    ("brief", "李明", "x"),
    ("brief", "Ab" * 40, "Aa" * 32),
    ("length", "Roe", "3"),
    ("length", "𝒳😀", "2"),
    ("length", JANE, "5"),
    ("length", "a" * 20, "20"),
    ("length", "a" * 21, "20"),
    ("upper", "CABG", "1"),
    ("upper", "CA2", "1"),
    ("upper", "Roe", "0"),
    ("upper", "12", "0"),
    ("upper", "李", "0"),
    ("upper", "É", "1"),
    ("title", "Roe", "1"),
    ("title", "Élan", "1"),
    ("title", "roe", "0"),
    ("title", "1A", "0"),
    ("title", "李", "0"),
    ("title", "𝒳a", "1"),
    ("some-upper", "mcRoe", "1"),
    ("some-upper", "roe", "0"),
    ("some-letter", "12b", "1"),
    ("some-letter", "李", "1"),
    ("some-letter", "12-", "0"),
    ("some-letter", "\u0301", "0"),
    ("some-digit", "roe2", "1"),
    ("some-digit", "roe１", "1"),
    ("some-digit", "½", "0"),
    ("digits", "471", "1"),
    ("digits", "１２", "1"),
    ("digits", "4.71", "0"),
    ("digits", "", "0"),
    ("some-punctuation", "O'Neil", "1"),
    ("some-punctuation", "ONeil", "0"),
    ("some-punctuation", "李", "0"),
    ("some-punctuation", JANE, "1"),
    ("letters-digits", "B12", "1"),
    ("letters-digits", "B", "0"),
    ("letters-digits", "12", "0"),
    ("letters-digits", "B-12", "0"),
    ("inner-upper", "McRoe", "1"),
    ("inner-upper", "eÉ", "1"),
    ("inner-upper", "Roe", "0"),
    ("inner-upper", "ROE", "1"),
    ("inner-upper", "R", "0"),
    ("roman", "MCMXCIV", "1"),
    ("roman", "XXXX", "0"),
    ("roman", "IX", "1"),
    ("roman", "VX", "0"),
    ("roman", "iv", "0"),
    ("roman", "Ⅳ", "0"),
    ("short", "MrS", "mrs"),
    ("short", "Miss", ""),
    ("short", "李", "李"),
    ("digits-punctuation", "1/2", "1"),
    ("digits-punctuation", "1", "0"),
    ("digits-punctuation", "/", "0"),
    ("digits-punctuation", "1/a", "0"),
    ("prefix1", "Élan", "é"),
    ("prefix3", "Roe", "roe"),
    ("prefix4", "Roe", ""),
    ("prefix2", "😀𝒳y", "😀𝒳"),
    ("prefix1", "İ", "i\u0307"),
    ("prefix12", "abcdefghijklmn", "abcdefghijkl"),
    ("suffix1", "RoE", "e"),
    ("suffix3", "Roe", "roe"),
    ("suffix4", "Roe", ""),
    ("suffix2", "x李明", "李明"),
    ("suffix2", JANE, "ne"),
    ("gram2-1", "Roe", "<r"),
    ("gram2-4", "Roe", "e>"),
    ("gram2-5", "Roe", ""),
    ("gram3-1", "é", "<é>"),
    ("gram9-1", "Roe", "<roe>"),
    ("gram1-2", "😀", "😀"),
    ("gram3-12", "abcdefghijklm", "klm"),
]


@pytest.mark.parametrize(("name", "token", "value"), CASES, ids=[f"{row[0]}-{row[1]!a}" for row in CASES])
def test_values(name: str, token: str, value: str) -> None:
    function = form(name)
    assert function is not None
    assert function(token) == value


def test_every_attribute_has_a_case() -> None:
    assert set(FORMS) <= {name for name, _, _ in CASES}


NONE = [
    "", "Lower", "lower ", "low", "prefix", "prefix0", "prefix01", "prefix100", "suffix-1", "gram3", "gram0-1",
    "gram3-0", "gram10-1", "gram3-100", "gram3-1x", "prefix٣",
]  # fmt: skip


@pytest.mark.parametrize("name", NONE)
def test_a_name_that_is_none(name: str) -> None:
    assert form(name) is None


def test_templates_of_an_unknown_attribute_say_which_there_are() -> None:
    with pytest.raises(ElisionError, match=r"look at 'towns', which is no attribute; there are: .*key.*prefix3"):
        Attributes(templates(["lower[0]", "towns[-1] lower[0]"]))


FLAGS = [name for name in FORMS if FORMS[name]("Roe") in "01"]


@given(texts | st.text(max_size=12))
def test_whatever_the_token(text: str) -> None:
    token = "".join(text.split())
    said = {name: function(token) for name, function in FORMS.items()}
    assert {said[name] for name in FLAGS} <= {"0", "1"}
    whole = "".join(kind for kind, _ in groupby(FORMS["shape"](token[:24])))
    assert FORMS["brief"](token[:24]) == whole
    assert len(said["shape"]) == min(len(token), 24)
    assert said["plain"] == FORMS["plain"](said["plain"])
    assert not any(character.isdecimal() and character != "0" for character in said["plain"])


@given(texts, st.integers(1, 9))
@fewer
def test_runs_of_letters_cover_the_word(token: str, size: int) -> None:
    """One run begins at each letter until the last one ends with the word; then there are no more."""
    marked = f"<{token.lower()}>"
    expected = [marked[at : at + size] for at in range(max(1, len(marked) - size + 1))]
    functions = [form(f"gram{size}-{number}") for number in range(1, len(expected) + 3)]
    assert [function(token) if function else None for function in functions] == [*expected, "", ""]


@given(st.text(min_size=1, max_size=12), st.integers(1, 12))
@fewer
def test_beginnings_and_ends_of_words(token: str, size: int) -> None:
    prefix, suffix = form(f"prefix{size}"), form(f"suffix{size}")
    assert prefix
    assert suffix
    long = len(token) >= size
    assert prefix(token) == (token[:size].lower() if long else "")
    assert suffix(token) == (token[len(token) - size :].lower() if long else "")


RUNS = [
    ("Roe", 3, {"<Ro", "Roe", "oe>"}),
    ("ROE", 3, {"<RO", "ROE", "OE>"}),
    ("Roe", 6, {"<Roe>"}),
    ("banana", 3, {"<ba", "ban", "ana", "nan", "na>"}),  # what stands there twice is there once
    ("abcdefghijklmn", 6, {"<abcdefghijklmn>"[at : at + 6] for at in range(11)}),
]


@pytest.mark.parametrize(("token", "size", "runs"), RUNS)
def test_the_runs_of_a_word_are_all_there_once(token: str, size: int, runs: set[str]) -> None:
    found = [run(token, size, place) for place in range(1, RUN_PLACES + 1)]
    assert sorted(filter(None, found)) == sorted(runs)
    assert [form(f"run{size}-{place}")(token) for place in range(1, RUN_PLACES + 1)] == found  # type: ignore[misc]


def test_a_run_says_the_same_wherever_it_stands() -> None:
    parts = ["jan", "sen", "Vel", "dho", "ven", "mar", "Ker", "stra", "lun", "brek"]
    words = [a + b + c for a in parts for b in parts for c in ("", "a", "ing")]
    places: dict[str, list[int]] = {}
    for word in words:
        for place in range(1, RUN_PLACES + 1):
            if letters := run(word, 3, place):
                places.setdefault(letters, []).append(place)
    usual = sum(max(map(found.count, set(found))) for found in places.values())
    assert usual > 0.94 * sum(map(len, places.values()))
    assert form(f"run3-{RUN_PLACES + 1}") is None
    assert len({run("".join(map(chr, range(200, 400))), 3, place) for place in range(1, RUN_PLACES + 1)}) == RUN_PLACES
