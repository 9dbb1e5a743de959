"""The experiments with the papers' neural systems, on a few made notes and tiny networks."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from benchmarks import neural as speed
from elision.document import Span
from elision.errors import ScoreError
from elision.papers.studies.line_chart import Line, chart
from elision.taggers import store
from experiments import neural, neural_runs
from experiments.neural_corpora import Corpus, corpus_named
from experiments.neural_published import published
from experiments.neural_runs import LEVELS, Clock, Job, result, results, run, stem
from experiments.neural_tables import grouped, score_rows, sweep_charts, sweep_rows, system_of, write
from tests.taggers.made_notes import made_notes

TINY: dict[str, Any] = {"hidden": 4, "embedding": 4, "epochs": 2}
SETS = [f"--set={name}={value}" for name, value in TINY.items()]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    notes = [replace(note, language="en") for note in made_notes(20)]
    return Corpus("i2b2-2006-like", "en", notes[:14], notes[14:], {"notes": 14})


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_holds_all_that_tables_need(corpus: Corpus, tmp_path: Path) -> None:
    file = run(Job(corpus, "ts-gru", TINY, 1), tmp_path, keep=True)
    found = result(file)
    assert found["key"]["options"] == {**TINY, "r": corpus.r or 0.14}
    assert found["versions"]["torch"]
    assert [*found["figures"]] == [*found["counts"]] == [*LEVELS]
    assert len(found["patients"]) == len(found["counts"]["token"]) == len(corpus.test)
    # the spans are there, and give the same figures
    system = [note.with_spans(_spans(found["spans"][note.id])) for note in corpus.test]
    again = neural_runs.scores(corpus.pairs(system), system)
    assert again["figures"] == found["figures"]
    model = store.load(tmp_path / "models" / file.stem)
    assert [*model.detect(corpus.test)] == [note.spans for note in system]
    assert not [*(tmp_path / "checkpoints").iterdir()]


def _spans(rows: list[list[Any]]) -> list[Span]:
    return [Span(*row) for row in rows]


def test_what_is_there_is_not_learnt_again(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(corpus, "bi-gru", TINY)
    file = run(job, tmp_path)
    before = contents(tmp_path)
    monkeypatch.setattr(store, "fit", None)
    assert run(job, tmp_path) == file
    assert contents(tmp_path) == before
    with pytest.raises(TypeError):
        run(replace(job, seed=1), tmp_path)  # another seed is


def test_a_run_that_was_stopped_gives_what_an_uninterrupted_one_gives(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(corpus, "ts-gru", {**TINY, "epochs": 3})
    whole = result(run(job, tmp_path / "whole"))
    with monkeypatch.context() as patch:
        patch.setattr(neural_runs, "progress", _stopping(after=2))
        with pytest.raises(KeyboardInterrupt):
            run(job, tmp_path / "stopped")
    assert not [*results(tmp_path / "stopped")]
    assert (tmp_path / "stopped" / "checkpoints" / stem(job.key())).is_dir()
    epochs: list[int] = []
    monkeypatch.setattr(neural_runs, "progress", _telling(epochs))
    gone_on = result(run(job, tmp_path / "stopped"))
    assert epochs == [1, 2]
    for name in ("figures", "counts", "spans", "network"):
        assert gone_on[name] == whole[name]


def _stopping(after: int) -> Callable[..., Any]:
    def stop(_: int, epoch: int, *__: object) -> None:
        if epoch + 1 == after:
            raise KeyboardInterrupt

    return _watched(stop)


def _telling(epochs: list[int]) -> Callable[..., Any]:
    return _watched(lambda _, epoch, *__: epochs.append(epoch))


def _watched(watch: Callable[..., None]) -> Callable[..., Any]:
    return lambda *_: nullcontext(watch)


def test_seeds_that_are_learnt_side_by_side_write_one_file(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "clock.json")
    watch = clock.watching(None)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda epoch: watch(0, epoch, 1.0, None), range(400)))
    assert [path.name for path in tmp_path.iterdir()] == ["clock.json"]


def test_a_damaged_result_is_an_error(corpus: Corpus, tmp_path: Path) -> None:
    job = Job(corpus, "bi-gru", TINY)
    tmp_path.joinpath(f"{stem(job.key())}.json").write_text('{"form": "elision neu')
    with pytest.raises(ScoreError, match="is no result of these experiments; remove it"):
        run(job, tmp_path)


def test_names_tell_apart_what_gives_other_results(corpus: Corpus) -> None:
    jobs = [
        Job(corpus, "ts-gru", TINY),
        Job(corpus, "ts-gru", TINY, 1),
        Job(corpus, "ts-gru", {**TINY, "window": 5}),
        Job(corpus, "bi-gru", TINY),
        Job(replace(corpus, test=corpus.test[1:]), "ts-gru", TINY),
    ]
    assert len({stem(job.key()) for job in jobs}) == len(jobs)
    usual = Job(corpus, "ts-gru", {**TINY, "r": corpus.r})
    assert stem(usual.key()) == stem(jobs[0].key())


@pytest.mark.slow
def test_commands_from_learning_to_tables(
    corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neural, "corpus_named", lambda *_: corpus)
    out = tmp_path / "results"
    some = [*SETS, "--seeds", "2", "--out", str(out)]
    neural.main(["run", "i2b2-2006-like", "--models", "ts-gru,bi_lstm", *some])
    neural.main(["run", "i2b2-2006-like", "--models", "ts-gru", *some])  # again: at once
    assert len(list(out.glob("*.json"))) == 4
    neural.main(["sweep", "i2b2-2006-like", "--over", "r", "--values", "0.1", ".3", *some])
    neural.main(["tables", str(out), "--into", str(tmp_path)])
    rows = _rows(tmp_path / "neural.csv")
    ours = [row for row in rows if row["seeds"]]
    assert [row["level"] for row in ours] == [*LEVELS, *LEVELS]
    assert {row["seeds"] for row in ours} == {"2"}
    assert len(_rows(tmp_path / "neural-sweep.csv")) == 2
    assert _rows(tmp_path / "neural-categories.csv")
    assert (tmp_path / "neural-r-i2b2-2006-like-ts-gru.svg").exists()
    assert "4 of 4: bi-lstm" in capsys.readouterr().out


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nowhere", "--out", "x"], "nowhere: no such corpus; choose one of meddocan"),
        (["run", "dutch", "--models", "gpt", "--out", "x"], "no preset 'gpt'"),
        (["run", "dutch", "--set", "widow=3", "--out", "x"], "did you mean window"),
        (["run", "i2b2-2006-like", "--seeds", "0", "--out", "x"], "--seeds"),
        (["sweep", "dutch", "--models", "rules", "--over", "r", "--values", "1", "--out", "x"], "nothing can be set"),
        (["tables", "nowhere"], "nowhere: no such folder of results"),
    ],
)
def test_what_is_not_there_is_told(arguments: list[str], message: str) -> None:
    with pytest.raises(SystemExit, match=message):
        neural.main(arguments)


def test_dutch_rules_learn_nothing_need_one_seed_and_are_counted_by_parent_label(tmp_path: Path) -> None:
    neural.main(["dutch", "--models", "rules", "--notes", "40", "--set=epochs=1", "--out", str(tmp_path)])
    (found,) = results(tmp_path)
    assert found["fixed"]
    assert found["figures"]["entity"]["f1"] > 0.4
    assert {"NAME", "DATE"} <= {*found["categories"]}
    assert not {"NAME_PATIENT", "EITHER"} & {*found["categories"]}


def test_chinese_is_cut_into_words_and_has_the_labels_of_the_paper(tmp_path: Path) -> None:
    chinese = corpus_named("zh-maternity", notes=20, per_patient=20)
    settings = Job(chinese, "ts-gru", TINY).settings()
    assert getattr(settings, "cut", "") == "zh-words"
    assert getattr(settings, "r", 0) == 0.14
    found = result(run(Job(chinese, "rules"), tmp_path))
    assert found["figures"]["entity"]["f1"] > 0.2
    assert {*found["categories"]} <= {"PATIENT", "DOCTOR", "HOSPITAL", "ID", "DATE", "LOCATION", "PHONE", "AGE"}


def test_no_rules_are_made_up_where_no_paper_has_them(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match="no paper has rules"):
        run(Job(corpus, "rules"), tmp_path)


@pytest.mark.slow
def test_made_notes_of_training_and_test_share_no_patient_and_have_the_labels_of_the_corpus() -> None:
    made = corpus_named("i2b2-2014-like", notes=12, per_patient=6)
    assert [len({note.patient for note in side}) for side in (made.train, made.test)] == [2, 2]
    assert not {note.text for note in made.train} & {note.text for note in made.test}
    assert {"DOCTOR", "DATE"} <= {span.label for note in made.train for span in note.spans}


def test_speed_is_told_beside_ours_and_a_regular_expression(
    corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = run(Job(corpus, "bi-gru", TINY), tmp_path, keep=True)
    notes = tmp_path / "notes"
    notes.mkdir()
    for note in corpus.test:
        notes.joinpath(f"{note.id}.txt").write_text(note.text, "utf-8")
    speed.main([str(tmp_path / "models" / file.stem), str(notes), "--rounds", "1"])
    told = capsys.readouterr().out
    assert all(f"| {name} |" in told for name in (speed.MODEL, speed.FAST, speed.FINDALL))
    with pytest.raises(SystemExit, match=r"error: .*nowhere"):
        speed.main([str(tmp_path / "nowhere"), str(notes)])


# -- Tables from results as data ------------------------------------------------------------------------------


def made_result(model: str, f1: float, seed: int = 0, fixed: bool = False, **options: Any) -> dict[str, Any]:
    right = [[10, 10 * f1, 10, 10 * f1]] * 12
    return {
        "key": {
            "corpus": "i2b2-2006-like", "about": {}, "notes": {"train": "a", "test": "b"}, "model": model,
            "options": options, "seed": seed,
        },
        "fixed": fixed, "swept": "r",
        "figures": {level: {"precision": f1, "recall": f1, "f1": f1} for level in LEVELS},
        "categories": {"DATE": {"gold": 9, "precision": f1, "recall": f1, "f1": f1}},
        "counts": dict.fromkeys(LEVELS, right),
        "patients": [f"patient {number // 2}" for number in range(12)],
        "seconds": {"learn": 90.0},
        "printed": "2026-11-24",
    }  # fmt: skip


def test_tables_have_means_and_ranges_and_tests_beside_what_is_published() -> None:
    runs = grouped([
        made_result("ts-gru", 0.9, 0, r=0.25), made_result("ts-gru", 0.8, 1, r=0.25),
        made_result("bi-gru", 0.5, 0), made_result("bi-gru", 0.6, 1), made_result("liu2015", 0.85, fixed=True),
    ])  # fmt: skip
    rows = {(row["system"], row["level"]): row for row in score_rows(runs) if row["corpus"] == "i2b2-2006-like"}
    ours = rows["ts-gru", "entity"]
    assert (ours["F1"], ours["F1 low"], ours["F1 high"], ours["seeds"]) == ("0.8500", "0.8000", "0.9000", "2")
    assert ours["published F1"] == "0.9452"
    assert ours["p against ts-gru"] == ""
    assert ours["minutes"] == "1.5"
    # of 6 patients, all or none are swapped in 2 of 64 draws
    assert float(rows["bi-gru", "token"]["p against ts-gru"]) == pytest.approx(2 / 64, abs=0.01)
    assert float(rows["liu2015", "token"]["p against ts-gru"]) == 1.0
    assert rows["bi-lstm", "binary token"]["F1"] == ""
    assert rows["bi-lstm", "binary token"]["published F1"] == "0.9689"


def test_a_system_is_named_by_what_is_not_usual() -> None:
    assert system_of(made_result("ts-gru", 1, r=0.25)) == "ts-gru"
    assert system_of(made_result("ts-gru", 1, r=0.3, window=5)) == "ts-gru, r=0.3, window=5"


def test_results_on_other_notes_are_not_mixed() -> None:
    other = made_result("bi-gru", 0.5)
    other["key"]["notes"] = {"train": "c", "test": "b"}
    with pytest.raises(ScoreError, match="results on other notes"):
        grouped([made_result("ts-gru", 0.9), other])
    with pytest.raises(ScoreError, match="seed 0 is there twice"):
        grouped([made_result("ts-gru", 0.9), made_result("ts-gru", 0.9)])


def test_a_sweep_is_a_row_for_each_value_and_a_picture() -> None:
    points = [made_result("ts-gru", f1, r=r) for r, f1 in ((0.1, 0.5), (0.05, 0.4), (0.4, 0.7))]
    rows = sweep_rows(points)
    assert [(row["value"], row["F1"]) for row in rows] == [("0.05", "0.4000"), ("0.1", "0.5000"), ("0.4", "0.7000")]
    ((name, picture),) = sweep_charts(rows).items()
    assert name == "neural-r-i2b2-2006-like-ts-gru.svg"
    ElementTree.fromstring(picture)


def test_without_results_the_published_figures_stand_alone(tmp_path: Path) -> None:
    assert {file.name for file in write([], [], tmp_path)} == {"neural.csv", "neural-dutch.csv"}
    rows = _rows(tmp_path / "neural.csv") + _rows(tmp_path / "neural-dutch.csv")
    assert len(rows) == len(published())
    assert all(row["published F1"] for row in rows)


def test_tables_of_some_results_keep_the_rows_of_others(tmp_path: Path) -> None:
    write([made_result("ts-gru", 0.9), made_result("bi-gru", 0.8)], [made_result("ts-gru", 0.9, r=0.3)], tmp_path)
    write([made_result("bi-gru", 0.7), made_result("liu2015", 0.6)], [made_result("ts-gru", 0.5, r=0.05)], tmp_path)
    write([], [], tmp_path)
    found = {
        row["system"]: row["F1"]
        for row in _rows(tmp_path / "neural.csv")
        if (row["corpus"], row["level"]) == ("i2b2-2006-like", "token")
    }
    assert found == {"ts-gru": "0.9000", "bi-gru": "0.7000", "liu2015": "0.6000"}
    assert {row["system"] for row in _rows(tmp_path / "neural-categories.csv")} == {"ts-gru", "bi-gru", "liu2015"}
    swept = _rows(tmp_path / "neural-sweep.csv")
    assert [(row["value"], row["F1"]) for row in swept] == [("0.05", "0.5000"), ("0.3", "0.9000")]
    assert len(list(tmp_path.glob("*.svg"))) == 1


@pytest.mark.parametrize("points", [[(1.0, 0.5)], [(1.0, 0.5), (2.0, 0.5)], [(0.1, 0.0), (0.4, 1.0)]])
def test_a_chart_is_a_picture_whatever_the_figures(points: list[tuple[float, float]]) -> None:
    found = ElementTree.fromstring(chart("a < b & c", "r", [Line("F1", points), Line("F1 of entities", points)]))
    assert len(found.findall(".//{*}circle")) == 2 * len(points)


def test_a_chart_is_read_by_night_as_well() -> None:
    found = ElementTree.fromstring(chart("F1", "r", [Line("F1", [(1, 0.5), (2, 0.6)])]))
    assert {text.get("fill") for text in found.findall(".//{*}text")} == {"currentColor"}
    assert "prefers-color-scheme:dark" in (found.findtext("{*}style") or "")
    assert not found.findall(".//{*}rect")
