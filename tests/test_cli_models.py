"""The commands for models: train, detect, score, show; where they refuse; and that no word of a note gets out."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.formats import read, write
from elision.models import manifest, store
from elision.taggers.linear.kind import load
from tests.models.model_folders import model as other_model
from tests.models.model_folders import rewrite
from tests.notes import note
from tests.taggers.planted import PLANTED, notes
from tests.test_cli import SECRET, elision

pytestmark = pytest.mark.slow  # processes, trainings: minutes together

QUICK = ("--epochs", "4")


def alone(model: Path, source: Path, out: Path, *options: str | Path) -> subprocess.CompletedProcess[str]:
    """What a model finds by itself."""
    return elision("detect", source, out, "--model", model, "--model-only", *options)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with notes and the model learnt from them."""
    folder = tmp_path_factory.mktemp("trained")
    write(notes(), folder / "notes.jsonl", "jsonl")
    done = elision(
        "train", folder / "notes.jsonl", "--out", folder / "model", *QUICK, "--seeds", "2", "--recall", "0.9",
        "--licence", "CC BY 4.0", "--note", "from invented notes",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (folder / "said").write_text(done.stdout)
    return folder


@pytest.mark.parametrize("command", [("train",), ("detect",), ("crossval",), ("model", "show")])
def test_every_command_for_models_has_help_with_an_example(command: tuple[str, ...]) -> None:
    done = elision(*command, "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout
    assert f"Example:\n\n      elision {' '.join(command)}" in done.stdout


def test_training_says_what_came_of_it(trained: Path) -> None:
    said = (trained / "said").read_text()
    rows = {line.split("  ")[0]: " ".join(line.split("  ")[1:]).strip() for line in said.splitlines()}
    assert rows["notes learnt from"] == "40"
    assert rows["spans"] == "201"
    assert rows["labels"] == "4: DATE 40, MEDICAL_RECORD 40, NAME_CLINICIAN 40, NAME_PATIENT 81"
    assert float(rows["dev strict F1"]) > 0.8
    for name in ("dev strict precision", "dev strict recall", "dev characters covered", "dev calibration error"):
        assert 0 <= float(rows[name]) <= 1
    assert "learnt from all 40 notes" in rows["final model"]
    assert "without 4 of them" in rows["final model"]
    assert "of PHI characters there, at least" in rows["dial"]
    assert rows["size"].endswith(" MB")
    assert {"seconds", "peak memory"} <= rows.keys()


def test_a_model_keeps_what_was_done(trained: Path) -> None:
    card = store.load(trained / "model").card
    assert (card["preset"], card["licence"], card["notes"]) == ("elision-fast", "CC BY 4.0", "from invented notes")
    assert card["training"]["notes"] == 40
    assert card["dev"]["notes"] == 4
    assert card["held_out"] == {"notes": 4, "seed": 0, "share": 0.1}
    assert card["dial"]["asked"] == 0.9
    assert card["dial"]["dial"] == card["settings"]["dial"]
    assert (card["settings"]["language"], card["settings"]["seeds"], card["settings"]["epochs"]) == ("en", 2, 4)


def test_the_same_seed_gives_the_same_model(trained: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        done = elision("train", trained / "notes.jsonl", "--out", folder, *QUICK, "--seed", "5")
        assert done.returncode == 0, done.stderr
    assert store.fingerprint(folders[0]) == store.fingerprint(folders[1])


def test_a_model_tags_and_its_spans_score(trained: Path, tmp_path: Path) -> None:
    fresh = notes(12, seed=11)[1:]
    write([document.with_spans(()) for document in fresh], tmp_path / "new.jsonl", "jsonl")
    write(fresh, tmp_path / "gold.jsonl", "jsonl")
    done = alone(trained / "model", tmp_path / "new.jsonl", tmp_path / "tagged.jsonl")
    assert done.returncode == 0, done.stderr
    assert "replaced" not in done.stderr
    system = list(read(tmp_path / "tagged.jsonl"))
    assert [(d.id, d.text, d.language) for d in system] == [(d.id, d.text, d.language) for d in fresh]
    assert {span.source for document in system for span in document.spans} == {"crf"}
    done = elision("score", tmp_path / "gold.jsonl", tmp_path / "tagged.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    by_hand = load(trained / "model").detect(fresh)
    assert [document.spans for document in system] == by_hand
    gold = sum(len(document.spans) for document in fresh)
    right = sum(
        (s.start, s.end, s.label) in {(g.start, g.end, g.label) for g in document.spans}
        for document, spans in zip(fresh, by_hand, strict=True)
        for s in spans
    )
    assert right / gold > 0.8


@pytest.mark.parametrize(
    ("source", "out", "to", "expected"),
    [
        ("brat", "out", "", "brat"),
        ("brat", "out.jsonl", "", "jsonl"),
        ("jsonl", "out.jsonl", "", "jsonl"),
        ("text", "out.jsonl", "", "jsonl"),
        ("jsonl", "out", "brat", "brat"),
        ("jsonl", "out.conll", "conll", "conll"),
    ],
)
def test_notes_of_any_format_are_tagged_into_any(
    trained: Path, tmp_path: Path, source: str, out: str, to: str, expected: str
) -> None:
    documents = notes(5)
    given = tmp_path / ("in.jsonl" if source == "jsonl" else "in")
    write(documents, given, source)
    arguments = ["--to", to] if to else []
    done = alone(trained / "model", given, tmp_path / out, *arguments, "--format", source)
    assert done.returncode == 0, done.stderr
    assert f"to {tmp_path / out} as {expected}" in done.stderr
    found = list(read(tmp_path / out, expected))
    assert len(found) == 5
    assert all(document.spans for document in found)
    gold = sum(len(document.spans) for document in documents)
    assert (f"spans of the input, replaced by those found: {gold} (first in note n00)" in done.stderr) == (
        source != "text"
    )


def _tags(trained: Path, folder: Path, *options: str) -> tuple[int, str]:
    """How many spans are found in some notes, and what was said."""
    write([document.with_spans(()) for document in notes(10, seed=3)], folder / "in.jsonl", "jsonl")
    out = folder / f"out{'-'.join(options)}.jsonl"
    done = alone(trained / "model", folder / "in.jsonl", out, *options)
    assert done.returncode == 0, done.stderr
    return sum(len(document.spans) for document in read(out)), done.stderr


def test_the_dial_and_the_least_score_are_heeded(trained: Path, tmp_path: Path) -> None:
    plain, _ = _tags(trained, tmp_path)
    fewer, _ = _tags(trained, tmp_path, "--dial", "100000")
    kept, said = _tags(trained, tmp_path, "--least-score", "1")  # none is as sure as that
    assert fewer < plain
    assert kept < plain
    assert f"spans found with a score below 1, left out: {plain - kept} (first in note" in said


def test_a_model_is_shown(trained: Path) -> None:
    done = elision("model", "show", trained / "model", "--features", "4")
    assert done.returncode == 0, done.stderr
    for words in (
        "whole, each with the SHA-256 of the manifest", store.fingerprint(trained / "model"), "NAME_PATIENT 81",
        "CC BY 4.0", "from invented notes", "lower[-2..2]", "spans 201", "elision-fast", "dev strict F1",
        "learnt from 40 notes; 4 held out", "salted hashes of 40 notes",
    ):  # fmt: skip
        assert words in done.stdout
    facts = json.loads(elision("model", "show", trained / "model", "--features", "4", "--json").stdout)
    assert facts["card"]["training"]["fingerprint"] in done.stdout
    assert list(facts["weightiest"]) == ["O", "DATE", "MEDICAL_RECORD", "NAME_CLINICIAN", "NAME_PATIENT"]
    assert all(len(most) == 4 for most in facts["weightiest"].values())
    first = facts["weightiest"]["DATE"][0]
    assert f"{first['feature']} → {first['tag']}" in done.stdout
    assert facts["strings"]["lower"] > 0


def test_an_audit_passes_where_rare_words_were_dropped(trained: Path) -> None:
    shown = ("model", "show", trained / "model", "--audit", trained / "notes.jsonl")
    done = elision(*shown)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "audit passed" in done.stdout
    found = json.loads(elision(*shown, "--json").stdout)["audit"]
    assert found["passed"]
    assert found["why_not"] == []
    assert found["notes_of_the_training"]
    assert found["words"]["below"] == 0
    for file in (trained / "model").iterdir():
        assert not any(name.lower().encode() in file.read_bytes().lower() for name in PLANTED)


def test_an_audit_fails_where_rare_words_were_kept(trained: Path, tmp_path: Path) -> None:
    corpus = trained / "notes.jsonl"
    assert elision("train", corpus, "--out", tmp_path / "m", "--epochs", "12", "--least", "1").returncode == 0
    words = (tmp_path / "m" / "vocabulary.json").read_text()
    assert all(name.lower() in words for name in PLANTED)
    done = elision("model", "show", tmp_path / "m", "--audit", corpus)
    assert done.returncode == 1
    assert "audit not passed: it holds what fewer than 3 patients have" in done.stdout
    as_json = elision("model", "show", tmp_path / "m", "--audit", corpus, "--json")
    assert as_json.returncode == 1
    told = (done.stdout + done.stderr + as_json.stdout).lower()
    assert not any(name.lower() in told for name in PLANTED)


def test_an_audit_looks_at_word_lists_that_came_from_notes(trained: Path, tmp_path: Path) -> None:
    """The dictionaries of He 2015 are words of spans: days and months here, some of them of few notes."""
    corpus = trained / "notes.jsonl"
    for least, code in (("1", 1), ("3", 0)):
        model = tmp_path / least
        done = elision("train", corpus, "--out", model, "--preset", "he2015", "--least", least)
        assert done.returncode == 0, done.stderr
        done = elision("model", "show", model, "--audit", corpus, "--json")
        assert done.returncode == code, done.stdout
        assert ("word lists of its settings hold" in done.stdout) == (code == 1)
        facts = json.loads(done.stdout)
        assert facts["audit"]["given"]["held"] > 0
        assert facts["card"]["settings"]["lexicons"]["date"] > 0  # how many, not which


def test_an_audit_on_other_notes_proves_nothing(trained: Path, tmp_path: Path) -> None:
    write(notes()[:-1], tmp_path / "fewer.jsonl", "jsonl")
    done = elision("model", "show", trained / "model", "--audit", tmp_path / "fewer.jsonl")
    assert done.returncode == 1
    assert "audit not passed: these are not the notes that it was learnt from" in done.stdout


def test_labels_are_mapped_for_training_and_audit_alike(trained: Path, tmp_path: Path) -> None:
    mapped = ("--labels", "canonical:i2b2-2014")
    done = elision("train", trained / "notes.jsonl", "--out", tmp_path / "m", *QUICK, *mapped)
    assert done.returncode == 0, done.stderr
    assert "DATE 40, DOCTOR 40, MEDICALRECORD 40, PATIENT 81" in done.stdout
    arguments = ("model", "show", tmp_path / "m", "--audit", trained / "notes.jsonl")
    assert elision(*arguments, *mapped).returncode == 0
    assert elision(*arguments).returncode == 1


def test_what_is_set_is_learnt_with_and_shown(trained: Path, tmp_path: Path) -> None:
    done = elision(
        "train", trained / "notes.jsonl", "--out", tmp_path / "m", "--preset", "zuccon2013", "--set", "l1=.25",
        "--set", "families=basic,position", "--set", "trainer=online", "--set", "decoding=posterior",
        "--set", "epochs=2", "--set", "seed=5",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    card = store.load(tmp_path / "m").card
    assert {name: card["settings"][name] for name in ("l1", "epochs", "seed")} == {"l1": 0.25, "epochs": 2, "seed": 5}
    assert card["held_out"]["seed"] == 5
    assert card["settings"]["features"][-1] == "sentence-place[0]"
    assert card["set"]["families"] == ["basic", "position"]
    shown = elision("model", "show", tmp_path / "m").stdout
    assert all(words in shown for words in ("families (basic, position)", "l1 0.25, seed 5, trainer online"))


def test_dev_notes_are_never_learnt_from(trained: Path, tmp_path: Path) -> None:
    write(notes(9, seed=5), tmp_path / "dev.jsonl", "jsonl")
    done = elision("train", trained / "notes.jsonl", "--out", tmp_path / "m", *QUICK, "--dev", tmp_path / "dev.jsonl")
    assert done.returncode == 0, done.stderr
    card = store.load(tmp_path / "m").card
    assert (card["training"]["notes"], card["dev"]["notes"]) == (40, 9)
    assert "held_out" not in card
    assert "final" not in card


def test_without_notes_held_out_there_is_no_score(trained: Path, tmp_path: Path) -> None:
    done = elision("train", trained / "notes.jsonl", "--out", tmp_path / "m", *QUICK, "--hold-out", "0")
    assert done.returncode == 0, done.stderr
    assert "none: no notes were held out" in done.stdout


def test_a_model_is_replaced_only_if_that_is_wanted(trained: Path, tmp_path: Path) -> None:
    arguments = ("train", trained / "notes.jsonl", "--out", tmp_path / "m", "--epochs", "1")
    assert elision(*arguments).returncode == 0
    before = store.fingerprint(tmp_path / "m")
    assert elision(*arguments, "--seed", "2").returncode == 2
    assert store.fingerprint(tmp_path / "m") == before
    assert elision(*arguments, "--seed", "2", "--force").returncode == 0
    assert store.fingerprint(tmp_path / "m") != before


# -- where the commands refuse


def _jsonl(folder: Path, *documents: Document) -> Path:
    write([replace(document, id=f"x{at}") for at, document in enumerate(documents)], folder / "bad.jsonl", "jsonl")
    return folder / "bad.jsonl"


def _corpus(*marked: str) -> Callable[[Path, Path], list[str | Path]]:
    """The arguments for training on these notes."""
    return lambda folder, _: ["train", _jsonl(folder, *map(note, marked)), "--out", folder / "out"]


def _overlapping(folder: Path, _: Path) -> list[str | Path]:
    spans = (Span(0, 5, "ID"), Span(3, 9, "DATE"))
    return ["train", _jsonl(folder, Document(SECRET, spans=spans), *notes(3)), "--out", folder / "out"]


def _option(*options: str) -> Callable[[Path, Path], list[str | Path]]:
    return lambda folder, trained: ["train", trained / "notes.jsonl", "--out", folder / "out", *options]


def _empty(folder: Path, _: Path) -> list[str | Path]:
    (folder / "empty").mkdir()
    return ["train", folder / "empty", "--out", folder / "out"]


def _occupied(folder: Path, trained: Path) -> list[str | Path]:
    return ["train", trained / "notes.jsonl", "--out", trained / "model"]


def _inside(folder: Path, _: Path) -> list[str | Path]:
    write(notes(3), folder / "corpus", "brat")
    return ["train", folder / "corpus", "--out", folder / "corpus" / "model"]


def _not_ours(folder: Path, trained: Path) -> list[str | Path]:
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").write_text(SECRET)
    return ["train", trained / "notes.jsonl", "--out", folder / "mine", "--force"]


def _changed(change: Callable[[Path], None], *command: str) -> Callable[[Path, Path], list[str | Path]]:
    """The arguments for using a model after a change of its folder."""

    def arguments(folder: Path, trained: Path) -> list[str | Path]:
        load(trained / "model").save(folder / "m")
        change(folder / "m")
        if command == ("detect",):
            return ["detect", trained / "notes.jsonl", folder / "out", "--model", folder / "m", "--model-only"]
        return [*command, folder / "m"]

    return arguments


def _damage(model: Path) -> None:
    (model / store.WEIGHTS).write_bytes((model / store.WEIGHTS).read_bytes()[:-1] + b"!")


def _newer(model: Path) -> None:
    about = json.loads((model / store.MODEL).read_text())
    rewrite(model, {store.MODEL: json.dumps({**about, "version": 99}).encode()})


def _no_manifest(model: Path) -> None:
    (model / manifest.NAME).unlink()


def _no_settings(model: Path) -> None:
    about = json.loads((model / store.MODEL).read_text())
    del about["card"]["settings"]
    rewrite(model, {store.MODEL: json.dumps(about).encode()})


def _other_kind(model: Path) -> None:
    store.save(model, other_model(), overwrite=True)


def _tagging(*options: str | Path, out: str = "out.jsonl") -> Callable[[Path, Path], list[str | Path]]:
    return lambda folder, trained: [
        "detect", trained / "notes.jsonl", folder / out, "--model", trained / "model", "--model-only", *options
    ]  # fmt: skip


def _twice(folder: Path, trained: Path) -> list[str | Path]:
    row = json.dumps({"id": "1", "text": SECRET})
    (folder / "twice.jsonl").write_text(f"{row}\n{row}\n")
    return ["detect", folder / "twice.jsonl", folder / "out.jsonl", "--effort", "fast"]


def _onto_itself(folder: Path, trained: Path) -> list[str | Path]:
    return ["detect", trained / "notes.jsonl", trained / "notes.jsonl", "--effort", "fast", "--force"]


BAD: dict[str, tuple[Callable[[Path, Path], list[str | Path]], str]] = {
    "no labels": (_corpus(SECRET, f"{SECRET} again"), "none of the 2 notes has a span to learn from"),
    "all one span": (_corpus(*["[NAME_PATIENT Quetzalcoatl]"] * 3), "every word of the notes is inside a span"),
    "one note": (_corpus("Seen by [NAME_PATIENT Quetzalcoatl] today"), "the notes are of one patient"),
    "one of two with spans": (_corpus(f"{SECRET} [DATE May]", SECRET), "all notes with spans were held out"),
    "overlaps": (_overlapping, "note x0: spans 0–5 (ID) and 3–9 (DATE) overlap and disagree"),
    "an empty folder": (_empty, "the folder is empty"),
    "no such corpus": (lambda f, _: ["train", f / "no", "--out", f / "out"], "there is no such file or folder"),
    "no such setting": (_option("--set", "windw=7"), "--set windw: elision-fast has nothing of this name; there are"),
    "no option of this": (
        _option("--preset", "he2015", "--set", "windw=7"),
        "(did you mean window?); there are: cities, cut,",
    ),
    "no such value": (_option("--set", "dropout=high"), "--set dropout=high: dropout must be a number"),
    "a setting twice": (_option("--set", "epochs=2", "--epochs", "3"), "--set epochs: an option of its own says this"),
    "a setting too high": (_option("--set", "dropout=2"), "--set dropout 2.0: must be at least 0"),
    "an option that cannot be": (_option("--preset", "he2015", "--set", "run=best"), "choose one of unofficial2"),
    "English by words": (_option("--set", "words=true"), "en has no segmenter into words (there are: zh)"),
    "no such preset": (_option("--preset", "elision-fats"), "there are: elision-fast, elision-best, "),
    "a share of all": (_option("--hold-out", "1"), "--hold-out 1: a share of the notes"),
    "a share of nan": (_option("--hold-out", "nan"), "--hold-out nan: a share of the notes"),
    "a negative share": (_option("--hold-out", "-0.1"), "--hold-out -0.1: a share of the notes"),
    "a recall above 1": (_option("--recall", "99"), "--recall 99: a share of the characters"),
    "a recall of nan": (_option("--recall", "nan"), "--recall nan: a share of the characters"),
    "a recall of nothing": (_option("--recall", "0.9", "--hold-out", "0"), "hold some out"),
    "no seeds": (_option("--seeds", "0"), "--seeds 0: must be at least 1"),
    "no epochs": (_option("--epochs", "-3"), "--epochs -3: must be at least 1"),
    "no least": (_option("--least", "0"), "--least 0: must be at least 1"),
    "a negative size": (_option("--size-mb", "-1"), "--size-mb -1.0: must be at least 0"),
    "no size": (_option("--size-mb", "nan"), "--size-mb nan: must be at least 0"),
    "no number": (_option("--seeds", "two"), "Invalid value for '--seeds'"),
    "unknown labels": (_option("--labels", "meddocan:canonical"), "has no way for label"),
    "a place that is taken": (_occupied, "is there already; choose another folder, or --force"),
    "a place inside": (_inside, "lies inside the notes"),
    "a place of others": (_not_ours, "not overwritten, as it is neither empty nor a model"),
    "a damaged model": (_changed(_damage, "model", "show"), "its SHA-256 is not that of the manifest"),
    "a damaged model to tag": (_changed(_damage, "detect"), "its SHA-256 is not that of the manifest"),
    "a newer model": (_changed(_newer, "model", "show"), "with folder version 99"),
    "a newer model to tag": (_changed(_newer, "detect"), "upgrade elision"),
    "a foreign folder": (_changed(_no_manifest, "model", "show"), "not an elision model"),
    "a foreign folder to tag": (_changed(_no_manifest, "detect"), "not an elision model"),
    "another kind of model": (
        _changed(_other_kind, "detect"),
        "is a model of kind crf where linear, neural, encoder or hugging-face is needed",
    ),
    "features of another kind": (_changed(_other_kind, "model", "show", "--features", "3"), "of kind crf where"),
    "a model without settings": (_changed(_no_settings, "detect"), "not a model that this elision wrote"),
    "no such model": (lambda f, t: ["model", "show", f / "no"], "there is no such folder"),
    "notes twice": (_twice, "the id 1 comes twice"),
    "onto itself": (_onto_itself, "IN and OUT are the same place"),
    "a dial of 0": (_tagging("--dial", "0"), "dial 0: must be more than 0"),
    "a dial of nan": (_tagging("--dial", "nan"), "dial nan: must be more than 0"),
    "a least score of 2": (_tagging("--least-score", "2"), "--least-score 2: a score lies between 0 and 1"),
    "a least score of nan": (_tagging("--least-score", "nan"), "--least-score nan: a score lies between"),
    "no such format": (_tagging("--to", "brta"), "did you mean brat?"),
    "a format without spans": (_tagging("--to", "text", out="out"), "text holds no spans"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_with_an_error_that_helps(name: str, trained: Path, tmp_path: Path) -> None:
    make, message = BAD[name]
    arguments = make(tmp_path, trained)
    before = {file.name: file.read_bytes() for file in trained.rglob("*") if file.is_file()}
    done = elision(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stderr + done.stdout
    assert not list(tmp_path.glob("out*"))
    assert {file.name: file.read_bytes() for file in trained.rglob("*") if file.is_file()} == before
