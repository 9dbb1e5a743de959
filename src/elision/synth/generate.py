"""Notes of a profile, one after the other, in any number. Note i is the same however many are made, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

from elision.document import Document
from elision.languages.synth import Synth
from elision.languages.synth_data import language_named
from elision.languages.synth_lists import TRAIN, rng_of
from elision.synth.cast import Cast, Setting
from elision.synth.expand import Expander
from elision.synth.grammar import Grammar, Patients
from elision.synth.noise import Piece, disturb
from elision.synth.ocr import scan
from elision.synth.people import cumulated
from elision.synth.profiles import Profile, grammar_files
from elision.synth.reading import WHOLE, read_grammars
from elision.synth.slots import check
from elision.synth.tilt import STEPS, Tilt

BLOCK = 64  # notes whose patients are dealt out together
_ATTEMPTS = 3
WHOLE_NOTES = 8  # so many weigh what a grammar weighs
CORRECTIONS = 2  # of the label rates, after some notes
MEASURED = 300
FEW_STEPS = 12  # of a correction


class Maker:
    """A profile, read and ready: grammars with their weights tilted to the label rates asked for."""

    def __init__(self, profile: Profile, seed: int | str = 0, side: str = TRAIN, ocr: float | None = None) -> None:
        self.profile, self.seed, self.side = profile, seed, side
        self.ocr = profile.ocr if ocr is None else ocr
        language = language_named(profile.language)
        self.setting = Setting(
            language, side, seed, profile.countries or tuple(language.countries), profile.ages, profile.years,
            profile.names,
            profile.women, profile.days_between,
        )  # fmt: skip
        self.ways = _ways(profile, self.setting, side)
        self._deal = lru_cache(maxsize=4)(self._dealt)

    def notes(self, numbers: Iterable[int]) -> Iterator[Document]:
        """The notes with these numbers."""
        return (self.note(number) for number in numbers)

    def note(self, number: int) -> Document:
        """The note with this number."""
        patient, visit = self._deal(number // BLOCK)[number % BLOCK]
        rng = rng_of(self.seed, self.profile.name, self.side, number)
        cast = Cast(self.setting, patient, visit, rng)
        expander = _drawn(self.ways, cast)
        text, spans = expander.expand(cast)
        for _ in range(_ATTEMPTS):
            if text.strip():
                break
            text, spans = expander.expand(cast)
        page = _pages(expander, cast)
        text, spans = disturb(text, spans, self.profile.noise, rng, self.profile.language, page)
        if self.ocr:
            text, spans = scan(text, spans, self.ocr, rng)
        name = f"{self.profile.name}-{self.side}-{number:06}".replace("_", "-")
        return Document(text, name, f"{self.profile.name}-{patient:06}", self.profile.language, tuple(spans))

    def _dealt(self, block: int) -> tuple[tuple[int, int], ...]:
        """The patient of each note of a block, and which of the patient's notes it is."""
        low, high = self.profile.notes_per_patient
        rng: Random = rng_of(self.seed, self.profile.name, self.side, "patients", block)
        dealt: list[tuple[int, int]] = []
        patient = block * BLOCK
        while len(dealt) < BLOCK:
            dealt += [(patient, visit) for visit in range(rng.randint(low, high))]
            patient += 1
        return tuple(dealt[:BLOCK])


class Way:
    """A grammar to be drawn. It is tilted when it is first needed: most of the whole notes never are."""

    def __init__(self, grammar: Grammar, language: Synth, goals: Sequence[tuple[Goal, int]]) -> None:
        self.grammar, self.language, self.goals = grammar, language, goals
        self._tilt: Tilt | None = None
        self._expander: Expander | None = None
        self._reached = 0  # so many goals

    def expander(self) -> Expander:
        """Ready to make texts, tilted towards one goal after the other."""
        if self._expander is None or self._reached < len(self.goals):
            weights = None
            for goal, steps in self.goals[self._reached :]:
                self._tilt = self._tilt or Tilt(self.grammar, self.language, tuple(goal))
                weights = self._tilt.towards(goal, steps)
            self._reached = len(self.goals)
            self._expander = Expander(self.grammar, weights)
        return self._expander


