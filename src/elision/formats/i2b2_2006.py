"""The XML of the i2b2 2006 challenge: many records in one file, the spans as PHI elements within the text.

A record's text has a frame that is not part of the note: the line break after <TEXT> and the line "[ report_end ]".
The released training file is not valid XML. `mend` closes what it left open, and every repair is remarked.
"""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

from elision.document import Document, Span
from elision.errors import FormatError, shown
from elision.formats import xml
from elision.formats.atomic import writing
from elision.formats.files import files_below, read_text
from elision.formats.format import MEGABYTE, Format, Holds, Reading, Remarks, Sample

OPENING, ENDING = "\n", "[ report_end ]\n"
END = re.compile(r"\[ report_end \][ \t\r\n]*\Z")
RECORDS = 4  # a file of many records may be as many times larger than one of a single note

_ATTRIBUTES = r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*"""
TEXT = re.compile(rf"<TEXT{_ATTRIBUTES}>")
RECORD = re.compile(r"""<RECORD\s[^<>]*?\bID\s*=\s*["']([^"'<>]*)["']""")
DOUBLED = re.compile(r"(</(TEXT|RECORD)\s*>)(\s*</\2\s*>)+")
# All in a text that may be markup. What else begins with < or & was meant as a character.
MARKUP = re.compile(
    rf"(?P<open><PHI{_ATTRIBUTES}/?>)|(?P<close></PHI\s*>)|(?P<data><!\[CDATA\[)"
    r"|&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});|(?P<stray>[<&]|\]\]>)"
)
STRAY = {"<": "&lt;", "&": "&amp;", "]]>": "]]&gt;", "<![CDATA[": "&lt;![CDATA["}


def read(path: Path, how: Reading) -> Iterator[Document]:
    for file in files_below(path, ".xml"):
        _refuse_oversize(file, how)
        encoding = _encoding(file) if how.encoding == "utf-8" else how.encoding
        text = read_text(file, replace(how, encoding=encoding, max_bytes=how.max_bytes * RECORDS))
        root = xml.parse(mend(text, str(file), how.remarks), str(file))
        if root.tag != "ROOT":
            raise FormatError(f"{file}: the root element is not <ROOT>; this is another format than i2b2-2006")
        for number, record in enumerate(root, 1):
            if record.tag == "RECORD":
                yield _document(record, number, file, how)
            else:
                how.remarks.add("elements other than RECORD below ROOT, not read", str(file))


def _refuse_oversize(file: Path, how: Reading) -> None:
    size, limit = file.stat().st_size, how.max_bytes * RECORDS
    if size > limit:
        raise FormatError(
            f"{file}: {size / MEGABYTE:,.1f} MB is more than the limit of {limit / MEGABYTE:,.1f} MB for a file of "
            f"many records, which is {RECORDS} times that for one note; raise it if that is meant (--max-mb)"
        )


def _encoding(file: Path) -> str:
    """The encoding by a byte-order mark or by the XML declaration, as an XML parser finds it."""
    try:
        with file.open("rb") as stream:
            head = stream.read(200)
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    named = re.match(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']""", head.removeprefix(b"\xef\xbb\xbf"))
    name = named[1].decode("ascii") if named else "utf-8"
    try:
        codecs.lookup(name)
    except LookupError:
        raise FormatError(
            f"{file}: the XML declaration names an encoding{shown(name)} that Python does not know; "
            "say which it is (--encoding cp1252)"
        ) from None
    return name


def mend(source: str, where: str, remarks: Remarks) -> str:
    """The file's XML with its texts made well-formed. Line numbers stay, and so does every character of a note."""
    pieces: list[str] = []
    at, line, record = 0, 1, ""
    while opening := TEXT.search(source, at):
        between, end = source[at : opening.end()], source.find("</TEXT", opening.end())
        if end < 0:
            break  # the parser says where
        if ids := RECORD.findall(between):
            record = ids[-1]
        pieces.append(_between(between, f"{where}:{line}", remarks))
        line += between.count("\n")
        pieces.append(_mend_text(source[opening.end() : end], where, line, record, remarks))
        line += source.count("\n", opening.end(), end)
        at = end
    return "".join([*pieces, _between(source[at:], f"{where}:{line}", remarks)])


def _between(markup: str, where: str, remarks: Remarks) -> str:
    """What stands between two texts, with doubled closing tags made one; line breaks in between stay."""
    mended, count = DOUBLED.subn(lambda match: match[1] + "\n" * match[0].count("\n"), markup)
    if count:
        remarks.add("repaired: a doubled closing tag", where, count)
    return mended


def _mend_text(text: str, where: str, line: int, record: str, remarks: Remarks) -> str:
    """Close PHI elements that were left open, drop closing tags that close nothing, escape stray characters."""
    found = _markup(text)
    closed = _closed(found)
    pieces: list[str] = []
    at, is_open = 0, False

    def repair(what: str) -> None:
        remarks.add(f"repaired: {what}", f"{where}:{line}" + shown(record, ", record {}"))

    for match in found:
        markup = match[0]
        pieces.append(text[at : match.start()])
        line += text.count("\n", at, match.start())
        at = match.end()
        if match["stray"] or match["data"]:
            repair("a character that looks like markup (<, &, ]]>)")
            markup = STRAY[markup]
        elif match["close"]:
            if not is_open:
                repair("a closing tag that closes nothing")
                markup = ""
            is_open = False
        elif match["open"]:
            if is_open:
                repair("a PHI that was not closed, closed where the next one opens")
                # An opening tag that nothing closes stands where the closing tag should.
                markup = f"</PHI>{markup}" if match in closed else "</PHI>"
                is_open = match in closed
            else:
                is_open = True
            is_open = is_open and not _is_empty(match)
        pieces.append(markup)
    rest = text[at:]
    if is_open:
        repair("a PHI that was not closed, closed at the end of its text")
        end = END.search(rest)
        cut = end.start() if end else len(rest)
        rest = f"{rest[:cut]}</PHI>{rest[cut:]}"
    return "".join([*pieces, rest])


