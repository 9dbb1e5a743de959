"""`elision deidentify` and `elision policy`, as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from elision.formats.kinds import KINDS
from elision.keys import Key
from elision.languages.base import served
from elision.limits import CAN_FORK
from elision.policy import policy_names
from tests.formats.test_kinds import FILES
from tests.test_cli import EXAMPLES, elision

LETTER = EXAMPLES / "gold" / "en" / "neurology-letter.txt"
NOTE = "Seen by Dr. Quillfeather on 3 May 2001. MRN: 4711-0815.\r\nNo fever.\r\n"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    Key(bytes(range(32))).write(tmp_path / "project.key")
    return tmp_path / "project.key"


@pytest.mark.parametrize("command", ["deidentify", "policy list", "policy show"])
def test_help_has_an_example(command: str) -> None:
    done = elision(*command.split(), "--help")
    assert done.returncode == 0
    assert f"Example:\n\n      elision {command}" in done.stdout


def test_a_note_comes_out_on_standard_output(tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_bytes(NOTE.encode())
    done = subprocess.run(
        [sys.executable, "-c", "from elision.cli import main; main()", "deidentify", str(file)], capture_output=True
    )
    assert done.stdout == b"Seen by Dr. [NAME] on [DATE]. MRN: [MEDICAL_RECORD].\r\nNo fever.\r\n"
    assert done.stderr == b""


def test_standard_input_does(tmp_path: Path) -> None:
    code = "from elision.cli import main; main()"
    command = [sys.executable, "-c", code, "deidentify", "--policy", "mask"]
    done = subprocess.run(command, input="El paciente acude con Dña. Ana Quillfeather el 3/5/2001 por tos".encode(),
                          capture_output=True)  # fmt: skip
    assert done.stdout.decode() == "El paciente acude con Dña. *** ************ el ******** por tos"


def test_stand_ins_receipt_and_page(tmp_path: Path, key: Path) -> None:
    out, receipt, page = tmp_path / "out.txt", tmp_path / "receipt.jsonl", tmp_path / "page.html"
    arguments = ("deidentify", LETTER, "--policy", "surrogate", "--key", key, "-o", out)
    done = elision(*arguments, "--receipt", receipt, "--html", page, "--show")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "before" in done.stderr
    text = out.read_text("utf-8")
    assert text != LETTER.read_text("utf-8")
    assert json.loads(receipt.read_text().splitlines()[0])["status"] == "done"
    assert "Keep it where the note may be kept" in page.read_text("utf-8")
    assert elision(*arguments[:-1], tmp_path / "again.txt").returncode == 0
    assert (tmp_path / "again.txt").read_text("utf-8") == text


def test_rules_alone_leave_the_trained_model_out(tmp_path: Path, key: Path) -> None:
    told = []
    for effort in ("fast", "rules"):
        receipt = tmp_path / f"{effort}.jsonl"
        assert elision("deidentify", LETTER, "--effort", effort, "--key", key, "--receipt", receipt).returncode == 0
        told.append({each["name"] for each in json.loads(receipt.read_text().splitlines()[0])["seen"]})
    assert told == [{"rules en, from 0.8 on", "crf en", "KnownValues"}, {"rules en", "KnownValues"}]


@pytest.mark.parametrize("policy", policy_names())
def test_every_policy_can_be_shown_and_used(policy: str, key: Path) -> None:
    assert "NAME_PATIENT" in elision("policy", "show", policy).stdout
    done = elision("deidentify", LETTER, "--policy", policy, "--key", key)
    assert done.returncode == 0, done.stderr


ERRORS = [
    (["nothing.txt"], 2, "nothing.txt: cannot read the note"),
    (["short.txt"], 1, "language-not-told; nothing was written; say --language, or --default-language"),
    (["note.txt", "--language", "sv"], 2, f"no language 'sv'; say one of {', '.join(served())}"),
    (["note.txt", "--policy", "safe-harbour"], 2, "did you mean safe-harbor?"),
    (["note.txt", "--policy", "surrogate"], 2, "policy surrogate needs a key"),
    (["note.txt", "--receipt", "r.jsonl"], 2, "--receipt needs --key"),
    (["note.txt", "--key", "no.key"], 2, "no such file; make a key"),
    (["note.txt", "--encoding", "latin-77"], 2, "no such encoding"),
    (["latin.txt"], 2, "is not utf-8 at byte"),
    (["note.txt", "--max-mb", "0.00001"], 2, "larger than"),
    (["note.txt", "--policy", "ours.toml"], 1, "is held: label-without-rule; nothing was written"),
    (["note.txt", "-o", "note.txt/out.txt"], 2, "cannot be written"),
    (["note.txt", "--rules", "bad.toml"], 2, "bad.toml"),
    (["note.txt", "--model", "no-model"], 2, "no-model"),
    (["note.txt", "--dial", "0"], 2, "--dial 0: must be more than 0"),
    (["note.txt", "--dial", "nan"], 2, "--dial nan: must be more than 0"),
]


@pytest.mark.parametrize(("arguments", "status", "says"), ERRORS, ids=[" ".join(row[0]) for row in ERRORS])
def test_what_goes_wrong_is_said_without_the_note(arguments: list[str], status: int, says: str, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE, "utf-8")
    (tmp_path / "short.txt").write_text("Quillfeather", "utf-8")
    (tmp_path / "latin.txt").write_bytes("Quillfeather señor".encode("cp1252"))
    (tmp_path / "ours.toml").write_text('[labels]\nDATE = "tag"\n')
    (tmp_path / "bad.toml").write_text("[[rule]]\nname = 3\n")
    command = [sys.executable, "-c", "from elision.cli import main; main()", "deidentify", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == status
    assert says in done.stderr
    assert "Quillfeather" not in done.stderr
    assert done.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bad.toml", "latin.txt", "note.txt", "ours.toml", "short.txt"
    ]  # fmt: skip


@pytest.mark.parametrize("times", [1, 400], ids=["a short note", "more than a buffer takes"])
def test_a_full_disk_is_said_plainly(times: int, tmp_path: Path) -> None:
    """/dev/full takes nothing: the note does not come out, and why is told like any other error of writing."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    (tmp_path / "note.txt").write_text(NOTE * times, "utf-8")
    done = _to_dev_full("deidentify", str(tmp_path / "note.txt"))
    assert done.returncode == 2
    assert done.stderr == (
        "elision: standard output: cannot be written: No space left on device; "
        "make room there or write elsewhere, then again\n"
    )


