"""Zhao 2018, text skeletons and recurrent networks (TS-RNN). Tables 1 to 4, Figures 5 to 9."""

from __future__ import annotations

from collections.abc import Mapping

from elision.evaluate.corpus import describe
from elision.papers.studies.published import published
from elision.papers.studies.scored import PRF, Scores
from elision.papers.studies.study import ALL, TEST, TRAIN, Cell, Corpus, Item, Made, Part, Row, Run, Study, Table

NAME = "ts-rnn"
PER_PATIENT = 20
FIRST, SECOND, CHINESE = "i2b2-2006", "i2b2-2014", "chinese"
CORPORA = (
    Corpus(FIRST, "i2b2 2006", "en", FIRST, Made("i2b2-2006-like", (220, 220), (20, 12), per_patient=2)),
    Corpus(SECOND, "i2b2 2014", "en", SECOND, Made("i2b2-2014-like", (290, 290), (20, 12)), without=("OTHER",)),
    Corpus(
        CHINESE,
        "9,700 records of a maternity hospital",
        "zh",
        FIRST,
        Made("zh-maternity", (740, 740), (20, 12), per_patient=PER_PATIENT),
    ),
)
FACTOR = {FIRST: 0.25, SECOND: 0.10, CHINESE: 0.14}  # r, of the skeleton
SYSTEMS = {"CRF": "liu2015", "Bi-LSTM": "bi-lstm", "Bi-GRU": "bi-gru", "TS-GRU": "ts-gru"}
RULES = f"{CHINESE}, rules"
FACTORS = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40)
WINDOWS = (1, 3, 5, 7, 9, 11)
OTHERS = {FIRST: ("Wellner",), SECOND: ("Nottingham", "MIST", "CRF + ANN"), CHINESE: ()}  # as the paper cites them
SHARES = ("ID", "DATE", "HOSPITAL", "DOCTOR", "PATIENT", "AGE")
AS_ID = {"MEDICALRECORD", "IDNUM", "DEVICE", "BIOID", "SSN", "ACCOUNT", "LICENSE", "HEALTHPLAN", "VEHICLE"}


def _run(name: str, corpus: str, preset: str, **options: object) -> Run:
    if corpus == CHINESE:
        options["words"] = True  # the paper's notes are cut into words before they are annotated
    return Run(name, preset, Part(corpus, TRAIN), Part(corpus, TEST), options)


def _systems(corpus: str) -> list[Run]:
    return [
        _run(f"{corpus}, {system}", corpus, preset, **({"r": FACTOR[corpus]} if preset == "ts-gru" else {}))
        for system, preset in SYSTEMS.items()
    ]


BEST = f"{FIRST}, TS-GRU"
BY_FACTOR = {f"r = {r:.2f}": BEST if r == FACTOR[FIRST] else f"TS-GRU, r = {r:.2f}" for r in FACTORS}
BY_WINDOW = {f"window {size}": BEST if size == 7 else f"TS-GRU, window {size}" for size in WINDOWS}
RUNS = (
    *(run for corpus in FACTOR for run in _systems(corpus)),
    Run(RULES, "zhao2018-rules", Part(CHINESE, TRAIN), Part(CHINESE, TEST)),
    *(_run(run, FIRST, "ts-gru", r=r) for run, r in zip(BY_FACTOR.values(), FACTORS, strict=True) if run != BEST),
    *(
        _run(run, FIRST, "ts-gru", r=FACTOR[FIRST], window=size)
        for run, size in zip(BY_WINDOW.values(), WINDOWS, strict=True)
        if run != BEST
    ),
)


def table1(item: Item, scores: Scores) -> Table:
    found = {name: describe(scores.part(name, ALL)) for name in item.corpora}
    counts = {
        "records": {name: each.notes for name, each in found.items()},
        "tokens": {name: each.tokens for name, each in found.items()},
        "identifiers": {name: each.spans for name, each in found.items()},
        "tokens of identifiers": {name: each.identifier_tokens for name, each in found.items()},
        "vocabulary": {name: each.vocabulary for name, each in found.items()},
    }
    rows = [Row(name, scores.counted(item.key, name, of)) for name, of in counts.items()]
    for label in SHARES:
        cells = []
        for name, each in found.items():
            wanted = {label, *(AS_ID if label == "ID" else ())}
            share = 100 * sum(row.share for row in each.labels if row.label in wanted)
            cells.append(Cell(share, scores.published(item.key, label, name), form="percent"))
        rows.append(Row(label, tuple(cells)))
    return item.table(item.corpora, rows, "Tokens are elision's, finer than words; in Chinese, single characters.")


