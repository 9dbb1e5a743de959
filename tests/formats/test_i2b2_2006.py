"""i2b2 2006: the golden sample, the frame of a text, repairs of what is not XML."""

from __future__ import annotations

import json
import re
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import Reading, Remarks, guess, read, write, xml
from elision.formats.i2b2_2006 import frame, mend
from tests.notes import GOLDEN, note

SAMPLE = GOLDEN / "formats" / "i2b2_2006.xml"
CANONICAL = json.loads((GOLDEN / "formats" / "canonical.json").read_text("utf-8"))
FRAME = "<ROOT><RECORD ID='1'><TEXT>\n{}[ report_end ]\n</TEXT></RECORD></ROOT>"


def parsed(content: str, tmp_path: Path, lenient: bool = False) -> tuple[Document, Remarks]:
    """The one record whose text is `content`, in the usual frame."""
    (tmp_path / "x.xml").write_bytes(FRAME.format(content).encode())
    how = Reading(lenient=lenient)
    (document,) = read(tmp_path / "x.xml", "i2b2-2006", how)
    return document, how.remarks


def test_the_golden_sample(tmp_path: Path) -> None:
    assert guess(SAMPLE)[0].name == "i2b2-2006"
    how = Reading()
    (document,) = read(SAMPLE, how=how)
    assert how.remarks.lines() == []
    labels = {"MEDICALRECORD": "ID", "CITY": "LOCATION"}  # the set of 2006 knows no finer ones
    spans = tuple(Span(s["start"], s["end"], labels.get(s["label"], s["label"])) for s in CANONICAL["spans"])
    assert document == Document(CANONICAL["text"], "1", spans=spans)
    write([document], tmp_path / "x.xml", "i2b2-2006")
    assert (tmp_path / "x.xml").read_bytes() == SAMPLE.read_bytes()


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("\nSeen .\n[ report_end ]\n", ("\n", "Seen .\n", "[ report_end ]\n")),
        ("\nSeen .\n", ("\n", "Seen .\n", "")),
        ("Seen .", ("", "Seen .", "")),
        ("Seen [ report_end ]", ("", "Seen ", "[ report_end ]")),
        ("\n\n[ report_end ]\n[ report_end ]\n \n", ("\n", "\n[ report_end ]\n", "[ report_end ]\n \n")),
        ("\n[ report_end ] or not", ("\n", "[ report_end ] or not", "")),
        ("\n[ report_end ]\n", ("\n", "", "[ report_end ]\n")),
        ("", ("", "", "")),
        ("\n", ("\n", "", "")),
    ],
)
def test_the_frame_is_no_part_of_the_note_and_comes_back(
    content: str, parts: tuple[str, str, str], tmp_path: Path
) -> None:
    assert frame(content) == parts
    file = tmp_path / "x.xml"
    file.write_text(f"<ROOT><RECORD ID='1'><TEXT>{content}</TEXT></RECORD></ROOT>", "utf-8")
    (document,) = read(file, "i2b2-2006")
    usual = {"opening": "\n", "ending": "[ report_end ]\n"}
    expected = {key: value for key, value in zip(usual, (parts[0], parts[2]), strict=True) if value != usual[key]}
    assert (document.text, dict(document.info)) == (parts[1], expected)
    write([document], tmp_path / "y.xml", "i2b2-2006")
    assert f"<TEXT>{content}</TEXT>" in (tmp_path / "y.xml").read_text("utf-8")


