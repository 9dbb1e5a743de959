"""Frames of pandas and Polars know elision."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from elision import Deidentifier, Recogniser
from elision.errors import HeldError

pytest.importorskip("narwhals", reason="needs elision[frames]")

WARD = Recogniser(re.compile(r"\bW-\d{6}\b"), "MEDICAL_RECORD")
NOTES = ["Seen, W-123456.", "No fever."]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_cleans_its_notes(library: str) -> None:
    frames: Any = pytest.importorskip(library)
    import_module("elision.integrations.accessors")
    frame = frames.DataFrame({"id": ["n1", "n2"], "note": NOTES, "name": ["Roe", "Lund"]})
    clean = frame.elision.deidentify(Deidentifier([WARD]), text="note", id="id", language="en")
    assert type(clean) is type(frame)
    assert list(clean.columns) == ["id", "note"]
    assert list(clean["note"]) == ["Seen, [MEDICAL_RECORD].", "No fever."]


def test_a_held_note_is_an_error_here_too() -> None:
    frames: Any = pytest.importorskip("pandas")
    import_module("elision.integrations.accessors")
    frame = frames.DataFrame({"note": ["{\\rtf1 Seen, W-123456.}"]})
    with pytest.raises(HeldError):
        frame.elision.deidentify(Deidentifier([WARD]), text="note", language="en")
    assert frame.elision.deidentify(Deidentifier([WARD]), text="note", language="en", held="null")["note"].isna().all()
