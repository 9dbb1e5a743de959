"""ER7, the pipe-and-hat syntax of HL7 v2: where messages begin, how they are encoded, which fields hold text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import IO

from elision.errors import FormatError
from elision.formats.format import MEGABYTE, Reading

# A message begins at MSH, or at the MLLP byte or the batch headers right before it, so that cutting a file at these
# places and joining the pieces gives the file again.
START = re.compile(
    rb"(?:\A(?:\xef\xbb\xbf)?[ \t\r\n]*|(?<=[\r\n\x1c]))\x0b?(?:[FB]HS[^\w\s][^\r\n]*[\r\n]+){0,2}\x0b?MSH(?=[^\w\s])"
)
BEFORE = re.compile(r"(?:\ufeff|\xef\xbb\xbf)?[ \t\r\n]*\x0b?(?:[FB]HS[^\r\n]*[\r\n]+){0,2}\x0b?")  # also as Latin-1
BLOCK = 1 << 20

# Names of MSH-18 (HL7 table 0211) that Python calls otherwise.
CHARSETS = {
    "": "utf-8",  # the standard says ASCII, of which UTF-8 is the superset that fails on everything else
    "UNICODE": "utf-8",
    "UNICODE UTF-8": "utf-8",
    "GB 18030-2000": "gb18030",
    "BIG-5": "big5",
    "KS X 1001": "euc_kr",
    **{f"8859/{part}": f"iso8859-{part}" for part in (1, 2, 3, 4, 5, 6, 7, 8, 9, 15)},
}

TEXT_TYPES = ("TX", "FT", "ST", "")
VALUE_TYPES = ("NM", "SN", "DT", "TM", "TS", "DTM", "DR", "SI", "ID", "IS")  # numbers, times, codes from tables


def messages(stream: IO[bytes], limit: int, where: str) -> Iterator[bytes]:
    """The messages of a file one after the other, each with all bytes up to the next."""
    waiting, first = b"", True
    while block := stream.read(BLOCK):
        waiting += block
        starts = [match.start() for match in START.finditer(waiting)]
        if first and starts and starts[0] > 0:
            break
        first = first and not starts
        for start, following in pairwise(starts):
            yield waiting[start:following]
        if starts:
            waiting = waiting[starts[-1] :]
        if len(waiting) > limit:
            raise FormatError(
                f"{where}: a message is longer than the limit of {limit / MEGABYTE:,.0f} MB; "
                "raise it if that is meant (--max-mb)"
            )
    if first:
        raise FormatError(f"{where}: not an HL7 v2 file: it does not begin with MSH and its delimiters")
    yield waiting


def decoded(data: bytes, where: str, how: Reading) -> tuple[str, str, bool]:
    """A message as text, its encoding, and whether somebody said that."""
    told = how.encoding != "utf-8"  # the default, which says nothing
    encoding = how.encoding if told else charset(data, where)
    try:
        return data.decode(encoding), encoding, told
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{where}: byte {error.start:,} is not {encoding}, which MSH-18 states or leaves open; "
            "if it is something else, say so (--encoding cp1252)"
        ) from None
    except LookupError:
        raise FormatError(f"{encoding!r} is not an encoding that Python knows; try utf-8 or cp1252") from None


def charset(message: bytes, where: str) -> str:
    """The encoding that MSH-18 states, by Python's name for it."""
    header = _header(message.decode("latin-1"))
    fields = header.split(header[3:4])
    stated = fields[17].split("~")[0].strip() if len(fields) > 17 else ""
    try:
        name = codecs.lookup(CHARSETS.get(stated, stated.replace(" ", "-"))).name
        "|".encode(name)
    except (LookupError, ValueError):  # a ValueError for a NUL
        raise FormatError(
            f"{where}: MSH-18 states a charset that Python does not know; say which it is (--encoding utf-8)"
        ) from None
    if "|".encode(name) != b"|":
        raise FormatError(f"{where}: HL7 in {name} is not read; convert the file to UTF-8 first")
    return name


@dataclass(frozen=True, slots=True)
class Delimiters:
    field: str
    component: str
    repetition: str
    escape: str
    subcomponent: str
    stated: str = ""  # as MSH-1 and MSH-2 have them

    @classmethod
    def of(cls, stated: str) -> Delimiters:
        """From MSH-1 and MSH-2; those that are not stated are the usual ones."""
        field, component, repetition, escape, subcomponent = list(stated + "|^~\\&"[len(stated) :])[:5]
        return cls(field, component, repetition, escape, subcomponent, stated)

    def known(self) -> re.Pattern[str]:
        """The escape sequences that stand for text."""
        mark = re.escape(self.escape)
        return re.compile(rf"{mark}(?:([FSTRE])|(\.br|\.BR)|X((?:[0-9A-Fa-f]{{2}})+)){mark}")

    def formatting(self) -> re.Pattern[str]:
        """The escape sequences that do not: they stay in the text as they are."""
        mark = re.escape(self.escape)
        return re.compile(rf"{mark}(?:[HN]|\.(?:sp|in|ti|fi|nf|ce|sk)[+-]?[0-9]*|[CM][0-9A-F]+|Z\w*){mark}")

    def letters(self) -> dict[str, str]:
        return {
            "F": self.field, "S": self.component, "T": self.subcomponent, "R": self.repetition, "E": self.escape,
        }  # fmt: skip


DEFAULT = Delimiters("|", "^", "~", "\\", "&")


