"""The check stands by itself: what an operator, a sweep or a rewrite should have prevented, it notices alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from elision.document import Document, Span
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.policy import parse
from elision.replace import operators
from elision.replace.check import Done, Problem, problems
from elision.replace.originals import Originals
from tests.notes import note
from tests.replace.generated import gold

KEY = Key(bytes(range(32)))
CANARY = "Quillfeather"
NOTE = note(f"[NAME_PATIENT Jane {CANARY}], born [DATE_BIRTH 3 May 1958], MRN [MEDICAL_RECORD 4711-0815]. No fever.")
STAND_IN = "Zuleika Penhaligon"


def checked(
    before: Document,
    new: Sequence[str],
    do: str = "surrogate",
    text: Callable[[str], str] = str,
    known: Callable[[str], bool] = lambda _: False,
) -> list[str]:
    """What the check says of a note that was rewritten by hand: it knows nothing of how that was done."""
    out, spans, at = "", list[Span](), 0
    for span, stand_in in zip(before.spans, new, strict=True):
        out += before.text[at : span.start]
        spans.append(Span(len(out), len(out) + len(stand_in), span.label))
        out, at = out + stand_in, span.end
    after = Document(text(out + before.text[at:]), before.id, spans=tuple(spans))
    originals = Originals((span.label, before.text_of(span)) for span in before.spans)
    done = [Done(do, stand_in) for stand_in in new]
    return [one.what for one in problems(before, after, done, originals, known)]


GOOD = (STAND_IN, "7 June 1959", "8253-6102")


def test_a_note_that_is_as_it_should_be_passes() -> None:
    assert checked(NOTE, GOOD) == []


@pytest.mark.parametrize(
    ("new", "do", "text", "why"),
    [
        ((f"Jane {CANARY}", *GOOD[1:]), "surrogate", str, "stand-in-is-original"),
        ((f"JANE {CANARY.upper()}", *GOOD[1:]), "surrogate", str, "stand-in-is-original"),
        ((f"jane-{CANARY}", *GOOD[1:]), "hash", str, "stand-in-is-original"),
        ((*GOOD[:2], "47110815"), "surrogate", str, "stand-in-is-original"),
        ((GOOD[0], "3 May 1958", GOOD[2]), "shift", str, "stand-in-is-original"),
        ((f"{STAND_IN} {CANARY}", *GOOD[1:]), "surrogate", str, "original-remains"),
        ((GOOD[0], GOOD[1], "x 4711-0815"), "surrogate", str, "original-remains"),
        (GOOD, "surrogate", lambda text: text.replace("fever", "fevers"), "text-outside-changed"),
        (GOOD, "surrogate", lambda text: text.replace(STAND_IN, "Zuleika Penhallow?"), "offsets-wrong"),
        (GOOD, "surrogate", lambda text: text.replace("fever", CANARY), "original-remains"),
    ],
)
def test_what_is_wrong_is_said(new: Sequence[str], do: str, text: Any, why: str) -> None:
    assert why in checked(NOTE, new, do, text)


def test_a_stand_in_that_is_somebodys_known_value_is_said() -> None:
    assert checked(NOTE, GOOD, known=lambda text: text == STAND_IN) == ["stand-in-is-known-value"]
    assert checked(NOTE, GOOD, "tag", known=lambda text: text == STAND_IN) == []


def test_spans_that_are_lost_are_said() -> None:
    originals = Originals(())
    assert problems(NOTE, NOTE.with_spans(NOTE.spans[1:]), [], originals, lambda _: False) == [Problem("spans-lost")]


@pytest.mark.parametrize("kind", ["name", "mrn"])
def test_a_known_value_is_noticed_where_no_operator_looks(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator that does not ask whether its stand-in is forbidden gives the name of another patient."""
    given = STAND_IN if kind == "name" else "8253-6102"
    monkeypatch.setattr(operators, "OPERATORS", {**operators.OPERATORS, "surrogate": lambda *_: given})
    label = "NAME" if kind == "name" else "ID"
    policy = parse(f'[labels]\n"*" = "tag"\n{label} = "surrogate"', "test.toml")
    other = Document("No fever.", "other", "another patient", known={kind: (given.upper(),)})
    cleaned, _ = Deidentifier([gold], policy=policy, key=KEY)([NOTE, other])
    assert cleaned.document is None
    assert cleaned.receipt.why == "stand-in-is-known-value"
    alone, _ = Deidentifier([gold], policy=policy, key=KEY)([NOTE, Document("No fever.", "other")])
    assert alone.document is not None


def test_what_no_detector_and_no_sweep_covered_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"Jane {CANARY} came. The {CANARY} family left."
    document = Document(text, "n", spans=(Span(0, 5 + len(CANARY), "NAME_PATIENT", 0.95),))
    monkeypatch.setattr("elision.replace.settling.overlooked_in", lambda *_: ([], []))
    (cleaned,) = Deidentifier([gold], memory=False)([document])
    assert cleaned.document is None
    assert cleaned.receipt.why == "original-remains"
