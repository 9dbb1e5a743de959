"""Notes to learn from: made ones in the shares that a language wants, and marked ones with other people in them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from elision.document import Document
from elision.keys import Key
from elision.languages.synth_data import language_named
from elision.languages.synth_lists import TRAIN
from elision.policy import Policy, Rule
from elision.replace.choices import nothing
from elision.replace.operators import PURPOSES, Secrets, Work, replacements
from elision.replace.originals import Originals
from elision.rewrite import rewrite
from elision.synth.generate import Maker
from elision.synth.profiles import read_profile


def made(language: str, count: int, side: str = TRAIN, seed: int = 0, *, written: bool = True) -> list[Document]:
    """About so many made notes of a language; without `written`, none of the whole notes with slots."""
    notes: list[Document] = []
    for name, share in language_named(language).mixture.items():
        profile = read_profile(name)
        if not written:
            profile = replace(profile, grammars={**profile.grammars, "written_*": 0.0})
        notes += Maker(profile, seed, side).notes(range(round(count * share)))
    return notes


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
