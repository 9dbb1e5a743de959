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
from elision.formats.files import walk
from elision.formats.format import Format, Reading, Remarks, Sample, fit
from elision.formats.kinds import HEAD, kind_of_bytes, kind_of_text
from elision.showing import ident

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
        return Sample(path, (path.name,), *_head(path))
    files = walk(path)
    if not files:
        raise FormatError(f"{path}: the folder is empty")
    names = [file.relative_to(path).with_suffix(file.suffix.lower()).as_posix() for file in files]
    telling = next((i for i, name in enumerate(names) if not name.endswith((".txt", ".ann", ".conf"))), 0)
    return Sample(path, tuple(names), *_head(files[telling]))


def _head(file: Path) -> tuple[str, bytes]:
    try:
        with file.open("rb") as stream:
            start = stream.read(HEAD)
            return start.decode("utf-8", "replace"), start
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
    if kind := kind_of_bytes(seen.start) or kind_of_text(seen.head):
        first = "is" if path.is_file() else f"not a format that elision can tell (files: {shown}); the first is"
        raise UnsureError(f"{path}: {first} {kind.what}; {kind.todo}")
    raise UnsureError(
        f"{path}: not a format that elision can tell (files: {shown}); say which with --from: {', '.join(FORMATS)}"
    )


def read(path: Path | str, format: Format | str | None = None, how: Reading | None = None) -> Iterator[Document]:
    """The documents at a path; without a format, it is guessed. The same id twice is an error."""
    path, how = Path(path), how or Reading()
    chosen = guess(path)[0] if format is None else format_named(format) if isinstance(format, str) else format
    if not path.exists():
        raise FormatError(f"{path}: there is no such file or folder")
    if path.is_dir():
        _tell_unread(path, chosen, how.remarks)
    seen: set[str] = set()
    for document in chosen.read(path, how):
        if document.id in seen and document.id:
            raise FormatError(f"{path}: the id {ident(document.id)} comes twice; every note needs an id of its own")
        seen.add(document.id)
        yield document
    if not seen:
        raise FormatError(f"{path}: no note in it ({chosen.name})")


def _tell_unread(path: Path, format: Format, remarks: Remarks) -> None:
    """Files in a folder that its format does not look at, so that no note is passed over in silence."""
    endings = (format.suffix, *format.reads)
    out: list[Path] = []
    other = [file for file in walk(path, out) if not file.name.lower().endswith(endings)]
    if out:
        remarks.add("links that lead out of the folder, not followed", ident(out[0].name), len(out))
    if other:
        remarks.add("files of other kinds, not read", other[0].relative_to(path).as_posix(), len(other))


def write(
    documents: Iterable[Document],
    path: Path | str,
    format: Format | str,
    remarks: Remarks | None = None,
    *,
    replace: bool = True,
) -> Remarks:
    """Write documents; what the format cannot hold is counted in the remarks that come back.

    All goes into a folder aside first and is moved when it is complete: what fails half-way leaves nothing. Files that
    are there already are replaced, or with `replace=False` refused; other files in a folder stay, and are told.
    """
    chosen = format_named(format) if isinstance(format, str) else format
    target, kept = Path(path).absolute(), Remarks() if remarks is None else remarks
    if not target.name:
        raise FormatError(f"{target}: cannot be written over; give a folder or a file in it")
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        aside.mkdir(parents=True)
        chosen.write(_fitted(documents, chosen, target, kept), aside if chosen.folder else aside / target.name, kept)
        folder = target if chosen.folder else target.parent
        was_there = folder.exists()
        moved = _move(aside, folder, replace)
    except OSError as error:
        raise FormatError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    if chosen.folder and was_there and (others := set(walk(target)) - moved):
        kept.add("files that were there before and stay", target.name, len(others))
    return kept


def _fitted(documents: Iterable[Document], format: Format, path: Path, remarks: Remarks) -> Iterator[Document]:
    """Documents as the format holds them; an id twice would overwrite a note, or make what is written unreadable."""
    seen: set[str] = set()
    for document in documents:
        fitted = fit(document, format, remarks)
        if fitted.id and fitted.id in seen:
            raise FormatError(f"{path}: the id {ident(fitted.id)} comes twice; every note needs an id of its own")
        seen.add(fitted.id)
        yield fitted


def _move(source: Path, target: Path, replace: bool) -> set[Path]:
    """Put the files of a folder where they belong. A folder that is not there yet comes into being whole."""
    if not target.exists():
        source.rename(target)
        return set()
    files = [file.relative_to(source) for file in sorted(source.rglob("*")) if file.is_file()]
    if not replace and (taken := next((file for file in files if (target / file).exists()), None)):
        raise FormatError(f"{target / taken}: is there already; choose another place, or --force to write over it")
    for file in files:
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        (source / file).replace(target / file)
    return {target / file for file in files}
