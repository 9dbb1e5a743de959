"""`elision rules`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elision.cli.common import (
    Encoding,
    chosen_format,
    progress,
    reading,
    say,
)
from elision.cli.tables import print_table
from elision.errors import RuleError
from elision.formats import read
from elision.languages.base import shipped

if TYPE_CHECKING:
    from elision.rules import Match, Rules

app = typer.Typer(
    help="Rules: what must never be missed.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Chosen = Annotated[
    list[str], typer.Option("--pack", "-p", metavar="PACK", help="A pack, or a file of rules; repeat it for several.")
]
Packs = Annotated[
    list[str], typer.Argument(metavar="PACK...", help=f"Packs ({', '.join(shipped())}), or files of rules.")
]


@app.callback()
def _root() -> None:
    """Rules: what must never be missed."""


@app.command("list")
def list_(packs: Packs) -> None:
    """List the rules of packs, with how many proofs each has.

    Example:

        elision rules list es ours.toml
    """
    rows = _rules(packs).rows
    print_table(
        ("rule", "label", "score", "hits", "misses"),
        [(row.id, row.label, f"{row.score:g}", str(len(row.hits)), str(len(row.misses))) for row in rows],
    )


@app.command("test")
def test(packs: Packs) -> None:
    """Run the proofs of rules: what each must find and must not, and phrases in which nothing may be found.

    The exit status is 1 if a proof fails.

    Example:

        elision rules test ours.toml
    """
    from elision.rules import read_pack
    from elision.rules.proofs import counts, failures

    failed = 0
    for name in packs:
        pack = read_pack(name)
        hits, misses = counts(pack)
        for failure in failures(pack):
            failed += 1
            typer.echo(": ".join(filter(None, (failure.row, failure.proof and repr(failure.proof), failure.said))))
        typer.echo(f"{pack.name}: {len(pack.rows):,} rules, {hits:,} hits, {misses:,} misses")
    if failed:
        say(f"{failed} proofs fail; mend the rule, or the proof")
        raise typer.Exit(1)


@app.command("explain")
def explain(
    note: Annotated[Path, typer.Argument(metavar="NOTE", help="A note as a text file.")],
    pack: Chosen,
    at: Annotated[str, typer.Option(metavar="A:B", help="Only this stretch, in characters, such as 120:134.")] = "",
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="What this model says of it, too: a folder, or a name such as es.")
    ] = "",
    label: Annotated[str, typer.Option(metavar="LABEL", help="Propose a rule with this label for the stretch.")] = "",
    corpus: Annotated[
        Path | None, typer.Option(metavar="CORPUS", help="Measure the proposed rule on these notes with gold spans.")
    ] = None,
    encoding: Encoding = "utf-8",
) -> None:
    """Tell which rule fired where, and why a stretch was not masked.

    For a stretch (--at): the rules that cover it, those that matched and were refused with the reason, those that fired
    nearby, and with --model how likely a model holds it to be an identifier. With --label a rule is proposed that
    would find it, and with --corpus what it would change on notes with gold spans. The note's words are not shown, but
    for up to two words before the stretch that become part of the proposed rule: see that they are no names.

    Example:

        elision rules explain note.txt --pack nl

        elision rules explain note.txt -p nl --at 120:134 --label MEDICAL_RECORD --corpus gold/
    """
    from elision.rules.explain import explain as explained

    rules = _rules(pack)
    (document,) = read(note, "text", reading(encoding, 32))
    text = document.text
    if not at:
        print_table(("from", "to", "label", "rule", ""), [_cells(match) for match in rules.judged(text)])
        return
    start, end = _stretch(at, len(text))
    found = explained(rules, text, start, end)
    for title, matches in (("covers it", found.fired), ("refused", found.refused), ("nearby", found.near)):
        typer.echo(f"{title}: {'nothing' if not matches else ''}")
        if matches:
            print_table(("from", "to", "label", "rule", ""), [_cells(match) for match in matches])
    typer.echo(f"characters that no rule covers: {found.uncovered} of {end - start}")
    if model:
        _tell_model(model, text, start, end)
    if label:
        _propose(rules, text, (start, end), label, corpus)


def _rules(packs: list[str]) -> Rules:
    from elision.rules import Rules

    return Rules(*packs)


def _cells(match: Match) -> tuple[str, ...]:
    why = f"not counted: {match.why_not}" if match.why_not else ""
    return str(match.start), str(match.end), match.row.label, match.row.id, why


def _stretch(at: str, size: int) -> tuple[int, int]:
    first, _, after = at.partition(":")
    if not (first.isdecimal() and after.isdecimal() and int(first) < int(after) <= size):
        raise RuleError(f"--at {at[:20]}: two numbers of characters, the first below the second, up to {size:,}")
    return int(first), int(after)


def _tell_model(name: str, text: str, start: int, end: int) -> None:
    from elision.taggers.linear.kind import load
    from elision.taggers.named import model_folder

    tagger = load(model_folder(name, "--model"))
    batch = tagger.batch([text])
    shares = tagger.posteriors(batch)
    tags = tagger.chain.tags
    inside = (batch.tokens.ends > start) & (batch.tokens.starts < end)
    rows = []
    for first, after, share in zip(
        batch.tokens.starts[inside].tolist(), batch.tokens.ends[inside].tolist(), shares[inside].tolist(), strict=True
    ):
        best = max(range(len(tags)), key=lambda at: share[at])
        outside = share[tags.index("O")] if "O" in tags else 0.0
        rows.append((str(first), str(after), tags[best], f"{share[best]:.3f}", f"{1 - outside:.3f}"))
    typer.echo(f"the model {name} (its dial is {tagger.settings.dial:g}):")
    print_table(("from", "to", "most likely", "", "likely an identifier"), rows)


def _propose(rules: Rules, text: str, stretch: tuple[int, int], label: str, corpus: Path | None) -> None:
    import tomllib

    from elision.labels import canonical
    from elision.rules.explain import effect, propose
    from elision.rules.row import row_of

    if label not in canonical():
        raise RuleError(f"--label {label[:40]}: none of ours; see `elision labels`")
    row = propose(text, *stretch, label)
    typer.echo(f"\n{row}")
    if corpus is None:
        return
    rows = [row_of(found, "the proposed rule", "proposed", {}) for found in tomllib.loads(row)["rule"]]
    how = reading("utf-8", 32)
    kind = chosen_format(corpus, "")
    told = effect(rows, rules, progress(read(corpus, kind, how), "notes"))
    typer.echo(
        f"on {told.notes:,} notes it finds {told.found:,} stretches; beside these rules it covers {told.more:,} more "
        f"characters of gold spans and {told.wrong:,} characters outside of them"
    )
