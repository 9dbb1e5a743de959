"""Taggers by their kind: a folder's model says which it is, settings say which they are for.

A kind is a module with `fit(settings, documents, dev, watch, start, again)` and `load(folder)`. Ours are named here; a
package adds its own as an entry point of the group elision.taggers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from elision.document import Document
from elision.errors import ModelError, shown
from elision.models import manifest, store
from elision.plugins import names, plugin
from elision.taggers.base import Recipe, Tagger, Watch

KINDS = {
    "linear": "elision.taggers.linear.kind",
    "neural": "elision.taggers.neural.kind",
    "encoder": "elision.taggers.encoder.kind",
}

FOREIGN, THEIRS = "hugging-face", "tokenizer.json"  # the kind of a folder that is not ours, and what tells it


class Kind(Protocol):
    """What a module of a kind has."""

    @staticmethod
    def fit(
        settings: Recipe,
        documents: Iterable[Document],
        dev: Sequence[Document] = (),
        watch: Watch | None = None,
        start: Tagger | None = None,
        again: Sequence[Document] = (),
        checkpoints: Path | None = None,
    ) -> Tagger: ...

    @staticmethod
    def load(folder: Path) -> Tagger: ...


def kind_named(name: str) -> Kind:
    """The module of a kind."""
    found = import_module(KINDS[name]) if name in KINDS else plugin("taggers", name, "the kind of models")
    return cast(Kind, found)


def kind_of(folder: Path) -> str:
    """Of which kind the tagger in a folder is."""
    if (folder / THEIRS).is_file() and not (folder / manifest.NAME).exists():
        return FOREIGN
    return store.kind_of(folder)


def fingerprint(folder: Path) -> str:
    """A SHA-256 that names the very tagger in a folder."""
    if kind_of(folder) == FOREIGN:
        found: str = plugin("taggers", FOREIGN, "the kind of models").fingerprint(folder)
        return found
    return store.fingerprint(folder)


def load(folder: Path) -> Tagger:
    """The tagger in a folder, of whatever kind."""
    kind = kind_of(folder)
    if kind not in KINDS and kind not in (others := names("taggers")):
        *most, last = *KINDS, *others
        raise ModelError(
            f"{folder}: is a model of kind{shown(kind, ' {}')} where {', '.join(most)} or {last} is needed; give "
            "another model, or install the package that knows this kind"
        )
    return kind_named(kind).load(folder)


def fit(
    settings: Recipe,
    documents: Iterable[Document],
    dev: Sequence[Document] = (),
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
    checkpoints: Path | None = None,
) -> Tagger:
    """Learn a tagger from these notes. On `dev`, notes not learnt from, the spans' scores are calibrated; `watch` is
    told seed, epoch, loss and F1 on dev as learning goes.

    Learning goes on where `start` stands, a tagger of the same kind and features. Notes like those that it learnt
    from, to learn `again`, keep it from forgetting; no feature comes from them. In the folder `checkpoints`, learning
    that takes long keeps where it stands, and goes on from there when it is asked for again.
    """
    return kind_named(settings.kind).fit(settings, documents, dev, watch, start, again, checkpoints)
