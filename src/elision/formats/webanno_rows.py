"""Reading WebAnno TSV: the header, the sentences and their rows, and what the rows say about spans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from elision.document import Document, Span
from elision.errors import FormatError
from elision.formats.format import Reading
from elision.formats.offsets import Offsets, fits

DEFAULT_COLUMN = ("webanno.custom.PHI", "kind")
LABELS = ("kind", "value", "label")  # the feature that holds the label, in this order
OTHER = "feature:"  # features beside the label, in Span.info
# Our own line in the last sentence of a text that does not end in a line break. Without it the text does, as in
# INCEpTION, which passes over lines of a sentence's header that it does not know.
OPEN_END = "#Sentence.break=none"

_FORMAT = re.compile(r"#FORMAT=WebAnno TSV 3\.([0-9]+)\s*")
_ROW = re.compile(r"[0-9]+-[0-9]+(\.[0-9]+)?\t([0-9]{1,12})-([0-9]{1,12})\t")
_TEXT = re.compile(r"\\([\\tnfrb\x00-\x07\x0e-\x1f])")
_TEXT_ESCAPES = {"t": "\t", "n": "\n", "f": "\f", "r": "\r", "b": "\b"}
_VALUE = re.compile(r"\\(->|[][\\|_;*tn])")
_VALUE_ESCAPES = {"t": "\t", "n": "\n"}
_STACKED = re.compile(r"(?:\\.|[^\\|]|\\\Z)*", re.DOTALL)
_ID = re.compile(r"\[([0-9]+)\]\Z")


@dataclass(frozen=True, slots=True)
class Header:
    """The columns behind a row's first three: how many there are, and which belong to the layer of spans."""

    width: int = 0
    layer: str = ""
    features: dict[str, int] = field(default_factory=dict)  # name -> column
    label: str = ""  # the feature that holds the label, "" for a layer without features
    skipped: tuple[str, ...] = ()  # what is in the file but not read: relations, chains, slots


@dataclass(frozen=True, slots=True)
class Unit:
    """A row: a token, or a part of the token before."""

    line: int
    start: int  # as in the file
    end: int
    sub: bool
    surface: str
    cells: Sequence[str]


@dataclass(slots=True)
class Sentence:
    line: int
    lines: list[str] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    open_end: bool = False


def unescape_text(text: str) -> str:
    return _TEXT.sub(lambda match: _TEXT_ESCAPES.get(match[1], match[1]), text)


def unescape_value(value: str) -> str:
    return _VALUE.sub(lambda match: _VALUE_ESCAPES.get(match[1], match[1]), value)


def parse(content: str, id: str, where: str, how: Reading) -> Document:
    # Only \n ends a line: in a text, other line separators stand for themselves, and \r is escaped.
    lines = [line.removesuffix("\r") for line in content.split("\n")]
    header, at = _header(lines, where)
    for what in header.skipped:
        how.remarks.add(f"WebAnno {what} not read", where)
    sentences = list(_sentences(lines, at, header.width, where))
    text, edges = _locate(sentences, id, where, how)
    spans = _spans([unit for sentence in sentences for unit in sentence.units], edges, header, where)
    column = (header.layer, header.label)
    info = {} if column == DEFAULT_COLUMN or not header.label else {"layer": "|".join(column)}
    return Document(text, id, spans=tuple(sorted(spans, key=lambda span: (span.start, span.end))), info=info)


def _header(lines: list[str], where: str) -> tuple[Header, int]:
    """The header, and the index of the line after it."""
    version = _FORMAT.fullmatch(lines[0])
    if not version:
        raise FormatError(f"{where}: the first line is not #FORMAT=WebAnno TSV 3.3")
    if int(version[1]) < 2:
        raise FormatError(f"{where}: WebAnno TSV 3.{version[1]} escapes texts in another way; export the note as 3.3")
    layers: list[tuple[str, list[str], int]] = []
    skipped: list[str] = []
    width, at = 0, 1
    while at < len(lines) and lines[at].startswith(("#T_SP=", "#T_RL=", "#T_CH=")):
        name, *features = lines[at][6:].split("|")
        if lines[at].startswith("#T_SP="):
            layers.append((name, features, width))
        else:
            skipped.append("relations" if lines[at].startswith("#T_RL=") else "chains")
        width += max(1, len(features))
        at += 1
    if len(layers) > 1:
        names = ", ".join(name for name, _, _ in layers)
        raise FormatError(f"{where}: more than one layer of spans: {names}; export the note with one of them")
    if not layers:
        return Header(width, skipped=tuple(skipped)), at
    name, features, first = layers[0]
    columns: dict[str, int] = {}
    for place, feature in enumerate(features):
        if feature.startswith("ROLE_"):
            skipped.append("slots")
        elif feature and not (place and features[place - 1].startswith("ROLE_")):
            columns[feature] = first + place
    label = next((feature for feature in LABELS if feature in columns), "")
    if not label and len(columns) > 1:
        raise FormatError(f"{where}: none of the features {', '.join(columns)} is one of {', '.join(LABELS)}")
    return Header(width, name, columns, label or next(iter(columns), ""), tuple(skipped)), at


def _sentences(lines: list[str], at: int, width: int, where: str) -> Iterator[Sentence]:
    sentence: Sentence | None = None
    for number, line in enumerate(lines[at:], at + 1):
        if not line:
            continue
        if line.startswith("#"):
            if sentence is None or sentence.units:
                if sentence:
                    yield sentence
                sentence = Sentence(number)
            if line.startswith("#Text="):
                sentence.lines.append(unescape_text(line[6:]))
            sentence.open_end |= line == OPEN_END
            continue
        row, cells = _ROW.match(line), line.removesuffix("\t").split("\t")[2:]
        if not row or sentence is None or not sentence.lines:
            raise FormatError(f"{where}:{number}: expected #Text= or a row with a token's number and offsets")
        if len(cells) != width + 1:
            raise FormatError(f"{where}:{number}: {len(cells) - 1} columns where the header names {width}")
        sentence.units.append(Unit(number, int(row[2]), int(row[3]), bool(row[1]), cells[0], cells[1:]))
    if sentence:
        yield sentence


