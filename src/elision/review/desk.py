"""One person at work on a review: what she is shown, and what becomes of what she decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from elision.document import Document, Span
from elision.errors import HeldError
from elision.evaluate.adjudication import united
from elision.formats import Remarks, format_named, write
from elision.labels import canonical, parent
from elision.review import edits
from elision.review.approved import approved_in
from elision.review.edits import CannotError
from elision.review.marks import Decision, Mark, Place, Sheet, predicted
from elision.review.queue import in_order, seconds_left
from elision.review.store import ADJUDICATOR, Entry, Pass, StaleError, Store
from elision.review.view import pieces, shown, words_of

Where = Literal["note", "patient", "everywhere"]
After = Callable[[Document], Document]  # the note as it goes out, or a HeldError
MOST_HITS = 500
EXPORT = "approved.jsonl"  # in the folder of the review, where notes may be kept
USUAL = (
    "NAME_PATIENT",
    "NAME_CLINICIAN",
    "NAME_RELATIVE",
    "DATE",
    "AGE",
    "PHONE",
    "MEDICAL_RECORD",
    "HOSPITAL",
    "CITY",
)


@dataclass(frozen=True)
class Desk:
    """A review as one reviewer sees it, or an adjudicator."""

    store: Store
    reviewer: str
    after: After
    order: str = "risk"
    seed: int = 0
    adjudicates: bool = False

    @property
    def whose(self) -> str:
        """The pass to which decisions go."""
        return ADJUDICATOR if self.adjudicates else self.reviewer

    # What is shown

    def labels(self) -> list[str]:
        """All labels that can be given: ours, and those of the notes."""
        theirs = {span.label for note in self.store.notes() for span in note.spans}
        return [*canonical(), *sorted(theirs - canonical().keys())]

    def usual(self) -> list[str]:
        """The labels that have a key: first those that the notes have most often, in an order that is always alike."""
        theirs = Counter(span.label for note in self.store.notes() for span in note.spans)
        place = {label: at for at, label in enumerate(USUAL)}
        most = [label for label, _ in theirs.most_common(len(USUAL))]
        first = sorted(most, key=lambda label: place.get(label, len(USUAL)))
        return [*first, *(label for label in USUAL if label not in first)][: len(USUAL)]

    def queue(self) -> dict[str, Any]:
        """The notes in order, and how far the work is."""
        entries = in_order(self._entries(), self.order, self.seed)
        sheets = self.store.sheets(self.whose)
        rows = [self._queued(entry, sheets.get(entry.position)) for entry in entries]
        done = sum(row["state"] == "approved" for row in rows)
        left = seconds_left([at for _, at in self.store.approvals(self.whose)], len(rows) - done)
        return {"notes": rows, "done": done, "total": len(rows), "seconds_left": left}

    def _queued(self, entry: Entry, sheet: Sheet | None) -> dict[str, Any]:
        state = "new" if sheet is None else "approved" if sheet.approved else "begun"
        return {"position": entry.position, "id": shown(entry.id), "patient": shown(entry.patient), "state": state}

    def _entries(self) -> Sequence[Entry]:
        if not self.adjudicates:
            return self.store.entries()
        approved = [{at for at, sheet in self.store.sheets(name).items() if sheet.approved} for name in self._names()]
        several = {at for one in approved for at in one if sum(at in other for other in approved) > 1}
        return [entry for entry in self.store.entries() if entry.position in several]

    def note(self, position: int) -> dict[str, Any]:
        """A note with its marks, cut into pieces."""
        document = self.store.note(position)
        there = self._pass(position)
        marks = there.sheet.marks
        return {
            "position": position,
            "id": shown(document.id),
            "patient": shown(document.patient),
            "language": document.language,
            "version": there.version,
            "approved": there.sheet.approved,
            "can_undo": there.sheet.can_undo,
            "can_redo": there.sheet.can_redo,
            "pieces": pieces(document.text, words_of(document.text), marks),
            "marks": [self._mark(document, mark, position) for mark in marks],
        }

    def _mark(self, document: Document, mark: Mark, position: int) -> dict[str, Any]:
        row: dict[str, Any] = {
            "start": mark.start, "end": mark.end, "label": mark.label, "parent": parent(mark.label),
            "state": mark.state,
            "score": round(mark.score, 3), "source": mark.source, "text": shown(document.text[mark.start : mark.end]),
        }  # fmt: skip
        if self.adjudicates:
            sides = self._sides(position, mark)
            row["sides"] = [
                {
                    "who": who,
                    "spans": [{"label": one.label, "text": shown(document.text_of(one.span()))} for one in said],
                }
                for who, said in sides.items()
            ]
        return row

    def replaced(self, position: int) -> dict[str, Any]:
        """The note as it goes out, with what is marked now replaced."""
        document = self.store.note(position)
        spans = [mark.span() for mark in self._pass(position).sheet.marks if mark.stands]
        try:
            out = self.after(document.with_spans(spans))
        except HeldError as held:
            return {"held": str(held)}
        marks = predicted(out.spans)
        rows = [{"label": mark.label, "parent": parent(mark.label), "state": "accepted"} for mark in marks]
        return {"pieces": pieces(out.text, [], marks), "marks": rows}

    def found(self, words: str) -> list[dict[str, int]]:
        """Where words stand in the notes, in the order of the queue; upper and lower case are alike."""
        hits: list[dict[str, int]] = []
        sought = words.casefold()
        for row in self.queue()["notes"] if sought else []:
            text = self.store.note(row["position"]).text
            at = text.lower().find(sought) if len(text.lower()) == len(text) else text.find(words)
            while at >= 0 and len(hits) < MOST_HITS:
                hits.append({"position": row["position"], "start": at, "end": at + len(words)})
                at = text.lower().find(sought, at + 1) if len(text.lower()) == len(text) else text.find(words, at + 1)
        return hits

    def export(self) -> dict[str, Any]:
        """Write what was approved to a file in the folder of the review, and say where and how much."""
        found = approved_in(self.store)
        if not found.notes:
            raise CannotError("no note is approved yet, so nothing is written")
        target = self.store.folder / EXPORT
        write(found.notes, target, format_named("jsonl"), Remarks(), replace=True)
        return {"notes": len(found.notes), "to": str(target)}

    # What is decided

    def decide(self, position: int, version: int, wanted: Callable[[Document, Sheet], Decision]) -> None:
        """Write down what follows from what she wants, if the note is as she saw it."""
        there = self._pass(position)
        if there.version != version:
            raise StaleError
        self._write([(position, wanted(self.store.note(position), there.sheet), there)])

    def alike(self, position: int, version: int, place: Place, where: Where) -> Mapping[str, int]:
        """What was said of a span, of the same words in this note, in the patient's, or everywhere; how often.

        Notes that are approved stay as they are, but for this one: they are counted.
        """
        there, here = self._pass(position), self.store.note(position)
        if there.version != version:
            raise StaleError
        mark = edits.mark_at(there.sheet, place)
        words, verdict = here.text[mark.start : mark.end], "no" if mark.state == "refused" else "yes"
        counts = {"spans": 0, "notes": 0, "approved": 0}
        decisions: list[tuple[int, Decision, Pass]] = []
        for entry in self._scope(here, position, where):
            known = there if entry == position else self._pass(entry)
            note = here if entry == position else self.store.note(entry)
            decision = edits.alike(note, known.sheet, words, mark.label, verdict)  # type: ignore[arg-type]
            if decision is None:
                continue
            if known.sheet.approved and entry != position:
                counts["approved"] += 1
                continue
            decisions.append((entry, decision, known))
            counts["spans"] += len(decision.put)
            counts["notes"] += 1
        self._write(decisions)
        return counts

    def choose(self, position: int, version: int, place: Place, who: str) -> None:
        """An adjudicator takes one reviewer's version."""

        def wanted(_: Document, sheet: Sheet) -> Decision:
            sides = self._sides(position, edits.mark_at(sheet, place))
            if who not in sides:
                raise CannotError("this reviewer has not approved the note")
            return edits.choose(sheet, place, sides[who])

        self.decide(position, version, wanted)

    def undo(self, position: int, version: int) -> int:
        return len(self.store.undo(position, self.whose, self._known(position, version), self.reviewer))

    def redo(self, position: int, version: int) -> int:
        return len(self.store.redo(position, self.whose, self._known(position, version), self.reviewer))

    def _known(self, position: int, version: int) -> int:
        """The store's version, if the one that was shown is that of now."""
        if self._pass(position).version != version:
            raise StaleError
        return self.store.pass_of(position, self.whose).version

    def _write(self, decisions: Sequence[tuple[int, Decision, Pass]]) -> None:
        """Write decisions down on notes as they were shown. An adjudicator's first follows what was proposed."""
        steps: list[tuple[int, Decision, int]] = []
        for at, decision, there in decisions:
            version = there.version
            if version <= 0 and self.adjudicates:
                begin = Decision("begin", put=there.sheet.marks)
                version = self.store.decide(at, self.whose, begin, 0, self.reviewer).version
            steps.append((at, decision, version))
        if steps:
            self.store.decide_all(self.whose, steps, self.reviewer)

    def _scope(self, document: Document, position: int, where: Where) -> list[int]:
        if where == "note":
            return [position]
        entries = self._entries()
        if where == "everywhere":
            return [entry.position for entry in entries]
        if not document.patient:
            raise CannotError("the note names no patient; say in this note, or everywhere")
        return [entry.position for entry in entries if entry.patient == document.patient]

    # Adjudication

    def _names(self) -> tuple[str, ...]:
        return self.store.reviewers()

    def _pass(self, position: int) -> Pass:
        there = self.store.pass_of(position, self.whose)
        return self._proposed(position) if self.adjudicates and not there.version else there

    def _proposed(self, position: int) -> Pass:
        """What an adjudicator begins with: all that anybody marked; what all marked alike is settled.

        Its version changes with whatever a reviewer decides, so that nothing is settled that has changed since.
        """
        passes = {name: self.store.pass_of(position, name) for name in self._names()}
        marked = {name: set(one.sheet.spans()) for name, one in passes.items() if one.sheet.approved}
        agreed = set[Span].intersection(*marked.values()) if marked else set[Span]()
        every = [span for spans in marked.values() for span in spans]
        marks = [
            Mark(span.start, span.end, span.label, "accepted" if span in agreed else "predicted")
            for span in united(sorted(every, key=lambda span: (span.start, span.end, span.label)))
        ]
        return Pass(Sheet(tuple(marks)), -sum(one.version for one in passes.values()))

    def _sides(self, position: int, mark: Mark) -> dict[str, list[Mark]]:
        """What each reviewer marked where a mark is."""
        passes = {name: self.store.pass_of(position, name).sheet for name in self._names()}
        return {
            name: [one for one in sheet.marks if one.state == "accepted" and one.span().overlaps(mark.span())]
            for name, sheet in passes.items()
            if sheet.approved
        }
