"""A linear tagger as a folder, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.errors import ElisionError, ModelError
from elision.models import store
from elision.taggers.calibration import Calibration
from elision.taggers.linear.chain import Chain
from elision.taggers.linear.model import Floats, Linear, Sparse, Weights, padded
from elision.taggers.linear.resources import forms_of, groups_version, places_of
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.word_groups import WORDS, groups_from, stored_groups, templates_of, vector_forms

KIND = "linear"


def arrays_of(linear: Linear) -> dict[str, npt.NDArray[Any]]:
    """A model's weights as arrays: for each feature how many there are, then all labels and all weights in a row."""
    w = linear.weights
    return {
        "counts": np.concatenate((np.diff(w.alone.begins), np.diff(w.begins))).astype(np.uint8),
        "names": np.concatenate((w.alone.names, w.names)),
        "weights": _halves(np.concatenate((w.alone.weights, w.weights))),
        "keys": w.keys,
        "turns": w.turns,
    }


def _halves(weights: Floats) -> npt.NDArray[Any]:
    """In half precision if that is the same; weights of CRFsuite's stay as they are, so that its tags stay, too."""
    halves = weights.astype(np.float16)
    return halves if np.array_equal(halves, weights) else weights


def linear_of(model: store.Stored, labels: Sequence[str], settings: Settings) -> Linear:
    """The way back, from arrays and values of attributes; a ValueError or KeyError where they do not fit together."""
    lines = templates_of(settings)
    values = {str(name): tuple(known) for name, known in model.vocabulary.items() if name != WORDS}
    if missing := {name for template in lines for name, _ in template.terms} - set(values):
        raise KeyError(f"{len(missing)} attributes without values")
    sizes = [len(values[template.terms[0][0]]) if template.alone else 0 for template in lines]
    bases, alone = [], 0
    for template, size in zip(lines, sizes, strict=True):
        bases.append(alone if template.alone else -1)
        alone += size
    weights = _weights(model.arrays, alone, tuple(bases), padded(len(labels)), len(labels))
    forms = {**forms_of(settings), **vector_forms(groups_from(model, settings))}
    return Linear(labels, lines, values, weights, places_of(settings), forms)


def save(tagger: LinearTagger, folder: Path, *, overwrite: bool) -> int:
    card = {
        **tagger.card_,
        "settings": tagger.settings.as_json(),
        "tags": list(tagger.chain_.tags),
        "unit": tagger.unit_,
        "calibration": [tagger.calibration_.slope, tagger.calibration_.shift],
        "word_groups": groups_version(tagger.settings),
    }
    words, numbers = stored_groups(tagger.word_groups_)
    model = store.Stored(KIND, card, {**tagger.linear_.values, **words}, {**arrays_of(tagger.linear_), **numbers})
    return store.save(folder, model, overwrite=overwrite)


def load(folder: Path) -> LinearTagger:
    model = store.load(folder, (KIND,))
    try:
        tagger = _tagger(model)
    except ElisionError as error:
        raise ModelError(f"{folder}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(
            f"{folder}: not a model that this elision wrote ({type(error).__name__}); train it again"
        ) from None
    tagger.version_ = store.fingerprint(folder)
    return tagger


def _tagger(model: store.Stored) -> LinearTagger:
    card = dict(model.card)
    settings = Settings.from_json(card["settings"])
    if card["word_groups"] != groups_version(settings):
        raise ModelError("was learnt with other groups of words than this elision has; train it again with this one")
    tagger = LinearTagger(settings)
    tagger.chain_ = Chain(
        [str(tag) for tag in card["tags"]], free=settings.trainer == "crfsuite" or settings.loss != "chain"
    )
    if not tagger.chain_.tags:
        raise ValueError("no tags")
    tagger.unit_ = str(card["unit"])
    tagger.calibration_ = Calibration(*map(float, card["calibration"]))
    tagger.card_ = card
    tagger.linear_ = linear_of(model, tagger.chain_.tags, settings)
    tagger.word_groups_ = groups_from(model, settings)
    return tagger


def _weights(
    arrays: Mapping[str, npt.NDArray[Any]], alone: int, bases: tuple[int, ...], width: int, labels: int
) -> Weights:
    """The arrays, checked: what the kernels index with must lie within what they index."""
    if arrays["counts"].dtype != np.uint8:
        raise ValueError("counts that could be negative")
    counts, names, keys = arrays["counts"].astype(np.int64), arrays["names"], arrays["keys"].astype(np.uint64)
    values, turns = arrays["weights"].astype(np.float32), np.ascontiguousarray(arrays["turns"], np.float32)
    if len(counts) != alone + len(keys) or int(counts.sum()) != len(names) or len(names) != len(values):
        raise ValueError("arrays of different lengths")
    if names.dtype != np.uint8 or (len(names) and int(names.max()) >= labels) or turns.shape != (labels + 1, width):
        raise ValueError("labels that are not there")
    if not (np.isfinite(values).all() and np.isfinite(turns).all()) or bool((np.diff(keys.astype(object)) <= 0).any()):
        raise ValueError("numbers that cannot be")
    edges = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    split = int(edges[alone])
    rows = Sparse(edges[: alone + 1].astype(np.int32), names[:split], values[:split])
    begins = (edges[alone:] - split).astype(np.int32)
    return Weights(rows, bases, keys, begins, names[split:], values[split:], turns)
