"""`python -m elision.synth.check LANGUAGE [GRAMMAR]`: read a language's grammars, say what is wrong, show a note."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

from elision.document import Document
from elision.errors import ElisionError
from elision.languages.base import folder
from elision.languages.synth_data import language_named
from elision.languages.synth_lists import HELD_OUT as HELD_OUT_SIDE
from elision.languages.synth_lists import TRAIN
from elision.merge import merge
from elision.synth.cast import Cast, Setting
from elision.synth.expand import Expander
from elision.synth.grammar import HELD_OUT, Grammar
from elision.synth.profiles import grammars_in
from elision.synth.reading import read_grammars
from elision.synth.slots import check

LEAST_SHARED = 25  # characters of an alternative that must not stand on both sides


def marked(document: Document) -> str:
    """A note as it reads, with its spans in brackets."""
    text, at = document.text, 0
    pieces: list[str] = []
    for span in merge(document.spans):
        pieces += (text[at : span.start], f"[{span.label} {text[span.start : span.end]}]")
        at = span.end
    return "".join([*pieces, text[at:]])


def shared(one: Grammar, other: Grammar) -> Iterator[str]:
    """Places of alternatives whose longer pieces of text stand in both grammars."""
    texts = {
        part.strip(): row.where
        for rows in one.symbols.values()
        for row in rows
        for part in row.parts
        if isinstance(part, str) and len(part.strip()) >= LEAST_SHARED
    }
    for rows in other.symbols.values():
        for row in rows:
            for part in row.parts:
                if isinstance(part, str) and part.strip() in texts:
                    yield f"{row.where} and {texts[part.strip()]}"


def check_language(code: str, only: str = "", notes: int = 200) -> Iterator[str]:
    """What is wrong with the grammars of a language, line by line; a note of each, as it reads."""
    language = language_named(code)
    grammars: list[Grammar] = []
    for path in grammars_in(folder(code, "synth")):
        if only and path.stem != only:
            continue
        try:
            read = read_grammars(path)
            grammars += read
            for grammar in read:
                check(grammar, language)
                side = HELD_OUT_SIDE if grammar.name.startswith(HELD_OUT) else TRAIN
                setting = Setting(language, side, 1, tuple(language.countries))
                yield from _tried(grammar, setting, max(1, notes // len(read)))
        except ElisionError as error:
            yield f"WRONG {error}"
    held = [grammar for grammar in grammars if grammar.name.startswith(HELD_OUT)]
    for grammar in grammars:
        if not grammar.name.startswith(HELD_OUT):
            for other in held:
                yield from (f"WRONG the same text on both sides: {places}" for places in shared(grammar, other))


def _tried(grammar: Grammar, setting: Setting, notes: int) -> Iterator[str]:
    expander, name = Expander(grammar), grammar.name
    size = count = 0
    for number in range(notes):
        text, spans = expander.expand(Cast(setting, number, 0, Random(number)))  # noqa: S311
        size += len(text)
        count += len(spans)
        for span in spans:
            piece = text[span.start : span.end]
            if piece != piece.strip() or not piece:
                yield f"WRONG {name}: a span of {span.label} is empty or has a blank at its edge"
        if number == 0:
            yield f"--- {name}\n{marked(Document(text, spans=tuple(spans)))}"
    yield f"--- {name}: {size / notes:,.0f} characters and {count / notes:.1f} spans a note"


if __name__ == "__main__":
    for line in check_language(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""):
        print(line)  # noqa: T201
