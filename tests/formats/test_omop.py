"""OMOP: the NOTE table and the spans of NOTE_NLP beside it."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import Reading, Remarks, guess, read, write
from tests.notes import GOLDEN, note

SAMPLES = GOLDEN / "formats"
CANONICAL = json.loads((SAMPLES / "canonical.json").read_text("utf-8"))


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in ("omop_note.csv", "omop_note_nlp.csv"):
        shutil.copy(SAMPLES / name, folder / name)
    return folder


def put(folder: Path, notes: str, spans: str = "") -> Path:
    (folder / "note.csv").write_text(notes, "utf-8", newline="")
    if spans:
        (folder / "note_nlp.csv").write_text(spans, "utf-8", newline="")
    return folder


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_golden_tables_say_what_the_canonical_document_says(tables: Path) -> None:
    how = Reading()
    (document,) = read(tables, "omop", how)
    assert document.text == CANONICAL["text"]
    assert [(s.start, s.end, s.label, document.text_of(s)) for s in document.spans] == [
        (s["start"], s["end"], s["label"], s["text"]) for s in CANONICAL["spans"]
    ]
    assert (document.id, document.patient, document.language) == ("1", "101", "en")
    assert {span.source for span in document.spans} == {"deid-0.1"}
    assert document.info == {
        "omop:note_date": "2069-04-07",
        "omop:note_datetime": "2069-04-07T12:00:00",
        "omop:note_title": "Progress note",
        "omop:note_source_value": "110-01.xml",
    }
    assert list(how.remarks.counts) == ["snippets of NOTE_NLP, which repeat the note, are not kept"]


@pytest.mark.parametrize("what", ["", "omop_note.csv"])
def test_the_golden_tables_are_guessed_as_omop_from_the_folder_and_from_the_file(tables: Path, what: str) -> None:
    chosen, evidence = guess(tables / what)
    assert chosen.name == "omop"
    assert "note_text" in evidence


def test_all_columns_but_the_snippet_come_back(tables: Path, tmp_path: Path) -> None:
    first = list(read(tables, "omop"))
    remarks = write(first, tmp_path / "out", "omop")
    assert remarks.lines() == []
    for name in ("note", "note_nlp"):
        again, before = rows(tmp_path / "out" / f"{name}.csv"), rows(tables / f"omop_{name}.csv")
        for row in before:
            row.pop("snippet", None)
            if row.get("lexical_variant") == "San Sebastián":
                row["lexical_variant"] = "San\nSebastián"  # written as the note has it
        assert [{k: v for k, v in row.items() if k != "snippet"} for row in again] == before
    assert list(read(tmp_path / "out", "omop")) == first


def test_names_count_without_regard_to_case_and_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "NOTE.CSV").write_text('\ufeff"NOTE_ID",PERSON_ID,NOTE_TEXT\n7,8,Seen by Dr. Roe\n', "utf-8")
    (tmp_path / "Note_NLP.csv").write_text(
        'NOTE_NLP_ID,NOTE_ID,OFFSET,LEXICAL_VARIANT,TERM_MODIFIERS\n1,7,8,Dr. Roe,"negation=no;phi_type=NAME"\n',
        "utf-8",
    )
    (document,) = read(tmp_path, "omop")
    assert document == Document(
        "Seen by Dr. Roe",
        "7",
        patient="8",
        spans=(Span(8, 15, "NAME", info={"omop:term_modifiers": "negation=no"}),),
    )


def test_a_folder_of_many_tables_is_guessed_by_the_name_of_the_note_table(tmp_path: Path) -> None:
    put(tmp_path, "note_id,person_id,note_text\n1,2,text\n")
    (tmp_path / "care_site.csv").write_text("care_site_id\n1\n")
    assert guess(tmp_path)[0].name == "omop"


@pytest.mark.parametrize(
    ("concept", "language", "info"),
    [
        ("4180186", "en", {}),
        ("4182511", "es", {}),
        ("4182503", "nl", {}),
        ("4182948", "zh", {}),
        ("0", "", {}),
        ("4175771", "", {"omop:language_concept_id": "4175771"}),
        ("", "", {"omop:language_concept_id": ""}),
    ],
)
def test_languages_that_are_not_known_are_kept_and_not_guessed(
    tmp_path: Path, concept: str, language: str, info: dict[str, str]
) -> None:
    put(tmp_path, f"note_id,person_id,note_text,language_concept_id\n1,2,text,{concept}\n")
    (document,) = read(tmp_path, "omop")
    assert (document.language, document.info) == (language, info)
    write([document], tmp_path / "out", "omop")
    assert rows(tmp_path / "out" / "note.csv")[0]["language_concept_id"] == concept


def test_a_language_without_a_concept_is_reported(tmp_path: Path) -> None:
    remarks = write([Document("Tekst", "1", patient="2", language="fy")], tmp_path / "out", "omop")
    assert "no OMOP concept is known for the language 'fy'; written as 0" in remarks.counts


def test_what_hurts_csv_survives(tmp_path: Path) -> None:
    text = 'a "quoted", b\r\nc\rd\ne\0f;g=h\x85\u2028😀 =1+1'
    label = "A;end=3,%3B"
    first = Document(text, "1", spans=(Span(3, 20, label, 0.123, "crf"), Span(0, 0, "DATE"), Span(3, 20, label)))
    write([first], tmp_path / "out", "omop")
    assert list(read(tmp_path / "out", "omop")) == [first]


def test_a_note_longer_than_the_csv_modules_own_limit_is_read(tmp_path: Path) -> None:
    long = Document("Dr. Roe " * 40_000, "1", spans=(Span(0, 7, "NAME"),))
    write([long], tmp_path / "out", "omop")
    assert list(read(tmp_path / "out", "omop")) == [long]


def test_rows_that_are_not_about_phi_and_rows_without_a_note_are_reported(tmp_path: Path) -> None:
    put(
        tmp_path,
        "note_id,person_id,note_text,color\n1,2,Dr. Roe saw pneumonia,red\n",
        "note_nlp_id,note_id,offset,lexical_variant,term_modifiers\n"
        "1,1,12,pneumonia,certainty=high\n"
        "2,9,0,Dr,phi_type=NAME\n"
        "5,1,4,Roe,phi_type=NAME;end=7\n",
    )
    how = Reading()
    (document,) = read(tmp_path, "omop", how)
    assert document.spans == (Span(4, 7, "NAME"),)
    assert list(how.remarks.counts) == [
        "note_nlp_id is not kept: rows are numbered anew",
        "columns that OMOP does not have are not kept",
        "NOTE_NLP rows without phi_type= in term_modifiers are not about PHI; passed over",
        "NOTE_NLP rows whose note is not in the NOTE table",
    ]


def test_what_a_database_will_miss_is_reported(tmp_path: Path) -> None:
    document = note("Seen by [NAME Dr. Roe]")
    remarks = write([document], tmp_path / "out", "omop")
    assert set(remarks.counts) == {
        "OMOP asks for numbers as note_id and person_id; written as they are",
        "OMOP asks for a note_date, which is not known; left empty",
        "OMOP asks for an nlp_date, which is not known; left empty",
    }
    assert rows(tmp_path / "out" / "note_nlp.csv")[0]["snippet"] == ""


SPANS = "note_nlp_id,note_id,offset,lexical_variant,term_modifiers\n"


@pytest.mark.parametrize(
    ("notes", "spans", "message"),
    [
        ("note_id,body\n1,x\n", "", "lacks the columns person_id, note_text"),
        ("", "", "lacks the columns note_id, person_id, note_text"),
        ("note_id,person_id,note_text,note_text\n1,2,x,y\n", "", "a column twice"),
        ("note_id,person_id,note_text\n1,2\n", "", "row 1 has 2 cells for 3 columns"),
        ("note_id,person_id,note_text\n,2,x\n", "", "row 1: the note_id is empty"),
        ('note_id,person_id,note_text\n1,2,"x" y\n', "", "row 1 is not valid CSV"),
        ('note_id,person_id,note_text\n1,2,"x\n', "", "row 1 is not valid CSV"),
        (
            "note_id,person_id,note_text\n1,2,Roe\n",
            "note_id,offset\n1,0\n",
            "lacks the columns note_nlp_id, lexical_va",
        ),
        ("note_id,person_id,note_text\n1,2,Roe\n", f"{SPANS}1,1,x,Roe,phi_type=NAME\n", "offset, end= and score="),
        ("note_id,person_id,note_text\n1,2,Roe\n", f"{SPANS}1,1,1,Roe,phi_type=NAME\n", "other words than the lexical"),
        ("note_id,person_id,note_text\n1,2,Roe\n", f"{SPANS}1,1,0,Poe,phi_type=NAME\n", "other words than the lexical"),
        ("note_id,person_id,note_text\n1,2,Roe\n", f"{SPANS}1,1,-1,,phi_type=NAME\n", "other words than the lexical"),
    ],
)
def test_bad_tables_are_refused_with_the_row_and_without_the_text(
    tmp_path: Path, notes: str, spans: str, message: str
) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(put(tmp_path, notes, spans), "omop"))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)
    assert "Poe" not in str(caught.value)


def test_a_row_that_does_not_fit_its_note_can_be_skipped(tmp_path: Path) -> None:
    put(tmp_path, "note_id,person_id,note_text\n1,2,Roe\n", f"{SPANS}1,1,0,Poe,phi_type=NAME\n")
    how = Reading(lenient=True)
    (document,) = read(tmp_path, "omop", how)
    assert document.spans == ()
    assert list(how.remarks.counts) == ["skipped: NOTE_NLP rows whose lexical_variant is not in the note at the offset"]


def test_another_encoding_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "note.csv").write_bytes("note_id,person_id,note_text\n1,2,José\n".encode("cp1252"))
    with pytest.raises(FormatError, match="--encoding cp1252"):
        list(read(tmp_path, "omop"))
    (document,) = read(tmp_path, "omop", Reading(encoding="cp1252"))
    assert document.text == "José"
    with pytest.raises(FormatError, match="not an encoding that Python knows"):
        list(read(tmp_path, "omop", Reading(encoding="klingon")))


def test_the_span_table_alone_and_a_folder_without_notes_are_errors(tables: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="this is the NOTE_NLP table"):
        list(read(tables / "omop_note_nlp.csv", "omop"))
    with pytest.raises(FormatError, match="expected one NOTE table"):
        list(read(tmp_path, "omop"))


def test_a_note_without_an_id_is_refused_and_nothing_is_left_behind(tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match="note_id"):
        write([Document("text")], tmp_path / "out", "omop", Remarks())
    assert list(tmp_path.iterdir()) == []
