"""The i2b2 2006 scores, worked by hand; the notes are spelled as that corpus spells them, tokens set off by blanks."""

from __future__ import annotations

import pytest

from elision.evaluate.official import table
from elision.evaluate.official.i2b2_2006 import score
from tests.notes import note

GOLD = [
    note("Dr. [DOCTOR Ada Q. Roe] saw [PATIENT Mr. Poe] on [DATE 03/05] at [HOSPITAL Lakeview General] .", "1"),
    note("[PATIENT Jo Doe] , pager [PHONE 5-1234] , [AGE 93] years old .", "2"),
]
SYSTEM = [
    # The doctor is cut short, the patient is called a doctor, the date is right, "saw" is spurious.
    note("Dr. [DOCTOR Ada Q.] Roe [DATE saw] [DOCTOR Mr. Poe] on [DATE 03/05] at [HOSPITAL Lakeview General] .", "1"),
    # The name is right, pager and number are one span, the age is missed.
    note("[PATIENT Jo Doe] , [PHONE pager 5-1234] , 93 years old .", "2"),
]

# Tokens of gold: 3 DOCTOR, 2 + 2 PATIENT, 1 DATE, 2 HOSPITAL, 1 PHONE, 1 AGE = 12.
# Tokens of the system: 2 + 2 DOCTOR, 2 DATE, 2 HOSPITAL, 2 PATIENT, 2 PHONE = 12.
HAND = {
    "Token (approximate)": (8, 4, 4),
    "Token, PHI or not (approximate)": (10, 2, 2),
    "Token AGE (approximate)": (0, 0, 1),
    "Token DATE (approximate)": (1, 1, 0),
    "Token DOCTOR (approximate)": (2, 2, 1),
    "Token HOSPITAL (approximate)": (2, 0, 0),
    "Token PATIENT (approximate)": (2, 0, 2),
    "Token PHONE (approximate)": (1, 1, 0),
    "Instance (approximate)": (3, 4, 4),
    "Instance, PHI or not (approximate)": (4, 3, 3),
    "Instance AGE (approximate)": (0, 0, 1),
    "Instance DATE (approximate)": (1, 1, 0),
    "Instance DOCTOR (approximate)": (0, 2, 1),
    "Instance HOSPITAL (approximate)": (1, 0, 0),
    "Instance PATIENT (approximate)": (1, 0, 1),
    "Instance PHONE (approximate)": (0, 1, 1),
}


def test_by_hand() -> None:
    blocks = score(GOLD, SYSTEM)
    assert {block.name: (block.counts.tp, block.counts.fp, block.counts.fn) for block in blocks} == HAND
    assert [block.name for block in blocks] == list(HAND)


def test_figures() -> None:
    token = score(GOLD, SYSTEM)[0]
    assert token.printed == {"Precision": "0.6667", "Recall": "0.6667", "F1": "0.6667"}
    assert (token.per_document["1"].tp, token.per_document["2"].tp) == (5, 3)


@pytest.mark.parametrize(
    ("gold", "system", "counts"),
    [
        ("Mrs. [PATIENT O'Dell-Roe] .", "Mrs. O'[PATIENT Dell]-Roe .", (1, 0, 0)),  # part of a token is the token
        ("[ID 12] [ID 34]", "[ID 12 34]", (2, 0, 0)),  # how tokens are grouped is nothing to this level
        ("[ID 12] 34", "[ID 12 ]34", (1, 0, 0)),  # nor is the blank at the end
        ("[ID 12]34", "12[ID 34]", (1, 0, 0)),  # two spans in one token
        ("12 34", "12[ID  ]34", (0, 0, 0)),  # white space alone is no token
    ],
)
def test_tokens_are_between_white_space(gold: str, system: str, counts: tuple[int, int, int]) -> None:
    token = score([note(gold)], [note(system)])[0].counts
    assert (token.tp, token.fp, token.fn) == counts


def test_an_instance_needs_exact_boundaries() -> None:
    blocks = {block.name: block.counts for block in score([note("[ID 12] 34")], [note("[ID 12 ]34")])}
    assert blocks["Instance (approximate)"].tp == blocks["Instance, PHI or not (approximate)"].tp == 0


def test_a_note_that_the_system_left_out_is_missed() -> None:
    token = score(GOLD, SYSTEM[:1])[0]
    assert (token.counts.tp, token.counts.fn, len(token.per_document)) == (5, 7, 2)


def test_table_names_every_block_approximate() -> None:
    lines = table(score(GOLD, SYSTEM)).splitlines()
    assert len(lines) == 1 + len(HAND)
    assert all("(approximate)" in line for line in lines[1:])
    assert lines[1].split() == ["Token", "(approximate)", "2", "8", "4", "4", "0.6667", "0.6667", "0.6667"]
