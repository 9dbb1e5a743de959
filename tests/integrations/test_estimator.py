"""The estimator: its contract, with scikit-learn's own tools where they are installed."""

from __future__ import annotations

import doctest
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import elision.integrations.sklearn
from elision.document import Document, Span
from elision.errors import ModelError
from elision.integrations.sklearn import SpanTagger
from elision.taggers.corpus import strict_f1
from elision.taggers.linear.kind import load
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from tests.taggers.made_notes import made_notes

NOTES, OTHERS = made_notes(24), made_notes(12, seed=1)
TEXTS, SPANS = [note.text for note in NOTES], [note.spans for note in NOTES]
SMALL: dict[str, Any] = {"features": ("lower[-1..1]", "shape[-1..1]"), "epochs": 4, "least": 1}


@pytest.fixture(scope="module")
def fitted() -> SpanTagger:
    return SpanTagger(**SMALL).fit(NOTES)


def test_the_example_runs() -> None:
    results = doctest.testmod(elision.integrations.sklearn)
    assert results.failed == 0
    assert results.attempted > 5


def test_fit_predict_score(fitted: SpanTagger) -> None:
    assert fitted.labels_ == ("DATE", "NAME", "PLACE")
    assert isinstance(fitted.tagger_, LinearTagger)
    found = fitted.predict(OTHERS)
    assert found == fitted.predict([note.text for note in OTHERS]) == fitted.tagger_.detect(OTHERS)
    assert fitted.score(OTHERS) == strict_f1(OTHERS, found) > 0.8
    assert fitted.score(OTHERS, found) == 1
    assert fitted.predict([]) == []


def test_documents_and_texts_teach_the_same(fitted: SpanTagger) -> None:
    by_text = SpanTagger(**SMALL).fit(TEXTS, SPANS)
    assert by_text.predict(OTHERS) == fitted.predict(OTHERS)
    renamed = [[Span(s.start, s.end, "PHI") for s in spans] for spans in SPANS]
    assert SpanTagger(**SMALL).fit(NOTES, renamed).labels_ == ("PHI",)  # y goes before the documents' own spans


def test_init_stores_and_nothing_else() -> None:
    features = ["lower[0]"]
    model = SpanTagger(preset="no such preset", features=features, epochs=-1)
    assert model.features is features
    assert set(vars(model)) == set(model.get_params())
    with pytest.raises(ModelError, match=r"no such preset.*there are: elision-fast"):
        model.fit(NOTES)
    with pytest.raises(ModelError, match="epochs -1"):
        model.set_params(preset="elision-fast").fit(NOTES)


def test_every_setting_is_a_parameter() -> None:
    assert set(SpanTagger().get_params()) == {"preset"} | {field.name for field in fields(Settings)}


def test_parameters_reach_the_tagger(fitted: SpanTagger) -> None:
    settings = fitted.tagger_.settings
    assert isinstance(settings, Settings)
    assert (settings.features, settings.epochs, settings.least) == (SMALL["features"], 4, 1)
    assert settings.megabytes == 4  # as the preset has it
    again = SpanTagger(preset=settings, dial=0.5, epochs=1).fit(NOTES).tagger_.settings
    assert isinstance(again, Settings)
    assert (again.features, again.dial, again.epochs) == (settings.features, 0.5, 1)


def test_get_and_set() -> None:
    model = SpanTagger(epochs=3)
    assert model.get_params(deep=False) == model.get_params()
    assert model.set_params(epochs=5, dial=0.1) is model
    assert (model.epochs, model.dial) == (5, 0.1)
    with pytest.raises(ModelError, match="no parameter pace; there are: preset, features"):
        model.set_params(pace=3, epochs=7)
    assert model.epochs == 5
    assert repr(SpanTagger(epochs=2, lexicons={"a": ("Roe",)})) == "SpanTagger(epochs=2, lexicons=<1>)"


@pytest.mark.parametrize("call", ["predict", "score"])
def test_fit_first(call: str) -> None:
    with pytest.raises(ModelError, match=r"fit\(\) first"):
        getattr(SpanTagger(), call)(NOTES)
    with pytest.raises(ModelError, match=r"fit\(\) first"):
        SpanTagger().save(Path("nowhere"))


def test_what_cannot_be_learnt_from() -> None:
    with pytest.raises(ModelError, match="no spans of their own; give y"):
        SpanTagger().fit(TEXTS)
    with pytest.raises(ModelError, match="24 notes and spans for 23"):
        SpanTagger().fit(TEXTS, SPANS[1:])
    with pytest.raises(ModelError, match="one note; give a list"):
        SpanTagger().fit("Seen by Dr. Roe")
    with pytest.raises(ModelError, match="no notes to learn from"):
        SpanTagger().fit([])


def test_save_and_load(fitted: SpanTagger, tmp_path: Path) -> None:
    assert fitted.save(tmp_path / "model") > 0
    again = SpanTagger.load(tmp_path / "model")
    assert again.labels_ == fitted.labels_
    assert again.predict(OTHERS) == fitted.predict(OTHERS) == load(tmp_path / "model").detect(OTHERS)
    assert again.fit(NOTES).predict(OTHERS) == fitted.predict(OTHERS)  # its settings came with it


def test_scikit_learn_is_not_imported() -> None:
    code = (
        "import sys, elision.integrations.sklearn as e; e.SpanTagger().get_params(); sys.exit('sklearn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_clone(fitted: SpanTagger) -> None:
    base = pytest.importorskip("sklearn.base", reason="scikit-learn is not installed")
    copy = base.clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "tagger_")
    assert not base.is_classifier(copy)
    assert not base.is_regressor(copy)
    validation = pytest.importorskip("sklearn.utils.validation")
    validation.check_is_fitted(fitted)
    with pytest.raises(validation.NotFittedError):
        validation.check_is_fitted(copy)


@pytest.mark.parametrize(("notes", "spans"), [(NOTES, None), (NOTES, SPANS), (TEXTS, SPANS)])
def test_cross_validation_and_grids(notes: list[Document] | list[str], spans: list[tuple[Span, ...]] | None) -> None:
    selection = pytest.importorskip("sklearn.model_selection", reason="scikit-learn is not installed")
    model = SpanTagger(**SMALL)
    scores = selection.cross_val_score(model, notes, spans, cv=3)
    assert len(scores) == 3
    assert scores.min() > 0.5
    grid = selection.GridSearchCV(model, {"epochs": [1, 4], "dial": [1.0, 1e-6]}, cv=2).fit(notes, spans)
    assert grid.best_params_["dial"] == 1
    assert grid.best_estimator_.predict(OTHERS) == grid.predict(OTHERS)
    assert grid.score(notes, spans) > 0.8


def test_in_a_pipeline() -> None:
    pipeline = pytest.importorskip("sklearn.pipeline", reason="scikit-learn is not installed")
    whole = pipeline.Pipeline([("spans", SpanTagger(**SMALL))])
    assert whole.set_params(spans__epochs=3).fit(NOTES).predict(OTHERS)
    assert whole.named_steps["spans"].tagger_.settings.epochs == 3
