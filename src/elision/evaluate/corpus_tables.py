"""The counts of a corpus, and the agreement of two, as tables for the terminal and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from elision.evaluate.adjudication import Doubt
from elision.evaluate.agreement import Agreement, AgreementRow
from elision.evaluate.context import visible
from elision.evaluate.corpus import CorpusStatistics
from elision.evaluate.tables import Table, percent
from elision.evaluate.tally import ratio


def corpus_tables(found: CorpusStatistics) -> list[Table]:
    """The corpus as a whole, and its labels."""
    return [_whole(found), _labels(found)]


def agreement_json(agreed: Agreement) -> str:
    """All numbers as JSON, without a word of any note."""
    return json.dumps(asdict(agreed), ensure_ascii=False, indent=2)


def corpus_json(found: CorpusStatistics) -> str:
    """All numbers as JSON, without a word of any note."""
    rows: dict[str, Any] = {
        **asdict(found),
        "tokens_per_note": found.tokens_per_note,
        "spans_per_note": found.spans_per_note,
        "identifier_share": found.identifier_share,
    }
    return json.dumps(rows, ensure_ascii=False, indent=2)


def doubts_csv(found: Iterable[Doubt]) -> str:
    """The places to look at again, without their words."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("note", "start", "end", "label", "why", "usual", "times"))
    for one in found:
        label, usual = in_cell(one.label), in_cell(one.usual)
        writer.writerow((in_cell(one.document), one.start, one.end, label, one.why, usual, one.times))
    return stream.getvalue()


def in_cell(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    shown = visible(name)
    return f"'{shown}" if shown[:1] in ("=", "+", "-", "@") else shown


def _whole(found: CorpusStatistics) -> Table:
    patients = "not known" if found.patients is None else f"{found.patients:,}"
    if found.patients is not None and found.notes_without_patient:
        patients += f" ({found.notes_without_patient:,} notes without one)"
    empty = percent(ratio(found.notes_without_spans, found.notes))
    rows = (
        ("notes", f"{found.notes:,}"),
        ("patients", patients),
        ("sentences", f"{found.sentences:,}"),
        ("tokens", f"{found.tokens:,}"),
        ("tokens a note", f"{found.tokens_per_note:,.1f}"),
        ("vocabulary", f"{found.vocabulary:,} ({found.vocabulary_folded:,} in small letters)"),
        ("spans", f"{found.spans:,}"),
        ("spans a note", f"{found.spans_per_note:,.1f}"),
        ("tokens of spans", f"{found.identifier_tokens:,} ({percent(found.identifier_share)})"),
        ("mean length of a span", f"{found.span_tokens:.2f} tokens, {found.span_characters:.2f} characters"),
        ("notes without a span", f"{found.notes_without_spans:,} ({empty})"),
    )
    return Table("corpus", ("", ""), rows)


def _labels(found: CorpusStatistics) -> Table:
    head = ("label", "spans", "share", "tokens", "share", "tokens a span", "characters a span", "notes")
    rows = tuple(
        (
            row.label,
            f"{row.spans:,}",
            percent(row.share),
            f"{row.tokens:,}",
            percent(row.token_share),
            f"{row.span_tokens:.2f}",
            f"{row.span_characters:.2f}",
            f"{row.notes:,}",
        )
        for row in found.labels
    )
    return Table("by label", head, rows)


def agreement_table(agreed: Agreement) -> Table:
    """How far two annotations agree, by label."""
    head = ("label", "spans of A", "spans of B", "equal", "F1", "kappa of tokens")
    totals = (_cells("all labels", agreed.all), _cells("any label", agreed.any))
    rows = (*(_cells(row.label, row) for row in agreed.labels), *totals)
    left_out = agreed.notes_only_here + agreed.notes_only_against
    note = f"{left_out:,} notes are on one side only, and do not count" if left_out else ""
    return Table(f"agreement on {agreed.notes:,} notes", head, rows, note)


def _cells(name: str, row: AgreementRow) -> tuple[str, ...]:
    kappa = "–" if row.kappa is None else f"{row.kappa:.4f}"
    return name, f"{row.spans:,}", f"{row.spans_against:,}", f"{row.agreed:,}", f"{row.f1:.4f}", kappa
