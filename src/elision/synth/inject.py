"""Surrogates into real text: notes with placeholders, or text without anything about people, become annotated notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from elision.detect.known import KnownValues
from elision.document import Document, Span
from elision.formats.format import Remarks
from elision.languages.synth import Piece, Synth
from elision.languages.synth_data import language_named
from elision.languages.synth_lists import BOTH, TRAIN, rng_of
from elision.merge import merge
from elision.rules.engine import Rules
from elision.synth.cast import Cast, Setting
from elision.synth.grammar import Slot
from elision.synth.insertion import Fill, compose, cut, inserted
from elision.synth.people import ROLES, names_on, write_person
from elision.synth.placeholders import Hole, holes
from elision.synth.slots import fill

NAMES = ("NAME_PATIENT", "NAME_CLINICIAN", "NAME_RELATIVE", "NAME_OTHER")
_ROLES = {
    "NAME_PATIENT": ("patient",),
    "NAME_CLINICIAN": ("doctor", "doctor2", "doctor3", "doctor4", "nurse", "nurse2", "author"),
    "NAME_RELATIVE": ("relative", "relative2", "relative3"),
    "NAME_OTHER": ("other", "other2"),
}


class Injector:
    """Makes annotated notes of carriers: `Injector(seed)(documents, remarks)`."""

    def __init__(
        self,
        seed: int | str = 0,
        side: str = TRAIN,
        language: str = "en",
        *,
        least_score: float = 0.5,
        insert: bool = True,
    ) -> None:
        self.seed, self.side, self.language, self.least_score, self.insert = seed, side, language, least_score, insert
        language_named(language)

    def __call__(self, documents: Iterable[Document], remarks: Remarks, copies: int = 1) -> Iterator[Document]:
        """The carriers that can be used, so many times each; what is left out is in the remarks."""
        for number, document in enumerate(documents):
            for copy in range(copies):
                made = self.one(document, number * copies + copy, remarks)
                if made is None:
                    break
                yield replace(made, id=f"{made.id}-{copy + 1}") if copies > 1 else made

    def one(self, document: Document, number: int, remarks: Remarks) -> Document | None:
        """A carrier with surrogates; None, and a remark, if a name in it cannot be told for certain."""
        language = language_named(document.language or self.language)
        rng = rng_of(self.seed, "inject", self.side, document.id or number, number)
        text, found = document.text, holes(document.text)
        unknown = [hole for hole in found if hole.slot is None]
        if unknown:
            remarks.add(
                "placeholders that tell nothing of what they stood for, cut out with their line or sentence",
                document.name,
                len(unknown),
            )
            text, spans = cut(text, document.spans, unknown)
            document, found = replace(document, text=text, spans=tuple(spans), joints=()), holes(text)
        standing = _standing(document, found, language.code)
        if any(span.label in NAMES and span.score < self.least_score for span in standing):
            remarks.add(
                f"notes with a name of which rules are not sure (below {self.least_score:g}), left out", document.name
            )
            return None
        key = f"inject {self.seed} {document.id}"  # other people than those of `synth`
        cast = Cast(_setting(language, self.side, key, document.text, standing), number, 0, rng)
        names, seats = _Names(cast, document), _Seats()
        fills = [Fill(hole.start, hole.end, _filled(cast, hole, seats)) for hole in found]
        for span in standing:
            if span.label in NAMES:
                pieces = names.pieces(span)
                if pieces is None:
                    remarks.add("notes with more people than a cast has, left out", document.name)
                    return None
                fills.append(Fill(span.start, span.end, pieces))
        kept = [
            span
            for span in standing
            if span.label not in NAMES and span.score >= self.least_score and span.label not in language.unlabelled
        ]
        text, spans = compose(document.text, kept, fills)
        if self.insert:
            text, spans = inserted(text, spans, cast, rng, self.side)
        if not spans:
            remarks.add("notes in which nothing was filled in", document.name)
        return Document(text, document.id or str(number), document.patient, language.code, tuple(spans))


def _standing(document: Document, found: Sequence[Hole], language: str) -> list[Span]:
    """What stands in the carrier: its own spans, known names, what rules find; disjoint, outside of holes."""
    own = [replace(span, score=2.0) for span in document.spans]  # stronger than anything that is found
    known = [replace(span, score=1.5) for span in KnownValues().detect([document])[0]]
    plain = replace(document, spans=(), known={})
    rules = _rules(language).detect([plain])[0]
    spans = merge([*own, *known, *rules])
    inside = {place for hole in found for place in range(hole.start, hole.end)}
    return [span for span in spans if not any(place in inside for place in range(span.start, span.end))]


@cache
def _rules(language: str) -> Rules:
    return Rules(language)


def _setting(language: Synth, side: str, seed: int | str, text: str, spans: Sequence[Span]) -> Setting:
    """A setting that fits the carrier: the patient's sex by the pronouns, the age by the first that stands there."""
    words = [
        {word.lower() for key in ("pronoun", "his") for word in language.sexes.get(key, ((), ()))[at]} for at in (0, 1)
    ]
    said = re.findall(r"[^\W\d_]+", text.lower()) if language.spaced else list(text)
    her, him = (sum(word in chosen for word in said) for chosen in words)
    age = next(
        (
            int(m[0])
            for span in spans
            if span.label == "AGE" and (m := re.search(r"\d{1,3}", text[span.start : span.end]))
        ),
        0,
    )
    ages = ((1.0, age, age),) if 0 < age < 110 else ((1.0, 18, 89),)
    women = 0.5 if her == him else float(her > him)
    return Setting(language, side, seed, tuple(language.countries), ages, women=women)


