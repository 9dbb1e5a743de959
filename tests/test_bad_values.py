"""Values that nobody means to give: what is said of them, and that nothing of a note is said with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from elision.cli.common import reading
from elision.errors import FormatError, shown
from elision.formats import Reading, format_named, read
from elision.formats.hl7_message import charset
from tests.test_cli import EXAMPLES as NOTES
from tests.test_cli import elision

EXAMPLES = NOTES / "gold" / "en"

SECRET = "Quetzalcoatl was seen"  # with spaces: words of a note, not a name
OWN_TAGS = """
[tags]
PAT = { label = "NAME_PATIENT", lossy = "see [/b] here" }
"A[bold]B" = "NAME_PATIENT"
"""


@pytest.mark.parametrize(
    ("value", "expected"),
    [("TYPE", " 'TYPE'"), ("P-1.é", " 'P-1.é'"), ("", ""), ("a b", ""), ("a\n", ""), ("a" * 41, ""), (None, "")],
)
def test_only_a_value_that_looks_like_a_name_is_shown(value: object, expected: str) -> None:
    assert shown(value) == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), -1, 0, 1e300])
def test_a_limit_that_is_none(value: float) -> None:
    with pytest.raises(FormatError, match="a number of megabytes, more than 0"):
        reading("utf-8", value)


def test_a_limit_that_is_none_on_the_command_line(tmp_path: Path) -> None:
    done = elision("convert", EXAMPLES, tmp_path / "out.jsonl", "--max-mb", "nan")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("elision: --max-mb nan: ")


@pytest.mark.parametrize("name", ["undefined", "no-such", "base64", "idna"])
def test_an_encoding_that_is_none_for_notes(name: str) -> None:
    with pytest.raises(FormatError, match="--encoding"):
        reading(name, 32)


def test_lines_in_a_wide_encoding_are_refused_plainly(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "1", "text": "Jane"}\n', "utf-16")
    with pytest.raises(FormatError, match="convert the file to UTF-8 first"):
        list(read(tmp_path / "a.jsonl", "jsonl", Reading("utf-16")))


def test_where_scores_cannot_go_is_told_before_scoring(tmp_path: Path) -> None:
    done = elision("score", EXAMPLES, EXAMPLES, "--html", tmp_path)
    assert done.returncode == 2
    assert "is a folder; give a file" in done.stderr
    assert not done.stdout


def test_sentence_counts_that_are_no_numbers(tmp_path: Path) -> None:
    (tmp_path / "counts.tsv").write_text("a\t²\n" + "b\t" + "9" * 5_000 + "\n")
    done = elision("score", EXAMPLES, EXAMPLES, "--scheme", "meddocan", "--sentences", tmp_path / "counts.tsv")
    assert done.returncode == 0, done.stderr


def test_a_users_words_are_no_markup(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    lossy = "see [/b] here " + "and there " * 30
    file.write_text(f'name = "[red]ours"\n{OWN_TAGS.replace("see [/b] here", lossy)}')
    done = elision("labels", file)
    assert done.returncode == 0
    assert "see [/b] here" in done.stdout
    assert "A[bold]B" in done.stdout
    assert "[red]ours" in done.stdout
    assert done.stdout.count("there") == 30


@pytest.mark.parametrize("arguments", [("formats",), ("labels", "meddocan", "--to", "i2b2-2014")])
def test_names_are_not_cut_in_a_pipe(arguments: tuple[str, ...]) -> None:
    done = elision(*arguments)
    assert done.returncode == 0
    assert "…" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) > 80


def test_a_charset_with_a_nul() -> None:
    with pytest.raises(FormatError, match="MSH-18 states a charset that Python does not know"):
        charset(b"MSH|^~\\&" + b"|" * 16 + b"UTF\x008", "x.hl7")


HEAD = f'<?xml version="1.0" encoding="{"x" * 50}"?>'
PLAIN_HEAD = '<?xml version="1.0" encoding="no-such"?>'
XMI = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:c="http:///uima/cas.ecore" xmlns:t="http:///{}.ecore" '
    'xmi:version="2.0"><c:NULL xmi:id="0"/><t:T xmi:id="2" sofa="1" begin="0" end="1"/>'
    '<c:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="ab"/>'
    '<c:View sofa="1" members="2"/></xmi:XMI>'
)
TAGS = '<deIdi2b2><TEXT>abc</TEXT><TAGS><NAME id="{}" start="x" end="2" TYPE="A"/></TAGS></deIdi2b2>'


@pytest.mark.parametrize(
    ("format", "name", "content", "message"),
    [
        ("jsonl", "x.jsonl", f'{{"text": "a", "{SECRET}": 1}}', "unknown field; the fields are"),
        ("jsonl", "x.jsonl", f'{{"text": "a", "known": {{"{SECRET}": 1}}}}', "known must be a list"),
        ("jsonl", "x.jsonl", f'{{"text": "a", "info": {{"{SECRET}": 1}}}}', "info must be a string"),
        ("jsonl", "x.jsonl", '{"text": "a", "info": {"key": 1}}', "info 'key' must be a string"),
        ("i2b2-2006", "x.xml", f"{HEAD}<ROOT/>", "names an encoding that Python does not know"),
        ("i2b2-2006", "x.xml", f"{PLAIN_HEAD}<ROOT/>", "names an encoding 'no-such' that Python does not know"),
        ("i2b2-2006", "x.xml", f'<ROOT><RECORD ID="{SECRET}"/></ROOT>', "record 1: expected one element TEXT"),
        ("i2b2-2014", "x.xml", TAGS.format(SECRET), "tag 1: start is not a whole number"),
        ("i2b2-2014", "x.xml", TAGS.format("P1"), r"tag 1 \(id P1\): start is not a whole number"),
        ("uima-xmi", "x.xmi", XMI.format("q" * 130), r"the type \(a long or odd name\) is not known; put"),
        ("uima-xmi", "x.xmi", XMI.format("our/layer"), r"the type our\.layer\.T is not known; put"),
    ],
)
def test_words_that_stand_where_a_name_should_are_not_shown(
    tmp_path: Path, format: str, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        list(read(tmp_path / name, format_named(format), Reading()))
    assert not any(word in str(caught.value) for word in (SECRET, "x" * 50, "q" * 130))


def running(body: str, **environment: str) -> subprocess.Popen[str]:
    """The command line in a process of its own, with `elision formats` doing something else."""
    code = f"""
