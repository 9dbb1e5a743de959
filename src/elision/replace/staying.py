"""Which of the identifiers that were found stay in a note as they are, because its policy says so.

A label that is kept, where a place is surely one; ages up to the limit, weekdays and years alone, where the policy
keeps these. All else is replaced, and must not remain.
"""

from __future__ import annotations

from elision.detect.markup import bare
from elision.document import Document, Span
from elision.labels import parent
from elision.policy import Policy
from elision.replace.places_kept import LABELS, surely_a_place


def stays(document: Document, span: Span, policy: Policy) -> bool:
    """Whether a span of the note stays as it is."""
    rule = policy.rule(span.label)
    if rule.do == "keep":
        return span.label not in LABELS or surely_a_place(document, span)
    if span.label == "AGE" and policy.ages == "keep":
        from elision.replace.ages import age_over

        return age_over(bare(document.text_of(span)), document.language or "en", rule.over) is False
    if parent(span.label) == "DATE" and "keep" in (policy.weekdays, policy.years):
        kind = _says_only(bare(document.text_of(span)), document.language or "en")
        return (kind == "w" and policy.weekdays == "keep") or (kind == "y" and policy.years == "keep")
    return False


def _says_only(text: str, language: str) -> str:
    """The role of all fields of a date, if they have one: w for weekdays, y for years; "" otherwise."""
    from elision.replace.dates import read

    found = read(text, language)
    roles = {field.role for field in found.fields} if found else set()
    return roles.pop() if len(roles) == 1 else ""
