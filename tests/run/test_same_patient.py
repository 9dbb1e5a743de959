"""All notes of a patient have the same stand-ins and dates moved by the same days, whoever cleans them and when.

Another patient's have others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from elision.document import Document
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.rules import shipped_rules
from elision.run.how import How
from tests.run.small import Row, a_key, by_id, done, write_rows
from tests.test_cli import elision

COLUMNS = Columns(("text",), "id", "patient")
PATIENTS = ("p1", "p2")
DAYS = [date(2020, 2, 27), date(2020, 3, 1), date(2020, 12, 31), date(2022, 7, 4)]
FORM = re.compile(
    r"Patient name: (?P<name>.+)\nSeen on (?P<day>\d{4}-\d\d-\d\d) and well\. MRN: (?P<code>[\d-]+)\. "
    r"Phone: (?P<phone>[\d() -]+)\. Lives at (?P<street>.+)\."
)
Pair = tuple[str, str]  # of a note: its patient and its text


def text(day: date) -> str:
    return (
        f"Patient name: Ada Quillfeather\nSeen on {day.isoformat()} and well. MRN: 4711-0815. "
        "Phone: (555) 013-4477. Lives at 12 Elm Street."
    )


NOTES = [(f"{patient}-{at}", patient, text(day)) for at, day in enumerate(DAYS) for patient in PATIENTS]


def in_one_call(_: Path) -> list[Pair]:
    deidentifier = Deidentifier([shipped_rules("en")], policy="surrogate", key=Key(bytes(range(32))))
    cleaned = deidentifier([Document(text, id, patient, "en") for id, patient, text in NOTES])
    texts = [one.document.text if one.document else "" for one in cleaned]
    return [(patient, text) for (_, patient, _), text in zip(NOTES, texts, strict=True)]


def in_calls_of_their_own(_: Path) -> list[Pair]:
    """Each note by a deidentifier that knows no other."""
    pairs = []
    for id, patient, text in NOTES:
        deidentifier = Deidentifier([shipped_rules("en")], policy="surrogate", key=Key(bytes(range(32))))
        pairs.append((patient, deidentifier.note(Document(text, id, patient, "en")).text))
    return pairs


def in_processes_of_their_own(folder: Path) -> list[Pair]:
    """Each note by a command of its own."""
    key, pairs = a_key(folder), []
    for id, patient, text in NOTES[:3]:
        (folder / id).write_text(text)
        told = elision("deidentify", folder / id, "--effort", "rules", "--language", "en", "--policy", "surrogate",
                       "--key", key, "--patient", patient)  # fmt: skip
        pairs.append((patient, told.stdout))
    return pairs


def table(some: list[tuple[str, str, str]]) -> list[Row]:
    return [{"id": id, "patient": patient, "text": text} for id, patient, text in some]


def ran(folder: Path, name: str, notes: list[tuple[str, str, str]], workers: int, rows: int) -> list[Pair]:
    how = How(COLUMNS, policy="surrogate", key=a_key(folder), language="en", effort="rules")
    source = write_rows(folder / f"{name}-in.jsonl", table(notes))
    done(source, folder / f"{name}.jsonl", how, workers=workers, rows=rows)
    whose = {id: patient for id, patient, _ in notes}
    return [(whose[id], row["text"]) for id, row in by_id(folder / f"{name}.jsonl").items()]


def in_shards_of_two_workers(folder: Path) -> list[Pair]:
    return ran(folder, "out", NOTES, 2, 1)


def in_runs_of_their_own(folder: Path) -> list[Pair]:
    """The notes of a patient in two runs, one after the other, with one key."""
    return [pair for at in range(2) for pair in ran(folder, f"out{at}", NOTES[4 * at : 4 * at + 4], 1, 2)]


WAYS = [in_one_call, in_calls_of_their_own, in_processes_of_their_own, in_shards_of_two_workers, in_runs_of_their_own]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_all_notes_of_a_patient_agree_and_no_two_patients_do(way: Callable[[Path], list[Pair]], tmp_path: Path) -> None:
    pairs = way(tmp_path)
    stand_ins: dict[str, set[tuple[str, ...]]] = {}
    moved: dict[str, list[date]] = {}
    for patient, cleaned in pairs:
        found = FORM.fullmatch(cleaned)
        assert found, cleaned
        stand_ins.setdefault(patient, set()).add(found.group("name", "code", "phone", "street"))
        moved.setdefault(patient, []).append(date.fromisoformat(found["day"]))
    for patient in PATIENTS:
        assert len(stand_ins[patient]) == 1, f"the notes of {patient} do not agree"
        days = DAYS[: len(moved[patient])]
        assert [b - a for a, b in pairwise(moved[patient])] == [b - a for a, b in pairwise(days)]
        assert moved[patient][0] != DAYS[0]
    one, other = (next(iter(stand_ins[patient])) for patient in PATIENTS)
    assert not set(one) & set(other) - {"(555) 013-4477"}
    assert moved["p1"] != moved["p2"]


def test_a_run_agrees_with_the_library(tmp_path: Path) -> None:
    """A hospital's batch of last night and the note that a program cleans today are of one patient."""
    deidentifier = Deidentifier([shipped_rules("en")], policy="surrogate", key=a_key(tmp_path))
    by_library = [(patient, deidentifier.note(Document(text, id, patient, "en")).text) for id, patient, text in NOTES]
    assert ran(tmp_path, "out", NOTES, 1, 3) == by_library


def test_clinicians_that_are_the_same_everywhere_are_so_in_every_shard(tmp_path: Path) -> None:
    policy = tmp_path / "ours.toml"
    policy.write_text('clinicians = "everywhere"\n[labels]\n"*" = "surrogate"\nDATE = "shift"\n')
    texts = [f"{text(day)}\nSeen by Dr. Zuleika Penhaligon." for day in DAYS]
    notes = [(f"n{at}", f"p{at}", one) for at, one in enumerate(texts)]
    how = How(COLUMNS, policy=str(policy), key=a_key(tmp_path), language="en", effort="rules")
    done(write_rows(tmp_path / "in.jsonl", table(notes)), tmp_path / "out.jsonl", how, workers=2, rows=1)
    rows = by_id(tmp_path / "out.jsonl").values()
    assert len({row["text"].rpartition("by ")[2] for row in rows}) == 1
    assert len({row["text"].partition("\n")[0] for row in rows}) > 1
