"""The models that come with elision: learn them, and measure them on notes held out by construction.

    python experiments/packs.py train [--language en ...] [--preset elision-fast] [--notes 3000] [--without ...]
    python experiments/packs.py score [--language en ...] [--models FOLDER] [--notes 400] [--systems rules ...]
        [--dial 1]
    python experiments/packs.py groups [--language en ...] [--models FOLDER] [--notes 2000] [--least 100]
    python experiments/packs.py false-positives [--models FOLDER] [--dial 1]

All need only public data. `train` learns from made notes of the training side, if a language has grammars, from notes
that people wrote who knew neither rules nor grammars (`notes`; each also with other people's values), for English also
from clinical text of others with invented people put in, and for Spanish from MEDDOCAN's train and dev parts
(--corpora, default ../shared/corpora). For ablations, --without synth, written (the whole notes among the made ones),
hand, carriers, meddocan, rules, pos (parts of speech), groups (of like words) or listed (names and places in public
lists) leaves a part out, and lexicons the lists of names, towns, professions and the like that rules look words up in,
here and in `score` (there are no other lexicons in elision-fast). --spanish-train leaves MEDDOCAN's dev out, to measure
on it, and --left-out 0 to 3 a quarter of the notes by hand, on which `score` with the same option then measures:
choices are made by these, as they may be read.

`score` measures rules, taggers, and both as a run has them, on sources that share nothing with training: made notes of
the held-out side (other grammars, written in another manner, and other lists of names), other carriers with other
people in them, more notes by hand, of which nobody has read a word (`notes/*-unseen.jsonl`; `*-unseen-dense`, full of
what models miss; `*-unseen-records`, whole records as institutions make them; `*-unseen-long`, long ones, clinical for
the most part: only their figures are read, and nothing is chosen by these, except that what was masked too much in
the lot of long ones was looked at once; --without hand adds those that can be learnt from, for a model that has not),
the hand-written example notes, and MEDDOCAN's dev part for a model that did not learn from it. Shown with 95 %
intervals over notes: recall and precision of characters whatever the label, strict F1 by parent label, notes without a
leak.

`groups` tells the share of names that the default finds to the last character, by where a name comes from, whose it is
and how long it is, in made notes of the held-out side; groups of fewer than --least names in a language stay out.

`false-positives` tells how many names and numbers of people the default marks in text without any: E3C, English.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import elision
from benchmarks.peers.yardstick import EITHER
from elision.detect.base import Detector
from elision.detect.defaults import SURE_RULES
from elision.detect.rule_gate import RuleGate
from elision.document import Document, Span
from elision.errors import HeldError
from elision.evaluate import Options, evaluate
from elision.formats import Remarks, read
from elision.labels import map_labels, mapping, parent, tag_set
from elision.languages import base
from elision.languages.groups import grouped
from elision.languages.synth_data import language_named, languages_made
from elision.languages.synth_lists import HELD_OUT, TRAIN
from elision.merge import merge, tidy
from elision.pipeline import Deidentifier
from elision.rules import Rules, Sure, shipped_rules
from elision.synth.breakdown import GROUPS, Row, recall_by
from elision.synth.inject import Injector
from elision.synth.learning import made, with_others
from elision.taggers.base import Tagger
from elision.taggers.experiment import Experiment, train
from elision.taggers.linear.kind import load
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.presets import preset
from elision.text.tokens import tokenize
from experiments.handwritten import TRAIN as LEARNT
from experiments.handwritten import UNSEEN, handwritten

HERE = Path(__file__).resolve().parent
CORPORA = HERE.parents[1] / "shared" / "corpora"
ATTRIBUTION = {
    "en": "learnt in part from aci-bench, MTS-Dialog and E3C (CC BY 4.0; see NOTICE), with invented people put in",
    "es": "learnt in part from SPACCC_MEDDOCAN (CC BY 4.0, Secretaría de Estado para el Avance Digital; see NOTICE)",
}
EXAMPLES = HERE.parent / "examples" / "notes" / "gold"
PARTS = ("synth", "written", "hand", "carriers", "meddocan", "rules", "lexicons", "pos", "groups", "listed")
LATIN = ("en", "es", "nl")  # in Chinese, parts of speech of characters help nothing
QUARTERS = 4
COPIES = 5  # of each note by hand, with other people's values
DIALS = {"en": 0.1, "es": 0.1, "nl": 0.2, "zh": 0.1}  # below the preset's: what is found last is more often right
LITTLE = frozenset(("SEX", "FAMILY_RELATION"))
NO_WORD = "\ue000"  # stands in no note


@contextmanager
def lexicons(*, there: bool) -> Iterator[None]:
    """Packs of rules that are read inside have their files of words, or, if not `there`, empty ones in their place."""
    if there:
        yield
        return
    shipped = base.HERE
    with tempfile.TemporaryDirectory() as folder:
        base.HERE = Path(folder) / shipped.name
        shutil.copytree(shipped, base.HERE)
        for file in base.HERE.glob("*/rules/*.txt"):
            file.write_text(NO_WORD, "utf-8")
        shipped_rules.cache_clear()
        try:
            yield
        finally:
            base.HERE = shipped
            shipped_rules.cache_clear()


def meddocan(corpora: Path, *parts: str) -> list[Document]:
    """Notes of MEDDOCAN with our labels."""
    ways = mapping(tag_set("meddocan"), tag_set("canonical"))
    folder = corpora / "meddocan"
    return [map_labels(replace(note, language="es"), ways) for part in parts for note in read(folder / part, "brat")]


def training(language: str, given: argparse.Namespace) -> list[Document]:
    without = set(given.without)
    written = "written" not in without
    notes = made(language, given.notes, TRAIN, given.seed, written=written) if _is_made(language, given) else []
    if language == "es" and "meddocan" not in without:
        notes += meddocan(given.corpora, "train", *(() if given.spanish_train else ("dev",)))
    if language == "en" and "carriers" not in without:
        notes += injected(given.corpora, TRAIN, given.seed)
    if "hand" not in without:
        notes += with_others(dated(quarter(language, given.left_out, inside=False)), COPIES, given.seed)
    return notes


def _is_made(language: str, given: argparse.Namespace) -> bool:
    """Whether notes are made in a language, and are wanted."""
    return language in languages_made() and "synth" not in given.without


def carriers(corpora: Path, side: str) -> Iterator[Document]:
    """Clinical text of others, without anything about people or with the names of both in `known`; each source, and
    each half of E3C, is on one side."""
    if side == TRAIN:
        people = {
            row["encounter_id"]: row
            for row in csv.DictReader((corpora / "aci-bench/train_metadata.csv").open(encoding="utf-8"))
        }
        for row in csv.DictReader((corpora / "aci-bench/train.csv").open(encoding="utf-8")):
            who = people.get(row["encounter_id"], {})
            patient = f"{who.get('patient_firstname') or ''} {who.get('patient_familyname') or ''}".strip()
            known = {"name": (patient,), "doctor": (who.get("doctor_name") or "",)}
            known = {kind: values for kind, values in known.items() if values != ("",)}
            yield Document(row["note"], f"aci-{row['encounter_id']}", language="en", known=known)
        for row in csv.DictReader((corpora / "mts-dialog/MTS-Dialog-TrainingSet.csv").open(encoding="utf-8")):
            yield Document(row["section_text"], f"mts-{row['ID']}", language="en")
    else:
        for file in sorted((corpora / "primock57/notes").glob("*.json")):
            yield Document(json.loads(file.read_text("utf-8"))["note"], f"primock-{file.stem}", language="en")
    for number, line in enumerate((corpora / "e3c-en/notes.jsonl").read_text("utf-8").splitlines()):
        if (number % 2 == 0) == (side == TRAIN):
            yield Document(json.loads(line)["text"], f"e3c-{number}", language="en")


def injected(corpora: Path, side: str, seed: int) -> list[Document]:
    """Carriers with our people put in."""
    return list(Injector(seed, side, "en")(carriers(corpora, side), Remarks()))


def sources(language: str, given: argparse.Namespace) -> Iterator[tuple[str, list[Document]]]:
    if language in languages_made():
        yield "generated", made(language, given.notes, HELD_OUT, given.seed + 1)
    if language == "en" and given.corpora.is_dir():
        yield "carriers", injected(given.corpora, HELD_OUT, given.seed + 1)[: 2 * given.notes]
    if "hand" in given.without:
        yield "hand-written (training set)", by_hand(language)
    elif given.left_out is not None:
        yield "hand-written (left out)", quarter(language, given.left_out, inside=True)
    for split in UNSEEN:
        yield f"hand-written {split.removeprefix('unseen').removeprefix('-')}".rstrip(), by_hand(language, split)
    if (EXAMPLES / language).is_dir():
        yield "examples", [replace(note, language=language) for note in read(EXAMPLES / language, "brat")]
    if language == "es" and (given.corpora / "meddocan" / "dev").is_dir():
        yield "MEDDOCAN dev", meddocan(given.corpora, "dev")


def by_hand(language: str, split: str = LEARNT) -> list[Document]:
    """As those have them who know nothing of the patient."""
    return [replace(note, known={}) for note in handwritten(language, split)]


def quarter(language: str, which: int | None, *, inside: bool) -> list[Document]:
    """Notes by hand that may be read: those of a quarter of them, or the others."""
    notes = by_hand(language)
    return [note for at, note in enumerate(notes) if (at % QUARTERS == which) == inside]


def dated(notes: Sequence[Document]) -> list[Document]:
    """Notes with years, weekdays and feasts as dates, as i2b2 2014 and MEDDOCAN have them."""
    return [
        note.with_spans(replace(span, label="DATE") if span.label == EITHER else span for span in note.spans)
        for note in notes
    ]


def comparable(gold: Sequence[Document], system: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    """Both sides without what counts neither way in notes by hand: what may be masked or not, and words of family and
    sex, which say little and are labelled in some Spanish ones only. Of "Monday 3 May" the day is left."""
    told = [note.with_spans(span for span in note.spans if span.label not in (EITHER, *LITTLE)) for note in gold]
    found = [
        note.with_spans(
            piece
            for span in note.spans
            if span.label not in LITTLE
            for piece in _outside(span, [one for one in marked.spans if one.label == EITHER], note.text)
        )
        for note, marked in zip(system, gold, strict=True)
    ]
    return told, found


def _outside(span: Span, open_: Sequence[Span], text: str) -> Iterator[Span]:
    """What of a span lies outside of the others, without blanks and marks where it was cut."""
    touched = [one for one in open_ if one.start < span.end and span.start < one.end]
    starts, ends = [span.start, *(one.end for one in touched)], [*(one.start for one in touched), span.end]
    for start, end in zip(starts, ends, strict=True):
        letters = [at for at in range(start, end) if text[at].isalnum()]
        if not touched:
            yield span
        elif letters:
            yield replace(span, start=letters[0], end=letters[-1] + 1)


def by_parent(notes: Sequence[Document]) -> list[Document]:
    return [note.with_spans(replace(span, label=parent(span.label)) for span in note.spans) for note in notes]


def found(detectors: Sequence[Detector], notes: Sequence[Document], *, memory: bool) -> list[Document]:
    """What detectors find together, each note a patient's only one; with `memory`, all that a run replaces, with what
    the sweep adds."""
    bare = [replace(note, spans=(), patient="") for note in notes]
    deidentifier = Deidentifier(detectors, memory=memory)
    each = deidentifier.detect(bare)
    each = deidentifier.remember(bare, each) if memory else each
    return [
        deidentifier.settled(note, spans).document if memory else note.with_spans(tidy(note.text, merge(spans)))
        for note, spans in zip(bare, each, strict=True)
        if not isinstance(spans, HeldError)
    ]


def learn(given: argparse.Namespace) -> None:
    for language in given.language:
        begin = time.perf_counter()
        notes = training(language, given)
        settings = preset(given.preset, language=language, rules="rules" not in given.without, **_more(language, given))
        plan = Experiment(share=0.04, final=False)
        tagger = train(notes, settings, plan=plan)
        data = {
            "command": _command(language, given),
            "made": dict(language_named(language).mixture) if _is_made(language, given) else {},
            "notes": len(notes), "seed": given.seed,
            "attribution": ATTRIBUTION.get(language, ""),
        }  # fmt: skip
        tagger = tagger.noting(data=data)
        size = tagger.save(given.out / language / "model", overwrite=True)
        dev = tagger.card["dev"]
        print(
            f"{language}: {len(notes):,} notes, {time.perf_counter() - begin:.0f} s, {size / 1e6:.2f} MB, "
            f"on notes like those learnt from: F1 {dev['strict_f1']:.4f}, characters {dev['character_recall']:.4f}",
            flush=True,
        )


def _more(language: str, given: argparse.Namespace) -> dict[str, Any]:
    """Groups of words and parts of speech, where they help; the larger preset has these anyway."""
    more: dict[str, Any] = {"groups": language in grouped() and "groups" not in given.without}
    if more["groups"] and language in DIALS:
        more["dial"] = DIALS[language]
    if given.preset == "elision-fast":
        more["pos"] = language in LATIN and "pos" not in given.without
        more["listed"] = language in LATIN and "listed" not in given.without
    return more


def _command(language: str, given: argparse.Namespace) -> str:
    """What makes this model again, without where it was put."""
    words = ["python experiments/packs.py train", f"--language {language}", f"--preset {given.preset}"]
    words += [f"--notes {given.notes}", f"--seed {given.seed}"]
    words += [f"--without {' '.join(given.without)}"] if given.without else []
    words += [f"--left-out {given.left_out}"] if given.left_out is not None else []
    return " ".join([*words, *(["--spanish-train"] if given.spanish_train else [])])


def tagger_of(language: str, given: argparse.Namespace) -> LinearTagger:
    tagger = load(given.models / language / "model")
    return tagger.dialled(given.dial) if given.dial else tagger


def default_of(language: str, tagger: Tagger) -> list[Detector]:
    """What a run has for a language."""
    return [RuleGate(Sure(shipped_rules(language), SURE_RULES), tagger)]


def score(given: argparse.Namespace) -> None:
    print(f"elision {elision.__version__}, seed {given.seed}\n")
    print("| language | notes of | system | notes | recall | precision | strict F1 | notes clean |")
    print("|---|---|---|---|---|---|---|---|")
    for language in given.language:
        rules = Rules(language)
        systems: dict[str, list[Detector]] = {"rules": [rules]}
        if (given.models / language / "model").is_dir():
            tagger = tagger_of(language, given)
            systems |= {"tagger": [tagger], "default": default_of(language, tagger)}
        for source, notes in sources(language, given):
            for name in given.systems:
                if name not in systems:
                    continue
                system = found(systems[name], notes, memory=name == "default")
                row = " | ".join(cells(notes, system, by_hand=source.startswith("hand-written")))
                print(f"| {language} | {source} | {name} | {len(notes)} | {row} |", flush=True)


def cells(notes: Sequence[Document], system: Sequence[Document], *, by_hand: bool) -> list[str]:
    """What a system is worth, with intervals."""
    out = {note.id for note in system}
    gold = [note for note in notes if note.id in out]  # what is held is neither found nor leaked
    if by_hand:
        gold, system = comparable(gold, system)
    figures = evaluate(by_parent(gold), by_parent(system), Options(replicates=500, shuffles=0)).figures
    return [
        f"{100 * each.value:.1f} ({100 * (each.low or 0):.1f}–{100 * (each.high or 1):.1f})"
        for each in (figures[key] for key in ("character.recall", "character.precision", "strict.f1", "clean_notes"))
    ]


def groups(given: argparse.Namespace) -> None:
    """A row for each group, those with the lowest share first; a column for each language."""
    print(f"elision {elision.__version__}, {given.notes:,} made notes a language, held out, seed {given.seed}\n")
    rows: dict[tuple[str, str], dict[str, Row]] = {}
    for language in [each for each in given.language if each in languages_made()]:
        notes = made(language, given.notes, HELD_OUT, given.seed + 1)
        detectors = default_of(language, tagger_of(language, given))
        system = {note.id: note for note in found(detectors, notes, memory=True)}
        pairs = [(note, system[note.id]) for note in notes if note.id in system]
        for group in GROUPS:
            for row in recall_by(pairs, group):
                if row.names >= given.least:
                    rows.setdefault((group, row.group), {})[language] = row
    print(f"| by | group | {' | '.join(given.language)} |")
    print(f"|---|---|{'---|' * len(given.language)}")
    for group in sorted(GROUPS):
        these = {name: by for (kind, name), by in rows.items() if kind == group}
        for name, by in sorted(these.items(), key=lambda item: _share(item[1])):
            cells = (_names_found(by[language]) if language in by else "" for language in given.language)
            print(f"| {group} | {name} | {' | '.join(cells)} |")


def _share(rows: dict[str, Row]) -> float:
    """Of all languages together."""
    return sum(row.found for row in rows.values()) / sum(row.names for row in rows.values())


def _names_found(row: Row) -> str:
    return f"{100 * row.recall:.1f} ({100 * row.low:.1f}–{100 * row.high:.1f}) of {row.names:,}"


def false_positives(given: argparse.Namespace) -> None:
    """Authors and makers stand in this text, which count as well."""
    rows = (given.corpora / "e3c-en/notes.jsonl").read_text("utf-8").splitlines()
    notes = [Document(json.loads(row)["text"], f"e3c-{at}", language="en") for at, row in enumerate(rows)]
    tokens = sum(len(tokenize(note.text)) for note in notes)
    marked = Counter(
        parent(span.label)
        for note in found(default_of("en", tagger_of("en", given)), notes, memory=True)
        for span in note.spans
    )
    print(f"elision {elision.__version__}: {len(notes):,} texts, {tokens:,} tokens; marked for each 1,000 tokens:")
    for label, count in marked.most_common():
        print(f"{label}: {1000 * count / tokens:.3f}")


# What is done, and with how many made notes.
WORK = {
    "train": (learn, 3000),
    "score": (score, 400),
    "groups": (groups, 2000),
    "false-positives": (false_positives, 0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WORK)
    parser.add_argument("--language", nargs="+", default=[*base.shipped()], choices=[*base.shipped()])
    parser.add_argument("--preset", default="elision-fast")
    parser.add_argument("--notes", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpora", type=Path, default=CORPORA)
    parser.add_argument("--out", type=Path, default=base.HERE)
    parser.add_argument("--models", type=Path, default=base.HERE)
    parser.add_argument("--without", nargs="*", default=(), choices=PARTS)
    parser.add_argument("--spanish-train", action="store_true")
    parser.add_argument("--left-out", type=int, choices=range(QUARTERS), help="a quarter of the notes by hand")
    parser.add_argument("--dial", type=float, help="how readily taggers find; else as they say")
    parser.add_argument("--least", type=int, default=100)
    parser.add_argument("--systems", nargs="+", default=["rules", "tagger", "default"])
    given = parser.parse_args()
    work, notes = WORK[given.what]
    given.notes = given.notes or notes
    with lexicons(there="lexicons" not in given.without):
        work(given)


if __name__ == "__main__":
    main()
