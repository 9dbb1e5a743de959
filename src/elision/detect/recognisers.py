"""A detector in a line: a pattern of Python's `re`, or a function from a text to spans.

Both see the original text. What they find always counts. A find that cannot be (beyond the text, turned round, not of
three parts) holds the note. A pattern of `re` may be slow on some texts: give `Deidentifier` limits, or write a rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from inspect import Parameter, signature
from operator import index

from elision.document import Document, Span, documents_of
from elision.errors import HeldError, LabelError
from elision.labels import canonical

Find = Span | tuple[int, int, str]
Recognise = Callable[[str], Iterable[Find]]


class Recogniser:
    """`Recogniser(re.compile(r"\\bW-\\d{6}\\b"), "MEDICAL_RECORD")`, or `Recogniser(function)`.

    The identifier is the pattern's only group, or all that it matches. A group that is named by a label needs no label
    beside the pattern. A function gives spans, or triples of start, end and label.
    """

    version = ""

    def __init__(self, looks: re.Pattern[str] | Recognise, label: str = "", *, name: str = "") -> None:
        if isinstance(looks, re.Pattern):
            self.name = name or "pattern"
            self._find = _by_pattern(looks, label)
        elif callable(looks):
            if label:
                raise LabelError("a function says the label of each find itself; leave label out")
            self.name = name or str(getattr(looks, "__qualname__", type(looks).__qualname__))
            self._find = looks
        else:
            raise TypeError(f"a recogniser is a re.Pattern or a function of a text, not {type(looks).__name__}")

    def __repr__(self) -> str:
        return f"<Recogniser: {self.name}>"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [tuple(self._spans(document.text)) for document in documents_of(documents)]

    def _spans(self, text: str) -> Iterator[Span]:
        for found in self._find(text):
            span = found if isinstance(found, Span) else self._span(*found)
            if span.end > len(text):
                raise HeldError(f"{self.name}: span-beyond-text")
            yield span

    def _span(self, start: int, end: int, label: str) -> Span:
        if not isinstance(label, str):
            raise TypeError("a label is a str")
        return Span(index(start), index(end), label, source=self.name)


def takes_text(function: Callable[..., object]) -> bool:
    """Whether a function says that it takes a text: its first parameter is a str, or is called text."""
    try:
        first = next(iter(signature(function).parameters.values()), None)
    except (TypeError, ValueError):
        return False
    if first is None:
        return False
    return first.annotation in (str, "str") or (first.annotation is Parameter.empty and first.name == "text")


def _by_pattern(pattern: re.Pattern[str], label: str) -> Recognise:
    if not isinstance(pattern.pattern, str):
        raise TypeError("a pattern of bytes finds nothing in a text; compile it from a str")
    groups = {name: number for name, number in pattern.groupindex.items() if name in canonical()}
    if label:
        if label not in canonical():
            near = get_close_matches(label.upper(), canonical(), 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise LabelError(f"no label {label[:40]!r}{hint}; see `elision labels`")
        groups = {label: 1 if pattern.groups == 1 else 0}
    if not groups:
        raise LabelError(
            "a pattern needs a label: Recogniser(pattern, 'MEDICAL_RECORD'), or a group of that name, "
            "(?P<MEDICAL_RECORD>…); see `elision labels`"
        )

    def find(text: str) -> Iterator[Find]:
        for match in pattern.finditer(text):
            for name, number in groups.items():
                if match.start(number) < match.end(number):
                    yield match.start(number), match.end(number), name

    return find
