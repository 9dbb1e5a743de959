"""Many strings, found at once: the same places as one by one, however many they are."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elision.text import many
from elision.text.many import LONGEST, AnyOf, places_of, standing

STRINGS = st.lists(st.text(alphabet="ab0é李\U00020000", max_size=4) | st.text(alphabet="ab", min_size=45, max_size=52))
TEXTS = st.text(alphabet="ab0é李\U00020000 ", max_size=120)
LONG = "a" * LONGEST


def places_one_by_one(strings: list[str], text: str) -> set[tuple[str, int]]:
    return {(string, at) for string in strings if string for at in range(len(text)) if text.startswith(string, at)}


@pytest.mark.parametrize("few", [0, 10**6], ids=["together", "one by one"])
@given(strings=STRINGS, text=TEXTS)
@example(strings=[LONG, LONG + "b", LONG + "bc", "a"], text="b" + LONG + "bcaab")
@example(strings=["\ud800", "aa"], text="\ud800aaa")
def test_all_places_are_found(few: int, strings: list[str], text: str) -> None:
    distinct = list(dict.fromkeys(strings))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many, "FEW", few)
        found = list(places_of(distinct, text))
        there = standing(distinct, text)
        held = AnyOf(distinct).within(text)
    assert sorted(found) == sorted(places_one_by_one(distinct, text))
    assert there - {""} == {string for string, _ in found}
    assert held == any(string in text for string in distinct)
