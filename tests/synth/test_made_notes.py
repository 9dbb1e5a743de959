"""The same seed gives the same notes, byte for byte."""

from __future__ import annotations

import json

import pytest

from elision.languages.synth_data import languages_made
from elision.languages.synth_lists import BOTH
from tests.synth.made_notes import FILE, digest, kinds, notes_of

DIGESTS = json.loads(FILE.read_text("utf-8"))
QUICK = {"inject", *languages_made()}  # the others have shares of labels to aim at, which takes a while


def of_all_kinds() -> list[object]:
    """The quick ones of one side each time, the others in the slow lane."""
    return [
        kind if kind.split()[0] in QUICK and not kind.endswith(BOTH) else pytest.param(kind, marks=pytest.mark.slow)
        for kind in kinds()
    ]


def test_every_kind_has_a_digest_of_its_own() -> None:
    assert list(DIGESTS) == list(kinds())
    assert len(set(DIGESTS.values())) == len(DIGESTS)


@pytest.mark.parametrize("kind", of_all_kinds())
def test_the_notes_are_the_same(kind: str) -> None:
    assert digest(notes_of(kind)) == DIGESTS[kind]
