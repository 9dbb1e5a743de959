"""Rules and a tagger as one detector: what the tagger holds all but impossible does not count, all else does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from elision.detect.defaults import detectors_for
from elision.detect.rule_gate import ALONE, BESIDE, CALM, YIELDING, RuleGate
from elision.document import Document, Span, covered
from elision.errors import ModelError
from elision.formats import read
from elision.languages.base import folder
from elision.merge import merge, tidy
from elision.rules import Rules, Sure, shipped_rules
from elision.taggers.batch import Batch
from elision.taggers.linear.kind import load
from elision.taggers.linear.tagger import LinearTagger

OURS, OWN = "rule:en/names/name", "rule:own/name"


class Told(LinearTagger):
    """A tagger that was told the chance of each word, 0 where none is named, and the words that it finds, as a name."""

    told: Mapping[str, float]
    names: Sequence[str]

    def __init__(self, chances: Mapping[str, float], found: Sequence[str], dial: float) -> None:
        shipped = load(folder("en", "model"))
        settings = replace(shipped.settings, dial=dial)
        self.__dict__.update(shipped.__dict__, settings=settings, told=chances, names=found)

    def tags(self, batch: Batch) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        words = batch.tokens.texts(batch.text)
        inside = self.chain.tags.index("I-NAME_PATIENT"), self.chain.tags.index("B-NAME_PATIENT")
        tags = [self.chain.outside] * len(words)
        for at, word in enumerate(words):
            if word in self.names:
                tags[at] = inside[not at or words[at - 1] not in self.names]
        share = [1 - self.told.get(word, 0.0) for word in words]
        return np.array(tags, np.uint8), np.array(share, np.float32)


class Given(Sure):
    """Rules that find a stretch of each note."""

    def __init__(self, stretch: str, source: str = OURS, label: str = "NAME_PATIENT") -> None:
        super().__init__(shipped_rules("en"), 0.8)
        self.ours = frozenset((OURS,))
        self.stretch, self.source, self.label = stretch, source, label

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        starts = [document.text.find(self.stretch) for document in documents]
        found = [Span(max(at, 0), at + len(self.stretch), self.label, 0.9, self.source) for at in starts]
        return [(span,) if at >= 0 else () for at, span in zip(starts, found, strict=True)]


def left(
    text: str,
    rule: str,
    chances: Mapping[str, float],
    found: Sequence[str] = (),
    *,
    dial: float = CALM,
    source: str = OURS,
    label: str = "NAME_PATIENT",
) -> list[tuple[str, float]]:
    """What is left of the rule's find, with scores."""
    weighed = RuleGate(Given(rule, source, label), Told(chances, found, dial))
    notes = [Document("Nobody here.", language="en"), Document(text, language="en"), Document("", language="en")]
    nothing, spans, empty = weighed.detect(notes)
    assert not nothing
    assert not empty
    return [(text[span.start : span.end], span.score) for span in spans if span.source == source]


@pytest.mark.parametrize(
    ("chance", "dial", "kept"),
    [
        (2 * ALONE, CALM, True),
        (ALONE / 2, CALM, False),
        (ALONE / 2, CALM / 10, True),  # who dials for recall gets more from rules, too
        (ALONE / 20, CALM / 10, False),
        (0.0, 1e-6, False),
        (2 * ALONE, 1.0, True),  # who dials for precision loses nothing of theirs
    ],
)
def test_what_is_all_but_impossible_does_not_count(chance: float, dial: float, kept: bool) -> None:
    assert left("units 8-8-10 today", "8-8-10", {"8": chance, "10": chance}, dial=dial) == [("8-8-10", 0.9)] * kept


def test_likely_parts_of_a_find_are_left() -> None:
    chances = {"Roe": 0.05, "Jane": 0.05}
    assert left("by Jane Roe says Jane", "Jane Roe says Jane", chances) == [("Jane Roe", 0.9), ("Jane", 0.9)]


def test_beside_the_taggers_find_more_is_asked_for_and_the_tagger_has_the_first_word() -> None:
    unlikely, likely = {"Ward": BESIDE / 2}, {"Ward": 2 * BESIDE}
    assert left("Jane Roe Ward 3", "Roe Ward", unlikely, ["Jane", "Roe"]) == [("Roe", 0.9 * YIELDING)]
    assert left("Jane Roe Ward 3", "Roe Ward", likely, ["Jane", "Roe"]) == [("Roe Ward", 0.9 * YIELDING)]
    assert left("Jane Roe Ward 3", "Ward", unlikely, ["Jane", "Roe"]) == [("Ward", 0.9)]  # it meets none


@pytest.mark.parametrize("mark", ["\u200b", "\u00ad"])
def test_where_a_find_is_cut_by_what_nobody_sees_the_tagger_is_not_asked(mark: str) -> None:
    date = f"3 May 19{mark}58"
    assert left(f"born {date}, well", date, {"May": 0.05}) == [(date, 0.9)]
    assert left(f"born {date}, well", date, {}, ["May"]) == [(date, 0.9)]


def test_where_both_find_the_same_the_rule_keeps_its_score() -> None:
    assert left("seen by Jane Roe.", "Jane Roe", {}, ["Jane", "Roe"], label="NAME_PATIENT") == [("Jane Roe", 0.9)]
    assert left("seen by Jane Roe.", "Jane Roe", {}, ["Jane", "Roe"], label="CITY") == [("Jane Roe", 0.9 * YIELDING)]


