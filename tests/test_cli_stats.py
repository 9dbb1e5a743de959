"""`elision stats`: what it prints and writes, and where it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elision.formats import write
from tests.formats.test_physionet import EXPECTED
from tests.formats.test_released import RELEASES
from tests.notes import note
from tests.test_cli import elision

ONE = [note("Seen by [NAME Ilse Quorn] on [DATE 3 May].", "1"), note("Well.", "2")]


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    write(ONE, tmp_path / "one.jsonl", "jsonl")
    write(EXPECTED, tmp_path / "nurses", "physionet")
    return tmp_path


def lines(printed: str) -> dict[str, str]:
    """The rows that were printed, by their first words."""
    rows = [line.split("  ", 1) for line in printed.splitlines() if "  " in line]
    return {name: rest.strip() for name, rest in rows}


def test_help_has_an_example() -> None:
    done = elision("stats", "--help")
    assert done.returncode == 0
    assert "Example:\n\n      elision stats examples/notes/gold" in done.stdout


def test_a_corpus_is_counted(corpora: Path) -> None:
    done = elision("stats", corpora / "nurses")
    assert done.returncode == 0, done.stderr
    assert "as physionet: id.text with id-phi.phrase" in done.stderr
    rows = lines(done.stdout)
    assert rows["notes"] == "3"
    assert rows["patients"] == "2"
    assert rows["sentences"] == "5"
    assert rows["notes without a span"] == "1 (33.3 %)"
    assert rows["RelativeProxyName"].split()[:3] == ["1", "33.3", "%"]
    found = json.loads(elision("stats", corpora / "nurses", "--json").stdout)
    assert (found["notes"], found["patients"], found["spans"]) == (3, 2, 3)
    assert not [word for word in ("Quorn", "Ilse") if word in done.stdout + done.stderr]


def test_labels_are_mapped_first(corpora: Path) -> None:
    done = elision("stats", corpora / "nurses", "--labels", ":canonical")
    assert done.returncode == 0, done.stderr
    assert "NAME_RELATIVE" in done.stdout
    assert "RelativeProxyName" not in done.stdout


def test_patients_of_i2b2_2014_come_from_the_names_of_files(tmp_path: Path) -> None:
    for name, text in RELEASES["i2b2 2014"][0].items():
        (tmp_path / "corpus" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "corpus" / name).write_text(text, "utf-8")
    done = elision("stats", tmp_path / "corpus")
    assert done.returncode == 0, done.stderr
    assert lines(done.stdout)["patients"] == "3"


def test_doubts_of_one_annotation_are_listed(corpora: Path) -> None:
    write([*ONE[:1], note("Ilse Quorn is well.", "=2")], corpora / "three.jsonl", "jsonl")
    done = elision("stats", corpora / "three.jsonl", "--doubts", corpora / "doubts.csv")
    assert done.returncode == 0, done.stderr
    assert (corpora / "doubts.csv").read_text().splitlines()[1:] == ["'=2,0,10,NAME,not-marked,NAME,1"]
    again = elision("stats", corpora / "three.jsonl", "--doubts", corpora / "doubts.csv")
    assert "is there already" in again.stderr


def test_what_is_skipped_or_left_out_is_told(corpora: Path) -> None:
    phrases = corpora / "nurses" / "id-phi.phrase"
    phrases.write_text(phrases.read_text() + "12 1 0 9999 Date x\n")
    refused = elision("stats", corpora / "nurses")
    assert refused.returncode == 2
    assert "id-phi.phrase:4: 0–9999: overlaps" in refused.stderr or "reaches beyond the record" in refused.stderr
    done = elision("stats", corpora / "nurses", "--lenient")
    assert done.returncode == 0, done.stderr
    assert "skipped: an unusable line: 1" in done.stderr
    (corpora / "texts").mkdir()
    (corpora / "texts" / "a.txt").write_text("Well.")
    (corpora / "texts" / "b.txt").write_bytes(b"%PDF-1.7\n")
    left = elision("stats", corpora / "texts")
    assert left.returncode == 1
    assert "files that are no text, left out: 1" in left.stderr


REFUSED = {
    "nowhere": (["{}/nowhere"], "there is no such file or folder"),
    "unknown format": (["{}/one.jsonl", "--format", "jsnol"], "did you mean jsonl?"),
    "unknown labels": (
        ["{}/one.jsonl", "--labels", "nut:canonical"],
        "has no way for label 'NAME' (did you mean Name?)",
    ),
    "an encoding": (["{}/one.jsonl", "--encoding", "utf-99"], "not an encoding of text"),
    "a limit": (["{}/one.jsonl", "--max-mb", "0"], "--max-mb 0"),
    "a table": (["{}/notes.csv"], "nothing says which column is what"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str, corpora: Path) -> None:
    (corpora / "notes.csv").write_text("id,text\n1,Well.\n")
    arguments, said = REFUSED[case]
    done = elision("stats", *(argument.format(corpora) for argument in arguments))
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert not [word for word in ("Quorn", "Ilse") if word in done.stdout + done.stderr]
