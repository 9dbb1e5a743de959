"""`elision detect`: the spans that a run would replace, on the notes as they are; and where it withholds or refuses."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.effort import Effort
from elision.errors import HeldError
from elision.formats import read, write
from elision.limits import Limits
from elision.run.detecting import COLUMNS, alone, detect
from elision.run.how import How
from elision.taggers.linear.training import fit
from tests.taggers.planted import SETTINGS, notes
from tests.test_cli import EXAMPLES, SECRET, elision

FAST = How(COLUMNS, effort=Effort.FAST)
SWEDISH = f"Jag heter {SECRET} och jag kom till sjukhuset i måndags. Hon mår bra nu och sover."
ENGLISH = "Seen by Dr. Jane Roe on 3 May 2019 at the clinic. The patient feels well and was sent home."


def found(documents: Sequence[Document], how: How = FAST) -> list[list[tuple[str, str]] | str]:
    """Labels and words that are found, or why a note is withheld."""
    spans = dict(detect(documents, how))
    return [
        str(here) if isinstance(here := spans[at], HeldError) else [(s.label, note.text_of(s)) for s in here]
        for at, note in enumerate(documents)
    ]


def test_what_is_found_is_what_a_run_replaces(tmp_path: Path) -> None:
    """By the run's own receipts, patients' memory included: the law that makes the scores worth something."""
    texts = [document.text for document in read(EXAMPLES / "gold" / "en")][:4]
    record = {"name": ["Wilhelmina Oxblood"]}
    texts += ["Wilhelmina Oxblood was seen.", "Note of Ms Marjory Peckham, seen today.", "Peckham slept well."]
    rows = [
        {"id": f"n{at}", "text": text, "patient": f"p{at // 2}" if at else "", "language": "en", "known": record}
        for at, text in enumerate(texts)
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert elision("detect", tmp_path / "in.jsonl", tmp_path / "d.jsonl", "--effort", "fast").returncode == 0
    done = elision("run", tmp_path / "in.jsonl", "--out", tmp_path / "r.jsonl", "--effort", "fast", "--workers", "1")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "r.jsonl.run" / "receipts.jsonl").read_text().splitlines()
    receipts = {row["note"]: row for row in map(json.loads, lines) if "note" in row}
    for note in read(tmp_path / "d.jsonl"):
        here: Counter[str] = Counter(span.label for span in note.spans)
        assert here == {label: sum(by.values()) for label, by in receipts[note.id]["spans"].items()}, note.id


def test_memory_reaches_over_the_notes_of_a_patient_and_can_be_left_out() -> None:
    told = Document("Patient: Marjory Peckham-Zorn\nMrs Peckham-Zorn was admitted on 3 May.", "a", "p1", "en")
    bare = Document("peckham-zorn slept and ate well.", "b", "p1", "en")
    with_memory, without = found([told, bare])[1], found([told, bare], replace(FAST, memory=False))[1]
    assert ("NAME_PATIENT", "peckham-zorn") in with_memory
    assert len(without) < len(with_memory)
    assert found([told, replace(bare, patient="p2")])[1] == without


def test_withheld_notes_are_named_with_the_reason_and_are_not_written(tmp_path: Path) -> None:
    write([Document(SWEDISH, "sv"), Document(ENGLISH, "en", spans=(Span(0, 4, "X"),))], tmp_path / "in.jsonl", "jsonl")
    done = elision("detect", tmp_path / "in.jsonl", tmp_path / "out.jsonl", "--effort", "fast", "--json")
    assert done.returncode == 1
    assert "note sv is withheld: language-not-supported" in done.stderr
    assert "1 of 2 notes are withheld" in done.stderr
    assert "spans of the input, replaced by those found: 1 (first in note en)" in done.stderr
    (note,) = read(tmp_path / "out.jsonl")
    assert (note.id, note.text) == ("en", ENGLISH)
    assert ("NAME_CLINICIAN", "Jane Roe") in [(span.label, note.text_of(span)) for span in note.spans]
    told = json.loads(done.stdout)
    assert (told["notes"], told["withheld"][0]["note"]) == (1, "sv")
    assert SECRET not in done.stderr + done.stdout
    write([Document(SWEDISH, "sv")], tmp_path / "all.jsonl", "jsonl")
    refused = elision("detect", tmp_path / "all.jsonl", tmp_path / "none.jsonl", "--effort", "fast")
    assert refused.returncode == 1
    assert "all 1 notes are withheld; nothing was written" in refused.stderr
    assert not (tmp_path / "none.jsonl").exists()


def test_rules_find_less_than_all_and_a_model_finds_only_its_own(tmp_path: Path) -> None:
    write([Document(ENGLISH, "a")], tmp_path / "in.jsonl", "jsonl")
    sources: dict[str, set[str]] = {}
    for name, options in {"rules": ["--rules-only"], "model": ["--model", "en", "--model-only"]}.items():
        done = elision("detect", tmp_path / "in.jsonl", tmp_path / f"{name}.jsonl", *options)
        assert done.returncode == 0, done.stderr
        sources[name] = {span.source for note in read(tmp_path / f"{name}.jsonl") for span in note.spans}
        assert sources[name]
    assert sources["model"] == {"crf"}
    assert not sources["rules"] & sources["model"]
    assert "en: it is unknown from which notes it learnt" in done.stderr


def test_rules_of_ones_own_look_beside_those_of_the_language(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        "[[rule]]\nname = 'own-code'\nlabel = 'ID_OTHER'\nscore = 0.9\npattern = 'QQ-[0-9]{4}'\n"
        "hits = ['code [QQ-7788] today']\nmisses = ['QQ-77']\n"
    )
    note = Document("Code QQ-7788 was given by the desk on 3 May 2019.", "a")
    for rules, expected in (((), {"DATE"}), ((str(tmp_path / "own.toml"),), {"DATE", "ID_OTHER"})):
        spans = dict(alone([note], replace(FAST, language="en", rules=rules)))[0]
        assert isinstance(spans, tuple)
        assert {span.label for span in spans} == expected
    assert isinstance(dict(alone([Document(SWEDISH)], FAST))[0], HeldError)


def test_a_detector_that_fails_over_a_note_withholds_that_note_alone() -> None:
    class Broken:
        name, version = "broken", ""

        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            if any(document.id == "n07" for document in documents):
                raise RuntimeError(SECRET)
            return [(Span(0, 1, "X"),) for _ in documents]

    spans = dict(alone(notes(10), FAST, Broken(), Limits()))
    held = {at: str(each) for at, each in spans.items() if isinstance(each, HeldError)}
    assert held == {7: "broken: RuntimeError"}
    assert len(spans) == 10


def test_a_note_that_is_too_long_or_takes_too_long_is_withheld() -> None:
    class Slow:
        name, version = "slow", ""

        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            while any("loop" in document.text for document in documents):
                pass
            return [() for _ in documents]

    documents = [Document("loop", "a"), Document("well", "b"), Document("w" * 100, "c")]
    spans = dict(alone(documents, replace(FAST, most=50), Slow(), Limits(seconds=0.3)))
    assert (str(spans[0]), spans[1], str(spans[2])) == ("timeout", (), "too-long")


def test_a_model_that_learnt_from_the_notes_says_so(tmp_path: Path) -> None:
    made = notes(8)
    fit(replace(SETTINGS, epochs=1, seeds=1), made[:5]).save(tmp_path / "m")
    write(made, tmp_path / "in.jsonl", "jsonl")
    done = elision(
        "detect", tmp_path / "in.jsonl", tmp_path / "out.jsonl", "--model", tmp_path / "m", "--model-only"
    )  # fmt: skip
    said = f"warning: {tmp_path / 'm'} learnt from 5 of these 8 notes: scores on them say nothing of other notes"
    assert said in done.stderr
    done = elision("score", tmp_path / "in.jsonl", tmp_path / "out.jsonl", "--model", tmp_path / "m")
    assert "learnt from 5 of these 8 gold notes" in done.stderr
    options = ("--epochs", "1", "--seeds", "1", "--dev", tmp_path / "in.jsonl")
    write(made[:3], tmp_path / "few.jsonl", "jsonl")
    done = elision("train", tmp_path / "few.jsonl", "--out", tmp_path / "n", *options)
    assert "learnt from 3 of these 8 dev notes" in done.stderr
    more = ("--epochs", "1", "--seeds", "1", "--made", "0", "--hold-out", "0", "--start-from", tmp_path / "m")
    done = elision("train", tmp_path / "in.jsonl", "--out", tmp_path / "o", *more)
    assert "learnt from 5 of these 8 notes" in done.stderr


def test_a_run_says_why_its_notes_have_no_spans(tmp_path: Path) -> None:
    write([Document(ENGLISH, "a", "", "en")], tmp_path / "in.jsonl", "jsonl")
    for to, said in (("brat", True), ("text", False), ("jsonl", False)):
        words = ("run", tmp_path / "in.jsonl", "--out", tmp_path / to, "--to", to, "--effort", "rules")
        done = elision(*words, "--workers", "1", "--dry-run")
        assert done.returncode == 0, done.stderr
        assert (f"{to}: notes come out without spans" in done.stderr) == said


REFUSED = {
    "a format without spans": (("--to", "text"), "text holds no spans"),
    "a model and none": (("--rules-only", "--model", "en"), "--rules-only: no model looks"),
    "no model": (("--model-only",), "--model-only: give one --model"),
    "two models": (("--model-only", "--model", "en", "--model", "nl"), "--model-only: give one --model"),
    "an unknown model": (("--model", "enn"), "--model enn: there is no such folder, and elision has no model"),
    "an unknown language": (("--language", "xq"), "no language 'xq'"),
    "its own input": (("--force",), "IN and OUT are the same place"),
    "a least score": (("--least-score", "2"), "--least-score 2"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str, tmp_path: Path) -> None:
    options, said = REFUSED[case]
    write([Document(ENGLISH, "a")], tmp_path / "in.jsonl", "jsonl")
    out = tmp_path / ("in.jsonl" if case == "its own input" else "out.jsonl")
    done = elision("detect", tmp_path / "in.jsonl", out, *options)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["in.jsonl"]
