"""`elision model`."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elision.cli.common import (
    Encoding,
    Force,
    Lenient,
    MaxMegabytes,
    check_outputs,
    print_table,
    read_all,
    reading,
    say,
)
from elision.cli.train import mapped, model_named
from elision.cli.train_report import scores
from elision.errors import ModelError
from elision.formats.atomic import write_text
from elision.formats.format import MEGABYTE
from elision.languages.base import code_of, known

if TYPE_CHECKING:
    from elision.models.store import Stored
    from elision.taggers.audit import Audit
    from elision.taggers.audit_words import Spelled
    from elision.taggers.base import Tagger
    from elision.taggers.linear.tagger import LinearTagger
    from elision.taggers.neural.pretrained import Pretrained

app = typer.Typer(
    help="Look at trained models.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _root() -> None:
    """Look at trained models."""


@app.command("show")
def show(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a model.")],
    audit: Annotated[
        Path | None,
        typer.Option(metavar="CORPUS", help="Prove on the notes of the training that no rare word is told."),
    ] = None,
    least: Annotated[
        int,
        typer.Option(metavar="K", help="With --audit: what fewer than K patients have is rare; 0: as learnt.", min=0),
    ] = 0,
    labels: Annotated[
        str, typer.Option(metavar="A:B", help="With --audit: map labels first, as in the training.")
    ] = "",
    start_from: Annotated[
        str,
        typer.Option(
            "--start-from", metavar="MODEL", help="With --audit: the model that it goes on from, if not elision's own."
        ),
    ] = "",
    pretrained: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="With --audit: the folder of `elision pretrain` that it began with."),
    ] = None,
    trust_lists: Annotated[
        bool, typer.Option("--trust-lists", help="With --audit: word lists of the settings are public.")
    ] = False,
    features: Annotated[int, typer.Option(metavar="N", help="List the N weightiest features per label.", min=0)] = 0,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all that is shown as JSON.")] = None,
    format: Annotated[
        str, typer.Option("--format", "--from", metavar="FORMAT", help="The format of CORPUS; else it is guessed.")
    ] = "",
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    force: Force = False,
) -> None:
    """Show what a model is: labels, features, training data, scores, licence, and whether its files are whole.

    --audit counts every string that the model holds in the notes that it was learnt from. It fails, with exit
    status 1, if any is in the notes of fewer than K patients (of K notes where patients are not known; K is at
    least 3 by itself), or if these are not the notes of the training. What a model that it goes on from holds, too,
    does not count. No word of a note is printed. --features prints words that the model holds.

    Neural models hold words and characters. Those that came from a folder of `elision pretrain` count, too, unless
    --pretrained names that folder: audit it by itself, with the notes that it was learnt from. No audit tells what the
    weights of a network have kept.

    Example:

        elision model show model/ --features 5

        elision model show model/ --audit corpus/
    """
    from elision.models import store
    from elision.taggers.linear.tagger import LinearTagger

    check_outputs({"--json": json}, (audit,), force=force)
    stored = store.load(model)
    facts = _facts(model, stored)
    print_table(("", ""), _about(facts))
    found = _loaded(model, stored.kind) if features or audit else None
    if features:
        if not isinstance(found, LinearTagger):
            raise ModelError(f"{model}: is a model of kind {stored.kind} and has no features to list; linear ones have")
        facts["weightiest"] = _list_features(found, features)
    passed = True
    if found and audit:
        kind, documents = read_all(audit, format, reading(encoding, max_mb, lenient=lenient), "audited")
        notes = mapped(documents, labels, kind)
        begun = _pretrained_of(found, pretrained)
        passed = _audit(found, stored, notes, least, trust_lists, _start_of(found, start_from), begun, facts)
    if json:
        write_text(json, json_.dumps(facts, ensure_ascii=False, indent=1) + "\n")
        say(f"wrote {json}")
    if not passed:
        raise typer.Exit(1)


def _loaded(model: Path, kind: str) -> Tagger | Pretrained:
    """What can be listed or audited."""
    from elision.taggers.neural import pretrained
    from elision.taggers.store import load

    return pretrained.load(model) if kind == pretrained.KIND else load(model)


def _pretrained_of(found: Tagger | Pretrained, folder: Path | None) -> Pretrained | None:
    """What learning began with, if it did and that is given."""
    from elision.models import store
    from elision.taggers.neural.pretrained import load

    if folder is None:
        return None
    begun = load(folder)
    if store.fingerprint(folder) != _dict(found.card.get("network")).get("pretrained"):
        raise ModelError(f"--pretrained {folder}: the model did not begin with this one; give the folder of that")
    return begun


def _facts(folder: Path, stored: Stored) -> dict[str, Any]:
    """All about a model that its folder says, as JSON. Its files were checked when they were loaded."""
    from elision.models import store

    card = dict(stored.card)
    if lexicons := _dict(_dict(card.get("settings")).get("lexicons")):  # how many words, not which
        counts = {name: len(words) for name, words in lexicons.items() if isinstance(words, list)}
        card["settings"] = {**card["settings"], "lexicons": counts}
    return {
        "kind": stored.kind,
        "bytes": store.size(folder),
        "fingerprint": store.fingerprint(folder),
        "whole": True,
        "strings": {name: len(values) for name, values in sorted(stored.vocabulary.items())},
        "card": card,
    }


def _about(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """The facts as rows, without what the card does not say. It may come from anywhere: nothing is taken for sure."""
    card = facts["card"]
    settings, training, dev, start = (_dict(card.get(name)) for name in ("settings", "training", "dev", "start"))
    source = _dict(start.get("data") or card.get("data"))
    others = {name: value for name, value in settings.items() if name != "features" and value not in ({}, "")}
    strings = facts["strings"]
    rows = [
        ("kind", facts["kind"]),
        ("preset", _short(card.get("preset", ""))),
        ("set", _pairs(card.get("set"))),
        ("files", f"whole, each with the SHA-256 of the manifest; {facts['bytes'] / MEGABYTE:.2f} MB"),
        ("fingerprint", facts["fingerprint"]),
        ("labels", _pairs(card.get("labels"))),
        ("learnt from", _pairs({name: value for name, value in training.items() if name != "fingerprint"})),
        ("their fingerprint", _short(training.get("fingerprint", ""))),
        ("goes on from", _short(start.get("fingerprint", ""))),
        ("final model", _short(card.get("final", ""))),
        *(scores(dev) or [("scores", "none")]),
        ("dial", _pairs(card.get("dial"))),
        ("strings in clear", f"{sum(strings.values()):,} in {len(strings)} lists" if strings else "none"),
        ("features", _pairs(card.get("features"))),
        ("network", _pairs({name: value for name, value in _dict(card.get("network")).items() if name != "losses"})),
        ("templates", "; ".join(map(str, settings.get("features") or ()))),
        ("settings", _pairs(others)),
        ("attribution", _short(source.get("attribution", ""))),
        ("licence", _short(card.get("licence")) or "not said"),
        ("note", _short(card.get("notes", ""))),
    ]
    return [(name, value) for name, value in rows if value]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _pairs(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_short(item)}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else _short(value)


def _short(value: Any) -> str:
    if value is None or isinstance(value, bool | str):
        return "" if value is None else str(value)
    if isinstance(value, int | float):
        return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return f"({_pairs(value)})"


def _list_features(tagger: LinearTagger, count: int) -> dict[str, list[dict[str, Any]]]:
    from elision.taggers.linear.top_features import top_features

    found = top_features(tagger.linear, count)
    typer.echo("")
    rows = [(label, f"{one.feature} → {one.tag}", f"{one.weight:.2f}") for label, most in found.items() for one in most]
    print_table(("label", "feature", "weight"), rows)
    return {
        label: [{"feature": one.feature, "tag": one.tag, "weight": one.weight} for one in most]
        for label, most in found.items()
    }


def _start_of(found: Tagger | Pretrained, name: str) -> Tagger | None:
    """The model from which learning went on, if it did: elision's own, or the one named."""
    from elision.taggers.neural.pretrained import Pretrained

    wanted = _dict(found.card.get("start")).get("fingerprint")
    if wanted is None or isinstance(found, Pretrained):
        return None
    language = code_of(found.language)
    start = model_named(name or language) if name or known(language) else None
    if start is None or start.version != wanted:
        raise ModelError("it goes on from another model; say --start-from with the folder of that one")
    return start


