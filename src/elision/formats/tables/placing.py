"""How an output takes its place: in one step, with nothing in it but what this run made.

The new output is made in a hidden folder beside its place, `.NAME.….part`, and swapped with what stands there. Until
then the earlier output is whole; afterwards it is gone, and with it every note that this run holds. A folder is only
replaced if all of its files were written by the run whose records lie beside it, which keeps a list of them.

A note in the staging folder says what is being done, so that a run that was killed at any moment goes on. It knows the
output by its number in the file system, which no rename changes.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elision.errors import FormatError
from elision.formats.atomic import sync_folder, told, writing
from elision.models.swap import exchange

FILES = "files.jsonl"  # in the run's folder: where its output is, and the name of each file in it
_NOTE, _EARLIER = "placing.json", "earlier"


@dataclass(frozen=True)
class Placing:
    """An output and its place. `staging` lies in the run's folder."""

    target: Path
    staging: Path
    folder: bool  # whether the output is a folder
    force: bool = False

    def check(self) -> None:
        """An error if this run may not write there."""
        target = self.target
        if target.is_symlink():
            raise FormatError(f"{target}: OUT is a symbolic link, which is not followed; give the place it leads to")
        if not os.path.lexists(target) or _is_placed(_noted(self.staging)):
            return
        if not (target.is_dir() or target.is_file()):
            raise FormatError(f"{target}: this is neither a file nor a folder; choose another place")
        if target.is_dir() and not self.folder:
            raise FormatError(f"{target}: this is a folder, and one file is written; add a name, such as notes.parquet")
        if target.is_file() and self.folder:
            raise FormatError(f"{target}: notes are written into a folder, and this is a file; choose another place")
        if target.is_dir() and os.path.ismount(target):
            raise FormatError(
                f"{target}: a disk is mounted here, so it cannot be swapped; add a name: {target / 'out'}"
            )
        if target.is_dir() and not any(target.iterdir()):
            return
        if not self.force:
            raise FormatError(
                f"{target}: something is there already; choose another place, or --force to write over it"
            )
        if target.is_dir() and (others := len(set(files_in(target)) - self._earlier())):
            files = "a file" if others == 1 else f"{others:,} files"
            raise FormatError(
                f"{target}: has {files} not written by the run of {self.staging.parent}, so even --force does not "
                "replace it; move them elsewhere, remove the folder yourself, or choose another place"
            )

    def _earlier(self) -> set[str]:
        """The files of the output that the last run put here."""
        try:
            head, *lines = (self.staging.parent / FILES).read_text("utf-8").splitlines()
            is_this = Path(json.loads(head)["output"]) == self.target.resolve()
            return {json.loads(line) for line in lines} if is_this else set()
        except (OSError, ValueError, KeyError, TypeError):
            return set()

    def put(self, make: Callable[[Path], None]) -> None:
        """Have the output made, and put it in its place; nothing if that was done."""
        if settle(self.staging):
            return
        with told(self.target):
            self.check()
            self.target.parent.mkdir(parents=True, exist_ok=True)
            beside = self.target.absolute().with_name(f"{_prefix(self.target)}{secrets.token_hex(8)}.part")
            try:
                self._note(beside, None)
                beside.mkdir(0o700)
                made = beside / self.target.name
                make(made)
                self._settle_down(made)
                self._note(beside, made)
                self.check()  # the work may have taken hours
                _swap(made, self.target, beside / _EARLIER)
                sync_folder(self.target.absolute().parent)
            finally:
                settle(self.staging)

    def _settle_down(self, made: Path) -> None:
        """All of it on the disk, open to whom the earlier output was open to, and its files noted."""
        if self.target.exists():
            shutil.copymode(self.target, made)
        if not self.folder:
            return
        with writing(self.staging / FILES, synced=True) as stream:
            stream.write(json.dumps({"output": str(self.target.resolve())}).encode() + b"\n")
            stream.writelines(json.dumps(name).encode() + b"\n" for name in sorted(files_in(made)))
        if hasattr(os, "sync"):
            os.sync()  # once, and not for each of a million files

    def _note(self, beside: Path, made: Path | None) -> None:
        row = {"target": str(self.target.absolute()), "beside": str(beside), "is": _number(made) if made else None}
        with writing(self.staging / _NOTE, synced=True) as stream:
            stream.write(json.dumps(row).encode())


def settle(staging: Path) -> bool:
    """Put in order what a run has left beside its output; whether that output is in its place."""
    note = _noted(staging)
    if note is None:
        return False
    target, beside = Path(note["target"]), Path(note["beside"])
    placed = _is_placed(note)
    with told(target):
        earlier = beside / _EARLIER
        if not placed and os.path.lexists(earlier):  # stopped between two renamings
            if os.path.lexists(target):
                raise FormatError(f"{target}: something new is there, and what was there before is {earlier}; move one")
            earlier.rename(target)
        _remove(beside, target)
        if not placed:
            (staging / _NOTE).unlink()
        elif (staging / FILES).exists():
            (staging / FILES).replace(staging.parent / FILES)
    return placed


def _noted(staging: Path) -> dict[str, Any] | None:
    try:
        return dict(json.loads((staging / _NOTE).read_text("utf-8")))
    except FileNotFoundError:
        return None


def _is_placed(note: dict[str, Any] | None) -> bool:
    return note is not None and note["is"] is not None and _number(Path(note["target"])) == note["is"]


def _number(path: Path) -> list[int] | None:
    """What names a file or a folder for the system, whatever it is called."""
    try:
        stat = path.lstat()
    except OSError:
        return None
    return [stat.st_dev, stat.st_ino]


def _prefix(target: Path) -> str:
    return f".{target.name[:40]}."


def _remove(beside: Path, target: Path) -> None:
    """Take away the folder in which the output was made, and with it the earlier one."""
    is_ours = beside.parent == target.parent and beside.name.startswith(_prefix(target)) and beside.suffix == ".part"
    if is_ours and beside.is_dir():
        shutil.rmtree(beside)


def _swap(made: Path, target: Path, earlier: Path) -> None:
    if not target.is_dir():
        made.replace(target)
    elif not exchange(made, target):  # some systems have no such thing; `settle` knows what to do in between
        target.rename(earlier)
        made.rename(target)


def files_in(folder: Path) -> Iterator[str]:
    """All that is in a folder but folders, links to folders too, by its path below it."""
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                else:
                    yield Path(entry.path).relative_to(folder).as_posix()
