"""Trienes 2020: how far two annotators agree, by tag, and what comes of adjudicating them.

The paper gives the agreement beside Table 3. The notes here have one annotation, so two systems that know nothing of
each other stand for the annotators. What is done with them is the paper's: strict F1 of spans by tag, then one
annotation of the two, on the safe side, and the two checks for places to look at again.
"""

from __future__ import annotations

from collections import Counter

from elision.evaluate.adjudication import adjudicated, doubts
from elision.evaluate.agreement import AgreementRow, agreement
from elision.evaluate.matching import blind, strict
from elision.papers.studies.scored import Scores
from elision.papers.studies.study import Cell, Item, Row, Table

ANNOTATORS = ("dutch, CRF", "dutch, BiLSTM-CRF")


def agreement_table(item: Item, scores: Scores) -> Table:
    first, second = (scores.of(name) for name in ANNOTATORS)
    found = agreement(first.system, second.system)
    rows = [Row(row.label, _cells(item, scores, row)) for row in (*found.labels, found.all)]
    both = adjudicated(first.system, second.system)
    recalls = [
        strict(list(zip(first.gold, side, strict=True)), blind).all().score().recall
        for side in (first.system, second.system, both)
    ]
    why = Counter(doubt.why for doubt in doubts(both))
    return item.table(
        ("spans of A", "spans of B", "F1", "kappa of tokens"),
        rows,
        "Two systems stand for the annotators: A is the CRF, B the BiLSTM-CRF. So compare the method, not the numbers.",
        f"Adjudicated on the safe side, {recalls[2]:.4f} of all identifiers are marked whole; A alone marks "
        f"{recalls[0]:.4f}, and B alone {recalls[1]:.4f}.",
        f"To look at again: {why['other-label']:,} places whose words have another tag elsewhere, and "
        f"{why['not-marked']:,} that are not marked and are elsewhere.",
    )


def _cells(item: Item, scores: Scores, row: AgreementRow) -> tuple[Cell, ...]:
    counts = scores.counted(item.key, row.label, {"spans of A": row.spans, "spans of B": row.spans_against})
    f1 = Cell(row.f1, scores.published(item.key, row.label, "F1"))
    return (*counts, f1, Cell(row.kappa))


ITEM = Item("agreement", "Agreement of two annotators by tag, and adjudication", ANNOTATORS, agreement_table)
