"""`elision detect`."""

from __future__ import annotations

import json as json_
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elision.cli.common import (
    FROM,
    Allow,
    DefaultLanguage,
    Deny,
    Dial,
    EffortOption,
    Encoding,
    Force,
    LanguageOption,
    Lenient,
    MaxMegabytes,
    Megabytes,
    Memory,
    Models,
    OwnRules,
    Seconds,
    check_target,
    chosen_format,
    dial_of,
    exit_if_left_out,
    limits_of,
    progress,
    reading,
    say,
    tell,
    tell_learnt,
)
from elision.document import Document, Span
from elision.effort import effort_of
from elision.errors import HeldError, ModelError
from elision.formats import Format, Remarks, format_named, read, write
from elision.languages.base import code_of
from elision.languages.telling.deciding import advice, check_codes, unpacked
from elision.limits import MEGABYTES, SECONDS

if TYPE_CHECKING:
    from elision.detect.safely import Detected
    from elision.taggers.base import Tagger


def detect(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A file or a folder of notes.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Where the notes go with the spans found in them.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="The format of OUT, such as brat. Without it, that of IN, or JSONL if that format has no spans.",
        ),
    ] = "",
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help=FROM)] = "",
    language: LanguageOption = "",
    default_language: DefaultLanguage = "",
    rules: OwnRules = None,
    model: Models = None,
    rules_only: Annotated[
        bool,
        typer.Option(
            "--rules-only",
            help="Only what rules match, as they match it: no models, no memory, and no span grows to its whole value.",
        ),
    ] = False,
    model_only: Annotated[
        bool, typer.Option("--model-only", help="Only what the one --model finds by itself: no rules, no memory.")
    ] = False,
    dial: Dial = None,
    effort: EffortOption = None,
    allow: Allow = None,
    deny: Deny = None,
    memory: Memory = True,
    least_score: Annotated[
        float, typer.Option("--least-score", metavar="X", help="Leave out spans whose score is below X.")
    ] = 0.0,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    seconds_per_note: Seconds = SECONDS,
    memory_per_note: Megabytes = MEGABYTES,
    json: Annotated[bool, typer.Option("--json", help="Print what came of it as JSON.")] = False,
    force: Force = False,
) -> None:
    """Find identifiers in notes, and replace nothing.

    The notes come out as they are, with the spans that `elision run` with the same options would replace, in place of
    any that they had. Then `elision score GOLD OUT` measures what elision finds. Notes that a run would withhold are
    not in OUT: elision names them, `elision score` counts them as missing, and the exit status is 1.

    --rules-only and --model-only show what one part finds by itself. elision's own models have names, such as es.

    Example:

        elision detect gold/ found.jsonl

        elision detect corpus/ out/ --to brat --effort fast --language nl

        elision detect gold/ found.jsonl --model model/ --model-only --dial 0.2
    """
    from elision.run.detecting import COLUMNS, alone
    from elision.run.detecting import detect as run_detect
    from elision.run.how import How
    from elision.taggers.named import model_folder
    from elision.taggers.store import load

    chosen = effort_of(effort)
    if not 0 <= least_score <= 1:
        raise ModelError(f"--least-score {least_score:g}: a score lies between 0 and 1, such as 0.5")
    if rules_only and (model_only or model or dial is not None):
        raise ModelError("--rules-only: no model looks; leave --model-only, --model and --dial out")
    if model_only and (len(model or ()) != 1 or rules):
        raise ModelError("--model-only: give one --model, and no --rules")
    if (allow or deny) and (rules_only or model_only):
        raise ModelError("--allow, --deny: are about what a run replaces; leave --rules-only and --model-only out")
    how = reading(encoding, max_mb, lenient=lenient, leave_out=True)
    limits = limits_of(seconds_per_note, memory_per_note)
    names = model or []
    folders = tuple(str(model_folder(one, "--model")) for one in names)
    search = How(
        COLUMNS, language=language, default_language=default_language, rules=tuple(rules or ()), models=folders,
        most=how.max_bytes, memory=memory, dial=dial_of(dial), effort=chosen, allow=str(allow or ""),
        deny=str(deny or ""),
    )  # fmt: skip
    taggers = [load(Path(one)) for one in folders]
    if model_only and not taggers[0].labels:
        raise ModelError(f"{names[0]}: finds no spans, as its tags are none of spans (B-, I-); give a model of spans")
    kind = chosen_format(source, format)
    goal = format_named(to) if to else _goal(kind, target)
    if not goal.holds.spans:
        raise ModelError(f"--to {goal.name}: {goal.name} holds no spans, and spans are what detect writes; try jsonl")
    check_codes(language, default_language, encoded=chosen.encoded)
    check_target(source, target, goal, force)
    for warning in unpacked(language, default_language):
        say(warning)
    documents = list(progress(read(source, kind, how), "notes read"))
    tell(how.remarks)
    for name, tagger in zip(names, taggers, strict=True):
        tell_learnt(name, tagger.card, documents)
    if model_only or rules_only:
        found = alone(documents, search, _dialled(taggers[0], search.dial) if model_only else None, limits)
    else:
        found = run_detect(documents, search, limits)
    made = Made(documents, least_score, taggers[0].language if model_only else "")
    for at, spans in progress(found, "notes looked at", len(documents)):
        made.take(at, spans)
    if not made.spans:
        raise HeldError(f"all {len(documents):,} notes are withheld; nothing was written")
    write(made.notes(), target, goal, made.remarks, replace=force)
    say(f"wrote {len(made.spans):,} notes with {made.count:,} spans to {target} as {goal.name}")
    tell(made.remarks)
    if json:
        typer.echo(json_.dumps(made.as_json(), ensure_ascii=False))
    if made.withheld:
        say(f"{len(made.withheld):,} of {len(documents):,} notes are withheld, and are not in {target}")
        raise typer.Exit(1)
    exit_if_left_out(how)


