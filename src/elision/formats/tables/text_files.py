"""A folder or a glob of files of plain text: a row is a file. Its id is its path below the folder, without `.txt`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from elision.errors import FormatError
from elision.formats.files import decoded, read_bytes
from elision.formats.format import Reading
from elision.formats.kinds import kind_of_bytes, unread
from elision.formats.tables.source import (
    NOT_UTF_8,
    UNREADABLE_ROW,
    Cells,
    Options,
    Shard,
    batches_of,
    chosen_fields,
    of_files,
    strings,
    whole,
)

SUFFIX = ".txt"
FILE_UNREADABLE = "file-unreadable"  # it is not there, may not be read, or is far too large


@dataclass(frozen=True)
class TextFiles:
    """Files of plain text. A shard lists the files that are in it."""

    where: str
    root: Path
    files: tuple[str, ...]  # relative to the root, with /
    options: Options
    format = "text"
    remarks = ()

    @property
    def schema(self) -> Any:
        return strings(("id", "text"))

    @property
    def rows(self) -> int:
        return len(self.files)

    @cached_property
    def fingerprint(self) -> str:
        return of_files(self.root, (self.root / file for file in self.files), "text", self.options.encoding)

    def shards(self, rows: int) -> list[Shard]:
        return [
            {"start": start, "rows": len(files), "files": files}
            for start in range(0, len(self.files), rows)
            for files in [list(self.files[start : start + rows])]
        ]

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        schema = chosen_fields(self.schema, names)
        how = Reading(self.options.encoding, self.options.max_bytes)
        with_text = "text" in schema.names
        rows = (
            self._row(file, number, how, with_text) for number, file in enumerate(shard["files"], shard["start"] + 1)
        )
        return whole(batches_of(rows, schema, self.where), shard, self.where)

    def _row(self, file: str, number: int, how: Reading, with_text: bool) -> Cells:
        """A note; if its file cannot be read as text, why it is held."""
        row = {"id": id_of(file), "text": None}
        if not with_text:
            return row
        try:
            return row | {"text": _text(self.root / file, how)}
        except FormatError:
            return row | {UNREADABLE_ROW: f"{self._why(self.root / file, how)} {number}"}

    @staticmethod
    def _why(file: Path, how: Reading) -> str:
        try:
            read_bytes(file, how)
        except FormatError:
            return FILE_UNREADABLE
        return NOT_UTF_8

    def __getstate__(self) -> dict[str, Any]:
        """Workers are told the files by their shards; a list of millions need not go along."""
        return {"where": self.where, "root": self.root, "files": (), "options": self.options}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _text(file: Path, how: Reading) -> str:
    """The text of a file; of one that is none, what holds its row, so that the others go on."""
    data = read_bytes(file, how)
    kind = kind_of_bytes(data, how.encoding)
    return unread(kind) if kind else decoded(file, data, how)


def open_files(where: str, root: Path, files: Sequence[Path], options: Options) -> TextFiles:
    _refuse_mixed(where, files)
    names = tuple(file.relative_to(root).as_posix() for file in files)
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise FormatError(f"{where}: the name of a file is not UTF-8: {name.encode(errors='replace')!r}") from None
    return TextFiles(where, root, names, options)


def _refuse_mixed(where: str, files: Sequence[Path]) -> None:
    """A folder of notes with other files beside them: to read them would be wrong, as to pass them over."""
    endings = {file.suffix.lower() for file in files}
    if Path(where).is_dir() and SUFFIX in endings and len(endings) > 1:
        others = ", ".join(sorted(ending or "no ending" for ending in endings - {SUFFIX}))
        raise FormatError(
            f"{where}: beside {SUFFIX} there are files of other kinds ({others}); say which are notes with a glob: "
            f"'{where}/**/*.txt'"
        )


def id_of(file: str) -> str:
    """The id of a file by its path below the root; all endings but the usual one stay."""
    return file.removesuffix(SUFFIX) if len(file.rpartition("/")[2]) > len(SUFFIX) else file


def suffix_of(id: str, root: Path | None) -> str:
    """What the file of a note has behind its id: nothing if that was a whole name below `root`, else the usual."""
    return "" if root is not None and not (root / (id + SUFFIX)).exists() and (root / id).is_file() else SUFFIX
