"""The notes that models learn from and are measured on, besides made ones: by hand, MEDDOCAN, and text of others."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.peers.yardstick import EITHER
from elision.document import Document, Span
from elision.formats import Remarks, read
from elision.labels import map_labels, mapping, parent, tag_set
from elision.languages.synth_data import languages_made
from elision.languages.synth_lists import HELD_OUT, TRAIN
from elision.synth.inject import Injector
from elision.synth.learning import made
from experiments.handwritten import TRAIN as LEARNT
from experiments.handwritten import UNSEEN, handwritten

HERE = Path(__file__).resolve().parent
CORPORA = HERE.parents[1] / "shared" / "corpora"
EXAMPLES = HERE.parent / "examples" / "notes" / "gold"
QUARTERS = 4
LITTLE = frozenset(("SEX", "FAMILY_RELATION"))


def meddocan(corpora: Path, *parts: str) -> list[Document]:
    """Notes of MEDDOCAN with our labels."""
    ways = mapping(tag_set("meddocan"), tag_set("canonical"))
    folder = corpora / "meddocan"
    return [map_labels(replace(note, language="es"), ways) for part in parts for note in read(folder / part, "brat")]


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
    """Notes to measure on, by what they are called."""
    wanted = given.sources
    yield from (
        (name, notes) for name, notes in _sources(language, given) if any(map(name.__contains__, wanted or [""]))
    )


def _sources(language: str, given: argparse.Namespace) -> Iterator[tuple[str, list[Document]]]:
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
