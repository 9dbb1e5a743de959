"""Marked notes again, with other people's values in the places of their spans: more to learn from than was written.

What is said around a name stays and the name does not, so that a model learns the one and not the other by heart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from elision.document import Document
from elision.keys import Key
from elision.policy import Policy, Rule
from elision.replace.operators import PURPOSES, Secrets, Work, replacements
from elision.replace.originals import Originals
from elision.replace.scope import nothing
from elision.rewrite import rewrite

KEPT = "AGE", "SEX", "FAMILY_RELATION"  # stand-ins say the same again, or less


@cache
def _policy() -> Policy:
    rules = {"*": Rule("surrogate"), "DATE": Rule("shift"), **dict.fromkeys(KEPT, Rule("keep"))}
    return Policy("others", "learnt from", rules, keyed=True)


def with_others(notes: Sequence[Document], copies: int, seed: int = 0) -> Iterator[Document]:
    """The notes, and each so many times more; a note and its copies share a patient, so that they stay together."""
    theirs = [replace(note, patient=note.patient or f"{note.id or at}") for at, note in enumerate(notes)]
    yield from theirs
    for number in range(1, copies + 1):
        key = Key(hashlib.sha256(f"{seed} {number}".encode()).digest())
        secrets = {purpose: key.secret(purpose) for purpose in PURPOSES}
        for note in theirs:
            yield _with_others(replace(note, id=f"{note.id or note.patient}-{number}", known={}), secrets)


def _with_others(note: Document, secrets: Secrets) -> Document:
    done = replacements(Work(note, _policy(), secrets, Originals(()), nothing))
    values = [note.text_of(span) if what == "tag" else new for span, (what, new) in zip(note.spans, done, strict=True)]
    return rewrite(note, values)
