"""Small grammars and casts for the tests of made notes."""

from __future__ import annotations

from pathlib import Path
from random import Random

from elision.document import Document, Span
from elision.languages.synth_data import language_named
from elision.synth.cast import Cast, Setting
from elision.synth.check import marked
from elision.synth.expand import Expander
from elision.synth.reading import parse
from elision.synth.slots import check


def setting(side: str = "train", countries: tuple[str, ...] = ("US",), language: str = "en", seed: int = 1) -> Setting:
    return Setting(language_named(language), side, seed, countries)


def cast(number: int = 0, visit: int = 0, *, of: Setting | None = None, rng: int | None = None) -> Cast:
    return Cast(of or setting(), number, visit, Random(number if rng is None else rng))


def expand(grammar: str, by: Cast | None = None) -> tuple[str, list[Span]]:
    """The text and spans of a small grammar."""
    read = parse(grammar)
    check(read, language_named("en"))
    return Expander(read).expand(by or cast())


def expanded(grammar: str, by: Cast | None = None) -> str:
    """A small grammar's text with its spans in brackets."""
    text, spans = expand(grammar, by)
    return marked(Document(text, spans=tuple(spans)))


def pieces(text: str, spans: list[Span]) -> list[tuple[str, str]]:
    return [(span.label, text[span.start : span.end]) for span in spans]


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.grammar").write_text(text, "utf-8")
    return folder
