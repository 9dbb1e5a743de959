"""A learning curve by cross-validation: each note is tested by models that learnt from few, more and all other notes.

The smaller samples are parts of the larger ones, and the notes of a patient stay together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from elision.document import Document
from elision.evaluate.learning_curve import Curve, learning_curve
from elision.evaluate.matching import strict
from elision.evaluate.splits import k_fold, train_fraction
from elision.evaluate.tally import Floats
from elision.taggers.base import Recipe, Tagger, Watch, tag
from elision.taggers.store import fit

SHARES = (0.125, 0.25, 0.5, 1.0)
FOLDS = 3
FEWEST = 20  # patients for a curve: half of those that are not tested must be enough to learn from
LEAST = 5  # patients from whose notes something can be learnt

Learn = Callable[[Sequence[Document]], Recipe]  # how to learn from these notes


def curve_of(
    documents: Sequence[Document],
    learn: Learn,
    seed: int = 0,
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
) -> Curve:
    """What models of these settings find, learnt once each, by how many notes they learnt from."""
    counts: dict[float, list[Floats]] = {}
    sizes: dict[float, list[int]] = {}
    for split in k_fold(documents, FOLDS, seed):
        for share in SHARES:
            part = train_fraction(split.train, share, seed)
            if patients_in(part) >= LEAST:
                found = _found(part, split.test, learn, watch, start, again)
                pairs = list(zip(split.test, found, strict=True))
                counts.setdefault(share, []).append(strict(pairs).all().columns())
                sizes.setdefault(share, []).append(len(part))
    whole = [share for share in SHARES if len(counts.get(share, ())) == FOLDS]
    means = {round(float(np.mean(sizes[share]))): share for share in whole}  # of few notes two shares may be as many
    return learning_curve(
        list(means), [np.concatenate(counts[share]) for share in means.values()], len(documents), seed
    )


def patients_in(documents: Sequence[Document]) -> int:
    """How many patients notes are of; a note without one counts as one."""
    return len({note.patient or at for at, note in enumerate(documents)})


def trainings() -> int:
    """How often something is learnt for a curve."""
    return FOLDS * len(SHARES)


def _found(
    part: Sequence[Document],
    test: Sequence[Document],
    learn: Learn,
    watch: Watch | None,
    start: Tagger | None,
    again: Sequence[Document],
) -> Sequence[Document]:
    if not any(note.spans for note in part):
        return list(_nothing(test))
    return tag(fit(replace(learn(part), seeds=1), part, (), watch, start, again), test)


def _nothing(test: Sequence[Document]) -> Iterator[Document]:
    return (note.with_spans(()) for note in test)
