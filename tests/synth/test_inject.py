"""Surrogates in other people's text: placeholders, names that stand there, and what is put in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span, first_overlap
from elision.errors import SynthError
from elision.formats import Remarks, read
from elision.languages.synth import Piece
from elision.synth.breakdown import recall_by, table
from elision.synth.inject import Injector
from elision.synth.insertion import Fill, compose, cut
from elision.synth.placeholders import holes
from tests.notes import note
from tests.strategies import spans_in, texts
from tests.test_cli import elision


def fill(
    text: str,
    *,
    language: str = "en",
    insert: bool = False,
    known: dict[str, tuple[str, ...]] | None = None,
    seed: int = 1,
) -> Document:
    remarks = Remarks()
    made = Injector(seed, language=language, insert=insert).one(Document(text, "n", known=known or {}), 0, remarks)
    assert made is not None, remarks.lines()
    return made


def found(document: Document) -> list[tuple[str, str]]:
    return [(span.label, document.text_of(span)) for span in document.spans]


HOLES = [
    ("on [**2101-3-4**]", "date"), ("[**3-4**]", "date"), ("in [**2101**]", "year"), ("[**Last Name (STitle) 45**]",
    "doctor"),
    ("[**Known lastname 12**]", "patient"), ("[**First Name (Titles) 123**]", "doctor"), ("[**Hospital1 18**]",
    "hospital"),
    ("[**Hospital Ward Name 3**]", "ward"), ("[**Telephone/Fax (1) 99**]", "phone"), ("[**Medical Record Number 7**]",
    "mrn"),
    ("[**Age over 90 1**]", "age"), ("[**Location (un) 5**]", "city"), ("[**Company 9**]", "organization"),
    ("[**Numeric Identifier 1**]", "other_id"),
    ("Mr. [**Name (NI) 4**]", "patient"), ("[**Doctor First Name **]", "doctor"), ("[**Month/Day (2) **]", "date"),
    ("[**Zip code 1**]", "zip"),
    ("<PERSON>", "other"), ("Dr. <PERSON>", "doctor"), ("<PATIENT_1>", "patient"), ("[NOMBRE]", "other"), ("[FECHA]",
    "date"), ("[NAME]", "other"),
    ("<DATE_TIME>", "date"), ("[HOSPITAL-2]", "hospital"), ("{{PHONE_NUMBER}}", "phone"), ("<PERSOON-1>", "other"),
    ("[姓名]", "other"), ("【日期】", "date"),
    ("Date of Birth: ___", "dob"), ("Attending: ___", "doctor"), ("Unit No:  ___", "mrn"), ("seen by Dr. XXX",
    "doctor"), ("Mrs. XXXX", "patient"),
    ("Discharge Date:   ___", "date"), ("geboren op ___", "dob"), ("住院号：___", "mrn"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "what"), HOLES)
def test_placeholders_are_known(text: str, what: str) -> None:
    hole = holes(text)[0]
    assert hole.slot is not None
    assert hole.slot.what == what


NO_HOLES = ["XL shirt", "BP <120", "x-ray", "[x] yes [ ] no", "level XX", "a_b", "[1]", "<br>", "[PRN]", "T **bold** x"]


@pytest.mark.parametrize("text", NO_HOLES)
def test_other_marks_are_none(text: str) -> None:
    assert holes(text) == []


def test_placeholders_are_filled_with_spans() -> None:
    made = fill(
        "Adm [**2101-3-4**]. Mr. [**Known lastname 1**] saw Dr. [**Last Name (STitle) 45**] at [**Hospital1 18**]."
    )
    assert [label for label, _ in found(made)] == ["DATE", "NAME_PATIENT", "NAME_CLINICIAN", "HOSPITAL"]
    assert "**" not in made.text
    assert re.fullmatch(r"Adm .+\. Mr\. .+ saw Dr\. .+ at .+\.", made.text)


def test_the_same_number_is_the_same_person() -> None:
    text = "Dr. [**Last Name (STitle) 45**], Dr. [**Last Name (STitle) 46**], Dr. [**Last Name (STitle) 45**]"
    first, second, third = (name for _, name in found(fill(text)))
    assert first == third != second


def test_what_nothing_tells_of_is_cut_out() -> None:
    made = fill("He fell. He told ___ loudly. Seen on ___ again.\nname\n")
    assert made.text.startswith("He fell. Seen on ")
    assert [label for label, _ in found(made)] == ["DATE"]
    remarks = Remarks()
    Injector(1, insert=False).one(Document("told ___ so", "n"), 0, remarks)
    assert any("cut out" in line for line in remarks.lines())


def test_known_names_are_replaced() -> None:
    text = "Aurelia Tamm is well. Ms. Tamm walks. Aurelia smiles, says Dr. Oduya."
    made = fill(text, known={"name": ("Aurelia Tamm",), "doctor": ("Oduya",)})
    assert not re.search("Tamm|Aurelia|Oduya", made.text)
    (_, full), (_, last), (_, first), (clinician, _) = found(made)
    assert full == f"{first} {last}"
    assert clinician == "NAME_CLINICIAN"


def test_names_that_rules_find_are_replaced() -> None:
    made = fill("Seen by Dr. Lindqvist-Abara. Dr. Lindqvist-Abara agreed.")
    assert "Lindqvist" not in made.text
    assert len({name for _, name in found(made)}) == 1


def test_an_unsure_name_leaves_the_note_out() -> None:
    remarks = Remarks()
    strict = Injector(1, insert=False, least_score=1.0)
    assert strict.one(Document("Seen by Dr. Lindqvist-Abara.", "n"), 0, remarks) is None
    assert any("left out" in line for line in remarks.lines())


def test_spans_of_the_carrier_stay() -> None:
    document = note("Works as a [PROFESSION glass eye maker], seen [**2101-3-4**].")
    made = Injector(1, insert=False).one(document, 0, Remarks())
    assert made is not None
    assert ("PROFESSION", "glass eye maker") in found(made)


def test_the_cast_fits_the_carrier() -> None:
    for seed in range(8):
        made = fill("A 67-year-old man. He said his knee hurts. [**Known firstname 1**] is born [DOB].", seed=seed)
        names = [span for span in made.spans if span.label == "NAME_PATIENT"]
        assert all(span.info["gender"] == "m" for span in names)


CARRIER = (
    "The patient has had a cough for three weeks. There is no fever.\n"
    "Lungs are clear today. The patient was told to rest.\n"
) * 5


def test_sentences_are_put_in() -> None:
    made = [fill(CARRIER, insert=True, seed=seed) for seed in range(20)]
    assert all(first_overlap(one.spans) is None for one in made)
    assert sum(bool(one.spans) for one in made) >= 12
    labels = {span.label for one in made for span in one.spans}
    assert {"NAME_PATIENT", "DATE", "NAME_CLINICIAN"} <= labels
    assert any("There is no fever." in one.text for one in made)
    for one in made:
        assert all(one.text_of(span) == one.text_of(span).strip() != "" for span in one.spans)


@pytest.mark.parametrize("side", ["train", "held_out"])
@pytest.mark.parametrize("language", ["en", "es", "nl", "zh"])
def test_every_language_has_what_is_put_in(language: str, side: str) -> None:
    text = "患者咳嗽三周。无发热。\n肺部清。\n" * 9 if language == "zh" else CARRIER
    remarks = Remarks()
    injector = Injector(4, side, language)
    made = [injector.one(Document(text, f"n{number}"), number, remarks) for number in range(6)]
    assert sum(note is not None and bool(note.spans) for note in made) >= 3


def test_copies_differ_and_repeat() -> None:
    documents = [Document("Seen by [NAME] on [DATE].", "a"), Document("By [NAME].", "b")]
    made = list(Injector(3, insert=False)(documents, Remarks(), copies=3))
    assert [one.id for one in made] == ["a-1", "a-2", "a-3", "b-1", "b-2", "b-3"]
    assert len({one.text for one in made[:3]}) == 3
    assert made == list(Injector(3, insert=False)(documents, Remarks(), copies=3))


def test_a_language_without_sentences_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from elision.synth import insertion

    insertion._sentences.cache_clear()
    monkeypatch.setattr(insertion, "folder", lambda *_: tmp_path / "none")
    with pytest.raises(SynthError, match="--no-insert"):
        fill(CARRIER, insert=True)
    insertion._sentences.cache_clear()


@given(st.data(), texts)
def test_pieces_take_their_places(data: st.DataObject, text: str) -> None:
    stretches = data.draw(spans_in(text, disjoint=True))
    kept, holes = stretches[::2], stretches[1::2]
    made, spans = compose(
        text, kept, [Fill(span.start, span.end, [Piece("<"), Piece("R", "AGE"), Piece(">")]) for span in holes]
    )
    assert [made[span.start : span.end] for span in spans if span.label == "AGE"] == ["R"] * len(holes)
    others = sorted((span for span in kept), key=lambda span: span.start)
    assert [made[span.start : span.end] for span in spans if span.label != "AGE"] == [
        text[s.start : s.end] for s in others
    ]
    assert len(made) == len(text) + sum(3 - len(span) for span in holes)


def test_cutting_keeps_other_spans() -> None:
    text = "Roe came. She told ___ so. Then Roe left.\nRoe."
    spans = [Span(match.start(), match.end(), "NAME_PATIENT") for match in re.finditer("Roe", text)]
    changed, moved = cut(text, spans, holes(text))
    assert changed == "Roe came. Then Roe left.\nRoe."
    assert [changed[span.start : span.end] for span in moved] == ["Roe"] * 3


def test_recall_is_told_by_origin_gender_and_length() -> None:
    info = {"origin": "vi", "gender": "f"}
    gold = Document("Thi Nguyen and Jo Roe", "1", spans=(Span(0, 10, "NAME_PATIENT", info=info), Span(15, 21,
    "NAME_OTHER", info={"origin": "us", "gender": "m"})))  # fmt: skip
    system = Document(gold.text, "1", spans=(Span(0, 4, "NAME_PATIENT"), Span(15, 18, "DATE"), Span(18, 21, "AGE")))
    rows = recall_by([(gold, system)], "origin")
    assert [(row.group, row.names, row.found, row.recall) for row in rows] == [("vi", 1, 0, 0.0), ("us", 1, 1, 1.0)]
    assert [row.group for row in recall_by([(gold, system)], "length")] == ["7 to 10", "4 to 6"]
    assert [row.recall for row in recall_by([(gold, system)], lambda span: "all")] == [0.5]
    assert all(row.low <= row.recall <= row.high for row in rows)
    assert table([(gold, system)]).count("\n") == 7


@pytest.mark.slow
def test_synth_on_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "notes.jsonl"
    done = elision("synth", "i2b2-2014-like", "--notes", "20", "--seed", "1", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "DATE" in done.stdout
    assert "43.0%" in done.stdout
    assert len(list(read(out))) == 20
    again = elision("synth", "i2b2-2014-like", "--notes", "20", "--seed", "1", "--out", out)
    assert again.returncode == 2
    part = elision(
        "synth", "i2b2-2014-like", "--notes", "5", "--first", "10", "--seed", "1", "--out", tmp_path / "part.jsonl"
    )
    assert part.returncode == 0
    assert (tmp_path / "part.jsonl").read_text().splitlines() == out.read_text().splitlines()[10:15]


@pytest.mark.parametrize("format", ["brat", "i2b2-2014", "conll"])
def test_made_notes_go_into_other_formats(tmp_path: Path, format: str) -> None:
    done = elision("synth", "en", "--notes", "5", "--plain", "--to", format, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "origin" not in done.stderr


SAID = [
    (("synth", "nothing", "--out", "x.jsonl"), "no such profile"), (("synth", "en"), "--out"), (("synth", "en",
    "--out", "x", "--notes", "0"), "at least one"),
    (("synth", "en", "--out", "x", "--side", "left"), "train, held_out, both"), (("synth", "en", "--out", "x",
    "--ocr", "3"), "between 0"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "message"), SAID)
def test_what_cannot_be_is_told(words: tuple[str, ...], message: str) -> None:
    done = elision(*words)
    assert done.returncode == 2
    assert message in done.stderr


def test_profiles_are_listed() -> None:
    assert "zh-maternity" in elision("synth", "--list").stdout.split()


def test_inject_on_the_command_line(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "Seen by [NAME] on [DATE]."}, {"id": "b", "text": "Aurelia Tamm coughs."}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "names.csv").write_text("id,patient,doctor\nb,Aurelia Tamm,\n")
    out = tmp_path / "out.jsonl"
    done = elision("inject", tmp_path / "in.jsonl", "--names", tmp_path / "names.csv", "--no-insert", "--out", out)
    assert done.returncode == 0, done.stderr
    first, second = read(out)
    assert [span.label for span in first.spans] == ["NAME_CLINICIAN", "DATE"]
    assert [span.label for span in second.spans] == ["NAME_PATIENT"]
    assert "Tamm" not in second.text
    bad = elision("inject", tmp_path / "in.jsonl", "--names", tmp_path / "in.jsonl", "--out", tmp_path / "x.jsonl")
    assert bad.returncode == 2
    assert "no column id" in bad.stderr
