"""Why something was masked or not, and rules that are proposed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import RuleError
from elision.rules import Pack, Rules, read_pack
from elision.rules.explain import effect, explain, propose
from elision.rules.proofs import failures
from elision.rules.row import row_of
from tests.notes import note

ROWS: list[dict[str, Any]] = [
    {"name": "date", "label": "DATE", "pattern": r"\d{1,2}/\d{1,2}/\d{4}", "check": "date-dmy"},
    {"name": "foley", "label": "NAME_OTHER", "pattern": "Foley", "score": 0.5},
    {"name": "catheter", "label": "NOT", "pattern": "Foley catheter"},
]
RULES = Rules(Pack("p", tuple(row_of(row, "a row", "p", {}) for row in ROWS)))


def test_what_rows_say_about_a_stretch() -> None:
    text = "Foley catheter on 3/5/2020 and 45/5/2020, file 48-7624."
    at = text.index("45/5")
    found = explain(RULES, text, at, at + 9)
    assert (found.fired, found.uncovered) == ((), 9)
    whys = [match.why_not for match in found.refused]
    assert whys == ["the check date-dmy fails", "begins or ends inside a word or number"]
    assert [match.row.id for match in found.near] == ["p/date"]
    foley = explain(RULES, text, 0, 5)
    assert [match.why_not for match in foley.refused] == [
        "p/catheter says that this is no identifier", "it says that this is no identifier",
    ]  # fmt: skip
    date = explain(RULES, text, 18, 26)
    assert ([match.row.id for match in date.fired], date.uncovered) == (["p/date"], 0)


@pytest.mark.parametrize(
    ("text", "pattern", "before"),
    [
        ("seen. File no: [MEDICAL_RECORD 48-7624 B]", r"\d{2}\-\d{4}[ \t]{1,3}\p{Lu}\pL{0,20}", "File no: "),
        ("lives with Anna Roe [MEDICAL_RECORD 77]", r"\d{2}", ""),
        ("on ward [DEPARTMENT 4]", r"\d", "on ward "),
        ("[MEDICAL_RECORD  ab'c ]", r"\pL{1,20}\x27\pL{1,20}", ""),
    ],
)
def test_a_proposed_rule_finds_the_stretch_and_holds_none_of_it(
    tmp_path: Path, text: str, pattern: str, before: str
) -> None:
    document = note(text)
    (span,) = document.spans
    row = propose(document.text, span.start, span.end, span.label)
    assert f"pattern = '''{pattern}'''" in row
    assert ("before" in row) == bool(before)
    (tmp_path / "row.toml").write_text(row, "utf-8")
    pack = read_pack(tmp_path / "row.toml")
    assert list(failures(pack)) == []
    (found,) = Rules(pack).spans(document.text)[:1]
    assert document.text[found.start : found.end] == document.text_of(span).strip()
    assert "Roe" not in row
    assert "7624" not in row


def test_what_a_rule_would_change_is_counted() -> None:
    notes = [note("file [MEDICAL_RECORD 48-7624] on [DATE 3/5/2020]"), note("file 11-1111"), note("nothing")]
    row = row_of({"name": "file", "label": "MEDICAL_RECORD", "pattern": r"file (\d\d-\d{4})"}, "x", "p", {})
    told = effect([row], RULES, notes)
    assert (told.notes, told.found, told.more, told.wrong) == (3, 2, 7, 7)


@given(st.text(st.sampled_from("aZ é9-'.:\n\t病😀\u200b\0"), min_size=1, max_size=30), st.data())
def test_any_stretch_can_be_explained_and_a_rule_proposed(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    explain(RULES, text, start, end)
    if any(character.isalnum() for character in text[start:end]):
        assert "[[rule]]" in propose(text, start, end, "DATE")


def test_no_rule_is_proposed_for_blanks() -> None:
    with pytest.raises(RuleError, match="nothing that can be seen"):
        propose("a \u200b b", 1, 4, "DATE")
