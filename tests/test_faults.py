"""A fault in any part that looks at a note holds the note, and no word of it comes out: through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from elision.cli import main
from elision.keys import Key
from tests import faults
from tests.run.small import Row, read_rows, write_rows

CANARY = "Quillfeather"
KEY = Key(bytes(range(32)))


def note(part: str, fault: str, at: int = 0) -> str:
    return (
        f"Patient name: Ada {CANARY}{'abcdefghij'[at % 10]}{'klmnopqrst'[at // 10]}\n"
        f"She was seen on 3 May 2001 and was well. MRN: 4711-08{at:02}. {faults.words(part, fault)}\n"
    )


NO_FAULT = "none", "none"
# Only a run looks at memories of the whole input, only rules alone are all rules, and only one note has no others.
BY_RUN_ALONE = {"recall"}


def call(*words: object) -> int:
    """The command line in this process; its exit status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["elision", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    return code if isinstance(code, int) else 0


@pytest.mark.parametrize("policy", ["tag", "surrogate"])
@pytest.mark.parametrize(("part", "fault"), [NO_FAULT, *(one for one in faults.ALL if one[0] not in BY_RUN_ALONE)])
def test_one_note(
    part: str,
    fault: str,
    policy: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    faults.install(monkeypatch.setattr)
    source, key, out = tmp_path / "in.txt", tmp_path / "project.key", tmp_path / "out.txt"
    receipt, page = tmp_path / "receipt.jsonl", tmp_path / "page.html"
    source.write_text(note(part, fault))
    KEY.write(key)
    rules = ["--effort", "rules"] if part == "all-rules" else []
    status = call("deidentify", source, "--policy", policy, "--key", key, "--patient", "p1", "-o", out,
                  "--receipt", receipt, "--html", page, "--show", *rules)  # fmt: skip
    told = capfd.readouterr()
    if fault == "none":
        assert status == 0, told.err
        assert CANARY not in out.read_text()
        return
    assert status in (1, 2)
    assert not out.exists()
    assert not page.exists()
    row = json.loads(receipt.read_text().splitlines()[0])
    assert (row["status"], bool(row["why"])) == ("held", True)
    for shown in (told.out, told.err, receipt.read_text()):
        assert CANARY not in shown
        assert "fault" not in shown
    assert row["why"] in told.err


@pytest.mark.slow
@pytest.mark.parametrize("rules_only", [False, True], ids=["trained", "rules only"])
def test_a_run_holds_the_notes_over_which_a_part_fails_and_no_others(tmp_path: Path, rules_only: bool) -> None:
    asked = [one for one in faults.ALL if one[0] != "memory"]  # which a run does not use
    if rules_only:
        asked = [one for one in asked if one[0] in ("all-rules", "known")]
    else:
        asked = [one for one in asked if one[0] != "all-rules"]
    rows: list[Row] = []
    for at, (part, fault) in enumerate([NO_FAULT, *asked, NO_FAULT]):
        rows.append({"id": f"n{at}", "patient": f"p{at}", "text": note(part, fault, at)})
    source, out, log = write_rows(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl", tmp_path / "log"
    log.mkdir()
    command = ["run", source, "-o", out, "--text", "text", "--id", "id", "--patient", "patient", "--language", "en",
               "--workers", 1, "--progress", "plain", *(["--effort", "rules"] if rules_only else [])]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", "from elision.cli import main; main()", *map(str, command)],
        env={**faults.environment(log), "TMPDIR": str(log), "PYTHONDEVMODE": "1"},
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    cleaned = read_rows(out)
    assert [row["id"] for row in cleaned if row["text"] is not None] == ["n0", f"n{len(rows) - 1}"]
    assert {row["elision_status"] for row in cleaned[1:-1]} == {"held"}
    held = read_rows(tmp_path / "out.jsonl.run" / "quarantine.jsonl")
    assert [row["note"] for row in held] == [f"n{at}" for at in range(1, len(rows) - 1)]
    assert CANARY not in done.stdout + done.stderr
    for file in (path for path in tmp_path.rglob("*") if path.is_file() and path != source):
        assert CANARY.encode() not in file.read_bytes(), file


def test_every_part_and_every_fault_is_tried() -> None:
    """A part that is called otherwise by now would be wrapped in vain."""
    assert {part for part, _ in faults.ALL} == set(faults.PARTS)
    assert len(faults.ALL) == len(set(faults.ALL))
