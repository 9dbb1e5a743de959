"""One function takes accents away, and it is used wherever that is done."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elision.text.characters import base, unaccented

SOURCE = Path(__file__).parents[2] / "src" / "elision"


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Núñez", "Nunez"), ("Müller", "Muller"), ("ﬁ", "ﬁ"), ("李明", "李明"), ("e\u0301", "e"), ("", "")],
)
def test_letters_lose_their_marks(text: str, plain: str) -> None:
    assert unaccented(text) == plain


def test_other_ways_to_write_a_letter_are_plain_if_asked() -> None:
    assert unaccented("ﬁｎ Mª", "NFKD") == "fin Ma"


@given(st.text())
@example("İ")
@example("ΑΣ\u0301")
def test_no_mark_is_left_and_nothing_else_is_lost(text: str) -> None:
    for form in ("NFD", "NFKD"):
        found = unaccented(text, form)
        assert not any(map(unicodedata.combining, found))
        assert found == "".join(c for c in unicodedata.normalize(form, text) if not unicodedata.combining(c))


def test_the_letter_below_an_accent() -> None:
    assert base("é") == "e"
    assert base("ª") == "ª"
    assert base("ª", "NFKD") == "a"


def test_no_module_takes_accents_away_by_itself() -> None:
    own = re.compile(r"normalize\(\s*[\"']NFK?D|import combining|unicodedata\.combining\(c\)")
    found = [str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*.py") if own.search(file.read_text("utf-8"))]
    # words of stand-ins are compared with their marks and other signs gone in one pass
    assert sorted(found) == ["replace/words.py", "text/characters.py"]
