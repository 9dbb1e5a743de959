"""`elision paper`: what it prints and leaves, what it keeps, and where it refuses."""

from __future__ import annotations

import json
import multiprocessing
import random
import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from elision.cli import app
from elision.document import Document
from elision.errors import ElisionError, MissingExtraError, ModelError
from elision.formats import write
from elision.papers.presets import liu2015
from elision.papers.searching import Trial, random_search
from elision.papers.studies import runs, searched, systems
from elision.papers.studies.catalogue import STUDIES
from elision.papers.studies.he2015 import BEST
from elision.papers.studies.notes import Notes
from elision.papers.studies.scored import Scored
from elision.papers.studies.study import ALL, TEST, TRAIN, Part, Run
from elision.papers.studies.together import side_by_side
from elision.taggers import store
from tests.notes import note

SECRET = "Quetzalcoatl"
NAMES = ("Roe", "Lund", "Marsh", "Vale", SECRET, "Hart")
LINES = (
    "Seen by [DOCTOR Dr. {name}] on [DATE {day} May] in the clinic for a review of the wound.",
    "The patient is a [AGE {age}]-year-old woman who lives with her daughter and walks every day.",
    "Please call [PHONE 555-01{day:02}] if the fever or the cough comes back during the night.",
    "The blood pressure was {age} over {day} and the lungs were clear on both sides.",
)


def written(count: int, seed: int) -> list[Document]:
    """Notes with the labels of i2b2 2014, each of a patient of its own."""
    rng = random.Random(seed)
    made = []
    for at in range(count):
        lines = [line.format(name=rng.choice(NAMES), day=rng.randint(1, 28), age=rng.randint(30, 89)) for line in LINES]
        made.append(replace(note("\n".join(rng.sample(lines, 4)), f"{seed}-{at}"), language="en"))
    return made


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for part, count in ((TRAIN, 8), (TEST, 5)):
        write(written(count, count), tmp_path / "corpus" / f"{part}.jsonl", "jsonl")
    return tmp_path / "corpus"


def paper(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["paper", *map(str, arguments)])


def done(*arguments: str | Path) -> Result:
    result = paper(*arguments)
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result


def shape(text: str) -> list[str]:
    """Lines with every number as #."""
    return [re.sub(r" +", " ", re.sub(r"\d[\d.,]*|–", "#", line)).strip() for line in text.splitlines() if line.strip()]


def test_a_table_is_printed_beside_the_published_one(data: Path, tmp_path: Path) -> None:
    result = done("he2015", "--quick", "--data", data, "--out", tmp_path / "out", "--only", "table6,figure3")
    assert shape(result.stdout) == [
        "Table #: errors by kind",
        "errors share",
        "type # # %",
        "published # # %",
        "extent # # %",
        "published # # %",
        "missing # # %",
        "published # # %",
        "spurious # # %",
        "published # # %",
        "Figure #: F# by features",
        "F#",
        "lexical #",
        "lexical and orthographic #",
        "lexical, orthographic and dictionary #",
        "published #",
        *(line for line in shape(result.stdout) if line.startswith(("Orthographic", "Dictionary"))),
    ]
    assert "159  12.04 %" in result.stdout
    assert "0.9232" in result.stdout
    told = result.stderr
    assert "i2b2-2014: 8 notes to train on and 5 to test on" in told
    assert "3 runs to train: about" in told
    assert told.index("3 runs to train") < told.index("1 of 3:")
    assert "--quick: few notes" in told
    left = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert left == ["he2015-figure3.csv", "he2015-table6.csv", "he2015.html", "he2015.md", "runs"]


def test_without_quick_the_papers_trainer_learns(data: Path, tmp_path: Path) -> None:
    result = done("he2015", "--data", data, "--out", tmp_path / "out", "--only", "table6")
    assert "learning with crfsuite" in result.stderr
    assert "--quick" not in result.stderr


def test_no_word_of_a_note_gets_out(data: Path, tmp_path: Path) -> None:
    result = done("he2015", "--quick", "--data", data, "--out", tmp_path / "out", "--only", "table4,table7,table8")
    files = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert files
    for text in (result.output, *(file.read_text("utf-8") for file in files)):
        assert SECRET.lower() not in text.lower()


