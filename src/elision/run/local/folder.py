"""The folder of a run's records. Nothing in it is changed or taken away that no run of elision has made.

It is apart from IN and OUT.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from elision.errors import ElisionError, FormatError, RunError
from elision.formats.apart import is_below, is_within, path_of
from elision.formats.files import root_of
from elision.formats.tables.placing import FILES
from elision.run.local import manifest
from elision.run.local.locks import sole
from elision.run.local.workers import WORKERS_LOCK

LOCK, STAGING = "run.lock", "staging"
RECEIPTS_FILE, HELD_FILE, REPORT_FILE = "receipts.jsonl", "quarantine.jsonl", "report.html"
RECEIPTS_TABLE = "receipts"  # instead of the file, of a run in Spark: a folder of Parquet
STORE = "nights.db"  # what nights keep of each row
_NEXT = "put that right (of a full disk: make room), and the same command goes on"
_MARK = "made-by-elision"  # in a staging folder
_RECORDS = "|".join(re.escape(name) for name in (manifest.NAME, RECEIPTS_FILE, HELD_FILE, REPORT_FILE, FILES, STORE))
_PART = re.compile(rf"\.(?:{_RECORDS})(?:\.\d+)?\.part")  # of a run that was killed while it wrote


def receipts_in(folder: Path) -> Path:
    """The receipts of a run: a file, or a table."""
    table = folder / RECEIPTS_TABLE
    return table if table.is_dir() else folder / RECEIPTS_FILE


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Have the folder, and no other run beside this one. If nothing was begun in it, it goes again."""
    there = folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = folder / LOCK
        lock.touch()
    except OSError as error:
        raise RunError(f"{folder}: cannot be written: {error.strerror}; choose another place for the output") from None
    try:
        with sole(lock, str(folder)):
            yield
    finally:
        if not there and not any(path.name not in (LOCK, WORKERS_LOCK) for path in folder.iterdir()):
            shutil.rmtree(folder)


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """What the system says when it cannot write, and what next."""
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise RunError(f"{folder}: cannot be written: {why}; {_NEXT}") from None
    except ElisionError as error:
        if "cannot be written" in str(error) and "the same command" not in str(error):
            error.args = (f"{error}; {_NEXT}",)
        raise


def check(folder: Path) -> None:
    """An error if this is another's folder: one that is not empty and in which no run has begun."""
    try:
        names = {path.name for path in folder.iterdir()}
    except FileNotFoundError:
        return
    except OSError as error:
        raise RunError(f"{folder}: cannot be the run's folder: {error.strerror}; give another --state") from None
    if RECEIPTS_TABLE in names:
        raise RunError(f"{folder}: a run in Spark has made this folder; give another OUT, or another folder (--state)")
    if manifest.NAME in names:
        manifest.read(folder)
    elif any(name not in (LOCK, WORKERS_LOCK, STAGING) and not _PART.fullmatch(name) for name in names):
        raise RunError(
            f"{folder}: the run's folder is not empty, and no run of elision has made it; give an empty or a new "
            "folder (--state)"
        )
    if STAGING in names:
        _check_staging(folder)


def _check_staging(folder: Path) -> None:
    staging = folder / STAGING
    if staging.is_symlink() or not staging.is_dir() or (any(staging.iterdir()) and not (staging / _MARK).exists()):
        raise RunError(
            f"{staging}: no run of elision has made this, and a run needs the place; move it, or give another "
            "folder (--state)"
        )


def new_staging(folder: Path) -> Path:
    """An empty staging folder in place of the one that may be there."""
    remove_staging(folder)
    staging = folder / STAGING
    staging.mkdir()
    (staging / _MARK).touch()
    return staging


def remove_staging(folder: Path) -> None:
    """Take a staging folder away, its mark last."""
    staging = folder / STAGING
    if not os.path.lexists(staging):
        return
    _check_staging(folder)
    for path in staging.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != _MARK:
            path.unlink()
    (staging / _MARK).unlink(missing_ok=True)
    staging.rmdir()


def tidy(folder: Path) -> None:
    """Take away what only a run at work needs."""
    remove_staging(folder)
    (folder / WORKERS_LOCK).unlink(missing_ok=True)


def remove_parts(folder: Path) -> None:
    """Take away records that a run was writing when it was killed."""
    for path in folder.iterdir():
        if _PART.fullmatch(path.name):
            path.unlink()


RECORDS = (manifest.NAME, RECEIPTS_FILE, HELD_FILE, FILES, REPORT_FILE, LOCK, STORE)


def check_folder(where: str, out: str, folder: Path) -> None:
    """An error if the run's folder is part of what is read or of what is written."""
    origin, target = path_of(where), path_of(out)
    if origin is not None:
        if any(is_within(folder / name, where, origin) for name in RECORDS):
            raise FormatError(
                f"{folder}: the run's folder lies inside IN, and would be read with it the next time; give another "
                "(--state)"
            )
        if is_below(root_of(origin), folder):
            raise FormatError(f"{folder}: IN lies inside the run's folder; give another (--state)")
    if target is not None and (is_below(folder, target) or is_below(target, folder)):
        raise FormatError(f"{folder}: OUT and the run's folder must not lie in each other; give another (--state)")
