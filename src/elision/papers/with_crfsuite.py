"""Weights that CRFsuite learns from our features; our engine decodes with them as CRFsuite would.

A token's attributes are the numbers of its features, spelled out. CRFsuite knows no start of a sequence and only
the tags that occur, so the start says nothing here and a tag that never occurs is made unreachable.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from elision.papers.crfsuite.file import CrfsuiteModel, read_crfsuite
from elision.papers.crfsuite.trainer import train_crfsuite
from elision.taggers.chain import Chain, Floats, Ints
from elision.taggers.linear.learning import Rows
from elision.taggers.linear.settings import Settings

NEVER = np.float32(-10_000)  # the weight of a turn to a tag that never occurs; half precision can hold it


def learn_with_crfsuite(
    rows: Rows, gold: npt.NDArray[np.int16], bounds: Ints, chain: Chain, settings: Settings
) -> tuple[Floats, Floats]:
    """Weights (features x width) and turns, as CRFsuite finds them: by L-BFGS, or by the option `algorithm`."""
    options = dict(settings.options)
    algorithm = str(options.pop("algorithm", "lbfgs"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.crfsuite"
        train_crfsuite(_sequences(rows, gold, bounds, chain), path, algorithm=algorithm, options=options)
        model = read_crfsuite(path)
    return weights_from(model, rows.features, chain)


def items(rows: Ints, names: list[str]) -> list[list[str]]:
    """The attributes of tokens: the numbers of their features, as strings."""
    return [[names[number] for number in row if number >= 0] for row in rows.tolist()]


def weights_from(model: CrfsuiteModel, features: int, chain: Chain) -> tuple[Floats, Floats]:
    """A model of CRFsuite's as a row of weights for each feature, and one of turns for each tag and the start."""
    number = {tag: at for at, tag in enumerate(chain.tags)}
    tags = np.array([number[label] for label in model.labels], np.int64)
    feature = np.array([int(attribute) for attribute in model.attributes], np.int64)
    w = np.zeros((features, chain.width), np.float32)
    w[feature[model.state_attribute], tags[model.state_label]] = model.state_weight
    turns = np.zeros((len(chain.tags) + 1, chain.width), np.float32)
    turns[np.ix_(tags, tags)] = model.transition
    turns[:, np.setdiff1d(np.arange(len(chain.tags)), tags)] = NEVER
    return w, turns


def _sequences(
    rows: Rows, gold: npt.NDArray[np.int16], bounds: Ints, chain: Chain
) -> Iterator[tuple[list[list[str]], list[str]]]:
    names = [str(number) for number in range(rows.features)]
    for first, after in bounds.tolist():
        yield items(rows.rows[first:after], names), [chain.tags[tag] for tag in gold[first:after].tolist()]
