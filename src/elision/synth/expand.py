"""From a grammar and a cast to a text with spans."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

from elision.document import Info, Span
from elision.synth.cast import Cast
from elision.synth.grammar import START, Grammar, Part, Ref, Repeat, Slot, soonest
from elision.synth.slots import fill

MOST_DEEP = 60  # beyond, the way that ends soonest is taken
MOST_LONG = 200_000  # characters of a note
_TRIES = 4
_NO_INFO: Info = {}


class Rows(NamedTuple):
    """A symbol's alternatives, ready to be drawn from."""

    parts: tuple[tuple[Part, ...], ...]
    ends: tuple[float, ...]  # cumulated weights


class Expander:
    """A grammar with its weights, ready to make texts. `weights` overrules the file's, for the rates of labels."""

    def __init__(self, grammar: Grammar, weights: Mapping[str, tuple[float, ...]] | None = None) -> None:
        self.grammar = grammar
        self.rows = {
            name: Rows(
                tuple(row.parts for row in rows),
                tuple(accumulate(weights[name] if weights else (row.weight for row in rows))),
            )
            for name, rows in grammar.symbols.items()
        }

    def expand(self, cast: Cast, symbol: str = START) -> tuple[str, list[Span]]:
        """A text and its spans."""
        writing = _Writing(self, cast)
        writing.symbol(symbol, 0)
        return "".join(writing.pieces), writing.spans


class _Writing:
    """A note while it is being written."""

    __slots__ = ("cast", "draw", "gap", "grammar", "length", "pieces", "rows", "spans")

    def __init__(self, expander: Expander, cast: Cast) -> None:
        self.grammar, self.rows, self.cast, self.draw = expander.grammar, expander.rows, cast, cast.rng.random
        self.pieces: list[str] = []
        self.spans: list[Span] = []
        self.length = 0
        self.gap = False  # something that was left out stood here: two blanks become one

    def write(self, text: str) -> None:
        if self.gap:
            self.gap = False
            if text[:1] == " " and (not self.pieces or self.pieces[-1][-1] in " \n\t("):
                text = text[1:]
        if text:
            self.pieces.append(text)
            self.length += len(text)

    def symbol(self, name: str, depth: int) -> None:
        rows = self.rows[name]
        if len(rows.parts) == 1:
            at = 0
        elif depth > MOST_DEEP or self.length > MOST_LONG:
            at = soonest(self.grammar.symbols[name], self.grammar.depths)
        else:
            at = bisect(rows.ends, self.draw() * rows.ends[-1])
        for part in rows.parts[at]:
            if isinstance(part, str):
                self.write(part)
            elif isinstance(part, Slot):
                self.slot(part, depth)
            elif isinstance(part, Ref):
                before = self.length
                self.symbol(part.symbol, depth + 1)
                self.gap = self.gap or self.length == before
            else:
                self.repeat(part, depth)

    def slot(self, slot: Slot, depth: int) -> None:
        if slot.what == "mark":
            self.mark(slot, depth)
            return
        for text, label, info in fill(self.cast, slot):
            if not label:
                self.write(text)
            elif text:
                self.gap = False
                self.spans.append(Span(self.length, self.length + len(text), label, info=info or _NO_INFO))
                self.pieces.append(text)
                self.length += len(text)

    def mark(self, slot: Slot, depth: int) -> None:
        """A symbol as one span, whatever spans it would have had."""
        start, spans = self.length, len(self.spans)
        self.gap = False
        self.symbol(slot.forms[1], depth + 1)
        del self.spans[spans:]
        if self.length > start:
            self.spans.append(Span(start, self.length, slot.forms[0]))

    def repeat(self, part: Repeat, depth: int) -> None:
        """Several of a symbol, none of them twice where that can be had."""
        wanted = part.least + int(self.draw() * (part.most - part.least + 1))
        seen: set[str] = set()
        for _ in range(wanted):
            for _ in range(_TRIES):
                pieces, spans, length = len(self.pieces), len(self.spans), self.length
                if seen:
                    self.write(part.joint)
                mark = len(self.pieces)
                self.symbol(part.symbol, depth + 1)
                text = "".join(self.pieces[mark:])
                if text and text not in seen:
                    seen.add(text)
                    break
                del self.pieces[pieces:], self.spans[spans:]
                self.length = length
        if not seen:
            self.gap = True
