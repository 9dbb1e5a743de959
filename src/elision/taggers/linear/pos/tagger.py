"""Parts of speech: a chain over the 17 universal tags, learnt from treebanks; what it says is an attribute of a place.

Four models come with elision. Each is learnt from the small development part of one or two treebanks: it is right for
some 92 words of a hundred; for Chinese, which has no spaces and whose characters are tagged one by one, for 78.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from elision.document import Document, Span
from elision.errors import ModelError
from elision.languages.base import code_of, language
from elision.models import store
from elision.taggers import kernels
from elision.taggers.batch import Batch, gather
from elision.taggers.chain import Chain
from elision.taggers.corpus import fingerprint
from elision.taggers.linear.columns import Attributes
from elision.taggers.linear.context_features import Coded, Place
from elision.taggers.linear.decoding import Decoder
from elision.taggers.linear.features import templates
from elision.taggers.linear.learning import Pace, Rows, features_of, learn, sequences, tags_at
from elision.taggers.linear.model import Linear
from elision.taggers.linear.pos import MODEL, spoken
from elision.taggers.linear.pos.treebank import UPOS, Sentence, tags_of
from elision.taggers.linear.pruning import compact, prune, rounded, weights_of
from elision.taggers.linear.saving import arrays_of, linear_of
from elision.taggers.linear.settings import Settings
from elision.text.tokens import Column

KIND = "pos"

# What a word looks like, what stands around it. Nothing here asks where a line or a sentence ends: treebanks come
# sentence by sentence, notes do not.
_SPELT = (
    *("lower[-2..2]", "form[0]", "brief[-1..1]", "shape[0]", "title[-1..1]", "length[0]"),
    *("prefix1[0]", "prefix2[0]", "prefix3[0]", "prefix4[0]", "prefix5[0]"),
    *("suffix1[0]", "suffix2[-1..1]", "suffix3[-1..1]", "suffix4[0]", "suffix5[0]"),
)
_WRITTEN = (
    *("lower[-2..2]", "brief[-1..1]", "length[0]", "prefix2[0]", "suffix2[0]"),
    *("lower[-1] lower[0]", "lower[0] lower[1]"),
)
_COMMON: Mapping[str, Any] = {"epochs": 12, "seeds": 4, "least": 3, "megabytes": 0.48}


def settings_for(code: str) -> Settings:
    """From which a language's parts of speech are learnt."""
    if language(code).spaced:
        return Settings(features=_SPELT, language=code, dropout=0.3, **_COMMON)
    return Settings(features=_WRITTEN, language=code, dropout=0.1, rate=0.4, **_COMMON)


