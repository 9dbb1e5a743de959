"""The stand-off XML of i2b2 2014 and of MEDDOCAN: one file a note, its text in TEXT, its spans as the elements of TAGS.

    <NAME id="P1" start="30" end="40" text="José Núñez" TYPE="PATIENT" comment="" />

The official programs compare the element's name, and the offsets as they are spelled. So elision keeps what is unusual
in them in the span's info (`element`, `start`, `end`), and writes it as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.etree.ElementTree import Element

from elision.document import Document, Span
from elision.errors import FormatError, shown
from elision.formats import xml
from elision.formats.atomic import write_text
from elision.formats.files import file_for, files_below, id_of
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.offsets import explain, fits
from elision.labels import tag_set

OFFSET = re.compile(r"\s*([0-9]{1,15})\s*", re.ASCII)
OURS = ("id", "start", "end", "text", "TYPE", "comment")


@dataclass(frozen=True, slots=True)
class Kind:
    """What tells the two apart."""

    format: str
    root: str
    tag_set: str
    other: str  # the element of a type that the tag set does not know
    ids: str  # how running ids begin
    first: int
    head: str  # all before the text's CDATA
    tag: str  # one line of TAGS
    middle: str
    tail: str


I2B2 = Kind(
    "i2b2-2014",
    root="deIdi2b2",
    tag_set="i2b2-2014",
    other="PHI",
    ids="P",
    first=0,
    head='<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n<TEXT>',
    middle="</TEXT>\n<TAGS>\n",
    tag="<{} />\n",
    tail="</TAGS>\n</deIdi2b2>\n",
)
MEDDOCAN = Kind(
    "meddocan-xml",
    root="MEDDOCAN",
    tag_set="meddocan",
    other="OTHER",
    ids="T",
    first=1,
    head="<?xml version='1.0' encoding='UTF-8'?>\n<MEDDOCAN>\n  <TEXT>",
    middle="</TEXT>\n  <TAGS>\n",
    tag="    <{}/>\n",
    tail="  </TAGS>\n</MEDDOCAN>\n",
)


def usual_element(kind: Kind, label: str) -> str:
    """The element that holds a type: its group in the tag set."""
    tag = tag_set(kind.tag_set).tags.get(label)
    return tag.group if tag else kind.other


def read(kind: Kind, path: Path, how: Reading) -> Iterator[Document]:
    for file in files_below(path, ".xml"):
        root = xml.read(file, how)
        if root.tag != kind.root:
            raise FormatError(
                f"{file}: the root element is not <{kind.root}>; this is another format than {kind.format}"
            )
        yield _document(kind, root, id_of(file, path), file, how)


def _document(kind: Kind, root: Element, id: str, file: Path, how: Reading) -> Document:
    texts, tags = root.findall("TEXT"), root.findall("TAGS")
    if len(texts) != 1 or len(texts[0]):
        raise FormatError(f"{file}: expected one element TEXT below <{kind.root}>, with nothing but text in it")
    if len(tags) != 1:
        if tags:
            raise FormatError(f"{file}: more than one element TAGS")
        how.remarks.add("a note without TAGS, read as a note without spans", str(file))
    if ignored := len(root) - 1 - len(tags) + sum(map(len, tags[0] if tags else ())):
        how.remarks.add("elements that are neither TEXT nor a tag below TAGS, not read", str(file), ignored)
    text = texts[0].text or ""
    spans: list[Span] = []
    for number, tag in enumerate(tags[0] if tags else (), 1):
        try:
            spans.append(_span(kind, tag, f"{kind.ids}{len(spans) + kind.first}", text, how))
        except FormatError as error:
            where = f"{file}: tag {number}{shown(tag.get('id', 'missing'), ' (id {})')}"
            if not how.lenient:
                raise FormatError(f"{where}: {error}; --lenient skips such tags") from None
            how.remarks.add("skipped: an unusable tag", where)
    return Document(text, id, spans=tuple(spans))


def _span(kind: Kind, tag: Element, running_id: str, text: str, how: Reading) -> Span:
    """A tag as a span; errors lack the place, which the caller knows."""
    get = tag.attrib.get
    missing = [name for name in ("start", "end", "TYPE") if name not in tag.attrib]
    if missing:
        raise FormatError(f"no attribute {' and '.join(missing)}")
    offsets = []
    for name in ("start", "end"):
        match = OFFSET.fullmatch(tag.attrib[name])
        if not match:
            raise FormatError(f"{name} is not a whole number")
        offsets.append(int(match[1]))
    (start, end), label = offsets, tag.attrib["TYPE"]
    if start > end:
        raise FormatError(f"the start {start} is after the end {end}")
    surface, wrong = get("text"), ""
    if end > len(text):
        wrong = f"{start}–{end} reaches beyond the text, which has {len(text)} characters"
    elif surface is not None and not fits(text, start, end, surface):
        wrong = f"another text stands at {start}–{end}"
    if wrong:  # finding out why takes long, and nobody reads it when the tag is skipped
        raise FormatError(f"{wrong}; {'' if how.lenient else explain(text, start, end, surface or '')}")
    info = {
        "element": tag.tag if tag.tag != usual_element(kind, label) else "",
        "start": tag.attrib["start"] if tag.attrib["start"] != str(start) else "",
        "end": tag.attrib["end"] if tag.attrib["end"] != str(end) else "",
        "comment": get("comment", ""),
        "id": get("id", "") if get("id") != running_id else "",
        **{f"attr:{name}": value for name, value in tag.attrib.items() if name not in OURS},
    }
    info = {key: value for key, value in info.items() if value or key.startswith("attr:")}
    return Span(start, end, label, info=info) if info else Span(start, end, label)


def write(kind: Kind, documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    for document in documents:
        where = document.name
        tags = (
            kind.tag.format(_tag(kind, document, span, f"{kind.ids}{number}", remarks))
            for number, span in enumerate(document.spans, kind.first)
        )
        text = f"{kind.head}{xml.cdata(document.text, where)}{kind.middle}{''.join(tags)}{kind.tail}"
        write_text(file_for(path, document.id, ".xml"), text)


def _tag(kind: Kind, document: Document, span: Span, running_id: str, remarks: Remarks) -> str:
    """The inside of a tag: `NAME id="P1" start="30" …`."""
    info, where = span.info, document.name
    element = info.get("element") or usual_element(kind, span.label)
    if not xml.is_name(element):
        remarks.add(f"{kind.format} does not hold element names that XML cannot write", where)
        element = usual_element(kind, span.label)
    values = {
        "id": info.get("id") or running_id,
        "start": _offset(info, "start", span.start, remarks, where),
        "end": _offset(info, "end", span.end, remarks, where),
        "text": document.text_of(span),
        "TYPE": span.label,
        "comment": info.get("comment", ""),
    }
    values |= xml.extra_attributes(info, OURS, remarks, where)
    return f"{element} {xml.attributes(values, where)}"


def _offset(info: Mapping[str, str], key: str, offset: int, remarks: Remarks, where: str) -> str:
    """The offset as it was spelled, if it is still the same."""
    spelled = info.get(key, "")
    if spelled and not ((match := OFFSET.fullmatch(spelled)) and int(match[1]) == offset):
        remarks.add("spellings of an offset that is another by now, written plainly", where)
        spelled = ""
    return spelled or str(offset)


def sniff(kind: Kind, sample: Sample) -> str:
    return f"root element <{kind.root}>" if re.search(rf"<{kind.root}[\s>]", sample.head) else ""


HOLDS = Holds(span_info=frozenset({"element", "start", "end", "comment", "id", "attr:*"}))
FORMATS = tuple(
    Format(
        kind.format,
        title,
        suffix=".xml",
        folder=True,
        holds=HOLDS,
        read=partial(read, kind),
        write=partial(write, kind),
        sniff=partial(sniff, kind),
        tag_set=kind.tag_set,
    )
    for kind, title in ((I2B2, "i2b2 2014 XML"), (MEDDOCAN, "MEDDOCAN XML"))
)
