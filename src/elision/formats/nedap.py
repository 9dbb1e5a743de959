"""A corpus as nedap/deidentify lays it out: brat files in train, dev and test, and a table of surrogates beside them.

An id says the split: `train/example-1`. A note without a split in its id is written at the top of the corpus, and read
from there. The table calls a note by the last part of its id, as far as that is clear.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from elision.document import Document, Span
from elision.errors import FormatError
from elision.formats import brat
from elision.formats.atomic import write_text
from elision.formats.files import read_text
from elision.formats.format import Format, Reading, Remarks
from elision.formats.offsets import fits
from elision.formats.standoff import TABLE, nedap_evidence

COLUMNS = ("doc_id", "ann_id", "text", "start", "end", "tag", "surrogate", "manual_surrogate", "checked")
KEPT = {"surrogate": "", "manual_surrogate": "", "checked": "False"}  # with what they are if nothing is said


@dataclass(frozen=True, slots=True)
class _Row:
    where: str
    cells: Mapping[str, str]


Table = dict[str, list[_Row]]  # by doc_id


def read(path: Path, how: Reading) -> Iterator[Document]:
    """The notes of a corpus. Spans in fragments are kept whole, though nedap's own reader skips them."""
    pairs = list(brat.pairs(path))
    table = _read_table(path / TABLE, how) if path.is_dir() and (path / TABLE).exists() else {}
    ids = {id for id, _, _ in pairs}
    names = Counter(_name(id) for id in ids if id not in table)
    for id, txt, ann in pairs:
        document = brat.read_pair(id, txt, ann, how)
        key = id if id in table or _name(id) in ids else _name(id)
        if key != id and key in table and names[key] > 1:
            raise FormatError(f"{table[key][0].where}: more than one note is called {key}; write the split too: {id}")
        yield _with_surrogates(document, table.pop(key, []), how)
    for rows in table.values():
        how.remarks.add("rows for notes that are not in the corpus", rows[0].where, len(rows))


def _name(id: str) -> str:
    return PurePosixPath(id).name


def _read_table(file: Path, how: Reading) -> Table:
    reader = csv.reader(io.StringIO(read_text(file, how).removeprefix("\ufeff"), newline=""), strict=True)
    table: Table = {}
    try:
        header = next(reader, [])
        missing = [column for column in COLUMNS if column not in header]
        if missing:
            raise FormatError(f"{file}: the first line lacks the column {' and '.join(missing)}")
        for cells in reader:
            where = f"{file}:{reader.line_num}"
            if len(cells) != len(header):
                raise FormatError(f"{where}: {len(cells)} cells where the first line has {len(header)}")
            row = dict(zip(header, cells, strict=True))
            table.setdefault(row["doc_id"], []).append(_Row(where, row))
    except csv.Error as error:
        raise FormatError(f"{file}:{reader.line_num}: not valid CSV: {error}") from None
    return table


def _with_surrogates(document: Document, rows: list[_Row], how: Reading) -> Document:
    if not rows:
        return document
    spans = list(document.spans)
    ids = {span.info.get("id", f"T{at + 1}"): at for at, span in enumerate(spans)}
    for row in rows:
        try:
            at = ids.get(row.cells["ann_id"])
            if at is None:
                raise FormatError(f"{row.where}: {document.name} has no span {row.cells['ann_id']}")
            _agree(document, spans[at], row)
        except FormatError as error:
            if not how.lenient:
                raise FormatError(f"{error}; --lenient skips such rows") from None
            how.remarks.add("skipped: an unusable row", row.where)
            continue
        said = {key: row.cells[key] for key, usual in KEPT.items() if key == "surrogate" or row.cells[key] != usual}
        spans[at] = replace(spans[at], info={**spans[at].info, **said})
    return document.with_spans(spans)


def _agree(document: Document, span: Span, row: _Row) -> None:
    """Refuse a row that says otherwise than the .ann file."""
    cells = row.cells
    for key, value in (("start", str(span.start)), ("end", str(span.end)), ("tag", span.label)):
        if cells[key] != value:
            raise FormatError(
                f"{row.where}: {cells['ann_id']} of {document.name}: the table's {key} is not the .ann file's ({value})"
            )
    if not fits(document.text, span.start, span.end, cells["text"]):
        raise FormatError(
            f"{row.where}: {cells['ann_id']} of {document.name}: another text stands at {span.start}–{span.end}; "
            "is the table of this version of the corpus?"
        )


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    names: Counter[str] = Counter()
    rows: list[tuple[str, list[str]]] = []
    for document in documents:
        names[_name(document.id)] += 1
        lines = brat.write_pair(document, path, remarks)
        for span, line in zip(document.spans, lines, strict=False):  # the lines of spans come first
            if not KEPT.keys().isdisjoint(span.info):
                cells = [
                    line.split("\t")[0],
                    document.text_of(span),
                    str(span.start),
                    str(span.end),
                    span.label,
                    *(span.info.get(key, usual) for key, usual in KEPT.items()),
                ]
                rows.append((document.id, cells))
    if rows:
        table = [",".join(COLUMNS)]
        for id, cells in rows:
            doc_id = _name(id) if names[_name(id)] == 1 else id
            table.append(",".join(map(_cell, [doc_id, *cells])))
        write_text(path / TABLE, "".join(f"{line}\n" for line in table))


def _cell(value: str) -> str:
    return f'"{value.replace(chr(34), chr(34) * 2)}"' if re.search(r'[",\r\n]', value) else value


FORMATS = (
    Format(
        "nedap",
        "nedap/deidentify corpus (train, dev, test in brat, surrogate table)",
        suffix=".ann",
        folder=True,
        holds=replace(brat.HOLDS, span_info=brat.HOLDS.span_info | set(KEPT)),
        read=read,
        write=write,
        sniff=nedap_evidence,
        tag_set="nut",
        reads=(".txt", ".conf", ".csv"),
    ),
)
