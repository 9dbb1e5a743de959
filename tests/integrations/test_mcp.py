"""Tools for a language model: what they answer, what they never tell, and where they do not go."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from typer.testing import CliRunner

from elision.cli import app
from elision.errors import FormatError, RunError
from elision.integrations.folders import Folders
from elision.integrations.mcp_server import Lines, answered, server_of
from elision.integrations.mcp_tools import COLUMNS, SUFFIX, Settings, Tools
from elision.keys import Key
from elision.run.how import How

CANARY = "Quillfeather"
NOTE = f"Seen by Dr. {CANARY} on 3 May 2001. No fever."
CLEAN = "Seen by Dr. [NAME] on [DATE]. No fever."
MAIN = "from elision.cli import main; main()"


def tools(*folders: Path, most: int = 100_000, seconds: float = 60, **how: Any) -> Tools:
    chosen: dict[str, Any] = {"effort": "rules", "language": "en", **how}
    return Tools(Settings(How(COLUMNS, **chosen), Folders(folders), most, seconds))


def ask(of: Tools, name: str, **arguments: Any) -> dict[str, Any]:
    answer: dict[str, Any] = anyio.run(answered, of, name, arguments)
    assert CANARY not in json.dumps(answer)
    return answer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "allowed").mkdir()
    (tmp_path / "allowed" / "note.txt").write_text(NOTE, "utf-8")
    (tmp_path / "secret.txt").write_text(NOTE, "utf-8")
    return tmp_path / "allowed"


@pytest.fixture
def key(tmp_path: Path) -> str:
    Key(bytes(range(32))).write(tmp_path / "project.key")
    return str(tmp_path / "project.key")


# -- what they answer


def test_a_text_comes_back_de_identified() -> None:
    answer = ask(tools(), "deidentify", text=NOTE)
    assert answer == {"status": "done", "language": "en", "labels": {"DATE": 1, "NAME_CLINICIAN": 1}, "text": CLEAN}
    known = ask(tools(), "deidentify", text=f"{CANARY} is well.", known={"name": [f"Jane {CANARY}"]})
    assert known["text"] == "[NAME] is well."


def test_explaining_tells_places_and_no_word() -> None:
    answer = ask(tools(), "explain", text=NOTE)
    assert answer["labels"] == {"DATE": 1, "NAME_CLINICIAN": 1}
    (name, date) = answer["spans"]
    assert (NOTE[name["start"] : name["end"]], name["label"]) == (CANARY, "NAME_CLINICIAN")
    assert (NOTE[date["start"] : date["end"]], answer["more"]) == ("3 May 2001", 0)


def test_a_note_that_is_held_is_explained() -> None:
    answer = ask(tools(language=""), "explain", text=CANARY)
    assert (answer["status"], answer["why"]) == ("held", "language-not-told")
    assert "--language" in answer["todo"]
    assert ask(tools(), "deidentify", text="%PDF-1.4 " + CANARY)["status"] in ("held", "error")


def test_a_file_becomes_a_new_file_and_its_text_does_not_come_back(folder: Path, key: str) -> None:
    of = tools(folder, key=key, policy="surrogate")
    answer = ask(of, "deidentify", file="note.txt", out="clean.txt")
    assert "text" not in answer
    clean = (folder / "clean.txt").read_text("utf-8")
    assert clean.startswith("Seen by Dr. ")
    assert CANARY not in clean
    if os.name == "posix":
        assert (folder / "clean.txt").stat().st_mode & 0o077 == 0
    assert ask(of, "verify", file="clean.txt") == {"status": "verified", "ok": True, "found": {"ok": 1}}
    (folder / "clean.txt").write_text(clean + " ", "utf-8")
    changed = ask(of, "verify", file=str(folder / "clean.txt"), receipts="clean.txt" + SUFFIX)
    assert (changed["ok"], changed["found"]) == (False, {"the note was changed after its receipt": 1})
    assert sorted(one.name for one in folder.iterdir()) == ["clean.txt", "clean.txt" + SUFFIX, "note.txt"]


# -- what they refuse


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt", "/etc/passwd", "sub/../../secret.txt", "link.txt", "out/secret.txt", "", "\0", "a" * 5000,
        "circle", ".", "pipe", "gone.txt",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_folders(folder: Path, path: str) -> None:
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "out").symlink_to(folder.parent)
    (folder / "circle").symlink_to(folder / "circle")
    os.mkfifo(folder / "pipe")
    of = tools(folder)
    for asked in ({"file": path, "out": "new.txt"}, {"file": "note.txt", "out": path} if path != "gone.txt" else {}):
        answer = ask(of, "deidentify", **asked)
        assert answer["status"] == "error"
        assert not path or len(path) < 3 or path not in answer["error"]
    assert ask(of, "explain", file=path)["status"] == "error"
    assert not (folder / "new.txt").exists()
    assert (folder.parent / "secret.txt").read_text("utf-8") == NOTE


def test_nothing_is_written_over(folder: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ("clean.txt" + SUFFIX)).write_text("ours", "utf-8")
    of = tools(folder, key=key)
    for out in ("note.txt", "clean.txt", "nowhere/clean.txt"):
        assert ask(of, "deidentify", file="note.txt", out=out)["status"] == "error"
    assert (folder / "note.txt").read_text("utf-8") == NOTE
    assert not (folder / "clean.txt").exists()
    with pytest.raises(FormatError, match="is there already"):
        Folders([folder]).write("out", "note.txt", b"")
    monkeypatch.setattr(Path, "exists", lambda _: False)  # as if it came between the look and the work
    with pytest.raises(FormatError, match="cannot be written: File exists"):
        Folders([folder]).write("out", "note.txt", b"")
    assert (folder / "note.txt").read_text("utf-8") == NOTE
    assert len([*folder.iterdir()]) == 2


def test_without_a_folder_no_file_is_touched(folder: Path) -> None:
    answer = ask(tools(), "deidentify", file=str(folder / "note.txt"), out=str(folder / "x.txt"))
    assert "no folder is allowed" in answer["error"]
    with pytest.raises(FormatError, match="is no folder"):
        Folders([folder / "note.txt"])


def test_the_key_is_not_where_a_model_could_read_it(tmp_path: Path, key: str) -> None:
    with pytest.raises(FormatError, match="--key: lies in a folder that is allowed"):
        tools(tmp_path, key=key)


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("unseal", {"text": NOTE}, "no such tool"),
        ("deidentify", {}, "give one of the two"),
        ("deidentify", {"text": NOTE, "policy": "keep"}, "1 others were given"),
        ("deidentify", {"text": NOTE, CANARY: ""}, "1 others were given"),
        ("deidentify", {"text": [NOTE]}, "text: is a string"),
        ("deidentify", {"text": NOTE, "out": "x"}, "give both, or a text"),
        ("deidentify", {"text": NOTE, "known": {"name": CANARY}}, "known: is an object of lists"),
        ("deidentify", {"text": NOTE, "known": [CANARY]}, "known: is an object of lists"),
        ("deidentify", {"text": NOTE, "patient": CANARY * 99}, "patient: is longer than 200"),
        ("deidentify", {"text": NOTE * 5000}, "text: is larger than 100,000 bytes"),
        ("verify", {}, "file is missing"),
        ("verify", {"file": "x"}, "verify needs the key"),
    ],
)
def test_hostile_calls_are_refused_in_words_of_ours(name: str, arguments: Mapping[str, Any], error: str) -> None:
    answer = ask(tools(), name, **arguments)
    assert answer["status"] == "error"
    assert error in answer["error"]


def test_files_that_are_too_large_or_no_text_are_refused(folder: Path) -> None:
    (folder / "large.txt").write_text(NOTE * 5000, "utf-8")
    (folder / "odd.txt").write_bytes(b"Dr. Zo\xeb " + CANARY.encode())
    (folder / "paper.pdf").write_bytes(b"%PDF-1.4 " + CANARY.encode())
    of = tools(folder)
    for name, error in (("large.txt", "is larger than"), ("odd.txt", "is not UTF-8"), ("paper.pdf", "PDF")):
        assert error in ask(of, "explain", file=name)["error"]


def test_a_bug_is_told_by_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError(NOTE)

    of = tools()
    monkeypatch.setattr(of, "_cleaned", broken)
    assert ask(of, "explain", text=NOTE)["error"] == "internal error: ValueError; please report it"


def test_a_call_that_takes_too_long_ends() -> None:
    of = tools(seconds=0.05)
    with of._lock:
        assert ask(of, "explain", text=NOTE)["error"].startswith(
            ("timeout: this took more than 0.05 s", "another call")
        )


def test_a_line_without_end_is_thrown_away_and_answered() -> None:
    long = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"text": CANARY * 100_000}})
    lines = Lines(io.BytesIO(f'{{"short": 1}}\n{long}\n{{"after": 1}}\n{"x" * 5000}\n'.encode()), 2000)
    assert lines.readline() == '{"short": 1}\n'
    asked = json.loads(lines.readline())
    assert (asked["id"], asked["params"]["name"]) == (7, "too-large")
    assert [lines.readline() for _ in range(3)] == ['{"after": 1}\n', "\n", ""]
    assert "start the server with more --max-mb" in ask(tools(), "too-large")["error"]


# -- with the library's own client


async def _in_process(of: Tools) -> tuple[list[str], Any, Any]:
    async with Client(server_of(of)) as client:
        named = [tool.name for tool in (await client.list_tools()).tools]
        return named, await client.call_tool("deidentify", {"text": NOTE}), await client.call_tool("none", {"x": NOTE})


def test_a_client_lists_and_calls_the_tools() -> None:
    named, good, bad = anyio.run(_in_process, tools())
    assert named == ["deidentify", "explain", "verify"]
    assert (good.is_error, json.loads(good.content[0].text)["text"]) == (False, CLEAN)
    assert bad.is_error
    assert CANARY not in bad.model_dump_json()


@pytest.mark.slow
def test_over_a_real_pipe_nothing_is_told_in_answers_or_logs(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = ["mcp", "--effort", "rules", "--language", "en", "--folder", str(folder), "--max-mb", "0.1"]

    async def talk() -> list[str]:
        with log.open("w") as errors:
            server = StdioServerParameters(command=sys.executable, args=["-c", MAIN, *words], env=dict(os.environ))
            async with Client(stdio_client(server, errlog=errors)) as client:
                answers = [
                    await client.call_tool(name, arguments)
                    for name, arguments in (
                        ("deidentify", {"text": NOTE}), ("explain", {"text": NOTE}), ("nothing", {"text": NOTE}),
                        ("deidentify", {"text": CANARY * 100_000}), ("deidentify", {"text": 3, CANARY: 4}),
                        ("deidentify", {"file": "../secret.txt", "out": "x.txt"}),
                        ("deidentify", {"file": "note.txt", "out": "x.txt"}),
                    )
                ]  # fmt: skip
                return [answer.model_dump_json() for answer in answers]

    answers = anyio.run(talk)
    assert CLEAN in answers[0]
    assert [json.loads(one)["is_error"] for one in answers] == [False, False, True, True, True, True, False]
    assert "is larger than" in answers[3]
    assert (folder / "x.txt").read_text("utf-8") == CLEAN
    assert not any(CANARY in one for one in (*answers, log.read_text()))


@pytest.mark.slow
def test_what_is_no_message_is_passed_over_without_a_word() -> None:
    lines = [
        f"{CANARY}",
        f'{{"jsonrpc": "2.0", "id": 1, "method": "{CANARY}", "params": {{"text": "{NOTE}"}}}}',
        "\x00",
    ]
    lines.append(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": CANARY}))
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "mcp", "--effort", "rules"], input="\n".join(lines) + "\n", text=True,
        capture_output=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0
    assert CANARY not in done.stdout + done.stderr


def test_what_cannot_be_is_refused_at_the_start(folder: Path) -> None:
    for words, message in (
        (["--max-mb", "0"], "--max-mb 0: must be more than 0"),
        (["--seconds", "nan"], "--seconds nan"),
        (["--folder", str(folder / "gone")], "is no folder"),
    ):
        done = CliRunner().invoke(app, ["mcp", *words])
        assert isinstance(done.exception, RunError | FormatError)
        assert message in str(done.exception)
