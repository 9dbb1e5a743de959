"""What every tagger keeps to, whatever its kind. A new kind is one more entry of TAGGERS."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from elision.detect.base import Detector
from elision.detect.rule_gate import RuleGate
from elision.document import Document, Span
from elision.errors import ModelError
from elision.languages.base import folder, languages
from elision.models import store as folders
from elision.papers.neural_presets import bilstm_crf, ts_gru
from elision.rules import Sure, shipped_rules
from elision.taggers import store
from elision.taggers.base import Floats, Recipe, Tagger, TokenView
from elision.taggers.calibration import Calibration
from elision.taggers.experiment import measured
from elision.taggers.linear.settings import Settings
from elision.taggers.threshold import LOWEST, set_dial
from elision.text.tokens import Column, Tokens, tokenize
from tests.taggers.encoder.made_bases import learnt_encoder
from tests.taggers.made_notes import made_notes

NOTES, UNSEEN = made_notes(16), made_notes(6, seed=1)
SMALL: dict[str, Any] = {"hidden": 8, "embedding": 8, "epochs": 8, "rate": 0.01}
CHAIN = Settings(features=("lower[-1..1]", "shape[-1..1]"), language="en", epochs=3, least=1)


# -- a tagger that knows nothing of ours: it finds the words that it was told


@dataclass(frozen=True)
class Words:
    """What `Toy` is learnt from."""

    kind: ClassVar[str] = "toy"
    language: str = "en"
    trainer: str = "online"
    epochs: int = 1
    seeds: int = 1
    seed: int = 0


@dataclass(frozen=True)
class Toy:
    """Knows the words of spans by heart."""

    settings: Words
    words: Mapping[str, str]
    dial: float = 1.0
    calibration: Calibration = field(default_factory=Calibration)
    card: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""
    name: str = "toy en"
    language: str = "en"
    tells_chances: bool = True

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.words.values())))

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return self.view([document.text for document in documents]).spans

    def view(self, texts: Sequence[str]) -> TokenView:
        cut = [tokenize(text) for text in texts]
        edges = np.cumsum([0, *(len(text) + 1 for text in texts)]).astype(np.int32)
        notes = np.cumsum([0, *map(len, cut)]).astype(np.int32)
        tokens = Tokens(_joined([one.starts for one in cut], edges), _joined([one.ends for one in cut], edges))
        shown = [word for one, text in zip(cut, texts, strict=True) for word in one.texts(text)]
        chance = np.array([1.0 if word in self.words else 0.001 for word in shown], np.float32)
        wordy = np.array([any(map(str.isalnum, word)) for word in shown], np.bool_)
        return TokenView(
            tokens, notes, edges, wordy, chance, [self._spans(*one) for one in zip(cut, texts, strict=True)]
        )

    def _spans(self, tokens: Tokens, text: str) -> tuple[Span, ...]:
        places = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
        score = float(self.calibration(np.array([0.9]))[0])
        found = ((start, end, self.words.get(text[start:end])) for start, end in places)
        return tuple(Span(start, end, label, score, "toy") for start, end, label in found if label)

    def dialled(self, dial: float) -> Self:
        return replace(self, dial=dial)

    def calibrated(self, calibration: Calibration) -> Self:
        return replace(self, calibration=calibration)

    def noting(self, **facts: Any) -> Self:
        return replace(self, card={**self.card, **facts})

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        told = {"words": dict(self.words), "dial": self.dial, "about": dict(self.card)}
        curve = {"calibration": [self.calibration.slope, self.calibration.shift]}
        return folders.save(folder, folders.Stored("toy", {**told, **curve}, {}, {}), overwrite=overwrite)


def _joined(columns: Sequence[Column], edges: Column) -> Column:
    parts = [column + edge for column, edge in zip(columns, edges.tolist(), strict=False)]
    return np.concatenate(parts).astype(np.int32) if parts else np.zeros(0, np.int32)


def fit(settings: Words, documents: Sequence[Document], *_: object) -> Toy:
    """What `Toy` learns; `*_` is what only better taggers need."""
    told = {document.text_of(span): span.label for document in documents for span in document.spans}
    return Toy(settings, {word: label for words, label in told.items() for word in words.split()})


def load(folder: Path) -> Toy:
    card = folders.load(folder, ("toy",)).card
    toy = Toy(Words(), card["words"], card["dial"], Calibration(*card["calibration"]), card["about"])
    return replace(toy, version=folders.fingerprint(folder))


KIND = SimpleNamespace(fit=fit, load=load)
TOY = EntryPoint("toy", f"{__name__}:KIND", "elision.taggers")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that has the toy is installed."""

    def found(*, group: str) -> EntryPoints:
        return EntryPoints([TOY]) if group == "elision.taggers" else entry_points(group=group)

    monkeypatch.setattr("importlib.metadata.entry_points", found)


