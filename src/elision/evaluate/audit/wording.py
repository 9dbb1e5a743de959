"""An audit and a plan in words and tables: for the terminal, where no word of a note stands, and for the page."""

from __future__ import annotations

from elision.evaluate.audit.capture import ASSUMES, FEW, Capture
from elision.evaluate.audit.designs import DESIGNS, SIMPLE, STRATIFIED, Stratum
from elision.evaluate.audit.estimates import Estimate
from elision.evaluate.audit.planning import Planned, Promise
from elision.evaluate.audit.results import Audit, Part
from elision.evaluate.charts import many
from elision.evaluate.tables import Table, percent
from elision.showing import ident

WHY = {
    SIMPLE: "Every note was as likely to be drawn, so the share in the sample stands for the share in the run.",
    STRATIFIED: (
        "Each group has its share in the sample, so all groups are counted together. The extreme weights widen the "
        "bounds by what rounding changed."
    ),
    "weighted": (
        "Notes with more risk were drawn more often. So each note counts for as many as it stands for, and the bounds "
        "hold whatever the notes hold."
    ),
}


def percent_of(value: float) -> str:
    """A share with two digits that tell, never 0 % unless it is nothing."""
    if value and value < 0.001:
        return f"{100 * value:.2g} %"
    return percent(value)


def number(value: float) -> str:
    return f"{value:.3g}"


def bounds(found: Estimate, *, share: bool) -> str:
    form = percent_of if share else number
    return f"{form(found.low)} – {form(found.high)}"


def verdict(audit: Audit) -> list[str]:
    """What is shown, a sentence each."""
    whole, sure = audit.all, f"{100 * audit.all.share.confidence:g} %"
    said = [
        (
            f"In {whole.leaking:,} of {many(whole.read, 'note')} that were read, identifiers were missed: "
            f"{whole.missed:,} in all."
        ),
        (
            f"With {sure} confidence, at most {percent_of(whole.share.at_most)} of {many(audit.plan.whole, 'note')} "
            f"leak, and at most {number(whole.mean.at_most)} identifiers are missed in a note on average."
        ),
    ]
    for one in audit.promises:
        form = percent_of if one.says.startswith("share") else number
        what = "is shown" if one.kept else "is NOT shown"
        said.append(f"Promise: {one.says} at most {form(one.promised)}. It {what}: the bound is {form(one.bound)}.")
    if audit.adjudicated:
        said.append(f"{many(audit.adjudicated, 'note')} had been adjudicated: there the adjudicator's marks count.")
    if audit.disputed:
        said.append(
            f"{many(audit.disputed, 'note')} had been marked differently by the readers, and nobody adjudicated: there "
            "all that any of them marked counts as missed."
        )
    if audit.over:
        said.append(
            f"{many(audit.over, 'note')} had more than {audit.plan.most} missed, and more are not counted in a note: "
            "the bound of the mean is too low. Draw again with a higher --most."
        )
    return said


def figures(audit: Audit) -> Table:
    """The two figures for all notes."""
    share, mean = audit.all.share, audit.all.mean
    sure = f"{100 * share.confidence:g} %"
    rows = (
        ("notes that leak", percent_of(share.value), bounds(share, share=True), percent_of(share.at_most)),
        ("identifiers missed in a note", number(mean.value), bounds(mean, share=False), number(mean.at_most)),
    )
    return Table("all notes", ("", "estimate", f"{sure} interval", f"at most ({sure})"), rows)


def parts(title: str, found: tuple[Part, ...]) -> Table:
    """Groups or labels, one a row."""
    head = ("", "read", "leak", "missed", "share that leaks", "interval", "at most", "missed in a note", "interval")
    rows = tuple(
        (
            ident(one.name),
            f"{one.read:,}",
            f"{one.leaking:,}",
            f"{one.missed:,}",
            percent_of(one.share.value),
            bounds(one.share, share=True),
            percent_of(one.share.at_most),
            number(one.mean.value),
            bounds(one.mean, share=False),
        )
        for one in found
    )
    return Table(title, head, rows, "Each row holds by itself, not all rows at once.")


