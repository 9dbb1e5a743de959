"""A CRF that CRFsuite learnt from our features tags as CRFsuite itself does, tag for tag."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elision.bio import encode
from elision.document import Document
from elision.errors import ModelError
from elision.formats import read
from elision.papers import with_crfsuite
from elision.papers.crfsuite.trainer import train_crfsuite
from elision.papers.presets import ZUCCON_FAMILIES, cotik2019_crf, he2015, liu2015, zuccon2013
from elision.taggers.batch import cut_long
from elision.taggers.cutters import batch_of
from elision.taggers.linear.columns import Attributes
from elision.taggers.linear.features import templates
from elision.taggers.linear.kind import load
from elision.taggers.linear.learning import Rows, features_of
from elision.taggers.linear.resources import places_of
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.training import fit
from tests.notes import CORPORA, note
from tests.taggers.invented import UNSEEN, notes

pycrfsuite = pytest.importorskip("pycrfsuite", reason="the extra crfsuite is not installed")

MEDDOCAN = CORPORA / "meddocan"
NO_POS = tuple(family for family in ZUCCON_FAMILIES if family != "pos")
SETTINGS: dict[str, Callable[[], Settings]] = {
    "he2015": partial(he2015, documents=notes(), pos=False),
    "cotik2019": partial(cotik2019_crf, "en", pos=False),
    "zuccon2013": partial(zuccon2013, families=NO_POS),
    "liu2015": partial(liu2015, "en", pos=False, entities="none"),
    "averaged perceptron": partial(cotik2019_crf, "en", pos=False, options={"algorithm": "ap", "max_iterations": 5}),
}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file that CRFsuite writes is copied to."""
    copy = tmp_path / "kept.crfsuite"

    def train_and_keep(sequences: Any, path: Path, **how: Any) -> None:
        train_crfsuite(sequences, path, **how)
        shutil.copy(path, copy)

    monkeypatch.setattr("elision.papers.with_crfsuite.train_crfsuite", train_and_keep)
    return copy


def tags_of_crfsuite(tagger: LinearTagger, model: Path, train: Sequence[Document], texts: Sequence[str]) -> list[str]:
    """The tags that CRFsuite gives these texts with the same features."""
    settings = tagger.settings
    lines = templates(settings.features)
    attributes = Attributes(lines, places_of(settings))
    learnt = tagger.batch([document.text for document in train])
    one_each = np.arange(len(train), dtype=np.int32)
    values = attributes.values(learnt, settings.least, one_each)
    rows = features_of(learnt, lines, attributes, values, settings.least, one_each)
    batch = tagger.batch(texts)
    mine = features_of(batch, lines, attributes, values, 1, np.arange(len(texts), dtype=np.int32))
    names = [str(number) for number in range(rows.alone)] + _joint_names(rows, mine)
    theirs = pycrfsuite.Tagger()
    theirs.open(str(model))
    tags: list[str] = []
    for first, after in cut_long(batch, tagger.unit).tolist():
        tags += theirs.tag(with_crfsuite.items(mine.rows[first:after], names))
    return tags


def _joint_names(learnt: Rows, mine: Rows) -> list[str]:
    """What the conjunctions of these texts were called in training; what was not there CRFsuite does not know."""
    number = {key: at + learnt.alone for at, key in enumerate(learnt.keys.tolist())}
    return [str(number.get(key, "unknown")) for key in mine.keys.tolist()]


def our_tags(tagger: LinearTagger, texts: Sequence[str]) -> list[str]:
    return [tagger.chain.tags[tag] for tag in tagger.tags(tagger.batch(texts))[0].tolist()]


@pytest.mark.parametrize("name", SETTINGS)
def test_tags_are_those_of_crfsuite(name: str, kept: Path, tmp_path: Path) -> None:
    train = notes()
    tagger = fit(SETTINGS[name](), train)
    texts = [UNSEEN.text, "", "Dr. Roe\n\nnothing here", *(document.text for document in notes(30)[20:])]
    expected = tags_of_crfsuite(tagger, kept, train, texts)
    assert our_tags(tagger, texts) == expected
    assert len(set(expected)) > 5
    tagger.save(tmp_path / "model")
    assert our_tags(load(tmp_path / "model"), texts) == expected


@pytest.mark.slow
@pytest.mark.skipif(not MEDDOCAN.exists(), reason="the corpus is not here")
@pytest.mark.parametrize(
    "preset", [partial(cotik2019_crf, "es", pos=False), partial(liu2015, "es", pos=False, entities="none")]
)
def test_tags_are_those_of_crfsuite_on_a_corpus(preset: Callable[..., Settings], kept: Path, tmp_path: Path) -> None:
    train = list(read(MEDDOCAN / "train", "brat"))[:40]
    dev = [document.text for document in read(MEDDOCAN / "dev", "brat")]
    settings = preset()
    tagger = fit(preset(options={**settings.options, "max_iterations": 20}), train)
    expected = tags_of_crfsuite(tagger, kept, train, dev)
    ours = our_tags(tagger, dev)
    assert sum(a != b for a, b in zip(ours, expected, strict=True)) == 0
    assert len(ours) > 50_000
    tagger.save(tmp_path / "model")
    assert our_tags(load(tmp_path / "model"), dev) == expected


def test_a_tag_that_never_occurs_is_never_given() -> None:
    """Spans of one token only: there is no I to learn, and none may come out."""
    train = [note(f"Seen by [NAME {name}] on [DATE {day}]") for day, name in enumerate(("Roe", "Poe", "Doe"), 3)]
    tagger = fit(cotik2019_crf("en", pos=False, features=("digits[0]",)), train)
    assert set(our_tags(tagger, ["Roe Roe Roe 3 4 5 Poe\nunheard of"])) <= {"O", "B-NAME", "B-DATE"}
    assert "I-NAME" in tagger.chain.tags


def test_options_are_those_of_crfsuite() -> None:
    sparse = fit(cotik2019_crf("en", pos=False, options={"c1": 1.0}), notes())
    full = fit(cotik2019_crf("en", pos=False), notes())
    assert sparse.linear.kept < full.linear.kept / 2
    with pytest.raises(ModelError, match="no option 'depth'"):
        fit(cotik2019_crf("en", pos=False, options={"depth": 3}), notes())
    with pytest.raises(ModelError, match="no algorithm 'magic'"):
        fit(cotik2019_crf("en", pos=False, options={"algorithm": "magic"}), notes())


def test_the_notes_have_what_the_tests_rely_on() -> None:
    settings = cotik2019_crf("en", pos=False)
    tags = encode(UNSEEN.spans, batch_of(settings, [UNSEEN.text]).tokens)
    assert {"B-NAME", "I-NAME", "B-DATE", "B-PHONE", "B-ID", "B-STREET", "B-STATE", "O"} <= set(tags)