def _dialled(tagger: Tagger, dial: float | None) -> Tagger:
    return tagger if dial is None else tagger.dialled(dial)


def _goal(kind: Format, target: Path) -> Format:
    """The format of the notes if it holds spans, unless the ending asks for ours."""
    if kind.holds.spans and (target.suffix != ".jsonl" or kind.suffix == ".jsonl"):
        return kind
    goal = format_named("jsonl")
    say(f"writing {target} as {goal.name}: " + ("by its ending" if kind.holds.spans else f"{kind.name} holds no spans"))
    return goal


class Made:
    """What came of the notes, by their numbers."""

    def __init__(self, documents: Sequence[Document], least_score: float, language: str) -> None:
        self._documents, self._least, self._language = documents, least_score, language
        self.spans: dict[int, tuple[Span, ...]] = {}
        self.withheld: dict[int, str] = {}
        self.remarks = Remarks()

    @property
    def count(self) -> int:
        return sum(map(len, self.spans.values()))

    def take(self, at: int, found: Detected) -> None:
        """What was found in a note. One that is withheld is named at once."""
        document = self._documents[at]
        if isinstance(found, HeldError):
            self.withheld[at] = why = str(found)
            say(f"{document.name} is withheld: {why}{self._advice(why)}")
            return
        self.spans[at] = kept = tuple(span for span in found if span.score >= self._least)
        left_out = len(found) - len(kept)
        spoken = document.language
        for count, what in (
            (len(document.spans), "spans of the input, replaced by those found"),
            (left_out, f"spans found with a score below {self._least:g}, left out"),
            (
                int(bool(self._language and spoken and code_of(spoken) != code_of(self._language))),
                f"notes in another language than the model's ({self._language})",
            ),
        ):
            if count:
                self.remarks.add(what, document.name, count)

    def notes(self) -> Iterator[Document]:
        """The notes that come out, in the order in which they were read."""
        return (document.with_spans(self.spans[at]) for at, document in enumerate(self._documents) if at in self.spans)

    def as_json(self) -> dict[str, Any]:
        return {
            "notes": len(self.spans),
            "spans": self.count,
            "labels": dict(sorted(Counter(span.label for spans in self.spans.values() for span in spans).items())),
            "withheld": [{"note": self._documents[at].id, "why": why} for at, why in sorted(self.withheld.items())],
        }

    def _advice(self, why: str) -> str:
        return f"; {said}" if (said := advice(why)) else ""
