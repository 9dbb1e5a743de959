"""Files that are no text: told by their first bytes and their markup, and never taken for a note."""

from __future__ import annotations

import base64
import gzip
import io
import lzma
import random
import re
import sqlite3
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.document import Document
from elision.errors import FormatError, NotTextError
from elision.formats import FORMATS, Reading, guess, read
from elision.formats.catalogue import TABLES
from elision.formats.format import LEFT_OUT
from elision.formats.kinds import KINDS, kind_of_bytes, kind_of_text, reason, unread
from elision.pipeline import Deidentifier
from elision.rules import Rules

NOTE = "Patient: Jane Quillfeather, MRN: 4711-0815, was seen on 3 May 2001 for a cough.\n"
RTF = "{\\rtf1\\ansi\\deff0 Patient: Jane Quill\\'66eather}"
HTML = "<!DOCTYPE html>\n<html><head><title>x</title></head><body><p>Patient: Jane Quillfeather</p></body></html>"
CDA = '<?xml version="1.0"?>\n<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Quillfeather</title></ClinicalDocument>'
DEIDENTIFIER = Deidentifier([Rules("en")])
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\n"


def _zip(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "<w:t>Jane Quillfeather</w:t>" if name.endswith("xml") else "application/zip")
    return stream.getvalue()


def _odt() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", "Jane Quillfeather")
    return stream.getvalue()


def _tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("note.txt"))
    return stream.getvalue()


def _sqlite() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("create table note (text)")
        return connection.serialize()


