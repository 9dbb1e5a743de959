"""What can be put in the place of an identifier.

Each operator sees the whole note and gives a string, or None if it cannot: then the label stands there, never the
original.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property

from elision.detect.markup import bare
from elision.document import Document, Span
from elision.keys import Secret
from elision.labels import parent
from elision.languages.base import DEFAULT
from elision.policy import Policy, Rule
from elision.replace.cast import Cast
from elision.replace.check import Done
from elision.replace.choices import Called, Scope
from elision.replace.earlier import hash_token
from elision.replace.listed import NOTHING, Listed
from elision.replace.numbers import called, numbers_of, value_of
from elision.replace.originals import Originals
from elision.replace.staying import Staying

Secrets = Mapping[str, Secret]
PURPOSES = ("names", "codes", "dates", "hash", "seal", "receipts", "scopes")
CODES = frozenset(("ID", "OTHER"))


class Work:
    """A note with what replacing its spans needs: scopes, the shift of its dates, who is who."""

    def __init__(
        self,
        document: Document,
        policy: Policy,
        secrets: Secrets | None,
        originals: Originals,
        is_known: Callable[[str], bool],
        listed: Listed = NOTHING,
    ) -> None:
        self.listed = listed
        self.document = document
        self.policy = policy
        self.secrets = secrets
        self.originals = originals
        self.is_known = is_known

    @cached_property
    def patient(self) -> str:
        """Whose notes share stand-ins: the patient's, or, where none is named, this note alone."""
        document = self.document
        if document.patient:
            return f"patient:{document.patient}"
        if document.id:
            return f"note:{document.id}"
        return f"text:{self.secret('scopes').name(document.text)}"

    def secret(self, purpose: str) -> Secret:
        assert self.secrets is not None, "a policy that needs a key was given none"  # noqa: S101
        return self.secrets[purpose]

    def scope(self, purpose: str, whose: str = "") -> Scope:
        called = self._cast.called if purpose == "names" else Called()
        return Scope(
            self.secret(purpose), whose or self.patient, self.document.language or DEFAULT, self._forbidden, called
        )

    def _forbidden(self, candidate: str) -> bool:
        return self.originals.within(candidate) or self.is_known(candidate) or bool(self.listed.denied_in(candidate))

    @cached_property
    def names(self) -> Scope:
        return self.scope("names")

    @cached_property
    def codes(self) -> Scope:
        return self.scope("codes")

    def person(self, span: Span) -> Scope:
        """The scope of a name: the patient's, in which a word has one stand-in whatever the role of who is called so;
        clinicians' where the policy has theirs the same everywhere."""
        if self.policy.clinicians != "everywhere":
            return self.names
        return self._everywhere if self._cast.is_clinician(span) else self.names

    @cached_property
    def _everywhere(self) -> Scope:
        return self.scope("names", "clinicians")

    @cached_property
    def _cast(self) -> Cast:
        return Cast(self.document)

    @cached_property
    def days(self) -> int:
        from elision.replace.dates import days_of

        return days_of(self.scope("dates"), weeks=self.policy.weeks, forward=self.policy.forward)

    @cached_property
    def stays(self) -> Staying:
        return Staying(self.document, self.policy, self.listed.touches)

    def number(self, span: Span) -> int:
        """The number of the person, or of the value, among those of its kind in this note."""
        return self._numbers[span.start, span.end]

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], int]:
        return numbers_of(self.document)


Operator = Callable[[Work, Span, Rule], str | None]


def tag(work: Work, span: Span, rule: Rule) -> str:
    if rule.text:
        return rule.text
    name = called(span.label)
    return f"[{name}_{work.number(span)}]" if rule.numbered else f"[{name}]"


def mask(work: Work, span: Span, _rule: Rule) -> str:
    return re.sub(r"\S", "*", work.document.text_of(span))


@cache
def _makers() -> tuple[Callable[..., str | None], ...]:
    """Loaded when a policy asks for stand-ins: their patterns and lists take a while."""
    from elision.replace import codes, contact, names, places

    return names.name, contact.contact, codes.code, places.place


