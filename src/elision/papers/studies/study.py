"""What a paper's experiments are made of: corpora, runs, tables and figures. All of it is data, and small functions.

A run is trained once and scored by every table that names it. A figure is a table with a plot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from elision.papers.studies.scored import Scores

TRAIN, TEST, DEV, ALL = "train", "test", "dev", "all"


@dataclass(frozen=True, slots=True)
class Made:
    """Made notes that stand for a corpus nobody can have: how many to train on and to test on."""

    profile: str
    notes: tuple[int, int]
    quick: tuple[int, int]
    grammars: Mapping[str, float] = field(default_factory=dict)  # in place of the profile's own
    per_patient: int = 0  # 0: as the profile says


@dataclass(frozen=True, slots=True)
class Corpus:
    """Notes of one kind. `name` is what --data calls it, `means` the corpus of the paper."""

    name: str
    means: str
    language: str
    labels: str  # the tag set of the paper's tables
    made: Made
    test: str = TEST  # the part that is measured; MEDDOCAN's test part is never read
    without: tuple[str, ...] = ()  # labels that the paper does not look for


class Part(NamedTuple):
    """Notes of a corpus, or of several with + between: train, test, or all; of them perhaps only a share."""

    corpus: str
    part: str
    share: float = 1.0


def corpora_of(part: Part) -> list[str]:
    return part.corpus.split("+")


@dataclass(frozen=True, slots=True)
class Run:
    """A system to train on some notes and to try on others.

    `preset` is one of `elision train`, or a baseline that learns nothing. With `folds`, each part of `test` is tagged
    by a system trained on the others.
    """

    name: str
    preset: str
    train: Part
    test: Part
    options: Mapping[str, Any] = field(default_factory=dict)
    folds: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a table, its interval, and what the paper has in that place."""

    value: float | None
    published: float | None = None
    low: float | None = None
    high: float | None = None
    form: Literal["figure", "count", "percent"] = "figure"

    def shown(self, value: float | None) -> str:
        if value is None:
            return "–"
        if self.form == "count":
            return f"{value:,.0f}"
        return f"{value:.2f} %" if self.form == "percent" else f"{value:.4f}"


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the paper, made again; `notes` are sentences under it."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    plot: str = ""  # what draws it: bars, lines, dots or matrix

    def noting(self, *notes: str) -> Table:
        return replace(self, notes=(*self.notes, *filter(None, notes)))


@dataclass(frozen=True, slots=True)
class Item:
    """A table or figure: the runs that it needs, and how it is made from their scores."""

    key: str
    title: str
    runs: tuple[str, ...]
    make: Callable[[Item, Scores], Table]
    corpora: tuple[str, ...] = ()  # beside those of its runs
    plot: str = ""

    def table(self, columns: tuple[str, ...], rows: list[Row], *notes: str) -> Table:
        return Table(self.key, self.title, columns, tuple(rows), tuple(filter(None, notes)), self.plot)


@dataclass(frozen=True, slots=True)
class Study:
    """A paper: `name` on the command line, `title` as it is cited."""

    name: str
    title: str
    corpora: tuple[Corpus, ...]
    runs: tuple[Run, ...]
    items: tuple[Item, ...]
    says: str = ""  # what a reader should know of all tables

    def run(self, name: str) -> Run:
        return next(run for run in self.runs if run.name == name)

    def corpus(self, name: str) -> Corpus:
        return next(corpus for corpus in self.corpora if corpus.name == name)

    def tried_on(self, run: Run) -> Corpus:
        """The corpus, or the first of several alike, that a run is tried on."""
        return self.corpus(corpora_of(run.test)[0])

    def needed(self, items: tuple[Item, ...]) -> tuple[Run, ...]:
        """The runs of these tables, each once, in their order."""
        wanted = {name for item in items for name in item.runs}
        return tuple(run for run in self.runs if run.name in wanted)

    def read(self, items: tuple[Item, ...]) -> tuple[Corpus, ...]:
        """The corpora of these tables."""
        wanted = {name for item in items for name in item.corpora}
        parts = [part for run in self.needed(items) for part in (run.train, run.test)]
        wanted |= {name for part in parts for name in corpora_of(part)}
        return tuple(corpus for corpus in self.corpora if corpus.name in wanted)
