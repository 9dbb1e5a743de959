"""What the packs of rules prove that they find: examples of each label, as they stand in notes."""

from __future__ import annotations

from functools import cache

from elision.keys import Key
from elision.replace.choices import Scope
from elision.rules.pack import read_pack
from elision.rules.proofs import marked

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pt", "zh")


@cache
def hits(*labels: str) -> list[tuple[str, str, str]]:
    """Language, label and text of each hit with one of these labels, once."""
    found = []
    for language in LANGUAGES:
        for row in read_pack(language).rows:
            for proof in row.hits if row.label in labels else ():
                text, stretches = marked(proof)
                found += [(language, row.label, text[start:end]) for start, end in stretches]
    return list(dict.fromkeys(found))


def scope(patient: str = "patient:1", language: str = "en", key: int = 1, purpose: str = "codes") -> Scope:
    return Scope(Key(bytes([key]) * 32).secret(purpose), patient, language)
