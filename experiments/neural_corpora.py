"""The notes on which the papers' neural systems are compared: MEDDOCAN, notes made like three corpora, Dutch by hand.

The papers' own notes cannot be had, so each made corpus stands for one: American notes of 2006 and 2014, and
Chinese maternity records. Training and test share no grammar, name or patient. Labels are those of the corpus that
is meant; what it does not mark (a profession in 2006) is no identifier here either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import ScoreError
from elision.evaluate.matching import Pair
from elision.formats import read
from elision.labels import Mapped, mapping_named
from elision.languages.synth_lists import HELD_OUT, TRAIN
from elision.synth.generate import Maker
from elision.synth.profiles import read_profile
from experiments.handwritten import UNSEEN, handwritten
from experiments.pack_notes import by_parent, comparable, dated

CORPORA = Path(__file__).resolve().parents[2] / "shared" / "corpora"
MEDDOCAN, DUTCH = "meddocan", "dutch"
PER_PATIENT = 20
USUAL_R = 0.14


@dataclass(frozen=True, slots=True)
class Made:
    """A corpus of made notes."""

    labels: str
    r: float  # the paper's factor for the corpus that is meant
    notes: int  # of training, and of the test: about 120,000 tokens of training
    words: bool = False  # Chinese is cut into words


MADE: Mapping[str, Made] = {
    "i2b2-2006-like": Made("canonical:i2b2-2006", 0.25, 220),
    "i2b2-2014-like": Made("canonical:i2b2-2014", 0.10, 290),
    "zh-maternity": Made("canonical:i2b2-2006", 0.14, 740, words=True),
}
NAMES = (MEDDOCAN, *MADE, DUTCH)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    name: str
    language: str
    train: Sequence[Document] = field(repr=False)
    test: Sequence[Document] = field(repr=False)
    about: Mapping[str, Any] = field(default_factory=dict)  # how the notes were made, JSON
    r: float = USUAL_R
    words: bool = False
    ways: Mapping[str, Mapped] = field(default_factory=dict, repr=False)  # from canonical labels to those of the corpus

    def pairs(self, system: Sequence[Document]) -> list[Pair]:
        """Gold and system as they are scored; Dutch by parent label, as all notes by hand are."""
        if self.name != DUTCH:
            return list(zip(self.test, system, strict=True))
        gold, found = comparable(self.test, system)
        return list(zip(by_parent(gold), by_parent(found), strict=True))


def corpus_named(name: str, notes: int = 0, per_patient: int = PER_PATIENT) -> Corpus:
    """A corpus by its name, or MEDDOCAN in a folder that holds train and dev."""
    if notes < 0 or not 1 <= per_patient <= 64:
        raise ScoreError("--notes, --per-patient: a number of notes, and from 1 to 64 notes of a patient")
    if name in MADE:
        return _made(name, notes or MADE[name].notes, per_patient)
    if name == DUTCH:
        return _dutch(notes)
    folder = CORPORA / MEDDOCAN if name == MEDDOCAN else Path(name)
    if not all((folder / part).is_dir() for part in ("train", "dev")):
        wrong = (
            "is not in ../shared/corpora" if name == MEDDOCAN else f"no such corpus; choose one of {', '.join(NAMES)}"
        )
        raise ScoreError(f"{name}: {wrong}; or give the folder that holds MEDDOCAN's train and dev")
    train, test = ([replace(note, language="es") for note in read(folder / part, "brat")] for part in ("train", "dev"))
    return Corpus(MEDDOCAN, "es", train[: notes or None], test[: notes or None], {"notes": notes} if notes else {})


def _made(name: str, notes: int, per_patient: int) -> Corpus:
    how = MADE[name]
    profile = replace(read_profile(name), notes_per_patient=(per_patient, per_patient))
    ways = mapping_named(how.labels)
    train, test = (labelled(Maker(profile, 0, side).notes(range(notes)), ways) for side in (TRAIN, HELD_OUT))
    about = {"notes": notes, "per_patient": per_patient, "words": how.words}
    return Corpus(name, profile.language, train, test, about, how.r, how.words, ways)


def labelled(notes: Iterable[Document], ways: Mapping[str, Mapped]) -> list[Document]:
    """Notes with the labels of another set; spans of which it knows nothing are left out."""
    return [
        note.with_spans(replace(span, label=ways[span.label].label) for span in note.spans if span.label in ways)
        for note in notes
    ]


def _dutch(notes: int) -> Corpus:
    """Notes by hand: learnt from those that may be read, measured on the others."""
    train = dated([replace(note, known={}) for note in handwritten("nl")])
    test = [replace(note, known={}) for split in UNSEEN for note in handwritten("nl", split)]
    return Corpus(DUTCH, "nl", train[: notes or None], test[: notes or None], {"notes": notes} if notes else {})
