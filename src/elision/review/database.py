"""The SQLite file of a review: how it is made, and that it is one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from elision.errors import ReviewError

NAME = "review.sqlite"
VERSION = 2
_APPLICATION = 0x656C7276  # "elrv"
_SCHEMA = """
CREATE TABLE notes (
  position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, language TEXT NOT NULL,
  patient TEXT NOT NULL, predicted TEXT NOT NULL, more TEXT NOT NULL, risk REAL NOT NULL,
  anew INTEGER NOT NULL DEFAULT 0 -- how often it was predicted anew
);
CREATE TABLE log (
  number INTEGER PRIMARY KEY AUTOINCREMENT, note INTEGER NOT NULL REFERENCES notes (position),
  reviewer TEXT NOT NULL, author TEXT NOT NULL, kind TEXT NOT NULL, what TEXT NOT NULL, at TEXT NOT NULL,
  part INTEGER NOT NULL
);
CREATE INDEX log_of ON log (reviewer, note, number);
CREATE TRIGGER log_stays BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
CREATE TRIGGER log_is_kept BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'decisions are never deleted'); END;
"""


def connected(folder: Path, *, make: bool) -> sqlite3.Connection:
    """The file in a folder, for its owner alone; if there is none, a new one, unless `make` is false."""
    file = folder / NAME
    if not file.is_file() and not make:
        raise ReviewError(f"{folder}: no review is here; make one with: elision review NOTES")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))  # what SQLite lays beside it has the same rights
        folder.chmod(0o700)
        file.chmod(0o600)
    except OSError as error:
        raise ReviewError(f"{folder}: cannot be made or opened: {error.strerror}; give another with --out") from None
    database = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False)
    try:
        _prepare(database, file)
    except sqlite3.DatabaseError as error:
        database.close()
        kind = type(error).__name__
        raise ReviewError(f"{file}: is no review, is damaged or in use ({kind}); take it from your backup") from None
    except ReviewError:
        database.close()
        raise
    return database


def _prepare(database: sqlite3.Connection, file: Path) -> None:
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("BEGIN IMMEDIATE")  # two that open a new review at once: one makes it
    ((version,),) = database.execute("PRAGMA user_version").fetchall()
    ((application,),) = database.execute("PRAGMA application_id").fetchall()
    ((tables,),) = database.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
    if (version, application, tables) == (0, 0, 0):
        for statement in _statements(_SCHEMA):
            database.execute(statement)
        database.execute(f"PRAGMA application_id = {_APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")
    elif (version, application) != (VERSION, _APPLICATION):
        database.execute("ROLLBACK")
        raise ReviewError(f"{file}: is no review of this version of elision; open it with the version that made it")
    database.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: to run a script would end the transaction."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
