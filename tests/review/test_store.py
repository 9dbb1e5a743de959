"""A review keeps what was decided: exactly, for its owner alone, and in the order in which it was said."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import ReviewError
from elision.review.marks import Decision, Mark, Place
from elision.review.store import ADJUDICATOR, Pass, StaleError, Store

TEXT = "Seen by Dr. Roe on 3 May.\r\nHello 👩‍⚕️ 王小明."
NOTES = [
    Document(TEXT, "a", "p1", "en", (Span(12, 15, "NAME_CLINICIAN", 0.9, "rules"), Span(19, 24, "DATE", 0.4, "crf"))),
    Document("Nothing\0here.", "b", info={"x": "y"}, known={"name": ("Jane Roe",)}),
]


def store_at(path: Path) -> Store:
    store = Store.open(path / "n.review")
    store.add(NOTES, [0.5, 0.1])
    return store


def accept(*marks: Mark) -> Decision:
    return Decision("accept", put=tuple(Mark(*one.place, "accepted") for one in marks))


def approve(store: Store, position: int, reviewer: str) -> None:
    there = store.pass_of(position, reviewer)
    store.decide(position, reviewer, Decision("approve", put=accept(*there.sheet.undecided).put), there.version)


def test_notes_come_back_as_they_were_given(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    assert list(store.notes()) == NOTES
    assert [(one.id, one.risk) for one in store.entries()] == [("a", 0.5), ("b", 0.1)]


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in store.folder.iterdir()} == {0o600}


def test_adding_again_changes_nothing_and_another_text_is_refused(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    assert store.add([Document(TEXT, "a")]) == 0
    assert list(store.notes()) == NOTES
    with pytest.raises(ReviewError, match="another text"):
        store.add([Document("c", "c"), Document("Other.", "a")])
    assert len(store.positions()) == 2  # all or nothing
    with pytest.raises(ReviewError, match="no ID"):
        store.add([Document("text")])


def test_predicted_is_not_reviewed_and_approved_is(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    assert list(store.reviewed("ann")) == []
    store.decide(1, "ann", accept(Mark(12, 15, "NAME_CLINICIAN")), 0)
    assert list(store.reviewed("ann")) == []
    approve(store, 1, "ann")
    assert [note.spans for note in store.reviewed("ann")] == [(Span(12, 15, "NAME_CLINICIAN"), Span(19, 24, "DATE"))]
    assert store.reviewers() == ("ann",)
    assert list(store.reviewed("ben")) == []


def test_a_change_after_approving_takes_the_approval_back(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    approve(store, 1, "ann")
    now = store.pass_of(1, "ann")
    store.decide(1, "ann", Decision("refuse", put=(Mark(19, 24, "DATE", "refused"),)), now.version)
    assert list(store.reviewed("ann")) == []
    approve(store, 1, "ann")
    assert [note.spans for note in store.reviewed("ann")] == [(Span(12, 15, "NAME_CLINICIAN"),)]


def test_a_decision_on_what_has_changed_since_is_refused(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    first = store.decide(1, "ann", accept(Mark(19, 24, "DATE")), 0)
    with pytest.raises(StaleError):
        store.decide(1, "ann", accept(Mark(12, 15, "NAME_CLINICIAN")), 0)
    assert store.pass_of(1, "ann") == first
    assert store.pass_of(1, "ben").version == 0  # another's pass is another matter


def test_what_was_decided_in_one_stroke_is_undone_in_one_unless_more_was_decided_since(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "n.review")
    store.add([Document("Roe", str(n)) for n in range(3)])
    added = Decision("add", put=(Mark(0, 3, "NAME_OTHER", "accepted"),))
    store.decide_all("ann", [(n, added, 0) for n in (1, 2, 3)])
    there = store.pass_of(2, "ann").version
    store.decide(2, "ann", Decision("refuse", put=(Mark(0, 3, "NAME_OTHER", "refused"),)), there)
    assert store.undo(1, "ann", store.pass_of(1, "ann").version) == [1, 3]
    assert [len(store.pass_of(n, "ann").sheet.marks) for n in (1, 2, 3)] == [0, 1, 0]
    assert store.redo(3, "ann", store.pass_of(3, "ann").version) == [1, 3]
    assert [len(store.pass_of(n, "ann").sheet.marks) for n in (1, 2, 3)] == [1, 1, 1]


def test_all_or_none_of_a_stroke_is_written(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    with pytest.raises(StaleError):
        store.decide_all("ann", [(1, accept(Mark(19, 24, "DATE")), 0), (2, Decision("approve"), 7)])
    assert list(store.log()) == []


def test_new_predictions_leave_what_somebody_has_begun(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    store.decide(1, "ann", accept(Mark(19, 24, "DATE")), 0)
    new = [note.with_spans([Span(0, 4, "OTHER")]) for note in NOTES]
    assert store.repredict([*new, Document("x", "not-there")]) == 1
    assert [len(note.spans) for note in store.notes()] == [2, 1]


def test_an_adjudicator_begins_with_what_is_proposed_and_that_cannot_be_undone(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    begin = Decision("begin", put=(Mark(12, 15, "NAME_CLINICIAN"),))
    (there,) = store.decide_all(ADJUDICATOR, [(1, begin, 0)], "cy")
    assert there.sheet.marks == begin.put
    assert not there.sheet.can_undo
    assert store.undo(1, ADJUDICATOR, there.version, "cy") == []
    approve(store, 1, ADJUDICATOR)
    assert [note.spans for note in store.adjudicated()] == [(Span(12, 15, "NAME_CLINICIAN"),)]
    assert store.reviewers() == ()
    assert [row["author"] for row in store.log()] == ["cy", ADJUDICATOR]


def test_the_file_itself_keeps_decisions(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    approve(store, 1, "ann")
    other = sqlite3.connect(store.folder / "review.sqlite")
    for statement in ("DELETE FROM log", "UPDATE log SET reviewer = 'ben'"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            other.execute(statement)
    other.close()


def test_what_is_no_review_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReviewError, match="no review is here"):
        Store.open(tmp_path / "none", make=False)
    assert not (tmp_path / "none").exists()
    for name, content in (("a", b"no database, but long enough to be looked at"), ("b", None)):
        folder = tmp_path / name
        folder.mkdir()
        if content:
            (folder / "review.sqlite").write_bytes(content)
        else:
            other = sqlite3.connect(folder / "review.sqlite")
            other.execute("CREATE TABLE mine (a)")
            other.close()
        with pytest.raises(ReviewError, match="is no review"):
            Store.open(folder)


PLACES = [(start, end, label) for start in range(3) for end in range(start + 1, 4) for label in ("DATE", "AGE")]
Step = tuple[str, tuple[int, int, str]]
Plain = tuple[dict[tuple[int, int, str], str], bool]
STEPS = st.lists(
    st.one_of(
        st.sampled_from(["undo", "redo", "approve"]),
        st.tuples(st.sampled_from(["accepted", "refused", "gone"]), st.sampled_from(PLACES)),
    ),
    max_size=10,
)


@given(STEPS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_there_is_what_a_plain_model_says(tmp_path: Path, steps: list[str | Step]) -> None:
    """The model keeps whole copies of what was there, and knows nothing of decisions."""
    with Store.open(tmp_path) as store:
        at = len(store.positions()) + 1
        store.add([Document("abcd", str(at), spans=(Span(0, 2, "DATE"),))])
        now: Plain = ({(0, 2, "DATE"): "predicted"}, False)
        past: list[Plain] = []
        future: list[Plain] = []
        for step in steps:
            version = store.pass_of(at, "ann").version
            if step == "undo":
                store.undo(at, "ann", version)
                if past:
                    future.append(now)
                    now = past.pop()
                continue
            if step == "redo":
                store.redo(at, "ann", version)
                if future:
                    past.append(now)
                    now = future.pop()
                continue
            past.append(now)
            future.clear()
            marks = dict(now[0])
            if isinstance(step, str):
                approve(store, at, "ann")
                now = ({place: "accepted" if state == "predicted" else state for place, state in marks.items()}, True)
                continue
            state, place = step
            marks.pop(place, None)
            put: tuple[Mark, ...] = ()
            if state != "gone":
                marks[place] = state
                put = (Mark(*place, "accepted" if state == "accepted" else "refused"),)
            store.decide(at, "ann", Decision("move", (Place(*place),), put), version)
            now = (marks, False)
        sheet = store.pass_of(at, "ann").sheet
        assert {tuple(mark.place): mark.state for mark in sheet.marks} == now[0]
        assert (sheet.approved, sheet.can_undo, sheet.can_redo) == (now[1], bool(past), bool(future))


def test_a_queue_works_out_again_only_what_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path / "notes.review") as store, Store.open(tmp_path / "notes.review") as elsewhere:
        store.add([Document(f"Roe {at}", str(at), spans=(Span(0, 3, "NAME"),)) for at in range(20)])
        for at in store.positions():
            approve(store, at, "ann")
        worked: list[int] = []
        pass_of = Store.pass_of

        def working(self: Store, position: int, reviewer: str) -> Pass:
            worked.append(position)
            return pass_of(self, position, reviewer)

        monkeypatch.setattr(Store, "pass_of", working)
        before = store.sheets("ann")
        assert len(worked) == len(before) == 20
        assert store.sheets("ann") == before
        assert len(worked) == 20
        elsewhere.undo(3, "ann", pass_of(elsewhere, 3, "ann").version)  # by another process
        after = store.sheets("ann")
        assert worked[20:] == [3]
        assert [at for at in after if after[at] != before[at]] == [3]
        assert not after[3].approved