# -- all of them

TAGGERS: dict[str, Callable[[], Tagger]] = {
    "chain, posterior": lambda: store.fit(CHAIN, NOTES, UNSEEN),
    "chain, viterbi": lambda: store.fit(replace(CHAIN, decoding="viterbi"), NOTES),
    "window": lambda: store.fit(replace(CHAIN, loss="softmax", decoding="each"), NOTES),
    "SVM with vectors": lambda: store.fit(
        replace(CHAIN, loss="hinge", decoding="each", trainer="svm", vectors=6), made_notes(40)
    ),
    "toy": lambda: store.fit(Words(), NOTES),
    "two branches of GRU": lambda: store.fit(ts_gru("en", r=0.3, **SMALL), NOTES, UNSEEN),
    "BiLSTM-CRF": lambda: store.fit(bilstm_crf("en", **{**SMALL, "epochs": 20, "rate": 0.02}, optimiser="adam"), NOTES),
    "encoder": lambda: learnt_encoder(made_notes(40), UNSEEN),
    **{
        f"shipped {code}": lambda code=code: store.load(folder(code, "model"))  # type: ignore[misc]
        for code, language in languages().items()
        if language.has("model")
    },
}
ODD = (
    "",
    " \n\t",
    "...",
    "\u200b\u00ad",
    "a\0b",
    "\r\n\r",
    "李明 e\u0301 😀",
    "Dr. Roe " * 200,
    "x" * 5000,
    "12/3/2020",
)


@cache
def tagger_of(name: str) -> Tagger:
    return TAGGERS[name]()


@pytest.fixture(params=TAGGERS)
def tagger(request: pytest.FixtureRequest) -> Tagger:
    return tagger_of(request.param)


def notes() -> list[Document]:
    return [Document(text) for text in (*(note.text for note in UNSEEN), *ODD)]


def test_it_is_a_detector_with_a_name_and_labels(tagger: Tagger) -> None:
    assert isinstance(tagger, Detector)
    assert tagger.name
    assert isinstance(tagger.version, str)
    assert tagger.labels
    assert len(set(tagger.labels)) == len(tagger.labels)
    json.dumps(dict(tagger.card))


def test_spans_are_disjoint_and_inside_the_text_with_its_labels(tagger: Tagger) -> None:
    found = tagger.detect(notes())
    assert len(found) == len(notes())
    for document, spans in zip(notes(), found, strict=True):
        ends = [0, *(span.end for span in spans)]
        for before, span in zip(ends, spans, strict=False):
            assert before <= span.start < span.end <= len(document.text)
            assert span.label in tagger.labels
            assert 0 <= span.score <= 1
    assert any(found), "nothing is found, and the tests below say nothing"


def test_a_note_is_the_same_alone_and_among_others_and_in_threads(tagger: Tagger) -> None:
    documents = notes()
    together = tagger.detect(documents)
    assert tagger.detect(documents) == together
    assert tagger.detect(documents[::-1]) == together[::-1]
    assert tagger.detect([]) == []
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda document: tagger.detect([document])[0], documents)) == together


def test_another_dial_calibration_or_card_is_another_tagger(tagger: Tagger) -> None:
    before, found, dial = dict(tagger.card), tagger.detect(notes()), tagger.dial
    noted = tagger.noting(motto="first do no harm")
    assert noted.card["motto"] == "first do no harm"
    curve = Calibration(0.5, -1.0)
    assert tagger.calibrated(curve).calibration == curve
    assert tagger.calibrated(curve).detect(notes()) != found
    if "viterbi" in name_of(tagger):
        with pytest.raises(ModelError, match="no effect"):
            tagger.dialled(0.5)
    else:
        assert tagger.dialled(LOWEST).dial == LOWEST
        assert noted.dialled(dial).detect(notes()) == found
    assert (dict(tagger.card), tagger.dial, tagger.detect(notes())) == (before, dial, found)
    with pytest.raises(AttributeError):
        tagger.dial = 0.1  # type: ignore[misc]


