from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given

from elision.evaluate.breakdown import label_rows, macro, parent_rows
from elision.evaluate.matching import Pair
from elision.evaluate.measures import count
from tests.evaluate.made import pair, pairs
from tests.strategies import fewer

MADE = [
    pair(
        "[NAME_CLINICIAN Dr. Roe] saw [NAME_PATIENT Jane Poe] on [DATE 3 May]",
        "[NAME_PATIENT Dr. Roe] saw [NAME_PATIENT Jane] Poe on [DATE 3 May]",
        "a",
    ),
    pair("[DATE 4 May] [CITY Ghent]", "4 May [HOSPITAL Ghent]", "b"),
]


def test_rows_by_label() -> None:
    rows = {row.label: row for row in label_rows(count(MADE))}
    assert list(rows) == ["NAME_PATIENT", "NAME_CLINICIAN", "CITY", "HOSPITAL", "DATE"]
    assert json.loads(json.dumps(asdict(rows["NAME_PATIENT"]))) == {
        "label": "NAME_PATIENT",
        "parent": "NAME",
        "gold": 1,
        "system": 2,
        "agree": 0,
        "precision": 0.0,
        "recall": 0.0,
        "f1": 0.0,
        "characters": 7,
        "covered": 4,
        "character_recall": pytest.approx(4 / 7),
        "partly": 1,
        "wholly": 0,
    }
    dates = rows["DATE"]
    assert (dates.gold, dates.system, dates.agree, dates.precision, dates.recall) == (2, 1, 1, 1.0, 0.5)
    assert dates.f1 == pytest.approx(2 / 3)
    assert (dates.characters, dates.covered, dates.partly, dates.wholly) == (8, 4, 0, 1)
    assert (rows["CITY"].recall, rows["CITY"].character_recall) == (0.0, 1.0)


def test_rows_by_parent_agree_on_the_parent() -> None:
    rows = {row.label: row for row in parent_rows(count(MADE))}
    assert list(rows) == ["NAME", "LOCATION", "FACILITY", "DATE"]
    names = rows["NAME"]
    assert (names.gold, names.system, names.agree) == (2, 2, 1)
    assert (names.characters, names.covered, names.partly, names.wholly) == (13, 10, 1, 0)
    assert {row.parent for row in rows.values()} == set(rows)


def test_a_grouping_of_ones_own() -> None:
    def initial(label: str) -> str:
        return label[0]

    rows = parent_rows(count(MADE, initial), initial)
    assert [(row.label, row.gold, row.agree) for row in rows] == [("N", 2, 1), ("C", 1, 0), ("H", 0, 0), ("D", 2, 1)]


@fewer
@given(pairs())
def test_rows_add_up(made: tuple[Pair, ...]) -> None:
    counts = count(made)
    rows, total, cover = label_rows(counts), counts.strict.all().score(), counts.coverage
    assert (sum(row.gold for row in rows), sum(row.system for row in rows)) == (total.gold, total.system)
    assert sum(row.agree for row in rows) == total.right
    assert sum(row.partly + row.wholly for row in rows) == cover.leaks.sum()
    parents = parent_rows(counts)
    assert sum(row.agree for row in parents) == counts.parent.all().score().right
    assert sum(row.characters for row in parents) == sum(row.characters for row in rows)


def test_macro_has_spread_and_leaves_out_what_has_no_figure() -> None:
    made = [
        pair("[DATE 3 May] [AGE 44]", "[DATE 3 May] 44", "a"),
        pair("[DATE 3 May]", "3 May", "b"),
        pair("3 May", "[DATE 3 May]", "c"),
        pair("3 May", "3 May", "d"),
    ]
    found = macro(count(made).strict.all())
    assert (found.precision.mean, found.precision.sd, found.precision.notes) == (0.5, 0.5, 2)
    assert (found.recall.mean, found.recall.sd, found.recall.notes) == (0.25, 0.25, 2)
    assert found.f1.mean == pytest.approx(2 / 9)
    assert found.f1.sd == pytest.approx(np.std([2 / 3, 0, 0]))
    assert found.f1.notes == 3


def test_macro_of_nothing() -> None:
    found = macro(count([]).strict.all())
    assert (found.f1.mean, found.f1.sd, found.f1.notes) == (0.0, 0.0, 0)