def test_what_is_done_is_not_done_again_and_what_is_damaged_is(data: Path, tmp_path: Path) -> None:
    arguments = ("he2015", "--quick", "--data", data, "--out", tmp_path / "out", "--only", "table6")
    first = done(*arguments)
    (file,) = (tmp_path / "out" / "runs").iterdir()
    whole = file.read_text("utf-8")
    again = done(*arguments)
    assert "1 of 1 runs are there from before" in again.stderr
    assert again.stdout == first.stdout
    assert file.read_text("utf-8") == whole
    table = json.loads(whole)
    table["found"][0] = [[0, 1, "DATE"]]
    damages = whole[:-40], "", "[]", json.dumps(table), json.dumps({**table, "form": "another"})
    for damaged in damages:
        file.write_text(damaged, "utf-8")
        mended = done(*arguments)
        assert "is damaged, so this run is made again" in mended.stderr
        assert mended.stdout == first.stdout
        assert json.loads(file.read_text("utf-8"))["found"] == json.loads(whole)["found"]


def test_another_seed_other_notes_and_other_code_are_other_runs(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("he2015", "--quick", "--out", tmp_path / "out", "--only", "table6", "--data")
    kept = tmp_path / "out" / "runs"
    done(*arguments, data)
    done(*arguments, data, "--seed", "1")
    assert len(list(kept.iterdir())) == 2
    write(written(7, 99), data / "train.jsonl", "jsonl")
    done(*arguments, data)
    assert len(list(kept.iterdir())) == 3
    monkeypatch.setattr(runs, "code", lambda: "another")
    done(*arguments, data)
    assert len(list(kept.iterdir())) == 4


def test_a_command_that_is_stopped_goes_on(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("he2015", "--quick", "--data", data, "--out", tmp_path / "out", "--only", "figure3")
    whole, trained = done(*arguments[:-4], "--out", tmp_path / "whole", "--only", "figure3").stdout, []
    fit = store.fit

    def stopped(*given: Any, **named: Any) -> Any:
        trained.append(1)
        if len(trained) == 2:
            raise KeyboardInterrupt
        return fit(*given, **named)

    monkeypatch.setattr(store, "fit", stopped)
    result = paper(*arguments)
    assert result.exit_code == 130
    assert "the same command goes on" in result.stderr
    assert [file.suffix for file in (tmp_path / "out").rglob("*") if file.is_file()] == [".json"]
    result = done(*arguments)
    assert "1 of 3 runs are there from before" in result.stderr
    assert len(trained) == 4
    assert result.stdout == whole


@pytest.mark.slow
def test_runs_side_by_side_find_what_they_find_alone(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("he2015", "--quick", "--data", data, "--only", "figure3", "--out")
    alone = done(*arguments, tmp_path / "alone", "--jobs", "1")
    monkeypatch.setattr(runs, "SOON", 0.0)
    monkeypatch.setattr(store, "fit", None)  # nothing is learnt in this process
    together = done(*arguments, tmp_path / "together", "--jobs", "2")
    assert together.stdout == alone.stdout
    assert "3 runs to train, 2 side by side" in together.stderr
    assert "3 of 3: " in together.stderr
    assert "runs to train: " in alone.stderr
    kept = [{file.name for file in (tmp_path / each / "runs").iterdir()} for each in ("alone", "together")]
    assert kept[0] == kept[1]


def test_side_by_side_a_run_that_fails_ends_the_others(tmp_path: Path) -> None:
    part = Part("dutch", ALL)
    notes = Notes({"dutch": {ALL: tuple(written(4, 0))}}, ())
    good, bad = (
        runs.job_of(Run(name, "elision-fast", part, part, options), notes, "nut", tmp_path, 0, quick=True)
        for name, options in (("good", {}), ("bad", {"least": 99}))
    )
    with pytest.raises(ModelError, match="no feature occurs in 99"):
        list(side_by_side(runs.do, [bad, good], runs.units, 2))
    assert not multiprocessing.active_children()
    assert not runs.kept(bad)


def test_a_network_goes_on_from_its_checkpoint_or_begins_anew_from_a_damaged_one(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    part = Part("dutch", ALL)
    notes = Notes({"dutch": {ALL: tuple(written(4, 0))}}, ())
    job = runs.job_of(Run("GRU", "bi-gru", part, part), notes, "nut", tmp_path, 0, quick=True)
    whole = runs.do(job).found
    stand = tmp_path / "checkpoints" / job.file.stem

    def stop(_: int, epoch: int, __: float, ___: float | None) -> None:
        if epoch == 1:
            raise KeyboardInterrupt

    for damaged in (False, True):
        job.file.unlink(missing_ok=True)
        with pytest.raises(KeyboardInterrupt):
            runs.do(job, stop)
        assert any(stand.iterdir())
        if damaged:
            for file in stand.iterdir():
                file.write_bytes(file.read_bytes()[:-9])
        told: list[str] = []
        found = runs.all_of([job], told.append, lambda _: nullcontext())
        assert found["GRU"].found == whole
        assert any("checkpoint is damaged" in line for line in told) == damaged
        assert not stand.exists()


def dutch_job(tmp_path: Path, trials: int) -> runs.Job:
    part = Part("dutch", ALL)
    notes = Notes({"dutch": {ALL: tuple(written(10, 0))}}, ())
    run = Run("CRF", "liu2015", part, part, {"pos": False})
    return runs.job_of(run, notes, "nut", tmp_path, 0, quick=True, trials=trials)


def test_settings_are_chosen_by_a_search_that_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = dutch_job(tmp_path, 3)
    assert job.file != dutch_job(tmp_path, 0).file != dutch_job(tmp_path, 2).file
    assert runs.units(job) > 2 * runs.units(dutch_job(tmp_path, 0))
    told: list[str] = []
    whole = runs.all_of([job], told.append, lambda _: nullcontext())["CRF"].found
    kept = searched.file_of(job.file)
    trials = searched.trials_in(kept)
    assert len(trials) == 3
    best = max(trials, key=lambda trial: trial.f1)
    assert any(f"c1 {best.c1:.4g} and c2 {best.c2:.4g} are the best of 3 trials" in line for line in told)
    job.file.unlink()
    kept.write_text(json.dumps([vars_of(trial) for trial in trials[:2]]))
    tried: list[int] = []

    def counted(*given: Any, **named: Any) -> list[Trial]:
        def told(number: int, trial: Trial) -> None:
            tried.append(number)
            named["progress"](number, trial)

        return random_search(*given, **{**named, "progress": told})

    monkeypatch.setattr(searched, "random_search", counted)
    assert runs.do(job).found == whole
    assert tried == [2]
    kept.write_text("[{]")
    assert searched.trials_in(kept) == []
    assert runs.do(job).found == whole


def vars_of(trial: Trial) -> dict[str, float]:
    return {"c1": trial.c1, "c2": trial.c2, "f1": trial.f1}


def test_c1_and_c2_go_to_the_trainer_that_has_them() -> None:
    settings = liu2015()
    assert searched.regularised(settings, 0.3, 2.0).options == {**settings.options, "c1": 0.3, "c2": 2.0}
    own = searched.regularised(replace(settings, trainer="online", options={}), 0.3, 2.0)
    assert (own.l1, own.l2, own.options) == (0.3, 2.0, {})


def test_notes_in_one_file_are_split(tmp_path: Path) -> None:
    write(written(12, 0), tmp_path / "notes.jsonl", "jsonl")
    result = done(
        "he2015", "--quick", "--data", tmp_path / "notes.jsonl", "--out", tmp_path / "out", "--only", "table6"
    )
    assert "8 notes to train on and 4 to test on" in result.stderr


def test_canonical_labels_are_taken_over(tmp_path: Path) -> None:
    def canonical(document: Document) -> Document:
        names = {"DOCTOR": "NAME_CLINICIAN"}
        return document.with_spans(replace(s, label=names.get(s.label, s.label)) for s in document.spans)

    write(map(canonical, written(12, 0)), tmp_path / "notes.jsonl", "jsonl")
    out = tmp_path / "out"
    result = done("he2015", "--quick", "--data", tmp_path / "notes.jsonl", "--out", out, "--only", "table4")
    assert "NAME" in result.stdout
    assert "CLINICIAN" not in result.stdout


SPANISH = (
    "La paciente fue vista en la consulta por [DOCTOR Quetzalcoatl] el [DATE 3 de mayo] y no refiere fiebre ni dolor."
)


def _bad(folder: Path) -> dict[str, tuple[Sequence[str | Path], str]]:
    """Arguments that are refused, and what is said."""
    notes = written(6, 0)
    named = {
        "good": notes,
        "one": notes[:1],
        "bare": [document.with_spans(()) for document in notes],
        "spanish": [replace(note(SPANISH, f"{at}"), language="") for at in range(6)],
        "others": [
            note(f"Seen by [HERO {SECRET}] in the clinic for the wound, and all was well.", str(at)) for at in "12"
        ],
    }
    for name, documents in named.items():
        write(documents, folder / f"{name}.jsonl", "jsonl")
    (folder / "empty").mkdir()
    (folder / "garbage.txt").write_bytes(b"\x00\x01\x02" * 50)
    (folder / "file").write_text("x")
    (folder / "half").mkdir()
    for part in ("train", "dev"):
        write(notes, folder / "half" / f"{part}.jsonl", "jsonl")
    write(notes, folder / "meddocan" / "train.jsonl", "jsonl")
    write(notes, folder / "meddocan" / "test.jsonl", "jsonl")
    good = ("he2015", "--data", folder / "good.jsonl")
    return {
        "no such paper": (["he2014"], "no paper 'he2014'; there are: he2015"),
        "no such table": (
            ["he2015", "--only", "table99"],
            "table99: he2015 has no such table; there are: table3",
        ),
        "no such place": (["he2015", "--data", folder / "none"], "there is no such file or folder"),
        "an empty folder": (["he2015", "--data", folder / "empty"], "the folder is empty"),
        "no notes": (["he2015", "--data", folder / "garbage.txt"], "garbage.txt"),
        "one note": (["he2015", "--data", folder / "one.jsonl"], "give more notes"),
        "no spans": (["he2015", "--data", folder / "bare.jsonl"], "no note has a span"),
        "another language": (["he2015", "--data", folder / "spanish.jsonl"], "give notes in en"),
        "other labels": (["he2015", "--data", folder / "others.jsonl"], "label 'HERO' is none of i2b2-2014's"),
        "no test part": (["he2015", "--data", folder / "half"], "no part test"),
        "MEDDOCAN's test part": (["cotik2019", "--data", folder / "meddocan"], "never on its test part"),
        "a file to write to": ([*good, "--out", folder / "file"], "is a file; give a folder"),
        "inside the notes": (
            ["he2015", "--data", folder / "half", "--out", folder / "half" / "o"],
            "lies inside --data",
        ),
        "no such corpus": (["zuccon2013", "--data", "dutch=x"], "zuccon2013 has no such corpus; there are: american"),
        "nothing to search": ([*good, "--trials", "3"], "--trials: no system of the tables that were asked for"),
        "a corpus twice": (["zuccon2013", "--data", "american=x", "--data", "american=y"], "is given twice"),
        "too many": (["he2015", *["--data", "x"] * 2], "2 paths, and he2015 has the corpora i2b2-2014"),
        "not used": (
            ["zuccon2013", "--data", "australian=x", "--only", "rq1"],
            "--data australian=…: the tables that were asked for do not use it",
        ),
    }


REFUSED = (
    "no such paper", "no such table", "no such place", "an empty folder", "no notes", "one note", "no spans",
    "another language", "other labels", "no test part", "MEDDOCAN's test part", "a file to write to",
    "inside the notes", "no such corpus", "a corpus twice", "too many", "not used", "nothing to search",
)  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_with_an_error_that_helps(name: str, tmp_path: Path) -> None:
    arguments, said = _bad(tmp_path)[name]
    result = paper(*arguments, *([] if "--out" in arguments else ["--out", str(tmp_path / "out")]))
    assert isinstance(result.exception, ElisionError), result.output
    assert said in str(result.exception)
    assert SECRET not in result.output + str(result.exception)
    assert not (tmp_path / "out").exists()


MISSING = {
    ("pycrfsuite", "he2015", "--only", "table6"): "crfsuite",
    ("torch", "ts-rnn", "--quick", "--only", "figure7"): "train",
    ("jieba", "ts-rnn", "--quick", "--only", "figure9"): "zh",
    ("torch", "trienes2020", "--quick", "--only", "table9"): "train",
}


@pytest.mark.parametrize("case", MISSING)
def test_what_a_run_needs_is_asked_for_before_any_note_is_read(
    case: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, *arguments = case
    monkeypatch.setattr(systems, "find_spec", lambda name: None if name == module else find_spec(name))
    result = paper(*arguments, "--out", tmp_path / "out")
    assert isinstance(result.exception, MissingExtraError)
    assert f"pip install 'elision[{MISSING[case]}]'" in str(result.exception)
    assert "making notes" not in result.stderr


def test_quick_needs_nothing_that_is_not_installed(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "find_spec", lambda _: None)
    done("he2015", "--quick", "--data", data, "--out", tmp_path / "out", "--only", "table6")


READING = {
    "--format": ("nope", "no format 'nope'"),
    "--encoding": ("klingon", "--encoding klingon"),
    "--max-mb": ("0.0001", "limit of 0.0001 MB"),
}


@pytest.mark.parametrize("option", READING)
def test_options_of_reading_reach_the_notes(option: str, data: Path, tmp_path: Path) -> None:
    value, said = READING[option]
    result = paper("he2015", "--quick", "--data", data, "--out", tmp_path / "out", "--only", "table6", option, value)
    assert isinstance(result.exception, ElisionError), result.output
    assert said in str(result.exception)


def test_unusable_lines_are_left_out_where_that_is_asked_for(tmp_path: Path) -> None:
    write(written(6, 0), tmp_path / "notes", "brat")
    file = next((tmp_path / "notes").rglob("*.ann"))
    file.write_text(file.read_text("utf-8") + "T99\tDATE five six\tMay\n", "utf-8")
    arguments = ("he2015", "--quick", "--data", tmp_path / "notes", "--out", tmp_path / "out", "--only", "table6")
    assert isinstance(paper(*arguments).exception, ElisionError)
    done(*arguments, "--lenient")


def test_scores_of_some_notes_and_with_other_labels(tmp_path: Path) -> None:
    notes = written(3, 0)
    part = Part("dutch", ALL)
    run = Run("rules", "menger2018", part, part)
    job = runs.job_of(run, Notes({"dutch": {ALL: tuple(notes)}}, ()), "nut", tmp_path, 0, quick=True)
    scored = Scored(runs.Result(job, tuple(document.spans for document in notes), 0.0))
    assert scored.figures["strict.f1"].value == 1
    assert [document.id for document in scored.of_ids({"0-1"}).gold] == ["0-1"]
    assert scored.of_ids(set()).gold == []

    def older(document: Document) -> Document:
        return document.with_spans(replace(span, label="X") for span in document.spans if span.label == "AGE")

    assert scored.as_notes(older).counts.strict.labels == ("X",)


def test_corpora_with_a_plus_between_are_read_together(tmp_path: Path) -> None:
    one, other = tuple(written(3, 0)), tuple(written(2, 1))
    notes = Notes({"elderly": {TEST: one}, "mental": {TEST: other}}, ())
    assert notes.of(Part("elderly+mental", TEST)) == one + other
    assert len(notes.of(Part("elderly", TEST, 0.4))) == 1


def test_the_papers_are_listed_with_their_tables() -> None:
    listed = done().stdout
    assert re.findall(r"^\S+(?=:)", listed, re.MULTILINE) == list(STUDIES)
    assert "--only table3, table4, table5, table6, table7, table8, figure2, figure3" in listed
    assert "american=PATH (i2b2 2006)" in listed


def test_in_cross_validation_no_note_is_tagged_by_what_has_learnt_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tuple(written(6, 0))
    learnt: list[set[str]] = []

    class Nothing:
        def detect(self, documents: Sequence[Document]) -> list[tuple[()]]:
            assert not learnt[-1] & {document.id for document in documents}
            assert not any(document.spans for document in documents)
            return [()] * len(documents)

    def fit(_: object, documents: Sequence[Document], **__: object) -> Nothing:
        learnt.append({document.id for document in documents})
        return Nothing()

    monkeypatch.setattr(store, "fit", fit)
    part = Part("i2b2-2014", ALL)
    run = Run("folds", "he2015", part, part, {}, folds=3)
    job = runs.job_of(run, Notes({"i2b2-2014": {ALL: notes}}, ()), "i2b2-2014", tmp_path, 0, quick=True)
    assert runs.do(job).found == ((),) * 6
    assert len(learnt) == 3
    assert all(len(ids) == 4 for ids in learnt)


def test_what_was_done_before_tells_how_fast_the_machine_is(tmp_path: Path) -> None:
    notes = Notes({"i2b2-2014": {TRAIN: tuple(written(4, 0)), TEST: tuple(written(2, 1))}}, ())
    study = STUDIES["he2015"]
    jobs = [runs.job_of(run, notes, "i2b2-2014", tmp_path, 0, quick=True) for run in study.runs[:2]]
    assert runs.seconds_left(jobs, jobs) == pytest.approx(sum(map(runs.units, jobs)))
    jobs[0].file.parent.mkdir()
    jobs[0].file.write_text(json.dumps({"units": 2.0, "seconds": 20.0}))
    assert runs.seconds_left(jobs[1:], jobs) == pytest.approx(10 * runs.units(jobs[1]))


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_every_paper_is_made_in_minutes(name: str, tmp_path: Path) -> None:
    result = done(name, "--quick", "--out", tmp_path)
    printed = " ".join(result.stdout.split())
    for item in STUDIES[name].items:
        assert item.title in printed
        assert (tmp_path / f"{name}-{item.key}.csv").read_text("utf-8").count("\n") > 1
    page = (tmp_path / f"{name}.html").read_text("utf-8")
    assert page.count("<svg") == sum(bool(item.plot) for item in STUDIES[name].items)
    assert BEST in page or name != "he2015"
