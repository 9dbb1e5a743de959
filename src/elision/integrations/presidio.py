"""elision inside Presidio: a recogniser for its analyzer, and an operator for its anonymizer.

    analyzer.registry.add_recognizer(ElisionRecognizer("en"))
    anonymizer.add_anonymizer(ElisionOperator)

`from_presidio` goes the other way: Presidio's recognisers beside elision's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.detect.base import Detector, Looks
from elision.detect.defaults import detectors_for
from elision.document import Document, Span
from elision.errors import ElisionError, HeldError, LabelError, MissingExtraError, shown
from elision.formats.presidio_names import TAGS, asked, entities
from elision.integrations.foreign import UNKNOWN, from_presidio
from elision.keys import Key
from elision.labels import canonical
from elision.languages.base import served, with_model
from elision.languages.telling.deciding import language_code
from elision.pipeline import Deidentifier
from elision.policy import Policy
from elision.replace.check import problems
from elision.replace.operators import PURPOSES, Secrets, Work, replacements
from elision.replace.originals import Originals
from elision.rewrite import rewrite

try:
    from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
    from presidio_anonymizer.entities import InvalidParamError
    from presidio_anonymizer.operators import Operator, OperatorType
except ImportError:
    raise MissingExtraError("working inside Presidio", "presidio") from None

if TYPE_CHECKING:
    from presidio_analyzer.nlp_engine import NlpArtifacts

__all__ = ["ElisionOperator", "ElisionRecognizer", "from_presidio"]


class ElisionRecognizer(EntityRecognizer):
    """All that elision finds in a language, by Presidio's names. If elision cannot be sure of a text, it raises."""

    name: str

    def __init__(
        self,
        supported_language: str = "en",
        supported_entities: list[str] | None = None,
        *,
        name: str = "ElisionRecognizer",
        dial: float | None = None,
        effort: str | None = None,
        detectors: Sequence[Detector | Looks] | None = None,
        **more: Any,  # what Presidio's own settings say: context, version, country_code, score_thresholds
    ) -> None:
        from elision import __version__

        self._code = language_code(supported_language)
        if self._code not in served():
            raise LabelError(f"supported_language: say one of {', '.join(with_model())}")
        # PROFESSION, for which Presidio has no name, keeps its own
        self._names = {**{label: label for label in canonical()}, **entities(self._code)}
        self._dial, self._effort, self._detectors = dial, effort, detectors
        every = sorted(set(self._names.values()))
        if unknown := [one for one in supported_entities or () if one not in (*TAGS.tags, *every)]:
            raise LabelError(f"supported_entities: elision finds no{shown(unknown[0]) or ' such entity'}; see `labels`")
        super().__init__(supported_entities or every, name, supported_language, **{**more, "version": __version__})

    def load(self) -> None:
        """Load rules and models."""
        chosen = self._detectors or detectors_for(self._code, dial=self._dial, effort=self._effort)
        self._deidentifier = Deidentifier(chosen)

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,  # noqa: ARG002
    ) -> list[RecognizerResult]:
        """What elision would replace in a text, of the entities that are asked for."""
        cleaned = self._deidentifier([Document(text, language=self._code)])[0]
        if cleaned.before is None:
            raise HeldError(f"{self.name}: the text is held: {cleaned.receipt.why}")
        wanted = entities or self.supported_entities
        named = ((span, asked(span.label, self._names, wanted)) for span in cleaned.before.spans)
        return [self._result(span, name) for span, name in named if name]

    def to_dict(self) -> dict[str, Any]:
        """What `from_dict` makes the same recogniser of, unless it has detectors of its own."""
        return {**super().to_dict(), "dial": self._dial, "effort": self._effort}

    def _result(self, span: Span, name: str) -> RecognizerResult:
        told = {RecognizerResult.RECOGNIZER_NAME_KEY: self.name, RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id}
        why = AnalysisExplanation(self.name, span.score, textual_explanation=f"{span.label} by {span.source}")
        return RecognizerResult(name, span.start, span.end, span.score, why, told)


class ElisionOperator(Operator):
    """Stand-ins, or what a policy says: `OperatorConfig("elision", {"key": "project.key", "patient": "17"})`.

    `patient` is whose note it is: values share stand-ins and the shift of dates with all notes of that patient.
    `policy` is "surrogate" unless said; `language` is "en". What no stand-in can be made for becomes its label.
    """

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        given = params or {}
        self.validate(given)
        policy, secrets = _means(given)
        name = str(given.get("entity_type", ""))
        label = TAGS.tags[name].label if name in TAGS.tags else name if name in canonical() else UNKNOWN
        span = Span(0, len(text), label, 1.0, "presidio")
        language = language_code(str(given.get("language", "en")))
        before = Document(text, patient=str(given["patient"]), language=language, spans=(span,))
        originals = Originals([(label, text)], before.language)
        done = replacements(Work(before, policy, secrets, originals, _nobody))
        new = done[0].text
        wrong = done[0].do != "keep" and problems(before, rewrite(before, [new]), done, originals, _nobody)
        return f"[{label}]" if wrong else new

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Refuse what cannot be used."""
        given = params or {}
        if not given.get("patient"):
            raise InvalidParamError("elision: give patient, whose note it is: stand-ins and dates go by it")
        if language_code(str(given.get("language", "en"))) not in served():
            raise InvalidParamError(f"elision: language: say one of {', '.join(with_model())}")
        try:
            policy, secrets = _means(given)
        except (ElisionError, OSError, TypeError) as error:
            raise InvalidParamError(f"elision: {error}") from None
        if policy.keyed and secrets is None:
            raise InvalidParamError(f"elision: policy {policy.name} needs a key; make one with `elision key new FILE`")

    def operator_name(self) -> str:
        return "elision"

    def operator_type(self) -> OperatorType:
        return OperatorType.Anonymize


def _means(given: Mapping[str, Any]) -> tuple[Policy, Secrets | None]:
    """The policy and the secrets that parameters name."""
    policy, key = given.get("policy", "surrogate"), given.get("key")
    if not isinstance(policy, str | Path | Policy) or not isinstance(key, str | Path | Key | None):
        raise TypeError("policy is a name, a path or a Policy; key is a path or a Key")
    found = policy if isinstance(policy, Policy) else _policy(str(policy))
    key = Key.read(key) if isinstance(key, str | Path) else key
    return found, {purpose: key.secret(purpose) for purpose in PURPOSES} if key else None


@lru_cache(maxsize=16)
def _policy(name: str) -> Policy:
    return Policy.named(name)


def _nobody(_text: str) -> bool:
    return False
