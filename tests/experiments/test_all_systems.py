"""All systems in one table: what is in it, and that notes, labels and costs are those of each."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.formats import write
from experiments import all_systems
from experiments.all_systems import HEAD, System, corpora, figures, main, system_named, systems_for
from tests.notes import note

NOTES = [
    replace(note(f"Seen by [DOCTOR Dr. {name}] on [DATE {day} May] for the wound.", f"n{day}"), language="en")
    for day, name in enumerate(["Roe", "Lund", "Marsh", "Vale", "Hart", "Quorn"], start=1)
]

RULES = System(lambda notes: [() for _ in notes])


def test_the_table_has_a_row_for_each_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(NOTES, tmp_path / "notes.jsonl", "jsonl")
    out = tmp_path / "table.csv"
    names = ["elision's rules", "Cotik 2019 CRF", "elision-fast"]
    data = ["--data", str(tmp_path / "notes.jsonl")]
    main(["i2b2-2014", "--quick", *data, "--out", str(out), "--only", *names])
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert [row["system"] for row in rows] == names
    assert tuple(rows[0]) == (*HEAD, "notes")
    assert [bool(row["MB"]) and bool(row["training seconds"]) for row in rows] == [False, True, True]
    assert all(float(row["low"]) <= float(row["F1"]) <= float(row["high"]) for row in rows)
    printed = capsys.readouterr().out
    assert "i2b2-2014: trained on 4 notes, tried on 2" in printed
    assert printed.count("\n| ") == 1 + len(names)
    assert "Quorn" not in printed


def test_it_goes_on_where_it_stopped_and_only_with_the_same_notes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(NOTES, tmp_path / "notes.jsonl", "jsonl")
    made: list[str] = []

    def counted(name: str, *_: object, **__: object) -> System:
        made.append(name)
        return RULES

    monkeypatch.setattr(all_systems, "system_named", counted)
    monkeypatch.setattr(all_systems, "figures", lambda *_: ("0.5",) * 9)
    arguments = ["--quick", "--data", str(tmp_path / "notes.jsonl"), "--out", str(tmp_path / "table.csv"), "--only"]
    main([*arguments, "elision-fast"])
    main([*arguments, "elision's rules", "elision-fast"])
    assert made == ["elision-fast", "elision's rules"]
    assert capsys.readouterr().out.count("| elision-fast |") == 2
    main([*arguments, "elision-fast", "--seed", "1"])
    assert made[2:] == ["elision-fast"]
    assert (tmp_path / "table.csv").read_text("utf-8").count("\n") == 4


def test_figures_are_those_of_the_spans() -> None:
    def half(notes: list[Document]) -> list[tuple[Span, ...]]:
        assert not any(document.spans for document in notes)
        return [document.spans[:1] for document in NOTES[: len(notes)]]

    f1, low, high, precision, recall, leak, _, size, seconds = figures(System(half, 1.234, 5.6), NOTES[:2], NOTES, 0)  # type: ignore[arg-type]
    assert (f1, precision, recall, leak) == ("0.6667", "1.0000", "0.5000", "0.5000")
    assert (low, high) == ("0.6667", "0.6667")
    assert (size, seconds) == ("1.23", "6")


def test_rules_have_the_labels_of_the_corpus() -> None:
    system = system_named("elision's rules", corpora()["i2b2-2014"], NOTES, 0, quick=True)
    (found,) = system.tags([Document("Seen by Dr. Roe on 3 May 2001.", "1", language="en")])
    assert {span.label for span in found} == {"DOCTOR", "DATE"}


def test_systems_of_a_language_go_from_rules_to_the_encoder() -> None:
    assert systems_for("nl")[0] == "like DEDUCE (Menger 2018)"
    assert systems_for("en")[0] == "elision's rules"
    assert systems_for("en")[-1] == "elision as it comes, balanced"
    assert {"dutch", "i2b2-2006", "i2b2-2014", "meddocan"} <= set(corpora())


def test_a_system_that_cannot_be_made_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(NOTES, tmp_path / "notes.jsonl", "jsonl")
    monkeypatch.setitem(all_systems.LEARNERS, "He 2015", ("he2015", {"run": "third"}))
    arguments = ["--quick", "--data", str(tmp_path / "notes.jsonl"), "--only", "He 2015"]
    main([*arguments, "elision's rules"])
    printed = capsys.readouterr()
    assert "He 2015: left out: run 'third'" in printed.err
    assert "| elision's rules |" in printed.out


def test_what_is_set_of_the_encoder_stands_beside_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(NOTES, tmp_path / "notes.jsonl", "jsonl")
    asked: list[object] = []

    def remembered(name: str, *_: object, more: object, **__: object) -> System:
        asked.append((name, more))
        return RULES

    monkeypatch.setattr(all_systems, "system_named", remembered)
    arguments = ["--quick", "--data", str(tmp_path / "notes.jsonl"), "--only", "elision-fast", "encoder"]
    main([*arguments, "--set", "base=weights", "--set", "epochs=3"])
    assert asked == [("elision-fast", {}), ("encoder", {"base": "weights", "epochs": 3})]
    assert "| encoder, epochs=3 |" in capsys.readouterr().out
    main([*arguments, "--set", "depth=3"])
    assert "encoder: left out: --set depth" in capsys.readouterr().err


def test_an_encoder_without_weights_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(NOTES, tmp_path / "notes.jsonl", "jsonl")
    main(["--quick", "--data", str(tmp_path / "notes.jsonl"), "--only", "encoder"])
    assert "encoder: left out: the encoder begins with pre-trained weights: --set base=" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--only", "He 2014"], "--only He 2014: there are"), (["--out", __file__], "is there already")],
)
def test_what_cannot_be_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert said in capsys.readouterr().err
