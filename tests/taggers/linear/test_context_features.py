"""Attributes of the place, told token by token; no note's depend on the notes beside it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.taggers.batch import Batch, gather
from elision.taggers.cutters import cutter
from elision.taggers.linear.context_features import PLACES
from tests.strategies import fewer, texts


def told(name: str, *notes: str) -> list[str]:
    return told_of(gather(notes), name)


def told_of(batch: Batch, name: str) -> list[str]:
    """For each note its tokens, those of which something is said as `token/value`, blanks of values as `_`."""
    codes, values = PLACES[name](batch)
    words = [
        f"{word}/{values[code].replace(' ', '_')}" if values[code] else word
        for word, code in zip(batch.tokens.texts(batch.text), codes.tolist(), strict=True)
    ]
    return [" ".join(words[batch.notes[at] : batch.notes[at + 1]]) for at in range(len(batch.notes) - 1)]


CASES = [
    ("gap", "Jane  Roe,\n ok\n\nx", "Jane/begin Roe/spaces ,/glued ok/newline x/blank"),
    ("gap", "\n\n a\tb\u00a0c \t d", "a/begin b/space c/space d/spaces"),
    ("gap", "a\rb\r\nc\r\rd\n \ne", "a/begin b/newline c/newline d/blank e/blank"),
    ("gap", "a\u2028b\x85c\vd", "a/begin b/space c/space d/space"),
    ("line-place", "a b c d e f g h\n\nx y", "a/0 b/1 c/2 d/3 e/4 f/5 g/6 h/6 x/0 y/1"),
    ("key", "Born on: 3 May", "Born/=born_on on/=born_on :/=born_on 3/born_on May/born_on"),
    ("key", "Name: Roe, Ward: Elm\nx", "Name/=name :/=name Roe/name ,/name Ward/=ward :/=ward Elm/ward x"),
    ("key", "* Teléfono: 5", "*/=telefono Teléfono/=telefono :/=telefono 5/telefono"),
    ("key", "Line 2: 5", "Line 2 : 5"),
    ("key", "姓名：李明", "姓/=姓名 名/=姓名 ：/=姓名 李/姓名 明/姓名"),
    ("key", "Seen at 10:30 today", "Seen at 10 : 30 today"),
    ("key", "Hour: 10:30", "Hour/=hour :/=hour 10/hour :/hour 30/hour"),
    ("key", "Name:\nRoe", "Name/=name :/=name Roe"),
    ("key", ": Roe", ": Roe"),
    ("key-distance", "Name: Jane Roe\nx", "Name : Jane/1 Roe/2 x"),
    ("key-distance", "To: a b c d e f g h i j At: k", "To : a/1 b/2 c/3 d/4 e/5 f/6 g/7 h/8 i/9 j/9 At : k/1"),
    ("key-before", "Name: Roe\nJane x\ny", "Name : Roe Jane/=name x/=name y"),
    ("key-before", "see Ward: Elm\n\nx", "see Ward : Elm x/=see_ward"),
    ("heading", "Exám.\nlungs\n2 Tests:\nok", "Exám/exam. ./exam. lungs/exam. 2/exam. Tests/exam. :/exam. ok/exam."),
    ("heading", "x\nPlan A:\ny\nTo do.", "x Plan/plan_a: A/plan_a: :/plan_a: y/plan_a: To/to_do. do/to_do. ./to_do."),
    ("heading", "Name: Roe.\n科：内科：\nx", "Name : Roe . 科 ： 内 科 ： x"),
    ("heading", "病史：\nx", "病/病史: 史/病史: ：/病史: x/病史:"),
    ("chunk-place", "jane.roe@x.org ok", "jane/0-4 ./1-4 roe/2-4 @/3-3 x/4-2 ./4-1 org/4-0 ok/0-0"),
    ("chunk-place", "a\u00a0b-\nc", "a/0-0 b/0-1 -/1-0 c/0-0"),
    ("chunk-shape", "(12/3/99), 12 x.", "( 12/00/0/00 //00/0/00 3/00/0/00 //00/0/00 99/00/0/00 ) , 12 x ."),
    ("chunk-shape", "\ufeffDatos \u200bRoe 7-\u200b", "\ufeff Datos \u200b Roe 7 - \u200b"),
    ("chunk-brief", "(12-Mar) O'Neil's", "( 12/0-Aa -/0-Aa Mar/0-Aa ) O/A'Aa'a '/A'Aa'a Neil/A'Aa'a '/A'Aa'a s/A'Aa'a"),
    ("chunk-plain", "Ávila-2.", "Ávila/avila-0 -/avila-0 2/avila-0 ."),
    ("chunk-plain", "😀-😀 a😀b", "😀 - 😀 a/a😀b 😀/a😀b b/a😀b"),
    ("elsewhere", "Name: Roe\nSeen by Roe", "Name : Roe/again Seen by Roe/name"),
    ("elsewhere", "Name: Roe\nDoctor: Roe\nby Roe", "Name : Roe/doctor Doctor : Roe/name by Roe/name"),
    ("elsewhere", "Name: 471\nName: 471", "Name/again : 471/again Name/again : 471/again"),
    ("elsewhere", "roe roe Dr Dr 12 12 李明 李明", "roe roe Dr Dr 12 12 李 明 李 明"),
    ("elsewhere", "Élan\nBy: Élan. Elan", "Élan/by By : Élan/again . Elan"),
    ("before-again", "Dr Roe said\nMr Roe\nto Roe", "Dr Roe/mr said Mr Roe/dr to Roe/dr"),
    ("before-again", "Roe, Roe", "Roe/, , Roe"),
    ("after-again", "Dr Roe SAID\nMr Roe went", "Dr Roe/went SAID Mr Roe/said went"),
    ("after-again", "Roe, Roe", "Roe , Roe/,"),
    ("email-like", "Jane Roe Janet jane\njane.roe@x.org", "Jane/like Roe Janet/like jane jane . roe @ x . org"),
    ("email-like", "Núñez Mayo, nunezma@mayo.org @Mayo", "Núñez/like Mayo , nunezma @ mayo . org @ Mayo"),
    ("email-like", "Jane Roe", "Jane Roe"),
    ("sentence-place", "No cough. Dr. Roe left\nok", "No/0 cough/1 ./2 Dr/0 ./1 Roe/2 left/3 ok/0"),
    ("sentence-place", "¡Sí! ¿Bien? no. así", "¡/0 Sí/1 !/2 ¿/0 Bien/1 ?/2 no/3 ./4 así/5"),
    ("sentence-length", "a\rb c\na b c d", "a/1 b/2 c/2 a/4 b/4 c/4 d/4"),
    ("sentence-end", "患好。\nNo", "患/1 好/1 。/1 No/0"),
    ("sentence-brackets", "(a\n（b）\n)c(", "(/1 a/1 （/0 b/0 ）/0 )/1 c/1 (/1"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "note", "expected"), CASES, ids=[f"{row[0]}-{row[1][:12]!a}" for row in CASES])
def test_what_is_said(name: str, note: str, expected: str) -> None:
    """In a note alone, and in one between two that hold the same, an empty one and one of blanks."""
    assert told(name, note) == [expected]
    assert told(name, note, "", note, " \n", note + "\r") == [expected, "", expected, "", expected]


def test_how_long_a_key_or_a_heading_may_be() -> None:
    words = "a b c d e f g h"
    assert told("key", f"{words}: x")[0].endswith(" h/=a_b_c_d_e_f_g_h :/=a_b_c_d_e_f_g_h x/a_b_c_d_e_f_g_h")
    assert told("key", f"{words} i: x") == ["a b c d e f g h i/=i :/=i x/i"]
    assert told("heading", "a b c d e f.\nx")[0].endswith(" ./a_b_c_d_e_f. x/a_b_c_d_e_f.")
    assert told("heading", "a b c d e f g.\nx") == ["a b c d e f g . x"]


def test_an_address_that_is_one_token_is_an_address() -> None:
    batch = gather(["Jane", "Jane jane.roe@x.org"], cut=cutter("he2015"))
    assert told_of(batch, "email-like") == ["Jane", "Jane/like jane.roe@x.org"]


def test_every_place_has_a_case() -> None:
    assert set(PLACES) == {name for name, _, _ in CASES}


@pytest.mark.parametrize("name", PLACES)
def test_nothing_is_said_of_nothing(name: str) -> None:
    assert told(name) == []
    assert told(name, "") == [""]
    assert told(name, "\r", " \n\t", "") == ["", "", ""]


PIECES = [
    "Roe", "Roe", "roe@x.nl", "Roel@", "Ward", "Ward:", "Dr", "of", "ALMarital", "é", "12", "12", "471/2", "10:30",
    "李", "姓名：", "。", ".", ":", "：", "?", "¿", "(", ")", "（", "😀", "\0", "\ufeff", "\u0301", "a\u0301",
    " ", " ", "  ", "\n", "\n", "\r\n", "\r", "\u2028", "\t",
]  # fmt: skip
notes = texts | st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(st.lists(notes, min_size=2, max_size=4), st.sampled_from(["fine", "fine", "he2015"]))
@fewer
def test_what_is_said_of_a_note_does_not_depend_on_the_others(found: list[str], cut: str) -> None:
    together, *apart = (gather(notes, cut=cutter(cut)) for notes in (found, *([note] for note in found)))
    for name in PLACES:
        assert told_of(together, name) == [told_of(batch, name)[0] for batch in apart]


@given(notes)
@fewer
def test_every_token_has_a_code_and_every_value_is_of_this_note(note: str) -> None:
    batch = gather([note, note])
    for name, place in PLACES.items():
        codes, values = place(batch)
        assert codes.dtype == np.int32, name
        assert len(codes) == len(batch)
        assert all(0 <= code < len(values) for code in codes.tolist())
        assert len(set(values) - {""}) == len([value for value in values if value]), name
