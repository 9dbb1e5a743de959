"""Which of the identifiers that were found stay in a note as they are, because its policy says so.

A label that is kept, where a place is surely one; ages up to the limit, weekdays and years alone, where the policy
keeps these. All else is replaced, and must not remain.
"""

from __future__ import annotations

from functools import cached_property

from elision.detect.markup import bare
from elision.document import Document, Span
from elision.labels import parent
from elision.languages.base import DEFAULT
from elision.policy import REST, Policy
from elision.replace.ages import OVER, age_over
from elision.replace.long_lives import Life
from elision.replace.places_kept import LABELS, Places


class Staying:
    """Tells of each span of a note whether it stays as it is."""

    def __init__(self, document: Document, policy: Policy) -> None:
        self._document = document
        self._policy = policy
        self._dates = "keep" in (policy.weekdays, policy.years)

    def __call__(self, span: Span) -> bool:
        policy = self._policy
        rule = policy.rule(span.label)
        if rule.do == "keep":
            return span.label not in LABELS or self._places.surely(span)
        text, language = bare(self._document.text_of(span)), self._document.language or DEFAULT
        if span.label == "AGE" and policy.ages == "keep":
            return age_over(text, language, rule.over) is False
        if self._dates and parent(span.label) == "DATE":
            kind = _says_only(text, language)
            if kind == "y" and policy.years == "keep":
                return not self.life.tells(span)
            return kind == "w" and policy.weekdays == "keep"
        return False

    @cached_property
    def life(self) -> Life:
        rule = self._policy.rules.get("AGE") or self._policy.rules.get(REST)
        return Life(self._document, rule.over if rule else OVER)

    @cached_property
    def _places(self) -> Places:
        return Places(self._document)


def _says_only(text: str, language: str) -> str:
    """The role of all fields of a date, if they have one: w for weekdays, y for years; "" otherwise."""
    from elision.replace.dates import read

    found = read(text, language)
    roles = {field.role for field in found.fields} if found else set()
    return roles.pop() if len(roles) == 1 else ""
