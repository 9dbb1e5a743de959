"""IN and OUT are apart: what is written is nothing that is read, now or the next time.

Places are compared by what they are for the system, not by how they are written: links, hard links, `..`, and capitals
on disks that do not tell them apart change nothing.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from elision.errors import FormatError
from elision.formats.files import is_url, root_of, walk

_ELSEWHERE = "write somewhere else"


def check_out(where: str, out: str, others: Iterable[str | Path] = ()) -> None:
    """An error if OUT is, holds, or would become part of what is read: IN, or others such as the key."""
    target = path_of(out)
    if target is None or (is_url(out) and is_url(where)):  # two tables are compared by who knows databases
        return
    if (origin := path_of(where)) is not None:
        if same_place(target, origin):
            raise FormatError(f"{target}: IN and OUT are the same place; {_ELSEWHERE}")
        if is_within(target, where, origin, folder=target.is_dir() or not target.suffix):
            raise FormatError(f"{target}: OUT lies inside IN, and would be read with it the next time; {_ELSEWHERE}")
        if is_below(root_of(origin), target):
            raise FormatError(f"{target}: IN lies inside OUT, and would be replaced with it; {_ELSEWHERE}")
        if target.is_file() and any(same_place(target, file) for file in _files(origin)):
            raise FormatError(f"{target}: OUT is one of the files of IN, and would be lost; {_ELSEWHERE}")
    for other in others:
        if Path(other).exists() and is_below(Path(other), target):
            raise FormatError(f"{target}: OUT is, or holds, a file that this run reads; {_ELSEWHERE}")


def same(one: str, other: str) -> bool:
    """Whether two outputs are one."""
    first, second = path_of(one), path_of(other)
    return (
        one == other if first is None or second is None or is_url(one) or is_url(other) else same_place(first, second)
    )


def path_of(where: str) -> Path | None:
    """Where it lies on this machine's disks; of SQLite, the file."""
    if not is_url(where):
        return Path(where)
    kind, _, rest = where.partition("://")
    name = rest.partition("?")[0].removeprefix("/")
    return Path(name) if kind.partition("+")[0] == "sqlite" and name and name != ":memory:" else None


def is_within(path: Path, where: str, origin: Path, *, folder: bool = False) -> bool:
    """Whether it lies in the folder that is read, or has a name like the files that are; or, of a folder, files in it
    may have."""
    if origin.exists() or not glob.has_magic(where):
        return origin.is_dir() and is_below(path, origin)
    root = root_of(origin)
    if not is_below(path, root):
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


def _files(origin: Path) -> Iterable[Path]:
    if origin.is_file():
        return [origin]
    if origin.is_dir():
        return walk(origin)
    root = root_of(origin)
    return root.glob("/".join(origin.parts[len(root.parts) :]))


def same_place(one: Path, other: Path) -> bool:
    try:
        return _real(one) == _real(other) or one.samefile(other)
    except OSError:  # one of them is not there yet
        return False


def is_below(path: Path, folder: Path) -> bool:
    """Whether it is this folder, or anywhere in it; it need not be there yet."""
    real = _real(path)
    return any(same_place(one, folder) for one in (real, *real.parents))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
