"""What comes out of a review: notes in any format, and how far reviewers agree; never what nobody has approved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.formats import read
from elision.review import edits
from elision.review.desk import Desk
from elision.review.marks import Place
from elision.review.store import Store
from tests.review.made import adjudicate, approve, review_of, with_places
from tests.test_cli import elision

TEXT = "Seen by Jane Roe on 3 May at Lyon"
NAME, DATE, CITY = (8, 16, "NAME"), (20, 25, "DATE"), (29, 33, "CITY")
NOTES = [Document(TEXT, f"n{at}", spans=(Span(*NAME, score=0.6, source="crf"),)) for at in range(5)]


@pytest.fixture
def review(tmp_path: Path) -> Path:
    """n0: two agree; n1: two disagree; n2: adjudicated; n3: marked by one, not approved; n4: nobody has begun."""
    folder = review_of(tmp_path / "notes.review", NOTES)
    approve(folder, "nurse", [with_places(NOTES[0], NAME), with_places(NOTES[1], (8, 12, "NAME"), CITY), NOTES[2]])
    approve(
        folder, "doctor", [with_places(NOTES[0], NAME), with_places(NOTES[1], (13, 16, "CITY"), DATE, (8, 16, "NAME"))]
    )
    approve(folder, "doctor", [with_places(NOTES[2], NAME, CITY)])
    adjudicate(folder, [with_places(NOTES[2], DATE)])
    approve(folder, "nurse", [with_places(NOTES[3], CITY)], finish=False)
    return folder


def places(path: Path) -> dict[str, list[tuple[int, int, str]]]:
    return {note.id: [(span.start, span.end, span.label) for span in note.spans] for note in read(path)}


def test_only_what_was_approved_comes_out_and_adjudicated_first(review: Path, tmp_path: Path) -> None:
    done = elision("review", "export", review, tmp_path / "gold.jsonl")
    assert done.returncode == 0
    assert places(tmp_path / "gold.jsonl") == {"n0": [NAME], "n1": [NAME, DATE, CITY], "n2": [DATE]}
    assert "wrote 3 of 5 notes" in done.stderr
    assert "1 adjudicated, 2 as several marked them" in done.stderr
    again = elision("review", "export", review, tmp_path / "gold.jsonl")
    assert again.returncode == 2
    assert "--force" in again.stderr
    assert elision("review", "export", review, tmp_path / "gold.jsonl", "--force").returncode == 0


def test_what_an_adjudicator_refused_does_not_come_out(review: Path, tmp_path: Path) -> None:
    with Store.open(review, make=False) as store:
        at = next(entry.position for entry in store.entries() if entry.id == "n1")
        desk = Desk(store, "cy", lambda note: note, adjudicates=True)
        desk.decide(at, desk.note(at)["version"], lambda _, sheet: edits.refuse(sheet, Place(*DATE)))
        desk.decide(at, desk.note(at)["version"], lambda _, sheet: edits.approve(sheet))
    done = elision("review", "export", review, tmp_path / "gold.jsonl")
    assert "2 adjudicated, 1 as several marked them" in done.stderr
    assert places(tmp_path / "gold.jsonl")["n1"] == [NAME, CITY]


def test_one_reviewers_marks_in_a_format_of_ones_choice(review: Path, tmp_path: Path) -> None:
    done = elision("review", "export", review, tmp_path / "nurse", "--to", "brat", "--reviewer", "nurse")
    assert done.returncode == 0
    assert places(tmp_path / "nurse") == {"n0": [NAME], "n1": [(8, 12, "NAME"), CITY], "n2": [NAME]}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", "REVIEW", "OUT", "--to", "text"), "holds no spans"),
        (("export", "REVIEW", "OUT.jsonl", "--reviewer", "nobody"), "who has: doctor, nurse"),
        (("agree", "REVIEW", "--reviewer", "nobody"), "--reviewer nobody: has reviewed nothing here"),
        (("export", "EMPTY", "OUT.jsonl"), "no note is approved yet"),
        (("export", "NONE", "OUT.jsonl"), "no review is here"),
        (("agree", "NONE"), "no review is here"),
    ],
)
def test_what_cannot_come_out_says_why(review: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    review_of(tmp_path / "empty.review", NOTES)
    named = {
        "REVIEW": review,
        "EMPTY": tmp_path / "empty.review",
        "NONE": tmp_path / "none.review",
        "OUT": tmp_path / "out",
        "OUT.jsonl": tmp_path / "out.jsonl",
    }
    done = elision("review", *(named.get(word, word) for word in words))
    assert done.returncode == 2
    assert said in done.stderr
    assert "Roe" not in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
    assert not (tmp_path / "none.review").exists()


def test_reviewers_agree_on_notes_that_both_approved(review: Path) -> None:
    done = elision("review", "agree", review)
    assert done.returncode == 0
    assert "3 of 5" in done.stdout
    assert "agreement on 3 notes" in done.stdout
    assert "Roe" not in done.stdout
    found = json.loads(elision("review", "agree", review, "--json").stdout)
    assert [(one["name"], one["approved"]) for one in found["reviewers"]] == [("doctor", 3), ("nurse", 3)]
    assert (found["notes"], found["adjudicated"]) == (5, 1)
    (pair,) = found["agreement"]
    assert (pair["a"], pair["b"], pair["notes"]) == ("doctor", "nurse", 3)
    assert (pair["all"]["spans"], pair["all"]["spans_against"], pair["all"]["agreed"]) == (6, 4, 2)
    one = json.loads(elision("review", "agree", review, "--reviewer", "nurse", "--json").stdout)
    assert one["agreement"] == []
    assert "agreement takes two reviewers" in elision("review", "agree", review, "--reviewer", "nurse").stderr