def _markup(text: str) -> list[re.Match[str]]:
    """The markup of a text, with closed CDATA sections passed over."""
    found: list[re.Match[str]] = []
    at, last_end = 0, text.rfind("]]>")
    while match := MARKUP.search(text, at):
        at = match.end()
        if match["data"] and at <= last_end:
            at = text.find("]]>", at) + 3
        else:
            found.append(match)
    return found


def _is_empty(match: re.Match[str]) -> bool:
    return match[0].endswith("/>")


def _closed(found: list[re.Match[str]]) -> set[re.Match[str]]:
    """The opening tags that close themselves or are closed before the next one opens."""
    tags = [match for match in found if match["open"] or match["close"]]
    return {
        tag
        for tag, following in itertools.zip_longest(tags, tags[1:])
        if tag["open"] and (_is_empty(tag) or (following is not None and following["close"]))
    }


def _document(record: Element, number: int, file: Path, how: Reading) -> Document:
    id = record.get("ID")
    where = f"{file}: record {number}" + shown(id, " (ID {})")
    if id is None:
        how.remarks.add("a RECORD without an ID, which got its number", where)
        id = str(number)
    texts = record.findall("TEXT")
    if len(texts) != 1:
        raise FormatError(f"{where}: expected one element TEXT")
    if len(record) > 1:
        how.remarks.add("elements other than TEXT in a RECORD, not read", where, len(record) - 1)
    spans: list[Span] = []
    pieces = [texts[0].text or ""]
    size = len(pieces[0])
    for phi in texts[0]:
        inside, after = phi.text or "", phi.tail or ""
        if (label := phi.get("TYPE")) is not None:
            info = {f"attr:{name}": value for name, value in phi.attrib.items() if name != "TYPE"}
            spans.append(
                Span(size, size + len(inside), label, info=info) if info else Span(size, size + len(inside), label)
            )
        elif how.lenient:
            how.remarks.add("skipped: a PHI without TYPE", where)
        else:
            raise FormatError(f"{where}: PHI {len(spans) + 1} has no TYPE; --lenient skips such spans")
        pieces += [inside, after]
        size += len(inside) + len(after)
    return _without_frame("".join(pieces), id, spans, record)


def _without_frame(content: str, id: str, spans: list[Span], record: Element) -> Document:
    opening, text, ending = frame(content)
    if spans and (spans[0].start < len(opening) or spans[-1].end > len(opening) + len(text)):
        opening, text, ending = "", content, ""  # it is not a frame if a span is in it
    shift = len(opening)
    info = {f"attr:{name}": value for name, value in record.attrib.items() if name != "ID"}
    if opening != OPENING:
        info["opening"] = opening
    if ending != ENDING:
        info["ending"] = ending
    moved = tuple(replace(span, start=span.start - shift, end=span.end - shift) for span in spans)
    return Document(text, id, spans=moved, info=info) if info else Document(text, id, spans=moved)


def frame(content: str) -> tuple[str, str, str]:
    """What stands in a TEXT, as the line break before the note, the note, and the end mark."""
    opening = OPENING if content.startswith(OPENING) else ""
    end = END.search(content, len(opening))
    cut = end.start() if end else len(content)
    return opening, content[len(opening) : cut], content[cut:]


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    with writing(path) as stream:
        stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n')
        for document in documents:
            stream.write(_record(document, remarks).encode())
        stream.write(b"</ROOT>\n")


def _record(document: Document, remarks: Remarks) -> str:
    where, text = document.name, document.text
    opening, ending = document.info.get("opening", OPENING), document.info.get("ending", ENDING)
    if frame(opening + text + ending) != (opening, text, ending):
        remarks.add("a frame of a text that could be taken for the text, written as usual", where)
        opening, ending = OPENING, ENDING
    opened = xml.attributes({"ID": document.id, **xml.extra_attributes(document.info, ["ID"], remarks, where)}, where)
    pieces = [f"<RECORD {opened}>\n<TEXT>", xml.content(opening, where)]
    at = 0
    xml.check(text, where)  # here, so that the offset in the message is that of the note
    for span in document.spans:
        extra = xml.extra_attributes(span.info, ["TYPE"], remarks, where)
        phi = f"<PHI {xml.attributes({'TYPE': span.label, **extra}, where)}>"
        pieces += [xml.content(text[at : span.start], where), phi]
        pieces += [xml.content(text[span.start : span.end], where), "</PHI>"]
        at = span.end
    pieces += [xml.content(text[at:], where), xml.content(ending, where), "</TEXT>\n</RECORD>\n"]
    return "".join(pieces)


def sniff(sample: Sample) -> str:
    found = re.search(r"<ROOT[\s>]", sample.head) and RECORD.search(sample.head) and TEXT.search(sample.head)
    return "root element <ROOT> with <RECORD ID> and <TEXT>" if found else ""


FORMATS = (
    Format(
        "i2b2-2006",
        "i2b2 2006 XML",
        suffix=".xml",
        folder=False,
        holds=Holds(
            info=frozenset({"opening", "ending", "attr:*"}),
            span_info=frozenset({"attr:*"}),
            overlaps=False,
            order=False,
        ),
        read=read,
        write=write,
        sniff=sniff,
        tag_set="i2b2-2006",
    ),
)
