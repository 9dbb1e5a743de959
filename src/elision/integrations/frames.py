"""Data frames: pandas, Polars, or any other that narwhals knows, and the same kind back.

clean = deidentify_frame(frame, deidentifier, text="note", id="note_id", patient="patient_id")
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pyarrow as pa
import pyarrow.compute as pc

from elision.errors import FormatError, HeldError, MissingExtraError
from elision.formats.tables.columns import Columns
from elision.languages.base import served
from elision.languages.telling.deciding import language_code
from elision.pipeline import Deidentifier
from elision.run.cells import Cell, cells_of
from elision.run.column_checks import check_kinds, check_operators, check_types
from elision.run.column_values import Changing
from elision.run.engine import changed
from elision.run.how import How
from elision.run.kept_dates import refuse_true_dates
from elision.showing import column as shown_column

if TYPE_CHECKING:
    from elision.pipeline import Cleaned
    from elision.replace.word_lists import Words

Frame = TypeVar("Frame")
WHERE = "the frame"
MOST_IN_FLOAT = 1 << 53  # above it, two whole numbers may be one broken number


def deidentify_frame(
    frame: Frame,
    deidentifier: Deidentifier,
    *,
    text: str | Sequence[str] = (),
    id: str = "",
    patient: str = "",
    language: str = "",
    known: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    columns: Columns | Mapping[str, Any] | str | Path | None = None,
    allow: Words | None = None,
    deny: Words | None = None,
    held: str = "error",
) -> Frame:
    """A frame of the same kind: the id, the cleaned texts, the columns to keep and those to change; others are dropped.

    `columns` says all of it at once, with operators, as for a run: a mapping, `Columns`, or a file such as
    columns.toml. `language` is a column, or a code for all rows; without it, each note is looked at. `allow` and `deny`
    are lists of words for this frame. A note that is held is an error; with `held="null"` it is an empty cell. A value
    that no operator can change is an empty cell, and a warning counts them. The notes of one call are remembered
    together, patient by patient.
    """
    try:
        import narwhals as nw
    except ImportError:
        raise MissingExtraError("data frames", "frames") from None
    if held not in ("error", "null"):
        raise FormatError("held says what becomes of held notes: 'error' or 'null'")
    table = nw.from_native(cast("Any", frame), eager_only=True)
    spoken = language if language in table.columns else ""
    if columns is None:
        texts = (text,) if isinstance(text, str) else tuple(text)
        chosen = Columns(texts, id, patient, spoken, known=known or {}, keep=tuple(keep))
    elif text or id or patient or known or keep or spoken:
        raise FormatError("columns says which columns there are; leave out text, id, patient, known, keep and language")
    else:
        chosen = _columns(columns)
    if chosen.record or chosen.joints:
        raise FormatError("columns: record and joints are for messages and resources; a frame has texts")
    chosen.check_names(table.columns, WHERE)
    code = "" if spoken else language_code(language)
    if code and code not in served():
        raise FormatError(f"language: neither a column nor a language; there are {', '.join(served())}")
    deidentifier = _listed(deidentifier, allow, deny)
    cells, cleaned, beside = _done(_as_arrow(table, chosen), chosen, code, deidentifier)
    if held == "error":
        _refuse_held(cells, cleaned)
    out = table.select([name for name in table.columns if name in chosen.out])
    for name in chosen.texts:
        new: list[str | None] = [None] * len(table)
        for cell, one in zip(cells, cleaned, strict=True):
            if cell.column == name and one.document is not None:
                new[cell.row] = one.document.text
        series = nw.new_series(name, new, nw.String, backend=table.implementation)
        out = out.with_columns(_along(series, table[name]))
    if beside:
        made = nw.from_arrow(pa.table(dict(beside)), backend=table.implementation)
        whole = {name: _with_blanks(array, table[name]) for name, array in beside.items()}
        out = out.with_columns(
            *(_along(made[name] if one is None else one, table[name]) for name, one in whole.items())
        )
    return cast("Frame", out.to_native())


def _columns(said: Columns | Mapping[str, Any] | str | Path) -> Columns:
    if isinstance(said, str | Path):
        return Columns.from_toml(said)
    return said if isinstance(said, Columns) else Columns.from_json(said)


def _listed(deidentifier: Deidentifier, allow: Words | None, deny: Words | None) -> Deidentifier:
    """The same deidentifier with lists of words, if there are any."""
    if allow is None and deny is None:
        return deidentifier
    if deidentifier.lists.allows or deidentifier.lists.denies:
        raise FormatError("the deidentifier has lists of words already; give allow and deny in one place")
    one = deidentifier
    return Deidentifier(
        one.detectors[:-1],  # without that of known values
        policy=one.policy, key=one.key, memory=one.memory, most=one.most, origin=one.origin, limits=one.limits,
        allow=allow, deny=deny,
    )  # fmt: skip


def _done(
    batch: pa.RecordBatch, columns: Columns, language: str, deidentifier: Deidentifier
) -> tuple[Sequence[Cell], Sequence[Cleaned], Mapping[str, pa.Array]]:
    """The notes, what became of each, and the columns that operators changed."""
    policy, key = deidentifier.policy, deidentifier.key
    check_kinds(columns, WHERE)
    check_operators(columns, policy, keyed=key is not None)
    check_types(columns, batch.schema, WHERE)
    refuse_true_dates(batch, columns, policy)
    cells = cells_of(batch, How(columns, language=language))
    cleaned = [
        deidentifier.held(cell.document, cell.why) if cell.why else one
        for cell, one in zip(cells, deidentifier([cell.document for cell in cells]), strict=True)
    ]
    beside, left = changed(batch, cells, Changing.by(columns, policy, key, language))
    for (name, why), count in left.items():
        warnings.warn(f"column {shown_column(name)}: {count:,} values are empty now: {why}", stacklevel=3)
    return cells, cleaned, beside


def _as_arrow(table: Any, columns: Columns) -> pa.RecordBatch:
    """The columns that are looked at; what pandas keeps as objects of several kinds, as texts."""
    return pa.RecordBatch.from_pydict({name: _array(table[name], name, columns) for name in columns.read})


def _array(series: Any, name: str, columns: Columns) -> pa.Array:
    if name in columns.texts:
        return pa.array(_texts(series.to_list(), name), pa.string())
    try:
        array = pa.chunked_array([series.to_arrow()]).combine_chunks()
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if _empty(cell) else str(cell) for cell in series.to_list()], pa.string())
    if pa.types.is_dictionary(array.type):  # categories
        array = array.dictionary_decode()
    if pa.types.is_null(array.type):
        array = array.cast(pa.string())
    if pa.types.is_floating(array.type):
        # pandas makes numbers that lack some of whole ones: NaN is none of them
        array = pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
        if name in (columns.id, columns.patient) and _whole(array):
            return array.cast(pa.int64())
    return array


def _whole(array: pa.Array) -> bool:
    try:
        return bool(array.cast(pa.int64()) is not None)
    except pa.ArrowInvalid:
        return False


def _texts(cells: Sequence[Any], name: str) -> list[str | None]:
    """The texts of a column; NULLs are none."""
    for row, cell in enumerate(cells):
        if not (_empty(cell) or isinstance(cell, str)):
            raise FormatError(f"{WHERE}: column {shown_column(name)}, row {row:,}: {type(cell).__name__} is not a text")
        if isinstance(cell, str) and not cell.isascii() and cell.encode(errors="replace").decode() != cell:
            raise FormatError(
                f"{WHERE}: column {shown_column(name)}, row {row:,}: half a character (a lone surrogate); the text was "
                "cut inside a character before it came here"
            )
    return [None if _empty(cell) else cell for cell in cells]


def _with_blanks(made: pa.Array, like: Any) -> Any:
    """Whole numbers for pandas, which makes broken ones of them where some are missing; None for all others."""
    native = like.to_native()
    if not (like.implementation.is_pandas_like() and pa.types.is_integer(made.type)):
        return None
    import narwhals as nw

    was, numbers = str(native.dtype), made.to_pylist()
    if was.endswith("[pyarrow]"):
        kind = f"{made.type}[pyarrow]"
    elif was == "object" or (was == "float64" and all(abs(number or 0) < MOST_IN_FLOAT for number in numbers)):
        kind = was
    else:
        kind = "Int64" if made.null_count or was[:1].isupper() else "int64"
    return nw.from_native(type(native)(numbers, name=like.name, dtype=kind), series_only=True)


def _along(series: Any, like: Any) -> Any:
    """Cells with the row labels that pandas gives to rows; others have none."""
    native = like.to_native()
    if hasattr(native, "index") and hasattr(series.to_native(), "set_axis"):
        import narwhals as nw

        return nw.from_native(series.to_native().set_axis(native.index), series_only=True)
    return series


def _empty(value: object) -> bool:
    """None, NaN, NaT: what the libraries put where nothing is."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def _refuse_held(cells: Sequence[Cell], cleaned: Sequence[Cleaned]) -> None:
    held = [(cell, one) for cell, one in zip(cells, cleaned, strict=True) if one.document is None]
    if held:
        cell, one = held[0]
        which = cell.document.name if cell.document.id else f"row {cell.row:,}, column {shown_column(cell.column)}"
        raise HeldError(
            f"{len(held):,} of {len(cells):,} notes are held, the first is {which}: {one.receipt.why}; "
            "say held='null' to go on without them"
        )
