"""Putting pieces with spans into others' text: sentences, lines, headers, names in place of "the patient"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import NamedTuple

from elision.document import Span
from elision.errors import SynthError
from elision.languages.base import folder
from elision.languages.synth import Piece
from elision.languages.synth_data import language_named
from elision.languages.synth_lists import HELD_OUT
from elision.synth.cast import Cast
from elision.synth.expand import Expander
from elision.synth.grammar import HELD_OUT as HELD_OUT_FILE
from elision.synth.noise import pairs
from elision.synth.placeholders import Hole
from elision.synth.reading import parse, read_grammar
from elision.synth.slots import check

# The end of a sentence: letters and a full stop, but no title.
_AFTER_SENTENCE = re.compile(
    r"(?<=[^\W\d_]{2}[.])(?<!\b(?:Mr|Ms|Dr|St|Sr|Mw|Jr|vs|No|no)\.)(?<!\b(?:Mrs|Dra|Sra|Dhr|dhr|drs|Drs|Rev|Ave)\.)"
    r"(?<!\b(?:Prof|mevr|Mevr|Dres)\.) (?=[^\W\d_])(?=[^a-zà-ÿ])|(?<=[。；])(?=\S)"
)
_LINE = re.compile(r"(?<=[^\n])\n")


class Fill(NamedTuple):
    """`text[start:end]` becomes these pieces."""

    start: int
    end: int
    pieces: Sequence[Piece]


def compose(text: str, spans: Iterable[Span], fills: Iterable[Fill]) -> tuple[str, list[Span]]:
    """Put pieces into a text; spans that stand there move along, and those that a fill touches go."""
    ordered = sorted(fills, key=lambda row: (row.start, row.end))
    out: list[str] = []
    made: list[Span] = []
    at = length = 0
    waiting = sorted(spans, key=lambda span: span.start)
    for start, end, pieces in [*ordered, Fill(len(text), len(text), ())]:
        if start < at:
            continue
        while waiting and waiting[0].start < start:
            span = waiting.pop(0)
            if span.start >= at and span.end <= start:
                made.append(
                    replace(span, start=span.start - at + length, end=span.end - at + length, score=1.0, source="")
                )
        out.append(text[at:start])
        length += start - at
        for piece in pieces:
            if piece.label and piece.text:
                made.append(Span(length, length + len(piece.text), piece.label, info=piece.info or {}))
            out.append(piece.text)
            length += len(piece.text)
        at = end
    return "".join(out), made


def cut(text: str, spans: Iterable[Span], unknown: Sequence[Hole]) -> tuple[str, list[Span]]:
    """The text without the sentences or lines in which nobody can tell what is missing."""
    fills: list[Fill] = []
    for hole in unknown:
        line = text.rfind("\n", 0, hole.start) + 1
        stop = text.find("\n", hole.end)
        stop = len(text) if stop < 0 else stop
        begin = max((match.end() for match in _AFTER_SENTENCE.finditer(text, line, hole.start)), default=line)
        ended = _AFTER_SENTENCE.search(text, hole.end, stop)
        if not fills or fills[-1].end <= begin:
            fills.append(Fill(begin, ended.end() if ended else stop, ()))
        else:
            fills[-1] = Fill(fills[-1].start, max(fills[-1].end, ended.end() if ended else stop), ())
    return compose(text, spans, fills)


@cache
def _sentences(code: str, side: str) -> Expander:
    """The grammar of what is put in: symbols header, footer, line and aside."""
    name = f"{HELD_OUT_FILE if side == HELD_OUT else ''}inject.grammar"
    path = folder(code, "synth", name)
    if not path.is_file():
        raise SynthError(f"{path}: is not there, so nothing can be put into notes in this language; try --no-insert")
    grammar = read_grammar(path)
    check(grammar, language_named(code))
    missing = [name for name in ("header", "footer", "line", "aside") if name not in grammar.symbols]
    if missing:
        raise SynthError(f"{path}: has no symbol {missing[0]}; what is put in are header, footer, line and aside")
    return Expander(grammar)


@cache
def _instead(code: str) -> tuple[tuple[str, Expander], ...]:
    """Words such as "the patient", and what may stand in their place."""
    rows = pairs(code, "instead").items()
    made = [(words, parse(f"note = {text}", f"{code}/lists/instead.txt")) for words, text in rows]
    for _, grammar in made:
        check(grammar, language_named(code))
    return tuple((words, Expander(grammar)) for words, grammar in made)


def inserted(text: str, spans: list[Span], cast: Cast, rng: Random, side: str) -> tuple[str, list[Span]]:
    """Names in place of "the patient", sentences between sentences, lines between lines, a header, a footer."""
    sentences = _sentences(cast.language.code, side)
    taken = {place for span in spans for place in range(span.start, span.end)}
    fills: list[Fill] = []
    for words, way in _instead(cast.language.code):
        pattern = rf"(?<!\w){re.escape(words)}(?!\w)" if cast.language.spaced else re.escape(words)
        fills += [
            Fill(*match.span(), _pieces(way, cast, "note"))
            for match in re.finditer(pattern, text)
            if rng.random() < 0.25 and taken.isdisjoint(range(*match.span()))
        ]
    rate = rng.choice((0.02, 0.06, 0.12))
    for place, symbol, joint in (
        (_AFTER_SENTENCE, "aside", " " if cast.language.spaced else ""),
        (_LINE, "line", "\n"),
    ):
        fills += [
            Fill(match.end(), match.end(), [*_pieces(sentences, cast, symbol), Piece(joint)])
            for match in place.finditer(text)
            if rng.random() < rate and match.start() not in taken
        ]
    if rng.random() < 0.6:
        fills.append(Fill(0, 0, [*_pieces(sentences, cast, "header"), Piece("\n\n")]))
    if rng.random() < 0.6:
        fills.append(
            Fill(
                len(text),
                len(text),
                [Piece("\n" if text.endswith("\n") else "\n\n"), *_pieces(sentences, cast, "footer")],
            )
        )
    return compose(text, spans, fills)


def _pieces(way: Expander, cast: Cast, symbol: str) -> list[Piece]:
    text, spans = way.expand(cast, symbol)
    pieces, at = [], 0
    for span in spans:
        pieces += [Piece(text[at : span.start]), Piece(text[span.start : span.end], span.label, span.info)]
        at = span.end
    return [*pieces, Piece(text[at:])]
