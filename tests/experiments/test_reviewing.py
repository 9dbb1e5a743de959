"""A review that is played through: queues begin alike, and the riskiest notes come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from elision.document import Document
from elision.taggers.base import Tagger
from experiments import reviewing
from tests.taggers.planted import SETTINGS, notes


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    def settings(*_: Any, **__: Any) -> Any:
        return replace(SETTINGS, epochs=2, seeds=1)

    monkeypatch.setattr(reviewing, "preset", settings)


def test_what_is_read_next_is_what_the_queue_says() -> None:
    waited: list[list[str]] = []

    def backwards(_: Tagger, waiting: Sequence[Document]) -> list[Document]:
        waited.append([note.id for note in waiting])
        return list(reversed(waiting))

    made = notes(16)
    steps = list(reviewing.played(made, notes(4), "en", backwards, (8, 10, 12)))
    assert [step["notes"] for step in steps] == [8, 10, 12]
    assert waited == [[note.id for note in made[8:]], [note.id for note in reversed(made[8:14])]]
    read = [*made[:8], *made[:-3:-1]]
    assert steps[1]["characters"] == sum(len(note.text) for note in read)


def test_rows_tell_of_each_queue_after_each_step() -> None:
    found = list(reviewing.rows(notes(40), "en", 1, (8, 12)))
    assert [(row["queue"], row["notes reviewed"]) for row in found] == [
        (queue, count) for queue in reviewing.QUEUES for count in ("8", "12")
    ]
    first = {row["strict F1"] for row in found if row["notes reviewed"] == "8"}
    assert len(first) == 1
