"""An evaluation as one page that explains itself: scores, charts, and every error in its context.

The page is a single file. It asks nothing of a network, and says so to the browser (a content security policy that
forbids all but what stands in the page). It quotes the notes; whoever keeps it must keep it as the notes are kept.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from elision import __version__
from elision.evaluate import charts
from elision.evaluate.breakdown import Row, left_out, of_most
from elision.evaluate.charts import many
from elision.evaluate.context import visible, worst_first
from elision.evaluate.error_tables import distribution_of
from elision.evaluate.evaluation import SCHEMES, Evaluation, Official
from elision.evaluate.official import table as plain_table
from elision.evaluate.tables import (
    Table,
    by_label,
    by_parent,
    confusion,
    corrected,
    error_kinds,
    extent_errors,
    figure,
    official_scores,
    percent,
    safety,
    type_errors,
    versus,
)
from elision.formats.atomic import write_text

MOST_ERRORS = 2_000  # shown in their context; a page with more is slow to open
WORST = 20
_IDS = 20  # of notes that are missing on a side
_BLOCKS = 10  # of the official scores beside the corrected ones; all of them stand at the end

KINDS = {
    "missing": "PHI in gold that the system does not mark anywhere: it stays in the clear.",
    "extent": "The system marks a part of the PHI, or more than it; where too little, the rest stays in the clear.",
    "type": "The right place under another label: the PHI is hidden, but may get the wrong kind of stand-in.",
    "spurious": "The system marks what is no PHI in gold: nobody is exposed, but text is lost.",
    "touched": "A gold span that leaks beside a system span that is counted with another one; not in the tables.",
}


@dataclass(frozen=True, slots=True)
class Card:
    """One figure in large print, its interval, and what it means."""

    title: str
    value: str
    bounds: str
    of: str  # what kind of bounds they are
    says: str


def write_report(found: Evaluation, file: Path, *, gold_name: str, system_name: str, versus_name: str = "") -> None:
    """Write the page. It quotes the notes."""
    write_text(file, render(found, gold_name=gold_name, system_name=system_name, versus_name=versus_name), private=True)


def render(
    found: Evaluation,
    *,
    gold_name: str,
    system_name: str,
    versus_name: str = "",
    most: int = MOST_ERRORS,
) -> str:
    """The page as text. Of the errors, `most` are shown in their context, those of the worst notes first."""
    import jinja2

    source = resources.files("elision").joinpath("data", "report.html").read_text("utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_printable
    )
    environment.filters["many"] = many
    names = {"gold_name": gold_name, "system_name": system_name, "versus_name": versus_name}
    return environment.from_string(source).render(**names, policy=_policy(source), **_view(found, most))


def _printable(value: Any) -> Any:
    """What goes into the page, from wherever it comes, holds no character that would hide or turn around others."""
    return visible(value, layout=True) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _policy(source: str) -> str:
    """Only this page's own styles and its one script, told by its hash, may run; nothing may be fetched."""
    script = re.search(r"<script>(.*?)</script>", source, re.DOTALL)
    digest = b64encode(sha256(script[1].encode()).digest()).decode() if script else ""
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _view(found: Evaluation, most: int) -> dict[str, Any]:
    """All that the template shows."""
    notes = worst_first(found, most)
    entries = [entry for note in notes for entry in note.entries]
    told = {label for entry in entries for label in entry.labels}
    labels = [label for label in found.errors.labels if label in told]
    listed, shown = sum(note.errors for note in notes), len(entries)
    return {
        "version": __version__,
        "facts": _facts(found),
        "summary": _summary(found),
        "cards": _cards(found),
        "safety": safety(found),
        "official": _beside(found.official),
        "corrected": corrected(found),
        "label_chart": charts.label_chart(found),
        "by_label": _noted(by_label(replace(found, labels=of_most(found.labels, _spans))), len(found.labels)),
        "by_parent": _noted(by_parent(replace(found, parents=of_most(found.parents, _spans))), len(found.parents)),
        "leak_chart": charts.leak_chart(found),
        "kind_chart": charts.kind_chart(distribution_of(found.errors)),
        "kinds": [(kind, KINDS[kind], sum(entry.kind == kind for entry in entries)) for kind in KINDS],
        "confusion_chart": charts.confusion_chart(found.tokens),
        "confusion": confusion(found),
        "worst": notes[:WORST],
        "notes": [note for note in notes if note.entries],
        "listed": listed,
        "shown": shown,
        "mistakes": len(found.errors.mistakes),
        "left_out": [note for note in notes if note.errors > len(note.entries)],
        "labels": labels,
        "number_of": {label: number for number, label in enumerate(labels)},
        "official_text": _whole(found.official),
        "more": dict(found.official.more),
        "he": [error_kinds(found), type_errors(found), _largest_extents(extent_errors(found))],
        "versus": versus(found) if found.versus else None,
        "versus_official": _beside(found.versus.official) if found.versus else None,
    }


def _spans(row: Row) -> int:
    return row.gold + row.system


def _largest_extents(table: Table) -> Table:
    """Table 8 with the rows of most errors, and the total of all at its end."""
    *rows, total = table.rows
    return _noted(replace(table, rows=(*of_most(rows, lambda row: int(row[-1])), total)), len(rows))


def _noted(table: Table, labels: int) -> Table:
    """The table, with a word on what it leaves out of so many labels."""
    return replace(table, note="; ".join(filter(None, (table.note, left_out(labels)))))


