"""`elision model`."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elision.cli.common import (
    Encoding,
    Lenient,
    MaxMegabytes,
    read_all,
    reading,
)
from elision.cli.model_audit import audit as audit_of
from elision.cli.model_audit import dict_of, pretrained_of, reasons_of, show_audit, start_of
from elision.cli.tables import print_table
from elision.cli.train_report import scores
from elision.cli.training import mapped
from elision.errors import ModelError
from elision.formats.format import MEGABYTE

if TYPE_CHECKING:
    from elision.models.store import Stored
    from elision.taggers.base import Tagger
    from elision.taggers.linear.tagger import LinearTagger
    from elision.taggers.neural.pretrained import Pretrained

NOTICE = "as the file NOTICE of elision says, which came with it"

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
    name: Annotated[str, typer.Argument(metavar="MODEL", help="The folder of a model, or one of elision's: es.")],
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
    json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of CORPUS; else it is guessed.")
    ] = "",
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
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

        elision model show es --json
    """
    from elision.models import store
    from elision.taggers.linear.tagger import LinearTagger
    from elision.taggers.named import model_folder

    model = model_folder(name)
    stored = store.load(model)
    facts = _facts(model, stored)
    if not json:
        print_table(("", ""), _about(facts))
    found = _loaded(model, stored.kind) if features or audit else None
    if features:
        if not isinstance(found, LinearTagger):
            raise ModelError(f"{model}: is a model of kind {stored.kind} and has no features to list; linear ones have")
        facts["weightiest"] = _weightiest(found, features)
        if not json:
            _show_features(facts["weightiest"])
    reasons: list[str] = []
    if found and audit:
        kind, documents = read_all(audit, format, reading(encoding, max_mb, lenient=lenient), "audited")
        notes = mapped(documents, labels, kind)
        begun = pretrained_of(found, pretrained)
        audited = audit_of(found, stored, notes, least, trust_lists, start_of(found, start_from), begun, facts)
        reasons = reasons_of(audited, stored, facts, trust_lists, pretrained)
        facts["audit"]["why_not"] = reasons
        if not json:
            show_audit(audited, reasons)
    if json:
        typer.echo(json_.dumps(facts, ensure_ascii=False, indent=1))
    if reasons:
        raise typer.Exit(1)


def _loaded(model: Path, kind: str) -> Tagger | Pretrained:
    """What can be listed or audited."""
    from elision.taggers.neural import pretrained
    from elision.taggers.store import load

    return pretrained.load(model) if kind == pretrained.KIND else load(model)


def _facts(folder: Path, stored: Stored) -> dict[str, Any]:
    """All about a model that its folder says, as JSON. Its files were checked when they were loaded."""
    from elision.models import store
    from elision.taggers.learnt import NAME as LEARNT
    from elision.taggers.learnt import remembered
    from elision.taggers.named import shipped_models

    card = dict(stored.card)
    if lexicons := dict_of(dict_of(card.get("settings")).get("lexicons")):  # how many words, not which
        counts = {name: len(words) for name, words in lexicons.items() if isinstance(words, list)}
        card["settings"] = {**card["settings"], "lexicons": counts}
    card.pop(LEARNT, None)
    return {
        "kind": stored.kind,
        "remembers": remembered(stored.card),
        "splits": splits(card),
        "licence": _short(card.get("licence")) or (NOTICE if folder in shipped_models().values() else ""),
        "bytes": store.size(folder),
        "fingerprint": store.fingerprint(folder),
        "whole": True,
        "strings": {name: len(values) for name, values in sorted(stored.vocabulary.items())},
        "card": card,
    }


def _about(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """The facts as rows, without what the card does not say. It may come from anywhere: nothing is taken for sure."""
    card = facts["card"]
    settings, training, dev, start = (dict_of(card.get(name)) for name in ("settings", "training", "dev", "start"))
    source = dict_of(start.get("data") or card.get("data"))
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
        ("splits", facts["splits"]),
        ("remembers", _remembers(facts["remembers"])),
        ("goes on from", _short(start.get("fingerprint", ""))),
        ("final model", _short(card.get("final", ""))),
        *(scores(dev) or [("scores", "none")]),
        ("dial", _pairs(card.get("dial"))),
        ("strings in clear", f"{sum(strings.values()):,} in {len(strings)} lists" if strings else "none"),
        ("features", _pairs(card.get("features"))),
        ("word vectors", _pairs(card.get("vectors"))),
        ("network", _pairs({name: value for name, value in dict_of(card.get("network")).items() if name != "losses"})),
        ("templates", "; ".join(map(str, settings.get("features") or ()))),
        ("settings", _pairs(others)),
        ("attribution", _short(source.get("attribution", ""))),
        ("licence", facts["licence"] or "not said"),
        ("note", _short(card.get("notes", ""))),
    ]
    return [(name, value) for name, value in rows if value]


def splits(card: dict[str, Any]) -> str:
    """Which notes were learnt from, and which were held out to measure and set the threshold."""
    training, held, dev = (dict_of(card.get(name)).get("notes") for name in ("training", "held_out", "dev"))
    if not isinstance(training, int):
        return ""
    parts = [f"learnt from {training:,} notes"]
    if isinstance(held, int):
        whole = dict_of(card["held_out"])
        after = "learnt from, too, after scoring" if "final" in card else "never learnt from"
        how = f"a share of {_short(whole.get('share'))} by patient, seed {_short(whole.get('seed'))}"
        parts.append(f"{held:,} held out ({how}), {after}")
    elif isinstance(dev, int):
        parts.append(f"{dev:,} dev notes, never learnt from")
    else:
        parts.append("none held out, so nothing was measured")
    return "; ".join(parts)


def _remembers(count: int | None) -> str:
    if count is None:
        return "unknown: this model does not say which notes it learnt from"
    return f"salted hashes of {count:,} notes, to tell if notes to score on are among them"


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


def _weightiest(tagger: LinearTagger, count: int) -> dict[str, list[dict[str, Any]]]:
    from elision.taggers.linear.top_features import top_features

    return {
        label: [{"feature": one.feature, "tag": one.tag, "weight": one.weight} for one in most]
        for label, most in top_features(tagger.linear, count).items()
    }


def _show_features(found: dict[str, list[dict[str, Any]]]) -> None:
    typer.echo("")
    rows = [
        (label, f"{x['feature']} → {x['tag']}", f"{x['weight']:.2f}") for label, most in found.items() for x in most
    ]
    print_table(("label", "feature", "weight"), rows)
