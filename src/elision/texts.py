"""One note, with all that comes with elision for its language: found, cleaned, or redacted and restored.

    elision.detect(text)                        # spans
    elision.deidentify(text)                    # a text with labels, or what a policy says
    safe = elision.redact(text)                 # safe.text for somebody else, safe.mapping stays here
    elision.restore(answer, safe.mapping)       # an answer to it, with the originals in their places

A text without a word, such as "" or blanks, comes out as it is. A text that does not tell its language is held, as is
one that cannot be made sure: then these raise `HeldError`, which says what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from elision.detect.base import Detector
from elision.detect.defaults import beside, detectors_for
from elision.detect.kinds import kind_of, kinds
from elision.document import Document, Known, Span
from elision.effort import effort_of
from elision.errors import HeldError, PolicyError
from elision.keys import Key
from elision.languages.base import code_of
from elision.languages.telling.deciding import advice, check_codes, decide
from elision.notebook import marked
from elision.pipeline import Cleaned, Deidentifier
from elision.policy import Policy
from elision.replace.numbers import called, numbers_of
from elision.replace.word_lists import Words
from elision.rewrite import rewrite

Values = Mapping[str, str | Iterable[str]]


def detect(
    text: str | Document,
    *,
    language: str = "",
    default_language: str = "",
    known: Values | None = None,
    patient: str = "",
    dial: float | None = None,
    effort: str | None = None,
    allow: Words | None = None,
    deny: Words | None = None,
) -> tuple[Span, ...]:
    """The spans that would be replaced in a note: disjoint, in order, each with its label."""
    note = _note(text, known, patient)
    before = _cleaned(note, language, default_language, "tag", None, dial, effort, allow, deny).before
    return before.spans if before else ()


def deidentify(
    text: str | Document,
    *,
    language: str = "",
    default_language: str = "",
    policy: str | Path | Policy = "tag",
    key: Key | str | Path | None = None,
    known: Values | None = None,
    patient: str = "",
    dial: float | None = None,
    effort: str | None = None,
    allow: Words | None = None,
    deny: Words | None = None,
) -> str:
    """One note as a text, de-identified. If it is held, an error.

    `language` says which it is; without it, the note tells, and `default_language` serves one that does not. `known` is
    what the record states of the patient, such as {"name": "…", "mrn": ["…"]}: it is searched in all spellings. Notes
    with the same `patient` share stand-ins and the shift of dates, where the policy makes some. `allow` and `deny` are
    words that are never removed, and always: a list, a mapping from labels to lists, or a file by its path."""
    note = _note(text, known, patient)
    cleaned = _cleaned(note, language, default_language, policy, key, dial, effort, allow, deny).document
    assert cleaned is not None  # noqa: S101
    return cleaned.text


@dataclass(frozen=True, slots=True, repr=False)
class Redacted:
    """A text with placeholders, the spans of these, and what each stands for."""

    text: str
    spans: tuple[Span, ...] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Redacted: {len(self.text):,} characters, {len(self.mapping):,} placeholders>"

    def _repr_html_(self) -> str:
        return marked(repr(self), self.text, [(span.start, span.end, span.label) for span in self.spans])


def redact(
    text: str | Document,
    *,
    language: str = "",
    default_language: str = "",
    known: Values | None = None,
    patient: str = "",
    dial: float | None = None,
    effort: str | None = None,
    allow: Words | None = None,
    deny: Words | None = None,
) -> Redacted:
    """A note with a placeholder for each identifier, such as [NAME_1], and the mapping back.

    What is written alike has one placeholder. A person's other names differ by a letter: [NAME_1b]. No placeholder
    stands in the text already. The mapping holds the originals: keep it where the note may be kept.
    """
    note = _note(text, known, patient)
    before = _cleaned(note, language, default_language, "tag", None, dial, effort, allow, deny).before
    if before is None or not before.spans:
        return Redacted(note.text)
    placeholders = placeholders_of(before)
    after = rewrite(before, placeholders)
    mapping = {new: before.text_of(span) for span, new in zip(before.spans, placeholders, strict=True)}
    if restore(after.text, mapping) != note.text:
        raise HeldError(f"{note.name} is held: not-restored; report it as a bug of elision")
    return Redacted(after.text, after.spans, mapping)


def restore(text: str, mapping: Mapping[str, str]) -> str:
    """A text with the originals in the place of their placeholders, wherever these stand. All else stays as it is."""
    _refuse(text, mapping)
    if not mapping:
        return text
    either = "|".join(map(re.escape, sorted(mapping, key=len, reverse=True)))
    return re.sub(either, lambda found: mapping[found[0]], text)


def _refuse(text: object, mapping: object) -> None:
    if not isinstance(text, str) or not isinstance(mapping, Mapping):
        what = f"{type(text).__name__} and {type(mapping).__name__}"
        raise TypeError(f"restore takes a text and the mapping of what `redact` gave, not {what}")


_LETTERS = ("", *"bcdefghijklmnopqrstuvwxyz")


def placeholders_of(note: Document, ending: Callable[[str], str] = lambda _: "") -> list[str]:
    """For each span its placeholder: the same for what is written alike, and none that stands in the note already.
    `ending` gives what stands in it behind the kind and the number."""
    numbers, taken = numbers_of(note), dict[tuple[str, str], str]()
    used: dict[tuple[str, int], list[str]] = {}  # by the kind and the number in the note
    last: dict[str, int] = {}
    for span in note.spans:
        name, written = called(span.label), note.text_of(span)
        if (name, written) in taken:
            continue
        forms = used.setdefault((name, numbers[span.start, span.end]), [])
        if not forms:
            number = last.get(name, 0) + 1
            while f"[{name}_{number}" in note.text:
                number += 1
            last[name] = number
            forms += [f"{name}_{number}{letter}" for letter in reversed(_LETTERS)]
        form = forms.pop()
        taken[name, written] = f"[{form}{ending(form)}]"
    return [taken[called(span.label), note.text_of(span)] for span in note.spans]


def _note(text: object, known: Values | None, patient: str) -> Document:
    """The note with what is said of it besides."""
    if not isinstance(text, str | Document):
        raise TypeError(
            f"this takes one note, a str or a Document, not {type(text).__name__}; for many, make a Deidentifier "
            "and call it with them"
        )
    note = text if isinstance(text, Document) else Document(text)
    return replace(note, patient=patient or note.patient, known={**note.known, **known_of(known or {})})


def known_of(values: Values) -> Known:
    """Values by kind, of which one may be a mere text."""
    for kind in values:
        if kind_of(kind).label == "OTHER" and kind.upper() != "OTHER":
            there = ", ".join(kinds())
            raise PolicyError(f"known values: no kind {kind[:20]!r}; there are all labels, and {there}")
    return {kind: (value,) if isinstance(value, str) else tuple(value) for kind, value in values.items()}


def _cleaned(
    note: Document,
    language: str,
    default: str,
    policy: str | Path | Policy,
    key: Key | str | Path | None,
    dial: float | None,
    said: str | None,
    allow: Words | None,
    deny: Words | None,
) -> Cleaned:
    """The note, cleaned by what comes with elision for its language; if it is held, an error."""
    effort = effort_of(said)
    check_codes(language, default, encoded=effort.encoded)
    spoken = decide(note.text, stated=note.language, language=language, default=default, encoded=effort.encoded)
    if spoken.why:
        raise held(note, spoken.why)
    further = [one for each in spoken.also for one in detectors_of(each, dial, effort)]
    detectors = [*detectors_of(code_of(spoken.language), dial, effort), *beside(spoken.language, further)]
    ready = replace(note, spans=(), language=spoken.language, sure=spoken.sure, also=spoken.also)
    cleaned = Deidentifier(detectors, policy=policy, key=key, allow=allow, deny=deny)([ready])[0]
    if cleaned.document is None:
        raise held(note, cleaned.receipt.why)
    return cleaned


def held(note: Document, why: str) -> HeldError:
    what = note.name if note.id else "the note"
    todo = f"; {said} (in Python, language= or default_language=)" if (said := advice(why)) else ""
    return HeldError(f"{what} is held: {why}{todo}")


@lru_cache(maxsize=8)
def detectors_of(language: str, dial: float | None, effort: str) -> list[Detector]:
    return detectors_for(language, dial=dial, effort=effort)
