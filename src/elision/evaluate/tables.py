"""An evaluation as tables: for the terminal, as JSON, as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from elision.evaluate.breakdown import frequent, largest, left_out
from elision.evaluate.error_tables import distribution_of, error_matrix_of, extent_table_of
from elision.evaluate.evaluation import SCHEMES, Evaluation, Official
from elision.evaluate.stats import Interval


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a head and rows; the first column is text, the others are numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


# What each line of the table of corrected scores is called, and which measures it shows.
LINES = {
    "strict": "span and label exact",
    "parent": "span exact, label within its parent",
    "blind": "span exact, any label",
    "relaxed": "overlap, label exact",
    "token": "tokens, by label",
    "binary_token": "tokens, PHI or not",
    "character": "characters, any label",
}
LEADING = {"binary": "binary_token"}  # the line that stands first, strict by default


def tables(found: Evaluation, *, full: bool = False) -> list[Table]:
    """All tables of an evaluation; `full` adds the official report whole, the confusion matrix and extent errors."""
    shown = [
        *_official("", found.official, full=full),
        corrected(found),
        safety(found),
        by_label(found),
        by_parent(found),
        error_kinds(found),
    ]
    if full:
        shown += [type_errors(found), extent_errors(found), confusion(found)]
    if found.versus:
        shown += [*_official("B: ", found.versus.official, full=full), versus(found)]
    return shown


def comparison(found: Evaluation) -> list[Table]:
    """Two systems against each other: what the official program says of each, then every measure of both."""
    if found.versus is None:
        return []
    return [*_official("A: ", found.official), *_official("B: ", found.versus.official), versus(found)]


def _official(name: str, official: Official, *, full: bool = False) -> list[Table]:
    """What the official program says, if the scheme has one."""
    if not official.title:
        return []
    table = official_scores(official, full=full)
    return [replace(table, title=f"{name}{table.title}")]


def corrected(found: Evaluation) -> Table:
    lines = sorted(LINES, key=lambda name: name != LEADING.get(found.options.scheme, "strict"))
    rows = [
        (LINES[name], *(interval(found.figures[f"{name}.{figure}"]) for figure in ("precision", "recall", "f1")))
        for name in lines
    ]
    macro = (interval(found.figures[f"strict.macro_{figure}"]) for figure in ("precision", "recall", "f1"))
    rows.append(("span and label exact, mean of notes", *macro))
    rows.append(("span and label exact, mean of labels", "", "", interval(found.figures["strict.average_f1"])))
    absent = f"{len(found.missing)} notes missing from the system count as empty, {len(found.extra)} are not in gold"
    confidence = f"{100 * found.options.confidence:g} % bootstrap intervals by note, seed {found.options.seed}"
    title = f"corrected scores, {len(found.pairs):,} notes"
    note = "; ".join(filter(None, (found.unmapped, absent, confidence)))
    return Table(title, ("", "precision", "recall", "F1"), tuple(rows), note)


def safety(found: Evaluation) -> Table:
    clean, leaks = found.clean, found.leaks
    share = f"{clean.count:,} of {clean.total:,} = {percent(clean.share)} [{percent(clean.low)}–{percent(clean.high)}]"
    distribution = ", ".join(f"{number}: {notes}" for number, notes in leaks.distribution[:8])
    over, leaked = found.figures["over_redaction"], found.figures["leaked_spans"]
    rows = (
        ("notes fully clean", share),
        ("notes that leak, at most", f"{percent(found.leaking_at_most)} at {100 * clean.confidence:g} % confidence"),
        ("leaking spans", f"{leaks.wholly:,} wholly and {leaks.partly:,} in part = {interval(leaked)}"),
        ("leaks a note", f"{interval(found.figures['leaks_per_note'])}, median {leaks.median:g}, most {leaks.maximum}"),
        ("leaks: notes that have so many", distribution + (", …" if len(leaks.distribution) > 8 else "")),
        ("over-redaction", f"{interval(over)} of the characters outside of gold"),
    )
    return Table("what matters to patients", ("", ""), rows)


def by_label(found: Evaluation) -> Table:
    return _rows("by label", found, [(row.label, row) for row in found.labels], intervals=True)


def by_parent(found: Evaluation) -> Table:
    return _rows("by parent (agreement on the parent)", found, [(row.label, row) for row in found.parents])


def _rows(title: str, found: Evaluation, rows: Iterable[tuple[str, Any]], *, intervals: bool = False) -> Table:
    head = ("", "gold", "system", "agree", "precision", "recall", "F1", "characters found", "leaks")
    cells = []
    for name, row in rows:
        f1 = interval(found.figures[f"strict.{name}.f1"]) if intervals else figure(row.f1)
        counts = (f"{row.gold:,}", f"{row.system:,}", f"{row.agree:,}")
        shown = (figure(row.precision), figure(row.recall), f1, percent(row.character_recall))
        cells.append((name, *counts, *shown, f"{row.partly + row.wholly:,}"))
    return Table(title, head, tuple(cells))


def error_kinds(found: Evaluation) -> Table:
    kinds = distribution_of(found.errors)
    rows = tuple(
        (name, f"{part.number:,}", f"{part.percent:.2f} %")
        for name, part in (
            ("type", kinds.type),
            ("extent", kinds.extent),
            ("missing", kinds.missing),
            ("spurious", kinds.spurious),
        )
    )
    return Table("kinds of errors (He 2015, Table 6)", ("", "number", "share"), rows)


def type_errors(found: Evaluation) -> Table:
    """He 2015, Table 7, of the most frequent labels."""
    matrix = error_matrix_of(found.errors)
    shown = frequent([row + column for row, column in zip(matrix.row_totals, matrix.column_totals, strict=True)])
    labels, missing = matrix.labels, matrix.missing
    rows = [
        (
            labels[at],
            *(str(n) if (n := matrix.counts[at][to]) else "" for to in shown),
            f"{missing[at].number} ({missing[at].percent:.1f} %)",
            str(matrix.row_totals[at]),
        )
        for at in shown
    ]
    spurious = (
        f"{extra.number} ({extra.percent:.1f} %)" if extra.number else "0"
        for extra in map(matrix.spurious.__getitem__, shown)
    )
    rows.append(("spurious", *spurious, "", str(matrix.spurious_total)))
    rows.append(("total", *(str(matrix.column_totals[at]) for at in shown), str(matrix.missing_total), ""))
    head = ("gold \\ system", *(labels[at] for at in shown), "missing", "total")
    note = left_out(len(labels), " (the totals count them)")
    return Table("type, missing and spurious errors (He 2015, Table 7)", head, tuple(rows), note)


def extent_errors(found: Evaluation) -> Table:
    """He 2015, Table 8."""
    table = extent_table_of(found.errors)
    rows = tuple(
        (row.label or "total", str(row.short), str(row.long), str(row.short_and_long), str(row.total))
        for row in (*table.rows, table.total)
    )
    return Table("extent errors by the system's label (He 2015, Table 8)", ("", "short", "long", "S&L", "total"), rows)


def confusion(found: Evaluation) -> Table:
    matrix = largest(found.tokens)
    rows = tuple(
        (label, *(f"{n:,}" if n else "" for n in counts))
        for label, counts in zip(matrix.labels, matrix.counts.tolist(), strict=True)
    )
    note = left_out(len(found.tokens.labels) - 1)
    return Table("tokens: gold down, system across (O is outside)", ("", *matrix.labels), rows, note)


def versus(found: Evaluation) -> Table:
    assert found.versus is not None  # noqa: S101 - the caller asked
    rows = tuple(
        (
            row.name,
            figure(row.a),
            figure(row.b),
            f"{row.difference:+.4f}" + ("" if row.low is None else f" [{row.low:+.4f}, {row.high:+.4f}]"),
            f"{row.p:.4f}",
            percent(row.b_better),
        )
        for row in found.versus.comparisons
        if row.name.endswith(".f1") or "." not in row.name
    )
    note = f"p by approximate randomisation over notes, {found.versus.shuffles:,} shuffles, seed {found.options.seed}"
    note = "; ".join(filter(None, (note, found.versus.official_test)))
    return Table(f"B against A, {len(found.pairs):,} notes", ("", "A", "B", "difference", "p", "B better"), rows, note)


def official_scores(official: Official, *, full: bool) -> Table:
    if official.refused:
        return Table(official.title, ("", ""), (("refused", official.refused),))
    blocks = official.blocks if full else official.blocks[:10]
    names = list(dict.fromkeys(name for block in blocks for name in block.printed))
    rows = [(f"{block.run} {block.name}".strip(), *(block.printed.get(name, "") for name in names)) for block in blocks]
    if full:
        rows += list(official.more.items())
    left = len(official.blocks) - len(blocks)
    note = "; ".join(filter(None, (official.note, f"{left} more blocks with --full" if left else "")))
    return Table(official.title, ("", *names), tuple(rows), note)


def figure(value: float) -> str:
    return f"{value:.4f}"


def interval(found: Interval) -> str:
    if found.low is None or found.high is None:
        return figure(found.value)
    return f"{found.value:.4f} [{found.low:.3f}–{found.high:.3f}]"


def percent(value: float) -> str:
    """A share in per cent; never 100 % unless it is all, and never 0 % unless it is nothing."""
    shown = f"{100 * value:.1f}"
    if shown == "0.0" and value > 0:
        return "<0.1 %"
    return f"{'99.9' if shown == '100.0' and value < 1 else shown} %"


def as_json(found: Evaluation) -> str:
    """Everything as JSON, without a word of any note."""
    versus = found.versus
    return json.dumps(
        {
            "options": asdict(found.options) | {"sentences": None},
            "scheme": SCHEMES[found.options.scheme],
            "tag_set": found.tag_set,
            "unmapped": found.unmapped,
            "notes": len(found.pairs),
            "missing": found.missing,
            "extra": found.extra,
            "official": _official_json(found.official),
            "corrected": {name: asdict(value) for name, value in found.figures.items()},
            "clean": asdict(found.clean),
            "leaking_at_most": found.leaking_at_most,
            "leaks": asdict(found.leaks),
            "labels": [asdict(row) for row in found.labels],
            "parents": [asdict(row) for row in found.parents],
            "errors": {
                "kinds": asdict(distribution_of(found.errors)),
                "types": asdict(error_matrix_of(found.errors)),
                "extents": asdict(extent_table_of(found.errors)),
                "mistakes": [asdict(mistake) for mistake in found.errors.mistakes],
            },
            "confusion": {"labels": found.tokens.labels, "tokens": found.tokens.counts.tolist()},
            "versus": versus
            and {"official": _official_json(versus.official), "measures": [asdict(row) for row in versus.comparisons]},
        },
        ensure_ascii=False,
        indent=1,
        allow_nan=True,
    )


def _official_json(official: Official) -> dict[str, Any]:
    return {
        "title": official.title,
        "refused": official.refused,
        "more": dict(official.more),
        "blocks": [
            {
                "name": f"{block.run} {block.name}".strip(),
                "notes": len(block.per_document),
                **asdict(block.counts),
                "printed": dict(block.printed),
                "micro": [block.precision, block.recall, block.f1],
                "leak": block.leak,
            }
            for block in official.blocks
        ],
    }
