"""The installed program needs no network: not for notes of any language, and not for made ones.

Every attempt to reach a network ends the program with a status of its own and is written down, in worker processes,
too; where Linux lets us, there is no network to reach besides.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from elision.formats import read
from elision.keys import Key
from elision.labels import parent
from elision.languages.base import shipped

GOLD = Path(__file__).parents[1] / "examples" / "notes" / "gold"
WRITTEN = sorted(folder.name for folder in GOLD.iterdir())  # languages of the example notes
MADE = [code for code, one in shipped().items() if one.synth]
CAUGHT = 86
GUARD = f"""
import os, sys

EVENTS = {{"connect", "bind", "sendto", "sendmsg", "getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo"}}

def guard(event, given):
    family, _, name = event.partition(".")
    if family != "socket" or name not in EVENTS:
        return
    if name in ("connect", "bind", "sendto", "sendmsg") and (given[1] is None or isinstance(given[1], (str, bytes))):
        return  # a file of this machine, by which processes talk
    with open(os.environ["ATTEMPTS"], "a") as attempts:
        attempts.write(name + "\\n")
    os._exit({CAUGHT})

sys.addaudithook(guard)
"""


@cache
def cut_off() -> tuple[str, ...]:
    """What a command begins with so that there is no network for it; nothing where that cannot be had."""
    words = ("unshare", "--map-root-user", "--net")
    had = shutil.which(words[0]) and subprocess.run([*words, "true"], capture_output=True).returncode == 0
    return words if had else ()


def guarded(folder: Path, *command: object) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """What became of a command in whose processes of Python the guard stands, and what they attempted."""
    (folder / "guard").mkdir()
    (folder / "guard" / "sitecustomize.py").write_text(GUARD, "utf-8")
    attempts = folder / "attempts"
    path = os.pathsep.join(filter(None, (str(folder / "guard"), os.environ.get("PYTHONPATH"))))
    there = {"PYTHONPATH": path, "ATTEMPTS": str(attempts), "NO_COLOR": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(
        list(map(str, command)), capture_output=True, encoding="utf-8", env=os.environ | there, cwd=folder
    )
    return done, attempts.read_text("utf-8").split() if attempts.exists() else []


def elision(folder: Path, *arguments: object) -> str:
    """What the installed program says; it has to end well, and to attempt nothing."""
    program = shutil.which("elision", path=str(Path(sys.executable).parent))
    assert program, "elision is not installed beside this Python: make test, or pip install --editable ."
    done, attempts = guarded(folder, *cut_off(), program, *arguments)
    assert attempts == []
    assert done.returncode == 0, done.stderr
    return done.stdout


# -- that the guard can fail

ATTEMPTS = [
    ("socket.socket().connect(('127.0.0.1', 9))", "connect"),
    ("socket.create_connection(('127.0.0.1', 9))", "getaddrinfo"),
    ("socket.getaddrinfo('localhost', 80)", "getaddrinfo"),
    ("socket.gethostbyname('localhost')", "gethostbyname"),
    ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 9))", "sendto"),
    ("socket.socket().bind(('127.0.0.1', 0))", "bind"),
    ("import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')", "getaddrinfo"),
]


@pytest.mark.parametrize(("attempt", "event"), ATTEMPTS, ids=[attempt for attempt, _ in ATTEMPTS])
def test_the_guard_catches_a_connection(attempt: str, event: str, tmp_path: Path) -> None:
    done, attempts = guarded(tmp_path, sys.executable, "-c", f"import socket; {attempt}")
    assert (done.returncode, attempts) == (CAUGHT, [event])


def test_the_guard_stands_in_the_processes_of_a_process(tmp_path: Path) -> None:
    child = "import socket; socket.gethostbyname('localhost')"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    done, attempts = guarded(tmp_path, sys.executable, "-c", parent)
    assert (done.returncode, attempts) == (0, ["gethostbyname"])


def test_the_guard_lets_processes_of_a_machine_talk(tmp_path: Path) -> None:
    code = "import multiprocessing.connection as c; c.Listener().close(); print('heard')"
    done, attempts = guarded(tmp_path, sys.executable, "-c", code)
    assert (done.returncode, done.stdout, attempts) == (0, "heard\n", [])


def test_where_there_is_no_network_nothing_is_reached(tmp_path: Path) -> None:
    if not cut_off():
        pytest.skip("no network namespaces here: the guard stands alone")
    code = "import errno, socket; print(socket.socket().connect_ex(('192.0.2.1', 9)) == errno.ENETUNREACH)"
    done = subprocess.run([*cut_off(), sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


# -- that nothing needs one


def share_gone(text: str, before: Path) -> float:
    """The share of a note's names, numbers and ways to reach somebody that do not stand in the text any more."""
    (note,) = (note for note in read(before.parent, "brat") if note.id == before.stem)
    values = {note.text_of(span) for span in note.spans if parent(span.label) in ("NAME", "ID", "CONTACT")}
    return sum(value not in text for value in values) / len(values)


@pytest.mark.parametrize("language", WRITTEN)
def test_a_note_is_cleaned(language: str, tmp_path: Path) -> None:
    note = min((GOLD / language).glob("*.txt"))
    cleaned = elision(tmp_path, "deidentify", note)
    assert "[DATE]" in cleaned
    assert share_gone(cleaned, note) > 0.8


def test_a_run_with_stand_ins_cleans_notes_of_many_languages(tmp_path: Path) -> None:
    key, out = tmp_path / "project.key", tmp_path / "out"
    Key(bytes(range(32))).write(key)
    elision(tmp_path, "run", GOLD, "-o", out, "--policy", "surrogate", "--key", key, "--workers", "2")
    notes = sorted(GOLD.rglob("*.txt"))
    assert {note.parent.name for note in notes} == set(WRITTEN)
    for note in notes:
        assert share_gone((out / note.relative_to(GOLD)).read_text("utf-8"), note) > 0.8, note.name


@pytest.mark.parametrize("language", MADE)
def test_notes_are_made(language: str, tmp_path: Path) -> None:
    out = tmp_path / "made.jsonl"
    elision(tmp_path, "synth", language, "--notes", 3, "--out", out)
    made = list(read(out))
    assert len(made) == 3
    assert all(note.text and note.language == language for note in made)
    assert any(note.spans for note in made)
