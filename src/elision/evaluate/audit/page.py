"""The report of an audit as one page that a board can file. It quotes the notes around what was missed in them.

The page needs no script and asks a network for nothing, and says so to the browser.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from elision import __version__
from elision.evaluate.audit import wording
from elision.evaluate.audit.results import Audit
from elision.evaluate.context import Piece, excerpt, visible
from elision.formats.atomic import write_text

MOST_SHOWN = 2_000
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shown:
    """One identifier that was missed, in its place."""

    label: str
    readers: str
    pieces: tuple[Piece, ...]


def write_page(audit: Audit, file: Path) -> None:
    """Write the page, for its owner's eyes only."""
    write_text(file, page(audit), private=True)


def page(audit: Audit, made: str = "") -> str:
    import jinja2

    template = resources.files("elision").joinpath("data", "audit_report.html").read_text("utf-8")
    style = _STYLE.search(template)
    digest = b64encode(sha256(style[1].encode()).digest()).decode() if style else ""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_printable
    )
    shown = list(_notes(audit))
    return environment.from_string(template).render(
        csp=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        made=made or datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        plan=audit.plan,
        good=all(one.kept for one in audit.promises),
        verdict=wording.verdict(audit),
        figures=wording.figures(audit),
        tables=[
            *([wording.parts("by group", audit.strata)] if len(audit.strata) > 1 else []),
            *([wording.parts("by label", audit.labels)] if audit.labels else []),
        ],
        groups=wording.groups_table(audit.plan.strata, "groups"),
        assumptions=wording.assumptions(audit),
        capture=wording.captured(audit.capture) if audit.capture else [],
        facts=_facts(audit),
        notes=shown,
        hidden=audit.all.missed - sum(len(misses) for _, misses in shown),
        receipts=[(note, len(audit.misses[note.name])) for note in audit.plan.notes],
    )


def _printable(value: Any) -> Any:
    """What goes into the page holds no character that would hide or turn around others."""
    return visible(value, layout=True) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _notes(audit: Audit) -> Iterator[tuple[Any, tuple[Shown, ...]]]:
    """The notes in which something was missed, with all of it in its place, until the page is long enough."""
    left = MOST_SHOWN
    for note in audit.plan.notes:
        if (misses := audit.misses[note.name][:left]) and left:
            text = audit.texts[note.name]
            mask = bytearray(len(text))
            yield (
                note,
                tuple(
                    Shown(
                        miss.label,
                        _who(miss.readers),
                        tuple(excerpt(text, (miss.start, miss.end, miss.label), None, mask, mask)),
                    )
                    for miss in misses
                ),
            )
            left -= len(misses)


def _who(readers: frozenset[int]) -> str:
    if not readers:
        return "the adjudicator alone"
    return "both readers" if len(readers) > 1 else f"reader {min(readers) + 1}"


def _facts(audit: Audit) -> list[tuple[str, str]]:
    plan, origin = audit.plan, audit.plan.origin
    signed = f"key {plan.key}, {'checked' if audit.signed else 'not checked (no --key)'}" if plan.key else "not signed"
    texts = "each is the one of its receipt" if origin.verified else "not compared with receipts (no --key)"
    facts = [
        ("notes of the run", f"{plan.whole:,}"),
        ("notes read", f"{len(plan.notes):,}"),
        ("readers", str(audit.readers)),
        ("notes adjudicated", f"{audit.adjudicated:,}" if audit.adjudicated else ""),
        ("marked differently, not adjudicated", f"{audit.disputed:,}" if audit.disputed else ""),
        ("design", f"{plan.design}{f' by {plan.by}' if plan.by else ''}, seed {plan.seed}"),
        ("sample drawn", plan.made),
        ("plan", plan.digest),
        ("plan's signature", signed),
        ("notes", origin.where),
        ("policy", origin.policy),
        ("the run's key", origin.key),
        ("the run's receipts: chain", origin.chain),
        ("the run's receipts: signature", origin.signature),
        ("texts when they were drawn", texts if origin.chain else "the run's receipts were not there"),
    ]
    return [(name, value) for name, value in facts if value]
