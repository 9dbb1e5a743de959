"""`elision train --from-review`: what is learnt from, and what the new model then predicts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.cli.common import progress, say
from elision.cli.reviewed import opened
from elision.document import Document
from elision.effort import Effort
from elision.errors import ModelError

if TYPE_CHECKING:
    from elision.review.approved import Approved


def approved_notes(review: Path) -> Approved:
    """What was approved in a review; an error if that is too little to learn from."""
    from elision.review.approved import LEAST, approved_in

    with opened(review) as store:
        found, whole = approved_in(store), len(store.positions())
    count = len(found.notes)
    if count < LEAST:
        raise ModelError(
            f"--from-review {review}: {count} of {whole:,} notes are approved, and {LEAST} are the least to learn "
            f"from; approve {LEAST - count} more: elision review open {review}"
        )
    say(
        f"learning from {count:,} approved notes of {whole:,}: {found.adjudicated:,} adjudicated, "
        f"{found.united:,} as several marked them"
    )
    return found


def noted(found: Approved) -> dict[str, Any]:
    """What a model's card says of the review that it comes from."""
    return {"review": {"notes": len(found.notes), "adjudicated": found.adjudicated, "united": found.united}}


def preannotate(review: Path, model: Path, effort: Effort) -> None:
    """Put what the new model finds on notes that nobody has begun, and the riskiest of them first."""
    from elision.review.approved import approved_in
    from elision.review.repredicting import repredicted
    from elision.review.risk import weak_labels
    from elision.taggers.store import load

    tagger = load(model)
    with opened(review) as store:
        begun = {row["note"] for row in store.log()}
        waiting = [store.note(at) for at in store.positions() if at not in begun]
        weak = weak_labels(store.notes(), approved_in(store).notes)
        found = list(progress(repredicted(waiting, tagger, model, weak, effort), "notes looked at", len(waiting)))
        notes: Sequence[Document] = [one.note for one in found]
        done = store.repredict(notes, [one.risk for one in found])
    say(f"put new spans on {done:,} notes that nobody has begun; the riskiest come first")
    if kept := len(waiting) - len(found):
        say(f"{kept:,} more would be withheld by a run, and stay as they are: look at them first")
