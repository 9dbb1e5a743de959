"""What must hold of every note that comes out, by every policy: told here again, without the checker."""

from __future__ import annotations

import re

import pytest

from elision.document import Document
from elision.keys import Key
from elision.languages.base import language
from elision.pipeline import Cleaned, Deidentifier
from elision.policy import Policy, policy_names
from elision.replace.originals import Originals, plain
from tests import EXAMPLES
from tests.replace.generated import generated, gold

NOTES = EXAMPLES * 4
KEY = Key(bytes(range(32)))


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", plain(text))


def cleaned(name: str, count: int, key: Key = KEY) -> list[Cleaned]:
    return Deidentifier([gold], policy=name, key=key)(generated(count))


@pytest.mark.parametrize("name", policy_names())
def test_every_generated_note_comes_out_sound(name: str) -> None:
    policy = Policy.named(name)
    out = cleaned(name, NOTES)
    assert [c.receipt.note for c in out if c.document is None] == []
    for document, (after, receipt, before, _) in zip(generated(NOTES), out, strict=True):
        assert before is not None
        assert after is not None
        assert before.text == document.text
        _assert_outside_unchanged(before, after)
        pairs = list(zip(before.spans, after.spans, strict=True))
        assert sum(sum(counts.values()) for counts in receipt.spans.values()) == len(pairs)
        replaced = [(a.label, before.text_of(a)) for a, b in pairs if policy.rule(a.label).do != "keep"]
        if name in ("tag", "redact"):  # nothing but tags is put in: what remains, remains outside
            text = re.sub(r"\[[A-Z_]+\]", " ", after.text)
            used = set(map(plain, language(document.language).words("used")))  # "niño", where Nino was replaced
            left = [text[found.start : found.end] for found in Originals(replaced).remaining(text)]
            assert [word for word in left if word[0].isupper() or plain(word) not in used] == []
        for a, b in pairs:
            if policy.rule(a.label).do in ("surrogate", "seal", "hash") and not a.label.startswith(("DATE", "AGE")):
                assert bare(before.text_of(a)) != bare(after.text_of(b))


def _assert_outside_unchanged(before: Document, after: Document) -> None:
    def outside(document: Document) -> list[str]:
        edges = [0, *(edge for span in document.spans for edge in (span.start, span.end)), len(document.text)]
        return [document.text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]

    assert outside(before) == outside(after)
    assert [span.label for span in before.spans] == [span.label for span in after.spans]


@pytest.mark.parametrize("name", ["tag", "redact", "safe-harbor", "limited-data-set"])
def test_a_second_run_changes_nothing(name: str) -> None:
    """With detectors that find every word with a capital and every number: all that is left of the first is tags."""
    first = [c.document for c in cleaned(name, max(NOTES // 10, 100)) if c.document]
    again = Deidentifier([lambda documents: [() for _ in documents]], policy=name)(first)
    assert [c.document.text for c in again if c.document] == [document.text for document in first]
    if name in ("tag", "redact"):
        tagged = Deidentifier([gold], policy=name)(first)  # the detector finds the tags themselves
        assert [c.document.text for c in tagged if c.document] == [document.text for document in first]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["surrogate", "research", "gdpr-pseudonymous"])
def test_order_and_company_change_nothing(name: str) -> None:
    notes = generated(200)
    deidentifier = Deidentifier([gold], policy=name, key=KEY)
    together = {c.receipt.note: c.document and c.document.text for c in deidentifier(notes)}
    backwards = {c.receipt.note: c.document and c.document.text for c in deidentifier(notes[::-1])}
    assert together == backwards
    without_memory = Deidentifier([gold], policy=name, key=KEY, memory=False)
    alone = {note.id: c.document and c.document.text for note in notes for c in without_memory([note])}
    at_once = {c.receipt.note: c.document and c.document.text for c in without_memory(notes)}
    assert alone == at_once


def test_another_key_makes_other_stand_ins() -> None:
    one, other = (cleaned("surrogate", 200, key) for key in (KEY, Key(bytes(32))))
    same = different = 0
    for a, b in zip(one, other, strict=True):
        assert a.document is not None
        assert b.document is not None
        for x, y in zip(a.document.spans, b.document.spans, strict=True):
            if x.label.startswith("NAME"):
                same += a.document.text_of(x) == b.document.text_of(y)
                different += 1
    assert different > 100
    assert same < different / 50
