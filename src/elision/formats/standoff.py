"""The lines of a brat .ann file, to spans and back.

    T4<TAB>CITY 65 68;69 78<TAB>San Sebastián      a span, here over a line break
    #1<TAB>AnnotatorNotes T4<TAB>checked twice     kept in the span's info["note"]
    A1<TAB>Confidence T4 High                      kept in the span's info["attr:Confidence"]

All other lines (relations, events, notes on those) go into the document's info["brat"] as they stand.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from elision.document import Document, Info, Span
from elision.errors import FormatError
from elision.formats.format import Reading, Remarks, Sample
from elision.formats.offsets import explain, fits
from elision.labels import tag_set

# What tells a nedap corpus from any other folder of brat files.
TABLE = "annotations-rewrite-table.csv"
SPLITS = ("train", "dev", "test")

# Blanks may stand for tabs, as in nedap's own corpus. White space never begins or ends a part, so this is linear.
_PIECE = r"[0-9]{1,15}[ \t]+[0-9]{1,15}"
OFFSETS = re.compile(rf"{_PIECE}(?:;{_PIECE})*")
SPAN = re.compile(rf"(T\S+)[ \t]+(\S+)[ \t]+({OFFSETS.pattern})(?:[ \t](.*))?", re.DOTALL)  # id, label, offsets, text
ABOUT = re.compile(r"([AM#]\S*)[ \t]+(\S+)[ \t]+(\S+)(?:[ \t](.*))?", re.DOTALL)  # id, name, target, value
OTHER = re.compile(r"(?:[AMREN][0-9]\S*|#\S*|\*)[ \t].*", re.DOTALL)
BREAKS = re.compile(r"[\r\n]+")
# What some program or other takes for the end of a line; written as blanks in an .ann file.
LINE_ENDS = str.maketrans(dict.fromkeys("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", " "))


@dataclass(slots=True)
class _Annotation:
    """A span line, before the notes and attributes on it are known."""

    id: str
    start: int
    end: int
    label: str
    info: dict[str, str] = field(default_factory=dict)


def parse(ann: str, text: str, where: str, how: Reading) -> tuple[tuple[Span, ...], Info]:
    """The spans of a text and the info of its document."""
    found: list[_Annotation] = []
    others: list[str] = []
    for number, line in enumerate(ann.removeprefix("\ufeff").split("\n"), 1):
        line = line.removesuffix("\r")
        if not line.strip():
            continue
        try:
            if line.startswith("T"):
                found.append(_span(line, text, f"{where}:{number}", how))
            elif OTHER.fullmatch(line):
                others.append(line)
            else:
                raise FormatError(f"{where}:{number}: not a line of a brat .ann file (T1, A1, R1, E1, #1, *)")
        except FormatError as error:
            if not how.lenient:
                raise FormatError(f"{error}; --lenient skips such lines") from None
            how.remarks.add("skipped: an unusable line", f"{where}:{number}")
    left = _attach(found, others)
    named = {name for line in left for name in _names(line)}
    ids: set[str] = set()
    for position, span in enumerate(found, 1):
        # The running number needs no keeping, unless a line that we keep as it stands counts on it.
        if span.id not in ids and (span.id != f"T{position}" or span.id in named):
            span.info["id"] = span.id
        ids.add(span.id)
    spans = tuple(
        Span(span.start, span.end, span.label, info=span.info) if span.info else Span(span.start, span.end, span.label)
        for span in found
    )
    return spans, {"brat": "\n".join(left)} if left else {}


def _span(line: str, text: str, where: str, how: Reading) -> _Annotation:
    match = SPAN.fullmatch(line)
    if not match:
        raise FormatError(f"{where}: a span needs an id, a label, offsets and its text, with tabs between")
    id, label, offsets, surface = match.groups()
    if ";" not in offsets:  # nearly all lines end here
        start, end = map(int, offsets.split())
        if start <= end <= len(text) and text[start:end] == surface:
            return _Annotation(id, start, end, label)
    where = f"{where}: {id} {offsets}"
    pieces = _pieces(offsets)
    if not pieces:
        raise FormatError(f"{where}: a start after its end")
    start, end = min(pieces)[0], max(b for _, b in pieces)
    wrong = ""
    if end > len(text):
        wrong = f"beyond the text, which has {len(text)} characters"
    elif surface is None:
        how.remarks.add("a span without its text, so its offsets could not be checked", where)
    elif not fits(joined := " ".join(text[a:b] for a, b in pieces), 0, len(joined), surface):
        wrong = "another text stands there"
    if wrong:  # finding out why takes long, and nobody reads it when the line is skipped
        hint = "" if how.lenient else explain(text, start, end, surface or "")
        raise FormatError(f"{where}: {wrong}; {hint}")
    found = _Annotation(id, start, end, label)
    if len(pieces) > 1 and pieces != _between_breaks(text, start, end):
        found.info["fragments"] = ";".join(f"{a} {b}" for a, b in pieces)
    if any(c < b or text[b:c].strip() for (_, b), (c, _) in itertools.pairwise(pieces)):
        how.remarks.add("a span in fragments, read as one span with the gaps in it", where)
    return found


def _attach(found: list[_Annotation], others: list[str]) -> list[str]:
    """Put notes and attributes on their spans; gives back the lines that have no place there."""
    spans = {span.id: span for span in reversed(found)}
    ours = [
        match if match and match[3] in spans and (match[1][0] != "#" or match[2] == "AnnotatorNotes") else None
        for match in map(ABOUT.fullmatch, others)
    ]
    named = {name for line, match in zip(others, ours, strict=True) if match is None for name in _names(line)}
    left = []
    for line, match in zip(others, ours, strict=True):
        if match is None or match[1] in named:  # a line that another one is about stays as it is, with its id
            left.append(line)
            continue
        info, key, value = spans[match[3]].info, f"attr:{match[2]}", match[4] or ""
        if match[1][0] == "#":
            info["note"] = f"{info['note']}\n{value}" if "note" in info else value
        elif key in info:
            left.append(line)
        else:
            info[key] = value
    return left


def _names(line: str) -> list[str]:
    """The ids that a line is about, among other words: `R1<TAB>Near Arg1:T1 Arg2:T2` gives T1 and T2."""
    columns = line.split("\t")
    return re.split(r"[\s:]+", columns[1] if len(columns) > 1 else line)


def print_lines(document: Document, remarks: Remarks) -> list[str]:
    """The lines of a document's .ann file: spans, notes, attributes, and what else was kept."""
    where = document.name
    ids = _ids(document.spans, remarks, where)
    kept = []
    for line in document.info.get("brat", "").split("\n"):
        if OTHER.fullmatch(line) and "\r" not in line:
            kept.append(line)
        elif line:
            remarks.add("brat does not hold note info 'brat' that is not a line of an .ann file", where)
    taken = {re.split(r"[ \t]", line, maxsplit=1)[0] for line in kept}
    gone = {name for line in kept for name in _names(line) if re.fullmatch(r"T[0-9]+", name)} - set(ids)
    if gone:
        remarks.add("lines about a span that is not there (any more)", where, len(gone))
    spans, notes, attributes = [], [], []
    note_ids, attribute_ids = _free("#", 1, taken), _free("A", 1, taken)
    for id, span in zip(ids, document.spans, strict=True):
        spans.append(f"{id}\t{span.label} {_offsets_and_text(document.text, span, remarks, where)}")
        for key, value in span.info.items():
            if key == "note":
                notes += [
                    f"{next(note_ids)}\tAnnotatorNotes {id}\t{_flat(n, remarks, where)}" for n in value.split("\n")
                ]
            elif key.startswith("attr:"):
                name = key.removeprefix("attr:")
                if not name or any(c.isspace() for c in name):
                    remarks.add("brat does not hold attributes whose name is empty or has white space", where)
                    continue
                value = _flat(value, remarks, where)
                attributes.append(f"{next(attribute_ids)}\t{name} {id}" + (f" {value}" if value else ""))
    return [*spans, *notes, *attributes, *kept]


