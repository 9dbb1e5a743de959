"""The XML parser refuses what is dangerous, and texts come back from it as they went in."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import CannotHoldError, FormatError
from elision.formats import xml
from elision.formats.format import Reading, Remarks
from tests.strategies import texts

anything = st.one_of(texts, st.text(max_size=40), st.text(alphabet="]>[<!CDAT&#13;\r\n\t\"'", max_size=30))

BOMB = (
    '<!DOCTYPE a [<!ENTITY x0 "Roe"><!ENTITY x1 "&x0;&x0;&x0;&x0;&x0;&x0;&x0;&x0;">'
    '<!ENTITY x2 "&x1;&x1;&x1;&x1;&x1;&x1;&x1;&x1;">]><a>&x2;</a>'
)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (BOMB, "refused the document type declaration (DOCTYPE a)"),
        ("<!DOCTYPE note><note>Roe</note>", "refused the document type declaration (DOCTYPE note)"),
        ('<!DOCTYPE a SYSTEM "file:///etc/hostname"><a>Roe</a>', "refused the document type declaration (DOCTYPE a)"),
        (
            '<?xml version="1.0"?>\n<!DOCTYPE a PUBLIC "-//Roe//EN" "x.dtd"><a/>',
            "refused the document type declaration",
        ),
        ("<a>\n<b>Jane Roe", "line 2, column 12: no element found"),
        ("<a>Jane Roe</b>", "line 1, column 14: mismatched tag"),
        ("<a>Jane Roe &roe;</a>", "line 1, column 13: undefined entity"),
        ("<a>Jane\0Roe</a>", "line 1, column 8: not well-formed"),
        ("<a>Jane \ud800 Roe</a>", "half a character"),
        ("", "line 1, column 1: no element found"),
        (b'<?xml version="1.0" encoding="klingon"?><a>Roe</a>', "the encoding that the XML declaration names"),
        (b'<?xml version="1.0" encoding="big5"?><a>\xa4\xa4 Roe</a>', "the encoding that the XML declaration names"),
        ("<a>José Roe</a>".encode("cp1252"), "if the file has another encoding than it declares, say so"),
    ],
)
def test_what_is_refused_is_said_without_the_words_of_the_note(source: bytes | str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        xml.parse(source, "notes/17.xml")
    assert str(caught.value).startswith("notes/17.xml: ")
    assert said in str(caught.value)
    assert "Roe" not in str(caught.value).replace("&roe;", "")


@pytest.mark.parametrize(
    "source",
    [
        "<a>José 😀</a>",
        "\ufeff<a>José 😀</a>",
        "<a>José 😀</a>".encode(),
        "<a>José 😀</a>".encode("utf-8-sig"),
        "<a>José 😀</a>".encode("utf-16"),
        b'<?xml version="1.0" encoding="iso-8859-1"?><a>Jos\xe9 &#x1F600;</a>',
        '<?xml version="1.0" encoding="iso-8859-1"?><a>José 😀</a>',
    ],
)
def test_encodings(source: bytes | str) -> None:
    assert xml.parse(source, "x.xml").text == "José 😀"


def test_the_reader_can_be_told_another_encoding(tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_bytes("<a>José</a>".encode("cp1252"))
    with pytest.raises(FormatError, match="say so"):
        xml.read(file, Reading())
    assert xml.read(file, Reading(encoding="cp1252")).text == "José"


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_text("<a>" + "Roe " * 1000 + "</a>", "utf-8")
    with pytest.raises(FormatError, match=r"more than the limit .* \(--max-mb\)"):
        xml.read(file, Reading(max_bytes=1000))


def test_deep_nesting_is_no_danger() -> None:
    root = xml.parse("<a>" * 100_000 + "</a>" * 100_000, "x.xml")
    assert sum(1 for _ in root.iter()) == 100_000


@given(anything)
def test_texts_come_back_as_they_went_in(text: str) -> None:
    forbidden = [at for at, c in enumerate(text) if xml.FORBIDDEN.match(c)]
    if forbidden:
        for write in (xml.cdata, xml.content, xml.attribute):
            with pytest.raises(CannotHoldError, match=rf"note 1: .* at offset {forbidden[0]} cannot stand in XML"):
                write(text, "note 1")
        return
    assert xml.parse(f"<a>{xml.cdata(text, '')}</a>", "").text == (text or None)
    assert xml.parse(f"<a>{xml.content(text, '')}</a>", "").text == (text or None)
    assert xml.parse(f'<a b="{xml.attribute(text, "")}"/>', "").get("b") == text


@given(st.characters(exclude_categories=["Cs"]))
def test_only_what_xml_cannot_hold_is_refused(character: str) -> None:
    reference = f"<a>&#{ord(character)};</a>"
    if xml.FORBIDDEN.match(character):
        with pytest.raises(FormatError):
            xml.parse(reference, "x.xml")
    else:
        assert xml.parse(reference, "x.xml").text == character


@pytest.mark.parametrize(
    ("name", "good"),
    [("NAME", True), ("LOCATION-OTHER", True), ("Größe", True), ("1ST", False), ("a b", False), ("", False)]
    + [(name, False) for name in ("a>", "a/><b", "a=", "{urn}a", "x:y", "²")],
)
def test_names(name: str, good: bool) -> None:
    assert xml.is_name(name) == good


def test_attributes_that_cannot_be_written_are_remarked() -> None:
    remarks = Remarks()
    info = {"attr:CERTAIN": "no", "attr:a b": "1", "attr:xmlns": "urn:x", "attr:id": "P0", "comment": "seen"}
    assert xml.extra_attributes(info, ["id"], remarks, "note 1") == {"CERTAIN": "no"}
    assert list(remarks.counts.values()) == [3]
