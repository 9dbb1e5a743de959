"""The run's folder is apart from IN and OUT, and a run of held notes from the run that held them."""

from __future__ import annotations

from pathlib import Path

from elision.errors import FormatError, RunError
from elision.formats.apart import is_below, is_within, path_of, root_of, same, same_place
from elision.formats.tables.placing import FILES
from elision.run.local import manifest
from elision.run.local.folder import LOCK, RECEIPTS_FILE, REPORT_FILE
from elision.run.local.quarantine import HELD_FILE

RECORDS = (manifest.NAME, RECEIPTS_FILE, HELD_FILE, FILES, REPORT_FILE, LOCK)


def check_folder(where: str, out: str, folder: Path) -> None:
    """An error if the run's folder is part of what is read or of what is written."""
    origin, target = path_of(where), path_of(out)
    if origin is not None:
        if any(is_within(folder / name, where, origin) for name in RECORDS):
            raise FormatError(
                f"{folder}: the run's folder lies inside IN, and would be read with it the next time; give another "
                "(--run-folder)"
            )
        if is_below(root_of(origin), folder):
            raise FormatError(f"{folder}: IN lies inside the run's folder; give another (--run-folder)")
    if target is not None and (is_below(folder, target) or is_below(target, folder)):
        raise FormatError(f"{folder}: OUT and the run's folder must not lie in each other; give another (--run-folder)")


def refuse_same_output(held_of: Path, folder: Path, out: str) -> None:
    """An error if the held notes alone would take the place of all the others."""
    old = manifest.read(held_of)
    there = old is not None and same(old.settings["output"], manifest.without_password(out))
    if there or same_place(held_of, folder):
        raise RunError(
            f"--retry-held {held_of}: OUT or the run's folder is the one of that run, whose other notes would be lost; "
            "give another OUT"
        )
