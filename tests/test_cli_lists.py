"""`--allow` and `--deny`, as a user gives them to each command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import elision
from elision.cli import app
from elision.errors import ListError, ModelError, RunError
from elision.keys import Key
from tests.serve.client import running

NOTE = "The patient was seen by Dr. Jane Quirke on 3 May 2001. The Falcon team was there, and Dr. Foley."
CLEAN = "The patient was seen by Dr. [NAME] on [DATE]. The [DEPARTMENT] team was there, and Dr. Foley."


@pytest.fixture
def lists(tmp_path: Path) -> list[str]:
    (tmp_path / "allow.txt").write_text("# ours\nFoley\n", "utf-8")
    (tmp_path / "deny.toml").write_text('[labels]\nDEPARTMENT = ["Falcon"]', "utf-8")
    return ["--allow", str(tmp_path / "allow.txt"), "--deny", str(tmp_path / "deny.toml"), "--effort", "rules"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text(NOTE, "utf-8")
    return tmp_path / "notes"


def ok(*words: object, status: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == status, done.output
    return done.stdout


def test_one_note(source: Path, lists: list[str], tmp_path: Path) -> None:
    Key.new().write(tmp_path / "project.key")
    receipt, out = tmp_path / "receipt.jsonl", tmp_path / "clean.txt"
    ok("deidentify", source / "a.txt", *lists, "--key", tmp_path / "project.key", "--receipt", receipt, "-o", out)
    assert out.read_text() == CLEAN
    row = json.loads(receipt.read_text().splitlines()[0])
    assert row["options"].keys() == {"allow", "deny"}
    assert (row["warnings"]["left-as-allowed"], row["warnings"]["removed-as-denied"]) == (1, 1)
    ok("verify", receipt, out, "--key", tmp_path / "project.key")


def test_a_list_is_no_place_to_write_to(source: Path, lists: list[str]) -> None:
    with pytest.raises(elision.ElisionError, match="is read by the command, and would be lost"):
        ok("deidentify", source / "a.txt", *lists, "-o", lists[1], "--force")
    with pytest.raises(elision.ElisionError):
        ok("run", source, *lists, "-o", lists[1], "--workers", 1, "--force")
    assert Path(lists[1]).read_text() == "# ours\nFoley\n"


def test_what_would_be_replaced(source: Path, lists: list[str], tmp_path: Path) -> None:
    ok("detect", source, tmp_path / "found.jsonl", *lists)
    row = json.loads((tmp_path / "found.jsonl").read_text())
    found = {NOTE[span["start"] : span["end"]]: span["label"] for span in row["spans"]}
    assert found["Falcon"] == "DEPARTMENT"
    assert "Foley" not in found
    with pytest.raises(ModelError, match="leave --rules-only and --model-only out"):
        ok("detect", source, tmp_path / "other.jsonl", *lists, "--rules-only")


def test_a_run_goes_on_with_the_same_lists_only(source: Path, lists: list[str], tmp_path: Path) -> None:
    words = ("run", source, "-o", tmp_path / "clean", "--workers", 1, *lists)
    ok(*words)
    assert (tmp_path / "clean" / "a.txt").read_text() == CLEAN
    ok(*words)  # there is nothing left to do
    (tmp_path / "allow.txt").write_text("Foley\n# the same words\n", "utf-8")
    ok(*words)
    (tmp_path / "allow.txt").write_text("Foley\nQuirke\n", "utf-8")
    with pytest.raises(RunError, match=r"Changed: allow \(its fingerprint\)"):
        ok(*words)
    summary = json.loads((tmp_path / "clean.run" / "receipts.jsonl").read_text().splitlines()[-1])
    assert summary["warnings"]["left-as-allowed"] == 1


def test_a_run_takes_no_list_that_cannot_be_used(source: Path, lists: list[str], tmp_path: Path) -> None:
    (tmp_path / "allow.txt").write_text("Quillfeather\n?\n", "utf-8")
    with pytest.raises(ListError, match=r"allow\.txt, line 2"):
        ok("run", source, "-o", tmp_path / "clean", "--workers", 1, *lists)
    assert not (tmp_path / "clean").exists()
    assert not (tmp_path / "clean.run").exists()


def test_the_service(lists: list[str]) -> None:
    with running(allow=lists[1], deny=lists[3]) as client:
        assert client.post("/v1/deidentify", {"text": NOTE}).json["text"] == CLEAN
