"""Which of the names in a note did the detector miss? Where found names became tags, and where they became stand-ins.

    python experiments/parrot.py [--notes 1000] [--seed 1] [--repeats 3]

Made notes name a patient two to eight times, a relative and two clinicians; a detector finds each mention with a given
probability (.90 to .99) and the rest leaks. The reader has the output, the public lists of names with their shares, the
program, and no key. He says of each name that he sees whether it leaked, best guess first:

- *tags*: where found names are tags, every name that he sees leaked.
- *parrot*: where found names are stand-ins, he guesses that the names which are seen often, in most notes or in this
  one, leaked: real cohorts have common names, and a name that is missed once is often missed again.
- *odd one out*: he guesses a name that stands once in a note whose other mentions agree.
- *chance*: any name.

Shown is the share of his first guesses that are right, as many guesses as there are leaks, with the range over the
repeats. Memory, the sweep and the check are off for that, as elision would hold such notes: a name that is replaced
once may not stand anywhere in its note. The last column shows how many leaks are left with them on.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import elision
from elision import pipeline
from elision.document import Document, Span
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.replace.name_lists import FEMALE, MALE, SURNAME, pools

SENTENCES = (
    "{patient} was seen in clinic.", "On review {patient} felt well.", "I spoke with {relative} by phone.",
    "Discussed with Dr. {doctor}.", "{patient} denies fever.", "Plan agreed with {patient}.",
    "Referred by Dr. {other}.", "{relative} will drive.", "{patient} to return in a week.", "Reviewed by Dr. {doctor}.",
)  # fmt: skip
LABELS = {"patient": "NAME_PATIENT", "relative": "NAME_RELATIVE", "doctor": "NAME_CLINICIAN", "other": "NAME_CLINICIAN"}


def weighted(words: Sequence[str], rng: random.Random) -> Callable[[], str]:
    """Names as unevenly common as people's: the share falls with the place in a shuffled list."""
    words = sorted(words)
    rng.shuffle(words)
    weights = [1 / (place + 10) for place in range(len(words))]
    return lambda: rng.choices(words, weights)[0]


def made_notes(count: int, rng: random.Random) -> list[Document]:
    names = pools("en")
    given = weighted([word for kind in (FEMALE, MALE) for row in names[kind].values() for word in row], rng)
    surname = weighted([word for row in names[SURNAME].values() for word in row], rng)
    doctors = [surname() for _ in range(40)]
    notes = []
    for number in range(count):
        family = surname()
        cast = {"patient": f"{given()} {family}", "relative": given(), "doctor": rng.choice(doctors),
                "other": rng.choice(doctors)}  # fmt: skip
        text, spans = "", list[Span]()
        for sentence in rng.choices(SENTENCES, k=rng.randint(6, 16)):
            who = re.findall(r"\{(\w+)\}", sentence)[0]
            shown = cast[who] if who != "patient" or rng.random() < 0.4 else family
            at = len(text) + sentence.index("{")
            text += sentence.format(**{who: shown}) + " "
            spans.append(Span(at, at + len(shown), LABELS[who]))
        notes.append(Document(text, str(number), f"p{number}", "en", tuple(spans)))
    return notes


def cleaned(notes: list[Document], recall: float, policy: str, rng: random.Random, *, careful: bool) -> list[Document]:
    """The notes as they come out, with spans on every name that a reader sees: labelled LEAK or MADE."""
    found = [tuple(span for span in note.spans if rng.random() < recall) for note in notes]
    key = Key(rng.randbytes(32))
    deidentifier = Deidentifier([lambda documents: [found[int(d.id)] for d in documents]], policy=policy, key=key,
                                memory=careful)  # fmt: skip
    out = []
    for note, clean in zip(notes, deidentifier(notes), strict=True):
        assert clean.document is not None, clean.receipt.why
        assert clean.before is not None
        seen = [
            Span(span.start, span.end, "MADE")
            for span in clean.document.spans
            if clean.document.text_of(span)[0] != "["
        ]
        seen += [Span(*place, "LEAK") for place in _leaks(note, clean.before, clean.document)]
        out.append(clean.document.with_spans(sorted(seen, key=lambda span: span.start)))
    return out


def _leaks(note: Document, before: Document, after: Document) -> list[tuple[int, int]]:
    """Where mentions that nobody found stand in the new text."""
    places = []
    for span in note.spans:
        if not any(found.overlaps(span) for found in before.spans):
            moved = sum(len(b) - len(a) for a, b in zip(before.spans, after.spans, strict=True) if a.end <= span.start)
            places.append((span.start + moved, span.end + moved))
    return places


def guessed(notes: list[Document], how: str, rng: random.Random) -> float:
    """The share of right guesses among the first as many as there are leaks."""
    overall = Counter(word for note in notes for span in note.spans for word in set(note.text_of(span).split()))
    ranked: list[tuple[float, float, bool]] = []
    for note in notes:
        here = Counter(word for span in note.spans for word in note.text_of(span).split())
        for span in note.spans:
            words = note.text_of(span).split()
            common = max(overall[word] for word in words) / len(notes) + max(here[word] for word in words) / 10
            once = float(all(here[word] == 1 for word in words))
            score = {"parrot": common, "odd one out": once, "chance": 0.0}[how]
            ranked.append((score, rng.random(), span.label == "LEAK"))
    leaks = sum(leak for _, _, leak in ranked)
    ranked.sort(reverse=True)
    return sum(leak for _, _, leak in ranked[:leaks]) / leaks if leaks else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    print(f"elision {elision.__version__}, {given.notes:,} notes, seed {given.seed}, {given.repeats} repeats\n")
    print(
        "| detector recall | missed names | tags | stand-ins: repeated names | stand-ins: single names "
        "| stand-ins: by chance | missed with memory and sweep |"
    )
    print("|---|---|---|---|---|---|---|")
    for recall in (0.90, 0.95, 0.98, 0.99):
        shares: dict[str, list[float]] = {"tags": [], "parrot": [], "odd one out": [], "chance": []}
        leaks, left = [], []
        for repeat in range(given.repeats):
            rng = random.Random(f"{given.seed} {recall} {repeat}")
            notes = made_notes(given.notes, rng)
            with patch.multiple(pipeline, overlooked_in=lambda *_: iter(()), problems=lambda *_: []):
                tagged = cleaned(notes, recall, "tag", rng, careful=False)
                made = cleaned(notes, recall, "surrogate", rng, careful=False)
            careful = cleaned(notes, recall, "surrogate", rng, careful=True)
            shares["tags"].append(guessed(tagged, "chance", rng))
            for how in ("parrot", "odd one out", "chance"):
                shares[how].append(guessed(made, how, rng))
            leaks.append(sum(span.label == "LEAK" for note in made for span in note.spans))
            left.append(sum(span.label == "LEAK" for note in careful for span in note.spans))
        cells = [f"{statistics.mean(row):.1%} ({min(row):.1%}–{max(row):.1%})" for row in shares.values()]
        print(f"| {recall:.2f} | {statistics.mean(leaks):,.0f} | {' | '.join(cells)} | {statistics.mean(left):,.0f} |")


if __name__ == "__main__":
    main()
