"""Tables as a hospital exports them: notes with dates and numbers beside them, and a table of their patients. Every
person is made up of syllables."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import product
from typing import Any, NamedTuple

SYLLABLES = ("vor", "quil", "zeb", "drix", "plom", "wex", "garv", "thun", "blif", "skor", "jund", "krel")
GIVEN = ("Ada", "Bram", "Colm", "Ines", "Kofi", "Mei", "Nils", "Rosalind", "Thea", "Yara")
SURNAMES = [
    "".join(each).title() for each in product(SYLLABLES, repeat=4)
]  # of four, so that none is a part of another
NOTES = (
    "{given} {surname} was admitted on {day}. Discharged in good health.",
    "{surname} came to the clinic on {day} with a cough. MRN {mrn}.",
    "RE: {surname}, {given}. Seen on {day}. The blood pressure was 130/80.",
    "Dr. Roe saw the patient on {day}. Mother of {given} {surname} was told.",
)
FORMS = ("%Y-%m-%d", "%m/%d/%Y")


class Visit(NamedTuple):
    """A row, and the day that its note speaks of."""

    row: dict[str, Any]
    day: date
    form: str


def patients(count: int) -> list[dict[str, Any]]:
    rng = random.Random(0)
    found = []
    for number in range(count):
        given, surname = rng.choice(GIVEN), SURNAMES[number * 7919 % len(SURNAMES)]
        found.append(
            {"person_id": 400_017 + 13 * number, "full_name": f"{given} {surname}", "mrn": f"{7_100_003 + 37 * number}"}
        )
    return found


def visits(people: Sequence[dict[str, Any]], count: int, first: int = 0) -> Iterator[Visit]:
    """`count` notes, by turns of these patients; the same number is always the same note."""
    for number in range(first, first + count):
        rng = random.Random(number)
        person = people[number % len(people)]
        given, surname = person["full_name"].split()
        written = date(2019, 1, 1) + timedelta(rng.randrange(900))
        day, form = written - timedelta(rng.randrange(1, 60)), rng.choice(FORMS)
        text = rng.choice(NOTES).format(given=given, surname=surname, day=day.strftime(form), mrn=person["mrn"])
        row = {"note_id": number, "person_id": person["person_id"], "note_date": written, "note": text}
        yield Visit(row, day, form)
