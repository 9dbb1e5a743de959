"""IN, OUT and the run's folder are apart: what is written is nothing that is read, now or the next time.

Places are compared by what they are for the system, not by how they are written: links, hard links, `..`, and capitals
on disks that do not tell them apart change nothing.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from elision.errors import FormatError, RunError
from elision.formats.files import walk
from elision.formats.tables.placing import FILES
from elision.formats.tables.source import is_url
from elision.run.local import manifest
from elision.run.local.folder import LOCK, RECEIPTS_FILE, REPORT_FILE
from elision.run.local.quarantine import HELD_FILE

RECORDS = (manifest.NAME, RECEIPTS_FILE, HELD_FILE, FILES, REPORT_FILE, LOCK)
_ELSEWHERE = "write somewhere else"


def check_out(where: str, out: str, others: Iterable[str | Path] = ()) -> None:
    """An error if OUT is, holds, or would become part of what is read: IN, or others such as the key."""
    target = _path(out)
    if target is None or (is_url(out) and is_url(where)):  # two tables are compared by who knows databases
        return
    if (origin := _path(where)) is not None:
        if _same(target, origin):
            raise FormatError(f"{target}: IN and OUT are the same place; {_ELSEWHERE}")
        if _is_within(target, where, origin, folder=target.is_dir() or not target.suffix):
            raise FormatError(f"{target}: OUT lies inside IN, and would be read with it the next time; {_ELSEWHERE}")
        if _below(_root(origin), target):
            raise FormatError(f"{target}: IN lies inside OUT, and would be replaced with it; {_ELSEWHERE}")
        if target.is_file() and any(_same(target, file) for file in _files(origin)):
            raise FormatError(f"{target}: OUT is one of the files of IN, and would be lost; {_ELSEWHERE}")
    for other in others:
        if Path(other).exists() and _below(Path(other), target):
            raise FormatError(f"{target}: OUT is, or holds, a file that this run reads; {_ELSEWHERE}")


def check_folder(where: str, out: str, folder: Path) -> None:
    """An error if the run's folder is part of what is read or of what is written."""
    origin, target = _path(where), _path(out)
    if origin is not None:
        if any(_is_within(folder / name, where, origin) for name in RECORDS):
            raise FormatError(
                f"{folder}: the run's folder lies inside IN, and would be read with it the next time; give another "
                "(--run-folder)"
            )
        if _below(_root(origin), folder):
            raise FormatError(f"{folder}: IN lies inside the run's folder; give another (--run-folder)")
    if target is not None and (_below(folder, target) or _below(target, folder)):
        raise FormatError(f"{folder}: OUT and the run's folder must not lie in each other; give another (--run-folder)")


def same(one: str, other: str) -> bool:
    """Whether two outputs are one."""
    first, second = _path(one), _path(other)
    return one == other if first is None or second is None or is_url(one) or is_url(other) else _same(first, second)


def refuse_same_output(held_of: Path, folder: Path, out: str) -> None:
    """An error if the held notes alone would take the place of all the others."""
    old = manifest.read(held_of)
    there = old is not None and same(old.settings["output"], manifest.without_password(out))
    if there or _same(held_of, folder):
        raise RunError(
            f"--retry-held {held_of}: OUT or the run's folder is the one of that run, whose other notes would be lost; "
            "give another OUT"
        )


def _path(where: str) -> Path | None:
    """Where it lies on this machine's disks; of SQLite, the file."""
    if not is_url(where):
        return Path(where)
    kind, _, rest = where.partition("://")
    name = rest.partition("?")[0].removeprefix("/")
    return Path(name) if kind.partition("+")[0] == "sqlite" and name and name != ":memory:" else None


def _is_within(path: Path, where: str, origin: Path, *, folder: bool = False) -> bool:
    """Whether it lies in the folder that is read, or has a name like the files that are; or, of a folder, files in it
    may have."""
    if origin.exists() or not glob.has_magic(where):
        return origin.is_dir() and _below(path, origin)
    root = _root(origin)
    if not _below(path, root):
        return False
    steps = _real(path).parts[len(_real(root).parts) :]
    pattern = [part.casefold() for part in origin.parts[len(root.parts) :]]
    return _matches(pattern, [step.casefold() for step in steps], folder)


def _matches(pattern: Sequence[str], steps: Sequence[str], folder: bool) -> bool:
    if not steps:
        return folder or not pattern
    if not pattern:
        return False
    if pattern[0] == "**":
        return any(_matches(pattern[1:], steps[at:], folder) for at in range(len(steps) + 1))
    return fnmatchcase(steps[0], pattern[0]) and _matches(pattern[1:], steps[1:], folder)


def _root(origin: Path) -> Path:
    """What is there of it: of a pattern, the folder that it begins from."""
    parts = origin.parts
    at = next((at for at, part in enumerate(parts) if glob.has_magic(part)), len(parts))
    return origin if origin.exists() else Path(*parts[:at])


def _files(origin: Path) -> Iterable[Path]:
    if origin.is_file():
        return [origin]
    if origin.is_dir():
        return walk(origin)
    root = _root(origin)
    return root.glob("/".join(origin.parts[len(root.parts) :]))


def _same(one: Path, other: Path) -> bool:
    try:
        return _real(one) == _real(other) or one.samefile(other)
    except OSError:  # one of them is not there yet
        return False


def _below(path: Path, folder: Path) -> bool:
    """Whether it is this folder, or anywhere in it; it need not be there yet."""
    real = _real(path)
    return any(_same(one, folder) for one in (real, *real.parents))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