# --- the text ------------------------------------------------------------------------------------------------------


def _locate(sentences: list[Sentence], id: str, where: str, how: Reading) -> tuple[str, list[tuple[int, int]]]:
    """The text, and where in it each unit is. The offsets should be UTF-16; those of other programs may not be."""
    try:
        return _locate_by("utf-16", sentences, id, where, how)
    except FormatError:
        try:
            found = _locate_by("code-points", sentences, id, where, how)
        except FormatError:
            pass
        else:
            how.remarks.add("WebAnno offsets counted in code points, not in UTF-16 units", where)
            return found
        raise


def _locate_by(
    unit: str, sentences: list[Sentence], id: str, where: str, how: Reading
) -> tuple[str, list[tuple[int, int]]]:
    text, guessed = how.texts.get(id), False
    if text is None:
        text, guessed = _join(sentences, unit, where, how.max_bytes)
    edges = _edges(sentences, Offsets(text, unit), text, where)
    if guessed:
        how.remarks.add("white space between WebAnno sentences, which the file does not have, read as blanks", where)
    return text, edges


def _join(sentences: list[Sentence], unit: str, where: str, limit: int) -> tuple[str, bool]:
    """The text, and whether there was a gap between sentences of which the file only says how long it was."""
    pieces: list[str] = []
    size, guessed = 0, False
    for number, sentence in enumerate(sentences):
        if not sentence.units:
            raise FormatError(f"{where}:{sentence.line}: a sentence without tokens")
        gap = sentence.units[0].start - size
        if gap < 0 or gap > limit:
            raise FormatError(f"{where}:{sentence.units[0].line}: the offset does not follow on the sentence before")
        first = min(gap, 1) if number else 0
        guessed |= gap > first
        body = "\n".join(sentence.lines)
        pieces += ("\n" * first, " " * (gap - first), body)
        size += gap + (len(body.encode("utf-16-le")) // 2 if unit == "utf-16" else len(body))
    if sentences and not sentences[-1].open_end:
        pieces.append("\n")
    return "".join(pieces), guessed


def _edges(sentences: list[Sentence], offsets: Offsets, text: str, where: str) -> list[tuple[int, int]]:
    """The edges of each unit in code points, after a look whether the text there is what the row says."""
    edges: list[tuple[int, int]] = []
    token = (0, 0)
    for unit in (unit for sentence in sentences for unit in sentence.units):
        place = f"{where}:{unit.line}"
        try:
            start, end = offsets.back(unit.start), offsets.back(unit.end)
        except FormatError as error:
            raise FormatError(f"{place}: {error}") from None
        inside = token[0] <= start <= end <= token[1] if unit.sub else token[1] <= start < end
        if not inside or end > len(text):
            raise FormatError(f"{place}: the offsets {unit.start}–{unit.end} do not ascend, or leave the token or text")
        surfaces = (unit.surface, unescape_text(unit.surface), unescape_value(unit.surface))
        if not any(fits(text, start, end, surface) for surface in surfaces):
            raise FormatError(f"{place}: the token is not what the text has at {unit.start}–{unit.end}")
        if not unit.sub:
            token = (start, end)
        edges.append((start, end))
    return edges


# --- the spans -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Draft:
    start: int
    end: int
    label: str
    info: dict[str, str]


def _spans(units: list[Unit], edges: list[tuple[int, int]], header: Header, where: str) -> list[Span]:
    """Units with the same number in brackets are one span; each without a number is a span of its own."""
    drafts: list[_Draft] = []
    by_id: dict[str, _Draft] = {}
    for unit, (start, end) in zip(units, edges, strict=True):
        for id, values in _stacked(unit, header):
            label = values.pop(header.label, "")
            draft = by_id.get(id)
            if draft is None:
                draft = _Draft(start, end, label, {OTHER + feature: value for feature, value in values.items()})
                drafts.append(draft)
                if id:
                    by_id[id] = draft
            elif draft.label != label:
                raise FormatError(f"{where}:{unit.line}: the span with the number {id} has another label here")
            draft.end = max(draft.end, end)
    return [Span(draft.start, draft.end, draft.label, info=draft.info) for draft in drafts]


def _stacked(unit: Unit, header: Header) -> Iterator[tuple[str, dict[str, str]]]:
    """For each span on a unit its number ("" if it has none) and its features, without those that are not set."""
    columns = header.features
    if header.layer and not columns:  # a layer without features still has a column, of * and [n]
        columns = {"": 0}
    stacks = {feature: split_stacked(unit.cells[column]) for feature, column in columns.items()}
    for place in range(max(map(len, stacks.values()), default=0)):
        id, values = "", {}
        for feature, stack in stacks.items():
            value = stack[place] if place < len(stack) else "*"
            if number := _ID.search(value):
                id, value = number[1], value[: number.start()]
            if value != "*":
                values[feature] = unescape_value(value)
        yield id, values


def split_stacked(cell: str) -> list[str]:
    """The values of spans that lie on the same unit: split at every | that is not escaped."""
    if cell == "_":
        return []
    values: list[str] = []
    at = 0
    while True:
        match = _STACKED.match(cell, at)
        end = match.end() if match else len(cell)
        values.append(cell[at:end])
        if end >= len(cell):
            return values
        at = end + 1
