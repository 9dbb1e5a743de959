"""The commands for keys, receipts and seals: what they say, where they refuse, and their exit status."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from elision.document import Document
from elision.evidence.receipts import Receipt, write_receipts
from elision.evidence.seal import seal
from elision.formats import write
from elision.keys import Key
from elision.policy import Policy, Rule
from tests.test_cli import SECRET, elision

POLICY = Policy("ours", "", {"*": Rule("tag")})


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "project.key"
    Key(bytes(range(32))).write(file)
    return file


@pytest.fixture
def run(tmp_path: Path, key: Path) -> Path:
    """A folder with the notes of a run and its receipts."""
    before = [Document(f"{SECRET} was seen on day {number}.", f"n{number}") for number in range(4)]
    after = [replace(one, text=one.text.replace(SECRET, "[NAME]")) for one in before]
    write(after[:3], tmp_path / "out.jsonl", "jsonl")
    receipts = [Receipt.of(one, two, policy=POLICY, key=Key.read(key)) for one, two in zip(before, after, strict=True)]
    held = Receipt.of(before[3], None, policy=POLICY, key=Key.read(key), why="x: TimeoutError")
    write_receipts(tmp_path / "receipts.jsonl", [*receipts[:3], held], Key.read(key))
    return tmp_path


@pytest.mark.parametrize("command", [("key", "new"), ("key", "show"), ("verify",), ("unseal",)])
def test_every_command_has_help_with_an_example(command: tuple[str, ...]) -> None:
    done = elision(*command, "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout
    assert f"Example:\n\n      elision {' '.join(command)}" in done.stdout


def test_a_new_key_is_written_once_and_never_shown(tmp_path: Path) -> None:
    file = tmp_path / "project.key"
    done = elision("key", "new", file)
    assert done.returncode == 0
    made = Key.read(file)
    assert f"a key of 256 bits, with the id {made.id}" in done.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = elision("key", "new", file)
    assert again.returncode == 2
    assert "never written over" in again.stderr
    shown = elision("key", "show", file)
    assert shown.stdout == f"id    {made.id}\nbits  256\nmode  0600\n"
    secret = file.read_text().partition(":")[2].strip()
    for said in (done, again, shown):
        assert secret[:10] not in said.stdout + said.stderr


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_key_open_to_others_is_refused_everywhere(run: Path, key: Path) -> None:
    key.chmod(0o644)
    (run / "note.txt").write_text("x")
    for command in (
        ("key", "show", key), ("unseal", run / "note.txt", "--key", key),
        ("verify", run / "receipts.jsonl", run / "out.jsonl", "--key", key),
    ):  # fmt: skip
        done = elision(*command)
        assert done.returncode == 2
        assert f"elision: {key}: others may read this key; say: chmod 600 {key}" in done.stderr


def test_a_run_that_agrees(run: Path, key: Path) -> None:
    done = elision("verify", run / "receipts.jsonl", run / "out.jsonl", "--key", key)
    assert (done.returncode, done.stdout) == (0, "")
    assert "ok: 3\nok: held: 1\n" in done.stderr
    rows = elision("verify", run / "receipts.jsonl", run / "out.jsonl", "--key", key, "--json").stdout.splitlines()
    told = json.loads(rows.pop())
    assert (told["ok"], told["summary"]) == (True, {"ok": 3, "ok: held": 1})
    assert [json.loads(row) for row in rows] == [
        *({"note": f"n{number}", "found": "ok", "ok": True, "line": number + 1} for number in range(3)),
        {"note": "n3", "found": "ok: held", "ok": True, "line": 4},
    ]


def test_a_run_that_was_changed(run: Path, key: Path) -> None:
    out, receipts = run / "out.jsonl", run / "receipts.jsonl"
    lines = out.read_text().splitlines()
    out.write_text("\n".join((lines[0].replace("day 0", "day 9"), lines[2], lines[2].replace("n2", "n3"), "")))
    done = elision("verify", receipts, out, "--key", key)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"note n0: the note was changed after its receipt ({receipts}:1)",
        f"note n3: the note is there, though it was held ({receipts}:4)",
        f"note n1: the note is missing ({receipts}:2)",
    ]
    out.write_text("\n".join((*lines, "")))
    receipts.write_text(receipts.read_text().replace('"status":"held"', '"status":"done"'))
    done = elision("verify", receipts, out, "--key", key)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"note n3: the receipt was altered ({receipts}:4)",
        f"{receipts}: the summary does not fit the receipts: a line was changed, moved, added or lost ({receipts}:5)",
    ]
    assert SECRET not in done.stdout + done.stderr


def test_receipts_that_cannot_be_read(run: Path, key: Path) -> None:
    (run / "receipts.jsonl").write_text(f'{{"{SECRET}": 1}}\n')
    done = elision("verify", run / "receipts.jsonl", run / "out.jsonl", "--key", key)
    assert done.returncode == 2
    assert "receipts.jsonl:1: this is no receipt" in done.stderr
    assert "Traceback" not in done.stderr
    assert elision("verify", run / "none.jsonl", run / "out.jsonl", "--key", key).returncode == 2
    other = run / "other.key"
    Key.new().write(other)
    assert elision("verify", run / "receipts.jsonl", run / "out.jsonl", "--key", other).returncode == 2


def test_seals_are_opened(tmp_path: Path, key: Path) -> None:
    whole = seal(SECRET, Key.read(key).secret("seal"), note="n1", label="NAME_PATIENT", position=8)
    note = tmp_path / "note.txt"
    note.write_bytes(f"Seen by {whole}.\r\n".encode())
    done = elision("unseal", note, "--key", key)
    assert (done.returncode, done.stderr) == (0, "opened 1 seals\n")
    assert done.stdout.rstrip() == f"Seen by {SECRET}."
    out = tmp_path / "open.txt"
    assert elision("unseal", note, "--key", key, "--out", out).returncode == 0
    assert out.read_bytes() == f"Seen by {SECRET}.\r\n".encode()
    again = elision("unseal", note, "--key", key, "--out", out)
    assert again.returncode == 2
    assert "is there already; write elsewhere, or --force" in again.stderr


def test_a_damaged_seal_is_named_by_its_place_and_nothing_comes_out(tmp_path: Path, key: Path) -> None:
    whole = seal(SECRET, Key.read(key).secret("seal"), note="n1", label="NAME_PATIENT", position=0)
    note = tmp_path / "note.txt"
    note.write_text(f"{whole} and {whole[:30]}A{whole[31:]}")
    done = elision("unseal", note, "--key", key, "--out", tmp_path / "open.txt")
    assert done.returncode == 2
    assert f"note.txt: the seal at offset {len(whole) + 5} does not open" in done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert not (tmp_path / "open.txt").exists()
