"""Which models look at a note, by the effort that somebody says."""

from __future__ import annotations

from pathlib import Path

import pytest

from elision.detect import defaults
from elision.detect.defaults import detectors_for
from elision.detect.effort import VARIABLE, Effort, effort_of
from elision.document import Document
from elision.errors import ModelError, PolicyError
from elision.languages.base import folder
from elision.pipeline import Deidentifier
from elision.taggers.encoder.tagger import load
from elision.taggers.store import fit
from tests.taggers.encoder.made_bases import learnt_encoder
from tests.taggers.made_notes import made_notes

LOOKING = {
    "rules": ["rules en"],
    "fast": ["rules en, from 0.8 on", "crf en"],
    "balanced": ["rules en, from 0.8 on", "crf en", "encoder en of what is doubted (below 0.98)"],
    "most": ["rules en, from 0.8 on", "crf en", "encoder en of all"],
}
NOTE = "Seen by Dr. Jane Roe on 3 May 2021. Discussed with Okonkwo, who agrees."


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("encoder") / "model"
    learnt_encoder(made_notes(30)).save(found)
    return found


@pytest.fixture
def shipped(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An elision that comes with this encoder."""
    monkeypatch.setattr(defaults, "folder", lambda *parts: encoder if parts[-1] == defaults.ENCODER else folder(*parts))
    return encoder


@pytest.mark.parametrize("effort", Effort)
def test_the_receipt_names_all_that_looked(effort: Effort, shipped: Path) -> None:
    done = Deidentifier(detectors_for("en", effort=effort))([Document(NOTE, "n")])[0]
    assert [seen.name for seen in done.receipt.seen] == [*LOOKING[effort], "KnownValues"]
    versions = {seen.version for seen in done.receipt.seen if seen.name.startswith("encoder")}
    assert versions == ({load(shipped).version} if "encoder" in str(LOOKING[effort]) else set())
    assert done.document is not None
    assert "Jane" not in done.document.text


@pytest.mark.usefixtures("shipped")
def test_without_a_linear_model_the_encoder_looks_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rules = tmp_path / "fy" / "rules"
    rules.mkdir(parents=True)
    (rules / "names.toml").write_text(
        '[[rule]]\nname = "frou"\nlabel = "NAME_OTHER"\nbefore = "frou "\npattern = "[A-Z][a-z]{1,20}"\n'
        'hits = ["frou [Anker]"]\nmisses = ["frou"]\n'
    )
    monkeypatch.setenv("ELISION_LANGUAGES", str(tmp_path))
    assert [one.name for one in detectors_for("fy", effort="fast")] == ["rules fy"]
    assert [one.name for one in detectors_for("fy", effort="balanced")] == ["rules fy", "encoder en"]


def test_a_model_that_goes_on_from_the_encoder_takes_its_place(shipped: Path, tmp_path: Path) -> None:
    begun = load(shipped)
    fit(begun.settings, made_notes(6), start=begun).save(tmp_path / "own")
    (gate,) = detectors_for("en", models=[tmp_path / "own"], effort="most")
    parts = [seen.version for seen in Deidentifier([gate])([Document(NOTE)])[0].receipt.seen]
    assert load(tmp_path / "own").version in parts
    assert begun.version not in parts


@pytest.mark.parametrize("effort", ["balanced", "most"])
def test_without_an_encoder_it_is_told(effort: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "folder", lambda *_: tmp_path)
    with pytest.raises(ModelError, match=f"--effort {effort}: this elision comes without an encoder; say --effort fas"):
        detectors_for("en", effort=effort)


def test_what_is_said_counts_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "rules")
    assert effort_of() is Effort.RULES
    assert effort_of("most") is Effort.MOST
    with pytest.raises(PolicyError, match="--effort 'mots': choose one of rules, fast, balanced, most"):
        effort_of("mots")
    monkeypatch.setenv(VARIABLE, "quick")
    with pytest.raises(PolicyError, match="ELISION_EFFORT 'quick': choose one of"):
        effort_of()
