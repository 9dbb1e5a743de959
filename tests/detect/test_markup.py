"""Notes with markup in them: what a browser would show as a name is found, and hidden with the markup inside it."""

from __future__ import annotations

import re
import time
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.detect.defaults import detectors_for
from elision.detect.markup import bare, unmarked
from elision.document import Document, Span
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.replace.originals import Originals
from elision.rules import Rules
from tests.notes import note
from tests.replace.generated import gold

KEY = Key(bytes(range(32)))
RULES = Deidentifier([Rules("en")])
READ = [
    ("Jane</b>&nbsp;<b>Doe", "Jane Doe"),
    ("DOB&nbsp;05&#47;03&#47;1958", "DOB 05/03/1958"),
    ("D&#111;e, D&#x6f;e, D&#X6F;e", "Doe, Doe, Doe"),
    ("Doe&amp;nbsp;Jane &amp;amp;#49;", "Doe Jane 1"),
    ("Ja<!-- a remark -->ne", "Jane"),
    ("<font color='red' size=2>Jane</font><br/>Doe", "Jane\nDoe"),
    ("<td>Jane</td><td>Doe</td>", "\tJane\t\tDoe\t"),
    ("<family>Doe</family><given>Jane</given>", " Doe  Jane "),
    ("&lt;b&gt;Ja&lt;/b&gt;ne", "Jane"),
    ("Quill&shy;feather&#8203;, J.&ensp;Doe&thinsp;&zwj;&#xA0;M.D.&#10;", "Quillfeather, J. Doe  M.D.\n"),
    ("Mu&ntilde;oz &amp; Nu&ntilde;ez", "Muñoz & Nuñez"),
]
PLAIN = [
    "", "<5 mg", "K < 3.5 > 2", "a<b", "a<b and c>d", "a < b > c", "&", "H&P", "R&D; AT&T", "<<", ">>", "<->", "</>",
    "& co;", "<jane.roe@example.org>", "<Jane>", "x <- 3 -> y", "S&W;", "&nosuchthing;", "BP <120/80>",
    "CD4<200&CD8>500",
]  # fmt: skip


@pytest.mark.parametrize(("text", "read"), READ)
def test_as_it_reads(text: str, read: str) -> None:
    assert bare(text) == read
    view = unmarked(text)
    assert view is not None
    for at, character in enumerate(view.text):
        start, end = view.original(at, at + 1)
        assert text[start:end] == character or text[start] in "&<"


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_markup_stays(text: str) -> None:
    assert unmarked(text) is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["J", "ñ", "7", "<", "&", " ", "李", "\n"]),
            st.sampled_from(["", "<b>", "</i>", "<!--x-->", "<a href='x'>"]),
        ),
        max_size=30,
    ),
    st.booleans(),
)
def test_every_character_finds_its_way_back(pieces: list[tuple[str, str]], numbers: bool) -> None:
    plain = "".join(character for character, _ in pieces)
    text = "".join((f"&#{ord(c)};" if numbers else escape(c)) + tag for c, tag in pieces)
    assert bare(text) == plain
    if view := unmarked(text):
        last = 0
        for at, character in enumerate(plain):
            start, end = view.original(at, at + 1)
            assert last <= start < end
            assert bare(text[start:end]) == character
            last = end


