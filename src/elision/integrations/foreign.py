"""Recognisers of other programs as detectors of ours: they fail closed, and all that they find is covered.

    Deidentifier([*detectors_for("en"), from_spacy(nlp), from_presidio(recogniser)])

What they give is not trusted. A find of the wrong type, empty, turned round, beyond the text, or whose own text is not
what stands there holds the note, as does an error; no word of either is in the reason. Overlapping finds are merged, so
that no character of them comes out. A label that no table knows is told once, and its finds are covered as OTHER.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from operator import index
from threading import Lock
from typing import Any, NamedTuple

from elision.document import Document, Span, documents_of
from elision.errors import HeldError, LabelError, shown
from elision.formats.presidio_names import TAGS
from elision.labels import canonical

UNKNOWN = "OTHER"  # the label of finds whose label no table knows
LEAVE = ""  # in a table: what has this label identifies nobody
# What spaCy's pipelines and models of Hugging Face are taught: OntoNotes, CoNLL and WikiNER.
_USUAL: Mapping[str, str] = {
    "PERSON": "NAME_OTHER", "PER": "NAME_OTHER", "NAME": "NAME_OTHER", "PATIENT": "NAME_PATIENT",
    "GPE": "LOCATION_OTHER", "LOC": "LOCATION_OTHER", "FAC": "LOCATION_OTHER", "ADDRESS": "ADDRESS",
    "ORG": "ORGANIZATION", "NORP": "NATIONALITY", "DATE": "DATE", "PHONE": "PHONE", "EMAIL": "EMAIL", "MISC": UNKNOWN,
    "TIME": LEAVE, "MONEY": LEAVE, "PERCENT": LEAVE, "QUANTITY": LEAVE, "ORDINAL": LEAVE, "CARDINAL": LEAVE,
    "LANGUAGE": LEAVE, "LAW": LEAVE, "EVENT": LEAVE, "PRODUCT": LEAVE, "WORK_OF_ART": LEAVE,
}  # fmt: skip
_GLINER_WORD = re.compile(r"\w+(?:[-_]\w+)*|\S")


class Find(NamedTuple):
    """What another program says that it found; of any type, as nothing of it is trusted."""

    start: Any
    end: Any
    label: Any
    score: Any = 1.0
    text: Any = None  # what it says that stands there; None if it does not say


class Foreign:
    """A recogniser of another program. One call at a time goes to it: many are not made for threads."""

    def __init__(
        self,
        find: Callable[[Document], Iterable[Find]],
        *,
        name: str,
        version: str = "",
        labels: Mapping[str, str] | None = None,
        announced: Iterable[str] = (),
        least: float = 0.0,
    ) -> None:
        self.name, self.version = name, version
        self._find, self._least, self._lock = find, least, Lock()
        self._labels = _table(labels or {})
        self.unmapped: set[str] = set()  # labels that no table knows, as far as they are known
        for label in announced:
            self._label(label)

    def __repr__(self) -> str:
        return f"<Foreign: {self.name}>"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [tuple(self._spans(document)) for document in documents_of(documents)]

    def _spans(self, document: Document) -> list[Span]:
        try:
            with self._lock:
                found = [Find(*one) for one in self._find(document)]
        except HeldError as held:
            raise HeldError(f"{self.name}: {held}") from None
        except Exception as error:
            raise HeldError(f"{self.name}: failed{shown(type(error).__name__, ' ({})')}") from None
        return [span for one in found if (span := self._span(document.text, one))]

    def _span(self, text: str, found: Find) -> Span | None:
        try:
            if isinstance(found.start, bool) or isinstance(found.end, bool) or not isinstance(found.label, str):
                raise TypeError
            start, end, score = index(found.start), index(found.end), float(found.score)
        except (TypeError, ValueError, OverflowError):
            raise HeldError(f"{self.name}: wrong-type") from None
        if not 0 <= start < end:
            raise HeldError(f"{self.name}: empty-or-turned-round")
        if end > len(text):
            raise HeldError(f"{self.name}: span-beyond-text")
        if not (math.isfinite(score) and 0 <= score <= 1.001):
            raise HeldError(f"{self.name}: no-score")
        if found.text is not None and found.text != text[start:end]:
            raise HeldError(f"{self.name}: offsets-of-another-text")
        label = self._label(found.label)
        return Span(start, end, label, min(score, 1.0), self.name) if label and score >= self._least else None

    def _label(self, said: str) -> str:
        """Our label for theirs, "" if it is to be left."""
        ours = self._labels.get(said.upper())
        if ours is not None:
            return ours
        if said not in self.unmapped and len(self.unmapped) < 1000:
            self.unmapped.add(said)
            what = shown(said) or " of a strange name"
            warnings.warn(
                f"{self.name}: no label of ours for{what}: its finds are covered as {UNKNOWN}; say which one with "
                "labels={…}, or an empty one to leave them",
                stacklevel=2,
            )
        return UNKNOWN


def from_presidio(
    recogniser: Any,
    *,
    language: str = "en",
    labels: Mapping[str, str] | None = None,
    least: float = 0.0,
    name: str = "",
    version: str = "",
) -> Foreign:
    """A recogniser of Presidio, or an `AnalyzerEngine` with all of its own. `language` serves notes that have none.

    `least` is the lowest score that counts: patterns of Presidio that wait for a context begin at .01."""
    is_engine = hasattr(recogniser, "registry")
    supported = [str(one) for one in recogniser.get_supported_entities()]

    def find(document: Document) -> Iterable[Find]:
        spoken = document.language.partition("-")[0] or language
        if is_engine:
            found = recogniser.analyze(text=document.text, language=spoken)
        else:
            found = recogniser.analyze(document.text, supported, None)
        return [Find(one.start, one.end, one.entity_type, one.score) for one in found or ()]

    return Foreign(
        find,
        name=name or f"presidio:{getattr(recogniser, 'name', type(recogniser).__name__)}",
        version=version or _versions("presidio-analyzer", getattr(recogniser, "version", "")),
        labels=labels,
        announced=supported,
        least=least,
    )


def from_spacy(
    nlp: Callable[[str], Any],
    *,
    labels: Mapping[str, str] | None = None,
    name: str = "",
    version: str = "",
) -> Foreign:
    """A pipeline of spaCy: what stands in `doc.ents`."""
    meta: Mapping[str, Any] = getattr(nlp, "meta", {})
    announced = [label for theirs in getattr(nlp, "pipe_labels", {}).values() for label in theirs]
    entities = [label for label in announced if label.upper() in _table({}) or label.upper() in _table(labels or {})]

    def find(document: Document) -> Iterable[Find]:
        doc = nlp(document.text)
        if doc.text != document.text:
            raise HeldError("offsets-of-another-text")
        return [Find(one.start_char, one.end_char, one.label_, text=one.text) for one in doc.ents]

    model = "_".join(str(meta[part]) for part in ("lang", "name") if meta.get(part)) or "pipeline"
    return Foreign(
        find,
        name=name or f"spacy:{model}",
        version=version or _versions("spacy", meta.get("version", "")),
        labels=labels,
        announced=entities,
    )


def from_gliner(
    model: Any,
    kinds: Mapping[str, str],
    *,
    threshold: float = 0.3,
    name: str = "",
    version: str = "",
) -> Foreign:
    """A model with `predict_entities`, as GLiNER's. `kinds`: what it is asked for, and our label for each."""
    longest = getattr(getattr(model, "config", None), "max_len", None)

    def find(document: Document) -> Iterable[Find]:
        if isinstance(longest, int) and len(_GLINER_WORD.findall(document.text)) > longest:
            raise HeldError("too-long-for-model")  # it would leave the rest unread
        found = model.predict_entities(document.text, list(kinds), threshold=threshold)
        return [Find(one["start"], one["end"], one["label"], one.get("score", 1.0), one.get("text")) for one in found]

    return Foreign(
        find,
        name=name or f"gliner:{type(model).__name__}",
        version=version or _versions("gliner"),
        labels=kinds,
        announced=kinds,
    )


