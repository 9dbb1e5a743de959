"""The command line: what it says, where it refuses, and that no word of a note gets out with an error."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from elision.cli import main

EXAMPLES = Path(__file__).parents[1] / "examples" / "notes"
SECRET = "Quetzalcoatl"


def elision(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command as it ends in this process."""
    code, (out, err) = 0, (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["elision", *map(str, arguments)])
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0
    told = [one.buffer.getvalue().decode().replace("\r\n", "\n") for one in (out, err)]  # as a pipe gives it
    return subprocess.CompletedProcess([*map(str, arguments)], code, *told)


def apart(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The same as a user would, in a process of its own: takes a second longer."""
    command = [sys.executable, "-m", "elision", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("command", ["", "convert", "score", "formats", "labels"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = elision(*filter(None, [command]), "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout
    assert not command or f"Example:\n\n      elision {command}" in done.stdout


def test_version() -> None:
    assert apart("--version").stdout.startswith("elision 0.")


def test_converting_states_the_format_and_what_was_not_held(tmp_path: Path) -> None:
    done = elision("convert", EXAMPLES / "gold", tmp_path / "notes.jsonl", "--to", "jsonl")
    assert done.returncode == 0
    assert "as brat" in done.stderr
    assert "wrote 27 notes with 753 spans" in done.stderr
    scored = tmp_path / "scored.jsonl"
    scored.write_text(
        '{"id": "1", "text": "Jane Roe", "spans": [{"start": 0, "end": 4, "label": "X", "score": 0.5}]}\n'
    )
    done = elision("convert", scored, tmp_path / "brat", "--to", "brat", "--strict")
    assert "brat does not hold span scores: 1 (first in note 1)" in done.stderr
    assert done.returncode == 1


def test_what_is_there_already_is_kept_or_told(tmp_path: Path) -> None:
    (tmp_path / "n.features.json").write_text("{}")
    refused = apart("convert", EXAMPLES / "gold" / "en", tmp_path / "n.jsonl", "--to", "hf")
    assert refused.returncode == 2
    assert "n.features.json: is there already" in refused.stderr
    assert (tmp_path / "n.features.json").read_text() == "{}"
    assert apart("convert", EXAMPLES / "gold" / "en", tmp_path / "out", "--to", "brat").returncode == 0
    done = apart("convert", EXAMPLES / "gold" / "es", tmp_path / "out", "--to", "brat", "--force")
    assert "files that were there before and stay: 14" in done.stderr
    inside = apart("convert", tmp_path / "out", tmp_path / "out" / "new", "--to", "brat")
    assert "OUT lies inside IN" in inside.stderr


def test_the_format_to_write_may_follow_from_the_ending(tmp_path: Path) -> None:
    done = elision("convert", EXAMPLES / "gold" / "en", tmp_path / "notes.jsonl")
    assert done.returncode == 0
    assert "notes.jsonl as jsonl, by its ending" in done.stderr
    for name in ("out", "out.json"):
        refused = elision("convert", EXAMPLES / "gold" / "en", tmp_path / name)
        assert refused.returncode == 2
        assert "say it with --to: " in refused.stderr


def test_mapping_labels_says_what_it_loses(tmp_path: Path) -> None:
    done = elision(
        "convert", EXAMPLES / "gold" / "en", tmp_path / "out", "--to", "i2b2-2014", "--labels", "canonical:i2b2-2014"
    )
    assert done.returncode == 0
    assert "DATE_BIRTH becomes DATE" in done.stderr


def test_dropping_spans_without_a_way_is_asked_for_and_told(tmp_path: Path) -> None:
    arguments = ("convert", EXAMPLES / "gold" / "es", tmp_path / "x.xml", "--to", "i2b2-2006")
    refused = elision(*arguments, "--labels", "canonical:i2b2-2006")
    assert refused.returncode == 2
    assert "has no way for label" in refused.stderr
    assert not (tmp_path / "x.xml").exists()
    done = elision(*arguments, "--labels", "canonical:i2b2-2006", "--drop-unmapped")
    assert done.returncode == 0
    assert "spans dropped: no way in --labels canonical:i2b2-2006" in done.stderr


def test_scoring_prints_official_and_corrected_scores_side_by_side(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("r.html", "s.csv")]
    options: list[str | Path] = ["--html", files[0], "--csv", files[1]]
    done = elision("score", EXAMPLES / "gold", EXAMPLES / "system", "--scheme", "nedap", *options)
    assert done.returncode == 0, done.stderr
    assert "nedap/deidentify, official" in done.stdout
    assert "corrected scores, 27 notes" in done.stdout
    assert "notes fully clean" in done.stdout
    assert all(file.stat().st_size > 1_000 for file in files)
    as_json = elision("score", EXAMPLES / "gold", EXAMPLES / "system", "--json").stdout
    assert json.loads(as_json)["notes"] == 27


def test_a_system_without_texts_takes_them_from_gold(tmp_path: Path) -> None:
    for file in (EXAMPLES / "system" / "en").glob("*.ann"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    done = elision("score", EXAMPLES / "gold" / "en", tmp_path, "--system-format", "brat")
    assert done.returncode == 0, done.stderr
    assert "corrected scores, 7 notes" in done.stdout


def _bad(folder: Path) -> dict[str, tuple[list[str | Path], str]]:
    """Bad inputs by name: arguments, and what the error must say."""
    out = folder / "out"
    (folder / "empty").mkdir()
    (folder / "latin").mkdir()
    (folder / "latin" / "a.txt").write_bytes(f"{SECRET} Núñez".encode("latin-1"))
    (folder / "off").mkdir()
    (folder / "off" / "a.txt").write_text(f"Seen by {SECRET} today")
    (folder / "off" / "a.ann").write_text(f"T1\tNAME 7 19\t{SECRET}\n")
    (folder / "cut.xml").write_text(f"<deIdi2b2><TEXT><![CDATA[{SECRET}]]></TEXT><TAGS>")
    entities = "".join(f'<!ENTITY e{i} "{"&e" + str(i - 1) + ";" if i else SECRET}">' for i in range(9))
    (folder / "bomb.xml").write_text(f"<!DOCTYPE d [{entities}]><deIdi2b2><TEXT>&e8;</TEXT><TAGS/></deIdi2b2>")
    row = json.dumps({"id": "1", "text": SECRET, "spans": []})
    (folder / "twice.jsonl").write_text(f"{row}\n{row}\n")
    overlap = [{"start": 0, "end": 5, "label": "ID"}, {"start": 3, "end": 9, "label": "DATE"}]
    strange = [{"start": 0, "end": 5, "label": "ID_X"}]
    (folder / "label.jsonl").write_text(json.dumps({"id": "17", "text": SECRET, "spans": strange}) + "\n")
    (folder / "overlap.jsonl").write_text(json.dumps({"id": "17", "text": SECRET, "spans": overlap}) + "\n")
    (folder / "big").mkdir()
    (folder / "big" / "a.txt").write_bytes(b"Seen today. " * 4_200_000)
    other = json.dumps({"id": "1", "text": SECRET.lower(), "spans": []})
    (folder / "gold.jsonl").write_text(row + "\n")
    (folder / "other.jsonl").write_text(other + "\n")
    (folder / "strange").mkdir()
    (folder / "strange" / "a.bin").write_bytes(b"\x00\x01" + SECRET.encode())
    return {
        "no such place": (["convert", folder / "nowhere", out, "--to", "jsonl"], "there is no such file or folder"),
        "an empty folder": (["convert", folder / "empty", out, "--to", "jsonl"], "the folder is empty"),
        "wrong encoding": (
            ["convert", folder / "latin", out, "--to", "jsonl"],
            "byte 14 is not utf-8; if the file has",
        ),
        "offsets disagree": (["convert", folder / "off", out, "--to", "jsonl"], "do text and offsets belong together"),
        "truncated XML": (["convert", folder / "cut.xml", out, "--to", "jsonl"], "cut.xml"),
        "an entity bomb": (
            ["convert", folder / "bomb.xml", out, "--to", "jsonl", "--format", "i2b2-2014"],
            "document type",
        ),
        "an id twice": (["convert", folder / "twice.jsonl", out, "--to", "brat"], "the id 1 comes twice"),
        "overlaps": (["convert", folder / "overlap.jsonl", out, "--to", "conll"], "spans 0–5 and 3–9 overlap"),
        "a 50 MB note": (["convert", folder / "big", out, "--to", "jsonl"], "50.4 MB is more than the limit of 32 MB"),
        "an unknown label": (
            ["convert", folder / "label.jsonl", out, "--to", "jsonl", "--labels", "nut:canonical"],
            "note 17: span 0–5: --labels nut:canonical has no way for label 'ID_X' (did you mean ID?)",
        ),
        "an unknown format": (["convert", folder / "gold.jsonl", out, "--to", "brta"], "did you mean brat?"),
        "an unsure format": (["convert", folder / "strange", out, "--to", "jsonl"], "say which with --format"),
        "different texts": (["score", folder / "gold.jsonl", folder / "other.jsonl"], "different texts from offset 0"),
        "an unknown scheme": (
            ["score", EXAMPLES / "gold", EXAMPLES / "gold", "--scheme", "i2b2"],
            "there are: i2b2-2014",
        ),
        "the same place": (
            ["convert", folder / "gold.jsonl", folder / "gold.jsonl", "--to", "jsonl"],
            "the same place",
        ),
        "an occupied place": (["convert", folder / "gold.jsonl", folder / "off", "--to", "brat"], "--force"),
    }


BAD = (
    *("no such place", "an empty folder", "wrong encoding", "offsets disagree", "truncated XML", "an entity bomb"),
    *("an id twice", "overlaps", "a 50 MB note", "an unknown label", "an unknown format", "an unsure format"),
    *("different texts", "an unknown scheme", "the same place", "an occupied place"),
)


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_with_an_error_that_helps(name: str, tmp_path: Path) -> None:
    arguments, message = _bad(tmp_path)[name]
    done = elision(*arguments)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stderr + done.stdout
    assert not (tmp_path / "out").exists()


def test_a_large_note_goes_through_when_that_is_meant(tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big" / "a.txt").write_bytes(b"Seen today. " * 4_200_000)
    done = elision("convert", tmp_path / "big", tmp_path / "out.jsonl", "--to", "jsonl", "--max-mb", "64")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.jsonl").stat().st_size > 50_000_000


def test_importing_elision_is_quick_and_light() -> None:
    heavy = ("spacy", "cassis", "jinja2", "rich", "typer", "jieba", "elision.formats", "elision.evaluate")
    code = f"import sys, elision; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stdout.strip()