class _Seats:
    """Who a placeholder's number speaks of: the first number of a kind is the first person, and so on."""

    def __init__(self) -> None:
        self.taken: dict[tuple[str, str], int] = {}
        self.counts: dict[str, int] = {}

    def number(self, kind: str, key: str) -> int:
        found = self.taken.get((kind, key))
        if found is None:
            found = self.taken[kind, key] = self.counts.get(kind, 0)
            self.counts[kind] = found + 1
        return found


def _filled(cast: Cast, hole: Hole, seats: _Seats) -> Sequence[Piece]:
    """The surrogate of a placeholder; those with the same number speak of the same person or place."""
    slot = hole.slot
    assert slot is not None  # noqa: S101  # such holes were cut out
    if slot.what in ROLES and slot.what != "patient":
        roles = _ROLES[ROLES[slot.what][0]]
        if hole.key:
            slot = Slot(roles[seats.number(roles[0], hole.key) % len(roles)], slot.forms)
        elif slot.what == "other":
            slot = Slot(cast.rng.choice(roles), (cast.rng.choice(("full", "full", "last", "first")),))
    elif hole.key and slot.what in ("hospital", "clinic", "city", "organization"):
        number = seats.number(slot.what, hole.key)
        slot = Slot(slot.what, (*slot.forms, str(number)) if number else slot.forms)
    return fill(cast, slot)


class _Names:
    """Names that stand in a carrier, and who takes their place: the same person for the same name."""

    def __init__(self, cast: Cast, document: Document) -> None:
        self.cast, self.text = cast, document.text
        self.given = names_on(cast.language.code, next(iter(cast.country.origins)), BOTH)
        self.known_given = {
            word.casefold() for values in document.known.values() for value in values for word in value.split()[:-1]
        }
        self.roles: dict[str, str] = {}  # a word of a name -> the role of its bearer

    def pieces(self, span: Span) -> Sequence[Piece] | None:
        text = self.text[span.start : span.end]
        words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 1] or [text]
        role = self._role([word.casefold() for word in words], span.label)
        if role is None:
            return None
        return write_person(self.cast.language, self.cast.person(role), role, self._form(text, words), self.cast.rng)

    def _role(self, words: Sequence[str], label: str) -> str | None:
        for word in reversed(words):
            if word in self.roles:
                return self.roles[word]
        taken = set(self.roles.values())
        free = [role for role in _ROLES[label] if role not in taken] or (["patient"] if label == "NAME_PATIENT" else [])
        if not free:
            return None
        for word in words:
            self.roles[word] = free[0]
        return free[0]

    def _form(self, text: str, words: Sequence[str]) -> str:
        if not self.cast.language.spaced:
            return "full" if len(text) > 1 else "last"
        letters = "caps_" if text.isupper() and len(text) > 3 else "lower_" if text.islower() else ""
        if "," in text:
            return f"{letters}last_first"
        if len(words) > 1:
            return f"{letters}full"
        word = words[0]
        is_given = (
            word.casefold() in self.known_given or word.title() in self.given.female or word.title() in self.given.male
        )
        return f"{letters}{'first' if is_given else 'last'}"
