"""The same seed gives the same notes, byte for byte."""

from __future__ import annotations

import json

import pytest

from tests.synth.made_notes import FILE, digest, kinds, notes_of

DIGESTS = json.loads(FILE.read_text("utf-8"))


def test_every_kind_has_a_digest_of_its_own() -> None:
    assert list(DIGESTS) == list(kinds())
    assert len(set(DIGESTS.values())) == len(DIGESTS)


@pytest.mark.parametrize("kind", kinds())
def test_the_notes_are_the_same(kind: str) -> None:
    assert digest(notes_of(kind)) == DIGESTS[kind]
