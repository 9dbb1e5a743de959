"""`elision tag`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elision.cli.common import (
    FROM,
    Counter,
    Dial,
    Encoding,
    Lenient,
    MaxMegabytes,
    check_target,
    chosen_format,
    dial_of,
    exit_if_left_out,
    progress,
    reading,
    say,
    tell,
)
from elision.document import Document, Span
from elision.errors import ElisionError, ModelError
from elision.formats import Format, Remarks, format_named, read, write

if TYPE_CHECKING:
    from elision.taggers.base import Tagger


def tag(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a model.")],
    source: Annotated[Path, typer.Argument(metavar="IN", help="A file or a folder of notes.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Where the notes go with the spans found in them.")],
    to: Annotated[
        str,
        typer.Option("--to", metavar="FORMAT", help="The format of OUT; else that of IN, or JSONL if it has no spans."),
    ] = "",
    format: Annotated[str, typer.Option("--format", "--from", metavar="FORMAT", help=FROM)] = "",
    dial: Dial = None,
    least_score: Annotated[
        float, typer.Option("--least-score", metavar="X", help="Leave out spans whose score is below X.")
    ] = 0.0,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    force: Annotated[bool, typer.Option("--force", help="Write into OUT even if something is there.")] = False,
) -> None:
    """Find spans in notes with a trained model.

    The notes come out with the spans that the model found in place of any that they had. OUT is there whole or
    not at all: a note that cannot be tagged stops everything. Spans are what the model finds, not all that there is:
    see `elision model show MODEL` for its recall on notes that it had not seen.

    Example:

        elision tag model/ notes/ tagged.jsonl

        elision tag model/ corpus/ out/ --to brat --dial 0.2
    """

    from elision.taggers.store import load

    if not 0 <= least_score <= 1:
        raise ModelError(f"--least-score {least_score:g}: a score lies between 0 and 1, such as 0.5")
    how = reading(encoding, max_mb, lenient=lenient, leave_out=True)
    dial = dial_of(dial)
    tagger = load(model)
    if dial is not None:
        tagger = tagger.dialled(dial)
    if not tagger.labels:
        raise ModelError(f"{model}: finds no spans, as its tags are none of spans (B-, I-); give a model of spans")
    kind = chosen_format(source, format)
    goal = format_named(to) if to else _goal(kind, target)
    if not goal.holds.spans:
        raise ModelError(
            f"--to {goal.name}: {goal.name} holds no spans, and spans are all that tagging adds; try jsonl"
        )
    check_target(source, target, goal, force)
    remarks = Remarks()
    counted = Counter()
    notes = progress(read(source, kind, how), "notes")
    write(counted(tagged(tagger, notes, remarks, least_score)), target, goal, remarks, replace=force)
    say(f"wrote {counted.notes:,} notes with {counted.spans:,} spans to {target} as {goal.name}")
    tell(how.remarks)
    tell(remarks)
    exit_if_left_out(how)


def _goal(kind: Format, target: Path) -> Format:
    """The format of the notes if it holds spans, unless the ending asks for ours."""
    if kind.holds.spans and (target.suffix != ".jsonl" or kind.suffix == ".jsonl"):
        return kind
    goal = format_named("jsonl")
    say(f"writing {target} as {goal.name}: " + ("by its ending" if kind.holds.spans else f"{kind.name} holds no spans"))
    return goal


def tagged(
    tagger: Tagger, documents: Iterable[Document], remarks: Remarks, least_score: float = 0.0
) -> Iterator[Document]:
    """Documents with the spans that are found, as they come; what that changes is in the remarks."""
    from elision.text.portions import portions, size_of

    language = tagger.language
    for portion in portions(documents, lambda document: size_of(document.text)):
        for document, spans in zip(portion, _found(tagger, portion), strict=True):
            kept = tuple(span for span in spans if span.score >= least_score)
            if document.spans:
                remarks.add("spans of the input, replaced by those found", document.name, len(document.spans))
            if len(kept) < len(spans):
                remarks.add(
                    f"spans found with a score below {least_score:g}, left out", document.name, len(spans) - len(kept)
                )
            if language and document.language and document.language != language:
                remarks.add(f"notes in another language than the model's ({language})", document.name)
            yield document.with_spans(kept)


def _found(tagger: Tagger, portion: Sequence[Document]) -> list[tuple[Span, ...]]:
    """The spans of each note; if that fails, an error that names the note."""
    try:
        return tagger.detect(portion)
    except ElisionError:
        raise
    except Exception as error:
        if len(portion) > 1:
            return [spans for document in portion for spans in _found(tagger, [document])]
        raise ModelError(
            f"{portion[0].name}: cannot be tagged ({type(error).__name__}); nothing was written: leave this note out, "
            "and please report it"
        ) from error
