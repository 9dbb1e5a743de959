"""The audit of `elision model show --audit`: what of its notes a model holds in clear."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from elision.cli.tables import print_table
from elision.errors import ModelError
from elision.languages.base import code_of, known

if TYPE_CHECKING:
    from elision.models.store import Stored
    from elision.taggers.audit import Audit
    from elision.taggers.audit_words import Spelled
    from elision.taggers.base import Tagger
    from elision.taggers.neural.pretrained import Pretrained


def dict_of(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def pretrained_of(found: Tagger | Pretrained, folder: Path | None) -> Pretrained | None:
    """What learning began with, if it did and that is given."""
    from elision.models import store
    from elision.taggers.neural.pretrained import load

    if folder is None:
        return None
    begun = load(folder)
    if store.fingerprint(folder) != dict_of(found.card.get("network")).get("pretrained"):
        raise ModelError(f"--pretrained {folder}: the model did not begin with this one; give the folder of that")
    return begun


def start_of(found: Tagger | Pretrained, name: str) -> Tagger | None:
    """The model from which learning went on, if it did: elision's own, or the one named."""
    from elision.taggers.named import model_named
    from elision.taggers.neural.pretrained import Pretrained

    wanted = dict_of(found.card.get("start")).get("fingerprint")
    if wanted is None or isinstance(found, Pretrained):
        return None
    language = code_of(found.language)
    start = model_named(name or language, "--start-from") if name or known(language) else None
    if start is None or start.version != wanted:
        raise ModelError("it goes on from another model; say --start-from with the folder of that one")
    return start


def audit(
    model: Tagger | Pretrained,
    stored: Stored,
    documents: list[Any],
    least: int,
    trust_lists: bool,
    start: Tagger | None,
    pretrained: Pretrained | None,
    facts: dict[str, Any],
) -> Audit:
    """Audit, and note in the facts what came of it."""
    from elision.taggers.audit import audit as audit_of
    from elision.taggers.experiment import learnt_from

    learnt = learnt_from(model, documents)
    found = audit_of(
        model, learnt or documents, least, stored.vocabulary, trust_lists=trust_lists, start=start,
        pretrained=pretrained,
    )  # fmt: skip
    facts["audit"] = {**found.as_json(), "notes_of_the_training": learnt is not None}
    return found


def show_audit(found: Audit, reasons: list[str]) -> None:
    typer.echo("")
    print_table(("audit", ""), _audited(found))
    typer.echo("")
    kinds = [("attribute", kind) for kind in found.attributes] + [("together", kind) for kind in found.conjunctions]
    heads = ("held in clear", "which", "strings", "fewest patients or notes", f"in fewer than {found.least}")
    print_table(heads, [(what, k.name, f"{k.strings:,}", f"{k.fewest:,}", f"{k.below:,}") for what, k in kinds])
    typer.echo("\naudit " + (f"not passed: {'; '.join(reasons)}" if reasons else "passed"))


def reasons_of(
    found: Audit, stored: Stored, facts: dict[str, Any], trust_lists: bool, pretrained: Path | None
) -> list[str]:
    """Why an audit is not passed."""
    reasons = []
    if not facts["audit"]["notes_of_the_training"]:
        reasons.append(
            "these are not the notes that it was learnt from, or their spans or labels differ (see --labels)"
        )
    if found.rare_learnt:
        begun = dict_of(stored.card.get("network")).get("pretrained") and not pretrained
        beside = "; what it began with counts, too, unless --pretrained names that folder" if begun else ""
        reasons.append(
            f"it holds what fewer than {found.least} patients have; train it with --least {found.least} or more{beside}"
        )
    if found.given.below and not trust_lists:
        reasons.append(
            f"word lists of its settings hold words of spans that fewer than {found.least} patients have; if these "
            "lists are public and not made from notes, say --trust-lists"
        )
    return reasons


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