def surrogate(work: Work, span: Span, rule: Rule) -> str | None:
    name, contact, code, place = _makers()
    text, label, kind = work.document.text_of(span), span.label, parent(span.label)
    if kind == "NAME":
        return name(text, work.person(span), label)
    if kind == "CONTACT":
        return contact(text, work.person(span) if label == "EMAIL" else work.codes, label)
    if kind in CODES:
        return code(text, work.codes, label, valid=work.policy.valid, days=work.days)
    if kind == "DATE":
        return shift(work, span, rule)
    if kind == "AGE":
        return generalise(work, span, rule)
    return place(text, work.names, label)


def shift(work: Work, span: Span, _rule: Rule) -> str | None:
    """The date moved; None for a feast, which would tell by how much the date beside it moved, as would its season."""
    from elision.replace.dates import shifted

    text, language = work.document.text_of(span), work.document.language or DEFAULT
    year = work.stays.life.first
    return shifted(text, work.days, language, year=year)


def generalise(work: Work, span: Span, rule: Rule) -> str | None:
    from elision.replace import ages, dates, postcodes

    text, language = work.document.text_of(span), work.document.language or DEFAULT
    if bare(text) != text:
        return None
    if span.label == "AGE":
        make = ages.capped if rule.cap else ages.generalised
        return make(text, language, rule.over)
    if span.label == "ZIP":
        return postcodes.zip3(text, language)
    if parent(span.label) == "DATE":
        life = work.stays.life
        if life.tells(span):
            return None
        return dates.year_only(text, language, year=life.century) or None
    return None


def shuffle(work: Work, span: Span, rule: Rule) -> str | None:
    """Another name of the list, the same in all notes; a stand-in for what is not in it."""
    from elision.replace.shuffling import dealt

    return dealt(work.document.text_of(span), work.scope("names", "all"), rule.among) or surrogate(work, span, rule)


def hashed(work: Work, span: Span, _rule: Rule) -> str:
    value = value_of(work.document, span)
    secret = work.secret("hash")
    return hash_token(called(span.label), secret.name(parent(span.label), value), secret)


def seal(work: Work, span: Span, _rule: Rule) -> str:
    from elision.evidence import seal as sealing

    note = work.document.id or work.patient
    return sealing.seal(
        work.document.text_of(span), work.secret("seal"), note=note, label=span.label, position=span.start
    )


OPERATORS: Mapping[str, Operator] = {
    "tag": tag, "mask": mask, "surrogate": surrogate, "shift": shift,
    "generalise": generalise, "shuffle": shuffle, "hash": hashed, "seal": seal,
}  # fmt: skip
_BY_TEXT = frozenset(("surrogate", "shift", "shuffle"))  # not generalise: what a year tells, the words around it decide
_WORDS = frozenset((*_BY_TEXT, "generalise"))  # what these write may be a word that is denied
_LABEL = Rule("tag")


def replacements(work: Work) -> list[Done]:
    """What stands in for each span of the note, and how it came about."""
    done = []
    text = work.document.text
    rules: dict[str, Rule] = {}
    made: dict[tuple[str, str], str | None] = {}  # what depends on label and text alone is made once
    for span in work.document.spans:
        label = span.label
        rule = rules.get(label)
        if rule is None:
            rule = rules[label] = work.policy.rule(label)
        if work.stays(span):
            done.append(Done("keep", text[span.start : span.end]))
            continue
        if rule.do == "keep":  # a place that may be a person
            new = None
        elif rule.do in _BY_TEXT:
            what = label, text[span.start : span.end]
            if what not in made:
                made[what] = OPERATORS[rule.do](work, span, rule) if bare(what[1]) == what[1] else None
            new = made[what]
        else:
            new = OPERATORS[rule.do](work, span, rule)
        if new is not None and rule.do in _WORDS and work.listed.denied_in(new):
            new = None
        done.append(Done("tag", tag(work, span, _LABEL)) if new is None else Done(rule.do, new))
    return done
