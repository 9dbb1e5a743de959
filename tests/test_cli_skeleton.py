"""`elision skeleton`: what it shows of a note, what of two corpora, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from elision.cli import app
from elision.document import Document
from elision.errors import ElisionError
from elision.formats import write

SECRET = "Quetzalcoatl"
TRAIN = [
    Document(f"Mr. {name} was seen by me in {ward} with Dr. {doctor}\nBP 1{at}0/70", id=f"n{at}", patient=f"p{at}")
    for at, (name, ward, doctor) in enumerate(
        [
            ("Brandt", "Ashby", "Quill"),
            ("Moss", "Elmhurst", "Vega"),
            ("Roe", "Norfield", "Poe"),
            ("Doe", "Hale", "Lund"),
        ]
    )
]
OTHERS = [
    Document(f"Name: {SECRET} {SECRET} {SECRET} {SECRET}\nVisit with Dr. {SECRET}", id="x0", patient="x"),
    *(Document(f"Name: Tamsin{'abcd'[at]}\nVisit with Dr. Ito{'abcd'[at]}", id=f"o{at}") for at in range(4)),
]


def elision(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["skeleton", *map(str, arguments)])


@pytest.fixture
def train(tmp_path: Path) -> Path:
    write(TRAIN, tmp_path / "train.jsonl", "jsonl")
    return tmp_path / "train.jsonl"


@pytest.fixture
def others(tmp_path: Path) -> Path:
    write(OTHERS, tmp_path / "others.jsonl", "jsonl")
    return tmp_path / "others.jsonl"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "note.txt").write_text("Mr. Ashby was seen in Quillwater with Dr. Brandt\n\nBP 128/80\n")
    return tmp_path / "one" / "note.txt"


SHOWN = """\
Original: Mr. Ashby was seen in Quillwater with Dr. Brandt
Skeleton: Mr. <UNK> was seen in <UNK> with Dr. <UNK>

Original: BP 128/80
Skeleton: BP DIGITDIGITDIGIT/DIGITDIGIT

