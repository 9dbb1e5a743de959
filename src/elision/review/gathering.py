"""The notes to review: a folder or file in any format, what a run wrote, or the sample of an audit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elision.document import Document, Span
from elision.errors import HeldError, ReviewError
from elision.evaluate.audit.marks import texts_of
from elision.evaluate.audit.population import Population
from elision.evaluate.audit.sample import PLAN, read_plan
from elision.formats import Format, Reading, read
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.review.risk import risk_of
from elision.run.detecting import COLUMNS, detect
from elision.run.how import How
from elision.run.local.finished import finished

WITHHELD = 1000.0  # the risk of a note that a run would withhold: nobody knows what is in it


@dataclass(frozen=True, slots=True)
class Gathered:
    """Notes with what was predicted, the risk of each, and those that could not be looked at, with the reason."""

    documents: tuple[Document, ...]
    risks: tuple[float, ...]
    withheld: dict[str, str]


def notes_in(source: Path, format: Format | str | None, how: Reading) -> Iterator[Document]:
    """The notes at a place."""
    if (source / PLAN).is_file():
        plan = read_plan(source)
        for name, text in texts_of(source, plan, how).items():
            yield Document(text, name)
        return
    if run := finished(str(source)):
        if run.columns.texts:
            columns = Columns(texts=run.columns.texts, id=run.columns.id)
            for note in Population(open_source(run.out), columns):
                yield Document(note.text, note.id)
            return
        source = Path(run.out)
    yield from read(source, format or None, how)


def gathered(documents: Sequence[Document], how: How | None) -> Gathered:
    """Notes with their own spans if any has some; else with what elision finds. `how` says how it looks."""
    if not documents:
        raise ReviewError("there are no notes to review; give a folder or a file with notes")
    if how is None or any(document.spans for document in documents):
        return Gathered(tuple(documents), tuple(risk_of(document.spans) for document in documents), {})
    spans: dict[int, tuple[Span, ...]] = {}
    withheld: dict[int, str] = {}
    for at, found in detect(documents, how):
        if isinstance(found, HeldError):
            withheld[at] = str(found)
        else:
            spans[at] = tuple(found)
    return Gathered(
        tuple(document.with_spans(spans.get(at, ())) for at, document in enumerate(documents)),
        tuple(WITHHELD if at in withheld else risk_of(spans[at]) for at in range(len(documents))),
        {documents[at].id: why for at, why in withheld.items()},
    )


def looking(language: str, default_language: str, effort: str, most: int) -> How:
    """How elision looks for what is predicted."""
    return How(COLUMNS, language=language, default_language=default_language, effort=effort, most=most)
