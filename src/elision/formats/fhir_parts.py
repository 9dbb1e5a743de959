"""FHIR's JSON and its Narrative, read and written so that all of it comes back.

Decimals of JSON keep their digits, and halves of characters stay. A Narrative is XHTML: to text and back.
"""

from __future__ import annotations

import json
import re
from html.entities import html5
from secrets import token_hex
from typing import Any
from xml.etree.ElementTree import Element

from elision.errors import FormatError
from elision.formats import xml
from elision.formats.files import parse_json

Resource = dict[str, Any]

# FHIR tells 1.10 from 1.1. Decimals are read as strings behind a mark that nothing in a file can be equal to.
DECIMAL = f"decimal {token_hex(16)} "


def parse(text: str, where: str) -> Resource:
    resource = parse_json(text, where)
    if not isinstance(resource, dict) or not isinstance(resource.get("resourceType"), str):
        raise FormatError(f"{where}: not a FHIR resource: there is no resourceType")
    kept: Resource = json.loads(text, parse_float=lambda number: DECIMAL + number)
    return kept


def dumps(resource: Resource, indent: int | None = None) -> str:
    text = json.dumps(resource, ensure_ascii=False, indent=indent)
    text = re.sub(f'"{DECIMAL}([^"]*)"', r"\1", text)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)  # which UTF-8 cannot hold


def kind(resource: Resource) -> str:
    """What to call a resource in a message."""
    stated = resource.get("resourceType")
    return stated if isinstance(stated, str) and re.fullmatch("[A-Za-z]{1,40}", stated) else "of an unknown type"


BLOCKS = frozenset(
    ("address", "article", "blockquote", "caption", "center", "dd", "div", "dl", "dt", "figure", "h1", "h2", "h3", "h4",
     "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul")
)  # fmt: skip
EXACT = "white-space: pre-wrap"  # the style by which a paragraph keeps its spaces and line breaks


def to_text(div: str, where: str) -> str:
    """The text of a Narrative as one reads it: blocks and <br/> begin lines, other white space is one blank."""
    lines = _Lines()
    # The tree is walked with a stack of its own, for it may be nested deeper than Python can call.
    waiting: list[tuple[Element | str | None, bool]] = [(xml.parse(re.sub(r"&(\w+);", _named, div), where), False)]
    while waiting:
        item, exact = waiting.pop()
        if item is None:
            lines.end_block()
        elif isinstance(item, str):
            lines.add(item, exact)
        else:
            name = str(item.tag).rpartition("}")[2].lower()
            exact = exact or name == "pre" or "pre-wrap" in item.get("style", "")
            if name == "br":
                lines.end_line()
            elif name in ("td", "th"):
                lines.add(" ", exact=False)
            block: list[tuple[Element | str | None, bool]] = [(None, False)] if name in BLOCKS else []
            inside: list[tuple[Element | str | None, bool]] = [(item.text or "", exact)]
            for child in item:
                inside += [(child, exact), (child.tail or "", exact)]
            waiting += reversed([*block, *inside, *block])
    return lines.text()


class _Lines:
    """Text that grows, with the white space of HTML: runs of it are one blank, and none at the edges of a line."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.blank = False  # a blank is due if more follows on this line
        self.line = False  # a new line is due if more follows

    def add(self, text: str, exact: bool) -> None:
        if exact:
            if text:
                self._due()
                self.pieces.append(text)
            return
        words = re.sub(r"[ \t\r\n\f]+", " ", text)
        self.blank = self.blank or words.startswith(" ")
        if words.strip(" "):
            self._due()
            self.pieces.append(words.strip(" "))
            self.blank = words.endswith(" ")

    def _due(self) -> None:
        begins = not self.pieces or self.pieces[-1].endswith("\n")
        if self.line and not begins:
            self.pieces.append("\n")
        elif self.blank and not begins:
            self.pieces.append(" ")
        self.blank = self.line = False

    def end_block(self) -> None:
        self.line, self.blank = True, False

    def end_line(self) -> None:
        self.blank = False
        self._due()
        self.pieces.append("\n")

    def text(self) -> str:
        return "".join(self.pieces)


def _named(entity: re.Match[str]) -> str:
    """HTML's named characters (&nbsp;), which XML does not know, as themselves; XML's own five stay."""
    known = html5.get(f"{entity[1]};", "")
    return entity[0] if not known or entity[1] in ("amp", "lt", "gt", "quot", "apos") else xml.content(known, entity[1])


def to_div(text: str, where: str) -> str:
    """A Narrative that says `text` and reads back as it."""
    lines = xml.content(text, where).split("\n")
    div = f'<div xmlns="http://www.w3.org/1999/xhtml"><p>{"<br/>".join(lines)}</p></div>'
    if to_text(div, where) == text:
        return div
    return div.replace("<p>", f'<p style="{EXACT}">', 1).replace("<br/>", "\n")
