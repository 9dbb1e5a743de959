"""The papers' corpora laid out as they are released go through `elision paper --data`: each is read in its parts.

The files are written here by hand, not by elision's own writers. Every person in them is invented.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.evaluate.error_kinds import KINDS
from elision.papers.studies import notes as studied
from elision.papers.studies import systems

SECRET = "Quetzalcoatl"
NAMES = ("Ostrander", "Quorn", "Vanterpool", "Marsh", SECRET, "Hartsook")
INSTITUTES = ("De Wilgenhof", "Het Anker", "Duinrand", "De Linde")

# A piece is text, or (label, text).
Piece = str | tuple[str, str]
Note = list[Piece]


def american(rng: random.Random) -> Note:
    name, other, day, age = rng.choice(NAMES), rng.choice(NAMES), rng.randint(1, 28), rng.randint(40, 88)
    return [
        "Record date: ", ("DATE", f"2081-03-{day:02}"), "\n\nMr. ", ("PATIENT", name), ", ", ("AGE", str(age)),
        " y/o, seen at ", ("HOSPITAL", "Vale Clinic"), " for the wound.\nNo fever & no cough during the night.\n\t\t",
        ("DOCTOR", f"Ilse {other}, M.D."), "\n",
    ]  # fmt: skip


def older(rng: random.Random) -> Note:
    name, other, day = rng.choice(NAMES), rng.choice(NAMES), rng.randint(1, 28)
    return [
        ("ID", f"9182736{day:02}"), "\n", ("HOSPITAL", "VBMC"), "\n", ("DATE", f"03/{day:02}"), "/1996 12:00:00 AM\n",
        "HISTORY OF PRESENT ILLNESS :\nThe patient ", ("PATIENT", name), " was seen at home & is well .\n",
        "Dictated By : ", ("DOCTOR", f"ILSE {other.upper()} , M.D."), " [ ", ("PHONE", f"555-01{day:02}"), " ]\n",
        "[ report_end ]\n",
    ]  # fmt: skip


def nursing(rng: random.Random) -> Note:
    name, other, day = rng.choice(NAMES), rng.choice(NAMES), rng.randint(1, 28)
    return [
        "NEURO: pt sedated, opens eyes to voice.\nSOCIAL: wife ", ("RelativeProxyName", f"Ilse {name}"),
        " called, will visit on ", ("Date", f"3/{day}"), ".\nDr. ", ("HCPName", other), " aware of low UO.",
    ]  # fmt: skip


def dutch(rng: random.Random) -> Note:
    name, day = rng.choice(NAMES), rng.randint(1, 28)
    return [
        "Mw. ", ("Name", f"{name}-de Wit"), " belde met ", ("Care_Institute", rng.choice(INSTITUTES)), " op ",
        ("Date", f"{day} mei 2018"), ".\nZij sliep goed en heeft geen pijn aan de voet.\nMail: ",
        ("Email", f"zoon{day}@voorbeeld.nl"),
    ]  # fmt: skip


def notes(kind: Callable[[random.Random], Note], count: int, seed: int) -> list[Note]:
    rng = random.Random(seed)
    return [kind(rng) for _ in range(count)]


def text_of(note: Note) -> str:
    return "".join(piece if isinstance(piece, str) else piece[1] for piece in note)


def spans_of(note: Note) -> list[tuple[int, int, str, str]]:
    at, found = 0, []
    for piece in note:
        if isinstance(piece, str):
            at += len(piece)
        else:
            found.append((at, at + len(piece[1]), *piece))
            at += len(piece[1])
    return found


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())


ELEMENTS = {"PATIENT": "NAME", "DOCTOR": "NAME", "HOSPITAL": "LOCATION", "DATE": "DATE", "AGE": "AGE"}


def i2b2_2014(folder: Path) -> Path:
    """Two sets to train on, one to test on, a file a note, whose name says the patient; and what a Mac leaves."""
    parts = ("training-PHI-Gold-Set1", 5), ("training-PHI-Gold-Set2", 4), ("testing-PHI-Gold-fixed", 4)
    for part, (name, count) in enumerate(parts):
        for at, note in enumerate(notes(american, count, part)):
            tags = "".join(
                f'<{ELEMENTS[label]} id="P{number}" start="{start}" end="{end}" text="{escape(words)}" '
                f'TYPE="{label}" comment="" />\n'
                for number, (start, end, label, words) in enumerate(spans_of(note))
            )
            xml = (
                f'<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n<TEXT><![CDATA[{text_of(note)}]]></TEXT>\n'
                f"<TAGS>\n{tags}</TAGS>\n</deIdi2b2>\n"
            )
            put(folder / name / f"{100 * (part + 1) + at // 2}-{at % 2 + 1:02}.xml", xml)
    put(folder / "__MACOSX" / "training-PHI-Gold-Set1" / "._100-01.xml", "Mac OS X")
    put(folder / "training-PHI-Gold-Set1" / ".DS_Store", "Bud1")
    return folder


def i2b2_2006(folder: Path) -> Path:
    """One file to train on and one to test on; numbers of records begin anew in each."""
    for part, (name, count) in enumerate((("train_all_version2", 8), ("test_all_groundtruth_version2", 5))):
        records = ""
        for at, note in enumerate(notes(older, count, part), start=1):
            body = "".join(
                escape(piece) if isinstance(piece, str) else f'<PHI TYPE="{piece[0]}">{escape(piece[1])}</PHI>'
                for piece in note
            )
            records += f'<RECORD ID="{at}">\n<TEXT>\n{body}</TEXT>\n</RECORD>\n'
        xml = f'<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n{records}</ROOT>\n'
        put(folder / f"deid_surrogate_{name}.xml", xml)
    return folder


def physionet(folder: Path) -> Path:
    """The notes of all patients in one file, and the program that they came with beside them."""
    text = phrases = places = ""
    for at, note in enumerate(notes(nursing, 12, 0)):
        patient, record = at // 2 + 1, at % 2 + 1
        text += f"START_OF_RECORD={patient}||||{record}||||\n{text_of(note)}\n||||END_OF_RECORD\n\n"
        places += f"Patient {patient}\tNote {record}\n"
        for start, end, label, words in spans_of(note):
            phrases += f"{patient} {record} {start} {end} {label} {words}\n"
            places += f"{start} {start} {end}\n"
    files = {"id.text": text, "id-phi.phrase": phrases, "id.deid": places, "id.phi": places, "deid.config": "x = y\n"}
    for name, content in files.items():
        put(folder / name, content)
    put(folder / "id.res", "START_OF_RECORD=1||||1||||\nSeen by [**Name**].\n||||END_OF_RECORD\n")
    put(folder / "deid.pl", "#!/usr/bin/perl\n")
    put(folder / "lists" / "local_places.txt", "Vale\n")
    return folder


def nut(folder: Path) -> Path:
    """brat files in train, dev and test, and the table of surrogates of the program that made them."""
    table = [["doc_id", "ann_id", "text", "start", "end", "tag", "surrogate", "manual_surrogate", "checked"]]
    for part, (name, count) in enumerate((("train", 8), ("dev", 3), ("test", 5))):
        for at, note in enumerate(notes(dutch, count, part)):
            id, rows = f"{name}-{at}", spans_of(note)
            put(folder / name / f"{id}.txt", text_of(note))
            lines = [f"T{n}\t{label} {s} {e}\t{words}\n" for n, (s, e, label, words) in enumerate(rows, start=1)]
            put(folder / name / f"{id}.ann", "".join(lines))
            table += [
                [id, f"T{n}", words, str(s), str(e), label, "", "", "False"]
                for n, (s, e, label, words) in enumerate(rows, start=1)
            ]
    with (folder / "surrogates.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(table)
    return folder


def paper(name: str, folder: Path, only: str, *data: str) -> tuple[str, str]:
    arguments = [name, "--quick", "--only", only, "--out", str(folder / "out")]
    result = CliRunner().invoke(app, ["paper", *arguments, *(part for each in data for part in ("--data", each))])
    assert result.exit_code == 0, result.output + repr(result.exception)
    files = "".join(file.read_text("utf-8") for file in (folder / "out").rglob("*") if file.is_file())
    assert SECRET.lower() not in (result.output + files).lower()
    return result.stdout, result.stderr


def numbers(folder: Path, table: str) -> dict[tuple[str, str], float]:
    with (folder / "out" / table).open(encoding="utf-8") as stream:
        return {(row["row"], row["column"]): float(row["here"]) for row in csv.DictReader(stream) if row["here"]}


def test_i2b2_2014_as_released_makes_a_table(tmp_path: Path) -> None:
    _, told = paper("he2015", tmp_path, "table4", str(i2b2_2014(tmp_path / "i2b2")))
    assert "i2b2-2014: 9 notes to train on and 4 to test on" in told
    found = numbers(tmp_path, "he2015-table4.csv")
    assert (found["NAME: DOCTOR", "train"], found["NAME: DOCTOR", "gold"]) == (9, 4)
    assert found["DATE", "F1"] > 0


def test_i2b2_2006_as_released_makes_a_table(tmp_path: Path) -> None:
    shown, told = paper("zuccon2013", tmp_path, "rq2", str(i2b2_2006(tmp_path / "i2b2")))
    assert "american: 8 notes to train on and 5 to test on" in told
    assert "Trained on 8 notes, and on 5" in shown
    found = numbers(tmp_path, "zuccon2013-rq2.csv")
    assert {column for _, column in found} == {"DOCTOR", "PATIENT", "HOSPITAL", "DATE", "PHONE", "ID", "mean"}
    assert found["trained on the training notes", "HOSPITAL"] == 1


def test_the_corpora_of_trienes_as_released_are_counted(tmp_path: Path) -> None:
    folders = {"dutch": nut, "i2b2-2014": i2b2_2014, "nursing": physionet}
    data = [f"{name}={made(tmp_path / name)}" for name, made in folders.items()]
    _, told = paper("trienes2020", tmp_path, "table1", *data)
    assert "dutch: 8 notes to train on and 5 to test on" in told, "the dev part is neither"
    assert "nursing: 8 notes to train on and 4 to test on" in told
    found = numbers(tmp_path, "trienes2020-table1.csv")
    assert [found["documents", name] for name in folders] == [13, 13, 12]
    assert [found["identifiers", name] for name in folders] == [13 * 4, 13 * 5, 12 * 3]
    assert [found["patients", name] for name in ("i2b2-2014", "nursing")] == [7, 6]


def test_three_methods_learn_from_the_corpora_of_trienes_as_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setitem(systems.QUICK_WHOLE, "epochs", 1)
    folders = {"dutch": nut, "i2b2-2014": i2b2_2014, "nursing": physionet}
    data = [f"{name}={made(tmp_path / name)}" for name, made in folders.items()]
    paper("trienes2020", tmp_path, "table5", *data)
    found = numbers(tmp_path, "trienes2020-table5.csv")
    for corpus in folders:
        assert found[f"{corpus}, CRF", "F1"] > 0.3, corpus
    paper("trienes2020", tmp_path, "table7", data[0])
    errors = numbers(tmp_path, "trienes2020-table7.csv")
    assert errors["total", "FN"] == sum(errors[kind, "FN"] for kind in KINDS) > 0


def test_a_nursing_corpus_without_its_spans_is_refused_before_notes_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(studied, "made")
    folder = physionet(tmp_path / "nursing")
    for file in folder.glob("*"):
        if file.is_file() and file.name != "id.text":
            file.unlink()
    arguments = ["paper", "trienes2020", "--quick", "--only", "table1", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, [*arguments, "--data", f"nursing={folder}"])
    assert result.exit_code
    assert "no note has a span; are the annotations beside the texts?" in str(result.exception)
    assert "no id-phi.phrase beside the notes" in result.stderr
    assert not (tmp_path / "out").exists()
