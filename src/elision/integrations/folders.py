"""Files inside folders that somebody allowed, for a program that is not trusted with more.

A path counts by what it leads to, links followed. What is read must be an ordinary file of a bounded size; what is
written must be new, and is there as a whole or not at all. No error quotes a path: a name of a file may name somebody.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path

from elision.errors import FormatError

LONGEST = 4096  # characters of a path


class Folders:
    """The folders in which files may be read and made; none, unless they are named."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = []
        for folder in folders:
            if not folder.is_dir():
                raise FormatError(f"--folder {folder}: is no folder; give one that is there")
            self._folders.append(folder.resolve())

    def __bool__(self) -> bool:
        return bool(self._folders)

    def holds(self, path: Path) -> bool:
        """Whether a path leads into one of them."""
        return any(path.resolve().is_relative_to(folder) for folder in self._folders)

    def read(self, what: str, path: str, most: int) -> bytes:
        """What is in a file; `what` says in an error which argument named it."""
        found = self._inside(what, path)
        try:
            # not a link that was put there since, and no pipe that nobody writes to
            one = os.open(found, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise FormatError(f"{what}: cannot be read: {error.strerror}") from None
        with os.fdopen(one, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise FormatError(f"{what}: is no ordinary file; give a text file")
            raw = stream.read(most + 1)
        if len(raw) > most:
            raise FormatError(f"{what}: is larger than {most:,} bytes; start the server with a larger --max-mb")
        return raw

    def write(self, what: str, path: str, data: bytes) -> None:
        """Make a new file, which only its owner may read."""
        target = self._inside(what, path)
        if target.exists():
            raise FormatError(f"{what}: is there already, and nothing is written over; name a new file")
        part = target.with_name(f".{secrets.token_hex(8)}.part")
        try:
            one = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                with os.fdopen(one, "wb") as stream:
                    stream.write(data)
                    stream.flush()
                    os.fsync(stream.fileno())
                os.link(part, target)  # which fails if something is there by now
            finally:
                part.unlink()
        except OSError as error:
            raise FormatError(f"{what}: cannot be written: {error.strerror}") from None

    def check_new(self, what: str, path: str) -> None:
        """Refuse a file that could not be made, before the work."""
        target = self._inside(what, path)
        if target.exists():
            raise FormatError(f"{what}: is there already, and nothing is written over; name a new file")
        if not target.parent.is_dir():
            raise FormatError(f"{what}: its folder is not there; name a file in one that is")

    def _inside(self, what: str, path: str) -> Path:
        """Where a path leads; a relative one is of the first folder in which it is, or could be."""
        if not self._folders:
            raise FormatError(f"{what}: no folder is allowed; the server needs --folder FOLDER to work on files")
        if not path or len(path) > LONGEST or "\0" in path:
            raise FormatError(f"{what}: is no path of a file")
        tries = [folder / path for folder in self._folders]
        try:
            found = [one.resolve() for one in tries]
        except (OSError, RuntimeError):  # links in a circle, names that are too long
            raise FormatError(f"{what}: is no path of a file") from None
        inside = [one for one in found if any(one.is_relative_to(folder) for folder in self._folders)]
        if not inside:
            raise FormatError(f"{what}: lies outside the folders that are allowed (--folder)")
        return next((one for one in inside if one.exists()), inside[0])