def name_of(tagger: Tagger) -> str:
    return next(name for name in TAGGERS if tagger_of(name) is tagger)


def test_what_is_saved_comes_back(tagger: Tagger, tmp_path: Path) -> None:
    assert tagger.noting(motto="again").save(tmp_path / "model") > 0
    again = store.load(tmp_path / "model")
    assert again.detect(notes()) == tagger.detect(notes())
    assert (again.name, again.labels, again.dial) == (tagger.name, tagger.labels, tagger.dial)
    assert (again.calibration, again.card["motto"]) == (tagger.calibration, "again")
    assert again.version == folders.fingerprint(tmp_path / "model") != ""
    with pytest.raises(ModelError, match="is there already"):
        again.save(tmp_path / "model")
    again.save(tmp_path / "other")
    assert folders.fingerprint(tmp_path / "other") == again.version


def test_chances_are_those_of_tokens(tagger: Tagger) -> None:
    texts = [document.text for document in notes()]
    if not tagger.tells_chances:
        with pytest.raises(ModelError, match="tells no chances"):
            tagger.view(texts)
        return
    view = tagger.view(texts)
    assert view.spans == tagger.detect(notes())
    assert view.chance.dtype == np.float32
    assert view.chance.shape == view.wordy.shape == view.tokens.starts.shape
    assert float(view.chance.min()) >= 0
    assert float(view.chance.max()) <= 1
    assert (view.notes[0], view.notes[-1]) == (0, len(view.tokens))
    assert len(view.notes) == len(view.edges) == len(texts) + 1
    assert view.edges[:-1].tolist() == np.cumsum([0, *(len(text) + 1 for text in texts[:-1])]).tolist()
    for at, text in enumerate(texts):
        within = slice(view.notes[at], view.notes[at + 1])
        starts, ends = view.tokens.starts[within] - view.edges[at], view.tokens.ends[within] - view.edges[at]
        assert all(0 <= start < end <= len(text) for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
        chance: Floats = view.chance[within]
        for span in view.spans[at]:
            assert set(chance[(starts >= span.start) & (ends <= span.end)].tolist()) == {1.0}
        alone = tagger.view([text])
        assert np.allclose(alone.chance, chance, atol=1e-5)


def test_rules_are_weighed_by_whoever_tells_chances(tagger: Tagger) -> None:
    rules = Sure(shipped_rules("en"), 0.8)
    if not tagger.tells_chances:
        with pytest.raises(ModelError, match="tells no chances to weigh rules by"):
            RuleGate(rules, tagger)
        return
    gate = RuleGate(rules, tagger)
    found = gate.detect(notes())
    assert found == [gate.detect([note])[0] for note in notes()]
    assert {span.source for spans in tagger.detect(notes()) for span in spans} <= {
        s.source for one in found for s in one
    }
    text = UNSEEN[0].text
    tokens, chance = gate.chances(text)
    assert len(tokens) == len(chance)


def test_it_is_measured_and_its_dial_is_set_as_of_any(tagger: Tagger) -> None:
    assert 0 <= measured(tagger, UNSEEN)["strict_f1"] <= 1
    if tagger.labels == tagger_of("toy").labels and "viterbi" not in name_of(tagger):
        dialled, dial = set_dial(tagger, NOTES, 0.5)
        assert (dialled.dial, dialled.card["dial"]) == (dial.dial, dial.as_json())


def test_a_kind_that_is_not_installed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tagger_of("toy").save(tmp_path / "model")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: EntryPoints([]))
    with pytest.raises(
        ModelError, match=r"of kind toy where linear, neural or encoder is needed; .* install the package"
    ):
        store.load(tmp_path / "model")
    settings: Recipe = Words()
    with pytest.raises(ModelError, match=r"the kind of models 'toy': no installed package has it"):
        store.fit(settings, NOTES)
    with pytest.raises(ModelError, match=r"cut 'he2015': choose one of fine; others come with packages"):
        replace(CHAIN, cut="he2015")


def test_a_plugin_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = EntryPoint("gone", "elision_of_nobody:load", "elision.taggers")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: EntryPoints([gone]))
    with pytest.raises(ModelError, match=r"'gone': its package cannot be loaded \(ModuleNotFoundError\)"):
        store.kind_named("gone")
