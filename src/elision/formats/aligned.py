"""Tokens with tags, as CoNLL and Hugging Face files have them, put back on the text that they come from."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from elision.bio import OUTSIDE, decode
from elision.document import Document
from elision.errors import FormatError
from elision.formats.format import Reading

Edges = list[tuple[int, int]]
# BIO, IOB1 (I begins a span, B only separates neighbours), BIOES, BILOU and BMES, all as our two kinds.
_KINDS = {"B": "B", "S": "B", "U": "B", "I": "I", "M": "I", "E": "I", "L": "I"}
A_TAG_IS = f"a tag is {OUTSIDE}, or one of {' '.join(_KINDS)}, a hyphen and a label"
# What the tools of the Penn Treebank write for characters that it reserves.
_TREEBANK = {
    "-LRB-": ("(",), "-RRB-": (")",), "-LSB-": ("[",), "-RSB-": ("]",), "-LCB-": ("{",), "-RCB-": ("}",),
    "``": ('"', "“"), "''": ('"', "”"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tagged:
    """A document as such a file has it. Its text and edges may be missing."""

    id: str
    where: str  # how messages call the place in the file
    tokens: list[str]
    tags: list[str]  # B-, I- and O only, see `plain_tag`
    breaks: set[int] = field(default_factory=set)  # the tokens that begin a line
    text: str | None = None
    edges: Edges | None = None
    patient: str = ""
    language: str = ""


def plain_tag(tag: str) -> str:
    """A tag of any scheme as B-, I- or O; "" if it is not a tag."""
    if tag == OUTSIDE:
        return tag
    kind, _, label = tag.partition("-")
    return f"{_KINDS[kind]}-{label}" if label and kind in _KINDS else ""


def on_text(tagged: Tagged, how: Reading) -> Document:
    """The document, exact if the file or `how.texts` has the text; else with a rebuilt text, and a remark."""
    from elision.text.tokens import tokens_at  # with numpy

    text = how.texts.get(tagged.id) if tagged.text is None else tagged.text
    if text is None:
        text, edges = rebuild(tagged.tokens, tagged.breaks)
        how.remarks.add("text rebuilt from tokens; the white space between them is a guess", tagged.where)
    elif tagged.edges is not None:
        edges = check_edges(tagged.tokens, tagged.edges, text, tagged.where)
    else:
        edges = align(tagged.tokens, text, tagged.where)
    return Document(text, tagged.id, tagged.patient, tagged.language, decode(tagged.tags, tokens_at(edges)))


def align(tokens: Sequence[str], text: str, where: str) -> Edges:
    """Find each token in the text, in order; between them there may only be what tokenisers drop."""
    edges: Edges = []
    at = 0
    for number, token in enumerate(tokens, 1):
        forms = (token, *_TREEBANK.get(token, ()))
        while not text.startswith(forms, at):
            if at == len(text) or not _droppable(text[at]):
                raise FormatError(
                    f"{where}: token {number} is not in the text at offset {at}; is this the text of that note?"
                )
            at += 1
        form = next(form for form in forms if text.startswith(form, at))
        edges.append((at, at + len(form)))
        at += len(form)
    for rest in range(at, len(text)):
        if not _droppable(text[rest]):
            raise FormatError(f"{where}: the text goes on at offset {rest} after the last token; is a token missing?")
    return edges


def _droppable(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cf")


def rebuild(tokens: Sequence[str], breaks: Collection[int]) -> tuple[str, Edges]:
    """A text from tokens alone: one blank between them, a line break where a sentence begins."""
    pieces: list[str] = []
    edges: Edges = []
    at = 0
    for index, token in enumerate(tokens):
        if index:
            pieces.append("\n" if index in breaks else " ")
            at += 1
        pieces.append(token)
        edges.append((at, at + len(token)))
        at += len(token)
    return "".join(pieces), edges


def edges_of(starts: object, ends: object, where: str) -> Edges:
    """(start, end) pairs from two columns of JSON; anything but ascending offsets is an error."""
    if not (isinstance(starts, list) and isinstance(ends, list) and len(starts) == len(ends)):
        raise FormatError(f'{where}: "starts" and "ends" must be two lists of the same length')
    if any(type(offset) is not int for offset in (*starts, *ends)):
        raise FormatError(f'{where}: "starts" and "ends" must hold whole numbers')
    edges = list(zip(starts, ends, strict=True))
    at = 0
    for number, (start, end) in enumerate(edges, 1):
        if not at <= start < end:
            raise FormatError(f"{where}: the offsets of token {number} do not ascend")
        at = end
    return edges


def check_edges(tokens: Sequence[str], edges: Edges, text: str, where: str) -> Edges:
    """The edges, after a look whether the text has the tokens there."""
    if len(tokens) != len(edges):
        raise FormatError(f"{where}: {len(tokens)} tokens but offsets for {len(edges)}; they are not of the same note")
    for number, (token, (start, end)) in enumerate(zip(tokens, edges, strict=True), 1):
        if text[start:end] != token:
            raise FormatError(
                f"{where}: token {number} is not what the text has at {start}–{end}; "
                "were the tokens or the text changed after they were written?"
            )
    return edges
