"""Twenty short notes, put together from invented names, dates and numbers."""

from __future__ import annotations

from elision.document import Document
from tests.notes import note

NAMES = ("Anna Roe", "Peter Doe", "Mary Poe", "Luis Vega", "Carla Moss", "Ivo Brandt", "Nora Quill", "Tom Ashby")
MONTHS = ("January", "March", "May", "July", "October")


def notes(count: int = 20) -> list[Document]:
    """Notes in which each kind of span has its own surroundings."""
    made = []
    for number in range(count):
        name, doctor = NAMES[number % len(NAMES)], NAMES[(number * 3 + 1) % len(NAMES)].split()[1]
        day, month, year = number % 27 + 1, MONTHS[number % len(MONTHS)], 1990 + number
        made.append(
            note(
                f"Patient: [NAME {name}]\n"
                f"Seen by Dr. [NAME {doctor}] on [DATE {day} {month} {year}].\n"
                f"Born [DATE {number % 12 + 1}/{day}/{year - 40}], lives in [STREET {day} Elm Street], [STATE Ohio].\n"
                f"Phone: [PHONE 555-{number:03}-{4000 + number * 37}]\n"
                f"Record no. [ID {700100 + number * 913}] (blood pressure {100 + number}/80, pulse {60 + number}).\n"
                "No fever, no cough. The lungs are clear.\n",
                id=f"note-{number}",
            )
        )
    return made


UNSEEN = note(
    "Patient: [NAME Anna Moss]\n"
    "Seen by Dr. [NAME Lund] on [DATE 9 March 2003].\n"
    "Born [DATE 4/9/1961], lives in [STREET 9 Elm Street], [STATE Ohio].\n"
    "Phone: [PHONE 555-004-4321]\n"
    "Record no. [ID 709123] (blood pressure 128/80, pulse 71).\n"
    "No fever, no cough. The lungs are clear.\n",
    id="unseen",
)
