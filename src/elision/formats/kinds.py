"""What a file is that is no plain text: told by its first bytes and its markup, never by its name.

A Word file, a PDF or a picture holds a note in a form in which no detector can see it, so it is refused, or its row is
held, and what it is and what to do about it is told. No encoding makes such a file readable.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from elision.errors import NotTextError

NOT_TEXT = "not-text"
HEAD = 65_536  # bytes that tell what a file is
_LEAST, _SHARE = 16, 100  # control characters that no text has, from which on; one in so many is too many
_SEVERAL, _SHARE_OF_SEVERAL = 4, 20  # the same, of different ones
_TEXT_FIRST = "convert it to plain text first, with a program that you trust: {}"


class Kind(NamedTuple):
    """What a file or a text is, and what to do with it."""

    name: str  # as a held note's reason has it
    what: str
    todo: str


def _kinds() -> dict[str, Kind]:
    office = _TEXT_FIRST.format("soffice --headless --convert-to txt:Text FILE")
    picture = "elision does not look at pictures: recognise its text first, or leave it out"
    unpack = "unpack it first, and give the folder with its notes"
    other = "leave it out, or take the text of the note out of it first"
    rows = [
        ("rtf", "an RTF document", office),
        ("pdf", "a PDF document", _TEXT_FIRST.format("pdftotext FILE FILE.txt")),
        ("postscript", "a PostScript document", _TEXT_FIRST.format("ps2ascii FILE FILE.txt")),
        ("docx", "a Word document (DOCX)", office),
        ("doc", "a Word document (DOC)", office),
        ("odt", "an OpenDocument text", office),
        ("xlsx", "an Excel workbook (XLSX)", "save its sheet as CSV, and give that to elision run"),
        ("ods", "an OpenDocument sheet", "save it as CSV, and give that to elision run"),
        ("pptx", "a PowerPoint document", office),
        ("epub", "an EPUB book", _TEXT_FIRST.format("pandoc -t plain FILE -o FILE.txt")),
        ("ole", "an Office or Outlook file of the older kind", office),
        ("html", "an HTML page", _TEXT_FIRST.format("pandoc -f html -t plain FILE -o FILE.txt")),
        ("c-cda", "a clinical document in XML (CDA)", "take the narrative of its sections out as plain text first"),
        ("xml", "XML", "take the notes out as plain text first; the formats that elision reads: elision formats"),
        ("hl7", "an HL7 message", "elision run IN --format hl7v2 --out OUT takes its notes out and cleans them"),
        ("fhir", "a FHIR resource", "elision run IN --format fhir --out OUT takes its notes out and cleans them"),
        ("png", "a picture (PNG)", picture),
        ("jpeg", "a picture (JPEG)", picture),
        ("tiff", "a picture (TIFF)", picture),
        ("gif", "a picture (GIF)", picture),
        ("bmp", "a picture (BMP)", picture),
        ("picture", "a picture", picture),
        ("dicom", "a DICOM file", "elision cleans neither its picture nor its header: use a program for DICOM"),
        ("audio", "a recording", "write down what is said first, or leave it out"),
        ("video", "a film or a recording", "leave it out"),
        *((name, f"an archive ({name})", unpack) for name in ("zip", "tar", "7z", "rar")),
        *((name, f"a compressed file ({name})", unpack) for name in ("gzip", "bzip2", "xz", "zstd", "lz4")),
        ("executable", "a program", "leave it out"),
        ("sqlite", "an SQLite database", "elision run 'sqlite:///FILE?table=NAME' --out OUT cleans a table of it"),
        ("parquet", "a Parquet table", "elision run FILE --format parquet --text COLUMN --out OUT cleans it"),
        ("arrow", "an Arrow file", "write it as Parquet, and give that to elision run"),
        ("utf-16", "text in UTF-16", "say --encoding utf-16, or convert it to UTF-8 first"),
        ("utf-16-le", "text in UTF-16 without a mark", "say --encoding utf-16-le, or convert it to UTF-8 first"),
        ("utf-16-be", "text in UTF-16 without a mark", "say --encoding utf-16-be, or convert it to UTF-8 first"),
        ("utf-32", "text in UTF-32", "say --encoding utf-32, or convert it to UTF-8 first"),
        ("mime", "an e-mail or web archive with encoded parts (MIME)", "save its text as plain text first"),
        ("base64", "a file written in base64", "decode it, and convert what is in it to plain text first"),
        (
            "attachment",
            "a note that stands elsewhere or in another form than text (a link, a PDF)",
            "put its text into the message or the resource first",
        ),
        (
            "fhir-modifier",
            "a FHIR resource with modifierExtension or implicitRules, which may turn its sense",
            "see what they say, and take them out if they may go",
        ),
        ("binary", "data with control characters that no text has", other),
    ]
    return {name: Kind(name, what, todo) for name, what, todo in rows}


KINDS = _kinds()

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", "rtf"), (b"%PDF-", "pdf"), (b"%!PS", "postscript"), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (b"\x89PNG\r\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"II*\0", "tiff"), (b"MM\0*", "tiff"), (b"II+\0", "tiff"),
    (b"GIF87a", "gif"), (b"GIF89a", "gif"), (b"\0\0\0\x0cjP  ", "picture"), (b"8BPS\0", "picture"),
    (b"\x1f\x8b\x08", "gzip"), (b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"\x04\x22\x4d\x18", "lz4"),
    (b"7z\xbc\xaf\x27\x1c", "7z"), (b"Rar!\x1a\x07", "rar"), (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"),
    (b"ID3\x02", "audio"), (b"ID3\x03", "audio"), (b"ID3\x04", "audio"), (b"OggS\0", "audio"), (b"fLaC\0", "audio"),
    (b"#!AMR", "audio"), (b"\xff\xfb", "audio"), (b"\xff\xf3", "audio"), (b"\x1aE\xdf\xa3", "video"),
    (b"\x7fELF", "executable"), (b"\xfe\xed\xfa\xce", "executable"), (b"\xfe\xed\xfa\xcf", "executable"),
    (b"\xce\xfa\xed\xfe", "executable"), (b"\xcf\xfa\xed\xfe", "executable"), (b"\xca\xfe\xba\xbe", "executable"),
    (b"\0asm", "executable"), (b"SQLite format 3\0", "sqlite"), (b"PAR1", "parquet"), (b"ARROW1\0", "arrow"),
    (b"\x89HDF\r\n", "binary"), (b"\x93NUMPY", "binary"),
    (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
)  # fmt: skip
_RIFF = {b"WEBP": "picture", b"WAVE": "audio", b"AVI ": "video"}
_FORM = {b"AIFF": "audio", b"AIFC": "audio"}
_BRANDS = {b"heic": "picture", b"heix": "picture", b"mif1": "picture", b"avif": "picture", b"M4A ": "audio"}
_ZIPPED = (
    (b"word/", "docx"), (b"xl/", "xlsx"), (b"ppt/", "pptx"), (b"application/epub+zip", "epub"),
    (b"application/vnd.oasis.opendocument.text", "odt"), (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
)  # fmt: skip
_OLE = (("WordDocument", "doc"),)
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\x0b\f\r\x1b"))


def kind_of_bytes(data: bytes, encoding: str = "utf-8") -> Kind | None:
    """What these bytes are that is no text in this encoding, or None. The head of a file is enough."""
    wide = encoding.lower().replace("_", "-").replace("utf1", "utf-1").replace("utf3", "utf-3")
    name = _by_magic(data) or _by_shape(data)
    if name.startswith("utf-") and wide.startswith(name[:6]):
        name = ""
    if not name and not wide.startswith(("utf-16", "utf-32")) and _controlled(data):
        name = "binary"
    return KINDS[name] if name else None


def _controlled(data: bytes) -> bool:
    """Whether so many control characters stand here as in no text."""
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls >= _LEAST and controls * _SHARE > len(data):
        return True
    several = controls >= _SEVERAL and len({*data}.intersection(_CONTROLS)) >= _SEVERAL
    return several and controls * _SHARE_OF_SEVERAL > len(data)


def _by_magic(data: bytes) -> str:
    head = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    for magic, name in _MAGIC:
        if data.startswith(magic) or (magic[:1] in b"{%" and head.startswith(magic)):
            if name == "zip":
                return next((kind for inside, kind in _ZIPPED if inside in data[:HEAD]), name)
            if name == "ole":
                return next((kind for inside, kind in _OLE if inside.encode("utf-16-le") in data), name)
            return name
    return ""


def _by_shape(data: bytes) -> str:
    """What has its mark behind its beginning, or none."""
    if data[:4] in (b"RIFF", b"FORM"):
        return {**_RIFF, **_FORM}.get(data[8:12], "")
    if data[4:8] == b"ftyp":
        return _BRANDS.get(data[8:12], "video")
    if b"\n%PDF-1." in data[:1024] or b"\r%PDF-1." in data[:1024]:
        return "pdf"
    if data[128:132] == b"DICM":
        return "dicom"
    if data[257:262] == b"ustar":
        return "tar"
    if data[:3] == b"BZh" and data[4:10] == b"1AY&SY":
        return "bzip2"
    if data[:2] in (b"MZ", b"BM") and b"\0" in data[:64]:
        return "executable" if data[:2] == b"MZ" else "bmp"
    head = data[:4096]
    if head.count(0) >= 8:
        even, odd, half = head[::2].count(0), head[1::2].count(0), len(head) // 2
        if 10 * odd >= 4 * half and 20 * even <= half:
            return "utf-16-le"
        if 10 * even >= 4 * half and 20 * odd <= half:
            return "utf-16-be"
    return ""


# -- texts

_HIGH_CONTROL = re.compile(rb"\xc2[\x80-\x84\x86-\x9f]")  # those of Latin-1, in UTF-8; 85 is a line's end
_WITHIN = ("{\\rtf1", "\n%PDF-1.")
_ENCODED = (
    "JVBERi0", "e1xydGYx", "UEsDB", "0M8R4KGx", "iVBORw0KGgo", "/9j/4", "R0lGOD", "SUkqA", "TU0AK", "H4sIA", ";base64,",
)  # fmt: skip
_BASE64 = re.compile(rf"(?<![A-Za-z0-9+/=_-])(?:{'|'.join(_ENCODED)})[A-Za-z0-9+/\r\n]{{40}}")
_ALL_BASE64 = re.compile(  # with letters of either size and digits, or it is a sequence of genes
    r"\s*(?=[^a-z]{0,200}[a-z])(?=[^A-Z]{0,200}[A-Z])(?=[^0-9]{0,200}[0-9])[A-Za-z0-9+/_-]{60,}(?:\r?\n[A-Za-z0-9+/_-]+)*={0,2}\s*"
)
_MIME_MARKS = ("ransfer-Encoding", "ransfer-encoding", "TRANSFER-ENCODING")
_MIME = re.compile(r"^content-transfer-encoding\s*:\s*(?:base64|quoted-printable)", re.IGNORECASE | re.MULTILINE)
_DATA = re.compile(r";base64,[A-Za-z0-9+/\r\n]{40}")
_PAGE = re.compile(r"<(?:!doctype\s+html|(?:html|head|body)[\s>]|!--[^>]{0,300}-->\s*<html[\s>])", re.IGNORECASE)
_CDA = re.compile(r"<(?:\w{1,20}:)?ClinicalDocument[\s>]")
_XML = re.compile(
    r"<\?xml[\s?]|<!DOCTYPE\s|<[a-z_][\w:.-]{0,60}\s[^<>]{0,600}?\bxmlns(?::\w{1,20})?\s*=", re.IGNORECASE
)
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,300}>|<!--[^<>]{0,300}-->|&#?[A-Za-z0-9]{2,8};")
_HL7 = re.compile(r"(?:MSH|FHS|BHS)\|\^~\\&")
_FHIR = re.compile(r'\{\s*"resourceType"\s*:')
_UNREAD = re.compile(r"\0\0not-text: ([a-z0-9-]{1,20}); so this note is held\0\Z")
_TAGS = 10  # of which a page of markup has at least so many


def unread(kind: Kind) -> str:
    """What stands for a file that is no text where a text is expected, so that its row is held with the reason."""
    return f"\0\0{NOT_TEXT}: {kind.name}; so this note is held\0"


def kind_of_text(text: str) -> Kind | None:
    """What a text is that is no plain text, or None."""
    name = _by_beginning(text) or _by_contents(text)
    return KINDS[name] if name else None


def reason(text: str) -> str:
    """Why a note is held that is no plain text; "" if it is one."""
    kind = kind_of_text(text)
    return f"{NOT_TEXT}: {kind.name}" if kind else ""


def _by_beginning(text: str) -> str:
    if text.startswith("\0\0") and (told := _UNREAD.match(text)) and told[1] in KINDS:
        return told[1]
    head = text[:4096].lstrip("\ufeff \t\r\n\x0b\x0c")
    if head.startswith("<"):
        if _PAGE.match(head):
            return "html"
        if _CDA.match(head) or (_CDA.search(head) and _XML.match(head)):
            return "c-cda"
        if _XML.match(head):
            return "html" if "<html" in head.lower() else "xml"
    if _HL7.match(head):
        return "hl7"
    if _FHIR.match(head):
        return "fhir"
    name = _by_magic(head.encode("latin-1", "replace"))
    return "" if name.startswith("utf-") else name


def _by_contents(text: str) -> str:
    if any(mark in text for mark in _WITHIN):
        return "rtf" if _WITHIN[0] in text else "pdf"
    if any(mark in text for mark in _ENCODED) and (_BASE64.search(text) or _DATA.search(text)):
        return "base64"
    if _ALL_BASE64.fullmatch(text):
        return "base64"
    if any(mark in text for mark in _MIME_MARKS) and _MIME.search(text):
        return "mime"
    data = text.encode("utf-8", "replace")
    if _controlled(data):
        return "binary"
    if b"\xc2" in data:  # letters of another encoding, read as Latin-1
        high = len(_HIGH_CONTROL.findall(data))
        if high >= _LEAST and high * 20 > len(text):
            return "binary"
    if "<" in text and text.count(">") >= _TAGS:
        marks = [match.end() - match.start() for match in _MARKUP.finditer(text)]
        if len(marks) >= _TAGS and 2 * sum(marks) > len(text):
            return "html"
    return ""


# -- refusals


def refused(where: object, kind: Kind) -> NotTextError:
    """The error for a file that is no text: where, what it is, what to do."""
    plain = "" if kind.name.startswith("utf-") else ", not plain text"
    return NotTextError(f"{where}: is {kind.what}{plain}; {kind.todo}")


def refuse_bytes(where: object, data: bytes, encoding: str) -> None:
    """An error if these bytes, or the file of which they are the head, are no text."""
    if kind := kind_of_bytes(data, encoding):
        raise refused(where, kind)


def refuse_text(where: object, text: str) -> None:
    """An error if a note's text is no plain text."""
    if kind := kind_of_text(text):
        raise refused(where, kind)
