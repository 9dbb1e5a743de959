"""What a new model finds in notes that wait for a review, and how risky each is then.

In a language of elision's the whole pipeline looks, with the model in it, as a run would. In others the model looks
alone. A note that is withheld keeps what it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from elision.detect.base import Detector
from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.effort import Effort
from elision.errors import HeldError
from elision.languages.base import code_of, known
from elision.review.assessed import risks_by
from elision.review.risk import Weak
from elision.run.detecting import COLUMNS, alone, detect
from elision.run.how import How
from elision.taggers.base import Tagger


class Waiting(NamedTuple):
    """A note with what was found in it, and its risk."""

    note: Document
    risk: float


def repredicted(
    notes: Sequence[Document], tagger: Tagger, model: Path, weak: Weak, effort: Effort
) -> Iterator[Waiting]:
    """The notes that are not withheld, with new spans and risks. `model` is the tagger's folder; `weak` are labels that
    were often wrong."""
    for language in dict.fromkeys(note.language for note in notes):
        some = [note for note in notes if note.language == language]
        spoken = code_of(language or tagger.language)
        ours = known(spoken)
        how = How(COLUMNS, default_language=spoken if ours else "", models=(str(model),), effort=effort)
        looks = detect(some, how) if ours else alone(some, how, tagger)
        found = [some[at].with_spans(spans) for at, spans in looks if not isinstance(spans, HeldError)]
        detectors: Sequence[Detector] = detectors_for(ours.code, models=[model], effort=effort) if ours else [tagger]
        for note in found:  # one by one, so that it can be told how far it is
            yield Waiting(note, risks_by(detectors, [note], weak)[0])
