"""No word of a note in anything that a run leaves but the notes: 200 planted words through every way to fail, logging
all that anybody would log."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from tests.run.small import Row, a_key, by_id, read_rows, write_rows

pytestmark = pytest.mark.slow  # processes, trainings: minutes together

NUMBER = 200
ROOT = Path(__file__).parents[2]
PATH = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
WAYS = (
    "fail here", "no memory here", "beyond here", "odd label here", "very long " * 400, "", "in no language",
    "bad known",
)  # fmt: skip
SCRIPT = """
import logging, sys
from pathlib import Path
logging.basicConfig(level=logging.DEBUG)
logging.captureWarnings(True)
from elision.formats.tables.columns import Columns
from elision.run.how import How
from elision.formats.tables.opening import open_source
from tests.run.small import Broken, done
from tests.run.test_canaries import Sinking
import elision.run.local.runner as runner
way, source, out, key = sys.argv[1:]
columns = Columns(("text",), "id", "patient", known={"name": "name", "*": "more"})
how = How(columns, policy="surrogate", key=key, detectors=("tests.run.small:failing",), most=3000)
opened = open_source(source)
if way == "source":
    opened = Broken(opened, at=150)
if way == "sink":
    import elision.formats.tables.sink
    elision.formats.tables.sink.FileSink.__reduce__ = lambda sink: (Sinking, (sink.__getstate__(),))
if way == "parent":
    runner._finish = lambda *given: (_ for _ in ()).throw(ValueError("internal"))
from elision.cli import main
from elision.cli import app
app.registered_commands.clear()
app.registered_groups.clear()
app.command("go")(lambda: done(opened, Path(out), how, workers=2, rows=20))
app.command("other")(lambda: None)
sys.argv = ["elision", "go"]
main()
"""


def word(at: int) -> str:
    """A word that is in no list and in no program."""
    return "Zanq" + "".join("bdfgklmnpr"[int(digit)] + "aeiou"[int(digit) % 5] for digit in f"{at:03}")


def canaries() -> list[Row]:
    made: list[Row] = []
    for at in range(NUMBER):
        way = WAYS[at % len(WAYS)]
        text = f"Patient name: Ada {word(at)}\nThe wound of {word(at)} was clean and she was well. {way}"
        if way == "in no language":
            text = f"{word(at)} 555"
        more = f'{{"name": "{word(at)}' if way == "bad known" else None
        name = None if more or at % 3 else f"Ada {word(at)}"
        made.append({"id": f"n{at}", "patient": f"p{at % 50}", "text": text, "name": name, "more": more})
    return made


class Sinking:
    """A sink that fails in a worker, with a note in its message."""

    def __init__(self, state: dict[str, object]) -> None:
        self.state = state

    def put(self, _number: int, batches: object) -> None:
        raise RuntimeError(f"cannot write {[batch.to_pylist() for batch in batches]}")  # type: ignore[attr-defined]


def leaked(data: bytes) -> set[int]:
    low = data.lower()
    return {at for at in range(NUMBER) if word(at).lower().encode() in low}


def content(file: Path) -> bytes:
    """What a file says, unpacked where it is packed."""
    raw = file.read_bytes()
    if file.suffix == ".arrow" and raw:
        open_ = pa.ipc.open_file if raw.startswith(b"ARROW1") else pa.ipc.open_stream
        raw += str(open_(pa.BufferReader(raw)).read_all().to_pydict()).encode()
    return raw


def test_the_words_are_many_and_would_be_seen(tmp_path: Path) -> None:
    assert len({word(at) for at in range(NUMBER)}) == NUMBER
    source = write_rows(tmp_path / "in.jsonl", canaries())
    assert leaked(content(source)) == set(range(NUMBER))
    assert leaked(f"Error: {word(17)!r}".upper().encode()) == {17}


@pytest.mark.parametrize("way", ["none", "death", "source", "sink", "parent"])
def test_200_words_come_out_nowhere(tmp_path: Path, way: str) -> None:
    table = canaries()
    if way == "death":
        table[0]["text"] += " die here"
    source = write_rows(tmp_path / "in.jsonl", table)
    out = tmp_path / "out.jsonl"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    told = subprocess.run(
        [sys.executable, "-X", "dev", "-c", SCRIPT, way, source, out, a_key(tmp_path)],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": PATH, "TMPDIR": str(temporary), "PYTHONWARNINGS": "default"},
        cwd=tmp_path,
    )
    assert leaked(told.stdout + told.stderr) == set(), told.stderr.decode()
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path != source]
    for file in files:
        assert leaked(content(file)) == set(), file
        assert leaked(file.name.encode()) == set()
    if way in ("none", "death"):
        assert told.returncode == 0, told.stderr.decode()
        held = {row["note"]: row["why"] for row in read_rows(tmp_path / "out.jsonl.run" / "quarantine.jsonl")}
        whys = [held.get(f"n{at}") for at in range(len(WAYS))]
        assert whys == [
            "worker-died" if way == "death" else "failing: ValueError",
            "failing: MemoryError", "failing: span-beyond-text", "label-without-rule", "too-long",
            None, "language-not-told", "known-values-unreadable",
        ]  # fmt: skip
        assert len(by_id(out)) == NUMBER
    else:
        assert told.returncode in (2, 3), told.stderr.decode()
        assert b"internal error" in told.stderr
        assert not out.exists()
        assert any("staging" in file.parts for file in files), "there was nothing to look at"
