"""Who is who in a note, for the choice of stand-ins: the patient's people, clinicians, and what they are called."""

from __future__ import annotations

import re
from functools import cached_property

from elision.detect.kinds import kind_of
from elision.detect.lists import DROPPED, PARTICLES
from elision.detect.markup import bare
from elision.document import Document, Span
from elision.labels import parent
from elision.replace.choices import Called
from elision.replace.numbers import words_of
from elision.replace.words import plain

_WORD = re.compile(r"[^\W\d_]{2,}")
_THEIRS = frozenset(("NAME_PATIENT", "NAME_RELATIVE"))
_UNNAMED = frozenset(("INITIALS", "USERNAME"))
_INITIALS = 3  # letters in capitals that may be initials in a name that is not all in capitals: Roe JR


class Cast:
    """The people of a note by the spans of their names, and by what its record states."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._spans = [
            (span.label, bare(document.text_of(span)))
            for span in document.spans
            if parent(span.label) == "NAME" and span.label not in _UNNAMED
        ]
        self._stated = [
            (kind.label, value)
            for name, values in document.known.items()
            if (kind := kind_of(name)).how == "name"
            for value in values
        ]

    @cached_property
    def called(self) -> Called:
        """The plain words by which people are called here: of names that the record states, and of those that the note
        has, if they are not written as initials may be."""
        written = (
            word
            for _, name in (*self._stated, *self._spans)
            for word in _WORD.findall(name)
            if not word.isupper() or len(word) > _INITIALS or self._is_in_capitals(name)
        )
        return Called(frozenset(map(plain, written)) - DROPPED - PARTICLES)

    def _is_in_capitals(self, name: str) -> bool:
        """Whether a name that the record states is all in capitals, as registries have them: NG, MEI."""
        return name.isupper() and any(name == value for _, value in self._stated)

    def is_clinician(self, span: Span) -> bool:
        """Whether a name is a clinician's: it is labelled so and is not the patient's, or shares a word with one of no
        other role. "Dr. Roe" is the patient Jane Roe if no other Roe treats her."""
        words = words_of(self._document.text_of(span))
        if span.label == "NAME_CLINICIAN":
            return not self._is_theirs(words)
        return span.label not in _THEIRS and bool(self._clinician_words & words)

    def _is_theirs(self, words: frozenset[str]) -> bool:
        if not any(words <= theirs for theirs in self._patients):
            return False
        return not any(words < others for others in self._clinicians if not any(others <= p for p in self._patients))

    @cached_property
    def _patients(self) -> list[frozenset[str]]:
        return [words_of(name) for label, name in (*self._stated, *self._spans) if label in _THEIRS]

    @cached_property
    def _clinicians(self) -> list[frozenset[str]]:
        return [words_of(name) for label, name in self._spans if label == "NAME_CLINICIAN"]

    @cached_property
    def _clinician_words(self) -> frozenset[str]:
        return frozenset().union(*self._clinicians).difference(*self._patients)
