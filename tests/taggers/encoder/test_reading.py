"""What an encoder reads: words as pieces, pieces in windows, weights in few bits."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from math import erf
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.languages.base import COMMON, ENCODER, folder
from elision.taggers.batch import gather
from elision.taggers.encoder import layers
from elision.taggers.encoder.layers import FEWER, ROWS, Layers, Numbers, gelu
from elision.taggers.encoder.packing import BLOCK, Floats, Packed, checked, packed
from elision.taggers.encoder.pieces import BLANK, END, FIRST, STRETCH, UNKNOWN, Pieces
from elision.taggers.encoder.tagger import EncoderTagger, load
from elision.taggers.encoder.weights import MATRICES
from elision.taggers.encoder.windows import (
    AROUND,
    EDGE,
    Line,
    Windows,
    gathered,
    line_of,
    tokens_of,
    windows_around,
    windows_drawn,
    windows_over,
)
from tests.taggers.encoder.made_bases import made_pieces

KNOWN = ("▁the", "▁", "t", "h", "e", "re", "there", "▁there", "fore")


def pieces_of(*known: str) -> Pieces:
    return Pieces(known, np.array([-float(1 + at % 3) for at in range(len(known))], np.float32))


@pytest.mark.parametrize(
    ("word", "blank", "cut"),
    [
        ("there", True, ["▁there"]),
        ("there", False, ["there"]),
        ("therefore", False, ["there", "fore"]),
        ("he", False, ["h", "e"]),
        ("he", True, ["▁", "h", "e"]),
        ("t\u200be", False, ["t", "?", "e"]),
        ("病", True, ["▁", "?"]),
        ("病院", False, ["?"]),
        ("ﬀ", False, ["?"]),
        ("", False, ["?"]),
    ],
)
def test_a_word_is_the_likeliest_pieces(word: str, blank: bool, cut: list[str]) -> None:
    pieces = pieces_of(*KNOWN)
    for _ in range(2):  # worked out, and kept
        (found,) = pieces.cut([(word, blank)])
        assert ["?" if each == UNKNOWN else KNOWN[each - FIRST] for each in found] == cut


@given(st.text(st.sampled_from("abc日½"), min_size=1, max_size=3 * STRETCH), st.booleans())
def test_pieces_put_together_are_the_word(word: str, blank: bool) -> None:
    known = sorted({*unicodedata.normalize("NFKC", "abc日½"), BLANK, "ab", "bca", "▁a"})
    (found,) = pieces_of(*known).cut([(word, blank)])
    assert "".join(known[each - FIRST] for each in found) == BLANK * blank + unicodedata.normalize("NFKC", word)


def test_a_word_without_end_is_cut_in_time() -> None:
    (found,) = pieces_of(*KNOWN).cut([("the" * 100_000, False)])
    assert len(found) > 100_000


def test_lines_of_notes_are_pieces_with_an_end_between() -> None:
    pieces = made_pieces()
    batch = gather(["dr. Roe\n\nHart", "", "病", "Roe"], "en")
    line = line_of(batch, pieces)
    shown = ["|" if each == END else "?" if each == UNKNOWN else pieces.pieces[each - FIRST] for each in line.pieces]
    assert shown == ["▁", "d", "r", ".", "▁Roe", "|", "▁Hart", "▁", "?", "▁Roe"]
    assert line.notes.tolist() == [0, 7, 7, 9, 10]
    assert line.first.tolist() == [0, 3, 4, 6, 7, 9]


@st.composite
def lines(draw: st.DrawFn) -> Line:
    sizes = draw(st.lists(st.integers(0, 400), min_size=1, max_size=5))
    total = sum(sizes)
    first = np.flatnonzero(np.array([draw(st.booleans()) for _ in range(min(total, 60))] + [True] * max(0, total - 60)))
    return Line(np.arange(total, dtype=np.int32), first.astype(np.int64), np.cumsum([0, *sizes]).astype(np.int64))


@given(lines(), st.integers(16, 254))
def test_every_piece_is_read_once_and_not_at_an_edge(line: Line, size: int) -> None:
    windows = windows_over(line.notes, size)
    owned = [at for begin, end in zip(windows.own, windows.own_end, strict=True) for at in range(begin, end)]
    assert owned == list(range(len(line.pieces)))
    _check_inside(line, windows, size, min(EDGE, size // 4))
    first, after = tokens_of(line, windows)
    assert [at for one, end in zip(first, after, strict=True) for at in range(one, end)] == list(range(len(line.first)))


@given(lines(), st.data(), st.integers(64, 254))
def test_what_is_asked_for_is_read_with_what_stands_around(line: Line, data: st.DataObject, size: int) -> None:
    total = len(line.pieces)
    asked = np.array(
        sorted(data.draw(st.sets(st.integers(0, max(0, total - 1)), max_size=8 if total else 0))), np.int64
    )
    windows = windows_around(line, asked, size)
    _check_inside(line, windows, size, 0)
    owned = [at for begin, end in zip(windows.own, windows.own_end, strict=True) for at in range(begin, end)]
    assert sorted(set(owned)) == owned
    assert {*asked.tolist()} <= {*owned}
    for at in asked.tolist():
        (window,) = [w for w in range(len(windows)) if windows.own[w] <= at < windows.own_end[w]]
        note = int(np.searchsorted(line.notes, at, side="right")) - 1
        least = min(AROUND, size // 4 - 1, EDGE)
        assert at - windows.begin[window] >= min(least, at - line.notes[note])
        assert windows.end[window] - 1 - at >= min(least, line.notes[note + 1] - 1 - at)


def _check_inside(line: Line, windows: Windows, size: int, edge: int) -> None:
    for begin, end, own, own_end in zip(windows.begin, windows.end, windows.own, windows.own_end, strict=True):
        assert 0 < end - begin <= size
        note = int(np.searchsorted(line.notes, begin, side="right")) - 1
        assert line.notes[note] <= begin <= own <= own_end <= end <= line.notes[note + 1]
        if edge:
            assert own - begin >= edge or begin == line.notes[note]
            assert end - own_end >= edge or end == line.notes[note + 1]


@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), st.integers(0, 1 << 16))
def test_windows_to_learn_from_hold_every_piece_once(lengths: list[int], seed: int) -> None:
    notes = np.append(0, np.cumsum(lengths))
    windows = windows_drawn(notes, np.array([3, 7, 16]), np.random.default_rng(seed))
    held = [at for begin, end in zip(windows.begin, windows.end, strict=True) for at in range(begin, end)]
    assert held == list(range(notes[-1]))
    sizes = windows.end - windows.begin
    assert ((sizes > 0) & (sizes <= 16)).all()
    for begin, end in zip(windows.begin, windows.end, strict=True):
        assert not ((begin < notes) & (notes < end)).any()


def test_notes_are_cut_elsewhere_each_time() -> None:
    rng = np.random.default_rng(0)
    begins = [set(windows_drawn(np.array([0, 200]), np.array([16, 32]), rng).begin.tolist()) for _ in range(3)]
    assert len(begins[0] & begins[1] & begins[2]) < 4


def test_windows_have_their_edges_and_their_padding() -> None:
    line = Line(np.arange(10, 20, dtype=np.int32), np.arange(10), np.array([0, 3, 10]))
    found, lengths = gathered(line, windows_over(line.notes, 16), [0, 1], 10)
    assert found.tolist() == [[0, 10, 11, 12, *[END] * 6], [0, 13, 14, 15, 16, 17, 18, 19, END, END]]
    assert lengths.tolist() == [5, 9]


@given(st.integers(1, 3), st.integers(1, 3), st.integers(0, 1 << 16))
def test_eight_bits_are_near_what_was_packed(rows: int, blocks: int, seed: int) -> None:
    matrix = np.random.default_rng(seed).normal(0, 1, (rows, blocks * BLOCK)).astype(np.float32)
    found = packed(matrix)
    most = np.abs(matrix.reshape(rows, blocks, BLOCK)).max(axis=2).repeat(BLOCK, axis=1)
    assert found.shape == matrix.shape
    assert (np.abs(found.unpacked() - matrix) <= most / 127 * 0.51 + 1e-3 * most).all()
    again = packed(found.unpacked()).unpacked()
    assert np.abs(again - found.unpacked()).max() <= most.max() / 100


def test_four_bits_are_read_as_they_were_written() -> None:
    codes = np.arange(16, dtype=np.uint8).reshape(1, 1, 16) * 16 + 3  # low half 3, high half 0 to 15
    found = Packed(codes, np.array([[0.5]], np.float16)).unpacked()
    assert found.tolist() == [[*[(3 - 8) * 0.5] * 16, *[(each - 8) * 0.5 for each in range(16)]]]


@pytest.mark.parametrize(
    ("codes", "scales"),
    [
        (np.zeros((2, 1, 32), np.float32), np.ones((2, 1), np.float16)),
        (np.zeros((2, 1, 31), np.int8), np.ones((2, 1), np.float16)),
        (np.zeros((2, 1, 32), np.int8), np.ones((2, 1), np.float32)),
        (np.zeros((2, 1, 32), np.int8), np.ones((1, 1), np.float16)),
        (np.zeros((2, 1, 32), np.int8), np.full((2, 1), np.nan, np.float16)),
        (np.zeros((2, 1, 32), np.uint8), np.ones((2, 1), np.float16)),
    ],
)
def test_what_is_no_packed_matrix_is_told(codes: npt.NDArray[np.generic], scales: npt.NDArray[np.generic]) -> None:
    assert checked(codes, scales, (2, 32)) is None
    assert checked(np.zeros((2, 1, 32), np.int8), np.ones((2, 1), np.float16), (2, 32)) is not None


def test_the_share_of_a_normal_distribution_is_about_right() -> None:
    values = np.linspace(-9, 9, 2001).astype(np.float32)
    wanted = [x * 0.5 * (1 + erf(x / 2**0.5)) for x in values.tolist()]
    assert np.abs(gelu(values.copy()) - wanted).max() < 5e-4


@pytest.fixture(scope="module")
def shipped() -> EncoderTagger:
    return load(folder(COMMON, ENCODER))


@pytest.mark.parametrize("count", [1, 5, 9])
def test_what_is_read_in_fewer_rows_is_the_same_to_the_bit(count: int, shipped: EncoderTagger) -> None:
    batch = shipped.batch([f"Seen by Dr. Quillfeather in bed {at}." for at in range(count)])
    whole = replace(shipped)
    whole._layers.__dict__["sizes"] = (ROWS,)
    assert np.array_equal(shipped.scores(batch), whole.scores(batch))


def test_a_short_note_is_read_in_few_rows(shipped: EncoderTagger, monkeypatch: pytest.MonkeyPatch) -> None:
    layers = shipped._layers
    assert layers.sizes[-1] == ROWS
    read: list[int] = []
    monkeypatch.setitem(layers.__dict__, "sizes", (*FEWER, ROWS))

    def counted(_: Layers, pieces: Numbers, __: Numbers) -> Floats:
        read.append(pieces.size)
        return np.zeros((*pieces.shape, 384), np.float32)

    monkeypatch.setattr(Layers, "read", counted)
    for texts in (["Seen by Dr. Roe."], ["Seen by Dr. Roe."] * 3, ["Dr. Roe " * 12], ["Dr. Roe."] * 9):
        shipped.scores(shipped.batch(texts))
    assert read == [32, 96, 64, ROWS, 32]


class Uneven(np.ndarray):
    """A matrix that gives other numbers if fewer than so many rows are multiplied."""

    least = 128

    def __rmatmul__(self, rows: Any) -> Any:
        product = rows @ np.asarray(self)
        return product if len(rows) >= self.least else np.nextafter(product, np.float32(np.inf))


def test_fewer_rows_are_read_only_where_products_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "alike", lambda: True)
    even = {f"0.{name}": np.zeros((16, 16), np.float32) for name in MATRICES}
    assert Layers(None, even).sizes == (*FEWER, ROWS)  # type: ignore[arg-type]
    for name in MATRICES:
        uneven = even | {f"0.{name}": even[f"0.{name}"].view(Uneven)}
        assert Layers(None, uneven).sizes == (128, 192, ROWS)  # type: ignore[arg-type]


def test_where_places_differ_each_window_is_multiplied_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "alike", lambda: False)
    assert Layers(None, {}).sizes == (32, 64, 96, 128, 160, 192, 224, 256)  # type: ignore[arg-type]
