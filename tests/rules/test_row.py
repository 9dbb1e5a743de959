"""Rows of rules: what may stand in one, and what is said of what may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from elision.errors import RuleError
from elision.rules import Pack, Rules
from elision.rules.row import Row, row_of, try_row

WORDS = {"month": "(?:may|june)", "day": r"(?:\d{1,2})"}


def row(pattern: str = "x", **more: Any) -> Row:
    made = row_of({"name": "r", "label": "DATE", "pattern": pattern, **more}, "ours.toml, rule 1", "ours", WORDS)
    try_row(made)
    return made


def found(text: str, pattern: str, **more: Any) -> list[str]:
    """What a row alone finds."""
    rules = Rules(Pack("", (row(pattern, **more),)))
    return [text[span.start : span.end] for span in rules.spans(text)]


@pytest.mark.parametrize(
    ("text", "pattern", "more", "expected"),
    [
        ("on 3 May, 12 JUNE.", "{day} {month}", {}, ["3 May", "12 JUNE"]),
        ("on 3 May, 3 may", "{day} {month}", {"case": "exact"}, ["3 may"]),
        ("born 3 may, seen 4 may", "born ({day} {month})", {}, ["3 may"]),
        ("born 3 may, seen 4 may", "{day} {month}", {"before": "seen "}, ["4 may"]),
        ("3 may 2020, 4 may", "{day} {month}", {"after": r" \d{4}"}, ["3 may"]),
        ("3 mg, 4 ml, 5", r"\d", {"unless_after": " m[gl]"}, ["5"]),
        ("no. 3, nr. 4, at 5", r"\d", {"unless_before": r"n[or]\. "}, ["5"]),
        ("a 123 1234 12a 12", r"\d{2}", {}, ["12", "12"]),
        ("a 123 12", r"\d{2}", {"edges": False}, ["12", "12"]),
        ("32/12/2020 31/12/2020", r"\d\d/\d\d/\d{4}", {"check": "date-dmy"}, ["31/12/2020"]),
        ("1,2,3", r"\d,\d", {}, ["1,2"]),
        ("aa1 a1 ñ1", r"\pL(\d)", {}, ["1", "1", "1"]),
        ("病人65岁", r"\d{2}岁", {}, ["65岁"]),
    ],
)
def test_what_a_row_finds(text: str, pattern: str, more: dict[str, Any], expected: list[str]) -> None:
    assert found(text, pattern, **more) == expected


def test_context_may_be_shared_by_neighbours() -> None:
    """What one match ends with is what the next begins with."""
    assert found("1 2 3 4", r"(?:^| )(\d)(?: |$)") == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"name": ""}, "needs a name"),
        ({"colour": 1}, "no such key colour"),
        ({"label": "PERSON"}, r"label 'PERSON' is none of ours"),
        ({"pattern": ""}, "needs a pattern"),
        ({"pattern": 7}, "needs a pattern"),
        ({"pattern": "(a"}, "no regular expression of RE2"),
        ({"pattern": "(?=a)b"}, "no look-around"),
        ({"pattern": r"(a)\1"}, "no references back"),
        ({"pattern": "a*"}, r"without a bound \(\*\)"),
        ({"pattern": "[*+]a+"}, r"without a bound \(\+\)"),
        ({"pattern": "a{2,}"}, "without a bound"),
        ({"pattern": "(a)(b)"}, "has 2 groups"),
        ({"pattern": "a?"}, "matches nothing at all"),
        ({"pattern": "{year}"}, r"no words or part \{year\}; there are day, month"),
        ({"before": "(a)"}, "before and after may have no group"),
        ({"unless_after": "(a)"}, "unless_after may have no group"),
        ({"unless_before": "a+"}, r"unless_before: repeats without a bound"),
        ({"check": "nonsense"}, "no check 'nonsense'; there are ar-cuit, au-medicare"),
        ({"case": "upper"}, "say any or exact"),
        ({"score": 0}, "score 0"),
        ({"score": "high"}, "score 'high'"),
        ({"hits": "a text"}, "hits and misses are lists"),
        ({"misses": [1]}, "hits and misses are lists"),
    ],
)
def test_a_row_that_cannot_be_names_file_and_row(more: dict[str, Any], said: str) -> None:
    with pytest.raises(RuleError, match=rf"ours\.toml, rule 1.*{said}"):
        row(**({"pattern": "x"} | more))


def test_rows_have_the_name_of_pack_and_file(tmp_path: Path) -> None:
    assert row().id == "ours/r"
    file = tmp_path / "ours.toml"
    file.write_text("[[rule]]\nname = 'a'\nlabel = 'DATE'\npattern = 'x'\n", "utf-8")
    (span,) = Rules(file).spans("x")
    assert (span.source, span.label, span.score) == ("rule:ours/a", "DATE", 0.9)