def _noise(size: int) -> bytes:
    return random.Random(7).randbytes(size)


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
FILES: list[tuple[str, bytes]] = [
    ("rtf", RTF.encode()),
    ("rtf", b"\xef\xbb\xbf\r\n" + RTF.encode()),
    ("rtf", f"Report of 3 May\n{RTF}".encode()),
    ("html", HTML.encode()),
    ("html", HTML.lower().removeprefix("<!doctype html>").encode()),
    ("html", ("<p><b>Jane</b></p><br/>&nbsp;" * 8).encode()),
    ("c-cda", CDA.encode()),
    ("c-cda", CDA.partition("\n")[2].encode()),
    ("xml", b'<?xml version="1.0" encoding="UTF-8"?><note>Jane Quillfeather</note>'),
    ("xml", b'<Bundle xmlns="http://hl7.org/fhir"><id value="1"/></Bundle>'),
    ("hl7", b"MSH|^~\\&|A|B|C|D|20010503||ORU^R01|1|P|2.5\rPID|1||4711||Quillfeather^Jane\r"),
    ("fhir", b'{\n "resourceType": "Patient", "name": [{"family": "Quillfeather"}]}'),
    ("pdf", PDF),
    ("pdf", b"\n" + PDF),
    ("docx", _zip("[Content_Types].xml", "word/document.xml")),
    ("xlsx", _zip("[Content_Types].xml", "xl/workbook.xml")),
    ("odt", _odt()),
    ("zip", _zip("note.txt")),
    ("ole", OLE),
    ("doc", OLE + "WordDocument".encode("utf-16-le")),
    ("png", b"\x89PNG\r\n\x1a\n" + _noise(300)),
    ("jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF\0" + _noise(300)),
    ("tiff", b"II*\0" + _noise(300)),
    ("gif", b"GIF89a" + _noise(300)),
    ("dicom", bytes(128) + b"DICM" + b"\x02\0\0\0UL"),
    ("gzip", gzip.compress(NOTE.encode(), mtime=0)),
    ("xz", lzma.compress(NOTE.encode())),
    ("bzip2", b"BZh91AY&SY" + _noise(100)),
    ("zstd", b"\x28\xb5\x2f\xfd" + _noise(100)),
    ("7z", b"7z\xbc\xaf\x27\x1c" + _noise(100)),
    ("tar", _tar()),
    ("audio", b"RIFF\x24\0\0\0WAVEfmt " + bytes(40)),
    ("audio", b"ID3\x03\0" + bytes(40)),
    ("executable", b"\x7fELF\x02\x01\x01" + bytes(40)),
    ("executable", b"MZ\x90\0\x03\0" + bytes(60)),
    ("sqlite", _sqlite()),
    ("parquet", b"PAR1\x15\x04" + _noise(100)),
    ("utf-16", NOTE.encode("utf-16")),
    ("utf-16-le", NOTE.encode("utf-16-le")),
    ("utf-16-be", NOTE.encode("utf-16-be")),
    ("utf-32", NOTE.encode("utf-32")),
    ("base64", b"Scan: " + base64.b64encode(PDF * 3)),
    ("base64", base64.encodebytes(_zip("word/document.xml"))),
    ("base64", b"data:text/plain;base64," + base64.b64encode(NOTE.encode())),
    ("base64", base64.encodebytes(NOTE.encode() * 3)),
    ("mime", b"From: a@example.org\nContent-Transfer-Encoding: base64\n\nUGF0aWVudDogSmFuZQ==\n"),
    ("mime", b"Content-Type: text/html\r\ncontent-transfer-encoding: quoted-printable\r\n\r\nJ=C3=A1ne\r\n"),
    ("pdf", b"junk of a printer\n" + PDF),
    ("c-cda", b"<ClinicalDocument><recordTarget>Jane Quillfeather</recordTarget></ClinicalDocument>"),
    ("binary", _noise(2000)),
    ("binary", _noise(120)),
    ("binary", b"Jane" + b"\0" * 40),
]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "cp1252"])
@pytest.mark.parametrize(("name", "data"), FILES)
def test_no_encoding_makes_a_file_readable_that_is_no_text(
    name: str, data: bytes, encoding: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(FormatError) as caught:
        list(read(tmp_path, "text", Reading(encoding=encoding)))
    assert str(caught.value).startswith(f"{tmp_path / 'a.txt'}: is {KINDS[name].what}")
    assert KINDS[name].todo in str(caught.value)
    assert "cp1252" not in str(caught.value)
    assert "Quill" not in str(caught.value)


@pytest.mark.parametrize(("name", "data"), [row for row in FILES if not row[0].startswith("utf")])
def test_as_text_they_are_held_too(name: str, data: bytes) -> None:
    """A cell of a table, or a text in Python, that somebody has read as Latin-1."""
    document = Document(data.decode("latin-1"), "1", language="en")
    (cleaned,) = DEIDENTIFIER([document])
    assert cleaned.document is None
    assert cleaned.receipt.why in (f"not-text: {name}", "not-text: binary")


@pytest.mark.parametrize("format", ["text", "brat"])
def test_the_commands_leave_them_out_of_a_folder_and_say_so(format: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, data in (("a.txt", NOTE.encode()), ("b.txt", PDF), ("c.txt", NOTE.encode())):
        (tmp_path / "in" / name).write_bytes(data)
    how = Reading(leave_out=True)
    assert [document.id for document in read(tmp_path / "in", format, how)] == ["a", "c"]
    assert how.remarks.counts[LEFT_OUT] == 1
    assert how.remarks.first[LEFT_OUT] == "b.txt"
    arguments = ["convert", str(tmp_path / "in"), str(tmp_path / "out.jsonl"), "--format", format]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 1
    assert f"{LEFT_OUT}: 1 (first in b.txt)" in done.output
    assert [document.id for document in read(tmp_path / "out.jsonl")] == ["a", "c"]
    with pytest.raises(NotTextError):  # one file is all that was asked for
        list(read(tmp_path / "in" / "b.txt", "text", how))


def test_what_says_its_encoding_is_read(tmp_path: Path) -> None:
    for encoding in ("utf-16", "utf-16-le", "UTF_16_BE", "utf16", "utf-32"):
        (tmp_path / "a.txt").write_bytes(NOTE.encode(encoding))
        assert [d.text for d in read(tmp_path, "text", Reading(encoding=encoding))] == [NOTE]


ORDINARY = [
    "", NOTE, "K < 3.5 > 2, a<b, H&P, R&D, << <5 mg >", "<ADMISSION NOTE>\nJane was seen.", "<<", "{rtf", "a PDF: %PDF",
    "BM 3x/day, MZ twins, II* reflex", "PK studies", "MSH was seen", "ID3 visit", "Ja<b>ne</b> &amp; co",
    "\x1b[1mNote\x1b[0m", "\x0cPage 2\x0c", "nul \0 here", "señor “José” – 3 µg", "病历：张伟，女，45岁",
    "ACGTTGCA" * 40, "Content-Transfer-Encoding: base64 is a line of e-mails"[9:], "a\0b\0c\x01 d\x02" * 3 + NOTE,
    "GIF89 is no beginning of ours", "<b>Plan</b>: rest, <i>fluids</i>, and paracetamol for the next five days. " * 3,
]  # fmt: skip


@pytest.mark.parametrize("text", ORDINARY)
def test_notes_are_notes(text: str) -> None:
    assert kind_of_text(text) is None
    assert kind_of_bytes(text.encode()) is None


def test_the_advice_names_formats_that_there_are() -> None:
    named = [name for kind in KINDS.values() for name in re.findall(r"--format (\S+)", kind.todo)]
    assert named
    assert set(named) <= {*FORMATS, *TABLES}


def test_a_stand_in_for_a_file_tells_its_kind() -> None:
    for kind in KINDS.values():
        assert reason(unread(kind)) == f"not-text: {kind.name}"


@pytest.mark.parametrize(("name", "data"), [("rtf", RTF.encode()), ("pdf", PDF), ("c-cda", CDA.encode())])
def test_guessing_tells_what_a_file_is(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / "letter.bin").write_bytes(data)
    for path in (tmp_path / "letter.bin", tmp_path):
        with pytest.raises(FormatError) as caught:
            guess(path)
        assert f"is {KINDS[name].what}; {KINDS[name].todo}" in str(caught.value)


@pytest.mark.parametrize("piece", ["<", "<a", "<!--", "&", "&a", "<a b='", "\0", "/9j/4", "JVBERi0", "{", "<a xmlns"])
def test_hostile_texts_take_no_time(piece: str) -> None:
    text = piece * (500_000 // len(piece))
    began = time.perf_counter()
    reason(text)
    assert time.perf_counter() - began < 1
