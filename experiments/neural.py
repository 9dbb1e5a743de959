"""The papers' neural systems beside their baselines and ours: Zhao 2018 (text skeletons) and Trienes 2020 (BiLSTM-CRF).

    python experiments/neural.py run meddocan --models ts-gru,bi-gru,bi-lstm,elision-fast --seeds 3 --out RESULTS
    python experiments/neural.py run zh-maternity --models ts-gru,bi-gru,bi-lstm,elision-fast,rules --out RESULTS
    python experiments/neural.py run meddocan --models bilstm-crf --set pretrained=FOLDER --out RESULTS
    python experiments/neural.py sweep i2b2-2006-like --over r --values .05 .1 .15 .2 .25 .3 .35 .4 --out RESULTS
    python experiments/neural.py dutch --out RESULTS
    python experiments/neural.py tables RESULTS

`run` learns each model with each seed that RESULTS does not have yet, and scores it: entities (strict), tokens by label
and binary tokens. It can be stopped at any time; the same command goes on. Corpora: meddocan (train to dev; or the
folder that holds them), i2b2-2006-like, i2b2-2014-like and zh-maternity (made notes, 20 a patient), dutch (notes by
hand). Models are presets, and "rules": the papers' rules for Chinese and Dutch. `sweep` changes one setting and draws
Figures 5 and 6. `dutch` is `run dutch` with the systems of Trienes's Table 5. `tables` writes experiments/results and
the tables of README.md. Learning needs elision[train]; liu2015 needs elision[crfsuite], Chinese words elision[zh].
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docs import tables as pages
from elision.cli.choices import chosen, of_preset
from elision.errors import ElisionError, ScoreError
from elision.taggers.presets import preset_function
from experiments import neural_tables
from experiments.neural_corpora import DUTCH, NAMES, PER_PATIENT, Corpus, corpus_named
from experiments.neural_runs import LEVELS, RULES, Job, result, results, run

HERE = Path(__file__).resolve().parent
PAGE = HERE / "README.md"
TABLE_5 = "bilstm-crf,liu2015,rules"
SWEEP = "sweep"  # folder of its results


def main(arguments: Sequence[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    try:
        given.command(given)
    except ElisionError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, command in (("run", _run), ("sweep", _sweep), ("dutch", _run)):
        one = commands.add_parser(name, help=f"{name}: see python experiments/neural.py --help")
        one.set_defaults(command=command)
        if name == "dutch":
            one.set_defaults(corpus=DUTCH)
        else:
            one.add_argument("corpus", metavar="CORPUS", help=f"{', '.join(NAMES)}, or MEDDOCAN's folder")
        one.add_argument("--models", default=TABLE_5 if name == "dutch" else "ts-gru", help="names with commas between")
        one.add_argument("--seeds", type=int, default=1 if name == "sweep" else 3, help="how many, from 0 on")
        one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of all models")
        one.add_argument("--out", type=Path, required=True, metavar="RESULTS")
        one.add_argument("--notes", type=int, default=0, help="of training, and of the test; 0: the usual number")
        one.add_argument("--per-patient", type=int, default=PER_PATIENT, help="made notes of each patient")
        one.add_argument("--threads", type=int, default=1, help="of torch")
        one.add_argument("--keep", action="store_true", help="keep the models below RESULTS")
        if name == "sweep":
            one.add_argument("--over", required=True, metavar="NAME", help="the setting that changes: r or window")
            one.add_argument("--values", required=True, nargs="+", metavar="VALUE")
    one = commands.add_parser("tables", help="write experiments/results, and the tables of README.md")
    one.set_defaults(command=_tables)
    one.add_argument("results", nargs="*", type=Path, metavar="RESULTS")
    one.add_argument("--into", type=Path, default=pages.EXPERIMENTS, help="folder of the CSV files")
    return parser


def _run(given: argparse.Namespace) -> None:
    _all(given, [tuple(given.set)], given.out)


def _sweep(given: argparse.Namespace) -> None:
    if RULES in given.models.split(","):
        raise ScoreError(f"{RULES}: nothing can be set there; leave {RULES} out of --models")
    _all(given, [(*given.set, f"{given.over}={value}") for value in given.values], given.out / SWEEP, given.over)


def _all(given: argparse.Namespace, settings: Sequence[Sequence[str]], out: Path, swept: str = "") -> None:
    """Every model with every choice of settings and every seed, all seeds of the first before the next."""
    if given.seeds < 1 or given.threads < 1:
        raise ScoreError("--seeds, --threads: must be at least 1")
    models = [name.strip().replace("_", "-") for name in given.models.split(",") if name.strip()]
    wanted = [(model, options) for model in models for options in map(_chosen(model), settings)]
    began = time.perf_counter()
    corpus = corpus_named(given.corpus, given.notes, given.per_patient)
    _say(f"{corpus.name}: {len(corpus.train):,} notes to learn from, {len(corpus.test):,} to measure, ", began)
    jobs = [job for model, options in wanted for job in _jobs(corpus, model, options, given.seeds, swept)]
    for at, job in enumerate(jobs, start=1):
        began = time.perf_counter()
        file = run(job, out, given.threads, keep=given.keep)
        f1 = result(file)["figures"]
        scores = ", ".join(f"{level} {f1[level]['f1']:.4f}" for level in LEVELS)
        told = "".join(f" {name}={value}" for name, value in job.options.items())
        _say(f"{at} of {len(jobs)}: {job.model}{told}, seed {job.seed}: F1 {scores}, ", began)


def _chosen(model: str) -> Any:
    """What reads NAME=VALUE for a model; refused before notes are read."""
    if model == RULES:
        return lambda _: {}  # nothing can be set
    there = of_preset(preset_function(model))
    return lambda given: chosen(given, there, model)


def _jobs(corpus: Corpus, model: str, options: dict[str, Any], seeds: int, swept: str) -> Iterator[Job]:
    """A job for each seed; one for what draws no random numbers."""
    first = Job(corpus, model, options, swept=swept)
    yield first
    if not first.fixed():
        yield from (Job(corpus, model, options, seed, swept) for seed in range(1, seeds))


def _say(text: str, began: float) -> None:
    print(f"{text}{time.perf_counter() - began:.0f} s", flush=True)


def _tables(given: argparse.Namespace) -> None:
    for folder in given.results:
        if not folder.is_dir():
            raise ScoreError(f"{folder}: no such folder of results; give the --out of `run`")
    every = [each for folder in given.results for each in results(folder)]
    swept = [each for folder in given.results for each in results(folder / SWEEP)]
    for file in neural_tables.write(every, swept, given.into):
        print(f"wrote {file}")
        place = file.name if file.suffix == ".svg" else f"<!-- table: {file.stem}"
        if given.into == pages.EXPERIMENTS and not re.search(rf"{re.escape(place)}\b(?!-)", PAGE.read_text("utf-8")):
            print(f"  {PAGE.name} does not show it yet: give it a place ({place} …)")
    if given.into == pages.EXPERIMENTS:
        PAGE.write_text(pages.rendered(PAGE), "utf-8")


if __name__ == "__main__":
    main()
