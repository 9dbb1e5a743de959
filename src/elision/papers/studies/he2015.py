"""He 2015: a CRF on the notes of i2b2 2014. Tables 3 to 8, Figures 2 and 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import groupby

from elision.evaluate.breakdown import Row as Counted
from elision.evaluate.breakdown import label_rows, parent_rows
from elision.evaluate.error_tables import distribution_of, error_matrix_of, extent_table_of
from elision.evaluate.official import i2b2_2014
from elision.labels import tag_set
from elision.papers.presets import HE_GROUPS
from elision.papers.studies.scored import PRF, Scored, Scores, of_blocks
from elision.papers.studies.study import TEST, TRAIN, Cell, Corpus, Item, Made, Part, Row, Run, Study, Table

NAME = "he2015"
NOTES = Corpus(
    "i2b2-2014",
    "i2b2 2014",
    "en",
    "i2b2-2014",
    Made("i2b2-2014-like", (400, 250), (60, 32)),
    without=("OTHER",),
)
BEST, TOKENS, NOTHING = "unofficial run 2", "without preprocessing", "white space alone"
GROUPS = ("lexical", "lexical and orthographic")  # the third set of features is the best run
OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "best official run": {"run": "official"},
    "unofficial run 1": {"run": "unofficial1"},
    BEST: {},
}
LEVELS = {
    "i2b2 token": "Token",
    "i2b2 strict": "Strict",
    "i2b2 relaxed": "Relaxed",
    "HIPAA token": "HIPPA Token",  # as the official program spells it
    "HIPAA strict": "HIPAA Strict",
    "HIPAA relaxed": "HIPAA Relaxed",
}
CATEGORIES = ("NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID")
SYSTEMS = {
    "comparison system: OpenNLP's tokens alone": TOKENS,
    "comparison system: white space alone": NOTHING,
    "WI-deId": BEST,
}
SETS = {**{name: name for name in GROUPS}, "lexical, orthographic and dictionary": BEST}


def _run(name: str, **options: object) -> Run:
    return Run(name, "he2015", Part(NOTES.name, TRAIN), Part(NOTES.name, TEST), options)


RUNS = (
    *(_run(name, **how) for name, how in OFFICIAL.items()),
    _run(TOKENS, preprocessing="tokens"),
    _run(NOTHING, preprocessing="none"),
    *(_run(name, groups=HE_GROUPS[: at + 1]) for at, name in enumerate(GROUPS)),
)


def table3(item: Item, scores: Scores) -> Table:
    rows = []
    for run in OFFICIAL:
        scored = scores.of(run)
        blocks = i2b2_2014.score(scored.gold, scored.system)
        for level, block in LEVELS.items():
            name = f"{run}, {level}"
            rows.append(Row(name, scores.cells(item.key, name, PRF, of_blocks(level, blocks, block))))
    return item.table(
        PRF,
        rows,
        scores.gain("Unofficial run 2 against the official run, strict F1", "best official run", BEST, "+0.0380"),
        scores.gain("Unofficial run 2 against run 1, strict F1", "unofficial run 1", BEST, "+0.0052"),
    )


def table4(item: Item, scores: Scores) -> Table:
    scored = scores.of(BEST)
    trained = Counter(span.label for note in scored.train for span in note.spans)
    order = {label: at for at, label in enumerate(tag_set(NOTES.labels).tags)}
    labels = sorted(label_rows(scored.counts, scored.group), key=lambda row: order.get(row.label, len(order)))
    whole = {row.label: row for row in parent_rows(scored.counts, scored.group)}
    columns = ("train", "gold", "system", "agree", *PRF)
    rows = []
    for category, members in groupby((row for row in labels if row.gold), key=lambda row: row.parent):
        own = list(members)
        if category not in {row.label for row in own} or len(own) > 1:
            rows += [_counted(item, scores, f"{category}: {row.label}", row, trained[row.label], scored) for row in own]
        total = sum(count for label, count in trained.items() if scored.group(label) == category)
        rows.append(_counted(item, scores, category, whole[category], total, scored, kind="parent"))
    return item.table(columns, rows, "A main category counts all its labels as one, as in the paper.")


def _counted(
    item: Item, scores: Scores, name: str, row: Counted, trained: int, scored: Scored, kind: str = "strict"
) -> Row:
    counts = {"train": trained, "gold": row.gold, "system": row.system, "agree": row.agree}
    found = [scored.figures[f"{kind}.{row.label}.{each}"] for each in ("precision", "recall", "f1")]
    return Row(name, (*scores.counted(item.key, name, counts), *scores.cells(item.key, name, PRF, found)))


def _by_category(item: Item, scores: Scores, systems: Mapping[str, str], columns: tuple[str, ...]) -> list[Row]:
    """F1 of each main category, and of all."""
    rows = []
    for name, run in systems.items():
        figures = scores.of(run).figures
        found = [
            figures["strict.f1"] if each in ("total", "F1") else figures.get(f"parent.{each}.f1") for each in columns
        ]
        rows.append(Row(name, scores.cells(item.key, name, columns, found)))
    return rows


def table5(item: Item, scores: Scores) -> Table:
    columns = (*CATEGORIES, "total")
    return item.table(
        columns,
        _by_category(item, scores, SYSTEMS, columns),
        scores.gain("Preprocessing, against OpenNLP's tokens alone", TOKENS, BEST, "+0.0594"),
        scores.gain("Preprocessing, against white space alone", NOTHING, BEST, "none"),
        "The paper says that its comparison system lacks the preprocessing module, and not how that one finds tokens.",
    )


def table6(item: Item, scores: Scores) -> Table:
    found = distribution_of(scores.of(BEST).errors)
    rows = []
    for name in ("type", "extent", "missing", "spurious"):
        part = getattr(found, name)
        share = Cell(part.percent, scores.published(item.key, name, "share"), form="percent")
        rows.append(Row(name, (*scores.counted(item.key, name, {"errors": part.number}), share)))
    return item.table(("errors", "share"), rows)


def table7(item: Item, scores: Scores) -> Table:
    found = error_matrix_of(scores.of(BEST).errors)
    order = {label: at for at, label in enumerate(tag_set(NOTES.labels).tags)}
    at = sorted(range(len(found.labels)), key=lambda at: order.get(found.labels[at], len(order)))
    names = [found.labels[each] for each in at]
    columns = (*names, "missing", "total")
    rows = []
    for place, name in zip(at, names, strict=True):
        counts = [found.counts[place][each] for each in at]
        row = [*counts, found.missing[place].number, found.row_totals[place]]
        rows.append(Row(name, scores.counted(item.key, name, dict(zip(columns, row, strict=True)))))
    last: list[float | None] = [*(found.spurious[each].number for each in at), None, found.spurious_total]
    rows.append(Row("spurious", scores.counted(item.key, "spurious", dict(zip(columns, last, strict=True)))))
    return item.table(columns, rows, "Gold labels down, the system's across. Extent errors stand in Table 8 only.")


def table8(item: Item, scores: Scores) -> Table:
    found = extent_table_of(scores.of(BEST).errors)
    rows = []
    for name, row in [*((row.label, row) for row in found.rows), ("total", found.total)]:
        counts = {"short": row.short, "long": row.long, "short and long": row.short_and_long, "total": row.total}
        rows.append(Row(name, scores.counted(item.key, name, counts)))
    return item.table(("short", "long", "short and long", "total"), rows)


def figure2(item: Item, scores: Scores) -> Table:
    rows = _by_category(item, scores, SETS, CATEGORIES)
    first, second = ({c: cell.value for c, cell in zip(CATEGORIES, row.cells, strict=True)} for row in rows[:2])
    told = ("LOCATION", "more than 5"), ("CONTACT", "more than 8"), ("ID", "more than 4")
    gains = [
        f"Orthographic features, {name}: {100 * (after - before):+.1f} points of F1 here; published: {points}."
        for name, points in told
        if (before := first[name]) is not None and (after := second[name]) is not None
    ]
    return item.table(CATEGORIES, rows, *gains)


def figure3(item: Item, scores: Scores) -> Table:
    lexical, orthographic = GROUPS
    return item.table(
        ("F1",),
        _by_category(item, scores, SETS, ("F1",)),
        scores.gain("Orthographic features", lexical, orthographic, "a gain that only the picture tells"),
        scores.gain("Dictionary features", orthographic, BEST, "a gain that only the picture tells"),
    )


ITEMS = (
    Item("table3", "Table 3: the best official run and two unofficial runs", tuple(OFFICIAL), table3),
    Item("table4", "Table 4: each label, i2b2 strict", (BEST,), table4),
    Item("table5", "Table 5: F1 with and without preprocessing", tuple(SYSTEMS.values()), table5),
    Item("table6", "Table 6: errors by kind", (BEST,), table6),
    Item("table7", "Table 7: type, missing and spurious errors", (BEST,), table7),
    Item("table8", "Table 8: extent errors by the label of the system", (BEST,), table8),
    Item("figure2", "Figure 2: F1 of main categories by features", tuple(SETS.values()), figure2, plot="bars"),
    Item("figure3", "Figure 3: F1 by features", tuple(SETS.values()), figure3, plot="lines"),
)
STUDY = Study(
    NAME,
    "He et al. 2015, CRFs based de-identification of medical records",
    (NOTES,),
    RUNS,
    ITEMS,
    "Parts of speech are ours, of Universal Dependencies; the paper's are of Penn, by GENIA.",
)
