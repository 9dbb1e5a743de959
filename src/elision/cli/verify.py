"""`elision verify`."""

from __future__ import annotations

import json as json_
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import Encoding, MaxMegabytes, chosen_format, progress, reading, say, tell
from elision.errors import ReceiptError
from elision.evidence.verify import Finding
from elision.evidence.verify import verify as compared
from elision.formats import read
from elision.keys import Key


def verify(
    receipts: Annotated[
        Path,
        typer.Argument(metavar="RECEIPTS", help="The receipts (.jsonl), the folder of a run (OUT.run), or its OUT."),
    ],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The key of the project.")],
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="What came out: a file, a folder, a database; else as the run wrote.")
    ] = "",
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of OUT; else it is guessed.")
    ] = "",
    json: Annotated[
        bool, typer.Option("--json", help="Print a line of JSON for each note, those in order too, and a summary.")
    ] = False,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
) -> None:
    """Check that notes are as they came out of a run, with its receipts.

    elision names notes that were changed since, that are missing, or that have no receipt; held notes that are there
    all the same; rows and files that were added or are gone; receipts, or their summary, that were altered. The exit
    status is 1 if there is any of it. Receipts speak of notes: columns that a run kept as they are, are not checked.

    Example:

        elision verify clean.csv --key project.key

        elision verify receipts.jsonl out/ --key project.key
    """
    from elision.run.local.proof import last_line, output_of

    how = reading(encoding, max_mb)
    output = output_of(receipts, out, format)
    secret = Key.read(key)
    if output:
        receipts = output.receipts
        notes = progress(output.notes(), "notes")
        sole = not output.is_table and Path(output.where).is_file()
        is_table, plain = output.is_table, output.plain()
        findings = compared(receipts, notes, secret, sole=sole, table=is_table, plain=plain, summary=output.summary)
        findings += output.problems(last_line(receipts))
        tell(output.remarks)
        looked = output.looked
    elif out:
        kind = chosen_format(Path(out), format)
        notes = progress(read(Path(out), kind, how), "notes")
        findings = compared(receipts, notes, secret, sole=Path(out).is_file())
        tell(how.remarks)
        looked = f"{out} ({kind.name})"
    else:
        raise ReceiptError(f"{receipts}: no manifest of a run lies beside it; say what is to be verified: OUT")
    counts = Counter(finding.what for finding in findings)
    good = all(finding.ok for finding in findings)
    for finding in findings:
        if json:
            row = {"note": finding.note, "found": finding.what, "ok": finding.ok, "line": finding.line}
            typer.echo(json_.dumps(row))
        elif not finding.ok:
            typer.echo(_told(finding, receipts))
    if json:
        typer.echo(json_.dumps({"summary": dict(counts), "ok": good, "looked at": looked, "receipts": str(receipts)}))
    say(f"looked at {looked}, and the receipts {receipts}")
    for what, count in counts.most_common():
        say(f"{what}: {count:,}")
    if not good:
        raise typer.Exit(1)


def _told(finding: Finding, receipts: Path) -> str:
    from elision.run.local.proof import NOT_OURS

    where = f" ({receipts}:{finding.line})" if finding.line else ""
    called = "file" if finding.what == NOT_OURS else "note"
    name = f"{called} {finding.note}" if finding.note else str(receipts)
    return f"{name}: {finding.what}{where}".encode("utf-8", "replace").decode()
