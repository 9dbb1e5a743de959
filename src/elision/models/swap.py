"""A folder that is there whole, the old or the new, and never half.

The new folder is filled beside the old one, forced to the disk, and then put in its place. Linux and macOS can swap
two folders in one step, so even a power cut leaves one of the two. Where that cannot be done (Windows, some network
drives) there is a moment between two renamings: whoever looks then finds no folder, and a power cut just then leaves
the old one beside its place, under a name that `set_aside` finds.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HERE = -100  # AT_FDCWD: paths are meant as any other call means them
_SWAP = 2  # RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS


@contextmanager
def building(folder: Path) -> Iterator[Path]:
    """A hidden neighbour to fill, which takes the folder's place when all went well and is gone if not.

    What stood in the place is removed, so look at it first. A process that is killed leaves its `.part` folder behind.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f"{_prefix(folder)}{secrets.token_hex(8)}.part")
    part.mkdir()
    try:
        yield part
        _sync(part)
        _place(part, folder)
        _sync(folder.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)  # after a swap, this is the old folder


def set_aside(folder: Path) -> list[Path]:
    """Where what stood here may be, if somebody was killed between the two renamings."""
    try:
        return sorted(
            path for path in folder.parent.iterdir() if path.name.startswith(_prefix(folder)) and path.suffix == ".old"
        )
    except OSError:
        return []


def _prefix(folder: Path) -> str:
    return f".{folder.name[:40]}."  # cut, as 255 bytes are the most that a name can have


def _place(new: Path, folder: Path) -> None:
    if not folder.exists():
        new.replace(folder)
    elif not any(folder.iterdir()):
        if os.name == "nt":  # which renames onto no folder, not even an empty one
            folder.rmdir()
        new.replace(folder)
    elif not exchange(new, folder):
        _in_two_steps(new, folder)


def exchange(a: Path, b: Path) -> bool:
    """Swap two folders in one step; False, and nothing done, where system or drive cannot."""
    import ctypes

    name = {"linux": "renameat2", "darwin": "renamex_np"}.get(sys.platform, "")
    call = getattr(ctypes.CDLL(None), name, None) if name else None
    if call is None:
        return False
    one, other = ctypes.c_char_p(os.fsencode(a)), ctypes.c_char_p(os.fsencode(b))
    if name == "renamex_np":
        return bool(call(one, other, ctypes.c_uint(_SWAP)) == 0)
    here = ctypes.c_int(_HERE)
    return bool(call(here, one, here, other, ctypes.c_uint(_SWAP)) == 0)


def _in_two_steps(new: Path, folder: Path) -> None:
    old = new.with_suffix(".old")
    folder.replace(old)
    try:
        new.replace(folder)
    finally:
        if not folder.exists():
            old.replace(folder)
    shutil.rmtree(old, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Force a folder's entries to the disk, where folders can be opened for that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some drives have no such thing
            raise
    finally:
        os.close(handle)
