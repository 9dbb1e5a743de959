"""WebAnno TSV 3.3, which WebAnno and INCEpTION write: one note a file, a row for each token.

The text of a note stands sentence by sentence in `#Text=` lines. A sentence begins with its first token. Between two
sentences there is either nothing or one line break. So a sentence of elision's reaches up to the next token that begins
a line, and keeps all white space but that one line break. A span that cuts a token gets a sub-token. A span that begins
or ends in white space makes a token of that white space. Offsets count UTF-16 units.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from elision.document import Document, Span
from elision.errors import CannotHoldError
from elision.formats.atomic import write_text
from elision.formats.files import file_for, files_below, id_of, read_text
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.offsets import Offsets
from elision.formats.webanno_rows import DEFAULT_COLUMN, OPEN_END, OTHER, parse

Edges = list[tuple[int, int]]
TokenRow = tuple[tuple[int, int], list[str]]  # the edges of a token or sub-token, and the cells of the features

_TEXT = re.compile(r"[\\\x00-\x0a\x0c-\x1f]")
_TEXT_ESCAPES = {"\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\b": "\\b"}
_VALUE = re.compile(r"->|[][\\|_;*\t\n]")
_VALUE_ESCAPES = {"\t": "\\t", "\n": "\\n"}
_NAME = re.compile(r"[^\s|]+")


def escape_text(text: str) -> str:
    return _TEXT.sub(lambda match: _TEXT_ESCAPES.get(match[0], "\\" + match[0]), text)


def escape_value(value: str) -> str:
    return _VALUE.sub(lambda match: _VALUE_ESCAPES.get(match[0], "\\" + match[0]), value)


def read(path: Path, how: Reading) -> Iterator[Document]:
    for file in files_below(path, ".tsv"):
        yield parse(read_text(file, how).removeprefix("\ufeff"), id_of(file, path), str(file), how)


def write(documents: Iterable[Document], path: Path, _: Remarks) -> None:
    for document in documents:
        write_text(file_for(path, document.id, ".tsv"), print_tsv(document))


def print_tsv(document: Document) -> str:
    """The file for a document. Nothing may follow the last row: INCEpTION refuses a blank line there."""
    layer, features = _columns(document)
    lines = ["#FORMAT=WebAnno TSV 3.3", f"#T_SP={layer}|{'|'.join(features)}", ""]
    tokens = _tokens(document)
    rows = _rows(document.spans, tokens, features)
    units = Offsets(document.text, "utf-16")
    for number, (first, after) in enumerate(_sentences(document.text, tokens), 1):
        lines += _sentence_head(document.text, tokens, first, after)
        for index in range(first, after):
            for sub, ((start, end), cells) in enumerate(rows[index]):
                unit = f"{number}-{index - first + 1}" + (f".{sub}" if sub else "")
                surface = document.text[start:end]
                if surface.isspace():
                    surface = escape_text(surface)
                lines.append("\t".join((unit, f"{units.to(start)}-{units.to(end)}", surface, *cells, "")))
    return "\n".join(lines) + "\n"


def _sentences(text: str, tokens: Edges) -> Iterator[tuple[int, int]]:
    """(first token, token after the last) of each sentence; a token that begins a line begins a sentence."""
    first = 0
    for index, ((_, before), (start, _)) in enumerate(pairwise(tokens), 1):
        if "\n" in text[before:start]:
            yield first, index
            first = index
    if tokens:
        yield first, len(tokens)


def _sentence_head(text: str, tokens: Edges, first: int, after: int) -> list[str]:
    """The lines before a sentence's rows; its text goes up to the next sentence, but for a line break at the end."""
    end = tokens[after][0] if after < len(tokens) else len(text)
    closed = text[tokens[after - 1][1] : end].endswith("\n")
    mark = [] if closed or after < len(tokens) else [OPEN_END]
    body = text[tokens[first][0] : end - closed]
    return ["", *mark, *(f"#Text={escape_text(line)}" for line in body.split("\n"))]


def _columns(document: Document) -> tuple[str, list[str]]:
    """The layer and its features, the label's first; from `info` if the document came from another layer."""
    layer, _, feature = document.info.get("layer", "|".join(DEFAULT_COLUMN)).partition("|")
    others = {key.removeprefix(OTHER) for span in document.spans for key in span.info if key.startswith(OTHER)}
    features = [feature, *sorted(others - {feature})]
    for name in (layer, *features):
        if not _NAME.fullmatch(name):
            raise CannotHoldError(f"{document.name}: {name!r} cannot be the name of a layer or feature in WebAnno TSV")
    return layer, features


def _tokens(document: Document) -> Edges:
    """Our tokens, and as tokens, too, the white space that a span touches or with which the text begins."""
    from elision.text.tokens import tokenize  # with numpy

    text, spans = document.text, document.spans
    tokens = tokenize(text, document.language)
    starts, ends = sorted(span.start for span in spans), sorted(span.end for span in spans)
    if not text and spans:
        raise CannotHoldError(f"{document.name}: WebAnno TSV cannot hold a span in an empty text")
    found: Edges = []
    at = 0
    for start, end in [*zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True), (len(text), len(text))]:
        if at < start:
            begins = bisect_left(starts, start) > bisect_left(starts, at)  # at <= some start < start
            stops = bisect_right(ends, start) > bisect_right(ends, at)  # at < some end <= start
            if begins or stops or not at:
                found.append((at, start))
        if start < end:
            found.append((start, end))
        at = end
    return found


def _rows(spans: tuple[Span, ...], tokens: Edges, features: list[str]) -> list[list[TokenRow]]:
    """For each token its row and those of its sub-tokens."""
    on: list[dict[tuple[int, int], list[int]]] = [defaultdict(list) for _ in tokens]
    parts = [0] * len(spans)
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    for number, span in enumerate(spans):
        if span.start == span.end:  # the sub-token of no width at the end of the token before, or in it
            on[bisect_left(ends, span.start)][span.start, span.end].append(number)
            continue
        first, after = bisect_right(ends, span.start), bisect_left(starts, span.end)
        for index in range(first, after):
            on[index][max(span.start, starts[index]), min(span.end, ends[index])].append(number)
        parts[number] = after - first
    stacked = {number for units in on for numbers in units.values() if len(numbers) > 1 for number in numbers}
    named = [number for number in range(len(spans)) if parts[number] > 1 or number in stacked]
    ids = {number: f"[{id}]" for id, number in enumerate(named, 1)}

    def cell(numbers: list[int], feature: str, is_label: bool) -> str:
        values = (
            spans[number].label or None if is_label else spans[number].info.get(OTHER + feature) for number in numbers
        )
        cells = ("*" if value is None else escape_value(value) for value in values)
        return "|".join(value + ids.get(number, "") for value, number in zip(cells, numbers, strict=True)) or "_"

    return [
        [
            (edges, [cell(units.get(edges, []), feature, not place) for place, feature in enumerate(features)])
            for edges in [whole, *sorted(units.keys() - {whole}, key=lambda edges: (edges[0], -edges[1]))]
        ]
        for whole, units in zip(tokens, on, strict=True)
    ]


def sniff(sample: Sample) -> str:
    head = sample.head.removeprefix("\ufeff")
    return head.split("\n", 1)[0].strip()[1:] if head.startswith("#FORMAT=WebAnno TSV 3") else ""


FORMATS = (
    Format(
        "webanno-tsv",
        "WebAnno TSV 3.3, of INCEpTION and WebAnno",
        ".tsv",
        True,
        Holds(order=False, info=frozenset({"layer"}), span_info=frozenset({f"{OTHER}*"})),
        read,
        write,
        sniff,
    ),
)
