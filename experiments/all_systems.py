"""All systems on the same notes, classical to encoder, with what each costs: F1, leak, speed, size, training time.

    python experiments/all_systems.py [CORPUS] [--data PATH] [--only NAME ...] [--set base=FOLDER] [--out FILE.csv]

CORPUS is one of the corpora of `elision paper` (default: i2b2-2014). Its notes are made, unless --data names real
ones. Each system is trained on the same notes and tried on the same others. Rules, and the models that come with
elision, learn nothing here; these have learnt hand-written notes and made ones.

F1 is strict, with its 95 % interval over notes. Leak is the share of identifiers of which anything is not masked,
whatever the label. Tokens are elision's. Speed is of the first time that a system sees these notes, after some others.
Training time is of the processor. It prints a Markdown table, line by line, and --out keeps it as CSV. Systems that
FILE.csv has already are not made again, so the same command goes on after a stop. A system that cannot be made, such as
one whose part of elision is not installed, is left out, and told. The encoder needs pre-trained weights: `--set base=…`
names the folder that `experiments/encoder.py base` wrote. What else is set of it stands beside its name. --quick takes
few notes and few iterations, to see that it works, and the encoder only if --only names it.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import elision
from elision.cli.choices import chosen, of_settings
from elision.detect.base import Detector
from elision.detect.defaults import detectors_for
from elision.document import Document, Span
from elision.errors import ElisionError
from elision.evaluate.measures import count, measures
from elision.evaluate.stats import intervals
from elision.formats import Reading, guess, read
from elision.formats.atomic import writing
from elision.labels import mapping, tag_set
from elision.merge import merge
from elision.papers.presets import ZUCCON_BEST
from elision.papers.studies.catalogue import STUDIES
from elision.papers.studies.notes import fewer, given, made
from elision.papers.studies.study import TEST, TRAIN, Corpus, Part, Run
from elision.papers.studies.systems import RULES, in_one_thread, settings_of
from elision.rules import shipped_rules
from elision.taggers import store
from elision.taggers.encoder.settings import EncoderSettings
from elision.text.tokens import tokenize

HEAD = ("system", "F1", "low", "high", "precision", "recall", "leak", "tokens/s", "MB", "training seconds")
NOTES = "notes"  # the last column of the CSV: which notes, seed and version a row is of
ENCODER = "encoder"
LEARNERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "Cotik 2019 window": ("cotik2019-window", {"vectors": True}),
    "Cotik 2019 CRF": ("cotik2019-crf", {}),
    "He 2015": ("he2015", {}),
    "Zuccon 2013": ("zuccon2013", {"families": ZUCCON_BEST}),
    "Liu 2015": ("liu2015", {}),
    "Bi-LSTM (Zhao 2018)": ("bi-lstm", {}),
    "Bi-GRU (Zhao 2018)": ("bi-gru", {}),
    "TS-GRU (Zhao 2018)": ("ts-gru", {}),
    "BiLSTM-CRF (Trienes 2020)": ("bilstm-crf", {}),
    "elision-fast": ("elision-fast", {}),
    "elision-best": ("elision-best", {}),
    ENCODER: ("encoder", {}),
}
LISTS = {"nl": ("like DEDUCE (Menger 2018)", "menger2018"), "zh": ("rules (Zhao 2018)", "zhao2018-rules")}
SHIPPED = {"elision as it comes, fast": "fast", "elision as it comes, balanced": "balanced"}
RULES_ALONE = "elision's rules"
WARM = 20  # notes that a system sees before the clock runs

Tags = Callable[[Sequence[Document]], list[tuple[Span, ...]]]


class System(NamedTuple):
    """What tags notes, its size in megabytes, and how long it learnt; None where it learnt nothing."""

    tags: Tags
    size: float | None = None
    seconds: float | None = None


def main(arguments: Sequence[str] | None = None) -> None:
    given_ = _arguments(arguments)
    corpus = corpora()[given_.corpus]
    train, test = notes_of(corpus, given_.data, given_.seed, quick=given_.quick)
    names = given_.only or [name for name in systems_for(corpus.language) if not given_.quick or name != ENCODER]
    print(
        f"{corpus.name}: trained on {len(train):,} notes, tried on {len(test):,}; seed {given_.seed}; elision "
        f"{elision.__version__}\n\n| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}"
    )
    about = about_notes(corpus, train, test, given_.seed, quick=given_.quick)
    rows = _kept(given_.out)
    there = {row[0]: row for row in rows if row[-1] == about}
    for name in names:
        shown = ", ".join([name, *(one for one in given_.set if name == ENCODER and not one.startswith("base="))])
        if shown in there:
            print(f"| {' | '.join(there[shown][:-1])} |", flush=True)
            continue
        try:
            more = chosen(given_.set, of_settings(EncoderSettings), ENCODER) if name == ENCODER else {}
            system = system_named(name, corpus, train, given_.seed, quick=given_.quick, more=more)
        except ElisionError as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            continue
        rows.append((shown, *figures(system, train[:WARM], test, given_.seed), about))
        print(f"| {' | '.join(rows[-1][:-1])} |", flush=True)
        if given_.out:
            _keep(given_.out, rows)


def about_notes(corpus: Corpus, train: Sequence[Document], test: Sequence[Document], seed: int, *, quick: bool) -> str:
    """What decides a row beside its system; no word of a note."""
    notes = [[note.id, note.text, [[s.start, s.end, s.label] for s in note.spans]] for note in (*train, *test)]
    digest = hashlib.sha256(json.dumps(notes).encode()).hexdigest()[:12]
    how = ", quick" if quick else ""
    return f"{corpus.name} {len(train)} + {len(test)} {digest}, seed {seed}, elision {elision.__version__}{how}"


def _kept(out: Path | None) -> list[tuple[str, ...]]:
    """The rows that an earlier command left."""
    if out is None or not out.exists():
        return []
    with out.open(encoding="utf-8", newline="") as stream:
        return list(map(tuple, csv.reader(stream)))[1:]


def _keep(out: Path, rows: Sequence[tuple[str, ...]]) -> None:
    with writing(out) as stream:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([(*HEAD, NOTES), *rows])
        stream.write(text.getvalue().encode())


def corpora() -> dict[str, Corpus]:
    """The corpora of all papers by name; the first of a name."""
    found: dict[str, Corpus] = {}
    for study in STUDIES.values():
        for corpus in study.corpora:
            found.setdefault(corpus.name, corpus)
    return found


def systems_for(language: str) -> list[str]:
    """The systems for a language, from rules to the encoder."""
    lists = [LISTS[language][0]] if language in LISTS else []
    return [*lists, RULES_ALONE, *LEARNERS, *SHIPPED]


def notes_of(
    corpus: Corpus, data: Path | None, seed: int, *, quick: bool
) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Notes to train on and to test on."""
    if data is None:
        split = made(corpus, seed, quick=quick)[0]
    else:
        split = given(corpus, data, _read, seed)
        split = fewer(split, corpus, seed) if quick else split
    return split[TRAIN], split[TEST]