def _ids(spans: tuple[Span, ...], remarks: Remarks, where: str) -> list[str]:
    """An id for each span: its own if it has one, else its running number or, if that is taken, the next free one."""
    ids: list[str] = []
    taken: set[str] = set()
    for span in spans:
        own = span.info.get("id", "")
        if own and (own in taken or not re.fullmatch(r"T\S+", own)):
            remarks.add("brat does not hold span ids that come twice or do not begin with T", where)
            own = ""
        ids.append(own)
        taken.add(own)
    free = _free("T", len(spans) + 1, taken)
    return [
        own or (f"T{position}" if f"T{position}" not in taken else next(free)) for position, own in enumerate(ids, 1)
    ]


def _free(letter: str, first: int, taken: set[str]) -> Iterator[str]:
    return (name for number in itertools.count(first) if (name := f"{letter}{number}") not in taken)


def _offsets_and_text(text: str, span: Span, remarks: Remarks, where: str) -> str:
    """`65 68;69 78<TAB>San Sebastián`: a span over line breaks is written in fragments, as brat does it."""
    pieces = []
    if "fragments" in span.info:
        pieces = _pieces(span.info["fragments"])
        if not pieces or (min(pieces)[0], max(b for _, b in pieces)) != (span.start, span.end):
            remarks.add("fragments that no longer make up their span", where)
            pieces = []
    pieces = pieces or _between_breaks(text, span.start, span.end)
    offsets = ";".join(f"{a} {b}" for a, b in pieces)
    return f"{offsets}\t{' '.join(text[a:b] for a, b in pieces).translate(LINE_ENDS)}"


def _between_breaks(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of a stretch between the line breaks inside it."""
    pieces, at = [], start
    for match in BREAKS.finditer(text, start, end):
        if start < match.start() and match.end() < end:
            pieces.append((at, match.start()))
            at = match.end()
    return [*pieces, (at, end)]


def _pieces(offsets: str) -> list[tuple[int, int]]:
    """Fragments from their offsets, "65 68;69 78"; none if that is not what they are."""
    if not OFFSETS.fullmatch(offsets):
        return []
    pieces = [(int(start), int(end)) for start, end in (piece.split() for piece in offsets.split(";"))]
    return [] if any(a > b for a, b in pieces) else pieces


def _flat(value: str, remarks: Remarks, where: str) -> str:
    """A value on one line."""
    if (flat := value.translate(LINE_ENDS)) != value:
        remarks.add("line breaks in notes and attributes, written to brat as blanks", where)
    return flat


def nedap_evidence(sample: Sample) -> str:
    """What makes .ann files a nedap corpus: its table, or splits with labels of its tag set. "" for any other brat."""
    if TABLE in sample.names:
        return f"{TABLE} beside .ann files" if sample.count(".ann") else ""
    splits = sorted({n.split("/")[0] for n in sample.names if n.endswith(".ann")} & set(SPLITS))
    labels = set(re.findall(r"^T[0-9]+[ \t]+(\S+) [0-9]", sample.head, re.MULTILINE))
    if not splits or not labels <= set(tag_set("nut").tags):
        return ""
    return f".ann files in {', '.join(splits)}" + (" with nedap's labels" if labels else "")
