from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from elision.document import Document, Span
from elision.errors import FormatError, HeldError, RunError
from elision.integrations.frames import deidentify_frame
from elision.keys import Key
from elision.pipeline import Deidentifier

CELLS: dict[str, list[Any]] = {
    "id": [1, 2, 3],
    "note": ["Seen: Roe", None, "Bad or Roe"],
    "plan": ["Call Roe", "Rest", ""],
    "who": ["p1", "p1", None],
    "ward": ["A", "B", "C"],
}


def roes(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
    if any(document.text.startswith("Bad") for document in documents):
        raise RuntimeError(documents[0].text)
    return [
        tuple(Span(*match.span(), "NAME_PATIENT") for match in re.finditer("Roe", document.text))
        for document in documents
    ]


DEIDENTIFIER = Deidentifier([roes])
GOOD = {
    name: [cell for cell in cells if cell != "Bad or Roe"] + ["Roe"] * ("Bad or Roe" in cells)
    for name, cells in CELLS.items()
}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_comes_back_as_what_it_was(kind: Any) -> None:
    frame = kind(GOOD)
    out = deidentify_frame(
        frame, DEIDENTIFIER, text=["note", "plan"], id="id", patient="who", language="en", keep=["ward"]
    )
    assert type(out) is type(frame)
    rows = pl.DataFrame({name: list(cells) for name, cells in _columns(out).items()})
    assert rows.columns == ["id", "note", "plan", "ward"]
    assert rows["id"].to_list() == [1, 2, 3]
    assert rows["ward"].to_list() == ["A", "B", "C"]
    assert rows["note"].to_list() == ["Seen: [NAME]", None, "[NAME]"]
    assert rows["plan"].to_list()[1:] == ["Rest", ""]


def _columns(frame: Any) -> dict[str, list[Any]]:
    if isinstance(frame, pd.DataFrame):
        return {str(name): [None if pd.isna(cell) else cell for cell in frame[name]] for name in frame.columns}
    if isinstance(frame, pl.DataFrame):
        return frame.to_dict(as_series=False)
    return {name: frame.column(name).to_pylist() for name in frame.column_names}


def test_labels_of_rows_stay() -> None:
    frame = pd.DataFrame(GOOD, index=[7, 5, 3])
    out = deidentify_frame(frame, DEIDENTIFIER, text="note", language="en")
    assert list(out.index) == [7, 5, 3]
    assert out["note"][3] == "[NAME]"
    assert frame["note"][3] == "Roe"


def test_held_notes_are_an_error_or_null() -> None:
    frame = pl.DataFrame(CELLS)
    with pytest.raises(HeldError, match=r"1 of 2 notes are held, the first is note 3: roes: RuntimeError") as error:
        deidentify_frame(frame, DEIDENTIFIER, text="note", id="id", language="en")
    assert "Bad" not in str(error.value)
    out = deidentify_frame(frame, DEIDENTIFIER, text="note", id="id", language="en", held="null")
    assert out["note"].to_list() == ["Seen: [NAME]", None, None]


def test_known_values_come_from_columns() -> None:
    frame = pl.DataFrame({"note": ["Jane Poe came."], "name": ["Jane Poe"], "lang": ["English"]})
    out = deidentify_frame(frame, DEIDENTIFIER, text="note", known={"name": "name"}, language="lang")
    assert out.columns == ["note"]
    assert "Poe" not in out["note"][0]


def test_what_cannot_be_is_told() -> None:
    frame = pl.DataFrame(CELLS)
    with pytest.raises(FormatError, match="no column 'notes'; did you mean note"):
        deidentify_frame(frame, DEIDENTIFIER, text="notes")
    with pytest.raises(FormatError, match="column id, row 0: int is not a text"):
        deidentify_frame(frame, DEIDENTIFIER, text="id")
    with pytest.raises(FormatError, match="'error' or 'null'"):
        deidentify_frame(frame, DEIDENTIFIER, text="note", held="drop")


def test_an_empty_frame_stays_one() -> None:
    out = deidentify_frame(pl.DataFrame({"note": pl.Series([], dtype=pl.String)}), DEIDENTIFIER, text="note")
    assert out.columns == ["note"]
    assert out.is_empty()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_true_dates_are_refused_beside_dates_that_moved(kind: Any) -> None:
    frame = kind({"note": ["Seen by Roe."], "seen": ["2020-05-03"], "ward": [3]})
    moving = Deidentifier([roes], policy="surrogate", key=Key(bytes(range(32))))
    with pytest.raises(RunError, match="column 2 named there holds true dates"):
        deidentify_frame(frame, moving, text="note", keep=("ward", "seen"), language="en")
    out = deidentify_frame(frame, moving, text="note", keep=("ward",), language="en")
    assert _columns(out)["ward"] == [3]


def test_a_column_of_several_kinds_is_looked_at_for_dates_as_well() -> None:
    frame = pd.DataFrame({"note": ["Seen by Roe."] * 2, "seen": [3, pd.Timestamp("2020-05-03")]})
    moving = Deidentifier([roes], policy="surrogate", key=Key(bytes(range(32))))
    with pytest.raises(RunError, match="holds true dates"):
        deidentify_frame(frame, moving, text="note", keep=("seen",), language="en")
