"""`elision pretrain`: what it writes and says, what it refuses, and that it goes on after Ctrl-C."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from elision.formats import write
from elision.models import store
from elision.taggers.neural.pretrained import load
from tests.models.model_folders import model as other_model
from tests.taggers.made_notes import made_notes
from tests.test_cli import SECRET, elision

pytest.importorskip("torch")
pytestmark = pytest.mark.slow  # processes that load torch

QUICK = ("--hidden", "8", "--size", "5", "--epochs", "2", "--least", "3", "--threads", "1")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    write(made_notes(24), tmp_path / "notes.jsonl", "jsonl")
    return tmp_path / "notes.jsonl"


def test_help_has_an_example() -> None:
    done = elision("pretrain", "--help")
    assert done.returncode == 0
    assert "Example:\n\n      elision pretrain" in done.stdout


def test_it_writes_a_folder_and_says_what_came_of_it(notes: Path, tmp_path: Path) -> None:
    done = elision("pretrain", notes, "--out", tmp_path / "pre", *QUICK, "--licence", "CC0", "--language", "en")
    assert done.returncode == 0, done.stderr
    found = load(tmp_path / "pre")
    assert (found.hidden, found.size, found.card["licence"], found.card["language"]) == (8, 5, "CC0", "en")
    rows = {line.split("  ")[0]: line.split("  ")[-1].strip() for line in done.stdout.rstrip().splitlines()}
    assert f"perplexity, forward     {found.card['perplexity']['forward']:.3f}" in done.stdout
    assert {"notes", "perplexity, backward", "size", "seconds"} <= rows.keys()
    assert "as safe as the notes" in done.stderr
    assert "epoch 1 of 2" in done.stderr
    assert not (tmp_path / "pre.checkpoint").exists()


def test_a_folder_of_plain_texts_is_read(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    for note in made_notes(12):
        (tmp_path / "texts" / f"{note.id}.txt").write_text(note.text, "utf-8")
    done = elision("pretrain", tmp_path / "texts", "--out", tmp_path / "pre", *QUICK)
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "pre").card["training"]["notes"] == 12


def test_after_ctrl_c_the_command_that_it_says_goes_on(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "pre folder"
    given = ["pretrain", str(notes), "--out", str(out), *QUICK, "--epochs", "9999", "--minutes", "0.5"]
    code = "from elision.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", code, *given], stderr=subprocess.PIPE, text=True)
    checkpoint = tmp_path / "pre folder.checkpoint"
    deadline = time.monotonic() + 60
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert not out.exists()
    line = next(line for line in said.splitlines() if "to go on: " in line)
    words = shlex.split(line.split("to go on: ")[1])
    assert words[:2] == ["elision", "pretrain"]
    assert "--force" not in words
    done = elision(*(word if word != "9999" else "1" for word in words[1:]))
    assert done.returncode == 0, done.stderr
    assert "going on from the checkpoint" in done.stderr
    assert load(out).card["settings"]["hidden"] == 8
    assert not checkpoint.exists()


def test_what_stands_in_the_way_is_kept(notes: Path, tmp_path: Path) -> None:
    store.save(tmp_path / "model", other_model())
    before = store.fingerprint(tmp_path / "model")
    for arguments in (("--out", tmp_path / "model"), ("--out", tmp_path / "pre", "--checkpoints", tmp_path / "model")):
        done = elision("pretrain", notes, *arguments, *QUICK)
        assert done.returncode == 2, done.stderr
        assert store.fingerprint(tmp_path / "model") == before
    assert not (tmp_path / "pre").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hidden", "0"), "hidden 0: must be from 1"),
        (("--minutes", "nan"), "minutes nan: must be at least 0"),
        (("--least", "30"), "of 24 patients"),
        (("--checkpoints", "{out}"), "are the same folder"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    notes: Path, tmp_path: Path, arguments: tuple[str, str], message: str
) -> None:
    out = tmp_path / "pre"
    done = elision("pretrain", notes, "--out", out, *QUICK, *(one.format(out=out) for one in arguments))
    assert done.returncode == 2
    assert message in done.stderr
    assert not out.exists()


def test_folders_within_the_notes_are_refused(tmp_path: Path) -> None:
    done = elision("pretrain", tmp_path, "--out", tmp_path / "pre")
    assert done.returncode == 2
    assert "lies inside the notes" in done.stderr


def test_no_word_of_a_note_gets_out(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(SECRET)
    done = elision("pretrain", tmp_path / "texts", "--out", tmp_path / "pre", *QUICK)
    assert done.returncode == 2
    assert SECRET not in done.stderr + done.stdout


def test_without_torch_the_extra_is_named(notes: Path, tmp_path: Path) -> None:
    code = "import sys; sys.modules['torch'] = None\nfrom elision.cli import main; main()"
    command = [sys.executable, "-c", code, "pretrain", str(notes), "--out", str(tmp_path / "pre")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "elision[train]" in done.stderr