def captured(found: Capture) -> list[str]:
    """What two readers missed, in sentences."""
    said = [
        f"The first reader marked {many(found.first, 'identifier')}, the second {found.second:,}, both {found.both:,}."
    ]
    if found.unseen is None or found.unseen_low is None or found.unseen_high is None:
        return [*said, "Nothing was marked by both, so nothing can be told of what both missed."]
    said.append(
        f"In these notes, about {number(found.unseen)} more were seen by neither "
        f"({100 * found.confidence:g} % interval {number(found.unseen_low)} – {number(found.unseen_high)})."
    )
    if found.both < FEW:
        said.append(f"Fewer than {FEW} were marked by both: do not rely on this estimate.")
    return [*said, ASSUMES]


def assumptions(audit: Audit) -> list[str]:
    """What all of this rests on."""
    plan = audit.plan
    return [
        f"The sample was drawn at random ({plan.design}: {DESIGNS[plan.design]}). {WHY[plan.design]}",
        f"Share of notes: {audit.all.share.method}. Mean of a note: {audit.all.mean.method}.",
        f"No note has more than {plan.most} missed identifiers; more than that are counted as {plan.most}.",
        "The readers saw all that was missed. What they missed as well is not in the bounds.",
        "The bounds speak of the notes of this run, not of other notes.",
        "The sample and how much of it is read were fixed before the reading.",
    ]


def planned_words(promise: Promise, plans: list[Planned], whole: int | None) -> list[str]:
    """A plan in plain words."""
    sure, power = f"{100 * promise.confidence:g} %", f"{100 * promise.power:g} %"
    wanted = []
    if promise.leaking is not None:
        wanted.append(f"at most {percent_of(promise.leaking)} of the notes leak")
    if promise.missed is not None:
        wanted.append(f"at most {number(promise.missed)} identifiers are missed in a note on average")
    said = [f"To show with {sure} confidence that {' and that '.join(wanted)}:"]
    for one in plans:
        by = f" by {one.by}" if one.by else ""
        need = f"read {many(one.notes, 'note')}" if one.notes else "no number of notes is enough"
        said.append(f"- {one.design}{by} ({DESIGNS[one.design]}): {need}.")
    said.append("This assumes:")
    said.append(f"- The notes are drawn at random from {f'the {whole:,} of the run' if whole else 'very many'}.")
    expected = []
    if promise.leaking is not None:
        expected.append(f"{percent_of(promise.expect_leaking)} of the notes leak")
    if promise.missed is not None:
        expected.append(f"{number(promise.expect_missed)} identifiers are missed in a note")
    if promise.expect_leaking or promise.expect_missed:
        said.append(f"- In truth {' and '.join(expected)}. Then the number is enough in {power} of all samples.")
    else:
        said.append("- Nothing is found. If a note leaks after all, more are needed, as the table says.")
    if promise.missed is not None:
        said.append(f"- No note has more than {promise.most} missed identifiers (--most).")
    said.append("- The readers see all that was missed. Two who read apart tell how many they miss.")
    said.append("- The number is fixed before the reading, and all of the notes are read.")
    return said


def leaks_table(plans: list[Planned]) -> Table:
    """How many notes keep the promise although some that are read leak."""
    counts = [str(leaks) for leaks, _ in plans[0].if_leaking]
    rows = tuple((one.design, *(f"{notes:,}" if notes else "all" for _, notes in one.if_leaking)) for one in plans)
    return Table("notes to read, if so many of them leak", ("", *counts), rows)


def groups_table(groups: tuple[Stratum, ...], title: str) -> Table:
    rows = tuple((ident(one.name), f"{one.notes:,}", f"{one.read:,}", f"{one.weight:.1f}") for one in groups)
    return Table(title, ("", "notes", "to read", "each stands for"), rows)
