"""HL7 v2 messages (ER7): the notes in OBX-5 and NTE-3, and the way back into their fields.

A report often spreads over many OBX segments, a line or a paragraph each, and a name may run from one into the next. So
elision joins the text fields of a message by line breaks to one text. Its `joints` say where each field begins; it is
written back piece by piece. The message itself is kept in `info["container:hl7"]`. All of it is written byte for byte
as it was, but for the text fields that changed.

`elision convert` leaves PID, PV1, NK1 and whatever else names people outside the text fields: it brings the text of
notes back, and does not de-identify segments. `elision run` does: it writes each message again, with what a table names
and nothing else (see [running over many notes](run.md#fhir-and-hl7)). The format holds no spans: HL7 v2 has no place
for offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from elision.document import Document
from elision.errors import CannotHoldError, FormatError
from elision.formats import hl7_records
from elision.formats.atomic import writing
from elision.formats.files import files_below, id_of
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.hl7_message import DEFAULT, START, Message, charset, decoded, escape, messages, unescape
from elision.formats.hl7_patient import ids, known
from elision.formats.records import joined

PLAIN = r"MSH|^~\&|elision"  # how the messages begin that we make ourselves
CODE = "34109-9^Note^LN"  # LOINC's code for a note of any kind


def read(path: Path, how: Reading) -> Iterator[Document]:
    """The messages of a file, or of the `.hl7` and `.er7` files in a folder, one note for each."""
    for file in files_below(path, ".hl7", ".er7"):
        try:
            with file.open("rb") as stream:
                for number, data in enumerate(messages(stream, how.max_bytes, str(file)), 1):
                    yield _document(data, f"{file}: message {number:,}", f"{id_of(file, path)}/{number}", how)
        except OSError as error:
            raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def _document(data: bytes, where: str, fallback: str, how: Reading) -> Document:
    raw, encoding, told = decoded(data, where, how)
    message = Message(raw, where)
    for kind, count in message.passed.items():
        how.remarks.add(f"OBX of type {kind} is not read as text", where, count)
    text, joints = joined(_pieces_in(message, encoding))
    if any("\n" in raw_text or "\r" in raw_text for raw_text in message.texts):
        how.remarks.add("line breaks inside a field, which HL7 does not allow, are read as text", where)
    id, patient = ids(message)
    document = Document(text, id, patient, joints=joints)
    if id and not told and raw.startswith(PLAIN) and raw == _plain(document):
        return document  # the message says nothing that the document does not
    info = {"container:hl7": raw, **({"container:hl7-encoding": encoding} if told else {})}
    return replace(document, id=id or fallback, known=known(message), info=info)


def _pieces_in(message: Message, encoding: str) -> list[str]:
    return [unescape(raw, message.marks, encoding) for raw in message.texts]


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    """Write all messages into one file; a note that came from elsewhere becomes a short ORU^R01 message."""
    broken = True  # whether the last message ended with a line break, without which the next would not begin
    with writing(path) as stream:
        for document in documents:
            data = (
                _filled(document, remarks) if "container:hl7" in document.info else _plain(document, remarks).encode()
            )
            stream.write(data if broken else b"\r" + data)
            broken = data.endswith((b"\r", b"\n", b"\x1c"))


def _filled(document: Document, remarks: Remarks) -> bytes:
    """The message that the document came from, with its text fields as the document's text has them now."""
    raw, where = document.info["container:hl7"], document.name
    if not START.match(raw.encode()):
        raise CannotHoldError(f"{where}: its info 'hl7' is not an HL7 message")
    encoding = document.info.get("container:hl7-encoding") or charset(raw.encode(), where)
    message = Message(raw, where)
    before = _pieces_in(message, encoding)
    after = _pieces_of(document, before)
    if list(before) != list(after):
        remarks.add("PID and all else but the text is written as it was; it is not de-identified", where)
    changes = zip(message.texts, before, after, strict=True)
    message.put([stands if new == old else _rewritten(stands, new, message, encoding) for stands, old, new in changes])
    for what, stated, ours in zip(("message", "patient"), ids(message), (document.id, document.patient), strict=True):
        if stated and stated != ours:
            remarks.add(f"the message keeps its own {what} id", where)
    try:
        return str(message).encode(encoding)
    except UnicodeEncodeError:
        remarks.add(f"the text no longer fits {encoding}; the message is UTF-8 now, and MSH-18 says so", where)
        message.state_utf8()
        return str(message).encode()


def _rewritten(stands: str, new: str, message: Message, encoding: str) -> str:
    """A changed text as it is to stand in its field, with the formatting that stood there if that reads back."""
    raw = escape(new, message.marks, message.marks.formatting().findall(stands))
    return raw if unescape(raw, message.marks, encoding) == new else escape(new, message.marks)


def _pieces_of(document: Document, before: list[str]) -> list[str]:
    """The document's text cut at its joints, one piece for each text field."""
    text, joints = document.text, document.joints or (0,)
    if text == "\n".join(before):
        return before
    if len(joints) != len(before) or joints[0] != 0:
        raise CannotHoldError(
            f"{document.name}: its message has {len(before)} text fields, its text {len(joints)} pieces (joints); "
            "the joints were lost on the way, or the text is another's"
        )
    pieces = [text[start:end] for start, end in zip(joints, (*joints[1:], len(text)), strict=True)]
    # The line break before a joint is ours, unless a replacement took it in.
    return [*(piece.removesuffix("\n") for piece in pieces[:-1]), pieces[-1]]


def _plain(document: Document, remarks: Remarks | None = None) -> str:
    """A message that says what the document says and no more. MSH-7, the time, stays empty: there is none to state."""
    pieces = _pieces_at_joints(document.text, document.joints)
    if joined(pieces)[1] != document.joints and remarks is not None:
        remarks.add("joints that do not follow line breaks are not held", document.name)
    lines = [
        rf"{PLAIN}||||||ORU^R01^ORU_R01|{escape(document.id, DEFAULT)}|P|2.5.1||||||UNICODE UTF-8",
        *([f"PID|1||{escape(document.patient, DEFAULT)}"] if document.patient else []),
        f"OBR|1|||{CODE}",
        *(f"OBX|{n}|FT|{CODE}||{escape(piece, DEFAULT)}||||||F" for n, piece in enumerate(pieces, 1)),
    ]
    return "".join(line + "\r" for line in lines)


def _pieces_at_joints(text: str, joints: tuple[int, ...]) -> list[str]:
    pieces = [text[start : end - 1] for start, end in pairwise(joints)]
    pieces.append(text[joints[-1] :] if joints else text)
    return pieces if "\n".join(pieces) == text else [text]


def sniff(sample: Sample) -> str:
    head = sample.head.lstrip("\ufeff\x0b \t\r\n")
    found = head[:3] in ("MSH", "FHS", "BHS") and not (head[3:4].isalnum() or head[3:4].isspace() or head[3:4] == "")
    return f"a segment {head[:3]} at the beginning" if found else ""


FORMATS = (
    Format(
        name="hl7v2",
        title="HL7 v2 messages (ER7): OBX and NTE texts",
        suffix=".hl7",
        folder=False,
        holds=Holds(
            patient=True,
            joints=True,
            container="container:hl7",
            info=frozenset({"container:hl7", "container:hl7-encoding"}),
            spans=False,
        ),
        read=read,
        write=write,
        sniff=sniff,
        reads=(".er7",),
        records=hl7_records.RECORDS,
    ),
)