HIDDEN = [
    "Patient: Jane</b>&nbsp;<b>Quillfeather was well.",
    "Patient: Jane Quill<i>feather</i> was well.",
    "Patient:&nbsp;Jane&#32;Quillf&#101;ather was well.",
    "Dr. Quillfeather said so. Later Quill<wbr>feather and Qu&#105;llfeather left.",
    "Seen by <a title='Dr. Quillfeather' href=x>Dr. Quillfeather</a>.",
    "<family>Quillfeather</family>, seen by Dr. Quillfeather.",
    "DOB&nbsp;05&#47;03&#47;1958",
    "Patient: Jane Quillfeathe&#114; came, and later Quillfeath&eacute;",
    "Patient: Jane&ensp;Quill&shy;feather",
    "MRN:&nbsp;47<b>11</b>&#45;0815",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_disguised_by_markup_it_is_hidden_all_the_same(text: str) -> None:
    out = RULES.note(text, language="en").text
    assert not re.search("quillfeather|feather|1958|4711|0815", bare(out), re.IGNORECASE)


def test_the_model_sees_the_note_as_it_reads() -> None:
    both = Deidentifier(detectors_for("en"))
    out = both.note(
        "She was brought in by her daughter, Alma</b>&nbsp;<b>Whit<i>field</i>, on 3&nbsp;May.", language="en"
    )
    assert "Alma" not in out.text
    assert "field" not in out.text


def test_ordinary_signs_stay_as_they_are() -> None:
    text = "H&P: K < 3.5 > 2, <5 mg, a<b, R&D, << >>, Tom &amp; co, <b>Plan</b>: rest&nbsp;well."
    assert RULES.note(text, language="en").text == text


def test_what_one_note_tells_is_found_in_another_under_markup() -> None:
    notes = [
        Document("Patient: Jane</b>&nbsp;<b>Quillfeather, MRN: 4711-0815", "1", "p", "en"),
        Document("Quill&#102;eather came, 4711<b>-</b>0815. &nbsp;nbsp of no meaning", "2", "p", "en"),
    ]
    first, second = (cleaned.document for cleaned in RULES(notes))
    assert first is not None
    assert second is not None
    assert second.text == "[NAME] came, [MEDICAL_RECORD]. &nbsp;nbsp of no meaning"


def test_a_stand_in_takes_the_place_of_a_name_with_its_markup() -> None:
    document = Document("Jane</b>&nbsp;<b>Quillfeather and Jane Quillfeather", "1", "p", "en")
    spans = (Span(0, 29, "NAME_PATIENT"), Span(34, 51, "NAME_PATIENT"))
    ours = Deidentifier([lambda notes: [spans if note.text == document.text else () for note in notes]],
                        policy="surrogate", key=KEY)  # fmt: skip
    (cleaned,) = ours([document])
    assert cleaned.document is not None
    assert cleaned.document.text.startswith("[NAME] and ")
    assert "Quill" not in cleaned.document.text
    assert cleaned.receipt.warnings == {"no-stand-in": 1}


@pytest.mark.parametrize(
    "left", ["Quill<b>feather</b>", "Quill&#102;eather", "<i title='Quillfeather'>x</i>", "Quill<!---->feather"]
)
def test_the_check_finds_originals_under_markup(left: str) -> None:
    (found,) = Originals([("NAME_PATIENT", "Jane Quillfeather")]).remaining(f"He said {left}.")
    assert found.start >= 8
    assert "Quill" in f"He said {left}."[found.start : found.end]


def test_originals_are_looked_for_without_their_markup() -> None:
    originals = Originals([("NAME_PATIENT", "Jane</b>&nbsp;<strong>Quillfeather")])
    assert not originals.remaining("strong &nbsp;nbsp")
    assert originals.remaining("Quillfeather")


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["&", "<", "<a", "<a ", "&#", "&amp;", "<!--", "</a", "<a b=", "<a b='", "<b></b>", "&#32;", "<x></x>"]
)
def test_hostile_texts_take_time_in_proportion(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        took = []
        for _ in range(3):
            began = time.process_time()
            unmarked(text)
            took.append(time.process_time() - began)
        return min(took)

    seconds(1000)
    assert seconds(400_000) < 60 * max(seconds(20_000), 0.001)  # were it quadratic, it would be 400 times


@pytest.mark.parametrize("age", ["95", "9<b>5</b>", "9&#53;"])
def test_an_age_under_markup_is_that_age(age: str) -> None:
    """Whoever is over 89 has neither the age nor the year of birth left, however the age is written."""
    marked = note(f"aged [AGE {age}], born in [DATE_BIRTH 1931], seen [DATE 2021]")
    out = Deidentifier([gold], policy="safe-harbor").note(Document(marked.text, "1", language="en", spans=marked.spans))
    assert out.text in ("aged 90+, born in [DATE], seen 2021", "aged [AGE], born in [DATE], seen 2021")
