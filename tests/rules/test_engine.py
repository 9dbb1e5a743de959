"""The rule engine: offsets of the original, lines that go on, what is no identifier, nothing missed in silence."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, covered
from elision.rules import Pack, Rules, Sure
from elision.rules.engine import lines
from elision.rules.proofs import marked
from elision.rules.row import NOT, row_of
from tests.notes import note


def pack(*rows: tuple[str, str] | tuple[str, str, float]) -> Pack:
    made = []
    for at, (label, pattern, *score) in enumerate(rows):
        found = {"name": f"r{at}", "label": label, "pattern": pattern, "case": "exact", "score": (*score, 0.9)[0]}
        made.append(row_of(found, f"rule {at}", "p", {}))
    return Pack("p", tuple(made))


DATES = pack(
    ("DATE", r"\d{1,2}[/-]\d{1,2}[/-]\d{4}"), ("NAME_OTHER", r"Dr (\p{Lu}\pL{1,20})"), ("ZIP", r"\d{4} [A-Z]{2}")
)
TOGETHER, ALONE = Rules(DATES), [Rules(Pack("p", (row,))) for row in DATES.rows]

DISGUISED = [
    "seen [DATE 3/5/2020].",
    "seen [DATE ３/５/２０２０].",
    "seen [DATE 3\u200b/5/20\u00ad20].",
    "seen [DATE 3\u20115\u20112020].",
    "seen \u202e[DATE 3/5/2020]\u202c.",
    "\ufeffDr\u00a0[NAME_OTHER Ünal] and Dr [NAME_OTHER U\u0308nal]",
    "Dr [NAME_OTHER Rоe], with a Cyrillic о",
    "😀 Dr [NAME_OTHER Roe] 😀 [ZIP 1234 AB]\r\n",
]


@pytest.mark.parametrize("text", DISGUISED)
def test_disguises_are_seen_through_at_exact_offsets(text: str) -> None:
    document = note(text)
    found = Rules(DATES).spans(document.text)
    assert [(s.start, s.end, s.label) for s in found] == [(s.start, s.end, s.label) for s in document.spans]


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("x" * 60 + " Dr\nRoe", True),
        ("x" * 60 + " Dr\r\nRoe", True),
        ("x" * 60 + " Dr.\nRoe", False),
        ("x" * 60 + " Dr\n\nRoe", False),
        ("x" * 60 + " Dr\n- Roe", False),
        ("x" * 60 + " Dr\nRoe: 12", False),
        ("x" * 60 + " Dr\nRoe of the ward:\n", False),
        ("x" * 60 + " Dr\nRoe who told us this: 12", True),
        ("x" * 60 + " Dr\nRoe:12", True),
        ("short Dr\nRoe", False),
        ("2 | " + "x" * 60 + " Dr\nRoe | 12", False),
        ("2\t" + "x" * 60 + " Dr\nRoe\t12", False),
        ("2 | " + "x" * 60 + " Dr\nRoe 12", True),
        ("y" * 70 + "\n" + "x" * 60 + " Dr\nRoe 12", False),  # there was room for more
        ("y" * 66 + "\n" + "x" * 60 + " Dr\nRoe 12", True),
        ("x" * 60 + " Dr\nRoe 12\n" + "y" * 70, False),
        ("x" * 60 + " Dr\nRoe 12\n\n" + "y" * 70, True),
    ],
)
def test_a_line_that_was_broken_to_fit_goes_on(text: str, goes_on: bool) -> None:
    rules = Rules(pack(("NAME_OTHER", r"Dr[ \t]{1,3}(Roe)")))
    found = [text[span.start : span.end] for span in rules.spans(text)]
    assert found == (["Roe"] if goes_on else [])


@given(st.text(st.sampled_from("ab. \n\r\t\x00é😀"), max_size=300))
def test_lines_are_where_they_say(text: str) -> None:
    again = [(first, line) for first, line in lines(text)]
    ours, theirs = "".join(line for _, line in again), text
    for blank in "\n\r ":
        ours, theirs = ours.replace(blank, ""), theirs.replace(blank, "")
    assert ours == theirs
    for first, line in again:
        original = text[first : first + len(line)]
        assert all(a == b or (a in "\r\n" and b == " ") for a, b in zip(original, line, strict=True))


def test_what_is_no_identifier_beats_what_is_not_stronger() -> None:
    rows = [("NAME_OTHER", "Foley", 0.6), ("NAME_CLINICIAN", "Dr (Foley)", 0.95), ("NOT", "Foley catheter", 0.9)]
    rules = Rules(pack(*rows))
    assert [s.label for s in rules.spans("Foley")] == ["NAME_OTHER"]
    assert rules.spans("a Foley catheter") == ()
    assert [s.label for s in rules.spans("Dr Foley catheter")] == ["NAME_CLINICIAN"]
    why = {match.row.id: match.why_not for match in rules.judged("a Foley catheter")}
    assert why == {"p/r0": "p/r2 says that this is no identifier", "p/r2": "it says that this is no identifier"}


def test_a_detector_keeps_to_the_order_of_notes() -> None:
    notes = [note("on [DATE 1/2/2020]"), Document(""), note("Dr [NAME_OTHER Roe]")]
    found = Rules(DATES).detect([document.with_spans(()) for document in notes])
    for document, spans in zip(notes, found, strict=True):
        assert [(s.start, s.end) for s in spans] == [(s.start, s.end) for s in document.spans]


@given(st.text(st.sampled_from("Dr RoeÜ12/-34AB\n\t .６\u200b\u0301病😀\ud800"), max_size=80))
def test_the_set_of_all_rows_never_hides_what_a_row_alone_finds(text: str) -> None:
    alone = [(m.start, m.end, m.row.id) for rules in ALONE for m in rules.matches(text)]
    assert sorted((m.start, m.end, m.row.id) for m in TOGETHER.matches(text)) == sorted(alone)
    spans = TOGETHER.spans(text)
    assert covered(spans) == covered([span for rules in ALONE for span in rules.spans(text)])
    assert all(0 <= s.start < s.end <= len(text) for s in spans)


def test_a_note_of_ten_megabytes_in_one_line() -> None:
    text = (f"{'on examination the lungs are clear, é; ' * 50}seen 3/5/2020 by Dr Roe; " * 5_300)[
        :10_000_000
    ] + "Dr Poe"
    found = Rules(DATES).spans(text)
    assert 10_000 < len(found) < 11_000
    assert {text[span.start : span.end] for span in found} == {"3/5/2020", "Roe", "Poe"}


def test_an_endless_run_of_empty_notes_comes_out() -> None:
    found = Rules(DATES).tag(Document("") for _ in itertools.count())
    assert [document.spans for document in itertools.islice(found, 3)] == [(), (), ()]


def test_stretches_that_are_no_identifier_are_told_beside_those_that_are() -> None:
    rules = Rules("en")
    text = "Foley catheter, Eliquis; Dr. Roe"
    (nothing, looked) = rules.looked_at(["", text])
    assert not nothing.spans
    assert not nothing.harmless
    assert [text[span.start : span.end] for span in looked.spans] == ["Roe"]
    assert {text[start:end] for start, end in looked.harmless} == {"Foley catheter", "Foley", "Eliquis"}
    assert rules.spans(text) == looked.spans


def test_sure_rules_leave_out_weak_rows_of_ours_and_none_of_others(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    row = 'name = "zed"\nlabel = "ID_OTHER"\npattern = "zed[0-9]{1,3}"\nscore = 0.2\nhits = ["[zed7]"]\n'
    own.write_text(f"[[rule]]\n{row}")
    rules = Rules("en", own)
    weak = [row for row in rules.rows if row.score < 0.7 and row.label != NOT and row.id.startswith("en/")]
    assert weak
    found = {span.source for row in weak for hit in row.hits for span in rules.detect([Document(marked(hit)[0])])[0]}
    sure = Sure(rules, 0.7)
    left = {span.source for row in weak for hit in row.hits for span in sure.detect([Document(marked(hit)[0])])[0]}
    assert found & {row.origin for row in weak}
    assert not left & {row.origin for row in weak}
    assert [span.label for span in sure.detect([Document("see zed7")])[0]] == ["ID_OTHER"]
    assert sure.version == rules.version
