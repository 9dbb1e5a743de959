"""`elision verify`."""

from __future__ import annotations

import json as json_
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import Encoding, MaxMegabytes, chosen_format, progress, reading, say, tell
from elision.evidence.verify import Finding
from elision.evidence.verify import verify as compared
from elision.formats import read
from elision.keys import Key


def verify(
    receipts: Annotated[Path, typer.Argument(metavar="RECEIPTS", help="The receipts of a run (.jsonl).")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The notes that came out of it: a file or a folder.")],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The key of the project.")],
    format: Annotated[
        str, typer.Option("--format", "--from", metavar="FORMAT", help="The format of OUT; else it is guessed.")
    ] = "",
    json: Annotated[
        bool, typer.Option("--json", help="Print a line of JSON for each note, those in order too.")
    ] = False,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
) -> None:
    """Check that notes are as they came out of a run, with its receipts.

    Told are notes that were changed since, that are missing, or that have no receipt; held notes that are there all the
    same; and receipts, or their summary, that were altered. The exit status is 1 if there is any of it.

    Example:

        elision verify receipts.jsonl out/ --key project.key
    """
    how = reading(encoding, max_mb)
    kind = chosen_format(out, format)
    findings = compared(receipts, progress(read(out, kind, how), "notes"), Key.read(key), sole=out.is_file())
    tell(how.remarks)
    counts = Counter(finding.what for finding in findings)
    for finding in findings:
        if json:
            row = {"note": finding.note, "found": finding.what, "ok": finding.ok, "line": finding.line}
            typer.echo(json_.dumps(row))
        elif not finding.ok:
            typer.echo(_told(finding, receipts))
    for what, count in counts.most_common():
        say(f"{what}: {count:,}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


def _told(finding: Finding, receipts: Path) -> str:
    where = f" ({receipts}:{finding.line})" if finding.line else ""
    name = f"note {finding.note}" if finding.note else str(receipts)
    return f"{name}: {finding.what}{where}".encode("utf-8", "replace").decode()