@dataclass(frozen=True, eq=False)
class PosTagger:
    """A model that gives each token a part of speech; `fit` learns one, `load` reads one from its folder."""

    settings: Settings
    decoder: Decoder = field(repr=False)
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def upos(self) -> Column:
        """The number in UPOS of each tag."""
        return np.array([UPOS.index(_upos(tag)) for tag in self.decoder.chain.tags], np.int32)

    def codes(self, batch: Batch) -> Column:
        """For each token the number of its part of speech in UPOS."""
        return self.upos[self.decoder.tags(batch, self.settings.dial)[0]]

    def tags(self, batch: Batch) -> list[str]:
        """The part of speech of each token."""
        return [UPOS[code] for code in self.codes(batch).tolist()]

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write the model as a folder; returns its size in bytes."""
        linear = self.decoder.linear
        card = {**self.card, "settings": self.settings.as_json(), "tags": list(self.decoder.chain.tags)}
        model = store.Stored(KIND, card, dict(linear.values), arrays_of(linear))
        return store.save(folder, model, overwrite=overwrite)


def fit(settings: Settings, sentences: Iterable[Sentence]) -> PosTagger:
    """Learn from these sentences; the same ones with the same settings give the same weights."""
    known = list(sentences)
    batch = gather([sentence.text for sentence in known], settings.language)
    if not len(batch):
        raise ModelError("no sentences to learn parts of speech from; is this the right treebank?")
    tags = [tag for at, one in enumerate(known) for tag in _tags(settings, one, batch, at)]
    chain = Chain(_tag_set(tags), free=True)
    groups = np.arange(len(known), dtype=np.int32)  # a rare feature is one of few sentences
    lines = templates(settings.features)
    attributes = Attributes(lines)
    values = attributes.values(batch, settings.least, groups)
    rows = features_of(batch, lines, attributes, values, settings.least, groups)
    w, turns = learn(
        rows, tags_at(tags, chain.tags), sequences(batch, "note"), chain.allowed, len(chain.tags), _pace(settings)
    )
    learnt = rounded(compact(prune(Linear(chain.tags, lines, values, weights_of(rows, w, turns)), settings.megabytes)))
    return PosTagger(settings, _decoder(settings, chain, learnt), _card(settings, known, len(batch), rows, learnt))


def load(folder: Path) -> PosTagger:
    """A model from its folder."""
    return store.built(folder, KIND, _tagger)


def _tagger(model: store.Stored) -> PosTagger:
    settings = Settings.from_json(model.card["settings"])
    chain = Chain([str(tag) for tag in model.card["tags"]], free=True)
    if not all(_upos(tag) in UPOS for tag in chain.tags):
        raise ValueError("tags that are no parts of speech")
    linear = linear_of(model, chain.tags, templates(settings.features))
    return PosTagger(settings, _decoder(settings, chain, linear), dict(model.card))


def _decoder(settings: Settings, chain: Chain, linear: Linear) -> Decoder:
    """A sentence was one sequence in learning; in a note, a line is."""
    return Decoder(linear, chain, "line", settings.decoding)


def _tags(settings: Settings, sentence: Sentence, batch: Batch, at: int) -> list[str]:
    """What is learnt. Of Chinese, whose words are several tokens, also where a word begins: two points better."""
    tokens = batch.tokens_of(at)
    tags = tags_of(sentence, tokens)
    if language(settings.language).spaced:
        return tags
    starts = {start for start, _, _ in sentence.words}
    return [f"{'B' if start in starts else 'I'}-{tag}" for start, tag in zip(tokens.starts.tolist(), tags, strict=True)]


def _card(settings: Settings, sentences: Sequence[Sentence], tokens: int, rows: Rows, linear: Linear) -> dict[str, Any]:
    documents = [
        Document(one.text, str(at), spans=tuple(Span(start, end, tag) for start, end, tag in one.words))
        for at, one in enumerate(sentences)
    ]
    return {
        "language": settings.language,
        "training": {
            "sentences": len(sentences),
            "words": sum(len(one.words) for one in sentences),
            "tokens": tokens,
            "fingerprint": fingerprint(documents),
        },
        "features": {"learnt": rows.features, "kept": linear.kept},
        "licence": "",
    }


def _pace(settings: Settings) -> Pace:
    return Pace(
        loss=kernels.CHAIN, epochs=settings.epochs, seeds=settings.seeds, seed=settings.seed,
        dropout=settings.dropout, rate=settings.rate, l1=settings.l1, l2=settings.l2,
    )  # fmt: skip


def _tag_set(tags: Iterable[str]) -> list[str]:
    """The tags that occur, in the order of UPOS; an I has its B before it."""
    there = set(tags)
    there |= {f"B-{tag[2:]}" for tag in there if tag.startswith("I-")}
    return sorted(there, key=lambda tag: (tag.startswith("I-"), UPOS.index(_upos(tag))))


def _upos(tag: str) -> str:
    return tag.removeprefix("B-").removeprefix("I-")


# -- the models that come with elision


@cache
def _load(code: str) -> PosTagger:
    return load(language(code).path(MODEL))


_ONE = Lock()  # a model is read once, whoever asks


def shipped(tag: str) -> PosTagger:
    """The model for a language such as es or es-MX; it is read once."""
    code = code_of(tag)
    if code not in spoken():
        known = ", ".join(spoken())
        said = f"language {tag!r}" if tag else "no language was named"
        raise ModelError(f"{said}: parts of speech are known for {known}; choose one, or leave features of pos out")
    with _ONE:
        return _load(code)


def pos_place(tag: str, letters: int = 0) -> Place:
    """The part of speech as an attribute of the place; with `letters`, only so many of its first letters."""
    tagger = shipped(tag)
    short = [tag[: letters or None] for tag in UPOS]
    names = tuple(dict.fromkeys(short))
    number = np.array([names.index(tag) for tag in short], np.int32)
    key = f"_pos_{tagger.settings.language}"

    def place(batch: Batch) -> Coded:
        if key not in batch.__dict__:  # tagged once, however many attributes come of it
            batch.__dict__[key] = tagger.codes(batch)
        return number[batch.__dict__[key]], names

    return place
