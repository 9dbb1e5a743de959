"""What a new model says of notes that wait: with the pipeline in our languages, alone in others; and their risk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elision.detect.base import Detector, as_detector
from elision.detect.defaults import detectors_for
from elision.detect.safely import Detected
from elision.document import Document, Span
from elision.effort import Effort
from elision.review.assessed import risks_by
from elision.review.repredicting import repredicted
from elision.run.detecting import detect
from elision.run.how import How
from elision.taggers.base import Floats, Tagger, tag
from elision.taggers.store import fit, load
from elision.text.tokens import Tokens, tokenize
from tests.taggers.planted import SETTINGS, notes

TEXT = "Seen by Jane Roe on 3 May at Lyon"
NOTE = Document(TEXT, "n", language="en", spans=(Span(8, 16, "NAME", 0.9),))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model") / "model"
    fit(replace(SETTINGS, epochs=3, seeds=1), notes(30)).save(folder)
    return folder


def test_in_another_language_the_model_looks_alone(model: Path) -> None:
    waiting = [replace(note, language="sv", spans=()) for note in notes(4, seed=8)]
    tagger = load(model)
    found = list(repredicted(waiting, tagger, model, {}, Effort.FAST))
    assert [one.note for one in found] == tag(tagger, waiting)
    assert any(one.note.spans for one in found)


def test_in_a_language_of_ours_the_pipeline_looks_and_what_it_withholds_is_left_out(model: Path) -> None:
    seen = Document("Seen on 3 May 2024 by Dr. Jane Roe. Phone 555-0142.", "1", language="en")
    odd = Document("%PDF-1.7 \x00\x01\x02 stream", "2", language="en")
    (found,) = repredicted([seen, odd], load(model), model, {}, Effort.FAST)
    assert found.note.id == "1"
    assert {"DATE", "PHONE"} <= {span.label for span in found.note.spans}  # which the rules find
    assert found.risk > 0


def test_labels_that_were_often_wrong_make_a_note_riskier(model: Path) -> None:
    waiting, tagger = notes(2, seed=9), load(model)
    calm = [one.risk for one in repredicted(waiting, tagger, model, {}, Effort.FAST)]
    weak = [one.risk for one in repredicted(waiting, tagger, model, dict.fromkeys(tagger.labels, 0.9), Effort.FAST)]
    assert all(a < b for a, b in zip(calm, weak, strict=True))


class Unsure:
    """A detector that all but finds the town."""

    name, version = "unsure", ""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [(Span(8, 16, "NAME"),) for _ in documents]

    def chances(self, text: str) -> tuple[Tokens, Floats]:
        tokens = tokenize(text, "en")
        likely = np.where(tokens.starts == TEXT.index("Lyon"), 0.4, 0.0)
        return tokens, np.where(tokens.starts < 16, np.where(tokens.starts >= 8, 1.0, 0.0), likely).astype(np.float32)


def test_the_risk_is_of_spans_of_words_all_but_found_and_of_what_one_alone_finds() -> None:
    dates = as_detector(lambda documents: [(Span(8, 16, "NAME"), Span(20, 25, "DATE")) for _ in documents])
    assert risks_by([Unsure()], [NOTE]) == pytest.approx([0.1 + 0.4])
    assert risks_by([Unsure(), dates], [NOTE]) == pytest.approx([0.1 + 0.4 + 0.5])
    assert risks_by([dates], [NOTE, NOTE]) == pytest.approx([0.1, 0.1])


def test_a_tagger_tells_chances_as_well(model: Path) -> None:
    tagger: Tagger = load(model)
    (note,) = tag(tagger, notes(1, seed=11))
    assert risks_by([tagger], [note])[0] >= sum(1 - span.score for span in note.spans)


def test_the_effort_that_is_said_looks(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    efforts: list[str] = []

    def looked(some: Sequence[Document], how: How) -> Iterator[tuple[int, Detected]]:
        efforts.append(how.effort)
        return detect(some, how)

    def made(code: str, *, models: Sequence[Path], effort: Effort) -> Sequence[Detector]:
        efforts.append(effort)
        return detectors_for(code, models=models, effort=effort)

    monkeypatch.setattr("elision.review.repredicting.detect", looked)
    monkeypatch.setattr("elision.review.repredicting.detectors_for", made)
    list(repredicted([NOTE], load(model), model, {}, Effort.RULES))
    assert efforts == [Effort.RULES, Effort.RULES]
