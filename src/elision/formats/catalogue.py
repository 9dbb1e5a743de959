"""All formats by name: those of documents, and those of tables, of which one has to say which column is what."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple, cast

from elision.errors import FormatError
from elision.formats.format import Format

# Each module of formats names what it offers in FORMATS; they are imported on first use of this table.
MODULES = (
    "text", "brat", "i2b2_2014", "i2b2_2006", "nedap", "conll", "jsonl", "doccano", "prodigy", "spacy",
    "label_studio", "cas", "webanno", "huggingface", "presidio", "fhir", "hl7", "omop",
)  # fmt: skip


def _load() -> dict[str, Format]:
    return {
        format.name: format
        for module in MODULES
        for format in cast("tuple[Format, ...]", import_module(f"elision.formats.{module}").FORMATS)
    }


FORMATS: dict[str, Format] = _load()


class TableFormat(NamedTuple):
    """A format of tables: `title` for people, and the endings that tell it."""

    title: str
    endings: tuple[str, ...] = ()


TABLES = {
    "csv": TableFormat("a CSV table", (".csv",)),
    "tsv": TableFormat("a TSV table", (".tsv", ".tab")),
    "jsonl": TableFormat("a table in JSON Lines", (".jsonl", ".ndjson")),
    "parquet": TableFormat("a Parquet table", (".parquet", ".pq")),
    "sql": TableFormat("a table of a database"),
}
FILES_OF_TABLES = tuple(name for name, table in TABLES.items() if table.endings)
TABLE_OF_ENDING = {ending: name for name, table in TABLES.items() for ending in table.endings}
FOR_RUN = "elision inspect shows the columns of tables, elision run cleans them"


def format_named(name: str) -> Format:
    """A format of documents."""
    if name in FORMATS:
        return FORMATS[name]
    if name in TABLES:
        raise FormatError(f"{name}: {TABLES[name].title} is no format of documents; {FOR_RUN}")
    near = get_close_matches(name, FORMATS, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise FormatError(f"no format {name!r}{hint}; there are: {', '.join(FORMATS)}")
