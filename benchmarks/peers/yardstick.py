"""How systems are counted on notes by hand: in characters, whatever the labels; and strictly, in equal spans.

Strictly, spans are equal without titles beside a name, and labels as Trienes 2020 counted DEDUCE: hospitals,
institutes, organizations and internal locations are one. The roles of people do not count.

`EITHER` labels what systems may mask or keep: years, weekdays, holidays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

from elision.document import Document, Span
from elision.labels import parent
from elision.papers.baselines import NAMED_LOCATION

EITHER = "EITHER"

# What stands beside a name and names nobody: titles, degrees, callings. Some systems take it along, some do not.
BESIDE = """
dhr heer hr mw mevr mevrouw meneer mr mrs ms miss dr drs doctor dokter prof professor ds zr gr collega assistente
agent ofc officer father fr pastor pastoor nurse medic fellow intern patholoog neuroloog psychiater optometrist
huisarts uroloog reumatoloog radioloog co-assistent arts-ass arts mammacareverpleegkundige diëtiste echoscopiste
kaderarts palliatieve zorg revalidatiearts anesth seh-arts knmg aios vs spv poh uro coord sis nurse practice
sonographer lpn np rn md pa-c dpt cnm pmhnp facc cpnp cws psyd ms4 pgy-3 pgy-4 pharmd
"""
_BESIDE = frozenset(BESIDE.split())
_BESIDE_HAN = re.compile("中医师|主任医师|医师|医生|主任|教授|护士|先生|阿姨|老太")
_WORD = re.compile(r"[\w'-]+")


class Count(NamedTuple):
    """Characters (letters and digits) of identifiers, those that a system masked, and those that it masked beside."""

    gold: int
    hit: int
    beside: int

    @property
    def recall(self) -> float:
        return self.hit / self.gold if self.gold else 0.0

    @property
    def precision(self) -> float:
        return self.hit / (self.hit + self.beside) if self.hit + self.beside else 0.0

    @property
    def f1(self) -> float:
        both = self.recall + self.precision
        return 2 * self.recall * self.precision / both if both else 0.0


class Strict(NamedTuple):
    """Spans of gold, of a system, and those that are equal."""

    gold: int
    system: int
    right: int

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.gold + self.system) if self.gold + self.system else 0.0


def strict(documents: Sequence[Document], found: Sequence[Iterable[Span]]) -> Strict:
    """Spans that are equal in place and label."""
    gold = system = right = 0
    for document, spans in zip(documents, found, strict=True):
        open_ = {at for span in document.spans if span.label == EITHER for at in range(span.start, span.end)}
        one = _places(document, (span for span in document.spans if span.label != EITHER), set())
        other = _places(document, spans, open_)
        gold, system, right = gold + len(one), system + len(other), right + len(one & other)
    return Strict(gold, system, right)


def _places(document: Document, spans: Iterable[Span], open_: AbstractSet[int]) -> set[tuple[int, int, str]]:
    """Where spans begin and end, as far as they identify, and their labels; what is open is none of them."""
    titles = _titles(document.text)
    places = set()
    for span in spans:
        aside = titles if span.label.startswith("NAME") else set()
        told = [at for at in range(span.start, span.end) if document.text[at].isalnum() and at not in aside]
        if told and not open_ & set(told):
            label = "Named Location" if span.label in NAMED_LOCATION else parent(span.label)
            places.add((told[0], told[-1] + 1, label))
    return places


def read_examples(folder: Path) -> list[Document]:
    """deduce's own test data: files of JSON with `examples`, each a `text` and its `annotations`."""
    documents = []
    for path in sorted(folder.glob("*.json")):
        for number, example in enumerate(json.loads(path.read_text("utf-8"))["examples"]):
            spans = tuple(
                Span(each["start_char"], each["end_char"], each["tag"])
                for each in sorted(example["annotations"], key=lambda each: int(each["start_char"]))
            )
            documents.append(Document(example["text"], f"{path.stem}-{number}", spans=spans))
    return documents


def count(
    documents: Sequence[Document], found: Sequence[Iterable[Span]], shared: AbstractSet[str] | None = None
) -> Count:
    """What a system masks of the gold spans. With `shared`, spans of other labels are left out on both sides."""
    gold = hit = beside = 0
    for document, spans in zip(documents, found, strict=True):
        wanted, open_ = _wanted(document, shared)
        masked = {
            at
            for span in spans
            if shared is None or span.label in shared
            for at in range(span.start, span.end)
            if document.text[at].isalnum()
        }
        gold += len(wanted)
        hit += len(wanted & masked)
        beside += len(masked - wanted - open_)
    return Count(gold, hit, beside)


def by_kind(documents: Sequence[Document], found: Sequence[Iterable[Span]], labels: Iterable[str]) -> dict[str, str]:
    """Recall in percent for each label; any span counts."""
    counted = {label: [0, 0] for label in labels}
    for document, spans in zip(documents, found, strict=True):
        masked = {at for span in spans for at in range(span.start, span.end)}
        for span in document.spans:
            if span.label in counted:
                wanted = _characters(document, span)
                counted[span.label][0] += len(wanted)
                counted[span.label][1] += len(wanted & masked)
    return {label: f"{100 * hit / gold:.1f}" for label, (gold, hit) in counted.items() if gold}


def _wanted(document: Document, shared: AbstractSet[str] | None) -> tuple[set[int], set[int]]:
    """Characters to be masked, and those that are open: they count neither way."""
    wanted: set[int] = set()
    open_: set[int] = set()
    for span in document.spans:
        inside = {at for at in range(span.start, span.end) if document.text[at].isalnum()}
        if span.label != EITHER and (shared is None or span.label in shared):
            wanted |= _characters(document, span)
        open_ |= inside
    return wanted, (open_ | _titles(document.text)) - wanted


def _titles(text: str) -> set[int]:
    """The characters of titles and callings."""
    words = [word for word in _WORD.finditer(text) if word[0].lower().strip("'-") in _BESIDE]
    return {at for word in (*words, *_BESIDE_HAN.finditer(text)) for at in range(word.start(), word.end())}


def _characters(document: Document, span: Span) -> set[int]:
    """The letters and digits of a span that identify: not titles beside a name, nor "years old" beside a number."""
    text = document.text_of(span)
    aside = _titles(text) if span.label.startswith("NAME") else set()
    if span.label == "AGE" and any(character.isdigit() for character in text):
        aside = {at for at, character in enumerate(text) if not character.isdigit()}
    return {span.start + at for at, character in enumerate(text) if character.isalnum() and at not in aside}