import tempfile, time
from elision import cli
from elision.cli import formats
def listing(format):
    {body}
formats.holdings = listing
import sys
sys.argv = ["elision", "formats"]
cli.main()
"""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True, env={**os.environ, **environment}
    )


def test_an_error_that_nobody_expected_is_told_without_its_message() -> None:
    process = running(f"raise ZeroDivisionError({SECRET!r})", ELISION_DEBUG="")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert err.startswith("elision: internal error: ZeroDivisionError in elision/cli/formats.py:")
    assert err.endswith(" (no words of a note are shown); please report it\n")
    assert err.count("\n") == 1
    assert SECRET not in out + err


def test_the_traceback_can_be_asked_for() -> None:
    process = running("raise ZeroDivisionError('a reason')", ELISION_DEBUG="1")
    assert "ZeroDivisionError: a reason" in process.communicate(timeout=60)[1]
    assert process.returncode == 1


@pytest.mark.parametrize(
    ("error", "status"), [("KeyboardInterrupt", 130), ("BrokenPipeError", 1), ("BrokenPipeError(32, 'x')", 1)]
)
def test_what_is_no_error_ends_quietly(error: str, status: int) -> None:
    process = running(f"raise {error}", ELISION_DEBUG="")
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == status


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without telling it")
def test_being_told_to_stop_takes_temporary_folders_away(tmp_path: Path) -> None:
    process = running("with tempfile.TemporaryDirectory(): time.sleep(60)", TMPDIR=str(tmp_path))
    until = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert list(tmp_path.iterdir())
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 143
    assert not list(tmp_path.iterdir())