def _read(path: Path) -> tuple[str, list[Document]]:
    format, _ = guess(path)
    return format.tag_set, list(read(path, format, Reading()))


def system_named(
    name: str,
    corpus: Corpus,
    train: Sequence[Document],
    seed: int,
    *,
    quick: bool,
    more: Mapping[str, Any] | None = None,
) -> System:
    """A system, trained on these notes where it learns; `more` is set beside what its row of LEARNERS says."""
    language = corpus.language
    if name in LEARNERS:
        preset, options = LEARNERS[name]
        run = Run(name, preset, Part(corpus.name, TRAIN), Part(corpus.name, TEST), {**options, **(more or {})})
        settings = settings_of(run, language, train, seed, quick=quick)
        if settings.kind != "linear":
            in_one_thread()
        begin = time.process_time()
        tagger = store.fit(settings, train)
        seconds = time.process_time() - begin
        with tempfile.TemporaryDirectory() as folder:
            size = tagger.save(Path(folder) / "model") / 1e6
        return System(lambda notes: [tuple(spans) for spans in tagger.detect(notes)], size, seconds)
    if name in SHIPPED:
        detectors = detectors_for(language, effort=SHIPPED[name])
    else:
        detectors = [shipped_rules(language) if name == RULES_ALONE else RULES[LISTS[language][1]]()]
    return System(_with_labels(detectors, corpus.labels))


def _with_labels(detectors: Sequence[Detector], labels: str) -> Tags:
    """What these detectors find together, with the labels of the corpus."""
    ways = mapping(tag_set("canonical"), tag_set(labels))

    def tags(notes: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = [detector.detect(notes) for detector in detectors]
        together = (merge(span for spans in each for span in spans) for each in zip(*found, strict=True))
        return [
            tuple(replace(span, label=ways[span.label].label) for span in spans if span.label in ways)
            for spans in together
        ]

    return tags


def figures(system: System, others: Sequence[Document], test: Sequence[Document], seed: int) -> tuple[str, ...]:
    """The figures of a system on these notes, as they stand in the table."""
    system.tags([note.with_spans(()) for note in others])
    bare = [note.with_spans(()) for note in test]
    begin = time.perf_counter()
    found = system.tags(bare)
    seconds = time.perf_counter() - begin
    tokens = sum(len(tokenize(note.text, note.language)) for note in test)
    pairs = [(note, note.with_spans(spans)) for note, spans in zip(test, found, strict=True)]
    by_name = {measure.name: measure for measure in measures(count(pairs))}
    f1 = intervals([by_name["strict.f1"]], replicates=1_000, seed=seed)["strict.f1"]
    shares = (f1.value, f1.low, f1.high, *(by_name[each].value for each in ("strict.precision", "strict.recall")))
    leak = by_name["leaked_spans"].value
    return (
        *("" if share is None else f"{share:.4f}" for share in (*shares, leak)),
        f"{tokens / seconds:,.0f}",
        "" if system.size is None else f"{system.size:.2f}",
        "" if system.seconds is None else f"{system.seconds:.0f}",
    )


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", default="i2b2-2014", choices=sorted(corpora()))
    parser.add_argument("--data", type=Path, help="real notes, as for elision paper --data")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="else all for the language of the corpus")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the encoder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, metavar="FILE.csv")
    asked = parser.parse_args(arguments)
    known = systems_for(corpora()[asked.corpus].language)
    if unknown := sorted(set(asked.only or ()) - set(known)):
        parser.error(f"--only {unknown[0][:40]}: there are: {', '.join(known)}")
    if (
        asked.out
        and asked.out.exists()
        and not asked.out.read_text("utf-8").startswith(",".join((*HEAD, NOTES)) + "\n")
    ):
        parser.error(f"--out {asked.out}: is there already, and no table of this program; choose another name")
    return asked


if __name__ == "__main__":
    main()
