"""What the proofs of the Chinese pack cannot say: notes of several lines, and its checks by themselves."""

from __future__ import annotations

import pytest

from elision.rules import Rules
from elision.rules.checks import CHECKS


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules("zh")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("流水号 7830\n112年5月8日回診", "112年5月8日"),  # what ends the line above does not stand before the date
        ("体温正常,第2\n3月4日复查", "3月4日"),
        ("主诉:头晕\n石磊 男 35岁", "石磊"),
    ],
)
def test_a_line_begins_anew(rules: Rules, text: str, wanted: str) -> None:
    assert wanted in [text[span.start : span.end] for span in rules.spans(text)]


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        ("tw-business", "41278303", "41278304"),
        ("tw-business", "99041273", "00000000"),
        ("cn-credit", "91339981MA2CK0417B", "91339981MA2CK0471B"),
        ("cn-credit", "123399814704127837", "12339981470412783I"),
        ("cn-county", "海淀区", "海定区"),
        ("cn-county", "沧县", "全县"),
    ],
)
def test_checks(check: str, right: str, wrong: str) -> None:
    assert CHECKS[check](right)
    assert not CHECKS[check](wrong)