def table2(item: Item, scores: Scores) -> Table:
    rows = []
    for corpus in (FIRST, SECOND):
        figures = scores.of(f"{corpus}, TS-GRU").figures
        found = [figures["strict.f1"], figures["token.f1"]]
        rows.append(Row(corpus, scores.cells(item.key, corpus, ("entity", "token"), found)))
    return item.table(("entity", "token"), rows)


def _three(item: Item, scores: Scores, runs: Mapping[str, str], level: str = "binary_token") -> list[Row]:
    """Precision, recall and F1 of runs."""
    rows = []
    for name, run in runs.items():
        found = [scores.of(run).figures[f"{level}.{each}"] for each in ("precision", "recall", "f1")]
        rows.append(Row(name, scores.cells(item.key, name, PRF, found)))
    return rows


def table3(item: Item, scores: Scores) -> Table:
    rows = []
    for corpus, others in OTHERS.items():
        for other in others:
            told = published(NAME, item.key)[f"{corpus}, {other}"]
            rows.append(Row(f"{corpus}, {other}", tuple(Cell(None, told[each]) for each in PRF)))
        rows += _three(item, scores, {name: name for name in (f"{corpus}, {system}" for system in SYSTEMS)})
    gains = []
    for corpus in FACTOR:
        ours, plain = (published(NAME, item.key)[f"{corpus}, {system}"]["F1"] for system in ("TS-GRU", "Bi-GRU"))
        what, a, b = f"The skeleton on {corpus}, F1 of binary tokens", f"{corpus}, Bi-GRU", f"{corpus}, TS-GRU"
        gains.append(scores.gain(what, a, b, f"{ours - plain:+.4f}", "binary_token.f1"))
    return item.table(PRF, rows, *gains)


def table4(item: Item, scores: Scores) -> Table:
    columns = tuple(f"{level} {name}" for level in ("entity", "token") for name in PRF)
    rows = []
    for name in ("rules", *SYSTEMS):
        figures = scores.of(f"{CHINESE}, {name}").figures
        found = [figures[f"{level}.{each}"] for level in ("strict", "token") for each in ("precision", "recall", "f1")]
        rows.append(Row(name, scores.cells(item.key, name, columns, found)))
    return item.table(columns, rows)


def figure5(item: Item, scores: Scores) -> Table:
    rows = _three(item, scores, BY_FACTOR)
    return item.table(PRF, rows, f"Best here: {_best(rows)}; published: r from 0.15 to 0.35, and poor at 0.05.")


def figure6(item: Item, scores: Scores) -> Table:
    rows = _three(item, scores, BY_WINDOW)
    return item.table(PRF, rows, f"Best here: {_best(rows)}; published: rising to 7, and flat from there.")


def _best(rows: list[Row]) -> str:
    best = max(rows, key=lambda row: row.cells[-1].value or 0.0)
    return best.name if best.cells[-1].value else "none"


def by_category(item: Item, scores: Scores) -> Table:
    """Tokens of each label by TS-GRU: Figures 7 to 9."""
    scored = scores.of(item.runs[0])
    tally = scored.counts.tokens.tally()
    labels = tuple(label for label in tally.labels if tally.of(label).gold.any())
    rows = []
    for name, each in zip(PRF, ("precision", "recall", "f1"), strict=True):
        found = [scored.figures[f"token.{label}.{each}"] for label in labels]
        rows.append(Row(name, scores.cells(item.key, name, labels, found)))
    return item.table(labels, rows)


IN_CHINESE = (RULES, *(f"{CHINESE}, {system}" for system in SYSTEMS))
ITEMS = (
    Item("table1", "Table 1: the corpora", (), table1, corpora=tuple(FACTOR)),
    Item("table2", "Table 2: F1 of TS-GRU", tuple(f"{corpus}, TS-GRU" for corpus in (FIRST, SECOND)), table2),
    Item(
        "table3",
        "Table 3: binary tokens",
        tuple(f"{corpus}, {system}" for corpus in FACTOR for system in SYSTEMS),
        table3,
    ),
    Item("table4", "Table 4: Chinese notes, entities and tokens", IN_CHINESE, table4),
    Item("figure5", "Figure 5: binary tokens by the factor r", tuple(BY_FACTOR.values()), figure5, plot="lines"),
    Item("figure6", "Figure 6: binary tokens by the window", tuple(BY_WINDOW.values()), figure6, plot="lines"),
    *(
        Item(f"figure{at}", f"Figure {at}: {corpus} by category", (f"{corpus}, TS-GRU",), by_category, plot="bars")
        for at, corpus in zip((7, 8, 9), FACTOR, strict=True)
    ),
)
STUDY = Study(
    NAME,
    "Zhao et al. 2018, De-identification of medical records by text skeletons and recurrent networks (TS-RNN)",
    CORPORA,
    RUNS,
    ITEMS,
    "The paper has no list of its CRF's features: liu2015 stands for it. Networks learn in one thread.",
)
