"""The commands for models with neural taggers: train, detect, score, show; after a kill the command goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.formats import read, write
from elision.models import store
from elision.taggers.checkpoints import Checkpoint, Checkpoints
from elision.taggers.neural.tagger import load
from tests.models.model_folders import model as other_model
from tests.taggers.made_notes import made_notes
from tests.test_cli import SECRET, elision
from tests.test_cli_models import alone

pytest.importorskip("torch")
pytestmark = pytest.mark.slow  # processes that load torch

TINY = ("--set", "hidden=8", "--language", "en")
WORDS = ("--set", "embedding=8")
RARE = "Quetzalcoatl"


LABELS = {"NAME": "NAME_OTHER", "PLACE": "ROOM", "DATE": "DATE"}


def _english(documents: list[Document]) -> list[Document]:
    """The same in English, with canonical labels."""
    return [
        replace(note, language="en", spans=tuple(replace(span, label=LABELS[span.label]) for span in note.spans))
        for note in documents
    ]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    text = f"Seen by {RARE} today."
    rare = Document(text, "rare", language="en", spans=(Span(8, 8 + len(RARE), "NAME_OTHER"),))
    write([*_english(made_notes(24)), rare], folder / "notes.jsonl", "jsonl")
    write(_english(made_notes(6, seed=1)), folder / "dev.jsonl", "jsonl")
    return folder


@pytest.fixture(scope="module")
def pretrained(corpus: Path) -> Path:
    done = elision(
        "pretrain", corpus / "notes.jsonl", "--out", corpus / "pre", "--hidden", "8", "--size", "5", "--epochs", "1",
        "--least", "3", "--threads", "1", "--language", "en",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return corpus / "pre"


@pytest.fixture(scope="module")
def trained(corpus: Path) -> Path:
    """A model that tags, and what training said."""
    done = elision(
        "train", corpus / "notes.jsonl", "--out", corpus / "model", "--preset", "ts-gru", *TINY, *WORDS,
        "--set", "r=.4", "--set", "rate=.02", "--epochs", "12", "--recall", "0.5",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (corpus / "said").write_text(done.stdout)
    return corpus / "model"


def _audit(model: Path, notes: Path, *options: str | Path) -> subprocess.CompletedProcess[str]:
    return elision("model", "show", model, "--audit", notes, *options)


@pytest.mark.parametrize("preset", ["bi-gru", "bi-lstm", "bilstm-crf"])
def test_each_preset_is_learnt_scored_and_shown(preset: str, corpus: Path, tmp_path: Path) -> None:
    options = ("--preset", preset, *TINY, *WORDS, "--epochs", "2", "--dev", corpus / "dev.jsonl")
    done = elision("train", corpus / "notes.jsonl", "--out", tmp_path / "m", *options)
    assert done.returncode == 0, done.stderr
    assert "dev strict F1" in done.stdout
    card = store.load(tmp_path / "m").card
    assert (card["preset"], card["dev"]["notes"], card["settings"]["hidden"]) == (preset, 6, 8)
    shown = elision("model", "show", tmp_path / "m").stdout
    assert all(words in shown for words in ("neural", preset, "hidden 8", "embedding 8", "weights"))
    done = _audit(tmp_path / "m", corpus / "notes.jsonl")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "audit passed" in done.stdout


def test_a_model_is_learnt_again_from_all_and_tags_and_scores(trained: Path, corpus: Path, tmp_path: Path) -> None:
    said = (corpus / "said").read_text()
    assert "learnt from all 25 notes" in said
    assert "of PHI characters there, at least" in said
    assert "the best was epoch" in said
    card = store.load(trained).card
    assert card["held_out"]["notes"] == card["dev"]["notes"] > 0
    done = alone(trained, corpus / "dev.jsonl", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    system, gold = list(read(tmp_path / "out.jsonl")), list(read(corpus / "dev.jsonl"))
    assert [each.spans for each in system] == load(trained).detect(gold)
    assert {span.source for each in system for span in each.spans} == {"ts-gru"}
    done = elision("score", corpus / "dev.jsonl", tmp_path / "out.jsonl", "--json")
    assert done.returncode == 0, done.stderr


def test_a_model_works_in_deidentify_and_run(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Seen by Dr. Roe on 3 May. Stone called from ward Elm about the dose.")
    out = tmp_path / "out.txt"
    done = elision("deidentify", tmp_path / "a.txt", "--model", trained, "--language", "en", "-o", out)
    assert done.returncode == 0, done.stderr
    assert "Roe" not in out.read_text()
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "1", "text": (tmp_path / "a.txt").read_text()}) + "\n")
    done = elision("run", tmp_path / "in.jsonl", "-o", tmp_path / "run.jsonl", "--text", "text", "--id", "id",
                   "--model", trained, "--language", "en", "--workers", "1")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Roe" not in (tmp_path / "run.jsonl").read_text()


# -- the audit


def test_an_audit_passes_where_rare_words_are_unknown(trained: Path, corpus: Path) -> None:
    done = _audit(trained, corpus / "notes.jsonl", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)["audit"]
    assert (found["passed"], found["notes_of_the_training"]) == (True, True)
    assert {kind["name"] for kind in found["attributes"]} == {"text", "skeleton"}
    assert all(kind["strings"] and kind["fewest"] >= 3 for kind in found["attributes"])
    assert found["words"]["held"] > 0
    done = _audit(trained, corpus / "dev.jsonl")
    assert done.returncode == 1
    assert "these are not the notes that it was learnt from" in done.stdout


@pytest.mark.parametrize("preset", ["bi-gru", "bilstm-crf"])
def test_an_audit_fails_where_a_rare_word_is_known(preset: str, corpus: Path, tmp_path: Path) -> None:
    options = ("--preset", preset, *TINY, *WORDS, "--epochs", "1", "--least", "1", "--hold-out", "0")
    done = elision("train", corpus / "notes.jsonl", "--out", tmp_path / "m", *options, "--set", "validation=0")
    assert done.returncode == 0, done.stderr
    assert RARE.lower() in (tmp_path / "m" / "vocabulary.json").read_text().lower()
    done = _audit(tmp_path / "m", corpus / "notes.jsonl")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "audit not passed: it holds what fewer than 3 patients have" in done.stdout
    as_json = _audit(tmp_path / "m", corpus / "notes.jsonl", "--json").stdout
    told = done.stdout + done.stderr + as_json
    assert RARE.lower() not in told.lower()
    found = json.loads(as_json)["audit"]
    assert found["words"]["below"] >= 1
    assert found["attributes"][0]["fewest"] == 1


def test_what_came_from_a_pretrained_folder_counts_unless_that_is_given(
    pretrained: Path, corpus: Path, tmp_path: Path
) -> None:
    few = tmp_path / "few.jsonl"
    write(_english(made_notes(5, seed=3)), few, "jsonl")
    options = ("--preset", "bilstm-crf", *TINY, "--epochs", "1", "--hold-out", "0")
    done = elision("train", few, "--out", tmp_path / "m", *options, "--set", f"pretrained={pretrained}")
    assert done.returncode == 0, done.stderr
    done = _audit(tmp_path / "m", few)
    assert done.returncode == 1
    assert "unless --pretrained names that folder" in done.stdout
    done = _audit(tmp_path / "m", few, "--pretrained", pretrained)
    assert done.returncode == 0, done.stdout + done.stderr
    done = _audit(pretrained, corpus / "notes.jsonl")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pretrained.words" in done.stdout
    done = _audit(pretrained, corpus / "notes.jsonl", "--least", "30")
    assert done.returncode == 1
    store.save(tmp_path / "other", replace(store.load(pretrained), card={"language": "en"}))
    done = _audit(tmp_path / "m", few, "--pretrained", tmp_path / "other")
    assert done.returncode == 2
    assert "the model did not begin with this one" in done.stderr


def test_learning_goes_on_from_a_model_that_an_audit_then_needs(trained: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    write(_english(made_notes(5, seed=3)), few, "jsonl")
    options = ("--start-from", trained, "--epochs", "1", "--hold-out", "0", "--made", "0")
    done = elision("train", few, "--out", tmp_path / "m", *options)
    assert done.returncode == 0, done.stderr
    assert "goes on from a model of" in done.stdout
    done = _audit(tmp_path / "m", few, "--start-from", trained)
    assert done.returncode == 0, done.stdout + done.stderr
    done = _audit(tmp_path / "m", few)
    assert done.returncode == 2
    assert "say --start-from with the folder of that one" in done.stderr


def test_there_are_no_features_to_list(trained: Path) -> None:
    done = elision("model", "show", trained, "--features", "3")
    assert done.returncode == 2
    assert "has no features to list" in done.stderr


# -- checkpoints


def _learning(corpus: Path, out: Path, stand: Path, *more: str) -> list[str]:
    options = ("--preset", "bi-gru", *TINY, *WORDS, "--epochs", "12", "--checkpoints", str(stand), *more)
    return ["train", str(corpus / "notes.jsonl"), "--out", str(out), *options]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_after_a_kill_the_same_command_gives_the_same_model(corpus: Path, tmp_path: Path) -> None:
    out, stand = tmp_path / "m", tmp_path / "stand"
    code = "from elision.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", code, *_learning(corpus, out, stand)], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 100
    while not (stand / "first" / "manifest.json").exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "it was over before"
    assert (stand / "first").is_dir()
    assert not out.exists()
    assert elision(*_learning(corpus, out, stand)).returncode == 0
    assert not stand.exists()
    whole = tmp_path / "whole"
    assert elision(*_learning(corpus, whole, tmp_path / "another")).returncode == 0
    assert store.fingerprint(out) == store.fingerprint(whole)


def test_a_checkpoint_of_other_settings_or_of_others_is_refused_and_kept(corpus: Path, tmp_path: Path) -> None:
    stand = tmp_path / "stand"
    Checkpoints(stand / "first", {"hidden": 9}).save(Checkpoint({}, {}))
    before = store.fingerprint(stand / "first")
    done = elision(*_learning(corpus, tmp_path / "m", stand))
    assert done.returncode == 2
    assert "is a checkpoint of another learning" in done.stderr
    assert store.fingerprint(stand / "first") == before
    store.save(tmp_path / "mine" / "first", other_model())
    done = elision(*_learning(corpus, tmp_path / "m", tmp_path / "mine"))
    assert done.returncode == 2, done.stderr
    assert store.load(tmp_path / "mine" / "first").kind == other_model().kind
    (tmp_path / "theirs" / "first").mkdir(parents=True)
    thesis = tmp_path / "theirs" / "first" / "thesis.txt"
    thesis.write_text(SECRET)
    done = elision(*_learning(corpus, tmp_path / "m", tmp_path / "theirs"))
    assert done.returncode == 2
    assert thesis.read_text() == SECRET
    assert SECRET not in done.stderr
    assert not (tmp_path / "m").exists()


# -- where the commands refuse


def test_without_torch_the_extra_is_named_and_models_still_tag(trained: Path, corpus: Path, tmp_path: Path) -> None:
    def without(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        code = "import sys; sys.modules['torch'] = None\nfrom elision.cli import main; main()"
        command = [sys.executable, "-c", code, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    done = without("train", corpus / "notes.jsonl", "--out", tmp_path / "m", "--preset", "bi-gru", *TINY)
    assert done.returncode == 2
    assert "elision[train]" in done.stderr
    assert not (tmp_path / "m").exists()
    options = ("--model", trained, "--model-only")
    assert without("detect", corpus / "dev.jsonl", tmp_path / "out.jsonl", *options).returncode == 0
    assert without("model", "show", trained, "--audit", corpus / "notes.jsonl").returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--set", "window=0"), "window 0: must be at least 1"),
        (("--set", "cell=rnn"), "choose one of gru, lstm"),
        (("--seeds", "3"), "a neural tagger is learnt from one seed"),
        (("--set", "pretrained=nowhere"), "pretrained nowhere: no such folder"),
        (("--set", "wings=2"), "--set wings: bi-gru has nothing of this name"),
    ],
)
def test_what_cannot_be_set_is_told(options: tuple[str, str], message: str, corpus: Path, tmp_path: Path) -> None:
    given = ("--preset", "bi-gru", *TINY, *options)
    done = elision("train", corpus / "notes.jsonl", "--out", tmp_path / "m", *given)
    assert done.returncode == 2, done.stdout
    assert message in " ".join(done.stderr.split())
    assert not (tmp_path / "m").exists()