def from_huggingface(
    pipeline: Any,
    *,
    labels: Mapping[str, str] | None = None,
    name: str = "",
    version: str = "",
) -> Foreign:
    """A token-classification pipeline of Hugging Face with an aggregation_strategy, or whatever is called like one."""
    config = getattr(getattr(pipeline, "model", None), "config", None)
    announced = {re.sub(r"^[BIESLU][-_]", "", str(one)) for one in (getattr(config, "id2label", None) or {}).values()}

    def find(document: Document) -> Iterable[Find]:
        if _is_cut(pipeline, document.text):
            raise HeldError("too-long-for-model")
        found = pipeline(document.text)
        return [Find(one["start"], one["end"], one["entity_group"], one.get("score", 1.0)) for one in found]

    return Foreign(
        find,
        name=name or "hugging-face:pipeline",
        version=version or _versions("transformers", getattr(config, "model_type", "")),
        labels=labels,
        announced=sorted(announced - {"O"}),
    )


def _is_cut(pipeline: Any, text: str) -> bool:
    """Whether the pipeline would leave the end of a text unread: it has a limit, and no `stride`."""
    tokenizer = getattr(pipeline, "tokenizer", None)
    most = getattr(tokenizer, "model_max_length", None)
    if tokenizer is None or not isinstance(most, int) or most > 1_000_000:
        return False
    if "stride" in getattr(pipeline, "_preprocess_params", {}).get("tokenizer_params", {}):
        return False
    return len(tokenizer(text, truncation=False, verbose=False)["input_ids"]) > most


def _table(labels: Mapping[str, str]) -> dict[str, str]:
    """Theirs in capitals, and ours; an error if one of ours is none."""
    for ours in labels.values():
        if ours not in (*canonical(), LEAVE):
            raise LabelError(f"labels: no label{shown(ours) or ' of this name'} of ours; see `elision labels`")
    presidio = {name: tag.label for name, tag in TAGS.tags.items()}
    own = {name: name for name in canonical()}
    return {**own, **presidio, **_USUAL, **{name.upper(): ours for name, ours in labels.items()}}


def _versions(package: str, more: object = "") -> str:
    """What receipts tell: the version of the package, and of the model."""
    try:
        told = f"{package} {version(package)}"
    except PackageNotFoundError:
        told = ""
    return " ".join(filter(None, (told, str(more)[:40])))
