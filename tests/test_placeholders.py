"""Placeholders in what a model writes: opened however they were altered, told if they are none of ours, never wrong."""

from __future__ import annotations

import copy
import pickle
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import SealError
from elision.keys import Key
from elision.placeholders import LETTERS, MARK, Reopen, mark_of

SECRET = Key(bytes(range(32))).secret("placeholders")
MAPPING = {
    "[NAME_1-7KQ4M]": "Jane Quirke",
    "[NAME_1b-2BCDF]": "Quirke",
    "[NAME_12-33333]": "Mei Ng",
    "[MEDICAL_RECORD_1-X2X2X]": "4711-0815",
    "[DATE_2-9VG87]": "3 May 2001",
}


def opened(answer: str) -> str:
    return Reopen(MAPPING)(answer)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("Dear [NAME_1-7KQ4M],", "Dear Jane Quirke,"),
        ("Dear [Name_1-7kq4m],", "Dear Jane Quirke,"),
        ("Dear [ NAME 1 - 7KQ4M ],", "Dear Jane Quirke,"),
        ("NAME_1-7KQ4M's letter", "Jane Quirke's letter"),
        ("Dear [NAME_1-7KQ4M, how", "Dear Jane Quirke, how"),
        ("Dear NAME_1-7KQ4M], how", "Dear Jane Quirke], how"),
        ("**[NAME_1-7KQ4M]**", "**Jane Quirke**"),
        (r"Dear \[NAME\_1-7KQ4M\],", "Dear Jane Quirke,"),
        ("Dear [NAME_1\u20117KQ4M],", "Dear Jane Quirke,"),
        ("Dear [NAME_1-\n7KQ4M],", "Dear Jane Quirke,"),
        ("敬爱的【NAME_1-7KQ4M】先生", "敬爱的Jane Quirke先生"),
        ("［ＮＡＭＥ＿１－７ＫＱ４Ｍ］", "Jane Quirke"),
        ("`[NAME_1b-2BCDF]` and [NAME_12-33333]", "`Quirke` and Mei Ng"),
        ("[Medical Record 1 x2x2x] of [medical-record_1:X2X2X]", "4711-0815 of 4711-0815"),
        ("[NAME_1-7KQ4M][NAME_1b-2BCDF]", "Jane QuirkeQuirke"),
        ("[[NAME_1-7KQ4M]]", "[Jane Quirke]"),
        ("age 3 NAME_1-7KQ4M", "age 3 Jane Quirke"),
    ],
)
def test_what_models_do_to_placeholders_is_seen_through(answer: str, wanted: str) -> None:
    reopen = Reopen(MAPPING)
    assert (reopen(answer), reopen.closed) == (wanted, ())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Dear [NAME_2-7KQ4M]", ("NAME_2",)),  # a number changed
        ("Dear [DATE_1-7KQ4M]", ("DATE_1",)),  # a kind
        ("Dear [NAME_1-7KQ4N]", ("NAME_1",)),  # a mark
        ("Dear [NAME_1]", ("NAME_1",)),  # a mark lost
        ("Dear [NAME_1-7KQ4]", ("NAME_1",)),  # cut off
        ("Dear [NAME_1-7KQ4MM]", ("NAME_1",)),
        ("Dear NAME_1 and NAME_1, [Date 7]", ("NAME_1", "DATE_7")),
        ("Dear SURNAME_1-7KQ4M", ()),
        ("[NAME_1b-7KQ4M] [NAME_1-2BCDF]", ("NAME_1",)),  # of another spelling
        ("[NAME_1-233333]", ("NAME_1",)),
    ],
)
def test_what_is_none_of_ours_stays_closed_and_is_told(answer: str, told: tuple[str, ...]) -> None:
    reopen = Reopen(MAPPING)
    assert (reopen(answer), reopen.closed) == (answer, told)


