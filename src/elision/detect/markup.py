"""A note as it reads without its markup, with the way back to offsets.

`Jane</b>&nbsp;<b>Doe` is a name, and `05&#47;03&#47;1958` a date, to whoever reads the note in a browser. Detectors
look at such a note twice: as it stands, since an attribute may name somebody, too, and as it reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from html.entities import html5
from unicodedata import category

from elision.document import Document, Span
from elision.errors import HeldError
from elision.text.fold import Folded, viewed

Found = tuple[Span, ...] | HeldError
Move = tuple[int, int, str]

# What marks letters within a line leaves nothing behind; all else ends a line, or a cell of one.
_INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i",
    "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt",
    "u", "var", "wbr",
))  # fmt: skip
_CELL = frozenset(("td", "th"))
_LINE = frozenset((
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "div", "dl",
    "dt", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
    "hr", "html", "label", "legend", "li", "main", "nav", "ol", "option", "p", "pre", "section", "select",
    "table", "tbody", "tfoot", "thead", "title", "tr", "ul",
))  # fmt: skip
# All bounded, and none reaches beyond the next `<`: time is linear, whatever stands in the text.
_WORTH = re.compile(r"<[A-Za-z/!]|&[A-Za-z#]")
_ENTITY = re.compile(
    r"&(?:amp;){0,5}(#[0-9]{1,7};?|#[xX][0-9A-Fa-f]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};|(?:nbsp|amp|lt|gt|quot)(?![A-Za-z]))"
)
_TAG = re.compile(
    r"</?([A-Za-z][A-Za-z0-9:._-]{0,40})"
    r"(?:\s{1,40}[A-Za-z_:][A-Za-z0-9_:.-]{0,40}\s{0,9}=\s{0,9}"
    r"(?:\"[^\"<>]{0,500}\"|'[^'<>]{0,500}'|[^\s\"'<>]{1,300})){0,20}"
    r"\s{0,40}/?>|<!--[^<>]{0,500}-->"
)
_CLOSING = re.compile(r"</([A-Za-z][A-Za-z0-9:._-]{0,40})\s{0,40}>")


def unmarked(text: str) -> Folded | None:
    """A text with its entities decoded and its tags gone, or None where there are none."""
    if ("<" not in text and "&" not in text) or not _WORTH.search(text):
        return None
    view = Folded(text, None, None)
    for moves in (_entities, _tags):
        if found := list(moves(view.text)):
            view = view.then(viewed(view.text, found))
    return None if view.starts is None else view


def bare(text: str) -> str:
    """A text as it reads without markup."""
    view = unmarked(text)
    return text if view is None else view.text


def _entities(text: str) -> Iterator[Move]:
    if "&" in text:
        for match in _ENTITY.finditer(text):
            name = match[1]
            if name[0] == "#" or name in html5 or f"{name};" in html5:
                yield match.start(), match.end(), _shown(unescape(f"&{name.rstrip(';')};"))


def _shown(characters: str) -> str:
    """What a reader sees of these: nothing of what only hides, and of any blank a blank."""
    seen = "".join(character for character in characters if category(character) != "Cf")
    return " " if seen.isspace() and seen not in "\t\r\n" else seen


def _tags(text: str) -> Iterator[Move]:
    if "<" not in text:
        return
    closed = {match[1].lower() for match in _CLOSING.finditer(text)}
    for match in _TAG.finditer(text):
        name = (match[1] or "!").lower()
        if name in _INLINE or name == "!":
            yield match.start(), match.end(), ""
        elif name in _LINE:
            yield match.start(), match.end(), "\n"
        elif name in _CELL:
            yield match.start(), match.end(), "\t"
        elif name in closed:  # <name>, of nobody's HTML, is markup if something closes it
            yield match.start(), match.end(), " "


class Views:
    """Notes, and behind them those that have markup once more, without it."""

    def __init__(self, documents: Sequence[Document]) -> None:
        views = [(at, view) for at, document in enumerate(documents) if (view := unmarked(document.text))]
        self._views = views
        self._many = len(documents)
        again = [replace(documents[at], text=view.text, spans=(), joints=()) for at, view in views]
        self.documents: Sequence[Document] = [*documents, *again] if again else documents

    def forth(self, found: Sequence[Sequence[Span]]) -> Sequence[Sequence[Span]]:
        """The spans of the notes, and as they lie in those without markup."""
        return [*found, *(tuple(_moved(found[at], view.folded)) for at, view in self._views)] if self._views else found

    def back(self, found: Sequence[Found]) -> list[Found]:
        """What was found in the notes, with what was found in them without markup; what is held in one way, is held."""
        joined = list(found[: self._many])
        for (at, view), again in zip(self._views, found[self._many :], strict=True):
            first = joined[at]
            if isinstance(first, HeldError):
                continue
            joined[at] = again if isinstance(again, HeldError) else (*first, *_moved(again, view.original))
        return joined


def _moved(spans: Iterable[Span], way: Callable[[int, int], tuple[int, int]]) -> Iterator[Span]:
    for span in spans:
        start, end = way(span.start, span.end)
        if start < end:
            yield replace(span, start=start, end=end)
