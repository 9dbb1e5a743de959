"""Offset units: code points, UTF-16 units, bytes, each way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import FormatError
from elision.formats.offsets import Offsets, fits
from tests.strategies import texts

CODECS = {"utf-16": ("utf-16-le", 2), "utf-8": ("utf-8", 1), "code-points": ("utf-32-le", 4)}
encodable = st.one_of(texts, st.text(st.characters(exclude_categories=["Cs"]), max_size=40))


@pytest.mark.parametrize("unit", CODECS)
@given(data=st.data())
def test_offsets_are_those_of_the_encoded_text_each_way(unit: str, data: st.DataObject) -> None:
    text = data.draw(encodable)
    codec, width = CODECS[unit]
    offsets = Offsets(text, unit)
    at = data.draw(st.integers(0, len(text)))
    assert offsets.to(at) == len(text[:at].encode(codec)) // width
    assert offsets.back(offsets.to(at)) == at


@given(encodable, st.integers(0, 60))
def test_offsets_within_a_character_are_refused(text: str, foreign: int) -> None:
    encoded = text.encode("utf-16-le")
    if foreign * 2 > len(encoded):
        return
    offsets = Offsets(text, "utf-16")
    try:
        at = len(encoded[: foreign * 2].decode("utf-16-le"))
    except UnicodeDecodeError:
        with pytest.raises(FormatError, match=f"offset {foreign} .utf-16. lies inside a character"):
            offsets.back(foreign)
    else:
        assert offsets.back(foreign) == at


def test_no_such_unit() -> None:
    with pytest.raises(ValueError, match="no such offset unit: words"):
        Offsets("abc", "words")


@pytest.mark.parametrize(
    ("surface", "ok"),
    [("San\nJuan", True), ("San Juan", True), ("San  Juan ", True), ("Juan", False), ("san juan", False)],
)
def test_a_surface_text_fits_white_space_aside(surface: str, ok: bool) -> None:
    assert fits("in San\nJuan.", 3, 11, surface) is ok
