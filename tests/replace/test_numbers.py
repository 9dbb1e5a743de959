"""Who is who: persons and values of a note have numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.policy import parse
from elision.replace.numbers import numbers_of
from tests.notes import note
from tests.replace.generated import gold

KEY = Key(bytes(range(32)))
NUMBERS = [
    ("[DATE 3 May 2001], [DATE 5 May 2003], [DATE 03/05/2001]", "1 2 1", "en-GB"),
    ("[DATE_BIRTH 3 May 1958], [DATE 3 May 1958], [DATE 4 May]", "1 1 2", "en"),
    ("[MEDICAL_RECORD A-12] [MEDICAL_RECORD A-13] [MEDICAL_RECORD a12]", "1 2 1", "en"),
    ("[NAME_PATIENT Jane Roe] [NAME_CLINICIAN Roe] [NAME_PATIENT J. Roe]", "1 1 1", "en"),
    ("[NAME_PATIENT Roe] [NAME_PATIENT ROE, Jane] [NAME_PATIENT John Roe]", "1 1 2", "en"),
    ("[NAME_PATIENT J. Roe] [NAME_PATIENT Jane Roe] [NAME_PATIENT A. Roe]", "1 1 2", "en"),
    ("[NAME_PATIENT Jane Roe] [NAME_RELATIVE Jane Doe] [NAME_CLINICIAN Dr. Doe]", "1 2 2", "en"),
    ("[NAME_PATIENT 李明] [CITY Goes] [NAME_PATIENT 李明] [CITY Delft]", "1 1 1 2", "zh"),
    ("[AGE 43] [PHONE 020 123] [PHONE 020123] [PHONE 020 124]", "1 1 1 2", "nl"),
]


@pytest.mark.parametrize(("text", "expected", "language"), NUMBERS)
def test_a_person_and_a_value_have_one_number(text: str, expected: str, language: str) -> None:
    document = replace(note(text), language=language)
    numbers = numbers_of(document)
    assert " ".join(str(numbers[span.start, span.end]) for span in document.spans) == expected


def test_values_that_differ_have_hashes_that_differ() -> None:
    policy = parse('[labels]\n"*" = "hash"', "test.toml")
    text = "[DATE 3 May 2001] [DATE 5 May 2001] [MEDICAL_RECORD A-12] [MEDICAL_RECORD A-13] [MEDICAL_RECORD A12]"
    (cleaned,) = Deidentifier([gold], policy=policy, key=KEY)([note(text)])
    assert cleaned.document is not None
    first, second, a12, a13, again = cleaned.document.text.split()
    assert (first != second, a12 != a13, a12 == again) == (True, True, True)