@pytest.mark.parametrize("command", ["policy list", "--version", "deidentify --help"])
def test_a_full_disk_is_told_by_other_commands(command: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = _to_dev_full(*command.split())
    assert done.returncode == 2
    assert "written: No space left on device; make room" in done.stderr
    assert "Exception ignored" not in done.stderr


def _to_dev_full(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from elision.cli import main; main()", *arguments]
    with Path("/dev/full").open("w") as full:
        return subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)


# -- files that are no text, and files that are there already


@pytest.mark.parametrize("name", ["rtf", "c-cda", "docx", "utf-16-le"])
@pytest.mark.parametrize("way", ["file", "latin-1", "standard input"])
def test_what_is_no_text_is_refused(name: str, way: str, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_bytes(dict(FILES)[name])
    options = ["--encoding", "latin-1"] if way == "latin-1" else []
    source = "-" if way == "standard input" else str(file)
    command = [sys.executable, "-c", "from elision.cli import main; main()", "deidentify", source, *options]
    done = subprocess.run(command, input=file.read_bytes(), capture_output=True)
    assert done.returncode == 2
    assert done.stdout == b""
    said = " ".join(done.stderr.decode().split())
    assert said.startswith(f"elision: {source}: is {KINDS[name].what}")
    assert said.endswith(KINDS[name].todo)


OUTPUTS = ["--out", "--receipt", "--html"]


@pytest.mark.parametrize("option", OUTPUTS)
def test_nothing_is_written_over(option: str, tmp_path: Path, key: Path) -> None:
    there = tmp_path / "there"
    there.write_text("somebody's", "utf-8")
    arguments = ("deidentify", LETTER, "--effort", "rules", "--key", key, option, there)
    done = elision(*arguments)
    assert done.returncode == 2
    assert f"{option} {there}: is there already; write elsewhere, or --force" in " ".join(done.stderr.split())
    assert there.read_text("utf-8") == "somebody's"
    assert elision(*arguments, "--force").returncode == 0
    assert there.read_text("utf-8") != "somebody's"


@pytest.mark.parametrize("way", ["same", "symbolic link", "hard link", "other spelling", "the key", "each other"])
def test_what_is_read_is_never_written_over(way: str, tmp_path: Path, key: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(NOTE, "utf-8", newline="")
    out = tmp_path / "other.txt"
    more: list[str | Path] = []
    if way == "same":
        out = note
    elif way == "symbolic link":
        out.symlink_to(note)
    elif way == "hard link":
        out.hardlink_to(note)
    elif way == "other spelling":
        (tmp_path / "deep").mkdir()
        out = tmp_path / "deep" / ".." / "note.txt"
    elif way == "the key":
        out = key
    else:
        more = ["--html", tmp_path / "." / "other.txt"]
    before = key.read_bytes()
    done = elision("deidentify", note, "--key", key, "-o", out, *more, "--force")
    assert done.returncode == 2
    assert "write elsewhere" in done.stderr or "give each a file" in done.stderr
    assert note.read_bytes() == NOTE.encode()
    assert key.read_bytes() == before


def test_pages_with_notes_are_for_their_owner(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert elision("deidentify", LETTER, "--effort", "rules", "--html", page).returncode == 0
    assert page.stat().st_mode & 0o777 == 0o600
    page.chmod(0o644)
    assert elision("deidentify", LETTER, "--effort", "rules", "--html", page, "--force").returncode == 0
    assert page.stat().st_mode & 0o777 == 0o600
    report = tmp_path / "report.html"
    assert elision("score", EXAMPLES / "gold", EXAMPLES / "system", "--html", report).returncode == 0
    assert report.stat().st_mode & 0o777 == 0o600
    done = elision("score", EXAMPLES / "gold", EXAMPLES / "system", "--html", report)
    assert done.returncode == 2
    assert "--html" in done.stderr


@pytest.mark.skipif(not CAN_FORK, reason="there is no fork here")
def test_a_note_that_takes_too_long_is_held_and_its_receipt_says_so(tmp_path: Path, key: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    out, receipt = tmp_path / "out.txt", tmp_path / "receipt.jsonl"
    hanging = (
        "import elision.detect.defaults as p, time\nfound = p.detectors_for\n"
        "p.detectors_for = lambda *a, **k: [*found(*a, **k), lambda notes: time.sleep(1000)]\n"
        "from elision.cli import main\nmain()"
    )
    options = ["--key", str(key), "-o", str(out), "--receipt", str(receipt), "--seconds-per-note", "0.5"]
    command = [sys.executable, "-c", hanging, "deidentify", str(tmp_path / "note.txt"), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "note.txt is held: timeout; nothing was written" in done.stderr
    assert not out.exists()
    assert json.loads(receipt.read_text().splitlines()[0])["why"] == "timeout"


@pytest.mark.parametrize("option", ["--seconds-per-note", "--memory-per-note"])
def test_limits_are_more_than_nothing(tmp_path: Path, option: str) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    done = elision("deidentify", tmp_path / "note.txt", option, "0")
    assert done.returncode == 2
    assert f"{option} 0: must be more than 0" in done.stderr
