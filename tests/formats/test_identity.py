"""Writing and reading again is the identity, for every format that elision has."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import CannotHoldError
from elision.formats import FORMATS, Reading, Remarks, read, write
from elision.formats.format import fit
from tests.strategies import documents


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
def test_write_then_read_is_the_identity(name: str, data: st.DataObject) -> None:
    format = FORMATS[name]
    document = data.draw(documents(format, "note-1"))
    try:
        fitted = fit(document, format, Remarks())
        with tempfile.TemporaryDirectory(dir=_memory()) as folder:
            target = Path(folder) / ("out" if format.folder else "out" + format.suffix)
            write([fitted], target, format)
            texts = {document.id: document.text}
            (again,) = read(target, format, Reading(texts=texts))
    except CannotHoldError:
        return  # refused aloud, which is the other way to lose nothing
    assert again == fitted


def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
