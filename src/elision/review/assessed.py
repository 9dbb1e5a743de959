"""The risk of notes as detectors see them: what each finds by itself, and which words were all but found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from elision.detect.base import Composite, Detector, TellsChances
from elision.document import Document
from elision.review.risk import Weak, risk_of
from elision.taggers.base import Floats, Tagger

_NO_WEAK: Weak = {}
_NONE: Floats = np.zeros(0, np.float32)


def risks_by(detectors: Sequence[Detector], documents: Sequence[Document], weak: Weak = _NO_WEAK) -> list[float]:
    """The risk of notes of one language, with the spans that they have, as these detectors look at them.

    Detectors that are made of others, such as rules that a tagger weighs, are asked part by part.
    """
    parts = [part for one in detectors for part in (one.parts if isinstance(one, Composite) else (one,))]
    found = [part.detect(documents) for part in parts]
    chances = _chances(detectors, documents)
    return [
        risk_of(document.spans, chances=chances.get(at, _NONE).tolist(), found=[side[at] for side in found], weak=weak)
        for at, document in enumerate(documents)
    ]


def _chances(detectors: Sequence[Detector], documents: Sequence[Document]) -> Mapping[int, Floats]:
    """How likely each word of each note is part of an identifier, by the first detector that tells."""
    if told := next((one for one in detectors if isinstance(one, TellsChances)), None):
        return {at: told.chances(document.text)[1] for at, document in enumerate(documents)}
    if tagger := next((one for one in detectors if getattr(one, "tells_chances", False)), None):
        return chances_of(tagger, documents)  # type: ignore[arg-type]
    return {}


def chances_of(tagger: Tagger, documents: Sequence[Document]) -> dict[int, Floats]:
    """The same of a tagger, note by note."""
    view = tagger.view([document.text for document in documents])
    return {at: view.chance[view.notes[at] : view.notes[at + 1]] for at in range(len(documents))}
