"""XML without its dangers: no DTD, no entities of a file's own, and texts that come back as they went in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NoReturn
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser
from xml.parsers.expat import ErrorString

from elision.errors import CannotHoldError, FormatError
from elision.formats.files import read_bytes, read_text
from elision.formats.format import Reading, Remarks

# All that XML 1.0 has no way to write, not even as a character reference.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_CONTENT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})


class _DoctypeError(Exception):
    """A document type declaration was met; carries how messages call it."""


class _Builder(TreeBuilder):
    """Builds the tree and stops at a DTD, which is where entities (and entity bombs) are declared."""

    def doctype(self, name: str, *_: object) -> NoReturn:
        raise _DoctypeError(f"DOCTYPE {name}" if re.fullmatch(r"[\w.:-]{1,40}", name) else "DOCTYPE")


def parse(data: bytes | str, where: str) -> Element:
    """The root element; a DTD is refused before anything in it is expanded, and no message quotes the text."""
    parser = XMLParser(target=_Builder())  # noqa: S314 (the builder refuses what this rule warns of)
    try:
        parser.feed(data)
        root: Element = parser.close()
    except _DoctypeError as refused:
        raise FormatError(
            f"{where}: refused the document type declaration ({refused}): DTDs and entity declarations are not read, "
            "as they can make a small file huge or fetch other files; take the declaration out"
        ) from None
    except ParseError as error:
        line, column = error.position
        raise FormatError(
            f"{where}: not valid XML at line {line:,}, column {column + 1:,}: {ErrorString(error.code)}{_hint(data)}"
        ) from None
    except UnicodeEncodeError:
        raise FormatError(f"{where}: half a character (a lone surrogate) cannot stand in XML") from None
    except (LookupError, ValueError):
        raise FormatError(f"{where}: the encoding that the XML declaration names is not one that can be read") from None
    return root


def _hint(data: bytes | str) -> str:
    """Bytes of another encoding are the commonest reason why good-looking XML is not valid."""
    try:
        _ = data if isinstance(data, str) else data.decode()
    except UnicodeDecodeError:
        return "; if the file has another encoding than it declares, say so (--encoding cp1252)"
    return ""


def read(file: Path, how: Reading) -> Element:
    """The root element of a file. The file's own declaration names the encoding, unless the reader is told another."""
    if how.encoding == "utf-8":
        return parse(read_bytes(file, how), str(file))
    return parse(read_text(file, how), str(file))


def check(text: str, where: str) -> str:
    """The text, if XML can hold it."""
    if found := FORBIDDEN.search(text):
        raise CannotHoldError(
            f"{where}: the character U+{ord(found[0]):04X} at offset {found.start():,} cannot stand in XML; "
            "write these notes in another format (jsonl, brat)"
        )
    return text


def attribute(value: str, where: str) -> str:
    """A value as it stands between double quotes, with line breaks and tabs that a parser would flatten escaped."""
    return check(value, where).translate(_ATTRIBUTE)


def content(text: str, where: str) -> str:
    """Text as it stands in an element."""
    return check(text, where).translate(_CONTENT)


def cdata(text: str, where: str) -> str:
    """Text as CDATA. `]]>` is split over two sections; CR stands between sections, or a parser would make it LF."""
    inside = check(text, where).replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{inside}]]>"


def attributes(values: Mapping[str, str], where: str) -> str:
    """A tag's attributes as they stand in it: `id="P1" start="30"`."""
    return " ".join(f'{name}="{attribute(value, where)}"' for name, value in values.items())


def extra_attributes(info: Mapping[str, str], taken: Iterable[str], remarks: Remarks, where: str) -> dict[str, str]:
    """The attributes that were kept in an info as `attr:NAME`; those that cannot be written are remarked."""
    extra: dict[str, str] = {}
    for key, value in info.items():
        if key.startswith("attr:"):
            name = key.removeprefix("attr:")
            if name in taken or name.lower().startswith("xml") or not is_name(name):
                remarks.add("XML does not hold attributes whose name is no XML name or has a meaning of its own", where)
            else:
                extra[name] = value
    return extra


@lru_cache(1024)
def is_name(name: str) -> bool:
    """Whether an element or attribute can have this name (without a namespace)."""
    if not re.fullmatch(r"[\w.-]+", name):
        return False
    try:
        parse(f"<{name}/>", "")
    except FormatError:
        return False
    return True
