"""Cotik 2019: a window classifier and a CRF on Spanish notes. Tables 1 and 2, Figure 2."""

from __future__ import annotations

from elision.bio import OUTSIDE
from elision.evaluate.breakdown import largest, token_confusion
from elision.evaluate.official import meddocan
from elision.papers.studies.scored import PRF, Scores, of_blocks
from elision.papers.studies.study import DEV, TEST, TRAIN, Cell, Corpus, Item, Made, Part, Row, Run, Study, Table
from elision.taggers.linear.sentences import sentences_in

NAME = "cotik2019"
NOTES = Corpus("meddocan", "MEDDOCAN", "es", "meddocan", Made("meddocan-like", (400, 200), (60, 40)), test=DEV)
WINDOW, CRF = "window", "CRF"
LEAST, LEAST_QUICK = 50, 10  # gold spans of a label in Table 2
TASKS = {"sub-task 1": meddocan.NER, "sub-task 2 strict": meddocan.STRICT, "sub-task 2 merged": meddocan.MERGED}

RUNS = (
    Run(WINDOW, "cotik2019-window", Part(NOTES.name, TRAIN), Part(NOTES.name, TEST), {"vectors": True}),
    Run(CRF, "cotik2019-crf", Part(NOTES.name, TRAIN), Part(NOTES.name, TEST)),
)


def table1(item: Item, scores: Scores) -> Table:
    rows = []
    known = meddocan.sentence_counts()
    for task, block in TASKS.items():
        for run in (WINDOW, CRF):
            scored = scores.of(run)
            counts = {note.id: known.get(note.id, sentences_in(note.text)) for note in scored.gold}
            blocks = meddocan.score(scored.gold, scored.system, counts)
            name = f"{task}, {run}"
            leak = Cell(blocks[0].leak if block == meddocan.NER else None, scores.published(item.key, name, "leak"))
            rows.append(Row(name, (leak, *scores.cells(item.key, name, PRF, of_blocks(name, blocks, block)))))
    return item.table(
        ("leak", *PRF),
        rows,
        scores.gain("The CRF against the window, sub-task 1 F1", WINDOW, CRF, "+0.0130"),
        scores.gain("The CRF against the window, recall", WINDOW, CRF, "-0.0230", "strict.recall"),
        scores.gain("The CRF against the window, precision", WINDOW, CRF, "+0.0480", "strict.precision"),
        "The paper's numbers are of MEDDOCAN's test part. The window has vectors learnt from the training notes; the "
        "paper's are of Wikipedia.",
    )


def table2(item: Item, scores: Scores) -> Table:
    least = LEAST_QUICK if scores.quick else LEAST
    rows = []
    for run in (WINDOW, CRF):
        scored = scores.of(run)
        tally = scored.counts.strict
        labels = [label for label in tally.labels if int(tally.of(label).gold.sum()) >= least]
        worst = sorted(labels, key=lambda label: scored.figures[f"strict.{label}.f1"].value)
        for label in worst:
            found = [scored.figures[f"strict.{label}.{each}"] for each in ("precision", "recall", "f1")]
            rows.append(Row(f"{run}: {label}", scores.cells(item.key, label, PRF, found)))
    return item.table(
        PRF,
        rows,
        f"Labels with at least {least} spans in the notes that are measured, the worst first.",
        "The paper does not say of which method its table is; its numbers stand under both.",
    )


def figure2(item: Item, scores: Scores) -> Table:
    found = largest(token_confusion(scores.of(CRF).counts.tokens))
    rows = []
    for at, name in enumerate(found.labels):
        if name != OUTSIDE and found.counts[at].any():
            counts = dict(zip(found.labels, map(float, found.counts[at]), strict=True))
            rows.append(Row(name, scores.counted(item.key, name, counts)))
    return item.table(found.labels, rows, "Tokens of the CRF: gold labels down, the system's across; O is none.")


ITEMS = (
    Item("table1", "Table 1: leak, precision, recall and F1", (WINDOW, CRF), table1),
    Item("table2", "Table 2: frequent labels, the worst first", (WINDOW, CRF), table2),
    Item("figure2", "Figure 2: which labels the CRF confuses", (CRF,), figure2, plot="matrix"),
)
STUDY = Study(
    NAME,
    "Cotik et al. 2019, Window classifiers and conditional random fields for medical report de-identification",
    (NOTES,),
    RUNS,
    ITEMS,
    "Parts of speech are ours, of Universal Dependencies, with classes of Spanish words as in EAGLES; the "
    "paper's are 85 tags of EAGLES.",
)