def test_rows_of_ones_own_count_whatever_the_tagger_says() -> None:
    assert left("Jane Roe zed9", "Roe zed9", {}, ["Jane", "Roe"], source=OWN) == [("Roe zed9", 0.9)]
    assert left("see zed9", "zed9", {}, source=OWN) == [("zed9", 0.9)]


def test_marks_alone_are_neither_likely_nor_not() -> None:
    assert left("a ... b", "...", {}) == [("...", 0.9)]


def test_a_tagger_without_chances_is_refused() -> None:
    tagger = Told({}, [], CALM)
    tagger.__dict__["settings"] = replace(tagger.settings, decoding="viterbi", dial=1.0)
    with pytest.raises(ModelError, match="tells no chances to weigh rules by"):
        RuleGate(Given("x"), tagger)


@pytest.mark.parametrize("language", ["en", "es", "nl", "zh"])
def test_it_covers_what_the_tagger_finds_and_nothing_that_neither_does(language: str) -> None:
    notes = [replace(note, spans=()) for note in read(f"examples/notes/gold/{language}", "brat")]
    (weighed,) = detectors_for(language)
    assert isinstance(weighed, RuleGate)
    together = weighed.detect(notes)
    assert together == [weighed.detect([note])[0] for note in notes]
    either = zip(together, Rules(language).detect(notes), weighed.tagger.detect(notes), strict=True)
    for spans, by_rules, by_tagger in either:
        places = {at for start, end in covered(spans) for at in range(start, end)}
        all_places = {at for start, end in covered((*by_rules, *by_tagger)) for at in range(start, end)}
        assert {at for start, end in covered(by_tagger) for at in range(start, end)} <= places <= all_places


class Counting(Told):
    """Counts how often it is asked."""

    asked = 0

    def tags(self, batch: Batch) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        self.__dict__["asked"] = self.asked + 1
        return super().tags(batch)


def test_chances_of_the_notes_looked_at_last_are_told_without_another_look() -> None:
    tagger = Counting({"Roe": 0.05, "hill": 0.01}, ["Jane"], CALM / 10)
    weighed, fresh = RuleGate(Given("Roe"), tagger), RuleGate(Given("Roe"), tagger)
    texts = ["", "Jane Roe is well.", "Up the hill,\nJane!"]
    weighed.detect([Document(text, language="en") for text in texts])
    assert tagger.asked == 1
    told = [weighed.chances(text) for text in texts]
    assert tagger.asked == 1
    for text, (tokens, chance) in zip(texts, told, strict=True):
        by_itself, chance_then = fresh.chances(text)
        assert (tokens.starts.tolist(), tokens.ends.tolist()) == (by_itself.starts.tolist(), by_itself.ends.tolist())
        assert chance.tolist() == chance_then.tolist()
    weighed.detect([Document("Another note.", language="en")])
    asked = tagger.asked
    assert weighed.chances(texts[1])[1].tolist() == told[1][1].tolist()
    assert tagger.asked == asked + 1  # no note is kept when others are looked at


class Struck(Told):
    """Finds a word by itself, as initials or a name."""

    word: str
    number: int

    def __init__(self, word: str, label: str) -> None:
        super().__init__({}, [], CALM)
        self.__dict__.update(word=word, number=self.chain.tags.index(f"B-{label}"))

    def tags(self, batch: Batch) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        words = batch.tokens.texts(batch.text)
        tags = [self.number if word == self.word else self.chain.outside for word in words]
        return np.array(tags, np.uint8), np.full(len(words), 0.9, np.float32)


@pytest.mark.parametrize(
    ("text", "word", "label", "found"),
    [
        ("SNOMED CT 44054006 since May", "44054006", "MEDICAL_RECORD", False),  # a row is certain
        ("MRN 44054006 since May", "44054006", "MEDICAL_RECORD", True),
        ("and um so on", "um", "INITIALS", False),  # said while one thinks
        ("and um so on", "um", "NAME_PATIENT", True),
        ("seen by UM today", "UM", "INITIALS", True),
        ("on Eliquis 5 mg", "Eliquis", "NAME_PATIENT", True),  # a weak row of NOT is a feature and no more
    ],
)
def test_what_a_row_is_certain_of_takes_away_the_taggers_find(text: str, word: str, label: str, found: bool) -> None:
    (spans,) = RuleGate(Sure(shipped_rules("en"), 0.99), Struck(word, label)).detect([Document(text, language="en")])
    assert [text[span.start : span.end] for span in spans if span.source == "crf"] == [word] * found


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (["HOSPITAL", "STREET"], ["Kelp Hospital", "Elm Row"]),  # a row joins what the tagger has apart
        (["NAME_PATIENT", "NAME_PATIENT"], ["Kelp Hospital Elm Row"]),  # of one kind, it may
    ],
)
def test_a_find_that_joins_several_of_the_taggers_yields(labels: Sequence[str], found: Sequence[str]) -> None:
    class Two(Told):
        def tags(
            self, batch: Batch, dial: float | None = None
        ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
            tags = [self.chain.tags.index(f"{b}-{label}") for label in labels for b in "BI"]
            return np.array([*tags, self.chain.outside], np.uint8), np.full(5, 0.9, np.float32)

    text = "Kelp Hospital Elm Row."
    (spans,) = RuleGate(Given("Kelp Hospital Elm Row"), Two({}, [], CALM)).detect([Document(text, language="en")])
    by_rules = [text[span.start : span.end] for span in spans if span.source == OURS]
    assert by_rules == [found[0]] * (len(found) == 1)
    if not by_rules:
        assert [text[span.start : span.end] for span in tidy(text, merge(spans))] == found
