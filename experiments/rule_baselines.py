"""The papers' systems of lists and patterns: Menger 2018 (DEDUCE) for Dutch, the rules of Zhao 2018 for Chinese.

    python experiments/rule_baselines.py [--uner FOLDER]

Dutch: the notes of benchmarks/peers. Chinese: experiments/notes/zh-unseen.jsonl, of the seven labels that the paper
has; and the persons and places of UNER-zh (no clinical text; default: ../shared/corpora/uner-zh, left out where
it is not there), in which organisations count neither way. Each beside our whole pack. It prints Markdown tables, in
letters and digits; what counts neither way is told in benchmarks/peers/yardstick.py. No preset or pack was fitted to
these texts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import elision
from elision.detect import Detector
from elision.document import Document, Span
from elision.formats import read
from elision.labels import mapping_named, parent
from elision.papers import baselines
from elision.rules import Rules

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.peers.yardstick import EITHER, count
from experiments.handwritten import handwritten

HERE = Path(__file__).resolve().parent

ZHAO_LABELS = ("DATE", "ID", "PATIENT", "DOCTOR", "LOCATION", "HOSPITAL", "AGE")
UNER = {"PER": "NAME_OTHER", "LOC": "LOCATION_OTHER", "ORG": EITHER}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uner", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "uner-zh")
    given = parser.parse_args()
    print(f"elision {elision.__version__}\n")
    _dutch(list(read(HERE.parent / "benchmarks" / "peers" / "notes" / "nl.jsonl", "jsonl")))
    _chinese(handwritten("zh", "unseen"))
    for split in ("dev", "test"):
        file = given.uner / f"zh_gsdsimp-ud-{split}.iob2"
        if file.exists():
            _uner(list(_sentences(file)), split)


def _dutch(notes: Sequence[Document]) -> None:
    _head(f"Dutch, {len(notes)} notes, all labels")
    for name, detector, known in (
        ("Menger 2018, the patient's name known", baselines.menger2018(), True),
        ("Menger 2018", baselines.menger2018(known=False), False),
        ("our Dutch pack", Rules("nl"), False),
    ):
        asked = [Document(note.text, note.id, known=note.known if known else {}) for note in notes]
        _line(name, notes, detector.detect(asked))


def _chinese(notes: Sequence[Document]) -> None:
    """Of the paper's labels alone: what has another label in the gold counts neither way."""
    ways = mapping_named("canonical:i2b2-2006")
    to = {name: way.label for name, way in ways.items()}
    gold = [
        note.with_spans(
            Span(span.start, span.end, span.label if to.get(span.label, "") in ZHAO_LABELS else EITHER)
            for span in note.spans
        )
        for note in notes
    ]
    _head(f"Chinese, {len(notes)} notes, the paper's labels")
    for name, detector in _systems():
        _line(name, gold, detector.detect(gold))
    print("\n| recall of | rules of Zhao 2018 | our Chinese pack |\n|---|---|---|")
    found = [detector.detect(gold) for _, detector in _systems()]
    for label in ZHAO_LABELS:
        own = [each.with_spans(s for s in each.spans if to.get(s.label) == label) for each in gold]
        print(f"| {label} | " + " | ".join(f"{100 * count(own, spans).recall:.1f}" for spans in found) + " |")
    print()


def _uner(sentences: Sequence[Document], split: str) -> None:
    """Persons and places, of systems' spans of names and places."""
    _head(f"UNER-zh {split}, {len(sentences)} sentences, persons and places")
    for name, detector in _systems():
        spans = [tuple(_placed(found)) for found in detector.detect(sentences)]
        _line(name, sentences, spans)
        for label in ("NAME_OTHER", "LOCATION_OTHER"):
            _line(f"… {label} alone", sentences, spans, {label})


def _placed(spans: Sequence[Span]) -> Iterator[Span]:
    wanted: Mapping[str, str] = {"NAME": "NAME_OTHER", "LOCATION": "LOCATION_OTHER"}
    for span in spans:
        if parent(span.label) in wanted:
            yield Span(span.start, span.end, wanted[parent(span.label)])


def _systems() -> list[tuple[str, Detector]]:
    return [("rules of Zhao 2018", baselines.zhao2018_rules()), ("our Chinese pack", Rules("zh"))]


def _head(title: str) -> None:
    print(f"\n{title}\n\n| system | recall | precision | F1 |\n|---|---|---|---|")


def _line(name: str, gold: Sequence[Document], spans: Sequence[Sequence[Span]], shared: set[str] | None = None) -> None:
    counted = count(gold, spans, shared)
    shares = (counted.recall, counted.precision, counted.f1)
    print(f"| {name} | " + " | ".join(f"{100 * share:.1f}" for share in shares) + " |")


def _sentences(file: Path) -> Iterator[Document]:
    """Sentences of an IOB2 file; Chinese words stand without blanks between."""
    words: list[tuple[str, str]] = []
    for line in [*file.read_text("utf-8").splitlines(), ""]:
        if line.startswith("#"):
            continue
        if line:
            _, word, tag, *_ = line.split("\t")
            words.append((word, tag))
        elif words:
            yield _sentence(words, f"{file.stem}")
            words = []


def _sentence(words: Sequence[tuple[str, str]], name: str) -> Document:
    text, spans = "", list[Span]()
    for word, tag in words:
        start, text = len(text), text + word
        kind, _, label = tag.partition("-")
        if kind == "I" and spans:
            spans[-1] = Span(spans[-1].start, len(text), spans[-1].label)
        elif label in UNER:
            spans.append(Span(start, len(text), UNER[label]))
    return Document(text, name, spans=tuple(spans))


if __name__ == "__main__":
    main()
