"""Has a person one stand-in in all notes of a patient, however the name is written and whatever the role?

    python experiments/one_person.py [--patients 200] [--notes 4] [--effort fast] [--seed 0]

Notes of invented patients are made and cleaned. The record states the patient's name. The notes write it in capitals,
with initials, turned round, in an e-mail address, and with a title that speaks of a clinician. A clinician is named
beside, whom no record states. Counted are people with one stand-in for the surname and one for the given name, with
whose first letter all initials agree; notes that are held; and words of names that are left in clear.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.keys import Key
from elision.pipeline import Cleaned, Deidentifier

GIVEN = """
Jane Adam Mei Tom Rosalind Piet Ines Omar Wanda Kofi Marisol Bram Yara Colm Freya Nils Thea Ravi Una Hugo
"""
SURNAMES = """
Ng Wu Vo Xu Yu Oh Li Roe Orr Fay Kerr Poe Quist Marlowe Quimby Brandal Osei Tanaka Velde Novak Ferrer Lindqvist
Achterberg Dunmore Haverkamp Castellan Okonjo Whitlock Abernathy Sandoval
"""
# What is in braces is a word of the patient's name, or with C of the clinician's: S the surname, G the given name, I
# the initial; with ! in capitals, with . in small letters.
OPENINGS = (
    "Patient: {S!}, {G!}. Admitted on 3 May.",
    "{G} {S} was admitted with chest pain.",
    "Name: {S!}, {G}\nSeen in clinic on 12/05/2019.",
    "RE: {G} {S!}. Thank you for referring this patient.",
)
SENTENCES = (
    "{S!} feels well today.",
    "{T} {S} denies fever and cough.",
    "{I}. {S} was seen by Dr. {CS} this morning.",
    "Dr. {S} is a retired surgeon and lives alone.",
    "Discussed with {S!}'s family.",
    "Prof. {G} {S} asked for a second opinion.",
    "Write to {G.}.{S.}@mail.example about the results.",
    "{S!}, {I}. was told to come back.",
    "Dr. {CG} {CS} will see {T} {S} next week.",
    "Nurse {CS} was present.",
)
CLOSINGS = ("Signed, Dr. {CG} {CS}", "Dictated by Dr. {CI}. {CS}", "Yours, {CG} {CS}, MD")
_SLOT = re.compile(r"\{(?P<who>C?)(?P<what>[SGIT])(?P<case>[!.]?)\}")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a word of a name stands in a note: whose it is, and which: S, G or I."""

    start: int
    who: str
    what: str


def made(template: str, people: dict[str, tuple[str, str]], title: str) -> tuple[str, list[Place]]:
    """A text, and where in it the words of names stand."""
    text, places, at = "", list[Place](), 0
    for slot in _SLOT.finditer(template):
        text += template[at : slot.start()]
        at = slot.end()
        given, surname = people[slot["who"]]
        word = {"S": surname, "G": given, "I": given[0], "T": title}[slot["what"]]
        if slot["what"] != "T":
            places.append(Place(len(text), slot["who"], slot["what"]))
        text += word.upper() if slot["case"] == "!" else word.lower() if slot["case"] == "." else word
    return text + template[at:], places


def notes_of(patient: int, many: int, rng: random.Random) -> Iterator[tuple[Document, list[Place]]]:
    """The notes of a patient, and where in them names stand."""
    first, second = rng.sample(SURNAMES.split(), 2)
    people = {"": (rng.choice(GIVEN.split()), first), "C": (rng.choice(GIVEN.split()), second)}
    title = rng.choice(("Mr", "Ms", "Mrs"))
    for number in range(many):
        lines = [rng.choice(OPENINGS), *rng.sample(SENTENCES, 5), rng.choice(CLOSINGS)]
        text, places = made("\n".join(lines), people, title)
        known = {"name": (" ".join(people[""]),)}
        yield Document(text, f"{patient}-{number}", str(patient), "en", known=known), places


@dataclass(slots=True)
class Counts:
    """What was counted."""

    people: dict[str, list[int]]  # by role: those with one stand-in, and all
    held: int = 0
    clear: int = 0


def words_instead(cleaned: Cleaned, places: Sequence[Place]) -> Iterator[tuple[Place, str]]:
    """For each word of a name the one that stands instead, "" if it was left."""
    before, after = cleaned.before, cleaned.document
    assert before is not None
    assert after is not None
    for place in places:
        for old, new in zip(before.spans, after.spans, strict=True):
            if old.start <= place.start < old.end:
                number = len(_WORD.findall(before.text[old.start : place.start]))
                words = _WORD.findall(after.text_of(new).casefold().replace("'", ""))
                yield place, words[number] if number < len(words) else after.text_of(new)
                break
        else:
            yield place, ""


def agree(said: set[tuple[str, str]]) -> bool:
    """Whether these are words of one name."""
    surnames, given, initials = ({word for what, word in said if what == which} for which in "SGI")
    return len(surnames) <= 1 and len(given) <= 1 and len({word[0] for word in (*given, *initials)}) <= 1


def counted(patients: int, notes: int, effort: str, seed: int) -> Counts:
    """Clean the notes of so many patients, and count."""
    rng = random.Random(seed)
    deidentifier = Deidentifier(detectors_for("en", effort=effort), policy="surrogate", key=Key(bytes(range(32))))
    found = Counts({"patients": [0, 0], "clinicians": [0, 0]})
    for patient in range(patients):
        theirs = list(notes_of(patient, notes, rng))
        said: dict[str, set[tuple[str, str]]] = {"": set(), "C": set()}
        for cleaned, (_, places) in zip(deidentifier([note for note, _ in theirs]), theirs, strict=True):
            if cleaned.document is None:
                found.held += 1
                continue
            for place, word in words_instead(cleaned, places):
                found.clear += not word
                if word:
                    said[place.who].add((place.what, word))
        for who, role in (("", "patients"), ("C", "clinicians")):
            found.people[role][0] += agree(said[who])
            found.people[role][1] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--patients", type=int, default=200)
    parser.add_argument("--notes", type=int, default=4)
    parser.add_argument("--effort", default="fast")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    found = counted(chosen.patients, chosen.notes, chosen.effort, chosen.seed)
    print(f"{chosen.patients} patients, {chosen.notes} notes each, --effort {chosen.effort}, seed {chosen.seed}\n")
    print("| who | with one stand-in | of | share |\n| --- | ---: | ---: | ---: |")
    for role, (one, all_) in found.people.items():
        print(f"| {role} | {one} | {all_} | {one / all_:.1%} |")
    print(f"\nnotes held: {found.held}; words of names left in clear: {found.clear}")


if __name__ == "__main__":
    main()
