"""What looks at a note of a language if nobody says otherwise: the rules and the model that come with elision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from elision.detect.base import Detector
from elision.detect.beside import beside
from elision.detect.mapped import canonical_labels
from elision.detect.rule_gate import RuleGate
from elision.languages.base import language as language_of
from elision.models.store import fingerprint
from elision.rules import Rules, Sure, shipped_rules
from elision.taggers.base import Tagger, goes_on_from
from elision.taggers.store import load

MODEL = "model"  # the folder of a language's
SURE_RULES = 0.8  # what surer rows find counts, unless the tagger holds it all but impossible


def detectors_for(
    language: str,
    rules: Sequence[str | Path] = (),
    models: Sequence[Path] = (),
    *,
    dial: float | None = None,
    trained: bool = True,
    also: Sequence[str] = (),
) -> list[Detector]:
    """The detectors of a language: the rules and the model that come with elision, and one's own of both; a model that
    goes on from elision's takes its place. `dial` is how readily the models find: below what they have themselves more,
    above it less. `also` are further languages of parts of the notes. Without `trained`, elision's model stays away:
    quicker, and finds less."""
    if also:
        others = [one for each in also for one in detectors_for(each, dial=dial, trained=trained)]
        return [*detectors_for(language, rules, models, dial=dial, trained=trained), *beside(language, others)]
    spoken = language_of(language)  # and no folder that happens to be called so
    looked = Rules(spoken.code, *rules) if rules else shipped_rules(spoken.code)
    own = [_loaded(model, dial) for model in models]
    if not trained or not spoken.has(MODEL, "manifest.json"):
        return [looked, *map(canonical_labels, own)]
    shipped = spoken.path(MODEL)
    version = fingerprint(shipped)
    ours = next((model for model in own if goes_on_from(model.card, version)), None) or _loaded(shipped, dial)
    others = [canonical_labels(model) for model in own if model is not ours]
    return [RuleGate(Sure(looked, SURE_RULES), ours), *others]


def _loaded(folder: Path, dial: float | None) -> Tagger:
    tagger = load(folder)
    return tagger if dial is None else tagger.dialled(dial)
