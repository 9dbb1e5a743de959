"""What a Chinese character is, is said in one place: with 々 and 〇, which stand in names and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from unicodedata import combining, normalize

import pytest

from elision import showing
from elision.detect import words as units
from elision.languages.telling import telling
from elision.replace import originals
from elision.text.characters import HAN_RUNS, UNMARKED, has_han, is_han, unaccented
from elision.text.classes import HAN, classes, codes_of
from elision.text.tokens import tokenize

SOURCE = Path(__file__).parents[2] / "src" / "elision"
SIGNS = "李々〇𠀀豈龥㐀"


def one_a_token(sign: str) -> bool:
    return tokenize(f"a{sign}{sign}b").texts(f"a{sign}{sign}b") == ["a", sign, sign, "b"]


def one_a_unit(sign: str) -> bool:
    return units.units_of(f"王{sign}王").texts == ["王", sign, "王"]


def in_a_name(sign: str) -> bool:
    return showing.tells(f"王{sign}明") == "a name"


def between_words(sign: str) -> bool:
    """A word between Chinese characters stands alone: no blank does there."""
    return not originals.cuts(f"a{sign}", 1)


ASKED: list[Callable[[str], bool]] = [
    is_han,
    lambda sign: has_han(f"a{sign}"),
    lambda sign: classes(codes_of(sign)).tolist() == [HAN],
    lambda sign: HAN_RUNS.fullmatch(sign) is not None,
    lambda sign: telling._script(sign) == "zh",
    one_a_token,
    one_a_unit,
    in_a_name,
    between_words,
]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("asked", ASKED)
def test_each_place_that_asks_knows_it(asked: Callable[[str], bool], sign: str) -> None:
    assert asked(sign)


@pytest.mark.parametrize("sign", "aé1 、。あ한")
def test_others_are_none(sign: str) -> None:
    assert not is_han(sign)


def test_what_is_unmarked_loses_nothing() -> None:
    found = "".join(sign for sign in map(chr, range(0x11000)) if UNMARKED.fullmatch(sign))
    assert len(found) > 20_000
    for form in ("NFD", "NFKD"):
        assert "".join(sign for sign in normalize(form, found) if not combining(sign)) == found


@pytest.mark.parametrize(
    ("text", "plain"), [("李é明", "李e明"), ("李明\u0301", "李明"), ("李：明", "李：明"), ("ﬁ李", "ﬁ李")]
)
def test_marks_beside_chinese_characters_are_lost(text: str, plain: str) -> None:
    assert unaccented(text) == plain
    assert unaccented(text, "NFKD") == plain.replace("：", ":").replace("ﬁ", "fi")


def test_no_other_module_says_it() -> None:
    """Neither as a range of characters nor by their numbers."""
    own = re.compile(
        r"[\u3400-\u9fff]-[\u3400-\ufaff]|\\u(?:3400|4e00|9fff|9fa5|3007)|0x(?:3400|4e00|9fff)", re.IGNORECASE
    )
    found = [str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*.py") if own.search(file.read_text("utf-8"))]
    # the model that tells languages has its table from there on; codes keep what is Asian and below
    assert sorted(found) == ["languages/telling/words.py", "replace/codes.py", "text/characters.py"]
