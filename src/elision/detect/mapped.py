"""A model that learnt a corpus's labels, as a detector of ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elision.detect.base import Detector
from elision.document import Document, Span
from elision.errors import LabelError
from elision.labels import canonical, guess_tag_set, tag_set
from elision.taggers.base import Tagger


class Mapped:
    """A model whose labels are taken over to the canonical ones."""

    def __init__(self, model: Tagger, labels: str) -> None:
        chosen = tag_set(labels)
        self.model = model
        self.name, self.version, self.dial = model.name, model.version, model.dial
        self._ways = {label: chosen.tag(label).label for label in model.labels}

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        ways, found = self._ways, self.model.detect(documents)
        return [tuple(replace(span, label=ways[span.label]) for span in spans) for spans in found]


def canonical_labels(model: Tagger, labels: str = "") -> Detector:
    """The model with canonical labels: as it is if it has them, else by the tag set, named or guessed."""
    if not labels and set(model.labels) <= set(canonical()):
        return model
    guessed = tag_set(labels) if labels else guess_tag_set(model.labels)
    if guessed is None:
        raise LabelError(
            f"the model's labels ({', '.join(model.labels[:5])}, …) are those of no one tag set that we know; "
            "name it, or write your own as a .toml file (see `elision labels`)"
        )
    return Mapped(model, labels or guessed.name)
