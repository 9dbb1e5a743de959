"""Tables of the papers' neural systems from the files of results: means over seeds, beside what is published.

Systems are tested against the paper's own by approximate randomisation (9,999 shuffles, two-sided, paired): the seeds
that both have are pooled, and what is swapped is all of a patient's notes, or a note of nobody known. A system that
draws no random numbers stands as it is beside each seed of the other.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from elision.errors import ScoreError
from elision.evaluate import tally
from elision.evaluate.measures import Measure
from elision.evaluate.stats import randomisation
from elision.evaluate.tally import Floats
from elision.papers.studies.line_chart import Line, chart
from experiments.neural_corpora import DUTCH, MADE, NAMES, USUAL_R
from experiments.neural_published import Published, published
from experiments.neural_runs import LEVELS

Result = Mapping[str, Any]
Runs = Mapping[tuple[str, str], Sequence[Result]]  # by corpus and system
Row = dict[str, str]
MEASURES = ("precision", "recall", "f1")
SHUFFLES = 9_999
ORDER = ("ts-gru", "bi-gru", "bi-lstm", "bilstm-crf", "elision-fast", "elision-best", "liu2015", "rules")
SWEPT = ("r", "window")


def system_of(result: Result) -> str:
    """The model with what was set that is not usual for the corpus."""
    key = result["key"]
    usual = {"r": MADE[key["corpus"]].r if key["corpus"] in MADE else USUAL_R} if key["model"] == "ts-gru" else {}
    told = [f"{name}={value}" for name, value in key["options"].items() if usual.get(name) != value]
    return ", ".join([key["model"], *told])


def grouped(results: Iterable[Result]) -> Runs:
    """Results by corpus and system, in the order of tables, each of a seed; all of a corpus on the same notes."""
    found: dict[tuple[str, str], dict[int, Result]] = defaultdict(dict)
    notes: dict[str, Any] = {}
    for result in results:
        key = result["key"]
        if notes.setdefault(key["corpus"], key["notes"]) != key["notes"]:
            raise ScoreError(f"{key['corpus']}: results on other notes of this name; keep each in a folder of its own")
        seeds = found[key["corpus"], system_of(result)]
        if key["seed"] in seeds:
            raise ScoreError(f"{key['corpus']}, {system_of(result)}: seed {key['seed']} is there twice; remove one")
        seeds[key["seed"]] = result
    return {name: [found[name][seed] for seed in sorted(found[name])] for name in sorted(found, key=_place)}


def _place(name: tuple[str, str]) -> tuple[int, int, str]:
    corpus, system = name
    model = system.partition(",")[0]
    return NAMES.index(corpus), ORDER.index(model) if model in ORDER else len(ORDER), system


def score_rows(runs: Runs, reference: str = "ts-gru") -> Iterator[Row]:
    """A row for each corpus, system and level, those that are published only, too."""
    printed = published()
    names = sorted({*runs, *((corpus, system) for corpus, system, _ in printed)}, key=_place)
    for corpus, system in names:
        for level in LEVELS:
            theirs = printed.get((corpus, system, level), Published(""))
            ours = runs.get((corpus, system), ())
            if ours or theirs.on:
                p = _p(runs.get((corpus, reference), ()), ours, level) if system != reference else ""
                yield {
                    "corpus": corpus, "system": system, "level": level, **_means(ours, level),
                    f"p against {reference}": p,
                    "published on": theirs.on, "published precision": theirs.precision,
                    "published recall": theirs.recall, "published F1": theirs.f1, **_times(ours),
                }  # fmt: skip


def _means(runs: Sequence[Result], level: str) -> Row:
    values = [[run["figures"][level][name] for run in runs] for name in MEASURES]
    precision, recall, f1 = (_figure(each) for each in values)
    low, high = (f"{end(values[2]):.4f}" if runs else "" for end in (min, max))
    seeds = str(len(runs) or "")
    return {"precision": precision, "recall": recall, "F1": f1, "F1 low": low, "F1 high": high, "seeds": seeds}


def _times(runs: Sequence[Result]) -> Row:
    if not runs:
        return {"minutes": "", "printed": ""}
    return {
        "minutes": f"{mean(run['seconds']['learn'] for run in runs) / 60:.1f}",
        "printed": max(run["printed"] for run in runs),
    }


def _figure(values: Sequence[float]) -> str:
    return f"{mean(values):.4f}" if values else ""


def _p(reference: Sequence[Result], runs: Sequence[Result], level: str) -> str:
    """How often systems that differ only by chance would differ as much in F1."""
    both = list(_both(reference, runs))
    if not both:
        return ""
    a, b = (Measure(level, _pooled([pair[at] for pair in both], level), tally.f1) for at in (0, 1))
    return f"{randomisation([a], [b], SHUFFLES, np.random.default_rng(0))[0]:.4f}"


def _both(a: Sequence[Result], b: Sequence[Result]) -> Iterator[tuple[Result, Result]]:
    """Runs of two systems by seed."""
    if not a or not b:
        return
    by_seed = [{run["key"]["seed"]: run for run in runs} for runs in (a, b)]
    fixed = [runs[0] if runs[0]["fixed"] else None for runs in (a, b)]
    for seed in sorted({*by_seed[0], *by_seed[1]}):
        first, second = (runs.get(seed, one) for runs, one in zip(by_seed, fixed, strict=True))
        if first and second:
            yield first, second


def _pooled(runs: Sequence[Result], level: str) -> Floats:
    """The counts of all runs together, a row for each patient."""
    patients = runs[0]["patients"]
    place = {name: at for at, name in enumerate(dict.fromkeys(patients))}
    sums = np.zeros((len(place), 4))
    for run in runs:
        np.add.at(sums, [place[name] for name in run["patients"]], np.array(run["counts"][level], np.float64))
    return sums


def category_rows(runs: Runs) -> Iterator[Row]:
    """Tokens by category, as in Figures 7 to 9 of Zhao 2018."""
    for (corpus, system), ours in runs.items():
        for label in dict.fromkeys(label for run in ours for label in run["categories"]):
            rows = [run["categories"][label] for run in ours if label in run["categories"]]
            if gold := rows[0]["gold"]:
                figures = {name: _figure([row[name] for row in rows]) for name in MEASURES}
                yield {
                    "corpus": corpus, "system": system, "category": label, "gold tokens": str(gold),
                    "precision": figures["precision"], "recall": figures["recall"], "F1": figures["f1"],
                }  # fmt: skip


def sweep_rows(results: Iterable[Result]) -> list[Row]:
    """One setting after the other, as in Figures 5 and 6; the setting that changes is named in each result."""
    points: dict[tuple[str, str, str, float], list[Result]] = defaultdict(list)
    for result in results:
        over, key = result["swept"], result["key"]
        points[key["corpus"], key["model"], over, key["options"][over]].append(result)
    rows = []
    for (corpus, model, over, value), runs in sorted(points.items()):
        binary, entity = _means(runs, "binary token"), _means(runs, "entity")
        rows.append({
            "corpus": corpus, "system": model, "setting": over, "value": f"{value:g}", "seeds": str(len(runs)),
            "precision": binary["precision"], "recall": binary["recall"], "F1": binary["F1"],
            "entity F1": entity["F1"], "printed": _times(runs)["printed"],
        })  # fmt: skip
    return rows


def sweep_charts(rows: Sequence[Row]) -> dict[str, str]:
    """A picture for each corpus, system and setting, by the name of its file."""
    found = {}
    for corpus, system, over in dict.fromkeys((row["corpus"], row["system"], row["setting"]) for row in rows):
        own = [row for row in rows if (row["corpus"], row["system"], row["setting"]) == (corpus, system, over)]
        lines = [
            Line(name, [(float(row["value"]), float(row[name])) for row in own])
            for name in ("precision", "recall", "F1", "entity F1")
        ]
        title = f"{system} on {corpus}: binary tokens, and F1 of entities, by {over}"
        found[f"neural-{over}-{corpus}-{system}.svg"] = chart(title, over, lines)
    return found


def with_others(rows: Sequence[Row], before: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """The rows, and those that stand in the table already and are not made again; in the order of tables.

    A row is told from others by what stands under `names`. What is published only takes no place of a figure of ours.
    """
    found = {tuple(row[name] for name in names): row for row in before}
    for row in rows:
        place = tuple(row[name] for name in names)
        if row.get("F1") or place not in found:
            found[place] = row
    return sorted(found.values(), key=_order)


def _order(row: Row) -> tuple[Any, ...]:
    return _place((row["corpus"], row["system"])), row.get("setting", ""), float(row.get("value", 0))


def _rows(file: Path) -> list[Row]:
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def write(results: Sequence[Result], swept: Sequence[Result], folder: Path) -> list[Path]:
    """All tables and pictures of these results, beside the rows of others that stand there; the files written."""
    runs = grouped(results)
    dutch = {name: ours for name, ours in runs.items() if name[0] == DUTCH}
    others = {name: ours for name, ours in runs.items() if name[0] != DUTCH}
    tables = {
        "neural": ([row for row in score_rows(others) if row["corpus"] != DUTCH], ("level",)),
        "neural-dutch": ([row for row in score_rows(dutch, "bilstm-crf") if row["corpus"] == DUTCH], ("level",)),
        "neural-categories": (list(category_rows(others)), ("category",)),
        "neural-sweep": (sweep_rows(swept), ("setting", "value")),
    }
    written = []
    for name, (rows, told) in tables.items():
        if rows:
            file = folder / f"{name}.csv"
            both = with_others(rows, _rows(file), ("corpus", "system", *told))
            with file.open("w", encoding="utf-8", newline="") as out:
                writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(both)
            written.append(file)
            for picture, drawn in sweep_charts(both).items() if name == "neural-sweep" else ():
                (folder / picture).write_text(drawn, "utf-8")
                written.append(folder / picture)
    return written
