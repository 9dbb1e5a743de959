"""Where a review is kept: the notes with what was predicted, and all decisions, in one SQLite file.

The file holds the notes as they are, so it lies in a folder for its owner alone. Decisions are only ever added: the
file itself refuses to change or delete one. What was acknowledged is on the disk, whatever happens to the process.

A reviewer's pass is hers alone. The decisions of adjudicators are one pass that they share, called `ADJUDICATOR`.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import ReviewError
from elision.formats.jsonl import document_of, row_of
from elision.review.database import NAME, connected
from elision.review.marks import Decision, Mark, Sheet, predicted, replay, standing

ADJUDICATOR = "adjudicator"


class StaleError(Exception):
    """A decision on a note that was changed since it was shown."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A note as the queue knows it."""

    position: int
    id: str
    patient: str
    language: str
    risk: float
    size: int


@dataclass(frozen=True, slots=True)
class Pass:
    """What one reviewer has made of a note. `version` is the number of her last decision on it; 0 if there is none."""

    sheet: Sheet
    version: int


class Store:
    """A review. Threads may share it, and so may processes."""

    def __init__(self, database: sqlite3.Connection, folder: Path) -> None:
        self._database, self.folder = database, folder
        self._lock = threading.RLock()
        self._kept: dict[tuple[str, int], Pass] = {}  # of a note that is begun, what was worked out last

    @classmethod
    def open(cls, path: Path, *, make: bool = True) -> Store:
        """The review in a folder, such as `notes.review`; if there is none, a new one, unless `make` is false."""
        folder = path.parent if path.name == NAME else path
        return cls(connected(folder, make=make), folder)

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Notes

    def add(self, documents: Iterable[Document], risks: Sequence[float] | None = None) -> int:
        """Take notes in, with what was predicted in them; how many are new. A note that is there already stays as it
        is, and must have the same text."""
        rows = list(documents)
        if risks is not None and len(risks) != len(rows):
            raise ValueError(f"{len(rows)} notes and {len(risks)} risks")
        new = 0
        with self._writing():
            for document, risk in zip(rows, risks or [0.0] * len(rows), strict=True):
                if not document.id:
                    raise ReviewError("a note has no ID, and decisions must know their note; give each note an ID")
                if (text := self._text_of(document.id)) is not None:
                    _same_text(document, text)
                    continue
                self._database.execute(
                    "INSERT INTO notes (id, text, language, patient, predicted, more, risk) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (document.id, document.text, document.language, document.patient, *_columns(document), risk),
                )
                new += 1
        return new

    def repredict(self, documents: Iterable[Document], risks: Sequence[float] | None = None) -> int:
        """Replace what was predicted in notes that nobody has begun; in how many. Others stay as they are."""
        rows = list(documents)
        done = 0
        with self._writing():
            for at, document in enumerate(rows):
                text = self._text_of(document.id)
                if text is None:
                    continue
                _same_text(document, text)
                predicted, more = _columns(document)
                done += self._database.execute(
                    "UPDATE notes SET predicted = ?, more = ?, risk = COALESCE(?, risk), anew = anew + 1 WHERE id = ? "
                    "AND NOT EXISTS (SELECT 1 FROM log WHERE log.note = notes.position)",
                    (predicted, more, risks[at] if risks is not None else None, document.id),
                ).rowcount
        return done

    def notes(self) -> Iterator[Document]:
        """All notes with what was predicted, in order."""
        for position in self.positions():
            yield self.note(position)

    def note(self, position: int) -> Document:
        """One note with what was predicted."""
        for row in self._rows(
            "SELECT id, text, language, patient, predicted, more FROM notes WHERE position = ?", position
        ):
            id, text, language, patient, spans, more = row
            given = {"id": id, "text": text, "language": language, "patient": patient, "spans": json.loads(spans)}
            return document_of(given | json.loads(more), "the review", id)
        raise ReviewError(f"note {position}: is not in this review")

    def positions(self) -> list[int]:
        return [row[0] for row in self._rows("SELECT position FROM notes ORDER BY position")]

    def entries(self) -> list[Entry]:
        """All notes without their texts, in order."""
        columns = "position, id, patient, language, risk, length(CAST(text AS BLOB))"
        return [Entry(*row) for row in self._rows(f"SELECT {columns} FROM notes ORDER BY position")]  # noqa: S608

    # Decisions

    def reviewers(self) -> tuple[str, ...]:
        """Who has decided anything, but for adjudicators."""
        rows = self._rows("SELECT DISTINCT reviewer FROM log WHERE reviewer <> ? ORDER BY reviewer", ADJUDICATOR)
        return tuple(row[0] for row in rows)

    def reviewed(self, reviewer: str) -> Iterator[Document]:
        """The notes that a reviewer approved, with the spans to which she said yes."""
        for position in self._begun(reviewer):
            sheet = self.pass_of(position, reviewer).sheet
            if sheet.approved:
                yield self.note(position).with_spans(sheet.spans())

    def adjudicated(self) -> Iterator[Document]:
        """The notes about which an adjudicator has decided, with their final spans."""
        return self.reviewed(ADJUDICATOR)

    def pass_of(self, position: int, reviewer: str) -> Pass:
        """What a reviewer has made of a note."""
        decisions = self._decisions(position, reviewer)
        sheet = replay(self._base(position, reviewer), decisions)
        return Pass(sheet, decisions[-1][0] if decisions else self._first(position, reviewer))

    def sheets(self, reviewer: str) -> dict[int, Sheet]:
        """What a reviewer has made of the notes that she has begun."""
        query = "SELECT note, MAX(number) FROM log WHERE reviewer = ? GROUP BY note ORDER BY note"
        return {position: self._sheet(position, reviewer, last) for position, last in self._rows(query, reviewer)}

    def _sheet(self, position: int, reviewer: str, last: int) -> Sheet:
        """What follows from the decisions up to the last: worked out again only if there are newer ones."""
        kept = self._kept.get((reviewer, position))
        if kept is None or kept.version < last:
            kept = self._kept[reviewer, position] = self.pass_of(position, reviewer)
        return kept.sheet

    def decide(self, position: int, reviewer: str, decision: Decision, version: int, author: str = "") -> Pass:
        """Write a decision down, on the note as it was at `version`; else a StaleError, and nothing is written."""
        return self.decide_all(reviewer, [(position, decision, version)], author)[0]

    def decide_all(self, reviewer: str, decisions: Sequence[tuple[int, Decision, int]], author: str = "") -> list[Pass]:
        """Decisions on several notes, all or none. They are undone together."""
        with self._writing():
            part = self._next_number()
            for position, decision, version in decisions:
                if self._version(position, reviewer) != version:
                    raise StaleError
                self._write(position, reviewer, decision, part, author)
        return [self.pass_of(position, reviewer) for position, _, _ in decisions]

    def undo(self, position: int, reviewer: str, version: int, author: str = "") -> list[int]:
        """Undo the last decision on a note, and what was decided with it elsewhere unless more was decided there since;
        the notes that changed."""
        return self._back_or_forth(position, reviewer, version, author, Decision("undo"))

    def redo(self, position: int, reviewer: str, version: int, author: str = "") -> list[int]:
        """Do again what was undone last on a note, and with it elsewhere."""
        return self._back_or_forth(position, reviewer, version, author, Decision("redo"))

    def log(self) -> Iterator[Mapping[str, Any]]:
        """All decisions, from the first: who, on which note, what, when."""
        names = ("number", "note", "reviewer", "author", "kind", "what", "at")
        for row in self._rows("SELECT number, note, reviewer, author, kind, what, at FROM log ORDER BY number"):
            yield dict(zip(names, row, strict=True))

    def approvals(self, reviewer: str) -> list[tuple[int, str]]:
        """When a reviewer approved which note, from the first."""
        return self._rows("SELECT note, at FROM log WHERE reviewer = ? AND kind = 'approve' ORDER BY number", reviewer)

    def _back_or_forth(self, position: int, reviewer: str, version: int, author: str, decision: Decision) -> list[int]:
        with self._writing():
            if self._version(position, reviewer) != version:
                raise StaleError
            number = self._next_of(position, reviewer, decision)
            if number is None:
                return []
            ((together,),) = self._rows("SELECT part FROM log WHERE number = ?", number)
            rows = self._rows(
                "SELECT number, note FROM log WHERE part = ? AND reviewer = ? ORDER BY note", together, reviewer
            )
            changed = [note for one, note in rows if self._next_of(note, reviewer, decision) == one]
            part = self._next_number()
            for note in changed:
                self._write(note, reviewer, decision, part, author)
        return changed

    def _next_of(self, position: int, reviewer: str, decision: Decision) -> int | None:
        """The number of the decision that undo or redo would be about."""
        done, undone = standing(self._decisions(position, reviewer))
        stack = undone if decision.kind == "redo" else [one for one in done if one[1].kind != "begin"]
        return stack[-1][0] if stack else None

    def _base(self, position: int, reviewer: str) -> tuple[Mark, ...]:
        """What a pass begins with: what was predicted; an adjudicator's is in her first decision."""
        return () if reviewer == ADJUDICATOR else predicted(self.note(position).spans)

    def _decisions(self, position: int, reviewer: str) -> list[tuple[int, Decision]]:
        rows = self._rows(
            "SELECT number, kind, what FROM log WHERE reviewer = ? AND note = ? ORDER BY number", reviewer, position
        )
        return [(number, Decision.of(kind, json.loads(what))) for number, kind, what in rows]

    def _begun(self, reviewer: str) -> list[int]:
        return [
            row[0] for row in self._rows("SELECT DISTINCT note FROM log WHERE reviewer = ? ORDER BY note", reviewer)
        ]

    def _version(self, position: int, reviewer: str) -> int:
        ((last,),) = self._rows("SELECT MAX(number) FROM log WHERE reviewer = ? AND note = ?", reviewer, position)
        return self._first(position, reviewer) if last is None else int(last)

    def _first(self, position: int, reviewer: str) -> int:
        """The version before any decision. It is another once a note is predicted anew, so that nobody approves what
        she was not shown."""
        if reviewer == ADJUDICATOR:
            return 0
        ((anew,),) = self._rows("SELECT anew FROM notes WHERE position = ?", position) or [(0,)]
        return -int(anew)

    def _next_number(self) -> int:
        return 1 + int(self._rows("SELECT COALESCE(MAX(number), 0) FROM log")[0][0])

    def _text_of(self, id: str) -> str | None:
        rows = self._rows("SELECT text FROM notes WHERE id = ?", id)
        return rows[0][0] if rows else None

    def _write(self, position: int, reviewer: str, decision: Decision, part: int, author: str) -> None:
        what = json.dumps(decision.row(), ensure_ascii=False, separators=(",", ":"))
        self._database.execute(
            "INSERT INTO log (note, reviewer, author, kind, what, at, part) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (position, reviewer, author or reviewer, decision.kind, what, _now(), part),
        )

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock:
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All of it or nothing, and nobody else meanwhile."""
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                self._database.execute("ROLLBACK")
                raise


def _columns(document: Document) -> tuple[str, str]:
    """What was predicted, and what else a note has, as JSON."""
    row = row_of(document)
    more = {key: row[key] for key in ("known", "joints", "info") if key in row}
    return json.dumps(row.get("spans", []), ensure_ascii=False), json.dumps(more, ensure_ascii=False)


def _same_text(document: Document, text: str) -> None:
    if document.text != text:
        raise ReviewError(f"{document.name}: has another text in this review; give another review with --out")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