Goal = dict[str, float]  # the share that each label should have
Ways = dict[str, tuple[list[Way], tuple[float, ...]]]  # by country: grammars, with their weights cumulated


def _ways(profile: Profile, setting: Setting, side: str) -> Ways:
    """The grammars of each country, tilted to the label rates asked for.

    What the weights let expect is not quite what comes: sentences are not said twice, and not every grammar has every
    label. So some notes are made, and the goal is moved by what they miss.
    """
    goals: list[tuple[Goal, int]] = []
    every = [
        (Way(grammar, setting.language, goals), weight / (WHOLE_NOTES if path.suffix == WHOLE else 1))
        for path, weight in grammar_files(profile, side).items()
        for grammar in read_grammars(path)
    ]
    for way, _ in every:
        check(way.grammar, setting.language, tuple(setting.language.countries))
    ways = {}
    for code in setting.countries:
        own = [(way, weight) for way, weight in every if not way.grammar.countries or code in way.grammar.countries]
        ways[code] = ([way for way, _ in own or every], cumulated(tuple(weight for _, weight in own or every)))
    if profile.labels:
        goals.append((dict(profile.labels), STEPS))
    for _ in range(CORRECTIONS if goals else 0):
        shares = _measured(ways, setting)
        goals.append((_moved(goals[-1][0], profile.labels, shares), FEW_STEPS))
    return ways


def _moved(goal: Goal, asked: Mapping[str, float], shares: Mapping[str, float]) -> Goal:
    """A goal that makes up for what the notes missed of what is asked."""
    missed = {label: share / max(shares.get(label, 0.0), share / 3, 1e-4) for label, share in asked.items()}
    return {label: min(0.9, goal[label] * min(3.0, missed[label])) for label in goal}


def _measured(ways: Ways, setting: Setting) -> dict[str, float]:
    """The label shares of some notes, always the same ones."""
    documents = []
    for number in range(MEASURED):
        rng = rng_of("measured", number)
        cast = Cast(setting, number, 0, rng)
        text, spans = _drawn(ways, cast).expand(cast)
        documents.append(Document(text, spans=tuple(spans)))
    return shares_of(documents)


def _drawn(ways: Ways, cast: Cast) -> Expander:
    """A grammar for this patient: some are of women, some of children. If none is for such a patient, any will do."""
    of_country, ends = ways[cast.country_code]
    age = (cast.day("visit") - cast.born).days // 365
    weights = [
        end - start if _fits(way.grammar.patients, cast.sex, age) else 0.0
        for way, start, end in zip(of_country, (0.0, *ends), ends, strict=False)
    ]
    return cast.rng.choices(of_country, weights if any(weights) else None)[0].expander()


def _fits(of: Patients | None, sex: str, age: int) -> bool:
    return of is None or (of.sex in ("", sex) and of.youngest <= age <= of.oldest)


def _pages(expander: Expander, cast: Cast) -> _Page | None:
    return _Page(expander, cast) if "page" in expander.grammar.symbols else None


class _Page:
    """Makes a page's header from the grammar's symbol `page`."""

    def __init__(self, expander: Expander, cast: Cast) -> None:
        self.expander, self.cast = expander, cast

    def __call__(self) -> Piece:
        return self.expander.expand(self.cast, "page")


def shares_of(documents: Iterable[Document]) -> dict[str, float]:
    """The share of each label among the spans of notes."""
    counts: dict[str, int] = {}
    for document in documents:
        for span in document.spans:
            counts[span.label] = counts.get(span.label, 0) + 1
    total = sum(counts.values())
    return {label: count / total for label, count in sorted(counts.items(), key=lambda row: -row[1])}
