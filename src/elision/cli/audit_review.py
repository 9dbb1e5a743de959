"""A sample of an audit as a review, and what was marked there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from elision.cli.common import say
from elision.cli.reviewed import known, opened
from elision.document import Document
from elision.errors import ScoreError

if TYPE_CHECKING:
    from elision.evaluate.audit.marks import Marks
    from elision.evaluate.audit.sample import Plan

REVIEW = "review"  # beside the notes of a sample
MOST = 2  # readers of whom both count


class Read(NamedTuple):
    """What each reader marked in a review, and what an adjudicator decided."""

    readers: list[Marks]
    verdicts: Marks


def review_made(folder: Path, plan: Plan, texts: Sequence[str]) -> None:
    """The notes of a sample in a review, under their names there. Nothing is predicted: what is marked was missed."""
    from elision.review.store import Store

    with Store.open(folder / REVIEW) as store:
        store.add(Document(text, note.name) for note, text in zip(plan.notes, texts, strict=True))
    say(f"mark in the browser what was missed, and approve each note: elision review open {folder / REVIEW}")


def reviewed_in(folder: Path) -> bool:
    """Whether somebody has approved anything in the review of a sample."""
    if not (folder / REVIEW).is_dir():
        return False
    with opened(folder / REVIEW) as store:
        return any(store.approvals(name) for name in store.reviewers())


def marks_of(folder: Path, plan: Plan, reviewers: Sequence[str]) -> Read:
    """What each reader marked in the notes that she approved, and the verdicts; other notes she has not read yet."""
    from elision.evaluate.audit.marks import check

    with opened(folder / REVIEW) as store:
        check(store.notes(), plan, folder / REVIEW)
        for name in reviewers:
            known(store, name)
        names = list(dict.fromkeys(reviewers)) or [name for name in store.reviewers() if store.approvals(name)]
        if len(names) > MOST:
            raise ScoreError(
                f"{folder / REVIEW}: {len(names)} people have marked here, and two can be compared; choose with "
                f"--reviewer: {', '.join(names)}"
            )
        say(
            f"reading marks from {folder / REVIEW}: {', '.join(f'reader {at} is {name}' for at, name in _from1(names))}"
        )
        return Read(
            [{note.id: note.spans for note in store.reviewed(name)} for name in names],
            {note.id: note.spans for note in store.adjudicated()},
        )


def _from1(names: Sequence[str]) -> enumerate[str]:
    return enumerate(names, start=1)