def _facts(found: Evaluation) -> list[tuple[str, str]]:
    options, sums = found.options, found.counts.strict.all().score()
    words = sum(len(gold.text) for gold, _ in found.pairs)
    facts = [
        ("notes", f"{len(found.pairs):,}, with {words:,} characters"),
        ("spans", f"{sums.gold:,} in gold, {sums.system:,} of the system"),
        ("scheme", f"{options.scheme}: {SCHEMES[options.scheme]}"),
        ("tag set", found.tag_set or "none that knows these labels"),
        ("missing from the system", _ids(found.missing)),
        ("not in gold", _ids(found.extra)),
        ("intervals", f"{_confidence(found)}, bootstrap of {options.replicates:,} draws of notes, seed {options.seed}"),
    ]
    facts.append(("made by", f"elision {__version__}"))
    if options.without:
        facts.append(("not in the mean of labels", ", ".join(options.without)))
    return facts


def _ids(ids: Sequence[str]) -> str:
    if not ids:
        return "nothing"
    more = f" and {len(ids) - _IDS:,} more" if len(ids) > _IDS else ""
    return f"{many(len(ids), 'note')}: {', '.join(ids[:_IDS])}{more}"


def _summary(found: Evaluation) -> list[str]:
    """How much PHI is found, how many notes are clean, what goes wrong most: a sentence each."""
    sentences = (_found_sentence(found), _clean_sentence(found), _error_sentence(found))
    return [sentence.replace(" %", "\u00a0%") for sentence in sentences]


def _found_sentence(found: Evaluation) -> str:
    leaks = found.leaks
    if not leaks.spans:
        return "Gold marks no PHI in these notes, so nothing could be found or missed."
    recall = found.figures["character.recall"]
    bounds = ""
    if recall.low is not None and recall.high is not None:
        bounds = f" ({_confidence(found)} interval {percent(recall.low)} – {percent(recall.high)})"
    stay = "stays" if leaks.wholly == 1 else "stay"
    return (
        f"The system covers {percent(recall.value)} of the characters of PHI{bounds}; "
        f"of {many(leaks.spans, 'PHI span')}, {leaks.wholly:,} {stay} wholly in the clear and {leaks.partly:,} in part."
    )


def _clean_sentence(found: Evaluation) -> str:
    clean = found.clean
    share = f"{clean.count:,} of {many(clean.total, 'note')} ({percent(clean.share)})"
    if not clean.count:
        return f"{share} are fully clean: every one leaks something."
    return (
        f"{share} {'is' if clean.count == 1 else 'are'} fully clean; with {100 * clean.confidence:g} % confidence, "
        f"at most {percent(found.leaking_at_most)} of notes like these leak something."
    )


def _error_sentence(found: Evaluation) -> str:
    kinds = distribution_of(found.errors)
    if not kinds.total:
        return "The system makes no error: every span has its place and label."
    kind = max(("missing", "extent", "type", "spurious"), key=lambda name: getattr(kinds, name).number)
    labels: Counter[str] = Counter()
    for mistake in found.errors.mistakes:
        place = mistake.gold or mistake.system
        if mistake.kind == kind and place:
            labels[place[2]] += 1
    label, number = labels.most_common(1)[0]
    verb = {
        "missing": "PHI that the system does not mark at all",
        "extent": "spans that begin or end in the wrong place",
        "type": "PHI under the wrong label",
        "spurious": "text marked that is no PHI",
    }[kind]
    part = getattr(kinds, kind)
    return (
        f"Of {many(kinds.total, 'error')}, the biggest group is {verb} "
        f"({kind}: {part.number:,}, {part.percent:.1f} %), most often {label} ({number:,})."
    )


def _cards(found: Evaluation) -> list[Card]:
    strict, cover, clean = found.counts.strict.all().score(), found.counts.coverage, found.clean
    gold, harmless = int(cover.characters.gold.sum()), int(cover.harmless.sum())
    return [
        _card(found, "Strict F1", "strict.f1", figure, "Span and label exactly right.", strict.gold + strict.system),
        _card(
            found,
            "Character recall",
            "character.recall",
            percent,
            "Of all PHI, how much is covered, by any label.",
            gold,
        ),
        Card(
            "Notes fully clean",
            percent(clean.share),
            f"{percent(clean.low)} – {percent(clean.high)}",
            f"{100 * clean.confidence:g} % exact interval",
            f"{clean.count:,} of {many(clean.total, 'note')} without a leak.",
        ),
        _card(found, "Leaks a note", "leaks_per_note", figure, "PHI spans in the clear, wholly or in part.", 1),
        _card(
            found, "Over-redaction", "over_redaction", percent, "Of all that is no PHI, how much is covered.", harmless
        ),
    ]


def _card(found: Evaluation, title: str, name: str, form: Callable[[float], str], says: str, whole: int) -> Card:
    if not whole:
        return Card(title, "–", "", "nothing to count", says)
    value = found.figures[name]
    if value.low is None or value.high is None:
        return Card(title, form(value.value), "", "no interval from a single note", says)
    bounds = f"{form(value.low)} – {form(value.high)}"
    return Card(title, form(value.value), bounds, f"{_confidence(found)} bootstrap interval", says)


def _confidence(found: Evaluation) -> str:
    return f"{100 * found.options.confidence:g} %"


def _beside(official: Official) -> Table | None:
    """The leading blocks of the official scores."""
    if not official.title:
        return None
    whole = official_scores(official, full=True)
    if official.refused:
        return whole
    size = len(official.blocks)
    left = f"{many(size - _BLOCKS, 'more block')} at the end of this page" if size > _BLOCKS else ""
    note = "; ".join(filter(None, (official.note, left)))
    return Table(whole.title, whole.head, whole.rows[: min(size, _BLOCKS)], note)


def _whole(official: Official) -> str:
    """The report as the official program prints it, or else its blocks as plain lines."""
    return official.text or (plain_table(official.blocks) if official.blocks else "")
