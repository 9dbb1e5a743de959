"""A note is held if an original remains, and only then: what causes that, and how a second look mends it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.keys import Key
from elision.pipeline import Cleaned, Deidentifier
from elision.replace.check import REMAINS, Done, Problem, problems
from elision.replace.originals import Originals
from elision.replace.sweep import cut_in

KEY = Key(bytes(range(32)))


def cleaned(text: str, *found: tuple[str, str], memory: bool = True) -> Cleaned:
    """What becomes of a note in which a detector finds these stretches, each at its next place, and nothing else."""

    def detect(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        spans, at = [], 0
        for label, stretch in found:
            at = text.index(stretch, at)
            spans.append(Span(at, at + len(stretch), label, 0.9))
            at += len(stretch)
        return [tuple(spans) for _ in documents]

    return Deidentifier([detect], policy="surrogate", key=KEY, memory=memory)(
        [Document(text, "n1", patient="p1", language="en")]
    )[0]


CUT = [  # a value is found whole in one place, and in pieces in another
    ("Admitted to Glen Quill General\nHospital. CABG at Glen Quill\nGeneral Hospital in May.",
     [("HOSPITAL", "Glen Quill General"), ("HOSPITAL", "Hospital"), ("HOSPITAL", "Glen Quill"),
      ("HOSPITAL", "General Hospital")], ("Quill",)),
    ("LOS 18-Feb-2064 to27-Fb-2064. Seen 18-Feb-2064, then 27-Fb-2064.",
     [("DATE", "18-Feb-2064"), ("DATE", "27-Fb-2064"), ("DATE", "18-Feb-2064"), ("DATE", "2064")], ("27-Fb",)),
    ("MRN 4471-09358, and 4471-09358 on the card.",
     [("MEDICAL_RECORD", "4471-09358"), ("MEDICAL_RECORD", "4471")], ("09358", "4471")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found", "gone"), CUT, ids=["a broken line", "a date", "a number"])
def test_a_value_that_was_found_in_pieces_goes_whole(
    text: str, found: list[tuple[str, str]], gone: tuple[str, ...]
) -> None:
    out = cleaned(text, *found).document
    assert out is not None
    assert not any(word in out.text for word in gone)


@pytest.mark.parametrize(
    ("date", "moved", "same"),
    [
        ("12/4/2021", "1/24/2021", False),
        ("11/1/83", "1/11/83", False),
        ("12/4/2021", "12-4-2021", True),
        ("12/4/2021", "1242021", True),
        ("12/4/2021", "12/4/2021", True),
        ("3 May 2020", "3May2020", True),
    ],
)
def test_a_moved_date_with_the_digits_of_the_true_one_is_another_date(date: str, moved: str, same: bool) -> None:
    before, after = (Document(f"Seen {one}.", spans=(Span(5, 5 + len(one), "DATE"),)) for one in (date, moved))
    wrong = problems(before, after, [Done("shift", moved)], Originals([("DATE", date)]), lambda _: False)
    assert wrong == ([Problem("stand-in-is-original", "DATE", 5, 5 + len(date))] if same else [])


def test_a_number_with_the_digits_of_the_true_one_is_the_true_one() -> None:
    before, after = (
        Document(f"MRN {one}.", spans=(Span(4, 4 + len(one), "MEDICAL_RECORD"),)) for one in ("12-4-2021", "1-24-2021")
    )
    wrong = problems(
        before, after, [Done("surrogate", "1-24-2021")], Originals([("MEDICAL_RECORD", "12-4-2021")]), lambda _: False
    )
    assert wrong[0].what == "stand-in-is-original"


def test_the_place_of_what_remains_is_told_in_the_note_that_went_in() -> None:
    """Behind a stand-in of another length, in one, and over its edge."""
    text = "Jane Quillfeather was well. Quillfeather left."
    before = Document(text, spans=(Span(0, 17, "NAME_PATIENT"),))
    after = Document("[NAME] was well. Quillfeather left.", spans=(Span(0, 6, "NAME_PATIENT"),))
    originals = Originals([("NAME_PATIENT", "Jane Quillfeather")])
    wrong = problems(before, after, [Done("tag", "[NAME]")], originals, lambda _: False)
    assert wrong == [Problem(REMAINS, "NAME_PATIENT", 28, 40)]
    assert text[28:40] == "Quillfeather"


def test_a_held_note_tells_the_label_and_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elision.replace.settling.overlooked_in", lambda *_: ([], []))
    held = cleaned(
        "Jane Quillfeather was well. Quillfeather left.", ("NAME_PATIENT", "Jane Quillfeather"), memory=False
    )
    assert held.document is None
    assert held.receipt.why == REMAINS
    assert held.wrong == Problem(REMAINS, "NAME_PATIENT", 28, 40)


VALUES = {"MEDICAL_RECORD": "4471-09358", "NAME_PATIENT": "Jane Quillfeather", "STREET": "14 Quillfeather Lane"}


@given(st.sampled_from(sorted(VALUES)), st.data())
def test_whatever_pieces_are_found_nothing_remains(label: str, data: st.DataObject) -> None:
    value = VALUES[label]
    start = data.draw(st.integers(0, len(value) - 1))
    piece = value[start : data.draw(st.integers(start + 1, len(value)))].strip(" -")
    if not piece:
        return
    text = f"Here {value} stood. Then came {value} again, and was well."
    out = cleaned(text, (label, value), (label, piece)).document
    if out is not None:
        assert not Originals([(label, value)], "en").remaining(out.text)
        assert not re.search(r"Quillfeather|09358", out.text)


@given(st.data())
def test_what_is_cut_is_covered_with_all_that_cuts_it(data: st.DataObject) -> None:
    text = "MRN 4471-09358, and 4471-09358 on the card."
    edges = sorted(data.draw(st.sets(st.integers(20, 30), min_size=2, max_size=6)))
    pieces = [Span(a, b, "MEDICAL_RECORD", 0.9) for a, b in zip(edges[::2], edges[1::2], strict=False)]
    document = Document(text, spans=(Span(4, 14, "MEDICAL_RECORD"), *pieces))
    cut = cut_in(document, Originals([("MEDICAL_RECORD", "4471-09358")]))
    whole = any((piece.start, piece.end) == (20, 30) for piece in pieces)
    assert [(one.start, one.end) for one in cut] == ([] if whole else [(20, 30)])
