"""What a run did, as a table for the terminal and a page for the record: counts and ids, no word of a note."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from elision.formats.atomic import write_text
from elision.run.local.manifest import Manifest
from elision.showing import column as shown_column

MOST_HELD = 1000  # held notes that the page lists; the quarantine file has all
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def facts(counts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A run in a few lines."""
    notes, held = counts["summary"]["notes"], counts["held"]
    replaced = sum(sum(by.values()) for by in counts["summary"]["spans"].values())
    seconds = max(counts["seconds"], 0.1)
    return [
        ("rows", f"{counts['rows']:,}"),
        *[("this night", _night(counts["night"])) for _ in range("night" in counts)],
        ("notes", f"{notes:,}, in {counts['characters'] / 1e6:,.1f} million characters"),
        ("cleaned", f"{notes - held:,}"),
        ("held", f"{held:,}" + (f" ({_kinds(counts['kinds'])})" if held else "")),
        ("identifiers", f"{replaced:,}"),
        *[
            (f"column {shown_column(name)}", f"{sum(whys.values()):,} values are NULL now ({_kinds(whys)})")
            for name, whys in counts.get("nulls", {}).items()
        ],
        ("time", _time(seconds) + ("" if "night" in counts else f": {notes / seconds:,.0f} notes a second")),
    ]


def labels(counts: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    """Each label, how often it was found, and what was done with it."""
    spans = counts["summary"]["spans"].items()
    rows = [(label, sum(by.values()), ", ".join(f"{do} {n:,}" for do, n in sorted(by.items()))) for label, by in spans]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def write_report(path: Path, state: Manifest) -> None:
    """The page, whole in one file. It needs no script and asks for nothing."""
    write_text(path, page(state, list(islice(_held(path.parent), MOST_HELD))))


def page(state: Manifest, held: list[dict[str, Any]]) -> str:
    from jinja2 import Environment, StrictUndefined

    template = (files("elision") / "data" / "run_report.html").read_text("utf-8")
    style = _STYLE.search(template)
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode() if style else ""
    counts = state.counts or {}
    rows = labels(counts)
    return (
        Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        .from_string(template)
        .render(
            csp=f"default-src 'none'; style-src 'sha256-{digest}'",
            state=state,
            counts=counts,
            facts=facts(counts),
            labels=rows,
            most=max((count for _, count, _ in rows), default=1),
            held=held,
            settings=[(name, value) for name, value in state.settings.items() if value],
            warnings=sorted(counts["summary"]["warnings"].items()),
        )
    )


def _held(folder: Path) -> Iterator[dict[str, Any]]:
    with (folder / "quarantine.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _night(night: Mapping[str, int]) -> str:
    words = {"new": "new", "changed": "changed", "replaced": "cleaned anew", "removed": "removed"}
    return ", ".join(f"{night[name]:,} {told}" for name, told in words.items() if night[name]) or "nothing new"


def _kinds(kinds: dict[str, int]) -> str:
    return ", ".join(f"{why} {count:,}" for why, count in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])))


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{seconds:.1f} s"
