"""`elision deidentify`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import (
    OURS,
    Allow,
    Deny,
    Dial,
    EffortOption,
    Force,
    KeyOption,
    MaxMegabytes,
    Megabytes,
    Models,
    OwnRules,
    PolicyOption,
    Seconds,
    check_outputs,
    dial_of,
    limits_of,
    say,
    to_standard_output,
)
from elision.document import Document
from elision.errors import FormatError, HeldError
from elision.formats.atomic import write_text
from elision.formats.format import MEGABYTE
from elision.formats.kinds import refuse_bytes, refuse_text
from elision.languages.telling.deciding import advice, check_codes, decide, unpacked
from elision.limits import CAN_FORK, MEGABYTES, SECONDS

Piece = tuple[str, str]


def deidentify(
    source: Annotated[
        str,
        typer.Argument(
            metavar="[IN]",
            help="A text file with one note. Without it, or with -, the note is read from standard input.",
        ),
    ] = "-",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="OUT", help="The file to write the note to. Without it, the note is printed."
        ),
    ] = None,
    policy: PolicyOption = "tag",
    key: KeyOption = None,
    language: Annotated[
        str, typer.Option(metavar="CODE", help=f"The note's language: {OURS}. Without it, elision looks at the note.")
    ] = "",
    default_language: Annotated[
        str,
        typer.Option(
            metavar="CODE",
            help="The language of a note that does not tell its own. Without it, such a note is withheld.",
        ),
    ] = "",
    rules: OwnRules = None,
    model: Models = None,
    dial: Dial = None,
    effort: EffortOption = None,
    allow: Allow = None,
    deny: Deny = None,
    patient: Annotated[
        str,
        typer.Option(
            metavar="ID", help="The patient's ID. With one ID and one key, stand-ins agree in all notes of a patient."
        ),
    ] = "",
    receipt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the note's receipt there, as a line of JSON.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with the note before and after: it holds the note."),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Show the note before and after in colour, on standard error.")
    ] = False,
    encoding: Annotated[str, typer.Option(help="The encoding of IN, such as cp1252.", metavar="NAME")] = "utf-8",
    max_mb: MaxMegabytes = 32,
    force: Force = False,
    seconds_per_note: Seconds = SECONDS,
    memory_per_note: Megabytes = MEGABYTES,
) -> None:
    """De-identify one note.

    The note comes out with each identifier replaced as the policy says, and checked: if anything of what was replaced
    is left in it, or a detector fails or takes too long, nothing comes out, and the exit status is 1.

    Example:

        elision deidentify note.txt

        elision deidentify note.txt --policy surrogate --key project.key --patient 17 -o clean.txt --receipt clean.json

        cat note.txt | elision deidentify --language es --policy safe-harbor

        elision deidentify note.txt --allow wards.txt --deny staff.toml
    """
    from elision.detect.defaults import detectors_for
    from elision.effort import effort_of
    from elision.evidence.receipts import Receipt, write_receipts
    from elision.keys import Key
    from elision.pipeline import Deidentifier
    from elision.policy import Policy
    from elision.taggers.named import model_folder

    chosen = effort_of(effort)
    check_codes(language, default_language, encoded=chosen.encoded)
    inputs = (source if source != "-" else None, key, policy, allow, deny, *(rules or ()))
    check_outputs({"--out": out, "--receipt": receipt, "--html": html}, inputs, force=force)
    text = _read(source, encoding, int(max_mb * MEGABYTE))
    name = Path(source).name if source != "-" else "standard-input"
    models = [model_folder(one, "--model") for one in model or ()]
    limits = limits_of(seconds_per_note, memory_per_note)
    if receipt and key is None:
        raise FormatError("--receipt needs --key: its hashes are keyed; make a key with: elision key new FILE")
    spoken = decide(text, language=language, default=default_language, encoded=chosen.encoded)
    document = Document(text, name, patient, spoken.language, sure=spoken.sure, also=spoken.also)
    if spoken.why:
        if receipt and key:
            signed = Key.read(key)
            held = Receipt.of(document, None, why=spoken.why, policy=Policy.named(policy), key=signed)
            write_receipts(receipt, [held], signed)
        raise HeldError(f"{document.name} is held: {spoken.why}; nothing was written; {advice(spoken.why)}")
    for warning in unpacked(spoken.language):
        say(warning)
    detectors = detectors_for(spoken.language, rules or (), models, dial=dial_of(dial), effort=chosen, also=spoken.also)
    limited = limits if CAN_FORK else None
    deidentifier = Deidentifier(detectors, policy=policy, key=key, limits=limited, allow=allow, deny=deny)
    cleaned = deidentifier([document])[0]
    if receipt:
        write_receipts(receipt, [cleaned.receipt], deidentifier.key)
    if cleaned.document is None:
        todo = f"; {said}" if (said := advice(cleaned.receipt.why)) else ""
        raise HeldError(f"{document.name} is held: {cleaned.receipt.why}; nothing was written{todo}")
    if out:
        write_text(out, cleaned.document.text)
    else:
        with to_standard_output():
            sys.stdout.write(cleaned.document.text)
    if show or html:
        before = list(pieces(cleaned.before))
        after = list(pieces(cleaned.document))
        if show:
            _show(before, after)
        if html:
            write_text(html, _page(before, after, deidentifier.policy.title), private=True)
            say(f"wrote {html}: it shows the note as it was, so keep it where the note may be kept")


def _read(source: str, encoding: str, most: int) -> str:
    """The note; its line ends stay as they are."""
    try:
        raw = sys.stdin.buffer.read(most + 1) if source == "-" else Path(source).read_bytes()
        if len(raw) > most:
            raise FormatError(f"{source}: larger than {most / MEGABYTE:g} MB; raise --max-mb if that is right")
        refuse_bytes(source, raw, encoding)
        text = raw.decode(encoding)
        refuse_text(source, text)
        return text
    except OSError as error:
        raise FormatError(f"{source}: cannot read the note: {error.strerror}") from None
    except LookupError:
        raise FormatError(f"--encoding {encoding[:40]}: no such encoding; try utf-8 or cp1252") from None
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{source}: is not {encoding} at byte {error.start}; say --encoding, such as --encoding cp1252"
        ) from None


def pieces(document: Document | None) -> Iterator[Piece]:
    """A text in pieces, each with the label of its span or none."""
    at = 0
    if document is None:
        return
    for span in sorted(document.spans, key=lambda span: span.start):
        if span.start > at:
            yield document.text[at : span.start], ""
        yield document.text_of(span), span.label
        at = span.end
    yield document.text[at:], ""


def _show(before: list[Piece], after: list[Piece]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)
    for title, parts, style in (("before", before, "black on yellow"), ("after", after, "black on green")):
        console.rule(title)
        console.print(Text.assemble(*((text, style if label else "") for text, label in parts)))


def _page(before: list[Piece], after: list[Piece], policy: str) -> str:
    from jinja2 import Environment

    template = (files("elision") / "data" / "before_after.html").read_text("utf-8")
    counts = sorted(Counter(label for _, label in before if label).items())
    return (
        Environment(autoescape=True)
        .from_string(template)
        .render(before=before, after=after, counts=counts, policy=policy)
    )
