"""UIMA CAS as XMI and as JSON."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError, MissingExtraError
from elision.formats import Reading, guess, read, write
from tests.notes import GOLDEN, note

SAMPLES = GOLDEN / "formats"
CANONICAL = json.loads((SAMPLES / "canonical.json").read_text("utf-8"))
NAMES = ["uima-xmi", "uima-json"]

HEAD = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
    'xmlns:custom="http:///webanno/custom.ecore" xmi:version="2.0"><cas:NULL xmi:id="0"/>'
)
SOFA = '<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text/plain" sofaString="Dr. 😀 Roe"/>'
VIEW = '<cas:View sofa="1" members="2"/></xmi:XMI>'


def xmi(span: str, sofa: str = SOFA, view: str = VIEW) -> str:
    return f"{HEAD}{span}{sofa}{view}"


def type_system(*layers: tuple[str, list[str]]) -> str:
    """A type system of layers with text features."""
    types = "".join(
        f"<typeDescription><name>{name}</name><supertypeName>uima.tcas.Annotation</supertypeName><features>"
        + "".join(
            f"<featureDescription><name>{feature}</name><rangeTypeName>uima.cas.String</rangeTypeName>"
            "</featureDescription>"
            for feature in features
        )
        + "</features></typeDescription>"
        for name, features in layers
    )
    return (
        '<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>'
        f"{types}</types></typeSystemDescription>"
    )


@pytest.mark.parametrize(("name", "file"), [("uima-xmi", "uima.xmi"), ("uima-json", "uima_cas.json")])
def test_the_golden_sample_says_what_the_canonical_document_says(name: str, file: str) -> None:
    chosen, _ = guess(SAMPLES / file)
    assert chosen.name == name
    how = Reading()
    (document,) = read(SAMPLES / file, name, how)
    assert document.text == CANONICAL["text"]
    assert [(s.start, s.end, s.label, document.text_of(s)) for s in document.spans] == [
        (s["start"], s["end"], s["label"], s["text"]) for s in CANONICAL["spans"]
    ]
    assert document.id == file.rpartition(".")[0]
    assert how.remarks.lines() == []


@pytest.mark.parametrize("name", NAMES)
def test_offsets_are_written_in_utf16_units(name: str, tmp_path: Path) -> None:
    write([note("😀 [NAME Roe]")], tmp_path, name)
    written = (tmp_path / ("note-1.xmi" if name == "uima-xmi" else "note-1.json")).read_text("utf-8")
    begin, end = ('begin="3"', 'end="6"') if name == "uima-xmi" else ('"begin": 3', '"end": 6')
    assert begin in written
    assert end in written


@pytest.mark.parametrize("name", NAMES)
def test_spans_come_back_in_their_order_with_score_source_and_language(name: str, tmp_path: Path) -> None:
    spans = (Span(3, 5, "B", 0.25, "crf"), Span(0, 5, "A"), Span(2, 2, ""), Span(0, 5, "A"), Span(0, 1, "C", 0.0))
    documents = [
        Document("a\r\n\tb😀\x85\u2028", "ward/1", language="nl", spans=spans),
        Document("", "ward/2"),
        Document("x", "3", language="zh"),
    ]
    assert write(documents, tmp_path, name).lines() == []
    assert guess(tmp_path)[0].name == name
    assert sorted(read(tmp_path, name), key=lambda document: len(document.text)) == [
        documents[1], documents[2], documents[0],
    ]  # fmt: skip


def test_an_xmi_needs_no_type_system_if_it_has_only_our_layer(tmp_path: Path) -> None:
    file = tmp_path / "a.xmi"
    file.write_text(xmi('<custom:PHI xmi:id="2" sofa="1" begin="7" end="10" kind="NAME"/>'), "utf-8")
    assert list(read(file)) == [Document("Dr. 😀 Roe", "a", spans=(Span(6, 9, "NAME"),))]


@pytest.mark.parametrize("place", ["corpus/batch/TypeSystem.xml", "corpus/typesystem.xml", "TypeSystem.xml"])
def test_the_type_system_is_found_beside_the_file_or_above(tmp_path: Path, place: str) -> None:
    file = tmp_path / "corpus" / "batch" / "a.xmi"
    file.parent.mkdir(parents=True)
    file.write_text(xmi('<custom:Names xmi:id="2" sofa="1" begin="7" end="10" who="DOCTOR"/>'), "utf-8")
    (tmp_path / place).write_text(type_system(("webanno.custom.Names", ["who"])), "utf-8")
    how = Reading()
    (document,) = read(tmp_path / "corpus", "uima-xmi", how)
    assert document.spans == (Span(6, 9, "DOCTOR"),)
    assert document.id == "batch/a"
    assert list(how.remarks.counts) == [
        "labels are from the layer webanno.custom.Names; written, they go to webanno.custom.PHI"
    ]


def test_a_type_system_that_is_not_there_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "a.xmi"
    file.write_text(xmi('<custom:Names xmi:id="2" sofa="1" begin="7" end="10" who="DOCTOR"/>'), "utf-8")
    with pytest.raises(FormatError, match=r"webanno\.custom\.Names.*put the TypeSystem\.xml"):
        list(read(file))


@pytest.mark.parametrize(
    ("layers", "annotations", "error"),
    [
        ([("webanno.custom.A", ["x", "y"])], '<custom:A xmi:id="2" sofa="1" begin="0" end="2" x="NAME"/>', "custom.A"),
        (
            [("webanno.custom.A", ["x"]), ("webanno.custom.B", ["y"])],
            '<custom:A xmi:id="2" sofa="1" begin="0" end="2" x="N"/><custom:B xmi:id="3" sofa="1" begin="0" end="2"/>',
            "the layers are webanno.custom.A, webanno.custom.B",
        ),
        ([("webanno.custom.PHI", ["x", "y"])], '<custom:PHI xmi:id="2" sofa="1" begin="0" end="2"/>', "feature kind"),
    ],
)  # fmt: skip
def test_without_one_layer_for_the_labels_the_layers_are_named(
    tmp_path: Path, layers: list[tuple[str, list[str]]], annotations: str, error: str
) -> None:
    (tmp_path / "TypeSystem.xml").write_text(type_system(*layers), "utf-8")
    file = tmp_path / "a.xmi"
    file.write_text(xmi(annotations, view=VIEW.replace('"2"', '"2 3"' if "B" in annotations else '"2"')), "utf-8")
    with pytest.raises(FormatError) as caught:
        list(read(file, "uima-xmi"))
    assert error in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_other_layers_features_and_views_are_reported(tmp_path: Path) -> None:
    (tmp_path / "TypeSystem.xml").write_text(
        type_system(("webanno.custom.PHI", ["kind", "comment"]), ("webanno.custom.A", ["x"])), "utf-8"
    )
    file = tmp_path / "a.xmi"
    file.write_text(
        xmi(
            '<custom:PHI xmi:id="2" sofa="1" begin="7" end="10" kind="NAME" comment="sure"/>'
            '<custom:A xmi:id="3" sofa="1" begin="0" end="2" x="N"/>',
            SOFA + '<cas:Sofa xmi:id="9" sofaNum="2" sofaID="other" sofaString="more"/>',
            '<cas:View sofa="1" members="2 3"/></xmi:XMI>',
        ),
        "utf-8",
    )
    how = Reading()
    (document,) = read(file, "uima-xmi", how)
    assert document.spans == (Span(6, 9, "NAME"),)
    assert list(how.remarks.counts) == [
        "views other than _InitialView are not taken over",
        "annotations of other layers are not taken over",
        "features beside the label are not taken over",
    ]


def test_a_layer_that_is_declared_and_empty_means_that_there_are_no_spans(tmp_path: Path) -> None:
    (tmp_path / "TypeSystem.xml").write_text(
        type_system(("webanno.custom.PHI", ["kind"]), ("webanno.custom.A", ["x"])), "utf-8"
    )
    (tmp_path / "a.xmi").write_text(xmi('<custom:A xmi:id="2" sofa="1" begin="0" end="2" x="N"/>'), "utf-8")
    (document,) = read(tmp_path, "uima-xmi")
    assert document.spans == ()


GOOD = '<custom:PHI xmi:id="2" sofa="1" begin="7" end="10" kind="NAME"/>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('<!DOCTYPE x [<!ENTITY e "boom">]>' + xmi(GOOD), "DOCTYPE"),
        (xmi(GOOD)[:-20], "not valid XML"),
        (xmi(GOOD.replace('begin="7"', 'begin="5"')), "outside the text or inside a character"),
        (xmi(GOOD.replace('end="10"', 'end="11"')), "outside the text or inside a character"),
        (xmi(GOOD.replace('begin="7"', 'begin="10"').replace('end="10"', 'end="7"')), "missing, reversed or outside"),
        (xmi(GOOD.replace('end="10"', "")), "missing, reversed or outside"),
        (xmi(GOOD.replace('sofa="1"', 'sofa="8"')), "not a CAS that can be read"),
        (xmi(GOOD, view=VIEW.replace('"2"', '"2 7"')), "not a CAS that can be read"),
        (xmi(GOOD.replace("/>", ' nickname="Roe"/>')), "not a CAS that can be read"),
        (xmi("", sofa="", view="</xmi:XMI>"), "no text"),
        ("<html><p>Roe</p></html>", "not XMI"),
    ],
)  # fmt: skip
def test_bad_xmi_is_refused_without_its_text(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "a.xmi"
    file.write_text(content, "utf-8")
    with pytest.raises(FormatError) as caught:
        list(read(file, "uima-xmi"))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_type_system_with_a_dtd_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "a.xmi").write_text(xmi(GOOD), "utf-8")
    (tmp_path / "TypeSystem.xml").write_text('<!DOCTYPE x [<!ENTITY e "boom">]>' + type_system(), "utf-8")
    with pytest.raises(FormatError, match=r"TypeSystem\.xml: refused"):
        list(read(tmp_path, "uima-xmi"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-30], "not valid JSON"),
        (lambda text: "[]", "not a CAS"),
        (lambda text: text.replace("%VIEWS", "%ELSE"), "not a CAS"),
        (lambda text: text.replace('"begin": 31', '"begin": 25'), "inside a character"),
        (lambda text: text.replace('"end": 100', '"end": 1000'), "outside the text"),
        (lambda text: text.replace('"%ID": 3, ', ""), "not a CAS that can be read"),
        (lambda text: text.replace('"@sofa": 1', '"@sofa": 77'), "not a CAS that can be read"),
        (lambda text: text.replace('"uima.cas.String"', '"uima.cas.Yarn"'), "Yarn"),
    ],
)
def test_bad_json_is_refused_without_its_text(tmp_path: Path, change: object, message: str) -> None:
    assert callable(change)
    file = tmp_path / "a.json"
    file.write_text(change((SAMPLES / "uima_cas.json").read_text("utf-8")), "utf-8")
    with pytest.raises(FormatError) as caught:
        list(read(file, "uima-json"))
    assert message in str(caught.value)
    assert "Neil" not in str(caught.value)


def test_json_without_its_types_takes_the_type_system_beside_it(tmp_path: Path) -> None:
    tree = json.loads((SAMPLES / "uima_cas.json").read_text("utf-8"))
    del tree["%TYPES"]
    (tmp_path / "a.json").write_text(json.dumps(tree), "utf-8")
    shutil.copy(SAMPLES / "TypeSystem.xml", tmp_path)
    (document,) = read(tmp_path / "a.json", "uima-json")
    assert len(document.spans) == 5


@pytest.mark.parametrize("document", [Document("a\0b", "1"), Document("ab", "1", spans=(Span(0, 1, "A\x01"),))])
def test_what_xml_cannot_hold_is_refused_and_json_holds_it(tmp_path: Path, document: Document) -> None:
    with pytest.raises(CannotHoldError, match="cannot stand in XML"):
        write([document], tmp_path / "xmi", "uima-xmi")
    write([document], tmp_path / "json", "uima-json")
    assert list(read(tmp_path / "json", "uima-json")) == [document]


@pytest.mark.parametrize("name", NAMES)
def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    from elision.formats import cas

    monkeypatch.setitem(sys.modules, "cassis", None)
    cas._types.cache_clear()
    with pytest.raises(MissingExtraError, match=r"elision\[uima\]"):
        list(read(SAMPLES / "uima.xmi", name))
    with pytest.raises(MissingExtraError, match=r"elision\[uima\]"):
        write([Document("x", "1")], tmp_path, name)
