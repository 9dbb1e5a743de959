"""Words like the Penn Treebank's, and the steps of He 2015 that stand on them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.papers.he2015_tokens import CUTS, tokenize_he2015
from elision.papers.treebank import treebank_words
from elision.taggers.cutters import cutter

WORDS = [
    ("a comma between words", "Smith,John", "Smith , John"),
    ("a comma inside a number", "1,250 ml, 5,Roe", "1,250 ml , 5 , Roe"),
    ("a bracket and a glued title", "(Dr.Roe)", "( Dr. Roe )"),
    ("an abbreviation", "Seen by Dr. Roe of St. Anne.", "Seen by Dr. Roe of St. Anne ."),
    ("initials", "J. Roe, M.D. at 3 p.m.", "J. Roe , M.D. at 3 p.m."),
    ("a full stop inside a sentence", "approx. five, etc., so.", "approx. five , etc. , so ."),
    ("a full stop that a sentence follows", "Home today.Seen Monday. Well", "Home today . Seen Monday . Well"),
    ("a line ends a sentence", "Went home.\nwell", "Went home . well"),
    ("dots", "Well... no", "Well ... no"),
    ("contractions", "Roe's mother can't, they'll", "Roe 's mother ca n't , they 'll"),
    ("quotation marks", "\"Roe\" said 'O'Neil' patients'", "\" Roe \" said ' O'Neil ' patients '"),
    ("a colon", "Ph:555 at 3:30", "Ph : 555 at 3:30"),
    ("signs", "5% of $20", "5 % of $ 20"),
    ("hyphens and slashes", "Sergio-Steven 3/4", "Sergio-Steven 3/4"),
]  # fmt: skip
STEPS = [
    ("Sergio-Steven", "Sergio - Steven", "Sergio - Steven", "Sergio-Steven", "Sergio-Steven"),
    ("2106-02-12,", "2106 - 02 - 12 ,", "2106 - 02 - 12 ,", "2106-02-12 ,", "2106-02-12,"),
    ("CABG6/95", "CABG 6 / 95", "CABG6 / 95", "CABG6/95", "CABG6/95"),
    ("45-year-old", "45 - year - old", "45 - year - old", "45-year-old", "45-year-old"),
    ("*x76221*", "* x 76221 *", "* x76221 *", "*x76221*", "*x76221*"),
    ("Ph:497-045-1949", "Ph : 497 - 045 - 1949", "Ph : 497 - 045 - 1949", "Ph : 497-045-1949", "Ph:497-045-1949"),
]  # what stands there; then after all steps, after those of the official run, after the first, and after none


@pytest.mark.parametrize(("text", "words"), [row[1:] for row in WORDS], ids=[row[0] for row in WORDS])
def test_words(text: str, words: str) -> None:
    assert [word for _, word in treebank_words(text)] == words.split()


@pytest.mark.parametrize(("text", "parts"), [(row[0], row[1:]) for row in STEPS], ids=[row[0] for row in STEPS])
def test_the_steps_of_he_2015(text: str, parts: tuple[str, ...]) -> None:
    for steps, wanted in zip(CUTS, parts, strict=True):
        assert tokenize_he2015(text, steps=steps).texts(text) == wanted.split(), steps


@pytest.mark.parametrize("steps", CUTS)
def test_settings_name_each_choice_of_steps(steps: str) -> None:
    text = "Since6/03/04 (Dr.Roe,45-year-old) Ph:497-045-1949."
    tokens = cutter(CUTS[steps])(text, "en")
    assert tokens.texts(text) == tokenize_he2015(text, steps=steps).texts(text)


@given(
    st.text(st.sampled_from("Aa1 \n.,:'\"()-/%$é’"), max_size=60) | st.text(max_size=40), st.sampled_from(list(CUTS))
)
def test_every_solid_character_is_in_exactly_one_token(text: str, steps: str) -> None:
    tokens = tokenize_he2015(text, steps=steps)
    assert "".join(tokens.texts(text)) == "".join(text.split())
    assert all(tokens.ends > tokens.starts)
    assert all(tokens.ends[:-1] <= tokens.starts[1:])
