"""`elision compare`: two systems against one gold, two annotations without, and where it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elision.formats import read, write
from tests.notes import note
from tests.test_cli import EXAMPLES, elision

ONE = [note("Seen by [NAME Ilse Quorn] on [DATE 3 May].", "1"), note("Well.", "2")]
OTHER = [note("Seen by Ilse [NAME Quorn] on [DATE 3 May].", "1"), note("Well.", "2")]


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    write(ONE, tmp_path / "one.jsonl", "jsonl")
    write(OTHER, tmp_path / "other.jsonl", "jsonl")
    return tmp_path


def test_two_systems_are_compared_with_a_test() -> None:
    gold = EXAMPLES / "gold"
    done = elision("compare", EXAMPLES / "system", gold, "--gold", gold, "--shuffles", "99", "--scheme", "nedap")
    assert done.returncode == 0, done.stderr
    assert "A: nedap/deidentify, official" in done.stdout
    assert "B against A, 27 notes" in done.stdout
    rows = {line.split("  ")[0]: line.split() for line in done.stdout.splitlines()}
    assert rows["strict.f1"][2] == "1.0000"  # gold against itself
    assert rows["strict.f1"][-3] == "0.0100"  # no shuffle of 99 comes near
    even = elision("compare", gold, gold, "--gold", gold, "--shuffles", "9", "--json")
    measures = {row["name"]: row for row in json.loads(even.stdout)["versus"]["measures"]}
    assert (measures["strict.f1"]["difference"], measures["strict.f1"]["p"]) == (0, 1)


def test_two_annotators_are_compared(corpora: Path) -> None:
    done = elision("compare", corpora / "one.jsonl", corpora / "other.jsonl")
    assert done.returncode == 0, done.stderr
    assert "agreement on 2 notes" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("all labels")]
    assert rows == [["all", "labels", "2", "2", "1", "0.5000", "0.8077"]]
    told = elision("compare", corpora / "one.jsonl", corpora / "other.jsonl", "--json").stdout
    assert json.loads(told)["all"]["f1"] == 0.5
    assert not [word for word in ("Quorn", "Ilse") if word in done.stdout + done.stderr + told]


def test_the_other_side_may_hold_spans_alone(tmp_path: Path) -> None:
    for file in (EXAMPLES / "system" / "en").glob("*.ann"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    golds: tuple[list[str | Path], ...] = ([], ["--gold", EXAMPLES / "gold" / "en"])
    for gold in golds:
        done = elision("compare", EXAMPLES / "gold" / "en", tmp_path, "--system-format", "brat", *gold)
        assert done.returncode == 0, done.stderr
        assert "7 notes" in done.stdout


def test_two_annotations_become_one_and_doubts_are_listed(corpora: Path) -> None:
    last = note("Well, says Ilse Quorn.", "2")
    for file, notes in (("one.jsonl", [ONE[0], last]), ("other.jsonl", [OTHER[0], last])):
        write(notes, corpora / file, "jsonl", replace=True)
    gold, csv = corpora / "gold.jsonl", corpora / "doubts.csv"
    done = elision("compare", corpora / "one.jsonl", corpora / "other.jsonl", "--adjudicated", gold, "--doubts", csv)
    assert done.returncode == 0, done.stderr
    assert [document.spans for document in read(gold)] == [ONE[0].spans, ()]
    assert csv.read_text() == "note,start,end,label,why,usual,times\n2,11,21,NAME,not-marked,NAME,1\n"
    assert "1 places to look at again" in done.stderr
    assert not [word for word in ("Quorn", "Ilse") if word in done.stdout + done.stderr + csv.read_text()]


REFUSED = {
    "one of three": (
        ["{}/one.jsonl", "{}/other.jsonl", "--gold", "{}/one.jsonl", "--doubts", "{}/x.csv"],
        "of which neither is --gold",
    ),
    "gold that is there": (
        ["{}/one.jsonl", "{}/other.jsonl", "--adjudicated", "{}/other.jsonl"],
        "this file is read by the command",
    ),
    "no notes in common": (["{}/one.jsonl", str(EXAMPLES / "gold")], "no note is on both sides (2 in A, 27 in B)"),
    "a report of no gold": (["{}/one.jsonl", "{}/other.jsonl", "--html", "{}/x.html"], "need --gold"),
    "no such scheme": (["{}/one.jsonl", "{}/other.jsonl", "--gold", "{}/one.jsonl", "--scheme", "x"], "--scheme x: no"),
    "its own input": (
        ["{}/one.jsonl", "{}/other.jsonl", "--gold", "{}/one.jsonl", "--html", "{}/other.jsonl"],
        "this file is read by the command",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str, corpora: Path) -> None:
    arguments, said = REFUSED[case]
    done = elision("compare", *(argument.format(corpora) for argument in arguments))
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert not [word for word in ("Quorn", "Ilse") if word in done.stdout + done.stderr]
