"""Folding: disguised characters become plain, and every place leads back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.text.fold import fold

DISGUISES = [
    ("full-width digits", "１２３－４５", "123-45"),
    ("full-width letters and punctuation", "Ｊａｎｅ：Ｒｏｅ，", "Jane:Roe,"),
    ("zero-width space inside a name", "Ja\u200bne", "Jane"),
    ("soft hyphen", "Ja\u00adne", "Jane"),
    ("byte-order mark", "\ufeffJane", "Jane"),
    ("no-break and thin spaces", "Jane\u00a0Roe\u2009MD", "Jane Roe MD"),
    ("no-break hyphen, dashes, minus", "06\u201112\u201334\u221256", "06-12-34-56"),
    ("right-to-left and embedding marks", "\u202e4711\u200f\u2069", "4711"),
    ("combining accents", "Nu\u0301n\u0303ez", "Núñez"),
    ("a zero-width space before an accent", "Mari\u200b\u0301a", "María"),
    ("an accent on a look-alike letter", "Мarі\u0301a", "María"),
    ("precomposed accents stay", "Núñez", "Núñez"),
    ("ligature", "ﬁnger", "finger"),
    ("Cyrillic look-alikes in a Latin word", "Jаnе", "Jane"),
    ("a whole word of look-alikes", "РАТ", "PAT"),
    ("Greek capitals", "ΚΑΤΕ", "KATE"),
    ("Arabic-Indic digits", "٠٦١٢", "0612"),
    ("mathematical letters", "𝐉𝐚𝐧𝐞", "Jane"),
    ("apostrophes", "O\u2019Neil O\u00b4Neil", "O'Neil O'Neil"),
    ("line separator", "a\u2028b", "a\nb"),
    ("a Greek letter of medicine stays", "α-sinucleína, 5 μg", "α-sinucleína, 5 μg"),
    ("a Cyrillic word stays", "Москва", "Москва"),
    ("Spanish ordinals stay", "Nº 2ª", "Nº 2ª"),
    ("Chinese stays, its punctuation folds", "姓名：李明。", "姓名:李明。"),
    ("a lone accent stays", "x ¨ y", "x ¨ y"),
]


@pytest.mark.parametrize(("given_text", "plain"), [row[1:] for row in DISGUISES], ids=[row[0] for row in DISGUISES])
def test_disguises(given_text: str, plain: str) -> None:
    assert fold(given_text).text == plain


def test_a_place_in_the_view_leads_to_all_that_went_into_it() -> None:
    text = "Dr. Nu\u0301n\u0303\u200bez"
    view = fold(text)
    at = view.text.index("Núñez")
    start, end = view.original(at, at + 5)
    assert text[start:end] == "Nu\u0301n\u0303\u200bez"
    assert view.folded(start, end) == (at, at + 5)


# Letters with look-alikes, marks, what hides, and what folds: the mixtures that one pass may not settle.
TRICKY = "Мarіaаеосo\u0301\u0303\u0327\u200b\u00ad\ufe0fﬁ１Å\u212bｶﾞ 7-ªº´¨"


@given(st.one_of(st.text(max_size=40), st.text(alphabet=TRICKY, max_size=12)))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(st.one_of(st.text(max_size=40), st.text(alphabet=TRICKY, max_size=12)), st.integers(0, 40), st.integers(0, 40))
def test_the_way_back_covers_and_ascends(text: str, a: int, b: int) -> None:
    view = fold(text)
    start, end = sorted((min(a, len(view.text)), min(b, len(view.text))))
    first, last = view.original(start, end)
    assert 0 <= first <= last <= len(text)
    if start < end:
        again = view.folded(first, last)
        assert again[0] <= start
        assert end <= again[1]
        # folding just that stretch gives the same characters, up to the cluster's own expansion
        assert view.text[start:end] in view.text[again[0] : again[1]]


@given(st.text(alphabet="abc ñé09\u0301\u200b１ﬁ", max_size=30))
def test_nothing_visible_is_lost(text: str) -> None:
    view = fold(text)
    reached: set[int] = set()
    for i in range(len(view.text)):
        start, end = view.original(i, i + 1)
        reached.update(range(start, end))
    unseen = {text[i] for i in range(len(text)) if i not in reached}
    assert all(unicodedata.category(character) in ("Cf", "Mn") for character in unseen)
