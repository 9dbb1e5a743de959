"""Notes made of what the packs prove: hundreds of ways to write each identifier, with their spans."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from elision.document import Document, Span
from elision.languages.base import COMMON
from elision.rules import pack_names, read_pack
from elision.rules.proofs import marked
from elision.rules.row import NOT


@cache
def sentences(language: str) -> list[tuple[str, tuple[tuple[int, int], ...], str]]:
    """Text, stretches, label for each hit of the language's rows, and harmless phrases with no stretch."""
    made = []
    for name in (language, COMMON):
        pack = read_pack(name)
        for row in pack.rows:
            if row.label != NOT:
                made += [(*_of(hit), row.label) for hit in row.hits]
        made += [(phrase, (), "") for phrase in pack.clean]
    return made


def _of(hit: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    text, stretches = marked(hit)
    return text, tuple(stretch for stretch in stretches if stretch[1] > stretch[0])


def generated(count: int, seed: int = 0, most: int = 12) -> list[Document]:
    """Notes in four languages, some of one patient, all of whose spans are theirs."""
    rng = random.Random(seed)
    names = pack_names()
    notes = []
    for number in range(count):
        language = names[number % len(names)]
        text, spans = "", list[Span]()
        for sentence, stretches, label in rng.choices(sentences(language), k=rng.randint(1, most)):
            spans += [Span(len(text) + start, len(text) + end, label, 0.95) for start, end in stretches]
            text += sentence + rng.choice("\n \n\n")
        patient = f"p{number // 8}" if rng.random() < 0.7 else ""
        notes.append(Document(text, f"n{number}", patient, language, tuple(spans)))
    return notes


def gold(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
    """A detector that finds what there is."""
    return [document.spans for document in documents]
