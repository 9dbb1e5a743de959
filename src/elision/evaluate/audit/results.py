"""What an audit shows: how many notes leak and how much, for all notes, by group and by label, and what two missed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from elision import __version__
from elision.errors import ScoreError
from elision.evaluate.audit import estimates
from elision.evaluate.audit.capture import ASSUMES, FEW, Capture, chapman
from elision.evaluate.audit.designs import DESIGNS, SIMPLE, Stratum
from elision.evaluate.audit.estimates import Estimate
from elision.evaluate.audit.marks import Marks, Miss, Texts, differ, misses_in, misses_settled, unread
from elision.evaluate.audit.planning import Promise
from elision.evaluate.audit.sample import Plan
from elision.evaluate.tally import in_order

Misses = Mapping[str, tuple[Miss, ...]]
_NOBODY: Marks = {}


@dataclass(frozen=True, slots=True)
class Part:
    """A group or a label: the notes that were read, those that leak, the identifiers missed, and what follows."""

    name: str
    read: int
    leaking: int
    missed: int
    share: Estimate
    mean: Estimate


@dataclass(frozen=True, slots=True)
class Kept:
    """Whether a promise is shown to be kept."""

    says: str
    bound: float
    promised: float

    @property
    def kept(self) -> bool:
        return self.bound <= self.promised


@dataclass(frozen=True, slots=True)
class Audit:
    """All figures. `over` counts notes with more missed than the plan counts in a note, `adjudicated` those with a
    verdict, and `disputed` those without one that the readers marked differently."""

    plan: Plan
    all: Part
    strata: tuple[Part, ...]
    labels: tuple[Part, ...]
    over: int
    capture: Capture | None
    promises: tuple[Kept, ...]
    readers: int
    adjudicated: int
    disputed: int
    signed: bool  # whether the plan's signature was checked
    misses: Misses
    texts: Texts


def audited(
    plan: Plan,
    texts: Texts,
    readers: Sequence[Marks],
    promise: Promise,
    *,
    verdicts: Marks = _NOBODY,
    signed: bool = False,
) -> Audit:
    """What follows from what was marked. Every reader must have read every note.

    What an adjudicator decided on a note holds. Elsewhere all that any reader marked counts as missed.
    """
    _check_read(plan, readers)
    marked = {note.name: [marks[note.name] for marks in readers] for note in plan.notes}
    misses = {
        name: misses_settled(verdicts[name], spans) if name in verdicts else misses_in(spans)
        for name, spans in marked.items()
    }
    labels = in_order(miss.label for found in misses.values() for miss in found)
    confidence = promise.confidence
    whole = _part("all", plan, misses, confidence, lambda _: True)
    return Audit(
        plan=plan,
        all=whole,
        strata=tuple(_alone(plan, at, misses, confidence) for at in range(len(plan.strata))),
        labels=tuple(_part(label, plan, misses, confidence, _labelled(label)) for label in labels),
        over=sum(len(found) > plan.most for found in misses.values()),
        capture=_capture(misses, confidence) if len(readers) == 2 else None,
        promises=tuple(_promises(promise, whole)),
        readers=len(readers),
        adjudicated=sum(name in verdicts for name in marked),
        disputed=sum(name not in verdicts and differ(spans) for name, spans in marked.items()),
        signed=signed,
        misses=misses,
        texts=texts,
    )


def _labelled(label: str) -> Callable[[Miss], bool]:
    return lambda miss: miss.label == label


def _check_read(plan: Plan, readers: Sequence[Marks]) -> None:
    for number, open_ in enumerate(unread(plan, readers), start=1):
        if open_:
            shown = ", ".join(open_[:5]) + (", ..." if len(open_) > 5 else "")
            raise ScoreError(
                f"reader {number}: {len(open_):,} of {len(plan.notes):,} notes have no mark ({shown}); a note that "
                "was not read says nothing. In the table, write none for a note without a miss; for marks of an "
                "annotation tool, say --all-read once all were read"
            )


def _part(name: str, plan: Plan, misses: Misses, confidence: float, counts: Callable[[Miss], bool]) -> Part:
    leaking, missed, counted = ([0] * len(plan.strata) for _ in range(3))
    for note in plan.notes:
        some = sum(map(counts, misses[note.name]))
        leaking[note.stratum] += some > 0
        missed[note.stratum] += some
        counted[note.stratum] += min(some, plan.most)
    return Part(
        name,
        len(plan.notes),
        sum(leaking),
        sum(missed),
        estimates.share(plan.design, plan.strata, leaking, confidence),
        estimates.mean(plan.strata, counted, plan.most, confidence),
    )


def _alone(plan: Plan, at: int, misses: Misses, confidence: float) -> Part:
    """A group by itself: a simple sample of its notes."""
    found = [misses[note.name] for note in plan.notes if note.stratum == at]
    strata: tuple[Stratum, ...] = (plan.strata[at],)
    leaking = sum(bool(some) for some in found)
    return Part(
        plan.strata[at].name,
        len(found),
        leaking,
        sum(map(len, found)),
        estimates.share(SIMPLE, strata, [leaking], confidence),
        estimates.mean(strata, [sum(min(len(some), plan.most) for some in found)], plan.most, confidence),
    )


def _capture(misses: Misses, confidence: float) -> Capture:
    seen = [miss.readers for found in misses.values() for miss in found]
    return chapman(
        sum(0 in one for one in seen), sum(1 in one for one in seen), sum(len(one) == 2 for one in seen), confidence
    )


def _promises(promise: Promise, whole: Part) -> list[Kept]:
    kept = []
    if promise.leaking is not None:
        kept.append(Kept("share of notes that leak", whole.share.at_most, promise.leaking))
    if promise.missed is not None:
        kept.append(Kept("identifiers missed in a note", whole.mean.at_most, promise.missed))
    return kept


def as_json(audit: Audit) -> str:
    """All figures as JSON, without a word of a note."""
    plan = audit.plan
    return (
        json.dumps(
            {
                "audit": plan.audit,
                "elision": __version__,
                "design": {"name": plan.design, "by": plan.by, "says": DESIGNS[plan.design], "seed": plan.seed},
                "drawn": plan.made,
                "plan": {
                    "digest": plan.digest,
                    "signature": plan.signature,
                    "key": plan.key,
                    "signature_checked": audit.signed,
                },
                "run": asdict(plan.origin),
                "notes": {
                    "all": plan.whole,
                    "read": len(plan.notes),
                    "readers": audit.readers,
                    "adjudicated": audit.adjudicated,
                    "marked_differently": audit.disputed,
                },
                "most_in_a_note": plan.most,
                "notes_over_most": audit.over,
                "result": asdict(audit.all),
                "strata": [asdict(part) for part in audit.strata],
                "labels": [asdict(part) for part in audit.labels],
                "promises": [{**asdict(one), "kept": one.kept} for one in audit.promises],
                "capture_recapture": audit.capture
                and {**asdict(audit.capture), "assumes": ASSUMES, "unreliable_below": FEW},
                "receipts": [
                    {
                        "name": note.name,
                        "note": note.note,
                        "receipt": note.receipt,
                        "missed": len(audit.misses[note.name]),
                    }
                    for note in plan.notes
                ],
            },
            ensure_ascii=False,
            indent=1,
        )
        + "\n"
    )