def _audit(
    model: Tagger | Pretrained,
    stored: Stored,
    documents: list[Any],
    least: int,
    trust_lists: bool,
    start: Tagger | None,
    pretrained: Pretrained | None,
    facts: dict[str, Any],
) -> bool:
    """Audit, print it, and say whether it was passed."""
    from elision.taggers.audit import audit
    from elision.taggers.experiment import learnt_from

    learnt = learnt_from(model, documents)
    found = audit(
        model, learnt or documents, least, stored.vocabulary, trust_lists=trust_lists, start=start,
        pretrained=pretrained,
    )  # fmt: skip
    typer.echo("")
    print_table(("audit", ""), _audited(found))
    typer.echo("")
    kinds = [("attribute", kind) for kind in found.attributes] + [("together", kind) for kind in found.conjunctions]
    heads = ("held in clear", "which", "strings", "fewest patients or notes", f"in fewer than {found.least}")
    print_table(heads, [(what, k.name, f"{k.strings:,}", f"{k.fewest:,}", f"{k.below:,}") for what, k in kinds])
    facts["audit"] = {**found.as_json(), "notes_of_the_training": learnt is not None}
    reasons = []
    if learnt is None:
        reasons.append(
            "these are not the notes that it was learnt from, or their spans or labels differ (see --labels)"
        )
    if found.rare_learnt:
        begun = _dict(stored.card.get("network")).get("pretrained") and not pretrained
        beside = "; what it began with counts, too, unless --pretrained names that folder" if begun else ""
        reasons.append(
            f"it holds what fewer than {found.least} patients have; train it with --least {found.least} or more{beside}"
        )
    if found.given.below and not trust_lists:
        reasons.append(
            f"word lists of its settings hold words of spans that fewer than {found.least} patients have; if these "
            "lists are public and not made from notes, say --trust-lists"
        )
    verdict = f"not passed: {'; '.join(reasons)}" if reasons else "passed"
    typer.echo(f"\naudit {verdict}")
    return not reasons


def _audited(found: Audit) -> list[tuple[str, str]]:
    return [
        ("notes", f"{found.notes:,}, of {found.groups:,} patients (a note without a patient counts as one)"),
        ("a string must be in", f"notes of {found.least:,} patients or more"),
        ("labels that identify", ", ".join(found.labels)),
        ("words of their spans", _spelled(found.words, found.least)),
        ("whole spans of several words", _spelled(found.strings, found.least)),
        ("words of all spans in lists", _spelled(found.given, found.least)),
    ]


def _spelled(found: Spelled, least: int) -> str:
    words = f"{found.distinct:,}, of which {found.rare:,} in fewer than {least}; in the model in clear {found.held:,}"
    if found.held:
        words += f" (in {found.fewest:,} at least, in {found.median:g} as a median)"
    return f"{words}, of these in fewer than {least}: {found.below:,}"
