"""Linear taggers as a kind of models (see `elision.taggers.store`): one from its folder, and one learnt anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from elision.document import Document
from elision.errors import ModelError
from elision.models import store
from elision.taggers.base import Tagger, Watch
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain
from elision.taggers.linear.dense import dense_of
from elision.taggers.linear.resources import forms_of, places_of
from elision.taggers.linear.saving import linear_of
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.word_groups import WORDS, groups_from, groups_version, templates_of, vector_forms


def load(folder: Path) -> LinearTagger:
    """A model from its folder."""
    return store.built(folder, Settings.kind, lambda model: _tagger(model, store.fingerprint(folder)))


def _tagger(model: store.Stored, version: str) -> LinearTagger:
    card = dict(model.card)
    settings = Settings.from_json(card["settings"])
    if card["word_groups"] != groups_version(settings):
        raise ModelError("was learnt with other groups of words than this elision has; train it again with this one")
    chain = Chain([str(tag) for tag in card["tags"]], free=settings.trainer == "crfsuite" or settings.loss != "chain")
    if not chain.tags:
        raise ValueError("no tags")
    groups = groups_from(model, settings)
    forms = {**forms_of(settings), **vector_forms(groups)}
    return LinearTagger(
        settings,
        linear_of(
            model,
            chain.tags,
            templates_of(settings),
            places_of(settings),
            forms,
            WORDS,
            dense_of(model, settings, len(chain.tags)),
        ),
        chain,
        str(card["unit"]),
        Calibration(*map(float, card["calibration"])),
        card,
        groups,
        version,
    )


def fit(
    settings: Settings,
    documents: Iterable[Document],
    dev: Sequence[Document] = (),
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
    checkpoints: Path | None = None,
) -> LinearTagger:
    if checkpoints:
        raise ModelError("linear taggers are learnt in minutes and keep no checkpoints; leave them out")
    from elision.taggers.linear import training  # who tags does not wait for it

    return training.fit(settings, documents, dev, watch, start, again)
