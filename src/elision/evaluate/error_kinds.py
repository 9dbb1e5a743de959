"""Why a system misses an identifier or marks another text, as far as the text itself tells: the scheme of Trienes 2020.

The paper sorted errors by reading them. A program can tell some kinds by their form, in this order, and each error has
one kind:

- tokenisation: the span begins or ends inside a token, so no system that tags tokens can find it
- prefix: gold and system differ only by an article before the name, such as "de" or "het"
- abbreviation: a name of up to five capitals, or with full stops between them
- common language: words in small letters, without a digit
- other: all else

What only a reader can tell is among them or in "other": what is ambiguous or debatable, and what the annotators missed
or cut wrongly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from elision.document import Document, Span
from elision.evaluate.matching import Pair
from elision.text.tokens import Tokens, tokenize

KINDS = ("abbreviation", "prefix", "common language", "other", "tokenisation")
ARTICLES = frozenset(("de", "het", "een", "'t", "the", "a", "an", "el", "la", "los", "las"))
_SHORT = re.compile(r"(?=.*[A-Z])(?:[A-Z]{1,5}|(?:[A-Z][a-z]?\.-?){1,6}[A-Z]?)")

Cut = Callable[[str, str], Tokens]


class Counts(NamedTuple):
    """Errors by kind: what was missed, and what was found that is none."""

    missed: Counter[str]
    spurious: Counter[str]


def count_kinds(pairs: Iterable[Pair], cut: Cut = tokenize) -> Counts:
    """The kinds of all errors. Gold that was not found exactly is missed; what gold has not exactly is spurious."""
    counts = Counts(Counter(), Counter())
    for gold, system in pairs:
        tokens = cut(gold.text, gold.language)
        edges = {*tokens.starts.tolist(), *tokens.ends.tolist()}
        counts.missed.update(_kinds(gold, system, edges))
        counts.spurious.update(_kinds(system, gold, edges))
    return counts


def _kinds(note: Document, other: Document, edges: set[int]) -> Iterator[str]:
    """The kinds of the spans of one side that the other has not exactly."""
    there = {(span.start, span.end, span.label) for span in other.spans}
    for start, end, label in sorted({(span.start, span.end, span.label) for span in note.spans} - there):
        yield kind_of(note, Span(start, end, label), other.spans, edges)


def kind_of(note: Document, span: Span, others: Sequence[Span], edges: set[int]) -> str:
    """The kind of one error. `others` are the spans of the other side, `edges` where tokens begin and end."""
    words = note.text_of(span)
    if span.start not in edges or span.end not in edges:
        return "tokenisation"
    if any(_only_article(note.text, span, other) for other in others):
        return "prefix"
    if _SHORT.fullmatch(words.strip()):
        return "abbreviation"
    letters = any(character.isalpha() for character in words)
    if letters and words == words.lower() and not any(character.isdigit() for character in words):
        return "common language"
    return "other"


def _only_article(text: str, one: Span, other: Span) -> bool:
    """Whether two spans of one label differ by an article at the beginning, and by nothing else."""
    if one.end != other.end or one.label != other.label or one.start == other.start:
        return False
    return text[min(one.start, other.start) : max(one.start, other.start)].strip().lower() in ARTICLES