def test_a_span_in_the_frame_keeps_it_in_the_note(tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_text("<ROOT><RECORD ID='1'><TEXT><PHI TYPE='ID'>\n7</PHI> of</TEXT></RECORD></ROOT>", "utf-8")
    (document,) = read(file, "i2b2-2006")
    assert document == Document("\n7 of", "1", spans=(Span(0, 2, "ID"),), info={"opening": "", "ending": ""})


REPAIRS: list[tuple[str, str, list[tuple[str, str]], str]] = [  # in TEXT, the note, its spans, what is remarked
    (
        '<PHI TYPE="DATE">25th of May<PHI TYPE="DOCTOR"> , seen by Dr. <PHI TYPE="DOCTOR">Roe</PHI> .\n',
        "25th of May , seen by Dr. Roe .\n",
        [("DATE", "25th of May"), ("DOCTOR", "Roe")],
        "a PHI that was not closed, closed where the next one opens",
    ),
    (
        'On <PHI TYPE="DATE">3 May <PHI TYPE="DOCTOR">Roe</PHI> .',
        "On 3 May Roe .",
        [("DATE", "3 May "), ("DOCTOR", "Roe")],
        "a PHI that was not closed, closed where the next one opens",
    ),
    (
        'On <PHI TYPE="DATE">3 May<PHI TYPE="DATE"> .',
        "On 3 May .",
        [("DATE", "3 May")],
        "a PHI that was not closed, closed where the next one opens",
    ),
    ('On <PHI TYPE="DATE">3 May', "On 3 May", [("DATE", "3 May")],
     "a PHI that was not closed, closed at the end of its text"),
    ('On <PHI TYPE="DATE">3 May</PHI></PHI> .', "On 3 May .", [("DATE", "3 May")], "a closing tag that closes nothing"),
    ("BP < 120 & > 80", "BP < 120 & > 80", [], "a character that looks like markup (<, &, ]]>)"),
    ("<b>Seen</b> &nbsp; ]]> &lt; &#8364;", "<b>Seen</b> &nbsp; ]]> < €", [],
     "a character that looks like markup (<, &, ]]>)"),
    ("<?a?> <!-- b --> <PHI b>", "<?a?> <!-- b --> <PHI b>", [], "a character that looks like markup (<, &, ]]>)"),
    ("<![CDATA[ a", "<![CDATA[ a", [], "a character that looks like markup (<, &, ]]>)"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "text", "spans", "remark"), REPAIRS)
def test_repairs(content: str, text: str, spans: list[tuple[str, str]], remark: str, tmp_path: Path) -> None:
    document, remarks = parsed(content, tmp_path, lenient=True)
    assert document.text.removeprefix("\n") == text
    assert [(s.label, document.text_of(s)) for s in document.spans] == spans
    assert f"repaired: {remark}" in remarks.counts
    assert remarks.first[f"repaired: {remark}"].startswith(f"{tmp_path / 'x.xml'}:")
    assert remarks.first[f"repaired: {remark}"].endswith(", record 1")


def test_repairs_are_counted_with_the_line_and_the_record() -> None:
    source = (
        "<ROOT>\n<RECORD ID='17'>\n<TEXT>\nwell\n</TEXT>\n</TEXT>\n</RECORD>\n"
        "<RECORD ID='18'>\n<TEXT>\na & b\n& c</TEXT>\n</RECORD></ROOT>"
    )
    root = xml.parse(mend(source, "x.xml", remarks := Remarks()), "x.xml")
    assert [text.text for text in root.iter("TEXT")] == ["\nwell\n", "\na & b\n& c"]
    assert remarks.lines() == [
        "repaired: a doubled closing tag: 1 (first in x.xml:5)",
        "repaired: a character that looks like markup (<, &, ]]>): 2 (first in x.xml:10, record 18)",
    ]


def test_what_is_well_formed_is_left_alone() -> None:
    for source in (
        SAMPLE.read_text("utf-8"),
        FRAME.format('<![CDATA[a < b & c</PHI>]]> <PHI  TYPE = "ID"\n>x</PHI ><PHI TYPE="ID"/>&amp;&#13;'),
        FRAME.format('<PHI TYPE="A"/><PHI TYPE="B">x</PHI>'),
        "<ROOT/>",
    ):
        assert mend(source, "x.xml", remarks := Remarks()) == source
        assert not remarks.counts


pieces = st.lists(
    st.one_of(
        st.sampled_from(['<PHI TYPE="DATE">', '<PHI TYPE="ID">', "</PHI>", "</PHI>", "<", "&", "\n", "]]>", "<TEXT>"]),
        st.text("aé😀 >/P", max_size=4),
    ),
    max_size=12,
)  # fmt: skip


@given(pieces)
def test_whatever_is_mended_parses_and_has_all_its_text(parts: list[str]) -> None:
    content = "".join(parts)
    mended = mend(FRAME.format(content), "x.xml", remarks := Remarks())
    text = xml.parse(mended, "x.xml").find("RECORD/TEXT")
    assert text is not None
    assert all(phi.tag == "PHI" and len(phi) == 0 for phi in text)
    without = re.sub(r"</PHI\s*>|<PHI TYPE=\"\w+\"\s*/?>", "", content)
    assert "".join(text.itertext()) == f"\n{without}[ report_end ]\n"
    assert mend(mended, "x.xml", again := Remarks()) == mended
    assert not again.counts
    if mended == FRAME.format(content):
        assert not remarks.counts


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["&", "<![CDATA[", '<PHI TYPE="ID">', "</PHI>", "<PHI", "<TEXT ", "</TEXT ", "<PHI \n"]
)
def test_repairing_takes_linear_time(part: str) -> None:
    begin = time.process_time()
    mend(FRAME.format(part * 100_000), "x.xml", Remarks())
    assert time.process_time() - begin < 5  # half a second is usual; were it quadratic, it would be minutes


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("<!DOCTYPE ROOT [<!ENTITY a 'Roe'>]><ROOT><RECORD ID='1'><TEXT>&a;</TEXT></RECORD></ROOT>", "refused the"),
        ("<ROOT><RECORD ID='1'><TEXT>\nRoe", "not valid XML at line 2, column 4: no element found"),
        ("<ROOT><RECORD ID='1'><TEXT>Roe</TEXT>", "no element found"),
        ("<deIdi2b2/>", "the root element is not <ROOT>; this is another format than i2b2-2006"),
        ("<ROOT><RECORD ID='1'/></ROOT>", "x.xml: record 1 (ID 1): expected one element TEXT"),
        (FRAME.format("<PHI KIND='A'>Roe</PHI>"), "record 1 (ID 1): PHI 1 has no TYPE; --lenient skips such spans"),
        (FRAME.format("Roe \1"), "not well-formed"),
        (FRAME.format("Roe " * 1000), "for a file of many records, which is 4 times that for one note; raise it"),
        (FRAME.format("José Roe").encode("cp1252"), "is not utf-8; if the file has another encoding, say so"),
    ],
)  # fmt: skip
def test_bad_files(source: str | bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_bytes(source.encode() if isinstance(source, str) else source)
    with pytest.raises(FormatError) as caught:
        list(read(file, "i2b2-2006", Reading(max_bytes=500)))
    assert said in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_one_file_may_be_four_times_the_limit_of_a_note(tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_text(FRAME.format("a" * 1500), "utf-8")
    assert len(list(read(file, "i2b2-2006", Reading(max_bytes=500)))) == 1


def test_lenient_reading_skips_spans_without_a_type(tmp_path: Path) -> None:
    document, remarks = parsed('<PHI>Dr. <PHI KIND="A">Jane</PHI> <PHI TYPE="DOCTOR">Roe</PHI>', tmp_path, lenient=True)
    assert [(s.label, document.text_of(s)) for s in document.spans] == [("DOCTOR", "Roe")]
    assert remarks.counts["skipped: a PHI without TYPE"] >= 1


def test_what_a_record_lacks_or_has_besides(tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_text(
        '<ROOT><NOTE/><RECORD WARD="3"><TEXT>\na</TEXT></RECORD>'
        '<RECORD ID="b"><TEXT>\n<PHI TYPE="ID" SURE="no">7</PHI></TEXT><X/></RECORD></ROOT>',
        "utf-8",
    )
    how = Reading()
    one, two = read(file, "i2b2-2006", how)
    assert (one.id, one.text, dict(one.info)) == ("2", "a", {"attr:WARD": "3", "ending": ""})
    assert two.spans == (Span(0, 1, "ID", info={"attr:SURE": "no"}),)
    assert sum(how.remarks.counts.values()) == 3
    assert write([one, two], tmp_path / "y.xml", "i2b2-2006").lines() == []
    assert list(read(tmp_path / "y.xml", "i2b2-2006")) == [one, two]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "cp1252"])
def test_the_encoding_is_the_declared_one(encoding: str, tmp_path: Path) -> None:
    declared = encoding.removesuffix("-sig")
    file = tmp_path / "x.xml"
    source = f'<?xml version="1.0" encoding="{declared}"?>\n{FRAME.format("José & Roe")}'
    file.write_bytes(source.encode(encoding))
    assert [d.text for d in read(file, "i2b2-2006")] == ["José & Roe"]


def test_overlaps_and_what_xml_cannot_hold_are_refused(tmp_path: Path) -> None:
    spans = (Span(0, 5, "A"), Span(3, 7, "B"))
    with pytest.raises(CannotHoldError, match=r"spans 0–5 and 3–7 overlap, .* merge\(\) them first"):
        write([Document("Dr. Roe", "a", spans=spans)], tmp_path / "x.xml", "i2b2-2006")
    with pytest.raises(CannotHoldError, match=r"note a: the character U\+0000 at offset 5 cannot stand in XML"):
        write([Document("Roe, \0", "a", spans=(Span(0, 3, "A"),))], tmp_path / "x.xml", "i2b2-2006")
    assert not list(tmp_path.iterdir())


def test_a_frame_that_could_not_be_told_from_the_text_is_the_usual_one(tmp_path: Path) -> None:
    document = Document("\nRoe [ report_end ]", "a", info={"opening": "", "ending": ""})
    remarks = write([document], tmp_path / "x.xml", "i2b2-2006")
    assert list(remarks.counts.values()) == [1]
    assert [d.text for d in read(tmp_path / "x.xml", "i2b2-2006")] == [document.text]


def test_many_records_in_one_file(tmp_path: Path) -> None:
    documents = [note(f"Dr. [DOCTOR Roe {n}] & <[ID {n}]>\r\n", str(n)) for n in range(50)]
    write(documents, tmp_path / "x.xml", "i2b2-2006")
    assert list(read(tmp_path / "x.xml", "i2b2-2006")) == documents


@given(
    st.text("a\n[]\r &<", max_size=8), st.sampled_from(["", "[ report_end ]", "\n[ report_end ]\n", "[ report_end ]x"])
)
def test_any_text_comes_back_from_its_frame(text: str, end: str) -> None:
    document = Document(text + end, "a", spans=tuple([Span(0, len(text), "ID")] if text else []))
    with tempfile.TemporaryDirectory() as folder:
        write([document], Path(folder) / "x.xml", "i2b2-2006")
        assert list(read(Path(folder) / "x.xml", "i2b2-2006")) == [document]
