"""Invented notes with a name that only one of them has, and settings that learn from them in a moment."""

from __future__ import annotations

import random
from dataclasses import replace

from elision.document import Document
from elision.taggers.linear.settings import Settings
from tests.notes import note

PLANTED = "Quetzalcoatl", "Zyxwickham"  # the name of note 0, where only its words tell that it is one
COMMON = (("Ada", "Miller"), ("Ben", "Carter"), ("Cleo", "Varga"), ("Dan", "Ruiz"), ("Eva", "Lind"), ("Finn", "Moor"))
REASONS = ("pain in the knee", "a cough for two weeks", "a check of the blood pressure", "sleeping badly since spring")
ROLES = "Schoolteacher Foxglovery", "Grandmother Tambourine", "Housekeeper Marzipandal"  # they look like names, too

SETTINGS = Settings(
    features=(
        "lower[-2..2]", "form[0]", "plain[0]", "shape[-1..1]", "suffix3[0]", "key[0]", "lower[-1] lower[0]",
        "lower[0] lower[1]", "shape[0] shape[1]",
    ),
    epochs=8,
)  # fmt: skip


def notes(count: int = 40, *, seed: int = 7, patients: bool = False) -> list[Document]:
    """Notes with names, dates and record numbers; with `patients`, two of each patient."""
    rng = random.Random(seed)
    return [replace(_note(rng, at), language="en", patient=f"P{at // 2}" if patients else "") for at in range(count)]


def _note(rng: random.Random, at: int) -> Document:
    first, last = PLANTED if at == 0 else rng.choice(COMMON)
    doctor = rng.choice(COMMON)[1]
    lines = [
        f"Patient: [NAME_PATIENT {first} {last}]",
        f"Record: [MEDICAL_RECORD {rng.randrange(10_000, 99_999)}]",
        f"Seen on [DATE {rng.randrange(1, 29)} {rng.choice(('May', 'June'))}] by Dr. [NAME_CLINICIAN {doctor}].",
        f"Came with {rng.choice(REASONS)}. Advice was given.",
        f"{f'[NAME_PATIENT {first} {last}]' if at == 0 else rng.choice(ROLES)} agrees.",
        f"[NAME_PATIENT {first} {last}] will come again in {rng.randrange(2, 9)} weeks.",
    ]
    return note("\n".join(lines), f"n{at:02}")
