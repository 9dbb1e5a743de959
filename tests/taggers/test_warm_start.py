"""Learning that goes on from a model: what it knew stays, what is new is learnt, and nobody is listed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from elision.detect.defaults import detectors_for
from elision.detect.rule_gate import RuleGate
from elision.document import Document, Span
from elision.errors import ModelError
from elision.languages.base import folder, served
from elision.languages.synth_data import languages_made
from elision.languages.synth_lists import HELD_OUT
from elision.papers.presets import liu2015
from elision.synth.learning import made
from elision.taggers.audit import audit
from elision.taggers.base import goes_on_from
from elision.taggers.experiment import Experiment, train
from elision.taggers.linear import learning, warm_start
from elision.taggers.linear.kind import load
from elision.taggers.linear.presets import elision_fast
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.training import fit
from tests.notes import note
from tests.taggers.invented import UNSEEN, notes
from tests.test_cli import EXAMPLES, elision

pytestmark = pytest.mark.slow  # processes, trainings: minutes together

SETTINGS = replace(elision_fast("en", epochs=4, seeds=2), megabytes=0.0, least=2)
WARDS = ("Elm", "Oak", "Ash", "Fir")
OWN = [
    note(f"Unit <<[WARD {WARDS[n % 4]}]>> nurse ~[NAME {name}]~ {2 * n} pills", f"own-{n}")
    for n, name in enumerate(("Wynn", "Okoro", "Lund", "Haas", "Szabo", "Ito", "Rao", "Nagy"))
]
NEW = "Unit <<Elm>> nurse ~Bauer~ 7 pills"


@pytest.fixture(scope="module")
def base() -> LinearTagger:
    return fit(SETTINGS, notes())


@pytest.fixture(scope="module")
def grown(base: LinearTagger) -> LinearTagger:
    return fit(SETTINGS, OWN, start=base, again=notes())


def found(tagger: LinearTagger, text: str) -> set[tuple[str, str]]:
    return {(text[span.start : span.end], span.label) for span in tagger.spans([text])[0]}


def scores(tagger: LinearTagger, text: str) -> npt.NDArray[np.float32]:
    batch = tagger.batch([text])
    linear = tagger.linear
    return linear.scores(int(batch.spread[0]), int(batch.spread[-1]) + 1, linear.columns(batch))


@pytest.mark.slow
@pytest.mark.parametrize("language", languages_made())
def test_made_notes_are_about_as_many_as_asked_and_the_same_again(language: str) -> None:
    one, again = made(language, 20), made(language, 20)
    assert one == again
    assert 18 <= len(one) <= 22
    assert {each.language for each in one} == {language}
    assert not {each.text for each in one} & {each.text for each in made(language, 20, HELD_OUT)}


def test_what_is_not_moved_stays(base: LinearTagger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "STEADY", 1e9)  # no weight of the model moves
    same = fit(replace(SETTINGS, epochs=1, least=99), OWN[:1], start=base)
    at = [same.chain.tags.index(tag) for tag in base.chain.tags]
    ours, theirs = same.linear, base.linear
    key = theirs.weights.keys
    assert set(theirs.values["lower"]) <= set(ours.values["lower"])
    assert len(ours.weights.keys) == len(key)
    for text in ("Quibble", "Patient: Anna Roe\nSeen by Dr. Quibble", UNSEEN.text):
        assert np.allclose(scores(same, text)[:, at], scores(base, text)[:, : len(at)], atol=0.01)


def test_what_is_new_is_learnt_and_what_was_known_is_not_forgotten(base: LinearTagger, grown: LinearTagger) -> None:
    assert ("Elm", "WARD") in found(grown, NEW)
    assert ("Bauer", "NAME") in found(grown, NEW)
    assert found(base, NEW) & {("Elm", "WARD"), ("Bauer", "NAME")} == set()
    assert found(grown, UNSEEN.text) == {(UNSEEN.text_of(span), span.label) for span in UNSEEN.spans}
    assert grown.chain.tags[:1] == ("O",)
    assert set(grown.labels) == {*base.labels, "WARD"}


def test_the_same_notes_give_the_same_model(base: LinearTagger, grown: LinearTagger, tmp_path: Path) -> None:
    twin = fit(SETTINGS, OWN, start=base, again=notes())
    texts = [NEW, UNSEEN.text]
    assert twin.spans(texts) == grown.spans(texts)
    grown.save(tmp_path / "model")
    assert load(tmp_path / "model").spans(texts) == grown.spans(texts)


def test_notes_that_are_gone_through_again_give_no_feature(base: LinearTagger) -> None:
    strange = [note(f"Zorb {n}: [NAME Blip] glarb", f"z{n}") for n in range(9)]
    tagger = fit(SETTINGS, OWN, start=base, again=strange)
    known = {value for values in tagger.linear.values.values() for value in values}
    assert not known & {"zorb", "blip", "glarb", "Zorb"}
    assert {"<<", "pills"} & known
    assert tagger.card["training"]["notes"] == len(OWN)
    assert tagger.card["start"]["again"] == len(strange)


def test_words_of_few_are_dropped_and_an_audit_proves_it(base: LinearTagger) -> None:
    rare = [note(f"Seen: [NAME Zyx{letter}quill Roe] came.", letter) for letter in "abcdefgh"]
    settings = replace(SETTINGS, least=3)
    tagger = train(rare, settings, plan=Experiment(share=0.25), start=base, again=notes())
    assert isinstance(tagger, LinearTagger)
    values = {value for values in tagger.linear.values.values() for value in values}
    assert not [value for value in values if "quill" in value and "zyx" in value]
    assert audit(tagger, rare, 3, start=base).passed
    assert not audit(tagger, rare, 3).passed  # by itself it holds what no note of these has
    listing = fit(replace(settings, least=1), rare, start=base)
    assert not audit(listing, rare, 3, start=base).passed


def test_a_learning_curve_is_kept(base: LinearTagger) -> None:
    tagger = train(OWN, SETTINGS, plan=Experiment(share=0.25), start=base, again=notes())
    curve = tagger.card["curve"]
    assert [point["notes"] for point in curve] == [0, 2, 3, 6]
    assert curve[0]["strict_f1"] < 0.1
    assert curve[-1]["strict_f1"] == tagger.card["dev"]["strict_f1"] > 0.9
    assert "curve" not in train(OWN, SETTINGS, plan=Experiment(share=0), start=base).card


def test_keys_that_are_not_the_models(base: LinearTagger, grown: LinearTagger) -> None:
    fresh = warm_start.fresh_keys(base.linear, grown.linear)
    assert 0 < len(fresh) < len(grown.linear.weights.keys)
    assert len(warm_start.fresh_keys(base.linear, base.linear)) == 0


def test_calibration_stays_where_few_spans_are_held_out(base: LinearTagger) -> None:
    calibrated = base.calibrated(replace(base.calibration, slope=0.5, shift=0.25))
    assert fit(SETTINGS, OWN, start=calibrated).calibration == calibrated.calibration
    assert fit(SETTINGS, OWN[2:], OWN[:2], start=calibrated).calibration == calibrated.calibration


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (replace(SETTINGS, features=("lower[0]",)), "features: must be as in the model"),
        (replace(SETTINGS, language="es"), "language: must be as in the model"),
        (replace(SETTINGS, unit="note"), "unit: must be as in the model"),
        (replace(liu2015("en", pos=False)), "models of elision's own trainer only"),
    ],
)
def test_what_cannot_go_on_is_refused(base: LinearTagger, settings: Settings, says: str) -> None:
    with pytest.raises(ModelError, match=says):
        fit(settings, OWN, start=base)


@pytest.fixture(scope="module")
def adapted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("adapted") / "model"
    done = elision(
        "train", EXAMPLES / "gold" / "nl", "--out", out, "--start-from", "nl", "--made", "20", "--epochs", "2",
        "--seeds", "1", "--hold-out", "0.3", "--no-final",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "making 20 notes in nl" in done.stderr
    assert "goes on from a model of" in done.stdout
    lines = [line.split() for line in done.stdout.splitlines()]
    curve = next(at for at, line in enumerate(lines) if line[:2] == ["learnt", "from"])
    assert [line[0] for line in lines[curve + 1 :] if line and line[0].isdigit()] == ["0", "1", "2", "4"]
    return out


def test_the_command_goes_on_from_elisions_model(adapted: Path) -> None:
    own, shipped = load(adapted), load(folder("nl", "model"))
    assert own.settings == replace(shipped.settings, epochs=2, seeds=1)
    assert goes_on_from(own.card, shipped.version)
    assert not goes_on_from(shipped.card, shipped.version)
    assert set(shipped.labels) <= set(own.labels)


def test_it_takes_the_place_of_elisions_model(adapted: Path) -> None:
    (both,) = detectors_for("nl", models=[adapted])
    assert isinstance(both, RuleGate)
    assert [part.name for part in both.parts] == ["rules nl, from 0.8 on", "crf nl"]
    assert both.tagger.version == load(adapted).version
    assert len(detectors_for("es", models=[adapted])) == 2
    (spans,) = both.detect([Document("Gezien door dr. Willemse op 3 mei 2020.", language="nl")])
    assert {span.label for span in spans} >= {"NAME_CLINICIAN", "DATE"}


def test_it_is_shown_and_audited_without_what_elisions_model_holds(adapted: Path) -> None:
    done = elision("model", "show", adapted, "--audit", EXAMPLES / "gold" / "nl")
    assert "audit passed" in done.stdout, done.stdout + done.stderr
    assert "goes on from" in done.stdout
    done = elision("model", "show", adapted, "--audit", EXAMPLES / "gold" / "nl", "--start-from", "es")
    assert done.returncode == 2
    assert "it goes on from another model; say --start-from" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--start-from", "sv"),
            f"elision has no model of this name; it has {', '.join(served())}",
        ),
        (("--start-from", "es", "--language", "nl"), "the notes are in nl, the model is for es"),
        (("--start-from", "es"), "the notes are in nl, the model is for es; start from another, or, if they are not"),
        (("--start-from", "nl", "--preset", "elision-best"), "leave --preset out"),
        (("--start-from", "nl", "--made", "0", "--set", "unit=note"), "unit: must be as in the model from which"),
        (("--start-from", "nl", "--set", "dropout=2"), "dropout 2.0: must be at least 0 and less than .95"),
        (("--start-from", "nl", "--set", "words=true"), "--set words: this model has nothing of this name"),
        (("--start-from", "nl", "--labels", "canonical:meddocan"), "is none that the model knows; map your labels"),
    ],
)
def test_what_cannot_be_started_from_is_said(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = elision("train", EXAMPLES / "gold" / "nl", "--out", tmp_path / "model", *arguments)
    assert done.returncode == 2
    assert says in " ".join(done.stderr.split())


def test_models_that_go_on_from_such_ones_are_of_the_same_line(adapted: Path, tmp_path: Path) -> None:
    first, shipped = load(adapted), load(folder("nl", "model"))
    notes = [Document("Mevr. Bos kwam.", "1", language="nl", spans=(Span(6, 9, "NAME_PATIENT"),))]
    second = fit(first.settings, notes, start=first)
    assert goes_on_from(second.card, first.version)
    assert goes_on_from(second.card, shipped.version)
