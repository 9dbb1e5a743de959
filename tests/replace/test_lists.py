"""Lists of words: what is never removed, what always is, which of them wins, and lists that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import elision
from elision.detect.base import Detector
from elision.document import Document, Span
from elision.errors import HeldError, ListError
from elision.keys import Key
from elision.pipeline import Cleaned, Deidentifier
from elision.policy import parse
from elision.replace.word_lists import ALLOW, DENY, LONGEST, MOST_WORDS, WordList, word_list

KEY = Key(bytes(range(32)))
KEEPS = parse('[labels]\n"*" = "tag"\nCOUNTRY = "keep"', "keeps.toml")


def finds(**found: str) -> Any:
    """A detector that finds these patterns, by their labels."""

    def finding(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [
            tuple(
                Span(*match.span(), label, 0.95, "test")
                for label, pattern in found.items()
                for match in re.finditer(pattern, document.text)
            )
            for document in documents
        ]

    return finding


NAMES = finds(NAME_OTHER=r"Jane Foley|(?<!Jane )Foley|Roe", HOSPITAL="Kelp Hospital", COUNTRY="Kenya|Georgia")
NOTE = "Jane Foley came to Kelp Hospital. A Foley catheter was placed by Roe."


def one(text: str, detector: Detector | Any = NAMES, language: str = "en", **said: Any) -> Cleaned:
    known = said.pop("known", {})
    document = Document(text, "n1", "p1", language, known=known)
    return Deidentifier([detector], **said)([document])[0]


def clean(text: str, detector: Detector | Any = NAMES, **said: Any) -> str:
    done = one(text, detector, **said)
    assert done.document is not None, done.receipt.why
    return done.document.text


# -- what is allowed


def test_a_word_that_is_allowed_is_let_go_and_no_name_is_split() -> None:
    assert clean(NOTE) == "[NAME] came to [HOSPITAL]. A [NAME] catheter was placed by [NAME]."
    assert clean(NOTE, allow=["Foley"]) == "[NAME] came to [HOSPITAL]. A Foley catheter was placed by [NAME]."
    assert clean(NOTE, allow=["Foley", "kelp hospital"]) == (
        "[NAME] came to Kelp Hospital. A Foley catheter was placed by [NAME]."
    )


def test_words_that_are_let_go_may_be_said_of_a_name_too() -> None:
    assert clean("Foley Roe Roe, no. Kelp Roe  Roe", allow=["Roe"]) == "[NAME], no. Kelp Roe  Roe"


def test_names_that_touch_are_one_name() -> None:
    apart = finds(NAME_PATIENT="Jane", NAME_OTHER="Foley|Roe")
    assert clean("Seen: Foley, Jane today.", apart, allow=["Foley"]) == "Seen: [NAME], [NAME] today."
    assert clean("Seen: Foley. Then Jane.", apart, allow=["Foley"]) == "Seen: Foley. Then [NAME]."


def test_a_value_of_the_record_is_stronger_than_a_word_that_is_allowed() -> None:
    known = {"name": ("Jane Foley",)}
    assert "Foley" not in clean(NOTE, allow=["Foley", "Jane Foley"], known=known)
    assert "FOLEY" not in clean("Mrs FOLEY is well.", allow=["foley"], known=known)
    assert clean("Kelp Hospital.", allow=["Kelp Hospital"], known={"name": ("Ann Kelp",)}) == "[HOSPITAL]."


def test_a_value_that_another_note_of_the_patient_states_is_stronger_too() -> None:
    first = Document("She is well.", "1", "p1", "en", known={"name": ("Jane Foley",)})
    second = Document("A Foley catheter. Roe.", "2", "p1", "en")
    other = Document("A Foley catheter. Roe.", "3", "p2", "en")
    done = Deidentifier([NAMES], allow=["Foley"])([first, second, other])
    texts = [each.document.text for each in done if each.document]
    assert texts == ["She is well.", "A [NAME] catheter. [NAME].", "A Foley catheter. [NAME]."]


def test_a_word_that_is_denied_is_stronger_than_one_that_is_allowed() -> None:
    assert clean("A Foley catheter.", allow=["Foley"], deny=["Foley"]) == "A [OTHER] catheter."
    assert clean(NOTE, allow=["Kelp Hospital"], deny=["Kelp"]).count("Kelp") == 0


def test_a_word_is_allowed_for_a_label_or_its_parent() -> None:
    text = "Foley at Kelp Hospital."
    assert clean(text, allow={"NAME": ["Foley"]}) == "Foley at [HOSPITAL]."
    assert clean(text, allow={"NAME_OTHER": ["Foley"]}) == "Foley at [HOSPITAL]."
    assert clean(text, allow={"HOSPITAL": ["Foley", "Kelp", "hospital"]}) == "[NAME] at Kelp Hospital."


def test_memory_and_sweep_leave_what_is_allowed() -> None:
    text = "Quirke Kelp is here. Later Kelp and kelp, and Quirke."
    assert clean(text, finds(NAME_PATIENT="Quirke Kelp"), allow=["Kelp"]) == (
        "[NAME] is here. Later Kelp and kelp, and [NAME]."
    )


def test_only_where_it_stood_may_a_word_stand() -> None:
    """What is allowed for a place does not vouch for a name."""
    text = "Quirke Kelp is here. Later Kelp."
    assert "Kelp" not in clean(text, finds(NAME_PATIENT="Quirke Kelp"), allow={"CITY": ["Kelp"]})


@pytest.mark.parametrize(
    "text",
    [
        "at KELP HOSPITAL.", "at Kélp  Hospital.", "at Kelp\nHospital.", "at Ｋｅｌｐ Ｈｏｓｐｉｔａｌ.",
        "at Ke\u200blp Hospital.", "at Kelp</b>&nbsp;<b>Hospital.",
    ],
)  # fmt: skip
def test_disguises_are_seen_through_by_both_lists(text: str) -> None:
    place = finds(HOSPITAL=r"(?is)k.*l")
    assert clean(text, place, allow=["kelp hospital"]) == text
    nothing = finds()
    assert clean(text, nothing, deny={"HOSPITAL": ["kelp hospital"]}) == "at [HOSPITAL]."


def test_chinese_has_no_blanks() -> None:
    found = finds(HOSPITAL="海螺医院", NAME_PATIENT="王海螺")
    text = "王海螺于海螺医院就诊。"
    assert clean(text, found, language="zh", allow=["海螺医院"]) == "[NAME]于海螺医院就诊。"
    assert clean(text, found, language="zh", allow=["海螺"]) == "[NAME]于[HOSPITAL]就诊。"
    assert clean("在海螺就诊。", finds(), language="zh", deny=["海螺"]) == "在[OTHER]就诊。"


# -- what is denied


def test_a_word_that_is_denied_goes_with_its_label_whatever_detectors_find() -> None:
    text = "In Falcon, FALCON and Falcons; Roe."
    assert clean(text, deny=["falcon"]) == "In [OTHER], [OTHER] and Falcons; [NAME]."
    assert clean(text, deny={"DEPARTMENT": ["falcon"], "NAME_CLINICIAN": ["Roe"]}) == (
        "In [DEPARTMENT], [DEPARTMENT] and Falcons; [NAME]."
    )
    (span,) = elision.detect("At Roe.", language="en", effort="rules", deny={"HOSPITAL": ["Roe"]})
    assert (span.label, span.source) == ("HOSPITAL", DENY)


def test_a_word_that_is_denied_does_not_split_a_longer_find() -> None:
    assert clean("Jane Foley.", deny={"HOSPITAL": ["Foley"]}) == "[NAME]."
    assert clean("Jane Foley Ward.", deny={"HOSPITAL": ["Foley Ward"]}) == "[NAME] [HOSPITAL]."


def test_a_word_that_is_denied_goes_where_the_policy_keeps_its_label() -> None:
    text = "She came from Kenya and lives in Georgia."
    assert "Kenya" in clean(text, policy=KEEPS)
    assert clean(text, policy=KEEPS, deny=["kenya"]) == "She came from [OTHER] and lives in Georgia."
    assert clean(text, policy=KEEPS, deny={"COUNTRY": ["Kenya"]}) == "She came from [COUNTRY] and lives in Georgia."
    longer = finds(COUNTRY="Republic of Kenya")
    assert clean("In the Republic of Kenya.", longer, policy=KEEPS, deny=["Kenya"]) == "In the [COUNTRY]."


def test_no_stand_in_is_a_word_that_is_denied() -> None:
    text = "Seen by Roe."
    usual = clean(text, policy="surrogate", key=KEY)
    word = usual.removeprefix("Seen by ").removesuffix(".")
    other = clean(text, policy="surrogate", key=KEY, deny=[word])
    assert word not in other
    assert other != text
    dated = finds(DATE="3 May 2001")
    assert clean("On 3 May 2001.", dated, policy="surrogate", key=KEY, deny=[
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]) == "On [DATE]."  # fmt: skip


def test_a_word_that_is_denied_and_remains_holds_the_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elision.replace.listed.Listed.with_denied", lambda _, found: found)
    done = one("In Falcon.", deny=["Falcon"])
    assert (done.document, done.receipt.why) == (None, "denied-word-remains")


def test_labels_of_an_earlier_run_are_no_words() -> None:
    assert clean("[HOSPITAL] [NAME_2] and hospital", finds(), deny=["hospital", "name"]) == (
        "[HOSPITAL] [NAME_2] and [OTHER]"
    )


LETTERS = st.lists(st.sampled_from(["Foley", "Roe", "Kelp", "Jane", ",", " and ", "\n", "3 ", "Kenya"]), max_size=12)


@given(LETTERS, st.sets(st.sampled_from(["Foley", "Roe", "Kelp", "Jane Foley", "Kenya"]), min_size=1))
def test_nothing_that_is_denied_comes_out(words: list[str], denied: set[str]) -> None:
    done = one(" ".join(words), allow=["Foley", "Kelp"], deny=sorted(denied), policy=KEEPS)
    assert done.document is not None
    for word in denied:
        assert not re.search(rf"\b{word}\b", " ".join(done.document.text.split()))


@given(LETTERS, st.sets(st.sampled_from(["Foley", "Roe", "Kelp", "Jane"]), min_size=1))
def test_what_is_allowed_is_all_that_a_list_adds(words: list[str], allowed: set[str]) -> None:
    """What comes out with the list and not without it is made of words that are allowed."""
    text = " ".join(words)
    after = one(text, allow=sorted(allowed)).document
    assert after is not None
    for word in {"Foley", "Roe", "Jane"} - allowed:
        assert not re.search(rf"\b{word}\b", after.text) or word == "Jane"  # which is found beside Foley only


# -- what is told of them


def test_receipts_name_the_lists_and_count_without_a_word() -> None:
    done = one(NOTE, key=KEY, allow=["Foley"], deny=["catheter", "placed"])
    allowed = word_list(["Foley"], ALLOW).fingerprint(KEY)
    assert done.receipt.options["allow"] == f"1 words, {allowed}"
    assert done.receipt.options["deny"].startswith("2 words, ")
    assert (done.receipt.warnings["left-as-allowed"], done.receipt.warnings["removed-as-denied"]) == (1, 2)
    assert "catheter" not in done.receipt.line()
    assert word_list(["Foley"], ALLOW).fingerprint(Key.new()) != allowed
    assert one(NOTE, allow=["Foley"]).receipt.options == {"allow": "1 words"}  # no hash that could be guessed
    assert "Foley" not in repr(word_list(["Foley"], ALLOW))


def test_a_list_is_the_same_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\ufeff# ours\n\nKelp  Hospital\nfoley\nFOLEY\n", "utf-8")
    (tmp_path / "b.toml").write_text('words = ["Foley", "Kelp Hospital"]', "utf-8")
    lists = [word_list(tmp_path / "a.txt", ALLOW), word_list(str(tmp_path / "b.toml"), ALLOW)]
    lists.append(word_list(["kelp hospital", "Foley"], ALLOW))
    assert len({each.entries for each in lists}) == 1
    assert len(lists[0]) == 2
    assert clean(NOTE, allow=tmp_path / "a.txt").startswith("[NAME] came to Kelp Hospital.")


def test_a_list_may_be_for_a_language(tmp_path: Path) -> None:
    file = tmp_path / "deny.toml"
    file.write_text('[languages.es]\nwords = ["Rosario"]\n[languages.es.labels]\nCITY = ["Toledo"]', "utf-8")
    assert clean("Rosario, Toledo", finds(), language="es-MX", deny=file) == "[OTHER], [CITY]"
    assert clean("Rosario, Toledo", finds(), language="en", deny=file) == "Rosario, Toledo"


# -- lists that cannot be used


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"", "has no words; write one a line, or leave --allow out"),
        ("a.txt", b"# only\n", "has no words"),
        ("a.txt", "Zoë\n".encode("latin-1"), "is not UTF-8 at byte 2; save it as UTF-8"),
        ("a.txt", "Zoe\n".encode("utf-16"), "is not UTF-8 at byte 0"),
        ("a.txt", b"Quillfeather\n...\n", "line 2: there is no letter or digit in it"),
        ("a.txt", b"x\n", "line 1: a single letter stands in every note"),
        ("a.txt", "王\n".encode(), "line 1: a single letter"),
        ("a.txt", b"Quill" * LONGEST, "line 1: longer than 200 characters"),
        ("a.txt", b"\n".join(b"w%d x" % n for n in range(MOST_WORDS + 1)), "more than 100,000 words"),
        ("a.toml", b"words = [\"Quillfeather]", "not valid TOML"),
        ("a.toml", b"words = 'Quillfeather'", "words: write a list"),
        ("a.toml", b"words = [3]", "words, word 1: is no text"),
        ("a.toml", b"word = ['Roe']", "no key 'word' in a list"),
        ("a.toml", b"labels = ['Roe']", r"labels is a table \[labels\]"),
        ("a.toml", b"[labels]\nHOSPITL = ['Roe']", r"HOSPITL: no such label \(did you mean HOSPITAL\?\)"),
        ("a.toml", b"[languages.qq]\nwords = ['Roe']", "languages.qq: write a table"),
    ],
)  # fmt: skip
def test_a_list_that_cannot_be_used_is_told_without_a_word_of_it(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(ListError, match=message) as error:
        word_list(file, ALLOW)
    assert "Quill" not in str(error.value)
    assert str(file) in str(error.value)


def test_a_list_that_is_far_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elision.replace.word_lists.MOST_BYTES", 10)
    (tmp_path / "a.txt").write_text("Kelp Hospital", "utf-8")
    with pytest.raises(ListError, match="larger than"):
        word_list(tmp_path / "a.txt", DENY)
    with pytest.raises(ListError, match="cannot read the list: No such file"):
        word_list(tmp_path / "b.txt", DENY)


def test_mistakes_in_python_are_told() -> None:
    for wrong, message in (
        ({"NAME": ["Roe"]}, "deny: NAME: no such label"),  # a word that is denied has one label
        ({"HOSPITAL": "Roe"}, "not one text"),
        ({"HOSPITAL": ["Kelp"], "CITY": ["kelp"]}, "two labels"),
        ([], "has no words"),
    ):
        with pytest.raises(ListError, match=message):
            Deidentifier([NAMES], deny=wrong)
    assert len(word_list(None, DENY)) == 0
    assert word_list(WordList(DENY), DENY) == WordList(DENY)


def test_a_held_note_names_its_lists_too() -> None:
    done = Deidentifier([NAMES], allow=["Foley"], most=3)([NOTE])[0]
    assert done.receipt.options == {"allow": "1 words"}
    with pytest.raises(HeldError):
        elision.deidentify("xx", allow=["Foley"])
