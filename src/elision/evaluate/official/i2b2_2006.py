"""i2b2 2006 (Uzuner 2007): tokens and instances of PHI, by type and against non-PHI. Approximate.

The challenge's own program is not public, so these scores follow its description: the released texts are split into
tokens by white space, a token is PHI of a type if a span of that type covers part of it, and an instance is a whole
span, right if its boundaries and its type are. Every block says in its name that it is approximate.

A note that the system left out counts as a note without spans.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence

from elision.document import Document
from elision.evaluate.matching import Pair, pair_up
from elision.evaluate.official import Block, by_id, compare, total
from elision.evaluate.tally import Counts

Key = tuple[int, int]
Typed = tuple[Key, str]
Keys = Callable[[Document], set[Typed]]

_TOKEN = re.compile(r"\S+")


def score(gold: Iterable[Document], system: Iterable[Document]) -> list[Block]:
    """Token and instance level, each over all types, as PHI against non-PHI, and for each type."""
    pairs = pair_up(by_id(gold, "gold").values(), by_id(system, "system").values()).all()
    return [*_level("Token", pairs, _tokens), *_level("Instance", pairs, _instances)]


def _level(level: str, pairs: Sequence[Pair], keys: Keys) -> list[Block]:
    sides = {gold.id: (keys(gold), keys(system)) for gold, system in pairs}
    types = sorted({type for pair in sides.values() for side in pair for _, type in side})
    return [
        _block(f"{level} (approximate)", {id: compare(g, s) for id, (g, s) in sides.items()}),
        _block(
            f"{level}, PHI or not (approximate)",
            {id: compare({key for key, _ in g}, {key for key, _ in s}) for id, (g, s) in sides.items()},
        ),
        *(
            _block(
                f"{level} {type} (approximate)",
                {id: compare(_of(type, g), _of(type, s)) for id, (g, s) in sides.items()},
            )
            for type in types
        ),
    ]


def _tokens(document: Document) -> set[Typed]:
    """The tokens that a span touches, with its type; a token that two types touch stands there twice."""
    tokens = [match.span() for match in _TOKEN.finditer(document.text)]
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    return {
        (token, span.label)
        for span in document.spans
        if span.start < span.end
        for token in tokens[bisect_right(ends, span.start) : bisect_left(starts, span.end)]
    }


def _instances(document: Document) -> set[Typed]:
    return {((span.start, span.end), span.label) for span in document.spans}


def _of(type: str, side: set[Typed]) -> set[Typed]:
    return {key for key in side if key[1] == type}


def _block(name: str, per_document: Mapping[str, Counts]) -> Block:
    counts = total(per_document)
    p, r, f = counts.precision, counts.recall, counts.f1
    printed = {"Precision": f"{p:.4f}", "Recall": f"{r:.4f}", "F1": f"{f:.4f}"}
    return Block(name, per_document, counts, p, r, f, printed)
