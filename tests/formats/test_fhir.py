"""FHIR: the texts of DocumentReference and DiagnosticReport, and the way back into their places."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha1
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats import Reading, guess, read, write
from elision.formats.fhir_parts import to_div, to_text
from elision.formats.xml import FORBIDDEN
from elision.rewrite import rewrite
from tests.formats.canonical import SAMPLES, canonical
from tests.strategies import texts

Resource = dict[str, Any]


def b64(data: str | bytes) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def reference(*texts: str | bytes, media: str = "text/plain", **fields: Any) -> Resource:
    content = [{"attachment": {"contentType": media, "data": b64(text)}} for text in texts]
    return {"resourceType": "DocumentReference", "id": "d1", "status": "current", "content": content, **fields}


def report(**fields: Any) -> Resource:
    return {"resourceType": "DiagnosticReport", "id": "r1", "status": "final", "code": {"text": "CT"}, **fields}


def div(inside: str) -> Resource:
    return {"status": "generated", "div": f'<div xmlns="http://www.w3.org/1999/xhtml">{inside}</div>'}


def put(folder: Path, *resources: Resource, name: str = "in.json") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(json.dumps(resource) for resource in resources), "utf-8")
    return file


def back(documents: list[Document], folder: Path, name: str = "in.json") -> Any:
    write(documents, folder / "out", "fhir")
    content = (folder / "out" / name).read_text("utf-8")
    return [json.loads(line) for line in content.splitlines()] if name.endswith("ndjson") else json.loads(content)


def replaced(document: Document, words: str, new: str) -> Document:
    start = document.text.index(words)
    return rewrite(document.with_spans([Span(start, start + len(words), "NAME")]), [new])


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("fhir_DocumentReference.json", ["content.0", "text.div"]),
        ("fhir_DiagnosticReport.json", ["presentedForm.0", "conclusion"]),
    ],
)
def test_the_golden_sample_is_one_note_in_two_places_and_comes_back(
    tmp_path: Path, name: str, places: list[str]
) -> None:
    assert guess(SAMPLES / name)[0].name == "fhir"
    how = Reading()
    (document,) = read(SAMPLES / name, "fhir", how)
    assert document.text == canonical().text
    assert document.id == name.removesuffix(".json")
    assert json.loads(document.info["container:fhir-places"]) == places
    assert how.remarks.lines() == []
    assert write([document], tmp_path, "fhir").lines() == []
    assert json.loads((tmp_path / name).read_text("utf-8")) == json.loads((SAMPLES / name).read_text("utf-8"))
    assert list(read(tmp_path, "fhir")) == [document]


def test_rewritten_text_goes_into_all_its_places_with_size_and_hash_and_nothing_else_changes(tmp_path: Path) -> None:
    name = "fhir_DocumentReference.json"
    (document,) = read(SAMPLES / name)
    changed = replaced(document, "José Núñez", 'A & <B> "C"')
    expected = json.loads((SAMPLES / name).read_text("utf-8"))
    attachment = expected["content"][0]["attachment"]
    data = changed.text.encode()
    attachment |= {"data": b64(data), "size": len(data), "hash": b64(sha1(data).digest())}
    expected["text"]["div"] = expected["text"]["div"].replace("José Núñez", 'A &amp; &lt;B&gt; "C"')
    assert back([changed], tmp_path, name) == expected
    assert [again.text for again in read(tmp_path / "out", "fhir")] == [changed.text]


def test_a_conclusion_that_repeats_the_report_is_rewritten_with_it(tmp_path: Path) -> None:
    name = "fhir_DiagnosticReport.json"
    (document,) = read(SAMPLES / name)
    changed = replaced(document, "O'Neil", "Poe")
    written = back([changed], tmp_path, name)
    assert written["conclusion"] == changed.text
    assert base64.b64decode(written["presentedForm"][0]["data"]).decode() == changed.text
    assert set(written["presentedForm"][0]) == {"contentType", "data"}  # no size or hash where none was


def test_texts_that_differ_are_notes_of_their_own(tmp_path: Path) -> None:
    resource = report(
        presentedForm=[
            {"contentType": "text/plain", "data": b64(text)} for text in ("Jane Roe has a cough.", "Other.")
        ],
        conclusion="Jane Roe: cough",
        text=div("<p>Jane  Roe</p><p>has a cold</p>"),
    )
    file = put(tmp_path, resource)
    documents = list(read(file, "fhir"))
    assert [(document.id, document.text) for document in documents] == [
        ("r1", "Jane Roe has a cough."),
        ("r1#presentedForm.1", "Other."),
        ("r1#conclusion", "Jane Roe: cough"),
        ("r1#text.div", "Jane Roe\nhas a cold"),
    ]
    assert back(documents, tmp_path) == resource
    changed = [replaced(d, "Jane Roe", "Ann Poe") if "Jane Roe" in d.text else d for d in documents]
    written = back(changed, tmp_path)
    assert written["conclusion"] == "Ann Poe: cough"
    assert base64.b64decode(written["presentedForm"][0]["data"]) == b"Ann Poe has a cough."
    assert written["presentedForm"][1] == resource["presentedForm"][1]
    assert written["text"] == div("<p>Ann Poe<br/>has a cold</p>")
    assert [d.text for d in read(tmp_path / "out", "fhir")] == [d.text for d in changed]


@pytest.mark.parametrize("kind", ["conclusion", "text.div"])
def test_a_report_without_attachments_has_its_first_text_as_the_note(tmp_path: Path, kind: str) -> None:
    fields: Resource = {"conclusion": "Jane Roe"} if kind == "conclusion" else {"text": div("Jane Roe")}
    (document,) = read(put(tmp_path, report(**fields)))
    assert (document.id, document.text, document.info["container:fhir-places"]) == ("r1", "Jane Roe", f'["{kind}"]')


def test_size_stays_a_string_where_it_was_one(tmp_path: Path) -> None:
    resource = reference("Jane Roe")
    resource["content"][0]["attachment"]["size"] = "8"
    (document,) = read(put(tmp_path, resource))
    written = back([replaced(document, "Jane", "José")], tmp_path)
    assert written["content"][0]["attachment"]["size"] == "9"


@pytest.mark.parametrize(
    ("media", "encoding", "new", "expected"),
    [
        ("text/plain; charset=iso-8859-1", "latin-1", "Núñez", "text/plain; charset=iso-8859-1"),
        ("text/plain; charset=iso-8859-1", "latin-1", "李明", "text/plain; charset=utf-8"),
        ('text/plain;charset="US-ASCII"; format=flowed', "ascii", "李明", "text/plain; charset=utf-8; format=flowed"),
        ("text/plain", "utf-8", "李明", "text/plain"),
        ("TEXT/PLAIN; CHARSET=UTF-16", "utf-16", "李明", "TEXT/PLAIN; CHARSET=UTF-16"),
    ],
)
def test_the_charset_is_kept_as_long_as_the_text_fits(
    tmp_path: Path, media: str, encoding: str, new: str, expected: str
) -> None:
    (document,) = read(put(tmp_path, reference("Jane Roe".encode(encoding), media=media)))
    assert document.text == "Jane Roe"
    changed = replaced(document, "Jane Roe", new)
    remarks = write([changed], tmp_path / "out", "fhir")
    (again,) = read(tmp_path / "out", "fhir")
    assert again.text == new
    written = json.loads((tmp_path / "out" / "in.json").read_text("utf-8"))
    assert written["content"][0]["attachment"]["contentType"] == expected
    assert any("no longer fits" in what for what in remarks.counts) == (media != expected)


def test_all_else_comes_back_as_it_was_to_the_last_digit(tmp_path: Path) -> None:
    content = json.dumps(reference("Jane Roe"))[:-1] + ', "extension": [{"url": "x", "valueDecimal": 1.10, "e": 1E5}], '
    content += '"half": "\\ud83d", "description": "José 😀", "_status": {"id": null}}'
    file = tmp_path / "in.json"
    file.write_text("\ufeff" + content, "utf-8")
    documents = list(read(file, "fhir"))
    assert back(documents, tmp_path) == json.loads(content)
    written = (tmp_path / "out" / "in.json").read_text("utf-8")
    assert '"valueDecimal": 1.10' in written
    assert '"e": 1E5' in written
    assert list(read(tmp_path / "out", "fhir")) == documents


PATIENT = {
    "resourceType": "Patient",
    "id": "p7",
    "name": [{"text": "Dr. Jane Roe", "given": ["Jane", "Q"], "family": "Roe"}, {"family": "Doe"}],
    "birthDate": "1962-04-07",
    "identifier": [{"value": "4711"}, {"value": "99-1"}],
    "telecom": [
        {"system": "phone", "value": "555-0100"},
        {"system": "email", "value": "jane@example.org"},
        {"system": "url", "value": "http://example.org"},
    ],
    "address": [{"line": ["12 Elm St", "Flat 3"], "city": "Springfield", "state": "IL", "postalCode": "62704"}],
}
KNOWN = {
    "name": ("Dr. Jane Roe", "Jane Q Roe", "Doe"),
    "birth_date": ("1962-04-07",),
    "id": ("4711", "99-1"),
    "phone": ("555-0100",),
    "email": ("jane@example.org",),
    "address": ("12 Elm St", "Flat 3", "Springfield", "62704"),
}


def bundle(*resources: Resource, **fields: Any) -> Resource:
    entries = [{"fullUrl": f"urn:uuid:{number}", "resource": found} for number, found in enumerate(resources)]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries, **fields}


@pytest.mark.parametrize(
    ("subject", "patient"),
    [
        ({"reference": "Patient/p7"}, "p7"),
        ({"reference": "http://example.org/fhir/Patient/p7/_history/2"}, "p7"),
        ({"reference": "urn:uuid:0"}, "p7"),
    ],
)
def test_the_patient_beside_the_note_in_a_bundle_is_known(tmp_path: Path, subject: Resource, patient: str) -> None:
    how = Reading()
    (document,) = read(put(tmp_path, bundle(PATIENT, reference("a", subject=subject))), "fhir", how)
    assert (document.patient, document.known) == (patient, KNOWN)
    assert how.remarks.counts == {"resources of a Bundle that are no notes are kept and not read": 1}
    assert write([document], tmp_path / "out", "fhir").lines() == []


def test_a_patient_inside_the_note_is_known_by_its_identifier(tmp_path: Path) -> None:
    resource = reference("a", subject={"reference": "#p7"}, contained=[PATIENT])
    (document,) = read(put(tmp_path, resource))
    assert (document.patient, document.known) == ("4711", KNOWN)
    assert back([document], tmp_path) == resource


@pytest.mark.parametrize(
    ("subject", "patient"),
    [
        ({}, ""),
        ({"reference": "Patient/other"}, "other"),
        ({"reference": "urn:uuid:9"}, "urn:uuid:9"),
        ({"reference": "#none"}, ""),
        ({"identifier": {"value": "4711"}}, "4711"),
    ],
)
def test_other_patients_are_not_known(tmp_path: Path, subject: Resource, patient: str) -> None:
    (document,) = read(put(tmp_path, bundle(PATIENT, reference("a", subject=subject))))
    assert (document.patient, document.known) == (patient, {})


def test_the_notes_of_a_bundle_come_back_into_one_bundle(tmp_path: Path) -> None:
    whole = bundle(
        reference("Jane Roe", id="d1"), PATIENT, report(conclusion="Jane Roe"), {"resourceType": "Basic", "x": 1.10},
        reference("x", id="d1", text=div("Jane Roe")), total=3,
    )  # fmt: skip
    del whole["entry"][4]["resource"]["id"]
    whole["entry"].append({"request": {"method": "DELETE"}})
    documents = list(read(put(tmp_path, whole, name="ward/in.json").parent.parent, "fhir"))
    assert [document.id for document in documents] == ["d1", "r1", "ward/in/5", "ward/in/5#text.div"]
    assert back(documents, tmp_path, "ward/in.json") == whole
    changed = [replaced(d, "Jane", "Ann") if "Jane" in d.text else d for d in documents]
    assert "Jane Roe" not in json.dumps(back(changed, tmp_path, "ward/in.json")).replace("Dr. Jane Roe", "")
    assert [d.text for d in read(tmp_path / "out", "fhir")] == [d.text for d in changed]


def test_a_bundle_of_which_notes_are_missing_is_written_without_them(tmp_path: Path) -> None:
    whole = bundle(reference("a", id="1"), reference("b", id="2"), PATIENT, reference("c", id="3"))
    first, second, third = read(put(tmp_path, whole))
    remarks = write([first, third], tmp_path / "out", "fhir")
    assert list(remarks.counts) == ["entries of a Bundle are left out whose notes are not here"]
    kept = json.loads((tmp_path / "out" / "in.json").read_text("utf-8"))
    assert [entry["resource"]["id"] for entry in kept["entry"]] == ["1", "p7", "3"]
    remarks = write([second], tmp_path / "out", "fhir")
    assert list(remarks.counts) == ["the Bundle is made anew, as the first of its notes is not here"]


def test_the_same_id_on_two_kinds_of_resource_is_told_apart(tmp_path: Path) -> None:
    whole = bundle(reference("a", id="1"), report(conclusion="b", id="1"))
    documents = list(read(put(tmp_path, whole)))
    assert [document.id for document in documents] == ["1", "DiagnosticReport/1"]
    assert write(documents, tmp_path / "out", "fhir").lines() == []


def test_ndjson_stays_ndjson(tmp_path: Path) -> None:
    resources = [reference("Jane Roe", id="1"), report(conclusion="Jane Roe", id="2"), reference("x", id="3")]
    file = put(tmp_path, *resources, PATIENT, name="in.ndjson")
    assert guess(file)[0].name == "fhir"
    how = Reading()
    documents = list(read(file, "fhir", how))
    assert how.remarks.counts == {"resources that are no notes are left out": 1}
    assert back(documents, tmp_path, "in.ndjson") == resources
    changed = [replaced(documents[0], "Jane", "Ann"), *documents[1:]]
    assert back(changed, tmp_path, "in.ndjson")[1:] == resources[1:]


def test_a_folder_keeps_its_files(tmp_path: Path) -> None:
    for name in ("a.json", "b/c.json"):
        put(tmp_path / "in", reference("a", id=name[:1]), name=name)
    documents = list(read(tmp_path / "in", "fhir"))
    assert [document.id for document in documents] == ["a", "b"]
    write(documents, tmp_path / "out", "fhir")
    assert (tmp_path / "out" / "b" / "c.json").exists()
    assert list(read(tmp_path / "out", "fhir")) == documents


def test_what_is_no_text_is_reported(tmp_path: Path) -> None:
    resource = reference("Jane Roe")
    resource["content"] += [
        {"attachment": {"contentType": "application/pdf", "data": b64("%PDF")}},
        {"attachment": {"contentType": "text/plain", "url": "http://example.org/1"}},
        {"attachment": {"contentType": "text/plain", "title": "nothing"}},
        {"attachment": {"contentType": "text/html; charset=utf-8", "data": b64("<p>Jane Roe</p>")}},
        {"attachment": {"contentType": "Jane Roe", "data": b64("x")}},
        {},
    ]
    how = Reading()
    documents = list(read(put(tmp_path, resource), "fhir", how))
    assert [document.text for document in documents] == ["Jane Roe", "<p>Jane Roe</p>"]
    assert how.remarks.counts == {
        "attachments of the type application/pdf are not read": 1,
        "attachments that are only linked to are not read": 1,
        "attachments that are empty are not read": 2,
        "attachments of the type text/html are read with their markup": 1,
        "attachments of the type unknown are not read": 1,
    }
    assert back(documents, tmp_path) == resource


def test_a_resource_without_a_text_still_comes_back(tmp_path: Path) -> None:
    resource = reference("%PDF", media="application/pdf")
    how = Reading()
    (document,) = read(put(tmp_path, resource), "fhir", how)
    assert document.text == ""
    assert "resources without a text that can be read" in how.remarks.counts
    assert back([document], tmp_path) == resource
    with pytest.raises(CannotHoldError, match="no place for a text"):
        write([replace(document, text="x")], tmp_path / "out", "fhir")


def test_a_wrong_hash_or_size_is_reported_and_kept_while_the_text_is_the_same(tmp_path: Path) -> None:
    resource = reference("Jane Roe")
    resource["content"][0]["attachment"] |= {"hash": "AAAA", "size": 3}
    how = Reading()
    (document,) = read(put(tmp_path, resource), "fhir", how)
    assert set(how.remarks.counts) == {
        "the hash of an attachment is not that of its data",
        "the size of an attachment is not that of its data",
    }
    assert back([document], tmp_path) == resource
    attachment = back([replaced(document, "Roe", "Poe")], tmp_path)["content"][0]["attachment"]
    assert (attachment["hash"], attachment["size"]) == (b64(sha1(b"Jane Poe").digest()), 8)


def edited(change: Callable[[Resource], object]) -> str:
    resource = reference("Jane Roe")
    change(resource)
    return json.dumps(resource)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (json.dumps(reference("Jane Roe"))[:-9], "not valid JSON at line 1"),
        ("[]", "no resourceType"),
        ('{"resourceType": 3}', "no resourceType"),
        (edited(lambda r: r["content"][0]["attachment"].update(data="Jane Roe!")), "content.0: the data is not base64"),
        (edited(lambda r: r["content"][0]["attachment"].update(data="abc")), "content.0: the data is not base64"),
        (edited(lambda r: r["content"][0]["attachment"].update(data="Zé==")), "content.0: the data is not base64"),
        (edited(lambda r: r["content"][0]["attachment"].update(data=5)), "data must be a string"),
        (edited(lambda r: r["content"][0]["attachment"].update(contentType="text/plain; charset=klingon")), "charset"),
        (edited(lambda r: r["content"][0]["attachment"].update(contentType="text/plain; charset=hex")), "charset in"),
        (edited(lambda r: r["content"][0]["attachment"].update(contentType="text/plain;charset=<Roe>")), "charset in"),
        (edited(lambda r: r["content"][0]["attachment"].update(data=b64(b"\xff"))), "byte 0 of the data is not utf-8"),
        (edited(lambda r: r.update(content={})), "content must be a list"),
        (edited(lambda r: r.update(content=[{"attachment": []}])), "attachment must be an object"),
        (edited(lambda r: r.update(text=div("<p>Roe"))), "text.div: not valid XML"),
        (edited(lambda r: r.update(text=div("&roe;"))), "text.div: not valid XML"),
        (edited(lambda r: r.update(text={"div": "<!DOCTYPE div [<!ENTITY e 'Roe'>]><div>&e;</div>"})), "DOCTYPE"),
        (edited(lambda r: r.update(text={"div": 4})), "div must be a string"),
        (edited(lambda r: r.update(subject="Roe")), "subject must be an object"),
        (json.dumps(bundle(reference("Jane Roe")))[:-5], "not valid JSON"),
        ('{"resourceType": "Bundle", "entry": {}}', "entry must be a list"),
        ('{"resourceType": "Patient"}', "no note in it"),
    ],
)  # fmt: skip
def test_bad_resources_are_refused_without_their_text(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "in.json"
    file.write_text(content, "utf-8")
    with pytest.raises(FormatError) as caught:
        list(read(file, "fhir"))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)
    assert "in.json" in str(caught.value)


def test_a_note_from_elsewhere_becomes_a_small_document_reference(tmp_path: Path) -> None:
    plain = Document("Jane\0 é\n", "note-1", patient="p1", language="en-GB")
    odd = Document("", "ward 3/José", patient="p 2")
    write([plain, odd], tmp_path, "fhir")
    data = plain.text.encode()
    assert json.loads((tmp_path / "note-1.json").read_text("utf-8")) == {
        "resourceType": "DocumentReference",
        "id": "note-1",
        "status": "current",
        "subject": {"reference": "Patient/p1"},
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain; charset=utf-8",
                    "language": "en-GB",
                    "data": b64(data),
                    "size": len(data),
                    "hash": b64(sha1(data).digest()),
                }
            }
        ],
    }
    written = json.loads((tmp_path / "ward 3" / "José.json").read_text("utf-8"))
    assert written["identifier"] == [{"system": "urn:elision:id", "value": "ward 3/José"}]
    assert "data" not in written["content"][0]["attachment"]  # FHIR has no empty strings
    assert list(read(tmp_path, "fhir")) == [plain, odd]


def test_language_is_that_of_the_attachment_or_of_the_resource(tmp_path: Path) -> None:
    resource = reference("a", language="nl-BE")
    assert [document.language for document in read(put(tmp_path, resource))] == ["nl"]
    resource["content"][0]["attachment"]["language"] = "ES"
    assert [document.language for document in read(put(tmp_path, resource))] == ["es"]


def test_known_values_without_a_resource_are_reported(tmp_path: Path) -> None:
    known = Document("a", "1", known={"name": ("Jane Roe",)})
    assert write([known], tmp_path, "fhir").counts == {"fhir does not hold known values": 1}


def test_ids_that_were_changed_do_not_go_into_a_resource_that_has_its_own(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, reference("a", subject={"reference": "Patient/p7"}, date="2069")))
    remarks = write([replace(document, id="x", patient="y")], tmp_path / "out", "fhir")
    assert set(remarks.counts) == {"the resource keeps its own resource id", "the resource keeps its own patient id"}


def test_a_text_for_which_no_note_came_is_not_let_through(tmp_path: Path) -> None:
    resource = report(conclusion="Jane Roe", text=div("Ann Poe"))
    first, second = read(put(tmp_path, resource))
    with pytest.raises(CannotHoldError, match=r"note r1: .* at text\.div"):
        write([first], tmp_path / "out", "fhir")
    with pytest.raises(CannotHoldError, match="must come right before it"):
        write([second], tmp_path / "out", "fhir")
    with pytest.raises(CannotHoldError, match="or two notes for it"):
        write([first, second, replace(second, id="r1#again")], tmp_path / "out", "fhir")


def test_notes_of_one_file_must_stay_together(tmp_path: Path) -> None:
    a, b = read(put(tmp_path, reference("a", id="1"), reference("b", id="2"), name="in.ndjson"))
    with pytest.raises(CannotHoldError, match="next to each other"):
        write([a, Document("x", "x"), b], tmp_path / "out", "fhir")
    with pytest.raises(CannotHoldError, match="an id of its own"):
        write(
            [replace(found, info={**found.info, "container:fhir-file": "in.json"}) for found in (a, b)],
            tmp_path,
            "fhir",
        )
    with pytest.raises(FormatError, match="cannot be a file name"):
        write([replace(a, info={**a.info, "container:fhir-file": "../in.json"})], tmp_path / "out", "fhir")


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("", ""),
        ("<p>a  <b>b</b>\n c</p>", "a b c"),
        ("\n <p> a </p>\n <p>b</p> ", "a\nb"),
        ("a<br/>b<br/><br/>c", "a\nb\n\nc"),
        ("<h1>A</h1><ul><li>x</li>\n<li>y <i>z</i></li></ul>end", "A\nx\ny z\nend"),
        ("<table><tr><th>k</th><td>v</td></tr><tr><td>1</td> <td>2</td></tr></table>", "k v\n1 2"),
        ("<pre> a\n\tb </pre>c", " a\n\tb \nc"),
        ("&lt;a&gt; &amp; &nbsp;&eacute;&#233;&Lt;", "<a> & \u00a0éé≪"),
        ("<!-- no -->a<?x no?>b<![CDATA[<c>]]>", "ab<c>"),
        ('<p style="white-space: pre-wrap"> a  b\n</p><p>c</p>', " a  b\nc"),
    ],
)
def test_a_narrative_is_read_as_it_is_seen(inside: str, text: str) -> None:
    assert to_text(f'<div xmlns="http://www.w3.org/1999/xhtml">{inside}</div>', "here") == text


def test_a_narrative_may_be_nested_deeply() -> None:
    assert to_text("<div>" * 20_000 + "a" + "</div>" * 20_000, "here") == "a"


@given(texts)
def test_a_narrative_says_the_text_it_was_made_of(text: str) -> None:
    if FORBIDDEN.search(text):
        with pytest.raises(CannotHoldError, match="cannot stand in XML"):
            to_div(text, "here")
    else:
        assert to_text(to_div(text, "here"), "here") == text


@given(texts, texts, texts, st.booleans())
def test_whatever_texts_there_are_they_come_back_changed_or_not(
    tmp_path: Path, first: str, second: str, new: str, same: bool
) -> None:
    resource = report(
        presentedForm=[{"contentType": "text/plain", "data": b64(first), "size": len(first.encode())}],
        **({"conclusion": first if same else second} if (first if same else second) else {}),
    )
    documents = list(read(put(tmp_path, resource), "fhir"))
    assert back(documents, tmp_path) == resource
    changed = [replace(document, text=new + document.text) for document in documents]
    back(changed, tmp_path)
    again = {document.text for document in read(tmp_path / "out", "fhir")}
    assert again == {document.text for document in changed}
