"""PhysioNet nursing notes: records, spans with and without types, and files that cannot be right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import Reading, guess, read, write
from elision.labels import map_labels, mapping_named
from tests.formats.canonical import SAMPLES
from tests.notes import note

# As it is released: a blank line behind each record, and the notes of a patient one after another.
NOTES = """\
START_OF_RECORD=12||||1||||
NEURO: pt sedated, opens eyes to voice.
SOCIAL: wife Ilse Vanterpool called, will visit on 3/14.
||||END_OF_RECORD

START_OF_RECORD=12||||2||||
Stable night. Dr. Quorn aware of low UO.

||||END_OF_RECORD

START_OF_RECORD=13||||1||||
Afebrile.
||||END_OF_RECORD

"""
PHRASES = """\
12 1 53 68 RelativeProxyName Ilse Vanterpool
12 1 91 95 Date 3/14
12 2 18 23 HCPName Quorn
"""
PLACES = """\
Patient 12\tNote 1
53 53 68
91 91 95
Patient 12\tNote 2
18 18 23
Patient 13\tNote 1
"""
RELEASED = {"id.text": NOTES, "id-phi.phrase": PHRASES, "id.deid": PLACES}
MARKED = [
    note(
        "NEURO: pt sedated, opens eyes to voice.\n"
        "SOCIAL: wife [RELATIVE Ilse Vanterpool] called, will visit on [DATE 3/14].",
        "12-1",
    ),
    note("Stable night. Dr. [HCP Quorn] aware of low UO.\n", "12-2"),
    note("Afebrile.", "13-1"),
]
LABELS = {"RELATIVE": "RelativeProxyName", "DATE": "Date", "HCP": "HCPName"}
EXPECTED = [
    replace(document, patient=document.id[:2]).with_spans(
        replace(span, label=LABELS[span.label]) for span in document.spans
    )
    for document in MARKED
]


def laid_out(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    return folder


def refusal(folder: Path, files: Mapping[str, str], how: Reading | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        list(read(laid_out(folder, files), "physionet", how))
    message = str(caught.value)
    assert not [word for word in ("Ilse", "Vanterpool", "Quorn", "sedated", "Afebrile", "SECRET") if word in message]
    return message


def test_the_golden_sample_comes_back_as_it_was(tmp_path: Path) -> None:
    sample = SAMPLES / "physionet"
    assert guess(sample)[1] == "id.text with id-phi.phrase"
    how = Reading()
    written = write(list(read(sample, how=how)), tmp_path, "physionet")
    assert how.remarks.lines() == written.lines() == []
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {
        file.name: file.read_bytes() for file in sample.iterdir()
    }


def test_the_released_layout_is_told_apart_and_read(tmp_path: Path) -> None:
    more = {"deid.pl": "#!/usr/bin/perl\n", "shift.txt": "12 30\n", "id.res": NOTES.replace("Quorn", "[**Name**]")}
    folder = laid_out(tmp_path / "deid", {**RELEASED, **more})
    assert guess(folder)[0].name == "physionet"
    how = Reading()
    assert list(read(folder, how=how)) == EXPECTED
    assert how.remarks.counts == {"files of other kinds, not read": 3}
    assert list(read(folder / "id.text")) == EXPECTED
    (result,) = [document for document in read(folder / "id.res") if "[**Name**]" in document.text]
    assert result.spans == ()  # these offsets are those of id.text


def test_its_labels_have_a_way_to_ours() -> None:
    ways = mapping_named("physionet:canonical")
    labels = [span.label for document in EXPECTED for span in map_labels(document, ways).spans]
    assert labels == ["NAME_RELATIVE", "DATE", "NAME_CLINICIAN"]


@pytest.mark.parametrize("ending", [".deid", ".phi"])
def test_spans_without_types_are_called_phi(ending: str, tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "blind", {"id.text": NOTES, f"id{ending}": f"\n{PLACES}"})
    assert guess(folder)[1] == f"id.text with id{ending}"
    assert [[(s.start, s.end, s.label) for s in document.spans] for document in read(folder)] == [
        [(s.start, s.end, "PHI") for s in document.spans] for document in EXPECTED
    ]


def test_notes_alone_are_read_without_spans_and_told(tmp_path: Path) -> None:
    how = Reading()
    folder = laid_out(tmp_path / "alone", {"id.text": f"\ufeff{NOTES}", "id.res": NOTES})
    assert guess(folder)[0].name == "physionet"
    assert [(d.text, d.spans) for d in read(folder, how=how)] == [(d.text, ()) for d in EXPECTED]
    assert any("no id-phi.phrase beside the notes" in line for line in how.remarks.lines())


def test_what_id_deid_says_otherwise_is_remarked(tmp_path: Path) -> None:
    places = PLACES.replace("91 91 95", "91 91 96").removesuffix("Patient 13\tNote 1\n")
    how = Reading()
    assert list(read(laid_out(tmp_path / "x", {**RELEASED, "id.deid": places}), how=how)) == EXPECTED
    assert how.remarks.lines() == [
        "records whose spans are others in id.deid, which does not count: 1 (first in note 12-1)",
        "records that id.deid does not list, read without spans: 1 (first in note 13-1)",
    ]


DAMAGED = {  # what is wrong with id.text, and what is said
    "cut short": (NOTES[:-30], "ends within the record that begins in line 11; is a part of the file missing?"),
    "an end lost": (
        NOTES.replace("||||END_OF_RECORD\n\nSTART_OF_RECORD=13", "START_OF_RECORD=13"),
        "id.text:9: a record begins before the one of line 6 has ended",
    ),
    "a beginning lost": (NOTES.removeprefix("START_OF_RECORD=12||||1||||\n"), "id.text:1: text outside of the records"),
    "two ends": (NOTES + "||||END_OF_RECORD\n", "id.text:15: an end mark without a record before it"),
    "an end in a line": (
        NOTES.replace("Afebrile.\n||||", "Afebrile. ||||"),
        "id.text:12: the end mark ||||END_OF_RECORD must stand alone on its line",
    ),
    "no number": (
        NOTES.replace("13||||1||||", "SECRET 13||||"),
        "id.text:11: a record begins with START_OF_RECORD=PATIENT||||NUMBER||||",
    ),
    "a record twice": (NOTES.replace("=12||||2", "=12||||1"), "the id 12-1 comes twice"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_file_of_notes_is_refused(case: str, tmp_path: Path) -> None:
    text, said = DAMAGED[case]
    assert said in refusal(tmp_path / "x", {"id.text": text})


WRONG = {  # a line in place of `12 2 18 23 HCPName Quorn`, what is said, and what skipping it is called
    "beyond": ("12 2 18 230 HCPName Quorn", "18–230: reaches beyond the record, which has 41 characters"),
    "other words": ("12 2 17 23 HCPName Vanterpool", "17–23: another text stands there"),
    "backwards": ("12 2 23 18 HCPName Quorn", "23–18: the start is not before the end"),
    "overlap": (
        "12 2 18 23 HCPName Quorn\n12 2 14 23 HCPName Dr. Quorn",
        "18–23: overlaps the span 14–23 of the same record; keep one",
    ),
    "too few": ("12 2 18 HCPName Quorn", "needs patient, record, start, end, type and words"),
    "no number": ("12 2 a b HCPName Quorn", "needs patient, record, start, end, type and words"),
    "huge number": (f"12 2 18 {'9' * 5000} HCPName Quorn", "needs patient, record, start, end, type and words"),
    "no record": ("99 2 18 23 HCPName Quorn", "id.text has no record of this patient and number"),
    "no such lines": ("\x01\x02 SECRET", "needs patient, record, start, end, type and words"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_span_is_refused_with_its_line_and_skipped_if_asked(case: str, tmp_path: Path) -> None:
    line, said = WRONG[case]
    files = {"id.text": NOTES, "id-phi.phrase": PHRASES.replace("12 2 18 23 HCPName Quorn", line)}
    message = refusal(tmp_path / "x", files)
    assert said in message
    assert f"{tmp_path / 'x' / 'id-phi.phrase'}:3: " in message
    assert "--lenient skips such lines" in message
    how = Reading(lenient=True)
    documents = list(read(tmp_path / "x", "physionet", how))
    assert [len(document.spans) for document in documents] == [2, case == "overlap", 0]
    assert sum(count for what, count in how.remarks.counts.items() if what.startswith("skipped")) == 1


def test_offsets_of_another_kind_are_explained(tmp_path: Path) -> None:
    files = {**RELEASED, "id.text": NOTES.replace("\n", "\r\n")}
    assert "a CRLF line break counted once" in refusal(tmp_path / "x", files)


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ("53 53 68\n", "id.deid:1: needs `Patient 1 Note 1`"),
        (PLACES.replace("91 91 95", "91 95 4"), "id.deid:3: needs `Patient 1 Note 1`, or below that the start"),
        (PLACES.replace("Note 1", "SECRET"), "id.deid:1: needs"),
    ],
)
def test_a_wrong_line_without_types_is_refused(places: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(tmp_path / "x", {"id.text": NOTES, "id.deid": places})


def test_a_line_or_a_record_that_is_too_large_is_refused(tmp_path: Path) -> None:
    long_line = NOTES.replace("Afebrile.", "Afebrile. " * 1000)
    assert "id.text:12: the line is longer than the limit" in refusal(
        tmp_path / "a", {"id.text": long_line}, Reading(max_bytes=2000)
    )
    many_lines = NOTES.replace("Afebrile.", "Afebrile.\n" * 1000)
    assert "id.text:11: the record is larger than the limit" in refusal(
        tmp_path / "b", {"id.text": many_lines}, Reading(max_bytes=2000)
    )
    long_phrase = PHRASES + "12 2 18 23 HCPName " + "Quorn" * 1000
    assert "id-phi.phrase:4: the line is longer than the limit" in refusal(
        tmp_path / "c", {"id.text": NOTES, "id-phi.phrase": long_phrase}, Reading(max_bytes=2000)
    )


def test_the_file_of_spans_alone_is_no_corpus(tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "x", RELEASED)
    with pytest.raises(FormatError, match=r"id-phi.phrase: holds offsets, no notes; give the .text file"):
        list(read(folder / "id-phi.phrase", "physionet"))


def test_the_same_span_twice_counts_once(tmp_path: Path) -> None:
    how = Reading()
    folder = laid_out(tmp_path / "x", {"id.text": NOTES, "id-phi.phrase": PHRASES * 2})
    assert list(read(folder, how=how)) == EXPECTED
    assert how.remarks.counts == {"the same span twice, read once": 3}


UNHELD = [
    Document("Well.", "a|b"),
    Document("Well.", "a b"),
    Document("Well.", ""),
    Document("Well.", "1", patient="-"),
    Document("Well.", "1", patient="p 1"),
    Document("Well.\n||||END_OF_RECORD"),
    Document("START_OF_RECORD=1||||1||||", "1"),
    Document("Well.", "1", spans=(Span(0, 3, "X"), Span(2, 4, "X"))),
    Document("Well.", "1", spans=(Span(0, 3, "X Y"),)),
]


@pytest.mark.parametrize("document", UNHELD)
def test_what_would_not_come_back_is_not_written(document: Document, tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError):
        write([document], tmp_path / "x", "physionet")
    assert not (tmp_path / "x").exists()


def test_ids_with_and_without_a_patient(tmp_path: Path) -> None:
    documents = [
        Document("Well.", "12-1", patient="12"),
        Document("Well.", "ward/7", patient="12"),
        Document("Well.", "7"),
        Document("Well.", "12-2"),
    ]
    assert not write(documents, tmp_path / "x", "physionet").counts
    assert list(read(tmp_path / "x")) == documents
    remarks = write([Document("Well.", "7", patient="12")], tmp_path / "y", "physionet")
    assert remarks.lines() == ["ids of digits alone, which come back as PATIENT-ID: 1 (first in note 7)"]
    assert [(d.id, d.patient) for d in read(tmp_path / "y")] == [("12-7", "12")]
    clash = [Document("Well.", "7", patient="12"), Document("Well.", "12-7", patient="12")]
    with pytest.raises(CannotHoldError, match="another note has the same patient and number"):
        write(clash, tmp_path / "z", "physionet")
