"""HL7 v2 for runs: a row for each message, and each message written again, segment by segment, without what it told.

Delimiters and the character set stay. The texts are written with escapes of their own. A file or a batch (FHS, BHS) is
opened and closed again, and counted anew. Bytes of MLLP go. A message whose text is not in it (OBX of type ED or RP)
is held; one without any text is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from elision.document import Document
from elision.errors import FormatError
from elision.formats import hl7_clean
from elision.formats.atomic import writing
from elision.formats.files import files_below, id_of
from elision.formats.format import Reading
from elision.formats.hl7_clean import FRAMES
from elision.formats.hl7_message import DEFAULT, Delimiters, Message, decoded, escape, messages, unescape
from elision.formats.hl7_patient import ids, known
from elision.formats.kinds import KINDS, unread
from elision.formats.records import Record, Records, Renaming, Shell, joined, parted

UTF_8 = "UNICODE UTF-8"
_ELSEWHERE = ("ED", "RP")  # types of OBX whose text is a file, or a link to one
_ENDS = ("BTS", "FTS")
_CONTROL_ID = 11  # of a file or a batch
Frame = list[Any]
Frames = dict[str, Frame]  # by its segment: the number of the message before which it begins, and its fields


def read(path: Path, how: Reading) -> Iterator[Record]:
    """The messages of a file, or of the `.hl7` and `.er7` files in a folder."""
    for file in files_below(path, ".hl7", ".er7"):
        frames: Frames = {}  # the file and the batch that the messages are in
        try:
            with file.open("rb") as stream:
                for number, data in enumerate(messages(stream, how.max_bytes, str(file)), 1):
                    where = f"{file}: message {number:,}"
                    record = _record(data, number, where, f"{id_of(file, path)}/{number}", frames, how)
                    if record is None:
                        how.remarks.add("messages without a text are left out", where)
                    else:
                        yield record
        except OSError as error:
            raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def _record(data: bytes, number: int, where: str, called: str, frames: Frames, how: Reading) -> Record | None:
    raw, encoding, told = decoded(data, where, how)
    message = Message(raw, where)
    for kind, count in message.passed.items():
        how.remarks.add(f"OBX of type {kind} are dropped", where, count)
    segments: list[list[str | int]] = []
    inside = dict(frames)
    for fields in message.numbered():
        name = str(fields[0])
        if name in FRAMES:
            inside[name] = frames[name] = [number, fields]
        elif name in _ENDS:
            frames.pop("BHS" if name == "BTS" else "FHS", None)
        else:
            segments.append(fields)
            if name not in hl7_clean.RULES:
                how.remarks.add("segments that elision does not know are dropped", where)
    if not message.texts and not any(kind in message.passed for kind in _ELSEWHERE):
        return None
    text, joints = joined([unescape(one, message.marks, encoding) for one in message.texts])
    if not message.texts:
        text = unread(KINDS["attachment"])
    id, patient = ids(message)
    ends = re.search(r"\r\n|\r|\n", raw)
    shell = {
        "marks": message.marks.stated,
        "break": ends[0] if ends else "\r",
        "encoding": "" if told else encoding,
        "charset": "" if told else _charset(message),
        "frames": [inside[name] for name in FRAMES if name in inside],
        "segments": segments,
    }
    return Record(Document(text, id or called, patient, known=known(message), joints=joints), shell)


def _charset(message: Message) -> str:
    msh = message.fields("MSH")
    return msh[18].split(message.marks.repetition)[0].strip() if len(msh) > 18 else ""


def clean(shell: Shell, renaming: Renaming) -> Shell:
    """The shell without what it told."""
    mark = shell["marks"][1]
    found = (hl7_clean.segment(fields, mark, renaming) for fields in shell["segments"])
    frames = [[number, hl7_clean.segment(fields, mark, renaming)] for number, fields in shell["frames"]]
    return {**shell, "frames": frames, "segments": [one for one in found if one]}


def write(records: Iterable[Record], path: Path, _: bool) -> None:
    """All messages into one file, in the files and batches that they were in."""
    opened: list[tuple[Frame, int]] = []  # the file and the batch that are open, and what is in each
    marks, ends = DEFAULT, "\r"
    with writing(path) as stream:
        for record in records:
            data, encoding, marks = _written(record)
            frames, ends = record.shell["frames"], record.shell["break"]
            same = 0
            while same < min(len(frames), len(opened)) and _named(frames[same]) == _named(opened[same][0]):
                same += 1
            _close(stream, opened, same, marks.field, ends)
            for frame in frames[same:]:
                if opened:
                    opened[-1] = opened[-1][0], opened[-1][1] + 1
                opened.append((frame, 0))
                stream.write((_line(frame[1], marks) + ends).encode(encoding))
            if opened:
                opened[-1] = opened[-1][0], opened[-1][1] + 1
            stream.write(data)
        _close(stream, opened, 0, marks.field, ends)


def _close(stream: IO[bytes], opened: list[tuple[Frame, int]], keep: int, mark: str, ends: str) -> None:
    while len(opened) > keep:
        frame, count = opened.pop()
        stream.write(f"{'BTS' if frame[1][0] == 'BHS' else 'FTS'}{mark}{count}{ends}".encode())


def _named(frame: Frame) -> object:
    """What tells one batch from the next."""
    number, fields = frame
    return fields[_CONTROL_ID] if len(fields) > _CONTROL_ID else number


def _written(record: Record) -> tuple[bytes, str, Delimiters]:
    document, shell = record
    marks = Delimiters.of(shell["marks"])
    pieces = iter(parted(document.text, document.joints))
    lines = []
    stated, encoding = shell["charset"], shell["encoding"] or "utf-8"
    try:
        (document.text + document.id).encode(encoding)
    except UnicodeEncodeError:
        stated, encoding = UTF_8, "utf-8"
    if not stated and not (document.text + document.id).isascii():
        stated = UTF_8
    for fields in shell["segments"]:
        fields = list(fields)
        if fields[0] == "MSH":
            fields += [""] * (19 - len(fields))
            fields[1:3] = shell["marks"][0], shell["marks"][1:]
            fields[10], fields[18] = escape(document.id, marks), stated
        texts = [at for at, field in enumerate(fields) if isinstance(field, int)]
        for at in texts:
            theirs = [piece for piece in (next(pieces) for _ in range(fields[at])) if piece is not None]
            fields[at] = marks.repetition.join(_escaped(piece, marks, encoding) for piece in theirs) if theirs else None
        if None not in fields:
            lines.append(_line(fields, marks) + shell["break"])
    return "".join(lines).encode(encoding), encoding, marks


def _line(fields: list[str], marks: Delimiters) -> str:
    if fields[0] in (*FRAMES, "MSH"):
        first = [*fields[:1], marks.stated[1:], *fields[3:]]
        return marks.field.join(first).rstrip(marks.field)
    return marks.field.join(fields)


def _escaped(text: str, marks: Delimiters, encoding: str) -> str:
    """A text as it stands in its field; what reads like formatting stays so, if it reads back."""
    raw = escape(text, marks, marks.formatting().findall(text))
    return raw if unescape(raw, marks, encoding) == text else escape(text, marks)


RECORDS = Records(read, clean, write, endings=(".hl7", ".er7"), folder=False)
