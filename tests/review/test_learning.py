"""Learning beside the page: one at a time, heard while it goes on, stopped when told to, with nothing shown unseen."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from elision.document import Document, Span
from elision.review import learning as module
from elision.review import server
from elision.review.approved import LEAST
from elision.review.desk import Desk
from elision.review.edits import CannotError
from elision.review.gate import Door
from elision.review.learning import Learning
from elision.review.marks import Decision
from elision.review.store import StaleError, Store
from tests.review.made import approve, review_of
from tests.review.page import Page, serving
from tests.taggers.planted import notes

GOES_ON = "import time; print('learning', flush=True); time.sleep(600)"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Of 24 notes, all but the last two are approved."""
    made = notes(LEAST + 4)
    folder = review_of(tmp_path / "many.review", made)
    approve(folder, "ann", made[:-2])
    with Store.open(folder) as store:
        yield store


def instead(monkeypatch: pytest.MonkeyPatch, script: str) -> list[Sequence[str]]:
    """Let a script run where a model would be learnt; the commands that were given."""
    given: list[Sequence[str]] = []

    def started(words: Sequence[str]) -> subprocess.Popen[str]:
        given.append(words)
        return subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        )

    monkeypatch.setattr(module, "_started", started)
    return given


def until(seen: Callable[[], Any]) -> Any:
    for _ in range(400):
        if found := seen():
            return found
        time.sleep(0.05)
    raise AssertionError("it never came")


def state(page: Page, wanted: str) -> Any:
    def seen() -> Any:
        told = page.get("/api/learning").json
        return told if told["state"] == wanted else None

    return until(seen)


def test_the_page_hears_what_is_printed_and_where_the_model_is(
    page: Page, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = instead(monkeypatch, "print('one'); print('x' * 9000)")
    assert page.get("/api/learning").json["state"] == "none"
    assert page.post("/api/learning", {"do": "begin"}).status == 200
    told = state(page, "ended")
    assert told["said"] == ["one", "x" * module.WIDTH]
    assert told["model"] == str(store.folder / "model")
    assert given[0] == [
        "train", "--from-review", str(store.folder), "--out", str(store.folder / "model"), "--force", "--preannotate",
        "--language", "en", "--start-from", "en", "--effort", "fast",
    ]  # fmt: skip


def test_a_failure_is_told_with_its_reason(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, "print('no room on the disk'); raise SystemExit(2)")
    page.post("/api/learning", {"do": "begin"})
    assert state(page, "failed")["said"] == ["no room on the disk"]


def test_one_learns_at_a_time_until_it_is_stopped(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, GOES_ON)
    page.post("/api/learning", {"do": "begin"})
    until(lambda: page.get("/api/learning").json["said"])
    again = page.post("/api/learning", {"do": "begin"})
    assert (again.status, "wait until it ends" in again.json["todo"]) == (422, True)
    assert page.post("/api/learning", {"do": "stop"}).json["state"] == "stopped"
    assert page.post("/api/learning", {"do": "stop"}).json["state"] == "stopped"
    instead(monkeypatch, "print('again')")
    page.post("/api/learning", {"do": "begin"})
    assert state(page, "ended")["said"] == ["again"]


def test_the_end_of_the_page_ends_the_learning(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, GOES_ON)
    learning = Learning(store)

    class Ends:
        def run(self, **_: object) -> None:
            learning.begin()
            until(lambda: learning.told()["said"])

    monkeypatch.setattr(server, "server", lambda *_: Ends())
    with server.listening(0) as listener:
        server.serve(Desk(store, "ann", lambda note: note), Door(0), learning, listener, lambda: None)
    assert learning.told()["state"] == "stopped"
    assert learning._process.poll() is not None  # type: ignore[union-attr]


def test_too_few_are_not_learnt_from(tmp_path: Path) -> None:
    with Store.open(review_of(tmp_path / "few.review", notes(LEAST))) as store:
        approve(store.folder, "ann", notes(LEAST)[1:])
        with pytest.raises(CannotError, match="19 notes are approved, and 20 are the least"):
            Learning(store).begin()
        assert Learning(store).told()["state"] == "none"


@pytest.mark.parametrize(
    ("languages", "labels", "more"),
    [
        ({"en"}, {"DATE"}, ["--language", "en", "--start-from", "en"]),
        ({"es-MX"}, {"DATE"}, ["--language", "es", "--start-from", "es"]),
        ({"en"}, {"DATE", "BED"}, ["--language", "en"]),
        ({"en", "nl"}, {"DATE"}, []),
        ({"sv"}, {"DATE"}, ["--language", "sv"]),
        ({""}, {"DATE"}, []),
    ],
)
def test_it_goes_on_from_the_model_that_knows_the_language_and_the_labels(
    store: Store, languages: set[str], labels: set[str], more: list[str]
) -> None:
    assert Learning(store).words(languages, labels)[7:] == more


def test_nothing_else_can_be_asked_of_it(page: Page) -> None:
    asked: list[object] = [{"do": "rm"}, {}, {"do": "begin", "out": "/tmp/elsewhere"}, []]
    for wrong in asked:
        assert page.post("/api/learning", wrong).status == 400
    assert page.post("/api/learning", {"do": "begin"}, Origin="http://evil.example").status == 403
    assert page.post("/api/export", {}, Origin="http://evil.example").status == 403


def test_what_is_approved_is_written_into_the_folder_of_the_review(page: Page, store: Store, tmp_path: Path) -> None:
    answer = page.post("/api/export", {}).json
    assert answer == {"notes": LEAST + 2, "to": str(store.folder / "approved.jsonl")}
    again = page.post("/api/export", {}).json
    assert again == answer
    from elision.formats import read

    assert len(list(read(store.folder / "approved.jsonl"))) == LEAST + 2
    with Store.open(review_of(tmp_path / "none.review", notes(2))) as empty, serving(empty) as other:
        other.enter()
        refused = other.post("/api/export", {})
        assert (refused.status, "no note is approved" in refused.json["todo"]) == (422, True)


def test_nobody_approves_what_was_predicted_anew_and_not_shown(tmp_path: Path) -> None:
    with Store.open(tmp_path / "anew.review") as store:
        store.add([Document("Roe came.", "one", spans=(Span(0, 3, "DATE"),))])
        shown = store.pass_of(1, "ann").version
        store.repredict([Document("Roe came.", "one")])
        with pytest.raises(StaleError):
            store.decide(1, "ann", Decision("approve"), shown)
        now = store.pass_of(1, "ann")
        assert (now.version == shown, now.sheet.marks) == (False, ())
        approved = store.decide(1, "ann", Decision("approve"), now.version)
        assert store.undo(1, "ann", approved.version) == [1]
