"""Plain text: one .txt file a note, every byte as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from elision.document import Document
from elision.formats.atomic import write_text
from elision.formats.files import file_for, files_below, id_of, leaving_out, read_note
from elision.formats.format import Format, Holds, Reading, Remarks, Sample


def read(path: Path, how: Reading) -> Iterator[Document]:
    for file in files_below(path, ".txt"):
        with leaving_out(file, path, how):
            yield Document(read_note(file, how), id_of(file, path))


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:  # noqa: ARG001 (nothing to remark)
    for document in documents:
        write_text(file_for(path, document.id, ".txt"), document.text)


def sniff(sample: Sample) -> str:
    if not all(name.endswith(".txt") for name in sample.names):
        return ""
    if sample.path.is_file():
        return "" if sample.path.with_suffix(".ann").exists() else "a .txt file"
    return ".txt files only"


FORMATS = (
    Format(
        "text",
        "Plain text files",
        suffix=".txt",
        folder=True,
        holds=Holds(spans=False),
        read=read,
        write=write,
        sniff=sniff,
    ),
)
