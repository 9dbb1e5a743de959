"""Files and folders, for all formats: exact text in, atomic files out, names that cannot escape."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from elision.errors import FormatError, NotTextError
from elision.formats.format import LEFT_OUT, MEGABYTE, Reading
from elision.formats.kinds import HEAD, refuse_bytes, refuse_text
from elision.showing import ident


def is_url(where: str | Path) -> bool:
    """Whether this is a database's URL, and no path."""
    return "://" in str(where)


def walk(folder: Path, out: list[Path] | None = None) -> list[Path]:
    """All files below a folder, by name. Hidden ones are passed over, and so are links that lead out of the folder,
    which come into `out`; others are followed, but never in a circle."""
    found: list[Path] = []
    seen: set[Path] = set()
    home = folder.resolve()
    for root, folders, names in os.walk(folder, onerror=_unreadable, followlinks=True):
        real = Path(root).resolve()
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        for kind in (folders, names):
            kind[:] = [name for name in kind if not name.startswith(".")]
            outside = {name for name in kind if leads_out(Path(root, name), home)}
            kind[:] = [name for name in kind if name not in outside]
            if out is not None:
                out += [Path(root, name) for name in sorted(outside)]
        found += [Path(root, name) for name in names]
    return sorted(found)


def leads_out(path: Path, home: Path) -> bool:
    """Whether a path is a link to what is not below a folder."""
    return path.is_symlink() and not path.resolve().is_relative_to(home)


def _unreadable(error: OSError) -> None:
    raise FormatError(f"{error.filename}: the folder cannot be read: {error.strerror}")


def is_glob(path: str | Path) -> bool:
    """Whether this is a pattern of names, and no file or folder."""
    return glob.has_magic(str(path)) and not Path(path).exists()


def root_of(path: Path) -> Path:
    """The folder from which the names of files count: of a pattern what stands before the first part with a mark."""
    if not is_glob(path):
        return path
    return Path(*path.parts[: next(at for at, part in enumerate(path.parts) if glob.has_magic(part))])


def matching(path: Path, out: list[Path] | None = None) -> list[Path]:
    """The files that a pattern asks for, by name. Links that lead out of the folder before the first mark come into
    `out`."""
    root = root_of(path)
    home, below = root.resolve(), path.parts[len(root.parts) :]
    found = sorted(file for file in root.glob("/".join(below)) if file.is_file())
    inside = [file for file in found if file.resolve().is_relative_to(home)]
    if out is not None:
        out += sorted(set(found) - set(inside))
    return inside


def files_below(path: Path, *suffixes: str) -> list[Path]:
    """The files with one of the suffixes at or below a path or of a pattern, by name; if there is none, an error."""
    if path.is_file():
        return [path]
    if is_glob(path):
        files = matching(path)
        if others := [file for file in files if not file.name.lower().endswith(suffixes)]:
            raise FormatError(
                f"{path}: {len(others):,} of {len(files):,} files are of another kind (they do not end in "
                f"{' or '.join(suffixes)}); give a pattern of files of one kind"
            )
        return files
    if not path.exists():
        raise FormatError(f"{path}: there is no such file or folder")
    found = [file for file in walk(path) if file.name.lower().endswith(suffixes)]
    if not found:
        raise FormatError(f"{path}: no file here ends in {' or '.join(suffixes)}; is this the right folder?")
    return found


def id_of(file: Path, root: Path) -> str:
    """The id of a note that has a file of its own: its path below the root, without the suffix, with /."""
    name = name_below(file, root)
    return name[: len(name) - len(file.suffix)]


def name_below(file: Path, root: Path) -> str:
    """The path of a file below what is read, with /: a folder, a pattern, or the file itself."""
    return file.name if file == root else file.relative_to(root_of(root)).as_posix()


def file_for(root: Path, id: str, suffix: str) -> Path:
    """Where the note with this id is written below `root`; ids that would lead elsewhere are refused."""
    parts = id.split("/")
    if (
        not id
        or "\0" in id
        or "\\" in id
        or any(part in ("", ".", "..") or not part.isprintable() for part in parts)
        or ":" in parts[0]
    ):
        raise FormatError(f"the id {ident(id)!r} cannot be a file name; give the notes other ids")
    return root.joinpath(*parts[:-1], parts[-1] + suffix)


