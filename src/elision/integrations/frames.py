"""Data frames: pandas, Polars, or any other that narwhals knows, and the same kind back.

clean = deidentify_frame(frame, deidentifier, text="note", id="note_id", patient="patient_id")
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pyarrow as pa

from elision.document import Document
from elision.errors import FormatError, HeldError, MissingExtraError
from elision.formats.tables.columns import Columns
from elision.languages.base import served
from elision.languages.telling.deciding import decide, language_code
from elision.run.kept_dates import refuse_true_dates

if TYPE_CHECKING:
    from elision.pipeline import Cleaned, Deidentifier

Frame = TypeVar("Frame")


def deidentify_frame(
    frame: Frame,
    deidentifier: Deidentifier,
    *,
    text: str | Sequence[str],
    id: str = "",
    patient: str = "",
    language: str = "",
    known: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    held: str = "error",
) -> Frame:
    """A frame of the same kind: the id, the cleaned texts and the columns to keep; all others are dropped.

    `language` is a column, or a code for all rows; without it, each note is looked at. A note that is held is an error;
    with `held="null"` it is an empty cell. The notes of one call are remembered together, patient by patient.
    """
    try:
        import narwhals as nw
    except ImportError:
        raise MissingExtraError("data frames", "frames") from None
    if held not in ("error", "null"):
        raise FormatError("held says what becomes of held notes: 'error' or 'null'")
    table = nw.from_native(cast("Any", frame), eager_only=True)
    texts = (text,) if isinstance(text, str) else tuple(text)
    spoken = language if language in table.columns else ""
    columns = Columns(texts, id, patient, spoken, known=known or {}, keep=tuple(keep))
    columns.check_names(table.columns, "the frame")
    refuse_true_dates(_as_arrow(table, (columns.id, *columns.keep)), columns, deidentifier.policy)
    code = "" if spoken else language_code(language)
    if code and code not in served():
        raise FormatError(f"language: neither a column nor a language; there are {', '.join(served())}")
    notes, places, why = _notes(table, columns, code)
    cleaned = deidentifier(notes)
    cleaned = [
        deidentifier.held(note, reason) if reason else one
        for note, one, reason in zip(notes, cleaned, why, strict=True)
    ]
    if held == "error":
        _refuse_held(notes, cleaned)
    out = table.select([name for name in table.columns if name in {columns.id, *columns.texts, *columns.keep}])
    for name in texts:
        cells: list[str | None] = [None] * len(table)
        for (row, column), one in zip(places, cleaned, strict=True):
            if column == name and one.document is not None:
                cells[row] = one.document.text
        series = nw.new_series(name, cells, nw.String, backend=table.implementation)
        out = out.with_columns(_along(series, table[name]))
    return cast("Frame", out.to_native())


def _as_arrow(table: Any, names: Sequence[str]) -> pa.RecordBatch:
    """Columns of a frame; what pandas keeps as objects of several kinds, as texts."""
    columns: dict[str, pa.Array] = {}
    for name in filter(None, names):
        try:
            columns[name] = pa.chunked_array([table[name].to_arrow()]).combine_chunks()
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            columns[name] = pa.array(
                [None if _empty(cell) else str(cell) for cell in table[name].to_list()], pa.string()
            )
    return pa.RecordBatch.from_pydict(columns)


def _along(series: Any, like: Any) -> Any:
    """Cells with the row labels that pandas gives to rows; others have none."""
    native = like.to_native()
    if hasattr(native, "index") and hasattr(series.to_native(), "set_axis"):
        import narwhals as nw

        return nw.from_native(series.to_native().set_axis(native.index), series_only=True)
    return series


def _notes(table: Any, columns: Columns, language: str) -> tuple[list[Document], list[tuple[int, str]], list[str]]:
    """The notes of a frame, the row and column of each, and why it is held for its language; NULLs are none."""
    cells = {name: table[name].to_list() for name in columns.read}
    notes, places, why = [], [], []
    for row in range(len(table)):
        known = {kind: (str(cells[name][row]),) for kind, name in columns.known.items() if not _empty(cells[name][row])}
        for name in columns.texts:
            text = cells[name][row]
            if _empty(text):
                continue
            if not isinstance(text, str):
                raise FormatError(f"the frame: column {name}, row {row:,}: {type(text).__name__} is not a text")
            said = cells[columns.language][row] if columns.language else ""
            spoken = decide(text, stated="" if _empty(said) else said, language=language)
            whose = cells[columns.patient][row] if columns.patient else None
            patient = "" if _empty(whose) else str(whose)
            id = _id(cells, columns, row, name)
            document = Document(text, id, patient, spoken.language, known=known, sure=spoken.sure, also=spoken.also)
            notes.append(document)
            places.append((row, name))
            why.append(spoken.why)
    return notes, places, why


def _id(cells: Mapping[str, Sequence[Any]], columns: Columns, row: int, name: str) -> str:
    base = str(cells[columns.id][row]) if columns.id else f"row {row}"
    return f"{base}/{name}" if len(columns.texts) > 1 else base


def _empty(value: object) -> bool:
    """None, NaN, NaT: what the libraries put where nothing is."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def _refuse_held(notes: Sequence[Document], cleaned: Sequence[Cleaned]) -> None:
    held = [(note, one) for note, one in zip(notes, cleaned, strict=True) if one.document is None]
    if held:
        note, one = held[0]
        raise HeldError(
            f"{len(held):,} of {len(notes):,} notes are held, the first is {note.name}: {one.receipt.why}; "
            "say held='null' to go on without them"
        )