@pytest.mark.parametrize("text", ["The date 3 of May; age 30 years.", "[see page 3]", "name 1: he came", "[1] [a]", ""])
def test_usual_text_is_left_and_not_told(text: str) -> None:
    reopen = Reopen(MAPPING)
    assert (reopen(text), reopen.closed) == (text, ())


PIECES = st.sampled_from([
    *MAPPING, *(one[1:-1] for one in MAPPING), "[NAME_1-7KQ4N]", "[NAME_1]", "NAME_", "[", "]", "[NAM", "E_1-",
    "7KQ4M", "name 1 7kq4m", "-", "_", " ", "\n", "\\", "X", "1", "2BCDF", "【", "】", "Medical ", "Record 1",
    "敬爱的", "*", "DATE",
])  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join), st.lists(st.integers(0, 200), max_size=12))
def test_any_cutting_of_any_answer_opens_the_same(answer: str, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(answer)) for cut in cuts), len(answer)]
    pieces = [answer[start:end] for start, end in pairwise(edges)]
    whole, streamed = Reopen(MAPPING), Reopen(MAPPING)
    assert "".join(streamed.stream(pieces)) == whole(answer)
    assert "".join(streamed.stream(answer)) == whole(answer)  # letter by letter
    assert streamed.closed == whole.closed


@given(st.text(max_size=60), st.integers(1, 5))
def test_texts_without_placeholders_pass_through(text: str, size: int) -> None:
    reopen = Reopen({})
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert "".join(reopen.stream(pieces)) == text == reopen(text)


@given(st.text(max_size=200), st.sampled_from(sorted(MAPPING)))
def test_nothing_is_opened_but_for_its_mark(text: str, placeholder: str) -> None:
    """An original comes only where the letters and digits of its placeholder stood."""
    answer = opened(text + placeholder)
    plain = re.sub(r"[\W_]", "", text.upper())
    for one, original in MAPPING.items():
        if original in answer and one != placeholder and original not in (text, MAPPING[placeholder]):
            assert re.sub(r"[\W_]", "", one) in plain or original in text or original in MAPPING[placeholder]


def test_a_stream_holds_back_no_more_than_it_must() -> None:
    opening = Reopen(MAPPING).opening()
    assert opening.feed("Dear [NAME_1-7KQ") == "Dear "
    assert opening.feed("4M] and so") == "Jane Quirke and so"
    assert opening.feed(" all is well.") == " all is well."
    assert opening.end() == ""


def test_pieces_may_be_none_as_clients_give_them() -> None:
    assert "".join(Reopen(MAPPING).stream(["Hi ", None, "[NAME_1-", "", "7KQ4M", None])) == "Hi Jane Quirke"
    with pytest.raises(TypeError, match="a piece of an answer is a str, not int"):
        Reopen(MAPPING).opening().feed(3)  # type: ignore[arg-type]


def test_a_mark_is_made_with_the_key() -> None:
    marks = {mark_of(SECRET, "a", core) for core in ("NAME_1", "NAME_1b", "NAME_11", "DATE_1")}
    assert len(marks) == 4
    assert all(len(mark) == MARK and set(mark) <= set(LETTERS) for mark in marks)
    assert mark_of(SECRET, "a", "NAME_1") == mark_of(SECRET, "a", "NAME_1")
    assert mark_of(SECRET, "b", "NAME_1") not in marks
    assert mark_of(Key.new().secret("placeholders"), "a", "NAME_1") not in marks


def test_originals_are_shown_nowhere_and_go_nowhere() -> None:
    reopen = Reopen(MAPPING)
    reopen("[NAME_3]")
    assert repr(reopen) == "<Reopen: 5 placeholders, 1 left closed>"
    for away in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="is not to be written to a file"):
            away(reopen)
    reopen.close()
    assert repr(reopen) == "<Reopen: over>"
    with pytest.raises(SealError, match="open answers inside the `with` block"):
        reopen("[NAME_1-7KQ4M]")
    assert reopen("No placeholder.") == "No placeholder."
