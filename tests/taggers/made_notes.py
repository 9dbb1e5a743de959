"""Invented notes for taggers to learn from: easy words, names that also occur as other words, rare ones."""

from __future__ import annotations

import random

from elision.document import Document
from tests.notes import note

NAMES = ["Roe", "Lund", "Marsh", "Vale", "Stone", "Winter", "Ashby", "Corr", "Dune", "Ferro", "Gale", "Hart"]
WARDS = ["Elm", "Oak", "Birch", "Cedar"]
PHRASES = [
    "Seen by [NAME Dr. {name}] on [DATE {day} {month}].",
    "Patient: [NAME {name}]",
    "[NAME {name}] called from ward [PLACE {ward}] about the dose.",
    "Transfer to [PLACE {ward}] on [DATE {day}/{number}].",
    "The {name} procedure went well; blood pressure {day}0/{number}0.",
    "Winter cough, {number} days. Gale force wheeze, stone in the left duct.",
    "No fever. {ward} pollen allergy. Dose {day} mg.",
    "discussed with {name}, who agrees",
]
MONTHS = ["January", "March", "May", "June", "October"]


def made_notes(count: int, seed: int = 0) -> list[Document]:
    """Notes of a few lines each; what follows a note's number and seed is always the same."""
    return [_one(f"{seed}-{number}", random.Random(f"{seed}-{number}")) for number in range(count)]


def _one(id: str, rng: random.Random) -> Document:
    lines = [
        phrase.format(
            name=rng.choice(NAMES), ward=rng.choice(WARDS), month=rng.choice(MONTHS), day=rng.randint(1, 28),
            number=rng.randint(1, 12),
        )
        for phrase in rng.sample(PHRASES, 5)
    ]  # fmt: skip
    return note("\n".join(lines), id)
