"""The sieve of rows: it may let too many through, and never too few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.rules.automaton import Automaton
from elision.rules.by_re2 import Sieve, loosened
from elision.rules.row import Row, row_of

PATTERNS = [
    "año", "Écija", "[ÁÉ]vila?", r"\d{6,14}", r"(?:ab){2,3}c", r"a{3}", r"\d{4}", r"\pL{1,20}-\d{1,2}", r"x{0,5}y",
    r"[a\]{3}]{2,9}", r"\x{41}{1,3}b", r"\p{Lu}{2,9}", r"\{2,9}", r"a\{b", "病{1,9}人", r"(?:^|\n| )q\b", "z$",
]  # fmt: skip


def rows(case: str) -> list[Row]:
    return [
        row_of({"name": f"r{at}", "label": "DATE", "pattern": pattern, "case": case}, "a rule", "p", {})
        for at, pattern in enumerate(PATTERNS)
    ]


SIEVES = {case: (rows(case), Sieve(rows(case))) for case in ("any", "exact")}


@pytest.mark.parametrize(
    ("pattern", "loose"),
    [
        (r"\pL{1,20}", r"\pL+"),
        (r"\p{Lu}\pL{0,20}", r"\p{Lu}\pL*"),
        (r"\d{4}", r"\d{4}"),
        (r"\d{6,14}", r"\d{6,}"),
        (r"\x{41}{3}", r"\x{41}+"),
        (r"(?:ab){1,2}", "(?:ab){1,2}"),
        (r"(?:ab){0,9}", "(?:ab)*"),
        (r"[{3}]{2,9}", r"[{3}]+"),
        (r"\{3}", r"\{3}"),
        ("(?mi)a", "(?mi)a"),
    ],
)
def test_counts_become_loose(pattern: str, loose: str) -> None:
    assert loosened(pattern) == loose
    Automaton(loose, "loose")


@given(
    st.sampled_from(sorted(SIEVES)),
    st.lists(
        st.sampled_from([*"aAbB1 -qzy", "AÑO", "año", "ÉCIJA", "Ávila", "ab", "病", "人", "{2,9}", "\n", "]"]),
        max_size=24,
    ),
)
def test_no_row_is_kept_from_what_it_matches(case: str, parts: list[str]) -> None:
    raw = "".join(parts).encode()
    made, sieve = SIEVES[case]
    let = sieve([raw, b"", raw + raw])
    assert all(numbers == sorted(set(numbers)) for numbers in let)
    assert {at for at, row in enumerate(made) if row.regex.occurs(raw)} <= {at for at, ns in enumerate(let) if 0 in ns}


def test_a_sieve_of_no_rows_lets_nothing_through() -> None:
    assert Sieve([])([b"anything"]) == []
