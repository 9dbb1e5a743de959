"""Zuccon 2013: a CRF with families of features, on American and Australian notes. Its four questions, and Figure 1."""

from __future__ import annotations

from collections.abc import Mapping

from elision.papers.presets import ZUCCON_BEST
from elision.papers.studies.scored import Scores
from elision.papers.studies.study import ALL, TEST, TRAIN, Cell, Corpus, Item, Made, Part, Row, Run, Study, Table

NAME = "zuccon2013"
MEAN = "strict.average_f1"
LABELS = ("DOCTOR", "PATIENT", "HOSPITAL", "LOCATION", "DATE", "PHONE", "ID")
AMERICAN = Corpus(
    "american",
    "i2b2 2006",
    "en",
    "i2b2-2006",
    Made("i2b2-2006-like", (300, 100), (40, 24)),
    without=("AGE",),
)
AUSTRALIAN = Corpus(
    "australian",
    "228 pathology reports of New South Wales",
    "en",
    "i2b2-2006",
    Made("au-pathology", (114, 114), (24, 16)),
    without=("AGE",),
)
US, SWAPPED, AU = Part("american", TRAIN), Part("american", TEST), Part("australian", ALL)

# Rows of the grid are sets of families beside "basic"; columns say which of the two special families comes to them.
SETS: Mapping[str, tuple[str, ...]] = {
    "basic": (),
    "basic and names": ("names",),
    "basic and disjunctive": ("disjunctive",),
    "basic and short n-grams": ("short-grams",),
    "basic and short words": ("short-words",),
    "basic and position": ("position",),
    "all six": ("names", "disjunctive", "short-grams", "short-words", "position"),
}
WITH: Mapping[str, tuple[str, ...]] = {
    "neither": (),
    "parts of speech": ("pos",),
    "patterns": ("patterns",),
    "both": ("pos", "patterns"),
}
BEST, EVERYTHING = "all six, patterns", "all six, both"
LESS, FOREIGN, FOLDS = "trained on the test notes", "tried on Australian notes", "10-fold on Australian notes"


def _run(name: str, families: tuple[str, ...], train: Part = US, test: Part = SWAPPED, folds: int = 0) -> Run:
    return Run(name, "zuccon2013", train, test, {"families": families}, folds)


GRID = {
    f"{row}, {column}": ("basic", *more, *special) for row, more in SETS.items() for column, special in WITH.items()
}
RUNS = (
    *(_run(name, families) for name, families in GRID.items()),
    _run(LESS, ZUCCON_BEST, SWAPPED, US),
    _run(FOREIGN, ZUCCON_BEST, US, AU),
    _run(FOLDS, ZUCCON_BEST, AU, AU, folds=10),
)


def _by_label(item: Item, scores: Scores, rows: Mapping[str, str]) -> tuple[tuple[str, ...], list[Row]]:
    """F1 of each label that gold has, and their plain mean, as the paper averages."""
    there = [label for label in LABELS if any(f"strict.{label}.f1" in scores.of(run).figures for run in rows.values())]
    columns = (*there, "mean")
    made = []
    for name, run in rows.items():
        figures = scores.of(run).figures
        found = [figures.get(f"strict.{label}.f1") for label in there]
        made.append(Row(name, scores.cells(item.key, name, columns, [*found, figures[MEAN]])))
    return columns, made


def rq1(item: Item, scores: Scores) -> Table:
    rows = [
        Row(
            name,
            scores.cells(
                item.key,
                name,
                tuple(WITH),
                [scores.of(f"{name}, {column}").figures[MEAN] for column in WITH],
            ),
        )
        for name in SETS
    ]
    best = max(GRID, key=lambda name: scores.of(name).figures[MEAN].value)
    return item.table(
        tuple(WITH),
        rows,
        f"Best here: {best}. Published: {BEST}.",
        scores.gain("All but parts of speech against all, mean F1", EVERYTHING, BEST, "a gain", MEAN),
        scores.gain("Patterns beside the six families", "all six, neither", BEST, "the largest gain", MEAN),
        "The paper prints its grid nowhere: it names the best cell, and shows the others as points.",
    )


def rq2(item: Item, scores: Scores) -> Table:
    rows = {"trained on the training notes": BEST, LESS: LESS}
    columns, made = _by_label(item, scores, rows)
    sizes = [len(scores.of(run).train) for run in rows.values()]
    return item.table(columns, made, f"Trained on {sizes[0]:,} notes, and on {sizes[1]:,}; the paper: 669 and 220.")


def rq3(item: Item, scores: Scores) -> Table:
    columns, made = _by_label(item, scores, {"trained on American notes, tried on Australian ones": FOREIGN})
    at_home = scores.of(BEST).figures[MEAN].value
    away = scores.of(FOREIGN).figures[MEAN].value
    return item.table(columns, made, f"Loss away from home, mean F1: {away - at_home:+.4f} here; published: -0.6440.")


def rq4(item: Item, scores: Scores) -> Table:
    columns, made = _by_label(item, scores, {FOLDS: FOLDS})
    home, away = (scores.of(run).figures[MEAN].value for run in (FOLDS, FOREIGN))
    return item.table(
        columns, made, f"Training on Australian notes, mean F1: {home - away:+.4f} here; published: +0.3670."
    )


def figure1(item: Item, scores: Scores) -> Table:
    columns, rows = _by_label(item, scores, {name: name for name in GRID})
    best = "best of the 2007 challenge (Wellner 3)"
    told = tuple(Cell(None, scores.published(item.key, best, column)) for column in columns)
    return item.table(columns, [*rows, Row(best, told)])


ITEMS = (
    Item("rq1", "RQ1: mean F1 by families of features", tuple(GRID), rq1),
    Item("rq2", "RQ2: F1 with fewer notes to train on", (BEST, LESS), rq2),
    Item("rq3", "RQ3: F1 on notes of another country, scanned", (BEST, FOREIGN), rq3),
    Item("rq4", "RQ4: F1 in 10-fold cross-validation on scanned notes", (FOREIGN, FOLDS), rq4),
    Item("figure1", "Figure 1: F1 by label, for every set of features", tuple(GRID), figure1, plot="dots"),
)
STUDY = Study(
    NAME,
    "Zuccon et al. 2013, Automatic de-identification of electronic health records: an Australian perspective",
    (AMERICAN, AUSTRALIAN),
    RUNS,
    ITEMS,
    "Ages are left out, as in the paper. The mean is over labels, whatever their numbers.",
)
