"""The loops over characters and tokens: compiled and plain give the same columns, and refuse what does not fit."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elision.detect.words import CAPITAL, GLUED, NUMBER, SIGN, SMALL, _Keys
from elision.text import native, native_plain
from elision.text.classes import OTHER, TABLE, UNKNOWN, classes, codes_of
from tests.strategies import texts

compiled = pytest.mark.skipif(not native.COMPILED, reason="the compiled loops are not built")
Ints = npt.NDArray[np.int32]
LINES = st.text(alphabet="aB:4. -\r\n\u0301：李Ⅷ", max_size=60)
NOTES = st.lists(LINES | texts, max_size=5)


def implementations() -> list[ModuleType]:
    if not native.COMPILED:
        return [native_plain]
    from elision.text import _native

    return [native_plain, _native]


def columns(by: ModuleType, notes: list[str]) -> dict[str, npt.NDArray[np.int32]]:
    """All that the loops say of some notes side by side."""
    codes = codes_of("\n".join(notes))
    kinds = classes(codes)
    starts, ends = np.empty(len(codes), np.int32), np.empty(len(codes), np.int32)
    size = by.cut(codes, TABLE, starts, ends)
    starts, ends = starts[:size].copy(), ends[:size].copy()
    edges = np.cumsum([0, *(len(note) + 1 for note in notes)])
    firsts_of_notes = np.searchsorted(starts, edges).astype(np.int32)
    names = ("note_of", "newlines", "line_of", "chunk_of", "gaps", "firsts", "at", "afters", "codes", "distances",
             "elsewhere", "first_core", "last_core", "core_of", "chunk_places")  # fmt: skip
    out = {name: np.zeros(size, np.int32) for name in names}
    line_starts = np.zeros(size + 1, np.int32)
    lines = by.lay(
        codes, starts, ends, firsts_of_notes, out["note_of"], out["newlines"], out["line_of"], line_starts,
        out["chunk_of"], out["gaps"],
    )  # fmt: skip
    keys = by.colons(
        codes, starts, ends, kinds, out["newlines"], out["line_of"], line_starts[: lines + 1], out["chunk_of"], 3,
        out["firsts"], out["at"], out["afters"],
    )  # fmt: skip
    values = np.arange(keys, dtype=np.int32) % 3
    stretches = (out["firsts"][:keys], out["at"][:keys], out["afters"][:keys])
    by.keyed(*stretches, values, values % 2 + 3, 4, out["codes"], out["distances"])
    forms = kinds[starts].astype(np.int32)
    telling = np.array([0, 1, 2, 0, 4], np.int32)
    by.elsewhere(forms, firsts_of_notes, np.arange(OTHER + 1) % 3 > 0, out["codes"], telling, out["elsewhere"])
    wordy = kinds[starts] != OTHER
    cores = by.cores(out["chunk_of"], wordy, out["first_core"], out["last_core"], out["core_of"])
    by.chunk_places(out["chunk_of"], 4, out["chunk_places"])
    counts = np.array([size, lines, keys, cores], np.int32)
    return {"starts": starts, "ends": ends, "line_starts": line_starts, "counts": counts, **out}


@compiled
@given(notes=NOTES)
@example(notes=["47798497-045-1949.123.45678", "1234-567-89012-345-67890"])
@example(notes=["", "Name: Roe, Jane: 12:30\n: a\n\r\r\nSeen: b Ward: c", ""])
@example(notes=["Roe\u0301e: Roe", "ALMa\u200brital"])
def test_compiled_and_plain_say_the_same(notes: list[str]) -> None:
    plain, compiled_ = (columns(by, notes) for by in implementations())
    for name, column in plain.items():
        np.testing.assert_array_equal(compiled_[name], column, name)


@pytest.mark.parametrize("by", implementations(), ids=lambda module: module.__name__.rpartition(".")[2])
def test_what_they_say(by: ModuleType) -> None:
    found = columns(by, ["Name: Roe\r\n\r\nTel: 12:30", "Roe x-y"])
    assert found["newlines"].tolist() == [9, 0, 0, 2, 0, 0, 0, 0, 9, 0, 0, 0]
    assert found["gaps"].tolist() == [5, 0, 1, 4, 0, 1, 0, 0, 5, 1, 0, 0]
    assert found["at"][: found["counts"][2]].tolist() == [1, 4]  # 12:30 is a time of day
    assert found["distances"].tolist() == [0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0]
    assert found["chunk_of"].tolist() == [0, 0, 1, 2, 2, 3, 3, 3, 4, 5, 5, 5]


@pytest.mark.parametrize("by", implementations(), ids=lambda module: module.__name__.rpartition(".")[2])
def test_an_unknown_character_is_told(by: ModuleType) -> None:
    codes = codes_of("a\u2603")
    starts = ends = np.empty(2, np.int32)
    assert by.cut(codes, np.where(np.arange(len(TABLE)) == 0x2603, 255, TABLE).astype(np.uint8), starts, ends) == -1


@compiled
@pytest.mark.parametrize(
    ("starts", "ends", "notes"),
    [([0, 2], [1, 9], [0, 2]), ([2, 0], [3, 1], [0, 2]), ([0, 2], [1, 3], [0, 5]), ([0, 2], [1, 3], [1, 2])],
    ids=["beyond the text", "not one after another", "notes beyond the tokens", "notes that leave one out"],
)
def test_columns_that_do_not_fit_are_refused(starts: list[int], ends: list[int], notes: list[int]) -> None:
    from elision.text import _native

    out = [np.zeros(9, np.int32) for _ in range(6)]
    with pytest.raises(ValueError, match="tokens"):
        _native.lay(codes_of("a bc"), *(np.array(column, np.int32) for column in (starts, ends, notes)), *out)


@compiled
def test_numbers_out_of_range_are_refused() -> None:
    from elision.text import _native

    two, one = np.zeros(2, np.int32), np.ones(1, np.int32)
    with pytest.raises(ValueError, match="a form out of range"):
        _native.elsewhere(two + 7, np.array([0, 2], np.int32), np.ones(3, np.bool_), two, two, two.copy())
    with pytest.raises(ValueError, match="the end of a line out of range"):
        _native.keyed(one, one, one * 5, one, one, 9, two.copy(), two.copy())
    with pytest.raises(ValueError, match="beyond the table"):
        _native.cut(np.array([300], np.uint32), TABLE[:256], two, two)


UNITS = st.text(alphabet="aBijIJzR1٣ .-_éÉøªº\u0301ǅⅧ李々豈\U0002f800\u0660ßİ²", max_size=40)


@compiled
@given(text=UNITS | texts | st.text(max_size=40))
@example(text="RoeCol IJsbrand ijJ iJ J.R. JR abCd " + "a" * 61 + " " + "B" * 62 + "iJ")
def test_compiled_and_plain_cut_the_same_units(text: str) -> None:
    classes(codes_of(text))
    plain, compiled_ = (by.units(text, TABLE, _Keys()) for by in implementations())
    assert compiled_ == plain


@pytest.mark.parametrize("by", implementations(), ids=lambda module: module.__name__.rpartition(".")[2])
def test_units(by: ModuleType) -> None:
    assert by.units("Pt RoeCol, 58 李 ij", TABLE, _Keys()) == (
        [0, 3, 11, 14, 16],
        [2, 9, 13, 15, 18],
        ["Pt", "RoeCol", "58", "李", "ij"],
        ["pt", "roecol", "58", "李", "y"],
        bytes([CAPITAL, GLUED, NUMBER, SIGN, SMALL]),
    )
    table = np.where(np.arange(len(TABLE)) == 0x2603, UNKNOWN, TABLE).astype(np.uint8)
    assert by.units("a \u2603", table, _Keys()) is None
    with pytest.raises(KeyError):
        by.units("é", TABLE, {})


@compiled
def test_words_of_which_nothing_is_said_are_refused() -> None:
    from elision.text import _native

    for words in ({"é": ()}, {"é": 3}, {"é": ("e", "s")}):
        with pytest.raises((IndexError, SystemError, TypeError)):
            _native.units("é", TABLE, words)  # type: ignore[arg-type]


LIKE = st.text(alphabet="abR", min_size=1, max_size=9) | st.sampled_from(["a" * 61, "a" * 60, "b" * 62, "abRé李" * 5])


@compiled
@given(words=st.lists(LIKE, max_size=5), known=st.lists(LIKE, max_size=9), data=st.data())
@example(words=["Dowel", "oDwel", "Bwoel", "Dwel"], known=["Bowel", "Dowel"], data=None)
def test_compiled_and_plain_find_the_same_words_nearest(
    words: list[str], known: list[str], data: st.DataObject | None
) -> None:
    limits = bytes(data.draw(st.sampled_from([0, 1, 2])) for _ in known) if data else b"\2" * len(known)
    plain, compiled_ = (by.nearest(words, known, limits) for by in implementations())
    assert compiled_ == plain


@compiled
def test_what_are_no_words_are_refused() -> None:
    from elision.text import _native

    with pytest.raises(TypeError, match="words are strings"):
        _native.nearest(["Roe", 3], [], b"")  # type: ignore[list-item]
    with pytest.raises(ValueError, match="buffer 1"):
        _native.nearest(["Roe"], ["Roe", "Coe"], b"\1")
