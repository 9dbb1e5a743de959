"""What looks at a note of a language if nobody says otherwise: the rules and models that come with elision.

A model that learnt a corpus's labels has them taken over to ours. A pack of a language in Latin letters that is used
beside the Chinese one leaves to that what stands among Chinese characters: its tagger has never seen one, and takes
them for anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from elision.detect.base import Detector, dial_of, parts_of
from elision.detect.rule_gate import RuleGate
from elision.document import Document, Span
from elision.effort import Effort, effort_of
from elision.errors import HeldError, LabelError, ModelError
from elision.labels import canonical, guess_tag_set, tag_set
from elision.languages.base import COMMON, ENCODER, Language, folder, is_spaced, known
from elision.languages.base import language as language_of
from elision.languages.telling import NOT_READ
from elision.languages.telling.deciding import is_language
from elision.models.store import fingerprint
from elision.rules import Rules, Sure, shipped_rules
from elision.taggers.base import Tagger, goes_on_from
from elision.taggers.encoder.tagger import EncoderTagger
from elision.taggers.mixed import DOUBTED, UNSURE, mixed
from elision.taggers.store import load
from elision.text.characters import HAN_RUNS


class BesideChinese:
    """A detector whose finds are cut at Chinese characters."""

    def __init__(self, detector: Detector) -> None:
        self.detector = detector
        self.name, self.version, self.parts = detector.name, detector.version, parts_of(detector)

    @property
    def dial(self) -> float | None:
        return dial_of(self.detector)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = self.detector.detect(documents)
        return [
            tuple(piece for span in spans for piece in _pieces(document.text, span))
            for document, spans in zip(documents, found, strict=True)
        ]


def beside(language: str, detectors: Sequence[Detector]) -> list[Detector]:
    """Detectors of another language, as they are used in a note that is mainly in this one."""
    return [BesideChinese(one) for one in detectors] if not is_spaced(language) else list(detectors)


def _pieces(text: str, span: Span) -> Iterator[Span]:
    here = text[span.start : span.end]
    if here.isascii():
        yield span
        return
    cuts = [0, *(edge for run in HAN_RUNS.finditer(here) for edge in run.span()), len(here)]
    for begin, end in list(pairwise(cuts))[::2]:
        if any(map(str.isalnum, here[begin:end])):
            yield replace(span, start=span.start + begin, end=span.start + end)


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


class Alone:
    """The encoder in a language without a linear model. A note of whose words it knows too few is held."""

    def __init__(self, encoder: Tagger) -> None:
        if not isinstance(encoder, EncoderTagger):
            raise ModelError(f"{encoder.name}: is no encoder")
        self.encoder = encoder
        self.name, self.version, self.dial = encoder.name, encoder.version, encoder.dial

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        if any(share < LEAST_READ for share in self.encoder.known_share([document.text for document in documents])):
            raise HeldError(NOT_READ)
        return self.encoder.detect(documents)


LEAST_READ = 0.8  # of the letters of a note; ours have .84 and more, Arabic .04, Vietnamese .62, Latvian .83
MODEL = "model"  # the folder of a language's
SURE_RULES = 0.8  # what surer rows find counts, unless the tagger holds it all but impossible


def detectors_for(
    language: str,
    rules: Sequence[str | Path] = (),
    models: Sequence[Path] = (),
    *,
    dial: float | None = None,
    effort: str | None = None,
    also: Sequence[str] = (),
) -> list[Detector]:
    """The detectors of a language: the rules and models that come with elision, and one's own of both; a model that
    goes on from one of elision's takes its place. `dial` is how readily the models find: below what they have
    themselves more, above it less. `effort` says which of elision's models look, see `elision.effort`. `also`
    are further languages of parts of the notes."""
    if also:
        others = [one for each in also for one in detectors_for(each, dial=dial, effort=effort)]
        return [*detectors_for(language, rules, models, dial=dial, effort=effort), *beside(language, others)]
    chosen = effort_of(effort)
    if chosen.encoded and is_language(language) and known(language) is None:
        spoken = Language(COMMON, folder(COMMON))  # which has rules for all languages, and no model
    else:
        spoken = language_of(language)  # and no folder that happens to be called so
    looked = Rules(spoken.code, *rules) if rules else shipped_rules(spoken.code)
    own = [_loaded(model, dial) for model in models]
    linear, encoder = _models(spoken, own, dial, chosen)
    others = [canonical_labels(model) for model in own if model is not linear and model is not encoder]
    if linear is None:
        return [looked, *([Alone(encoder)] if encoder else ()), *others]
    return [RuleGate(Sure(looked, SURE_RULES), _together(linear, encoder, chosen)), *others]


def shipped_tagger(language: str, *, effort: str | None = None) -> Tagger:
    """What looks at notes of a language besides its rules: the linear model, the encoder, or both as one."""
    chosen = effort_of(effort)
    linear, encoder = _models(known(language) or Language(COMMON, folder(COMMON)), (), None, chosen)
    if linear is not None:
        return _together(linear, encoder, chosen)
    if encoder is not None:
        return encoder
    raise ModelError(f"--effort {chosen}: no model looks at notes in {language[:20] or 'no language'}")


def _models(
    spoken: Language, own: Sequence[Tagger], dial: float | None, effort: Effort
) -> tuple[Tagger | None, Tagger | None]:
    """The linear model of a language and the encoder, as far as they are there and wanted."""
    linear = _shipped(spoken.path(MODEL), own, dial) if effort is not Effort.RULES else None
    encoder = _shipped(folder(COMMON, ENCODER), own, dial) if effort.encoded else None
    if effort.encoded and encoder is None:
        raise ModelError(f"--effort {effort}: this elision comes without an encoder; say --effort {Effort.FAST}")
    return linear, encoder


def _together(linear: Tagger, encoder: Tagger | None, effort: Effort) -> Tagger:
    if encoder is None:
        return linear
    return mixed(linear, encoder, UNSURE if effort is Effort.MOST else DOUBTED)


def _shipped(shipped: Path, own: Sequence[Tagger], dial: float | None) -> Tagger | None:
    """A model that comes with elision, or the one of somebody's own that goes on from it; None if there is none."""
    if not (shipped / "manifest.json").exists():
        return None
    version = fingerprint(shipped)
    found = next((model for model in own if goes_on_from(model.card, version)), None)
    return found or _dialled(_kept(shipped, version), dial)


@cache
def _kept(shipped: Path, _version: str) -> Tagger:
    return load(shipped)


def _loaded(model: Path, dial: float | None) -> Tagger:
    return _dialled(load(model), dial)


def _dialled(tagger: Tagger, dial: float | None) -> Tagger:
    return tagger if dial is None else tagger.dialled(dial)
