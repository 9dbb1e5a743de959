"""A model from a review: it learns from what was approved alone, and predicts what nobody has begun."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from elision.document import Span
from elision.effort import USUAL, VARIABLE, Effort
from elision.review.repredicting import Waiting, repredicted
from elision.review.store import Store
from elision.taggers.store import load
from tests.review.made import approve, review_of
from tests.taggers.planted import notes
from tests.test_cli import elision

QUICK = ("--epochs", "1", "--seeds", "1", "--hold-out", "0")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Of 26 notes, 21 are approved; one is begun, and four wait. What was predicted is wrong throughout."""
    made = notes(26)
    folder = review_of(tmp_path / "many.review", [note.with_spans([Span(0, 4, "WRONG", 0.9)]) for note in made])
    approve(folder, "nurse", made[:21])
    approve(folder, "nurse", [made[21]], finish=False)
    return folder


def test_a_model_learns_from_what_was_approved_and_predicts_the_rest_anew(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Effort] = []

    def quickly(waiting: Any, tagger: Any, model: Path, weak: Any, effort: Effort) -> Iterator[Waiting]:
        looked.append(effort)
        return repredicted(waiting, tagger, model, weak, Effort.FAST)

    monkeypatch.setattr("elision.review.repredicting.repredicted", quickly)
    monkeypatch.delenv(VARIABLE)
    with Store.open(large, make=False) as store:
        before = list(store.notes())
    words = ("train", "--from-review", large, "--out", tmp_path / "model", *QUICK, "--preannotate", "--language", "en")
    done = elision(*words)
    assert done.returncode == 0, done.stderr
    assert "learning from 21 approved notes of 26" in done.stderr
    assert "expected of all notes" in done.stdout
    assert "put new spans on 4 notes that nobody has begun" in done.stderr
    assert looked == [USUAL]  # as a run does
    card = load(tmp_path / "model").card
    assert "WRONG" not in card["labels"]
    assert card["review"] == {"notes": 21, "adjudicated": 0, "united": 0}
    with Store.open(large, make=False) as store:
        after, entries = list(store.notes()), store.entries()
    assert after[:22] == before[:22]
    assert all("WRONG" not in {span.label for span in note.spans} for note in after[22:])
    assert [entry.risk for entry in entries[:22]] == pytest.approx([0.1] * 22)
    assert all(entry.risk != pytest.approx(0.1) for entry in entries[22:])


def test_without_preannotate_a_review_stays_as_it_is(large: Path, tmp_path: Path) -> None:
    with Store.open(large, make=False) as store:
        before = (list(store.notes()), store.entries())
    assert elision("train", "--from-review", large, "-o", tmp_path / "model", *QUICK).returncode == 0
    with Store.open(large, make=False) as store:
        assert (list(store.notes()), store.entries()) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--from-review", "SMALL"), "2 of 5 notes are approved, and 20 are the least to learn from; approve 18 more"),
        (("--from-review", "NONE"), "no review is here"),
        (("CORPUS", "--from-review", "SMALL"), "CORPUS, or --from-review REVIEW; one of the two"),
        ((), "CORPUS, or --from-review REVIEW; one of the two"),
        (("CORPUS", "--preannotate"), "give --from-review, too"),
        (("CORPUS", "--effort", "most"), "--effort: says how --preannotate looks"),
        (("--from-review", "SMALL", "--preannotate", "--effort", "none"), "--effort 'none': choose one of"),
        (("--from-review", "SMALL", "--format", "brat"), "--format: a review has a format of its own"),
    ],
)
def test_what_cannot_be_learnt_says_why(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    made = notes(5)
    review = review_of(tmp_path / "few.review", made)
    approve(review, "nurse", made[:2])
    named = {"SMALL": review, "NONE": tmp_path / "none", "CORPUS": tmp_path / "corpus"}
    done = elision("train", *(named.get(word, word) for word in words), "--out", tmp_path / "model")
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "model").exists()
