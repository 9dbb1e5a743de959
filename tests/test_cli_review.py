"""`elision review` before its page opens: what it opens, and what it refuses. The page is in tests/review."""

from __future__ import annotations

import json
import queue
import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from elision.review import server
from elision.review.desk import Desk
from elision.review.edits import approve
from elision.review.gate import Door
from elision.review.store import Store
from tests.test_cli import elision

ROW = {"id": "a", "text": "Seen by Dr. Roe.", "spans": [{"start": 12, "end": 15, "label": "NAME_CLINICIAN"}]}

SWEDISH = "Patienten mår bra i dag och går hem i morgon bitti tillsammans med sin dotter."


@pytest.fixture(autouse=True)
def desks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What would be served."""
    seen: list[Any] = []

    def serve(desk: Desk, door: Door, _: object, listener: socket.socket, listens: Callable[[], object]) -> None:
        seen.append((desk, door, listener.getsockname()))
        listens()

    monkeypatch.setattr(server, "serve", serve)
    return seen


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    return path


def review(path: Path, *more: str) -> Any:
    return elision("review", str(path), "--no-open", *more)


def test_notes_with_spans_are_shown_with_them_and_the_review_goes_on(notes: Path, desks: list[Any]) -> None:
    done = review(notes)
    assert done.returncode == 0, done.stderr
    assert "http://127.0.0.1:" in done.stderr
    assert desks[0][2][0] == "127.0.0.1"
    folder = notes.with_name("notes.jsonl.review")
    with Store.open(folder, make=False) as store:
        (note,) = store.notes()
        assert [span.label for span in note.spans] == ["NAME_CLINICIAN"]
        store.decide(1, "ann", approve(store.pass_of(1, "ann").sheet), 0)
    with notes.open("a") as file:
        file.write(json.dumps(ROW | {"id": "b"}) + "\n")
    assert review(notes).returncode == 0
    assert desks[1][0].reviewer == "ann"  # the only one
    assert review(folder, "--order", "sample", "--seed", "3", "--reviewer", "ben").returncode == 0
    assert (desks[2][0].reviewer, desks[2][0].order, desks[2][0].seed) == ("ben", "sample", 3)
    with Store.open(folder) as store:
        assert len(store.positions()) == 2
        store.decide(1, "ben", approve(store.pass_of(1, "ben").sheet), 0)
    assert "say who you are" in review(notes).stderr
    assert review(notes, "--adjudicate", "--reviewer", "cy").returncode == 0
    assert desks[-1][0].adjudicates


def test_notes_without_spans_are_looked_at(tmp_path: Path, desks: list[Any]) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("Seen by Dr. Jane Roe on 3 May 2001. The patient feels well today.")
    (folder / "b.txt").write_text(SWEDISH, "utf-8")
    out = tmp_path / "mine.review"
    done = review(folder, "--effort", "rules", "--out", str(out), "--policy", "mask", "--port", "0")
    assert done.returncode == 0, done.stderr
    assert "note b: nothing was looked for" in done.stderr
    with Store.open(out) as store:
        assert [len(note.spans) > 0 for note in store.notes()] == [True, False]
        risks = [entry.risk for entry in store.entries()]
        assert risks[1] > risks[0]


@pytest.mark.parametrize(("option", "text"), [("--language", SWEDISH), ("--default-language", "Roe 4711 xk")])
def test_language_and_default_language_reach_it(tmp_path: Path, desks: list[Any], option: str, text: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text(text, "utf-8")
    for more, said in (((), True), ((option, "en"), False)):
        done = review(file, "--format", "text", "--effort", "rules", *more, "--out", str(tmp_path / f"{said}.review"))
        assert ("nothing was looked for" in done.stderr) == said


@pytest.mark.parametrize(("more", "opens"), [([], True), (["--no-open"], False)])
def test_the_browser_opens_unless_it_is_told_not_to(
    notes: Path, desks: list[Any], monkeypatch: pytest.MonkeyPatch, more: list[str], opens: bool
) -> None:
    opened: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr(webbrowser, "open", opened.put)
    done = elision("review", str(notes), *more)
    assert done.returncode == 0, done.stderr
    if opens:
        assert opened.get(timeout=10) in done.stderr
    assert opened.empty()


def test_no_address_is_told_before_the_page_can_be_opened(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "serve", lambda *_: None)  # it never listens
    monkeypatch.setattr(webbrowser, "open", lambda _: pytest.fail("nothing listens yet"))
    assert "http://" not in elision("review", str(notes)).stderr


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--reviewer", "adjudicator"], "--reviewer"),
        (["--reviewer", "x" * 61], "--reviewer"),
        (["--adjudicate"], "two reviewers"),
        (["--policy", "surrogate"], "--key"),
        (["--language", "xx"], "xx"),
        (["--max-mb", "0"], "--max-mb"),
    ],
)
def test_what_cannot_be_is_told(notes: Path, desks: list[Any], more: list[str], why: str) -> None:
    done = review(notes, *more)
    assert done.returncode == 2
    assert why in done.stderr
    assert desks == []


def test_a_folder_of_others_and_a_place_among_the_notes_are_refused(notes: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").write_text("mine")
    assert "holds something else" in review(notes, "--out", str(other)).stderr
    assert "among the notes" in review(other, "--out", str(other / "r")).stderr
    assert "there is nothing" in review(tmp_path / "none").stderr


def test_a_run_and_the_sample_of_an_audit_are_opened(tmp_path: Path, desks: list[Any]) -> None:
    table = tmp_path / "in.jsonl"
    lines = [
        {"note": f"Seen by Dr. Jane Roe on {n + 1} May 2001. The patient feels well.", "id": f"n{n}"} for n in range(4)
    ]
    table.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = str(tmp_path / "out.jsonl")
    columns = ("--text", "note", "--id", "id")
    run = elision("run", str(table), "--out", out, *columns, "--effort", "rules", "--language", "en", "--workers", "1")
    assert run.returncode == 0, run.stderr
    done = review(tmp_path / "out.jsonl", "--effort", "rules", "--language", "en")
    assert done.returncode == 0, done.stderr
    with Store.open(tmp_path / "out.jsonl.review") as store:
        assert all("[DATE]" in note.text for note in store.notes())
    drawn = elision("audit", "sample", str(tmp_path / "out.jsonl"), "--out", str(tmp_path / "drawn"), "--notes", "2")
    assert drawn.returncode == 0, drawn.stderr
    done = review(tmp_path / "drawn", "--effort", "rules", "--language", "en")
    assert done.returncode == 0, done.stderr
    with Store.open(tmp_path / "drawn.review") as store:
        assert len(store.positions()) == 2
