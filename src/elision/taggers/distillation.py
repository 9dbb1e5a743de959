"""A quick tagger that learns from a strong one, the teacher: it marks raw notes, and the quick one learns from these.

found = distil(teacher, notes, start.settings, start=start, dev=gold)
found.tagger, found.closed("strict_f1")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from elision.document import Document
from elision.errors import ModelError
from elision.taggers.base import Recipe, Tagger, Watch, tag
from elision.taggers.experiment import measured, split
from elision.taggers.store import fit
from elision.text.portions import portions, size_of

Figures = Mapping[str, float]
SHARE = 0.1  # of the notes that are held out, where there are none with gold spans to judge by
BEFORE, AFTER, TEACHER = "before", "after", "teacher"


@dataclass(frozen=True)
class Distilled:
    """What was learnt, and how good teacher and pupil are on notes not learnt from."""

    tagger: Tagger
    figures: Mapping[str, Figures]  # of the teacher, of the pupil before, where it was there, and after
    gold: bool  # whether these notes have gold spans; else they were marked by the teacher
    marked: Mapping[str, int] = field(default_factory=dict)  # notes, and spans that the teacher marked

    def closed(self, measure: str) -> float | None:
        """How much of what the pupil lacked it has now, 1 for all; None where nothing was lacking or nothing known."""
        if BEFORE not in self.figures:
            return None
        before, after, teacher = (self.figures[name][measure] for name in (BEFORE, AFTER, TEACHER))
        return None if teacher <= before else (after - before) / (teacher - before)


def distil(
    teacher: Tagger,
    notes: Sequence[Document],
    settings: Recipe,
    *,
    start: Tagger | None = None,
    dev: Sequence[Document] = (),
    again: Sequence[Document] = (),
    watch: Watch | None = None,
    marked: Callable[[int, int], None] | None = None,
) -> Distilled:
    """Learn from what the teacher marks in raw notes. For `start`, `again` and `watch` see `store.fit`; `marked` is
    told how many of the notes are marked. Without `dev`, a tenth of the notes is held out, as the teacher marks it."""
    if not notes:
        raise ModelError("no raw notes to learn from; give some")
    own: list[Document] = []
    for portion in portions([note.with_spans(()) for note in notes], lambda note: size_of(note.text)):
        own += tag(teacher, portion)
        if marked:
            marked(len(own), len(notes))
    spans = sum(len(note.spans) for note in own)
    if not spans:
        raise ModelError(f"{teacher.name} finds nothing in these notes, so that nothing can be learnt from it")
    learn, judge = (own, tuple(dev)) if dev else split(own, SHARE, settings.seed)
    tagger = fit(settings, learn, judge, watch, start, again)
    figures = {TEACHER: measured(teacher, judge), AFTER: measured(tagger, judge)}
    if start:
        figures[BEFORE] = measured(start, judge)
    card: dict[str, Any] = {"teacher": teacher.name, "version": teacher.version, "notes": len(own), "spans": spans}
    dev_card = {**tagger.card.get("dev", {}), **figures[AFTER]}
    told = tagger.noting(distilled={**card, "gold": bool(dev), "figures": figures}, dev=dev_card)
    return Distilled(told, figures, bool(dev), {"notes": len(own), "spans": spans})
