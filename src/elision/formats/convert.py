"""The table of formats, guessing among them, and reading and writing whichever it is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import cast

from elision.document import Document
from elision.errors import FormatError, UnsureError
from elision.formats.format import Format, Reading, Remarks, Sample, fit

# Each module of formats names what it offers in FORMATS; they are imported on first use of this table.
MODULES = (
    "text", "brat", "i2b2_2014", "i2b2_2006", "nedap", "conll", "jsonl", "doccano", "prodigy", "spacy",
    "label_studio", "cas", "webanno", "huggingface", "presidio", "fhir", "hl7", "omop",
)  # fmt: skip


class _Table(dict[str, Format]):
    """Formats by name, in the order of MODULES."""


def _load() -> dict[str, Format]:
    table = _Table()
    for module in MODULES:
        for format in cast("tuple[Format, ...]", import_module(f"elision.formats.{module}").FORMATS):
            table[format.name] = format
    return table


FORMATS: dict[str, Format] = _load()


def format_named(name: str) -> Format:
    if name not in FORMATS:
        near = get_close_matches(name, FORMATS, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise FormatError(f"no format {name!r}{hint}; there are: {', '.join(FORMATS)}")
    return FORMATS[name]


def sample(path: Path) -> Sample:
    """Look at a path: some names and the head of the most telling file."""
    if not path.exists():
        raise FormatError(f"{path}: there is no such file or folder")
    if path.is_file():
        return Sample(path, (path.name,), _head(path))
    names: list[str] = []
    for file in path.rglob("*"):
        if file.is_file() and not file.name.startswith("."):
            names.append(file.relative_to(path).as_posix())
            if len(names) == 200:
                break
    if not names:
        raise FormatError(f"{path}: the folder is empty")
    names.sort()
    telling = next((name for name in names if not name.endswith((".txt", ".ann", ".conf"))), names[0])
    return Sample(path, tuple(names), _head(path / telling))


def _head(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return stream.read(65_536).decode("utf-8", "replace")
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def guess(path: Path) -> tuple[Format, str]:
    """The format of a path with the evidence for it; not being sure is an error that lists what was seen."""
    seen = sample(path)
    claims = [(format, evidence) for format in FORMATS.values() if (evidence := format.sniff(seen))]
    if len(claims) == 1:
        return claims[0]
    if claims:
        found = "; ".join(f"{format.name} ({evidence})" for format, evidence in claims)
        raise UnsureError(f"{path}: could be more than one format: {found}; say which with --from")
    shown = ", ".join(sorted({Path(name).suffix or "no suffix" for name in seen.names}))
    raise UnsureError(
        f"{path}: not a format that elision can tell (files: {shown}); say which with --from: {', '.join(FORMATS)}"
    )


def read(path: Path | str, format: Format | str | None = None, how: Reading | None = None) -> Iterator[Document]:
    """The documents at a path; without a format, it is guessed. The same id twice is an error."""
    path, how = Path(path), how or Reading()
    chosen = guess(path)[0] if format is None else format_named(format) if isinstance(format, str) else format
    if not path.exists():
        raise FormatError(f"{path}: there is no such file or folder")
    seen: set[str] = set()
    for document in chosen.read(path, how):
        if document.id in seen and document.id:
            raise FormatError(f"{path}: the id {document.id} comes twice; every note needs an id of its own")
        seen.add(document.id)
        yield document
    if not seen:
        raise FormatError(f"{path}: no note in it ({chosen.name})")


def write(
    documents: Iterable[Document], path: Path | str, format: Format | str, remarks: Remarks | None = None
) -> Remarks:
    """Write documents; what the format cannot hold is counted in the remarks that come back.

    All goes into a folder aside first and is moved when it is complete: what fails half-way leaves nothing.
    """
    chosen = format_named(format) if isinstance(format, str) else format
    target, kept = Path(path), Remarks() if remarks is None else remarks
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        aside.mkdir(parents=True)
        goal = aside if chosen.folder else aside / target.name
        chosen.write(_fitted(documents, chosen, target, kept), goal, kept)
        _move(aside, target if chosen.folder else target.parent)
    except OSError as error:
        raise FormatError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return kept


def _fitted(documents: Iterable[Document], format: Format, path: Path, remarks: Remarks) -> Iterator[Document]:
    """Documents as the format holds them; an id twice would overwrite a note, or make what is written unreadable."""
    seen: set[str] = set()
    for document in documents:
        fitted = fit(document, format, remarks)
        if fitted.id and fitted.id in seen:
            raise FormatError(f"{path}: the id {fitted.id} comes twice; every note needs an id of its own")
        seen.add(fitted.id)
        yield fitted


def _move(source: Path, target: Path) -> None:
    """Put the files of a folder where they belong; a folder that is not there yet comes into being whole."""
    if not target.exists():
        source.rename(target)
        return
    for file in sorted(source.rglob("*")):
        if file.is_file():
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            file.replace(place)
