"""What a run writes down when it begins, so that the same command can go on after anything, and no other can.

It names files by fingerprints and the key by its id. Which shards are done is not in it: their marks say that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from elision.errors import FormatError, RunError
from elision.formats.atomic import writing
from elision.formats.files import parse_json
from elision.formats.tables.source import Shard
from elision.formats.urls import without_password
from elision.run.how import How

NAME = "manifest.json"
VERSION = 1
WORK, FINISH, DONE = "work", "finish", "done"  # shards are made; they are put together; all is there
RETRY, AMEND = "retry", "amend"  # held notes are tried again; what came of them is put into the output
NIGHT, PUT = "night", "put"  # a night works; what came of it is put into the output
_SHOWN = 60


@dataclass
class Manifest:
    """The state of a run, and what must be the same for it to go on."""

    settings: dict[str, str]
    shards: list[Shard]
    state: str = WORK
    begun: str = ""
    seconds: float = 0.0  # of work so far
    counts: dict[str, Any] | None = None  # when all is done
    keyed: bool = False  # the ids are; then shards are written down without names of files and keys of rows
    columns: dict[str, str] = field(default_factory=dict)  # what becomes of each
    remarks: list[str] = field(default_factory=list)  # what was told of columns
    format: str = ""  # of the output
    retry: dict[str, str] | None = None  # the settings with which held notes are tried again
    retries: list[dict[str, Any]] = field(default_factory=list)  # what came of that, each time
    night: dict[str, Any] | None = (
        None  # of nights: digests of what the last one left, and what the next one began with
    )
    nights: list[dict[str, Any]] = field(default_factory=list)  # what came of each
    version: int = VERSION

    def write(self, folder: Path) -> None:
        row = asdict(self)
        if self.keyed:
            row["shards"] = [{name: shard[name] for name in ("start", "rows")} for shard in self.shards]
        with writing(folder / NAME, synced=True) as stream:
            stream.write(json.dumps(row, indent=1).encode() + b"\n")

    def restore(self, shards: list[Shard], folder: Path) -> None:
        """What was not written down of the shards of a run that goes on."""
        if [(one["start"], one["rows"]) for one in shards] != [(one["start"], one["rows"]) for one in self.shards]:
            raise RunError(f"{folder}: the input was changed since the run began; begin anew with --force")
        self.shards = shards


def read(folder: Path) -> Manifest | None:
    """The manifest of a run's folder, None if there is none."""
    path = folder / NAME
    try:
        row = parse_json(path.read_text("utf-8"), str(path))
        if row["version"] == VERSION:
            return Manifest(**row)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from None
    except (FormatError, UnicodeDecodeError, KeyError, TypeError):
        pass
    raise RunError(
        f"{path}: no manifest of this version of elision; give another folder (--state), or remove this one if a "
        "run of yours made it"
    )


def settings(how: How, source: str, fingerprint: str, out: str, rows: int, others: Mapping[str, str]) -> dict[str, str]:
    """All that must be the same, as words that can be shown."""
    columns = {f"column for {name}": _words(value) for name, value in how.columns.as_json().items()}
    return {
        "input": without_password(source),
        "what is in the input": fingerprint,
        "output": without_password(out),
        **columns,
        "policy": how.policy,
        "language": how.language,
        "language of notes that do not tell": how.default_language,
        "rules": _words(how.rules),
        "models": _words(how.models),
        "detectors": _words(how.detectors),
        "longest note": str(how.most),
        "memory": _words(how.memory),
        "dial": "" if how.dial is None else f"{how.dial:g}",
        "effort": how.effort,
        "allow": how.allow,
        "deny": how.deny,
        "rows of a shard": str(rows),
        **others,
        **{f"{name} (its fingerprint)": value for name, value in how.agreed.items()},
    }


# What may be another when held notes are tried again: what finds identifiers and how much a note may take. Not what
# decides on stand-ins, or the notes would no longer fit to the others.
FREE = (
    "language", "language of notes that do not tell", "rules", "models", "detectors", "longest note", "dial", "effort",
    "rows of a shard", "elision (its fingerprint)", "packs (its fingerprint)", "allow", "deny",
    "allow (its fingerprint)", "deny (its fingerprint)",
)  # fmt: skip


# What may be another in each night.
_NIGHTLY = ("input", "what is in the input", "rows of a shard")


def of_all_nights(settings: Mapping[str, str]) -> dict[str, str]:
    """What must be the same every night."""
    return {name: value for name, value in settings.items() if name not in _NIGHTLY}


def refuse_unfit(old: Mapping[str, str], new: Mapping[str, str], folder: Path) -> None:
    """An error if held notes cannot be tried again with these settings."""

    def bound(settings: Mapping[str, str]) -> dict[str, str]:
        free = (*FREE, *(name for name in settings if name.startswith(("rules ", "model "))))
        return {name: value for name, value in settings.items() if name not in free}

    refuse_other(bound(old), bound(new), folder, "begin anew with --force and without --retry-held")


def refuse_other(
    old: Mapping[str, str], new: Mapping[str, str], folder: Path, otherwise: str = "begin anew with --force"
) -> None:
    """An error that says what was changed since the run began, if anything was."""
    changed = [name for name in dict.fromkeys((*old, *new)) if old.get(name, "") != new.get(name, "")]
    if changed:
        told = "; ".join(_change(name, old.get(name, ""), new.get(name, "")) for name in changed)
        raise RunError(
            f"{folder}: a run began here with other settings, and cannot go on with these. Changed: {told}. "
            f"Say what was said then, or {otherwise}"
        )


def _change(name: str, old: str, new: str) -> str:
    if name.endswith("fingerprint)") or name == "what is in the input" or max(len(old), len(new)) > _SHOWN:
        return name if old and new else f"{name}, {'now there' if new else 'now not there'}"
    return f"{name}, was {old or 'none'}, now {new or 'none'}"


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True) if value else ""
