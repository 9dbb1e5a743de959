"""MEDDOCAN 2019, as its evaluation program prints it, and as its ranking on CodaLab computed it.

What one would not expect of these programs, and what is done alike here:

- In brat a tag is (type, start, end) as numbers; in XML it is (element, start, end, type) with offsets as strings, so
  that a wrong parent element or a leading zero is an error in XML only.
- The stand-alone program scores the notes that are on both sides; the ranking refuses a system that left a note out.
- Leak is missed spans per sentence. The sentences were counted once, by the organisers' own splitter: their counts come
  with elision for train, dev and test. A note without a count makes the leak "NA"; no sentences at all make it 0.0.
- "Merged" counts a span as right by itself *and* runs of spans with no letter or digit between them as right, so there
  can be more right spans than gold has. A run ends where its last span ends, so a nested span shrinks it.
- brat texts are read with newline translation, while offsets count every character: with CRLF the program looks
  into the wrong gap.
- A span in fragments (brat) stops the program.
- Texts of gold and system are not compared; each side's runs are formed on its own text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Literal

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.official import Block, by_id, compare, nothing_common, spelled, total
from elision.evaluate.tally import Counts, ratio
from elision.labels import tag_set

Keys = Literal["brat", "xml"]
Place = tuple[int, int]

NER, STRICT, MERGED = "SubTrack 1 [NER]", "SubTrack 2 [strict]", "SubTrack 2 [merged]"


@cache
def sentence_counts(split: str = "") -> Mapping[str, int]:
    """Sentences by note, as the organisers counted them; of one split ("train", "dev", "test") or of all."""
    rows = (files("elision") / "data" / "meddocan_sentences.tsv").read_text("utf-8").splitlines()[1:]
    return {id: int(count) for id, name, count in (row.split("\t") for row in rows) if split in ("", name)}


def leak(missed: int, sentences: int) -> float:
    """Missed spans per sentence."""
    return ratio(missed, sentences)


def score(
    gold: Iterable[Document],
    system: Iterable[Document],
    sentences: Mapping[str, int] | None = None,
    keys: Keys = "brat",
) -> list[Block]:
    """The three blocks of the stand-alone program; `sentences` by note id are by default those of the organisers."""
    pairs, _ = _pair(gold, system, keys)
    return _score(pairs, sentence_counts() if sentences is None else sentences, keys)


def codalab(
    gold: Iterable[Document],
    system: Iterable[Document],
    sentences: Mapping[str, int] | None = None,
    keys: Keys = "brat",
) -> dict[str, str]:
    """The lines of the ranking's scores.txt; all of them "ERROR" if the two sides do not have the same notes."""
    pairs, same = _pair(gold, system, keys)
    ner, strict, merged = _score(pairs, sentence_counts() if sentences is None else sentences, keys)
    lines = {"Subtask1_Leak": "NA" if ner.leak is None else str(ner.leak)}
    for task, block in (("Subtask1", ner), ("Subtask2Strict", strict), ("Subtask2Merged", merged)):
        lines |= {f"{task}_{name}": str(getattr(block, name.lower())) for name in ("Precision", "Recall", "F1")}
    return lines if same else dict.fromkeys(lines, "ERROR")


def _pair(
    gold: Iterable[Document], system: Iterable[Document], keys: Keys
) -> tuple[dict[str, tuple[Document, Document]], bool]:
    """Both sides of every note that is on both, by id, and whether these are all notes."""
    golds, systems = by_id(gold, "gold"), by_id(system, "system")
    if keys == "brat":
        for document in (*golds.values(), *systems.values()):
            _refuse_fragments(document)
    pairs = {id: (document, systems[id]) for id, document in golds.items() if id in systems}
    if not pairs:
        raise nothing_common(len(golds), len(systems))
    return pairs, golds.keys() == systems.keys()


def _refuse_fragments(document: Document) -> None:
    for span in document.spans:
        if "fragments" in span.info:
            raise ScoreError(
                f"{document.name}: span {span.start}–{span.end} is in fragments, at which the official program stops; "
                "make it one span, or one span for each fragment"
            )


def _score(pairs: Mapping[str, tuple[Document, Document]], sentences: Mapping[str, int], keys: Keys) -> list[Block]:
    key = _brat_key if keys == "brat" else _xml_key
    ner: dict[str, Counts] = {}
    strict: dict[str, Counts] = {}
    merged: dict[str, Counts] = {}
    for id, (gold, system) in pairs.items():
        ner[id] = compare({key(span) for span in gold.spans}, {key(span) for span in system.spans})
        g, s = {_place(span) for span in gold.spans}, {_place(span) for span in system.spans}
        strict[id] = compare(g, s)
        merged[id] = _compare_merged(g, s, g & s | _runs(gold, keys) & _runs(system, keys))
    known = [sentences.get(id, sentences.get(id.rpartition("/")[2])) for id in pairs]
    counted = [count for count in known if count is not None]
    missed = leak(total(ner).fn, sum(counted)) if len(counted) == len(known) else None
    printed = {"Leak": "NA" if missed is None else f"{missed:.4}"}
    return [_block(NER, ner, printed, missed), _block(STRICT, strict), _block(MERGED, merged)]


def _block(
    name: str, per_document: Mapping[str, Counts], printed: Mapping[str, str] | None = None, leak: float | None = None
) -> Block:
    counts = total(per_document)
    p, r, f = counts.precision, counts.recall, counts.f1
    figures = {**(printed or {}), "Precision": f"{p:.4}", "Recall": f"{r:.4}", "F1": f"{f:.4}"}
    return Block(name, per_document, counts, p, r, f, figures, leak=leak)


def _brat_key(span: Span) -> tuple[str, ...]:
    return span.label, str(span.start), str(span.end)


def _xml_key(span: Span) -> tuple[str, ...]:
    tag = tag_set("meddocan").tags.get(span.label)
    element = span.info.get("element") or (tag.group if tag else "OTHER")
    return element, *spelled(span), span.label


def _place(span: Span) -> Place:
    return span.start, span.end


def _compare_merged(gold: set[Place], system: set[Place], right: set[Place]) -> Counts:
    """Right are single spans and whole runs alike; what lies inside one of them is not held against either side."""
    ordered = sorted(right)
    starts, reach = [start for start, _ in ordered], list(accumulate((end for _, end in ordered), max))

    def outside(places: set[Place]) -> int:
        befores = ((bisect_right(starts, start), end) for start, end in places)
        return sum(not before or reach[before - 1] < end for before, end in befores)

    return Counts(len(right), outside(system - gold), outside(gold - system))


def _runs(document: Document, keys: Keys) -> set[Place]:
    """Neighbouring spans made one wherever no letter or digit stands between them."""
    text = document.text.replace("\r\n", "\n").replace("\r", "\n") if keys == "brat" else document.text
    runs: list[Place] = []
    for start, end in sorted(map(_place, document.spans)):
        if runs and not any(character.isalnum() for character in text[runs[-1][1] : start]):
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return set(runs)
