"""i2b2 2014 and MEDDOCAN XML: golden samples and cases, unusual spellings kept, bad files refused."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import FORMATS, Reading, guess, read, write, xml
from tests.notes import GOLDEN, note
from tests.strategies import documents

SAMPLE = GOLDEN / "formats" / "i2b2_2014"
MEDDOCAN_SAMPLE = GOLDEN / "formats" / "meddocan" / "doc.xml"
CANONICAL = json.loads((GOLDEN / "formats" / "canonical.json").read_text("utf-8"))
CASES = [("i2b2-2014", folder) for folder in sorted((GOLDEN / "i2b2_2014").glob("case_*/*/"))] + [
    ("meddocan-xml", folder) for folder in sorted((GOLDEN / "meddocan").glob("case_*/*/xml"))
]


def test_the_golden_sample(tmp_path: Path) -> None:
    assert guess(SAMPLE)[0].name == guess(SAMPLE / "110-01.xml")[0].name == "i2b2-2014"
    (document,) = read(SAMPLE)
    spans = tuple(Span(s["start"], s["end"], s["label"]) for s in CANONICAL["spans"])
    assert document == Document(CANONICAL["text"], "110-01", spans=spans)
    write([document], tmp_path, "i2b2-2014")
    assert (tmp_path / "110-01.xml").read_bytes() == (SAMPLE / "110-01.xml").read_bytes()


def test_the_golden_meddocan_sample(tmp_path: Path) -> None:
    assert guess(MEDDOCAN_SAMPLE)[0].name == "meddocan-xml"
    (document,) = read(MEDDOCAN_SAMPLE)
    (brat,) = read(MEDDOCAN_SAMPLE.with_suffix(".ann"))
    assert document == brat
    write([document], tmp_path, "meddocan-xml")
    assert (tmp_path / "doc.xml").read_bytes() == MEDDOCAN_SAMPLE.read_bytes()


@pytest.mark.parametrize(("format", "folder"), CASES, ids=[f"{f[:4]}-{p.as_posix()[-22:]}" for f, p in CASES])
def test_the_golden_cases_read_and_come_back(format: str, folder: Path, tmp_path: Path) -> None:
    how = Reading()
    read_in = list(read(folder, format, how))
    assert how.remarks.lines() == []
    assert sum(len(d.spans) for d in read_in) == sum(f.read_text("utf-8").count(" TYPE=") for f in folder.glob("*.xml"))
    remarks = write(read_in, tmp_path, format)
    assert remarks.lines() == []
    assert list(read(tmp_path, format)) == read_in
    for file in folder.glob("*.xml"):
        assert _tags(tmp_path / file.name) == _tags(file)


def _tags(file: Path) -> list[tuple[str, dict[str, str]]]:
    """The tags as they are spelled in a file, which is what the official programs compare; white space aside."""
    tags = xml.parse(file.read_bytes(), "").iterfind("TAGS/*")
    return [(tag.tag, {**tag.attrib, "text": " ".join(tag.attrib["text"].split())}) for tag in tags]


def test_meddocan_in_xml_and_in_brat_are_the_same_notes() -> None:
    for case in ("case_01", "case_13"):
        for side in ("gold", "system"):
            folder = GOLDEN / "meddocan" / case / side
            xmls = {d.id: {(s.start, s.end, s.label) for s in d.spans} for d in read(folder / "xml", "meddocan-xml")}
            brat = {d.id: {(s.start, s.end, s.label) for s in d.spans} for d in read(folder / "brat", "brat")}
            assert xmls == brat


def xml_of(tags: str, text: str = "Seen by Dr. Jane Roe.", root: str = "deIdi2b2") -> str:
    return f"<{root}><TEXT><![CDATA[{text}]]></TEXT><TAGS>{tags}</TAGS></{root}>"


KEPT: list[tuple[str, dict[str, str]]] = [
    ('<NAME id="P0" start="12" end="20" text="Jane Roe" TYPE="DOCTOR" comment=""/>', {}),
    ('<NAME start="12" end="20" TYPE="DOCTOR"/>', {}),
    ('<NAME id="P7" start="12" end="20" TYPE="DOCTOR"/>', {"id": "P7"}),
    ('<NAME id="P0" start="012" end=" 20" TYPE="DOCTOR"/>', {"start": "012", "end": " 20"}),
    ('<PHI id="P0" start="12" end="20" TYPE="DOCTOR"/>', {"element": "PHI"}),
    ('<Anything id="P0" start="12" end="20" TYPE="DOCTOR"/>', {"element": "Anything"}),
    ('<NAME id="P0" start="12" end="20" TYPE="Doctor"/>', {"element": "NAME"}),
    ('<PHI id="P0" start="12" end="20" TYPE="NAME_CLINICIAN"/>', {}),
    ('<NAME id="P0" start="12" end="20" TYPE="DOCTOR" comment="two&#10;lines"/>', {"comment": "two\nlines"}),
    (
        '<NAME id="P0" start="12" end="20" TYPE="DOCTOR" SURE="&quot;no&quot;" b=""/>',
        {"attr:SURE": '"no"', "attr:b": ""},
    ),
]


@pytest.mark.parametrize(("tag", "info"), KEPT)
def test_what_is_unusual_in_a_tag_is_kept(tag: str, info: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(xml_of(tag), "utf-8")
    (document,) = read(tmp_path, "i2b2-2014")
    (span,) = document.spans
    assert (span.start, span.end, dict(span.info)) == (12, 20, info)
    write([document], tmp_path / "out", "i2b2-2014")
    assert list(read(tmp_path / "out", "i2b2-2014")) == [document]


BAD: list[tuple[str, str]] = [
    ('<NAME id="P0" start="12" TYPE="DOCTOR"/>', "tag 1 (id P0): no attribute end"),
    ('<NAME text="Roe"/>', "tag 1 (id missing): no attribute start and end and TYPE"),
    ('<NAME id="P0" start="12" end="2o" TYPE="DOCTOR"/>', "tag 1 (id P0): end is not a whole number"),
    ('<NAME id="P0" start="-1" end="2" TYPE="DOCTOR"/>', "tag 1 (id P0): start is not a whole number"),
    ('<NAME id="P0" start="20" end="12" TYPE="DOCTOR"/>', "tag 1 (id P0): the start 20 is after the end 12"),
    ('<NAME id="P0" start="12" end="99" TYPE="DOCTOR"/>', "tag 1 (id P0): 12–99 reaches beyond the text, which has 21"),
    ('<NAME id="P0" start="11" end="19" text="Jane Roe" TYPE="DOCTOR"/>', "(id P0): another text stands at 11–19"),
]  # fmt: skip


@pytest.mark.parametrize(("tag", "said"), BAD)
def test_unusable_tags_are_errors_or_remarks(tag: str, said: str, tmp_path: Path) -> None:
    good = '<NAME id="P0" start="17" end="20" text="Roe" TYPE="DOCTOR" comment=""/>'
    (tmp_path / "a.xml").write_text(xml_of(tag + good), "utf-8")
    with pytest.raises(FormatError) as caught:
        list(read(tmp_path, "i2b2-2014"))
    assert said in str(caught.value)
    assert str(caught.value).endswith("; --lenient skips such tags")
    assert "Jane" not in str(caught.value)
    how = Reading(lenient=True)
    (document,) = read(tmp_path, "i2b2-2014", how)
    assert document.spans == (Span(17, 20, "DOCTOR"),)
    assert how.remarks.counts == {"skipped: an unusable tag": 1}


def test_the_error_says_what_the_offsets_may_count(tmp_path: Path) -> None:
    tag = '<NAME id="P0" start="7" end="10" text="Roe" TYPE="DOCTOR"/>'
    (tmp_path / "a.xml").write_text(xml_of(tag, "😀 Dr. Roe"), "utf-8")
    with pytest.raises(FormatError, match="it would be right if offsets counted UTF-16 units"):
        list(read(tmp_path, "i2b2-2014"))


BAD_FILES: list[tuple[str | bytes, str]] = [
    ("<!DOCTYPE a>" + xml_of(""), "refused the document type declaration"),
    ('<!DOCTYPE a [<!ENTITY b "Roe">]><deIdi2b2><TEXT>&b;</TEXT></deIdi2b2>', "refused the document type declaration"),
    (xml_of("")[:60], "a.xml: not valid XML at line 1, column"),
    (xml_of("", root="MEDDOCAN"), "the root element is not <deIdi2b2>; this is another format than i2b2-2014"),
    ("<deIdi2b2><TAGS/></deIdi2b2>", "expected one element TEXT below <deIdi2b2>"),
    ("<deIdi2b2><TEXT>a<b/></TEXT><TAGS/></deIdi2b2>", "expected one element TEXT below <deIdi2b2>, with nothing but"),
    ("<deIdi2b2><TEXT/><TAGS/><TAGS/></deIdi2b2>", "more than one element TAGS"),
    (xml_of("", "José").encode("cp1252"), "if the file has another encoding than it declares, say so"),
    (xml_of("", "Roe " * 500), "more than the limit"),
]


@pytest.mark.parametrize(("source", "said"), BAD_FILES)
def test_bad_files(source: str | bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(source.encode() if isinstance(source, str) else source)
    with pytest.raises(FormatError) as caught:
        list(read(tmp_path, "i2b2-2014", Reading(max_bytes=1000)))
    assert said in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_an_empty_folder_and_ids_that_lead_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no file here ends in \.xml"):
        list(read(tmp_path, "i2b2-2014"))
    with pytest.raises(FormatError, match="cannot be a file name"):
        write([note("Dr. [DOCTOR Roe]", "../x")], tmp_path / "out", "i2b2-2014")


def test_what_is_not_read_is_remarked(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<deIdi2b2><TEXT>Roe</TEXT><META/></deIdi2b2>", "utf-8")
    (tmp_path / "b.xml").write_text(xml_of('<A start="0" end="1" TYPE="X"><B/></A>'), "utf-8")
    how = Reading()
    assert len(list(read(tmp_path, "i2b2-2014", how))) == 2
    assert how.remarks.counts == {
        "a note without TAGS, read as a note without spans": 1,
        "elements that are neither TEXT nor a tag below TAGS, not read": 2,
    }


TEXTS = ["\nfirst line empty", "a\r\nb\rc", "]]>", "a]]>]]>b", "<TEXT>&amp;", "\ufeff x \u2028\x85", "  ", ""]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("format", ["i2b2-2014", "meddocan-xml"])
def test_texts_survive(format: str, text: str, tmp_path: Path) -> None:
    document = Document(text, "ward/110-01", spans=(Span(0, len(text), "OTHER"),))
    write([document], tmp_path, format)
    (again,) = read(tmp_path, format)
    assert (again.id, again.text, [(s.start, s.end) for s in again.spans]) == (document.id, text, [(0, len(text))])


def test_a_file_with_crlf_reads_as_xml_says(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(xml_of('<ID start="4" end="5" text="2" TYPE="IDNUM"/>', "one\r\n2").encode())
    (document,) = read(tmp_path, "i2b2-2014")
    assert document.text == "one\n2"


def test_what_xml_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match=r"note a: the character U\+0000 at offset 4 cannot stand in XML"):
        write([Document("Roe \0", "a")], tmp_path, "i2b2-2014")
    assert not list(tmp_path.iterdir())


def test_infos_that_no_longer_hold_are_left_out_and_remarked(tmp_path: Path) -> None:
    info = {"start": "016", "end": "x", "element": "a b", "attr:1": "x", "attr:xmlns": "urn:x", "attr:TYPE": "DATE"}
    document = Document("Dr. Roe", "a", spans=(Span(4, 7, "DOCTOR", info=info),))
    remarks = write([document], tmp_path, "i2b2-2014")
    assert sorted(remarks.counts.values()) == [1, 2, 3]
    assert list(read(tmp_path, "i2b2-2014")) == [Document("Dr. Roe", "a", spans=(Span(4, 7, "DOCTOR"),))]


@pytest.mark.parametrize("format", ["i2b2-2014", "meddocan-xml"])
@given(data=st.data())
def test_infos_come_back(format: str, data: st.DataObject) -> None:
    document = data.draw(documents(FORMATS[format], "a", alphabet="aé😀<>&]\"'\r\n\t"))
    value = st.text("aé😀<>&\"'\r\n\t ", max_size=5)
    spans = []
    for span in document.spans:
        info = data.draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "element": st.sampled_from(["Anything", "X-1"]),
                    "start": st.just(f" 0{span.start} "),
                    "comment": value.filter(bool),
                    "id": st.sampled_from(["X1", "P99", "ü"]),
                    "attr:SURE": value,
                },
            )
        )
        spans.append(replace(span, label=data.draw(st.sampled_from(["DOCTOR", "X Y", "CALLE", ""])), info=info))
    document = document.with_spans(spans)
    with tempfile.TemporaryDirectory() as folder:
        assert write([document], folder, format).lines() == []
        (again,) = read(folder, format)
    assert again == document
