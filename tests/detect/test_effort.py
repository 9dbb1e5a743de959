"""Which models look at a note, by the effort that somebody says."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.detect import defaults
from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.effort import VARIABLE, Effort, effort_of
from elision.errors import LabelError, ModelError, PolicyError, RuleError
from elision.formats import write
from elision.languages.base import ENCODER, folder
from elision.pipeline import Deidentifier
from elision.run.plan import RunOptions, plan
from elision.taggers import named
from elision.taggers.base import goes_on_from
from elision.taggers.encoder.tagger import load
from elision.taggers.named import SHIPPED
from elision.taggers.store import fit
from elision.texts import deidentify
from tests.taggers.encoder.made_bases import learnt_encoder
from tests.taggers.made_notes import made_notes

LOOKING = {
    "rules": ["rules en"],
    "fast": ["rules en, from 0.8 on", "crf en"],
    "balanced": ["rules en, from 0.8 on", "crf en", "encoder en of what is doubted (below 0.98)"],
    "most": ["rules en, from 0.8 on", "crf en", "encoder en of what is doubted (below 0.999)"],
}
OURS = {"NAME": "NAME_OTHER", "PLACE": "LOCATION_OTHER"}
CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "effort.toml").read_text("utf-8"))["case"]
NOTE = "Seen by Dr. Jane Roe on 3 May 2021. Discussed with Okonkwo, who agrees."


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("encoder") / "model"
    learnt_encoder(_ours(30)).save(found)
    return found


def _ours(count: int) -> list[Document]:
    """Made notes with labels of ours."""
    return [
        note.with_spans(replace(span, label=OURS.get(span.label, span.label)) for span in note.spans)
        for note in made_notes(count)
    ]


@pytest.fixture
def shipped(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An elision that comes with this encoder."""
    monkeypatch.setattr(defaults, "folder", lambda *parts: encoder if parts[-1] == ENCODER else folder(*parts))
    return encoder


@pytest.mark.parametrize("effort", Effort)
def test_the_receipt_names_all_that_looked(effort: Effort, shipped: Path) -> None:
    done = Deidentifier(detectors_for("en", effort=effort))([Document(NOTE, "n")])[0]
    assert [seen.name for seen in done.receipt.seen] == [*LOOKING[effort], "KnownValues"]
    versions = {seen.version for seen in done.receipt.seen if seen.name.startswith("encoder")}
    assert versions == ({load(shipped).version} if "encoder" in str(LOOKING[effort]) else set())
    assert done.document is not None
    assert "Jane" not in done.document.text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["language"])
def test_the_encoder_that_comes_with_elision_finds_names_without_a_cue(case: dict[str, Any]) -> None:
    done = Deidentifier(detectors_for(case["language"], effort="balanced"))([Document(case["note"], "n")])[0]
    assert done.document is not None
    assert not [word for word in case["gone"] if word in done.document.text]


def test_it_finds_what_the_linear_model_misses() -> None:
    case = next(each for each in CASES if each["language"] == "de")
    done = Deidentifier(detectors_for("de", effort="fast"))([Document(case["note"], "n")])[0]
    assert done.document is not None
    assert case["gone"][0] in done.document.text


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
    fit(begun.settings, _ours(6), start=begun).save(tmp_path / "own")
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


# -- a language without a pack


@pytest.mark.usefixtures("shipped")
def test_a_language_without_a_pack_is_read_by_the_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    text = made_notes(1)[0].text + "\nMail: a.quill@example.com"
    done = Deidentifier(detectors_for("sv-SE", effort="most"))([Document(text, "n", language="sv-SE")])[0]
    assert [seen.name for seen in done.receipt.seen] == ["rules common", "encoder en", "KnownValues"]
    assert done.receipt.warnings["no-pack-for-the-language"] == 1
    assert done.document is not None
    assert "quill" not in done.document.text
    assert done.document.text.count("[NAME") >= 1
    monkeypatch.setenv(VARIABLE, "most")
    assert deidentify(text, language="sv") == done.document.text


@pytest.mark.usefixtures("shipped")
def test_commands_say_that_there_is_no_pack(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(made_notes(1)[0].text)
    words = ("deidentify", str(tmp_path / "in.txt"), "--language", "sv", "--effort", "balanced")
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0
    assert "no pack for sv: only the encoder and the rules that all languages share" in done.stderr
    (tmp_path / "in.csv").write_text("id,note\n1,Seen by Roe\n")
    told: list[str] = []
    options = RunOptions(columns={"texts": ("note",), "id": "id"}, language="sv", effort="most")
    plan(str(tmp_path / "in.csv"), str(tmp_path / "out.csv"), options, told.append)
    assert sum(line.startswith("no pack for sv: ") for line in told) == 1


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(
    "text", ["المريض يشكو من ألم في الصدر منذ ثلاثة أيام", "ผู้ป่วยมีอาการเจ็บหน้าอก", "Qqq zzzxx wwqk 12", "ааа ббб вввв 😀"]
)
def test_where_it_knows_too_few_words_the_note_is_held_and_no_other(text: str) -> None:
    notes = [Document(one, language="sv") for one in (made_notes(1)[0].text, text, "120/80 😀", "")]
    done = Deidentifier(detectors_for("sv", effort="balanced"))(notes)
    assert [one.receipt.why for one in done] == ["", "language-not-read", "", ""]


@pytest.mark.parametrize(("effort", "code"), [("fast", "sv"), ("balanced", "qqq"), ("most", "e")])
@pytest.mark.usefixtures("shipped")
def test_other_languages_are_refused(effort: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, effort)
    with pytest.raises(LabelError, match=f"no language '{code}'; say one of de, en"):
        deidentify("A note.", language=code)
    with pytest.raises(RuleError, match=f"'{code}': no such language"):
        detectors_for(code, effort=effort)


# -- learning goes on from it


@pytest.mark.slow
def test_learning_goes_on_from_the_encoder_that_comes_with_elision(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named, "folder", lambda *parts: encoder if parts[-1] == ENCODER else folder(*parts))
    write(_ours(8), tmp_path / "notes.jsonl", "jsonl")
    words = ["train", str(tmp_path / "notes.jsonl"), "--out", str(tmp_path / "own"), "--start-from", SHIPPED,
             "--preset", ENCODER, "--language", "en", "--made", "3", "--set", "epochs=1", "--no-final"]  # fmt: skip
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    own = load(tmp_path / "own")
    assert goes_on_from(own.card, load(encoder).version)
    assert own.card["start"]["again"] >= 2


def test_the_kind_that_is_named_must_be_that_of_the_model(tmp_path: Path) -> None:
    write(_ours(2), tmp_path / "notes.jsonl", "jsonl")
    words = ("train", tmp_path / "notes.jsonl", "--out", tmp_path / "own", "--start-from", "en", "--preset", ENCODER)
    with pytest.raises(ModelError, match="--preset encoder: --start-from en is a model of another kind"):
        CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