def unescape(raw: str, marks: Delimiters, encoding: str = "utf-8") -> str:
    """The text of a field; escape sequences that do not stand for text stay as they are."""
    if marks.escape not in raw:
        return raw
    letters = marks.letters()

    def character(match: re.Match[str]) -> str:
        if match[1]:
            return letters[match[1]]
        if match[2]:
            return "\n"
        try:
            return bytes.fromhex(match[3]).decode(encoding)
        except UnicodeDecodeError:
            return match[0]

    return marks.known().sub(character, raw)


@cache
def _codes(marks: Delimiters) -> dict[int, str]:
    """How characters stand in a field that may not stand there themselves."""
    codes = {character: letter for letter, character in marks.letters().items()}
    codes |= {chr(number): f"X{number:02X}" for number in (*range(32), 127)}
    codes["\n"] = ".br"
    del codes["\t"]
    return str.maketrans({character: f"{marks.escape}{code}{marks.escape}" for character, code in codes.items()})


def escape(text: str, marks: Delimiters, keep: Iterable[str] = ()) -> str:
    """A text as it stands in a field; the sequences in `keep` stay as they are."""
    kept = sorted(set(keep), key=len, reverse=True)
    if not kept:
        return text.translate(_codes(marks))
    parts = re.split(f"({'|'.join(map(re.escape, kept))})", text)
    return "".join(part if i % 2 else part.translate(_codes(marks)) for i, part in enumerate(parts))


class Message:
    """A message cut into segments, line breaks between them kept, so that joining them gives it again."""

    def __init__(self, raw: str, where: str) -> None:
        self.marks = _delimiters(_header(raw), where)
        end = len(raw.rstrip("\r\n\x0b\x1c"))
        # A line that does not begin like a segment goes on with the field before it. The break is matched as one
        # possessive run from its beginning, which keeps this linear whatever the text is.
        mark = re.escape(self.marks.field)
        breaks = rf"(?<![\r\n])([\r\n]++)(?=\x0b?[A-Z][A-Z0-9]{{2}}(?:{mark}|[\r\n]|\Z))"
        self.parts = [*re.split(breaks, raw[:end]), raw[end:]]
        self.passed: dict[str, int] = {}  # types of OBX-5 that are not read as text
        self._places: list[tuple[int, int, int]] = []  # (segment, field, number of repetitions) of each text field
        self.texts: list[str] = []  # the text fields as they stand, each repetition on its own
        for at, segment in self._segments():
            if field := self._text_field(segment):
                repetitions = segment[field].split(self.marks.repetition)
                self._places.append((at, field, len(repetitions)))
                self.texts += repetitions

    def _segments(self) -> Iterator[tuple[int, list[str]]]:
        for at in range(0, len(self.parts) - 1, 2):
            yield at, self.parts[at].split(self.marks.field)

    def _text_field(self, segment: list[str]) -> int:
        if segment[0] == "NTE":
            return 3 if len(segment) > 3 else 0
        if segment[0] != "OBX" or len(segment) < 6:
            return 0
        if segment[2] in TEXT_TYPES:
            return 5
        if segment[2] not in VALUE_TYPES and segment[5]:
            kind = segment[2] if re.fullmatch("[A-Z]{2,3}", segment[2]) else "an unknown type"
            self.passed[kind] = self.passed.get(kind, 0) + 1
        return 0

    def numbered(self) -> Iterator[list[str | int]]:
        """All segments, their fields numbered as HL7 does. In place of a text field, how many texts it has."""
        places = {at: (field, count) for at, field, count in self._places}
        for at, segment in self._segments():
            name = _name(segment)
            fields: list[str | int] = [name, *segment[1:]]
            if name in ("MSH", "FHS", "BHS"):
                fields.insert(1, self.marks.field)
            if at in places:
                fields[places[at][0]] = places[at][1]
            yield fields

    def put(self, texts: list[str]) -> None:
        """Write other texts, as they are to stand, into the text fields."""
        self.texts, at = texts, 0
        for part, field, count in self._places:
            fields = self.parts[part].split(self.marks.field)
            fields[field] = self.marks.repetition.join(texts[at : at + count])
            self.parts[part] = self.marks.field.join(fields)
            at += count

    def fields(self, name: str) -> list[str]:
        """The fields of the first segment of this name, numbered as HL7 does; empty if there is none."""
        for _, segment in self._segments():
            if _name(segment) == name:
                return [segment[0], self.marks.field, *segment[1:]] if name == "MSH" else segment
        return []

    def state_utf8(self) -> None:
        """Write into MSH-18 that the message is UTF-8."""
        for at, segment in self._segments():
            if _name(segment) == "MSH":
                segment += [""] * (18 - len(segment))
                segment[17] = "UNICODE UTF-8"
                self.parts[at] = self.marks.field.join(segment)

    def __str__(self) -> str:
        return "".join(self.parts)


def _header(raw: str) -> str:
    """The MSH segment of a message, after what may stand before it."""
    found = BEFORE.match(raw)
    return re.split(r"[\r\n]", raw[found.end() if found else 0 :], maxsplit=1)[0]


def _name(segment: list[str]) -> str:
    return segment[0].lstrip("\ufeff\x0b \t\r\n")


def _delimiters(header: str, where: str) -> Delimiters:
    field = header[3]
    stated = header[4:].split(field)[0]
    if (
        not stated
        or any(mark.isalnum() or mark.isspace() for mark in stated)
        or len(set(stated + field)) <= len(stated)
    ):
        raise FormatError(f"{where}: MSH-2 must state the delimiters, such as ^~\\&")
    return Delimiters.of(field + stated)
