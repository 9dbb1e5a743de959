"""Reading and writing documents in whichever format."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from elision.document import Document
from elision.errors import FormatError
from elision.formats.catalogue import format_named, guess
from elision.formats.files import is_glob, walk
from elision.formats.format import Format, Reading, Remarks, fit
from elision.formats.records import Record
from elision.showing import ident

Item = TypeVar("Item", bound=tuple[Any, ...])  # a document, and perhaps what it came with


def read(path: Path | str, format: Format | str | None = None, how: Reading | None = None) -> Iterator[Document]:
    """The documents at a path; without a format, it is guessed. The same id twice is an error."""
    path, how = Path(path), how or Reading()
    chosen = guess(path)[0] if format is None else format_named(format) if isinstance(format, str) else format
    yield from (document for (document,) in _checked(path, chosen, how, ((one,) for one in chosen.read(path, how))))


def read_records(path: Path | str, format: Format, how: Reading) -> Iterator[Record]:
    """The same of a format that has records: each a message or a resource, with all its texts."""
    assert format.records is not None, "a format without records"  # noqa: S101
    return _checked(Path(path), format, how, format.records.read(Path(path), how))


def _checked(path: Path, chosen: Format, how: Reading, items: Iterable[Item]) -> Iterator[Item]:
    if not path.exists() and not is_glob(path):
        raise FormatError(f"{path}: there is no such file or folder")
    if path.is_dir():
        _tell_unread(path, chosen, how.remarks)
    seen: set[str] = set()
    for item in items:
        document = item[0]
        if document.id in seen and document.id:
            raise FormatError(f"{path}: the id {ident(document.id)} comes twice; every note needs an id of its own")
        seen.add(document.id)
        yield item
    if not seen:
        told = "".join(f"; {line}" for line in how.remarks.lines())
        raise FormatError(f"{path}: no note in it ({chosen.name}){told}")


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
