"""All formats together: every sample is told apart and read to the same document; real notes go there and back."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.errors import FormatError
from elision.formats import FORMATS, Reading, Remarks, guess, read, write
from elision.formats.format import fit
from elision.rewrite import rewrite
from tests.formats.canonical import SAMPLES, canonical
from tests.notes import note

CANONICAL = canonical()
EXAMPLES = Path(__file__).parents[2] / "examples" / "notes" / "gold"
TEXT_ONLY = {"fhir", "hl7v2"}
OTHER_LABELS = {"i2b2-2006", "presidio", "physionet"}  # sets that have no MEDICALRECORD or CITY
TOKENS = {"conll", "hf"}  # samples without a text: it is given

# sample -> the one format that it is
SAMPLE_FORMATS = {
    "brat": "brat",
    "i2b2_2014": "i2b2-2014",
    "i2b2_2006.xml": "i2b2-2006",
    "meddocan/doc.xml": "meddocan-xml",
    "physionet": "physionet",
    "nedap_corpus": "nedap",
    "conll2003.bio": "conll",
    "doccano.jsonl": "doccano",
    "doccano_entities.jsonl": "doccano-entities",
    "prodigy.jsonl": "prodigy",
    "spacy_train.jsonl": "spacy-jsonl",
    "spacy.spacy": "docbin",
    "label_studio_export.json": "label-studio",
    "label_studio_ml_backend_response.json": "label-studio-predictions",
    "uima.xmi": "uima-xmi",
    "uima_cas.json": "uima-json",
    "webanno_tsv3.tsv": "webanno-tsv",
    "hf_token_classification.jsonl": "hf",
    "presidio_results.json": "presidio",
    "fhir_DocumentReference.json": "fhir",
    "fhir_DiagnosticReport.json": "fhir",
    "hl7_oru.hl7": "hl7v2",
    "omop_note.csv": "omop",
}


@pytest.mark.parametrize(("sample", "name"), SAMPLE_FORMATS.items())
def test_every_sample_is_told_apart(sample: str, name: str) -> None:
    format, evidence = guess(SAMPLES / sample)
    assert format.name == name
    assert evidence


@pytest.mark.parametrize(("sample", "name"), SAMPLE_FORMATS.items())
def test_every_sample_reads_to_the_canonical_document(sample: str, name: str, tmp_path: Path) -> None:
    if name in ("nedap", "meddocan-xml"):
        pytest.skip("this sample holds another text; its own tests read it")
    source = SAMPLES / sample
    if source.suffix == ".csv":
        source = SAMPLES  # the notes and what was found in them are two files of one folder
        shutil.copy(SAMPLES / "omop_note.csv", tmp_path)
        shutil.copy(SAMPLES / "omop_note_nlp.csv", tmp_path)
        source = tmp_path
    # Samples that hold spans or tokens only are told the text, under whatever id they have.
    texts = dict.fromkeys(("1", "0", "conll2003-1", source.stem, "doc"), CANONICAL.text)
    (document,) = read(source, name, Reading(texts=texts))
    text = document.text[: len(CANONICAL.text)] if name == "hl7v2" else document.text
    assert text == CANONICAL.text
    if name in TEXT_ONLY:
        assert not document.spans
    else:
        key = (lambda s: (s.start, s.end)) if name in OTHER_LABELS else (lambda s: (s.start, s.end, s.label))
        assert [key(span) for span in document.spans] == [key(span) for span in CANONICAL.spans]


def _notes() -> list[Document]:
    return list(read(EXAMPLES, "brat"))


@pytest.mark.parametrize("name", FORMATS)
def test_the_example_notes_go_there_and_back_and_are_told_apart(name: str, tmp_path: Path) -> None:
    format = FORMATS[name]
    notes = _notes()
    target = tmp_path / ("out" if format.folder else f"out{format.suffix}")
    remarks = write(notes, target, format)
    texts = {document.id: document.text for document in notes}
    again = {document.id: document for document in read(target, format, Reading(texts=texts))}
    fitted = [fit(document, format, Remarks()) for document in notes]
    assert again == {document.id: document for document in fitted}
    told = sum(count for what, count in remarks.counts.items() if "spans" in what)
    lost = sum(len(document.spans) for document in notes) - sum(len(document.spans) for document in fitted)
    assert lost <= told
    assert guess(target)[0].name == name or name == "nedap"  # whose labels tell it from brat, and these are not nedap's


@pytest.mark.parametrize("first", FORMATS)
@pytest.mark.parametrize("second", FORMATS)
def test_any_format_to_any_other(first: str, second: str, tmp_path: Path) -> None:
    document = note(
        "Visto por [NAME_CLINICIAN Íñigo Núñez] el [DATE 3/5/2019] 😀 & <[ID 12-3]>.\nTel.\t[PHONE 5550123]\n"
    )
    places = {}
    for name in (first, second):
        format = FORMATS[name]
        target = tmp_path / name / ("out" if format.folder else f"out{format.suffix}")
        target.parent.mkdir(exist_ok=True)
        write([document], target, format)
        (document,) = read(target, format, Reading(texts={document.id: document.text}))
        places[name] = document.spans
    holds = [FORMATS[name].holds for name in (first, second)]
    expected = 4 if all(hold.spans for hold in holds) else 0
    assert len(document.spans) == expected
    assert document.text.startswith("Visto por Íñigo Núñez el 3/5/2019 😀 & <12-3>.\nTel.\t5550123")


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_place_or_none_is_an_error(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "none"):
        with pytest.raises(FormatError):
            list(read(path, name))


@pytest.mark.parametrize("name", FORMATS)
def test_no_file_can_make_a_reader_fail_in_another_way(name: str, tmp_path: Path) -> None:
    format = FORMATS[name]
    bad = [
        b"",
        b"\n",
        b"\x00" * 100,
        b"\xff\xfe\xff",
        b"{",
        b"[[]]",
        b"[1, 2]",
        b'{"text": 3}',
        b"<a><b></a>",
        b"T1\t\n\n",
        b"MSH",
    ]
    for number, data in enumerate(bad):
        folder = tmp_path / str(number)
        folder.mkdir()
        file = folder / f"a{format.suffix}"
        file.write_bytes(data)
        (folder / "a.txt").write_text("Jane")
        for path in (file, folder):
            with contextlib.suppress(FormatError):
                assert all(isinstance(document, Document) for document in read(path, format))


def test_all_names_count_in_guessing_and_what_is_not_read_is_told(tmp_path: Path) -> None:
    write([note("nothing", f"a{number:04}") for number in range(300)], tmp_path / "in", "text")
    write([note("Dr. [NAME_CLINICIAN Roe]", "z/late")], tmp_path / "in", "brat")
    (tmp_path / "in" / "B.TXT").write_text("Dr. Roe")
    (tmp_path / "in" / "B.ANN").write_text("T1\tNAME_CLINICIAN 4 7\tRoe\n")
    (tmp_path / "in" / "._a0001.txt").write_bytes(b"\x00\x05\xff")
    (tmp_path / "in" / "more.xml").write_text("<deIdi2b2><TEXT>Jane</TEXT><TAGS/></deIdi2b2>")
    (tmp_path / "in" / "circle").symlink_to(tmp_path / "in")
    how = Reading()
    documents = list(read(tmp_path / "in", "brat", how))
    assert len(documents) == 302
    assert [document.id for document in documents if document.spans] == ["B", "z/late"]
    assert "files of other kinds, not read: 1 (first in more.xml)" in how.remarks.lines()


@pytest.mark.parametrize("sample", ["hl7_oru.hl7", "fhir_DocumentReference.json"])
def test_a_container_says_that_only_its_text_was_rewritten(sample: str, tmp_path: Path) -> None:
    (document,) = read(SAMPLES / sample)
    assert not write([document], tmp_path / "same", guess(SAMPLES / sample)[0]).counts
    place = document.text.index("José")
    clean = rewrite(document.with_spans([Span(place, place + 10, "NAME_PATIENT")]), ["Ada Roe"])
    remarks = write([clean], tmp_path / "clean", guess(SAMPLES / sample)[0])
    assert "is not de-identified" in "".join(remarks.lines())


def test_a_link_is_followed_within_the_folder_and_told_where_it_leads_out(tmp_path: Path) -> None:
    for name in ("in/deep", "away"):
        write([note("Dr. [NAME_CLINICIAN Roe]", "a")], tmp_path / name, "brat")
    (tmp_path / "in" / "b.txt").symlink_to("deep/a.txt")
    (tmp_path / "in" / "ward").symlink_to(tmp_path / "away")
    how = Reading()
    assert [document.id for document in read(tmp_path / "in", "brat", how)] == ["b", "deep/a"]
    assert "links that lead out of the folder, not followed: 1 (first in ward)" in how.remarks.lines()