"""


def test_a_note_stands_above_its_skeleton(note: Path, train: Path) -> None:
    done = elision(note, "--corpus", train, "-r", "0.5")
    assert done.exit_code == 0, done.output
    assert done.stdout == SHOWN
    assert "13 of 25 words stay: those that stand 2 times or more" in done.stderr


def test_a_note_alone_is_its_own_corpus_and_that_is_told(note: Path) -> None:
    note.write_text("seen by Ashby, seen by Brandt, seen on Friday")
    done = elision(note, "-r", "0.1")
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith("\nSkeleton: seen by <UNK>, seen by <UNK>, seen <UNK> <UNK>\n\n")
    assert "words are counted in this note alone; give notes like it with --corpus" in done.stderr


def test_the_other_reading_keeps_fewer_words(note: Path, train: Path) -> None:
    told = [
        json.loads(elision(note, "--corpus", train, "-r", "1", "--json", *way).stdout) for way in ((), ("--more-than",))
    ]
    assert [one["reading"] for one in told] == ["at-least", "more-than"]
    assert told[0]["threshold"] == told[1]["threshold"]
    assert told[0]["words"] > told[1]["words"]
    assert told[0]["vocabulary"] == 25
    lines = told[0]["notes"][0]["lines"]
    assert lines[1]["original"] == "BP 128/80"


def test_several_notes_are_named(train: Path) -> None:
    done = elision(train)
    assert done.stdout.startswith("note n0\n\nOriginal: Mr. Brandt")
    assert done.stdout.count("Original: ") == 8


def test_two_corpora_are_compared(train: Path, others: Path) -> None:
    done = elision(train, "--compare", others, "-r", "1")
    assert done.exit_code == 0, done.output
    rows = [re.split(" {2,}", line.strip()) for line in done.stdout.splitlines()]
    assert ["notes", "4", "5"] in rows
    assert ["patients (a note without one counts as one)", "4", "5"] in rows
    assert ["tokens that stay", "100.0%", "100.0%"] in rows
    assert "words of both" in {row[0] for row in rows}
    assert {"with", "Dr", "Name", "seen", ".", ":"} <= {row[0] for row in rows}
    assert "Visit with Dr. <UNK>" not in done.stdout  # with all words in the skeleton no line is of several patients


def test_lines_are_compared_too(train: Path, others: Path) -> None:
    done = elision(train, "--compare", others, "-r", ".3")
    assert "lines of" in done.stdout
    assert "Mr. <UNK> was seen by me in <UNK> with Dr. <UNK>" in done.stdout
    assert "Visit with Dr. <UNK>" in done.stdout


@pytest.mark.parametrize("way", [(), ("--json",)])
def test_a_word_that_is_frequent_in_few_notes_is_not_listed(train: Path, others: Path, way: tuple[str, ...]) -> None:
    """The name stands five times in the notes of one patient: it is in the skeleton, and in no list."""
    for least, listed in (((), False), (("--least", "2"), False), (("--least", "1"), True)):
        done = elision(train, "--compare", others, "-r", ".4", "--most", "999", *least, *way)
        assert done.exit_code == 0, done.output
        assert (SECRET in done.output) == listed


def test_what_is_printed_has_no_command_to_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_bytes("BP \x1b[31m BP \u202e BP\0\n".encode())
    done = elision(tmp_path / "n.txt")
    assert done.exit_code == 0, done.output
    assert r"Original: BP \x1b[31m BP \u202e BP\x00" in done.stdout


def test_chinese_is_cut_into_characters_or_words(tmp_path: Path) -> None:
    pytest.importorskip("jieba", reason="the extra zh is not installed")
    (tmp_path / "n.txt").write_text("患者住在北京。患者李明。", "utf-8")
    told = [json.loads(elision(tmp_path / "n.txt", "-r", "1", "--json", *way).stdout) for way in ((), ("--words",))]
    assert told[0]["vocabulary"] == 9
    assert told[1]["vocabulary"] < 9


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "nothing stays": (("-r", "0"), "r 0.0: the share of the vocabulary that stays, more than 0 and at most 1"),
    "more than all": (("-r", "25"), "r 25.0: the share of the vocabulary"),
    "no number": (("-r", "nan"), "r nan: the share of the vocabulary"),
    "two corpora and a third": (("--compare", "TRAIN", "--corpus", "TRAIN"), "leave --corpus out"),
    "no such corpus": (("--corpus", "nowhere"), "nowhere: there is no such file or folder"),
    "no such notes to compare": (("--compare", "nowhere"), "nowhere: there is no such file or folder"),
    "no words": (("--corpus", "EMPTY"), "there is no word in these notes; a skeleton needs some"),
    "no words to compare with": (("--compare", "EMPTY"), "there is no word in these notes"),
    "English by words": (("--words",), "words: en has no segmenter into words (there are: zh)"),
    "Dutch by words": (("--words", "--language", "nl"), "words: nl has no segmenter"),
    "too large": (("--max-mb", "0.00001"), "--max-mb"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_is_refused(name: str, note: Path, train: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    places = {"TRAIN": str(train), "EMPTY": str(tmp_path / "empty.txt"), "nowhere": str(tmp_path / "nowhere")}
    arguments, message = BAD[name]
    done = elision(note, *(places.get(each, each) for each in arguments))
    assert isinstance(done.exception, ElisionError), done.output
    assert message in str(done.exception)
    assert "Brandt" not in str(done.exception)


def test_help_has_examples_and_says_that_this_is_text_of_notes() -> None:
    told = " ".join(elision("--help").stdout.split())
    assert "Example: elision skeleton note.txt --corpus train/ -r 0.14" in told
    assert "text of notes: keep it as you keep them. A skeleton is not de-identified." in told
