"""`elision distil`: a quick model that learns from a strong one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.document import Document
from elision.errors import ModelError
from elision.formats import write
from elision.taggers.base import Tagger
from elision.taggers.distillation import Distilled, distil
from elision.taggers.linear.settings import Settings
from elision.taggers.store import fit, load
from tests.taggers.made_notes import made_notes

FAST = Settings(features=("lower[-1]", "lower[0]", "shape[0]", "lower[1]"), language="en", epochs=4, least=1)


def _bare(notes: list[Document]) -> list[Document]:
    return [replace(note, spans=(), patient=note.id) for note in notes]


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("teacher") / "model"
    fit(FAST, made_notes(60)).save(out)
    return out


@pytest.fixture(scope="module")
def pupil() -> Tagger:
    return fit(FAST, made_notes(2, seed=5))


def test_the_pupil_learns_from_marks_alone(teacher: Path, pupil: Tagger) -> None:
    told: list[tuple[int, int]] = []
    raw, gold = _bare(made_notes(40, seed=1)), made_notes(20, seed=2)
    found = distil(load(teacher), raw, FAST, start=pupil, dev=gold, marked=lambda *said: told.append(said))
    before, after, strong = (found.figures[name]["strict_f1"] for name in ("before", "after", "teacher"))
    assert before < after <= strong + 0.02
    assert found.closed("strict_f1") == pytest.approx((after - before) / (strong - before))
    assert told[-1] == (40, 40)
    card = found.tagger.card["distilled"]
    assert (card["notes"], card["version"], card["gold"]) == (40, load(teacher).version, True)


def test_without_gold_it_is_measured_by_the_teacher(teacher: Path) -> None:
    found = distil(load(teacher), _bare(made_notes(40, seed=1)), FAST)
    assert not found.gold
    assert found.figures["teacher"]["strict_f1"] == 1.0
    assert found.figures["after"]["strict_f1"] > 0.8
    assert found.closed("strict_f1") is None


def test_gold_spans_of_raw_notes_are_not_looked_at(teacher: Path) -> None:
    raw = made_notes(30, seed=1)
    wrong = [note.with_spans(replace(span, label="AGE") for span in note.spans) for note in raw]
    ways = [distil(load(teacher), notes, FAST, dev=made_notes(5)).tagger for notes in (_bare(raw), wrong)]
    assert ways[0].labels == ways[1].labels
    assert "AGE" not in ways[1].labels


def test_nothing_to_learn_from_is_told(teacher: Path) -> None:
    with pytest.raises(ModelError, match="no raw notes"):
        distil(load(teacher), [], FAST)
    with pytest.raises(ModelError, match="crf en finds nothing in these notes"):
        distil(load(teacher), [Document("no fever", str(at)) for at in range(3)], FAST)


def test_nothing_lacking_is_no_share() -> None:
    figures = {"teacher": {"f": 0.5}, "before": {"f": 0.6}, "after": {"f": 0.7}}
    assert Distilled(None, figures, True).closed("f") is None  # type: ignore[arg-type]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    write(_bare(made_notes(30, seed=1)), tmp_path / "raw.jsonl", "jsonl")
    write(made_notes(10, seed=2), tmp_path / "gold.jsonl", "jsonl")
    return tmp_path


def call(*words: object) -> str:
    done = CliRunner().invoke(app, ["distil", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_writes_a_model_and_says_what_was_closed(notes: Path, teacher: Path, pupil: Tagger) -> None:
    pupil.save(notes / "pupil")
    shown = call(teacher, notes / "raw.jsonl", "--out", notes / "quick", "--language", "en", "--start-from",
                 notes / "pupil", "--dev", notes / "gold.jsonl", "--made", 0)  # fmt: skip
    assert "strict f1" in shown
    assert "%" in shown
    assert "measured on notes with gold spans; learnt from 30 notes" in shown
    card = json.loads((notes / "quick" / "model.json").read_text())["card"]
    assert card["start"]["fingerprint"] == load(notes / "pupil").version
    assert card["distilled"]["teacher"] == "crf en"


def test_a_preset_learns_from_nothing_else(notes: Path, teacher: Path) -> None:
    shown = call(teacher, notes / "raw.jsonl", "--out", notes / "quick", "--language", "en", "--preset",
                 "elision-fast", "--set", "epochs=2")  # fmt: skip
    assert "measured on what the teacher marks in notes held out" in shown
    assert "start" not in load(notes / "quick").card
    assert load(notes / "quick").card["set"] == {"epochs": 2}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("nowhere", "raw.jsonl"), "MODEL nowhere: there is no such folder, and elision has no model of this name"),
        (("teacher", "raw.jsonl", "--preset", "ts-gru", "--start-from", "en"), "give one of the two"),
        (("teacher", "raw.jsonl", "--language", "xq"), "--start-from xq: there is no such folder"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(
    words: tuple[str, ...], why: str, notes: Path, teacher: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes)
    given = [str(teacher) if word == "teacher" else word for word in words]
    with pytest.raises(ModelError, match=why):
        call(*given, "--out", "quick")
    assert not (notes / "quick").exists()
