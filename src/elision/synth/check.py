"""`python -m elision.synth.check LANGUAGE [GRAMMAR]`: read a language's grammars, say what is wrong, show a note."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from elision.document import Document
from elision.errors import ElisionError
from elision.merge import merge
from elision.synth.cast import Cast, Setting
from elision.synth.expand import Expander
from elision.synth.grammar import HELD_OUT, Grammar
from elision.synth.language import language_named
from elision.synth.lists import HELD_OUT as HELD_OUT_SIDE
from elision.synth.lists import TRAIN
from elision.synth.profiles import GRAMMARS, begins_a_note
from elision.synth.reading import read_grammar
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
    grammars: dict[Path, Grammar] = {}
    for path in sorted((GRAMMARS / code).glob("*.grammar")):
        if only and path.stem != only:
            continue
        if not begins_a_note(path):
            continue
        try:
            grammars[path] = grammar = read_grammar(path)
            check(grammar, language)
            side = HELD_OUT_SIDE if path.stem.startswith(HELD_OUT) else TRAIN
            yield from _tried(path.stem, grammar, Setting(language, side, 1, tuple(language.countries)), notes)
        except ElisionError as error:
            yield f"WRONG {error}"
    held = [grammar for path, grammar in grammars.items() if path.stem.startswith(HELD_OUT)]
    for path, grammar in grammars.items():
        if not path.stem.startswith(HELD_OUT):
            for other in held:
                yield from (f"WRONG the same text on both sides: {places}" for places in shared(grammar, other))


def _tried(name: str, grammar: Grammar, setting: Setting, notes: int) -> Iterator[str]:
    expander = Expander(grammar)
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