def read_text(file: Path, how: Reading) -> str:
    """A file's text with every character as it stands: no newline or byte-order mark is changed."""
    data = read_bytes(file, how)
    refuse_bytes(file, data, how.encoding)
    return decoded(file, data, how)


def decoded(file: Path, data: bytes, how: Reading) -> str:
    try:
        return data.decode(how.encoding)
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{file}: byte {error.start:,} is not {how.encoding}; if the file has another encoding, say so "
            "(--encoding cp1252, --encoding utf-16)"
        ) from None
    except LookupError:
        raise FormatError(f"{how.encoding!r} is not an encoding that Python knows; try utf-8 or cp1252") from None


def read_note(file: Path, how: Reading) -> str:
    """The text of a file that holds one note; one that is no plain text is an error."""
    text = read_text(file, how)
    refuse_text(file, text)
    return text


@contextmanager
def leaving_out(file: Path, root: Path, how: Reading) -> Iterator[None]:
    """A file of a folder that is no text stops nothing, where `how` says so: it is left out, with a remark."""
    try:
        yield
    except NotTextError:
        if not how.leave_out or file == root:
            raise
        how.remarks.add(LEFT_OUT, file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name)


def read_bytes(file: Path, how: Reading) -> bytes:
    try:
        size = file.stat().st_size
        if size > how.max_bytes:
            raise FormatError(
                f"{file}: {size / MEGABYTE:,.3g} MB is more than the limit of {how.max_bytes / MEGABYTE:,.3g} MB "
                "for one note; raise it if that is meant (--max-mb)"
            )
        return file.read_bytes()
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def read_lines(file: Path, how: Reading, *, exact: bool = False) -> Iterator[tuple[int, str]]:
    """Numbered lines of a line-based file (JSONL), one at a time, split at \\n only; blank ones are passed over, and so
    is a byte-order mark, but where they must be `exact`."""
    if how.encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32", "utf16", "utf32")):
        raise FormatError(
            f"{file}: lines are read in encodings whose line end is one byte; convert the file to UTF-8 first"
        )
    try:
        with file.open("rb") as stream:
            number = 0
            refuse_bytes(file, stream.read(HEAD), how.encoding)
            stream.seek(0)
            while line := stream.readline(how.max_bytes + 1):
                number += 1
                if len(line) > how.max_bytes:
                    raise FormatError(
                        f"{file}:{number}: the line is longer than the limit of {how.max_bytes / MEGABYTE:,.3g} MB; "
                        "raise it if that is meant (--max-mb)"
                    )
                try:
                    text = line.decode(how.encoding)
                except UnicodeDecodeError as error:
                    raise FormatError(
                        f"{file}:{number}: byte {error.start:,} of the line is not {how.encoding}; "
                        "if the file has another encoding, say so (--encoding cp1252)"
                    ) from None
                except LookupError:
                    raise FormatError(
                        f"{how.encoding!r} is not an encoding that Python knows; try utf-8 or cp1252"
                    ) from None
                if number == 1 and not exact:
                    text = text.removeprefix("\ufeff")
                if exact or text.strip():
                    yield number, text
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):  # the second would silently take the place of the first
        raise ValueError("a key comes twice in one object")
    return row


JSON = json.JSONDecoder(object_pairs_hook=_each_key_once)


def parse_json(text: str, where: str) -> Any:
    """JSON, or an error that says where it breaks off without showing it."""
    try:
        return JSON.decode(text.rstrip())  # so that a line that breaks off does so in its own line
    except json.JSONDecodeError as error:
        raise FormatError(
            f"{where}: not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise FormatError(f"{where}: JSON nested too deeply") from None
    except ValueError as error:  # also a number of thousands of digits
        raise FormatError(f"{where}: not valid JSON: {error}") from None


def read_jsonl(file: Path, how: Reading) -> Iterator[tuple[str, dict[str, Any]]]:
    """(where, object) for each line of a JSONL file."""
    for number, line in read_lines(file, how):
        where = f"{file}:{number}"
        row = parse_json(line, where)
        if not isinstance(row, dict):
            raise FormatError(f"{where}: expected a JSON object on every line")
        yield where, row
