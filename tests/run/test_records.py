"""Runs over FHIR and HL7 v2: what is written loads again, and nothing that names anybody is left in any field."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import ElisionError, FormatError
from elision.formats.catalogue import FORMATS
from elision.formats.fhir_clean import RULES, Given, attachment, is_loinc, note, stub
from elision.formats.format import Reading
from elision.formats.hl7_clean import RULES as HL7_RULES
from elision.formats.hl7_clean import segment
from elision.formats.records import Records, Renaming, joined, parted
from elision.formats.tables.amending import Amendment
from elision.formats.tables.columns import Columns
from elision.formats.tables.placing import Placing
from elision.formats.tables.record_sink import RecordSink
from elision.keys import Key
from elision.rewrite import rewrite
from elision.run.engine import clean
from elision.run.ids import keyed_number
from elision.run.plan import RunOptions, plan
from elision.run.rows import RECEIPTS, schema_out
from tests.run.small import a_key
from tests.run.test_retry import call

NOTE = "Jane Roebuck was seen on 03/04/2021. She was well and had no pain in the leg."
Found = dict[str, Any]


def cleaned(folder: Path, source: str, out: str, **options: Any) -> tuple[Path, list[str]]:
    """What a run makes of a source, in this process, and what is held, with its reason."""
    options = {"policy": "surrogate", "key": a_key(folder), "effort": "fast", "default_language": "en", **options}
    told: list[str] = []
    made = plan(str(folder / source), str(folder / out), RunOptions(**options), warn=told.append)
    columns = made.how.columns
    schema = schema_out(made.source.schema, columns)
    goes_out = schema.remove(schema.get_field_index(RECEIPTS)).remove(len(schema) - 2)
    staging = folder / f"{out}.staging"
    staging.mkdir(parents=True)
    sink = made.sink(staging, goes_out, False)
    held = []
    for number, shard in enumerate(made.source.shards(2)):
        batches = list(clean(made.source.read(shard, columns.read), made.how))
        receipts = [json.loads(one) for batch in batches for row in batch[RECEIPTS].to_pylist() for one in row]
        held += [receipt["why"] for receipt in receipts if receipt["status"] == "held"]
        told += [json.dumps(receipt) for receipt in receipts]
        sink.put(number, iter(batches))
    sink.finish()
    (folder / "told").write_text("\n".join(told))
    return folder / out, held


def attached(text: str, **more: object) -> Found:
    return {"attachment": {"contentType": "text/plain", "data": base64.b64encode(text.encode()).decode(), **more}}


def a_note(number: int, **more: object) -> Found:
    return {
        "resourceType": "DocumentReference",
        "id": str(number),
        "status": "current",
        "type": {"coding": [{"system": "http://loinc.org", "code": "18842-5", "display": "Roebuck"}], "text": "Jane"},
        "subject": {"reference": "Patient/17", "display": "Jane Roebuck"},
        "date": "2021-03-04T10:11:12.5+01:00",
        "author": [{"reference": "Practitioner/55", "display": "Dr. Roe"}],
        "content": [attached(NOTE, size=7, hash="x", title="roebuck.txt", creation="2021-03")],
        **more,
    }


def lines(file: Path, *rows: object) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def text_of(resource: Found) -> str:
    return base64.b64decode(resource["content"][0]["attachment"]["data"]).decode()


# -- pieces


@given(st.lists(st.text("ab\n"), min_size=1, max_size=5), st.data())
def test_pieces_of_a_text_joined_again_are_the_text_whatever_was_replaced(pieces: list[str], data: Any) -> None:
    text, joints = joined(pieces)
    assert parted(text, joints) == pieces
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = tuple(Span(a, b, "NAME") for a, b in zip(cuts[::2], cuts[1::2], strict=False))
    after = rewrite(Document(text, joints=joints, spans=spans), [data.draw(st.text("x\n", min_size=1)) for _ in spans])
    found = parted(after.text, after.joints)
    assert len(found) == len(pieces)
    assert "\n".join(piece for piece in found if piece is not None) == after.text


@given(st.from_regex(r"[12][0-9]{3}(-?)(0[1-9]|1[0-2])\1(0[1-9]|2[0-8])", fullmatch=True), st.integers(-4000, 4000))
def test_a_date_that_moves_keeps_its_form_and_moves_back(day: str, days: int) -> None:
    moved = Renaming(str, days).moved(f"{day}T10:00:00Z")
    assert moved is not None
    assert Renaming(str, -days).moved(moved) == f"{day}T10:00:00Z"


@pytest.mark.parametrize("value", ["2021", "2021-03", "20210230", "x", "2021-0304"])
def test_what_is_no_whole_date_does_not_stay(value: str) -> None:
    assert Renaming(str, 3).moved(value) is None


@pytest.mark.parametrize(("code", "right"), [("18842-5", True), ("34109-9", True), ("18842-6", False), ("4711", False)])
def test_codes_of_loinc_have_a_check_digit(code: str, right: bool) -> None:
    assert is_loinc(code) is right


# -- FHIR


def test_lines_of_fhir_stay_lines_of_fhir_with_ids_and_dates_changed(tmp_path: Path) -> None:
    lines(tmp_path / "in.ndjson", a_note(7), a_note(8), {"resourceType": "Observation", "id": "roe"})
    out, held = cleaned(tmp_path, "in.ndjson", "out.ndjson")
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    secret = Key.read(a_key(tmp_path)).secret("ids")
    assert not held
    assert [row["id"] for row in rows] == [str(keyed_number(secret, number)) for number in (7, 8)]
    assert {row["subject"]["reference"] for row in rows} == {f"Patient/{keyed_number(secret, 17)}"}  # as in tables
    assert rows[0]["author"] == [{"reference": f"Practitioner/{keyed_number(secret, 55)}"}]
    assert rows[0]["type"] == {"coding": [{"system": "http://loinc.org", "code": "18842-5"}]}
    text = text_of(rows[0])
    month, day, year = re.search(r"(\d\d)/(\d\d)/(\d{4})", text).groups()  # type: ignore[union-attr]
    assert rows[0]["date"] == f"{year}-{month}-{day}T10:11:12.5+01:00" != a_note(7)["date"]
    told = rows[0]["content"][0]["attachment"]
    assert told["size"] == len(text.encode())
    assert "creation" not in told  # a month cannot be moved
    told_in_clear = re.sub('"data": "[^"]*"', "", out.read_text()) + "".join(map(text_of, rows))
    assert not re.search("roe|jane|2021-03-04", told_in_clear, re.IGNORECASE)


def test_a_narrative_and_a_conclusion_are_cleaned_with_the_note_and_come_back_in_their_places(tmp_path: Path) -> None:
    div = '<div xmlns="http://www.w3.org/1999/xhtml"><p>Seen: <b>Jane Roebuck</b>.</p><p>She has no pain.</p></div>'
    report = {
        "resourceType": "DiagnosticReport",
        "id": "r-1",
        "status": "final",
        "code": {"text": "of Jane"},
        "subject": {"reference": "Patient/17"},
        "conclusion": "Jane Roebuck was well and had no pain at all.",
        "presentedForm": [attached(NOTE)["attachment"]],
        "text": {"status": "generated", "div": div},
    }
    (tmp_path / "in.json").write_text(json.dumps(report))
    out, held = cleaned(tmp_path, "in.json", "out.json", policy="tag")
    row = json.loads(out.read_text())
    assert not held
    assert row["conclusion"] == "[NAME] was well and had no pain at all."
    assert row["text"]["div"].count("[NAME]") == 1
    assert "<br/>She has no pain." in row["text"]["div"]
    assert row["code"]["coding"][0]["code"] == "masked"


def bundle(**more: object) -> Found:
    return {
        "resourceType": "Bundle",
        "type": "transaction",
        "entry": [
            {
                "fullUrl": "urn:uuid:6d5c7e1a-0000-4000-8000-000000000001",
                "resource": {"resourceType": "Patient", "name": [{"family": "Roebuck", "given": ["Jane"]}],
                             "gender": "female", "birthDate": "1950-02-03"},
            },
            {
                "fullUrl": "https://roe-hospital.org/fhir/Encounter/e9",
                "resource": {"resourceType": "Encounter", "id": "e9", "status": "finished",
                             "subject": {"reference": "urn:uuid:6d5c7e1a-0000-4000-8000-000000000001"}},
            },
            {"resource": {"resourceType": "Practitioner", "id": "unused", "name": [{"family": "Roe"}]}},
            {
                "resource": a_note(
                    7,
                    subject={"reference": "urn:uuid:6d5c7e1a-0000-4000-8000-000000000001"},
                    context={"encounter": [{"reference": "Encounter/e9"}], "related": [{"display": "Roe"}]},
                    **more,
                )
            },
        ],
    }  # fmt: skip


def test_references_in_a_bundle_still_lead_to_what_they_led_to(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(json.dumps(bundle()))
    out, held = cleaned(tmp_path, "in.json", "out.json")
    made = json.loads(out.read_text())
    there = {f"{one['resource']['resourceType']}/{one['resource']['id']}": one for one in made["entry"]}
    note, encounter, patient = (one["resource"] for one in made["entry"])
    assert not held
    assert made["type"] == "transaction"
    assert there[note["subject"]["reference"]]["resource"] == patient == {**patient, "gender": "female"}
    assert set(patient) == {"resourceType", "id", "gender"}
    assert there[note["context"]["encounter"][0]["reference"]]["resource"] == encounter
    assert encounter["subject"] == note["subject"]
    assert all(one["fullUrl"].endswith(name) and one["request"]["url"] == name for name, one in there.items())
    assert not re.search('roe|jane|1950-|6d5c7e1a-|["/]e9"', out.read_text(), re.IGNORECASE)


HELD = [
    ({"content": [attached("", contentType="application/pdf")]}, "not-text: attachment"),
    ({"content": [{"attachment": {"url": "Binary/roe"}}]}, "not-text: attachment"),
    ({"modifierExtension": [{"url": "http://roe.org/not", "valueBoolean": True}]}, "not-text: fhir-modifier"),
    ({"implicitRules": "http://roe.org/rules"}, "not-text: fhir-modifier"),
]


@pytest.mark.parametrize(("more", "why"), HELD)
def test_a_resource_that_is_not_understood_is_held(tmp_path: Path, more: Found, why: str) -> None:
    lines(tmp_path / "in.ndjson", a_note(7, **more), a_note(8))
    out, held = cleaned(tmp_path, "in.ndjson", "out.ndjson")
    assert held == [why]
    assert len(out.read_text().splitlines()) == 1


def test_a_folder_stays_a_folder_with_other_names(tmp_path: Path) -> None:
    for name in ("roe/jane.json", "bundles/roe.json", "roe.ndjson"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "in/roe/jane.json").write_text(json.dumps(a_note(1)))
    (tmp_path / "in/bundles/roe.json").write_text(json.dumps(bundle()))
    lines(tmp_path / "in/roe.ndjson", a_note(2), a_note(3))
    out, held = cleaned(tmp_path, "in", "out")
    secret = Key.read(a_key(tmp_path)).secret("ids")
    assert not held
    names = [f"{keyed_number(secret, 1)}.json", f"{secret.name('bundles/roe')}.json", f"{secret.name('roe')}.ndjson"]
    assert sorted(file.relative_to(out).as_posix() for file in out.rglob("*") if file.is_file()) == sorted(names)
    assert len((out / names[2]).read_text().splitlines()) == 2


def test_ids_that_are_kept_stay_those_of_notes_only(tmp_path: Path) -> None:
    lines(tmp_path / "in.ndjson", a_note(7))
    out, _ = cleaned(tmp_path, "in.ndjson", "out.ndjson", ids="keep")
    row = json.loads(out.read_text())
    assert row["id"] == "7"
    assert row["subject"]["reference"] != "Patient/17"


def test_without_a_key_a_resource_has_no_ids_but_its_own_and_no_dates(tmp_path: Path) -> None:
    lines(tmp_path / "in.ndjson", a_note(7))
    out, _ = cleaned(tmp_path, "in.ndjson", "out.ndjson", policy="tag", key="")
    row = json.loads(out.read_text())
    assert set(row) == {"resourceType", "id", "status", "type", "content"}


def test_true_dates_stay_only_beside_true_dates(tmp_path: Path) -> None:
    lines(tmp_path / "in.ndjson", a_note(7))
    policy = tmp_path / "dates.toml"
    policy.write_text('[labels]\nDATE = "keep"\n"*" = "tag"\n')
    out, _ = cleaned(tmp_path, "in.ndjson", "out.ndjson", policy=str(policy))
    assert json.loads(out.read_text())["date"] == a_note(7)["date"]


def test_all_of_the_original_cannot_be_let_out(tmp_path: Path) -> None:
    lines(tmp_path / "in.ndjson", a_note(7))
    for columns in ({"keep": ("record",)}, {"known": {"name": "record"}}, {"operators": {"record": "hash"}}):
        options = RunOptions(columns={"texts": ("text",), "id": "id", **columns}, key=a_key(tmp_path))
        with pytest.raises(FormatError, match="all of the original"):
            plan(str(tmp_path / "in.ndjson"), str(tmp_path / "o.csv"), options)


# -- HL7


HEAD = r"MSH|^~\&|ROEAPP|ROEHOSP|X|Y|20210304101112||MDM^T02^MDM_T02|C-7|P|2.5.1"


def a_message(
    *segments: str, head: str = r"MSH|^~\&|ROEAPP|ROEHOSP|X|Y|20210304101112||MDM^T02^MDM_T02|C-7|P|2.5.1"
) -> str:
    return "".join(f"{one}\r" for one in (head, *segments))


PID = "PID|1|99|17^^^ROEHOSP^MR~18||Roebuck^Jane||19500203|F|||1 Roe St^^Leeds"


def test_a_message_is_written_again_segment_by_segment(tmp_path: Path) -> None:
    message = a_message(
        "EVN|T02|20210304",
        PID,
        "NK1|1|Roebuck^Tom",
        "PV1|1|I|W^1^2||||55^Roe^Alan||||||||||||V-9|||||||||||||||||||||||||20210301|20210305",
        "TXA|1|DS|TX|20210304|55^Roe|||||||D-3^ROE",
        "OBX|1|TX|18842-5^Note of Roe^LN|1|Seen today: Jane||||||F|||20210304",
        r"OBX|2|TX|LOCAL^Roe^L|1|Roebuck was \.sp+2\ well \T\ had no pain.~She goes home.||||||F",
        "OBX|3|NM|1234-5^Roe^LN||4711||||||F",
        "NTE|1|L|Jane Roebuck was seen on 03/04/2021.|RE^Roe",
        "ZRO|Roebuck|Jane",
    )
    (tmp_path / "in.hl7").write_bytes(message.encode())
    out, held = cleaned(tmp_path, "in.hl7", "out.hl7", policy="tag")
    secret = Key.read(a_key(tmp_path)).secret("ids")
    rows = out.read_bytes().decode().split("\r")
    names = [row[:3] for row in rows]
    assert not held
    assert names in (
        ["MSH", "EVN", "PID", "PV1", "TXA", "OBX", "OBX", "NTE", ""],
        ["MSH", "EVN", "PID", "PV1", "TXA", "OBX", "NTE", ""],  # a name that went on is one with the line it began in
    )
    msh = rows[0].split("|")
    assert msh[2:6] == ["", "", "", ""]
    assert msh[8] == "MDM^T02^MDM_T02"
    assert msh[9] == secret.name("C-7")
    assert rows[2] == f"PID|1||{keyed_number(secret, 17)}|||||F"
    assert rows[3].split("|")[19] == secret.name("V-9")
    whole = " ".join(rows)
    assert r"was \.sp+2\ well \T\ had no pain." in whole
    assert "She goes home." in whole
    assert rows[-2].split("|")[3] == "[NAME] was seen on [DATE]."
    assert not re.search("roe|jane|tom|4711|20210304|19500203", out.read_text(), re.IGNORECASE)


def test_times_of_a_message_move_as_the_dates_of_its_note(tmp_path: Path) -> None:
    (tmp_path / "in.hl7").write_bytes(a_message(PID, "OBX|1|TX|||Seen on 03/04/2021. She was well.").encode())
    out, _ = cleaned(tmp_path, "in.hl7", "out.hl7")
    month, day, year = re.search(r"(\d\d)/(\d\d)/(\d{4})", out.read_text()).groups()  # type: ignore[union-attr]
    assert out.read_text().split("|")[6] == f"{year}{month}{day}101112" != "20210304101112"


def test_files_and_batches_are_opened_closed_and_counted_again(tmp_path: Path) -> None:
    one, two, three = (
        a_message("OBX|1|TX|||She was well and had no pain.", head=rf"MSH|^~\&|||||||ORU^R01|C{number}|P|2.5")
        for number in range(3)
    )
    bad = a_message("OBX|1|ED|||^TEXT^^Base64^Um9l", head=r"MSH|^~\&|||||||ORU^R01|C9|P|2.5")
    text = rf"FHS|^~\&|ROE||||20210304{chr(13)}BHS|^~\&|ROE||||||||b1{chr(13)}{one}{two}{bad}BTS|3|Roe{chr(13)}"
    text += rf"BHS|^~\&|ROE||||||||b2{chr(13)}{three}BTS|1{chr(13)}FTS|2{chr(13)}"
    (tmp_path / "in.hl7").write_bytes(text.encode())
    out, held = cleaned(tmp_path, "in.hl7", "out.hl7", ids="keep")
    names = [row[:3] for row in out.read_text().split("\n" if "\n" in out.read_text() else "\r")]
    assert held == ["not-text: attachment"]
    assert names == ["FHS", "BHS", "MSH", "OBX", "MSH", "OBX", "BTS", "BHS", "MSH", "OBX", "BTS", "FTS", ""]
    assert re.findall("(?:BTS|FTS).[0-9]", out.read_text()) == ["BTS|2", "BTS|1", "FTS|2"]
    assert "ROE" not in out.read_text()


def test_other_delimiters_and_character_sets_stay(tmp_path: Path) -> None:
    message = a_message(
        "PID#1##17*x",
        "OBX#1#FT###The naïve patient was $F$ well.$.br$No pain.",
        head="MSH#*!$%#######ORU*R01#C1#P#2.5######8859/1",
    )
    (tmp_path / "in.hl7").write_bytes(message.encode("latin-1"))
    out, _ = cleaned(tmp_path, "in.hl7", "out.hl7", policy="tag", language="en")
    assert "OBX#1#FT###The naïve patient was $F$ well.$.br$No pain." in out.read_bytes().decode("latin-1")
    assert "MSH#*!$%#" in out.read_bytes().decode("latin-1")


@pytest.mark.parametrize(
    ("name", "field", "value", "kept"),
    [
        ("MSH", 9, "ORU^R01^ORU_R01", True), ("MSH", 9, "ORU", True), ("MSH", 9, "NGO^JAN", False),
        ("MSH", 9, "ORU^R01^ROE", False), ("MSH", 9, "ORU^R01^ORU_R01^ROE", False), ("MSH", 15, "NG", False),
        ("TXA", 2, "DS", True), ("TXA", 2, "NG", False), ("ORC", 1, "RE", True), ("ORC", 5, "NG", False),
        ("PID", 8, "F", True), ("OBR", 4, "18842-5^Roe^LN", False), ("OBR", 4, "18842-5^^LN", True),
        ("OBX", 2, "TX", True), ("NTE", 2, "L", True), ("NTE", 2, "R", False),
    ],
)  # fmt: skip
def test_codes_of_a_message_stay_if_they_are_known(name: str, field: int, value: str, kept: bool) -> None:
    fields: list[Any] = [name, *[""] * 20, 1]
    fields[field] = value
    made = segment(fields, "^", Renaming(str, 3, "17"))
    assert made is not None
    assert (made[field] == value) is kept
    assert "Roe" not in str(made)


def test_without_a_key_a_message_has_no_ids_but_its_own_and_no_times(tmp_path: Path) -> None:
    (tmp_path / "in.hl7").write_bytes(a_message(PID, "OBX|1|TX|||She was well and had no pain.").encode())
    out, _ = cleaned(tmp_path, "in.hl7", "out.hl7", policy="tag", key="")
    assert out.read_text().splitlines() == [
        r"MSH|^~\&|||||||MDM^T02^MDM_T02|C-7|P|2.5.1", "PID|1|||||||F", "OBX|1|TX|||She was well and had no pain."
    ]  # fmt: skip


# -- laws of both

texts = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("|^~\\&\n#"), min_size=1, max_size=20)


def _same(document: Document) -> Renaming:
    return Renaming(lambda said: said or None, 0, document.patient)


def _again(records: Records, file: Path, out: Path) -> list[tuple[str, str]]:
    found = list(records.read(file, Reading()))
    records.write((one._replace(shell=records.clean(one.shell, _same(one.document))) for one in found), out, False)
    return [(one.document.id, one.document.text) for one in found]


@given(pieces=st.lists(texts, min_size=1, max_size=4))
def test_what_was_cleaned_and_written_reads_as_the_same_and_writes_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    lines(folder / "in.ndjson", a_note(7, content=[attached(piece) for piece in pieces]))
    from elision.formats.hl7_message import DEFAULT, escape

    segments = [f"OBX|{number}|TX|||{escape(piece, DEFAULT)}" for number, piece in enumerate(pieces)]
    (folder / "in.hl7").write_bytes(a_message(PID, *segments).encode())
    for name, format in (("in.ndjson", "fhir"), ("in.hl7", "hl7v2")):
        records = FORMATS[format].records
        assert records is not None
        once, twice = folder / f"once{name[2:]}", folder / f"twice{name[2:]}"
        assert _again(records, folder / name, once) == _again(records, once, twice)
        assert once.read_bytes() == twice.read_bytes()
        assert next(records.read(twice, Reading())).document.text == "\n".join(pieces)


@pytest.mark.parametrize("name", ["o.ndjson", "o.json", "o.hl7"])
def test_a_note_that_comes_out_later_stands_where_it_would_have_stood(tmp_path: Path, name: str) -> None:
    notes = [a_note(number, content=[attached(f"Note {number}.")]) for number in range(3)]
    if name == "o.json":
        (tmp_path / name).write_text(json.dumps({"resourceType": "Bundle", "entry": [{"resource": n} for n in notes]}))
    elif name == "o.ndjson":
        lines(tmp_path / name, *notes)
    else:
        segments = [rf"MSH|^~\&|||||||ORU^R01|C{n}|P|2.5{chr(13)}OBX|1|TX|||Note {n}.{chr(13)}" for n in range(3)]
        (tmp_path / name).write_bytes("".join(segments).encode())
    format = "hl7v2" if name == "o.hl7" else "fhir"
    records = FORMATS[format].records
    assert records is not None
    found: list[Found] = [
        {
            "id": one.document.id,
            "text": one.document.text,
            "joints": "[]",
            "record": json.dumps(records.clean(one.shell, _same(one.document))),
        }
        for one in records.read(tmp_path / name, Reading())
    ]

    def put(folder: Path, rows: list[Found], change: Amendment | None = None) -> bytes:
        staging = folder / "run" / f"staging{change}"
        staging.mkdir(parents=True)
        schema = pa.schema([(one, pa.string()) for one in ("id", "text", "joints", "record")])
        columns = Columns(texts=("text",), id="id", record="record", joints="joints")
        sink = RecordSink(Placing(folder / name, staging, folder=False, force=True), schema, format, columns)
        sink.put(0, iter([pa.RecordBatch.from_pylist(rows, schema)]))
        sink.finish(change)
        return (folder / name).read_bytes()

    whole = put(tmp_path / "whole", found)
    held = [found[0], {**found[1], "text": None}, found[2]]
    assert whole != put(tmp_path / "again", held)
    assert whole == put(tmp_path / "again", [found[1]], Amendment("o-o", "ono", "oo", "ono"))


@pytest.mark.slow  # processes
@pytest.mark.parametrize("name", ["in.ndjson", "in.hl7"])
def test_what_was_written_is_verified_and_a_change_is_named(tmp_path: Path, name: str) -> None:
    lines(tmp_path / "in.ndjson", a_note(7), a_note(8), a_note(9, content=[{"attachment": {"url": "Binary/roe"}}]))
    two = (a_message("PID|1||17", f"OBX|1|TX|||{NOTE} {number}.", head=HEAD.replace("C-7", number)) for number in "12")
    bad = a_message("OBX|1|ED|||Um9l", head=HEAD.replace("C-7", "3"))
    (tmp_path / "in.hl7").write_bytes("".join((*two, bad)).encode())
    out, key = tmp_path / f"out{name[2:]}", a_key(tmp_path)
    call(
        "run", tmp_path / name, "-o", out, "--key", key, "-P", "surrogate", "--effort", "fast", "--workers", 1, status=1
    )
    assert "ok: 2" in call("verify", f"{out}.run", "--key", key)
    mark = b'"data": "' if name == "in.ndjson" else b"|TX|||"
    out.write_bytes(out.read_bytes().replace(mark, mark + b"AAAA", 1))
    assert "was changed" in call("verify", f"{out}.run", "--key", key, status=1)


MARK = "\u00a4"  # in every string that is not ours
strings = st.text(max_size=4).map(lambda text: f"{text}{MARK}{text}") | st.sampled_from(
    [f"Patient/{MARK}", f"2021-03-04{MARK}", f"LN{MARK}", f"urn:uuid:{MARK}", f"#{MARK}"]
)
named = ("reference", "coding", "system", "code", "start", "end", "attachment", "encounter", "period", "identifier")
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | strings,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(named) | strings, inner, max_size=4),
    max_leaves=12,
)
elements = st.sampled_from(sorted({name for rules in RULES.values() for name in rules} | {"id", "contained", "meta"}))


@given(st.sampled_from(sorted(RULES)), st.dictionaries(elements | strings, values, max_size=6), values)
def test_whatever_a_resource_has_nothing_of_it_stays_that_is_not_ours(kind: str, more: Found, subject: Any) -> None:
    same = Given(Renaming(lambda _: "7", 3, "17"), {f"Patient/{MARK}": ("Patient", MARK)})
    made = [note({"resourceType": kind, **more, "subject": subject}, same), stub(kind, MARK, more, same)]
    assert MARK not in json.dumps([*made, attachment(more, same)], ensure_ascii=False)


@given(resource=values, entry=values)
def test_what_is_no_resource_is_told_and_never_breaks(
    tmp_path_factory: pytest.TempPathFactory, resource: Any, entry: Any
) -> None:
    file = tmp_path_factory.mktemp("odd") / "in.json"
    entries = [{"resource": resource}, entry, {"fullUrl": entry, "resource": a_note(7, content=resource, text=entry)}]
    records = FORMATS["fhir"].records
    assert records is not None
    odd = [{"resource": {"resourceType": resource, "id": "x"}}]
    for made in (entries, odd, [{"resource": a_note(7, subject=entry)}]):
        file.write_text(json.dumps({"resourceType": "Bundle", "entry": made}))
        told = ""
        try:
            for one in records.read(file, Reading()):
                records.clean(one.shell, _same(one.document))
        except ElisionError as error:
            told = str(error)
        assert MARK not in told


@given(st.sampled_from(sorted({*HL7_RULES, "ZZZ"})), st.lists(strings, max_size=50))
def test_whatever_a_segment_has_nothing_of_it_stays_that_is_not_ours(name: str, fields: list[str]) -> None:
    made = segment([name, *fields, 1], "^", Renaming(lambda _: "7", 3, "17"))
    assert MARK not in json.dumps(made, ensure_ascii=False)


# -- canaries: invented identifiers in all fields


def canaries(count: int = 200) -> list[str]:
    chosen = random.Random(32)
    kinds = (
        lambda: "".join(chosen.choices("BCDFGHJKLMNPQRSTVWXZ", k=9)).title(),
        lambda: "".join(chosen.choices("123456789", k=9)),
        lambda: f"{chosen.randint(1930, 1999)}-{chosen.randint(10, 12)}-{chosen.randint(10, 28)}",
        lambda: f"Q{chosen.randint(10**6, 10**7)}-{chosen.choice('XYZ')}",
    )
    return list(dict.fromkeys(kinds[number % len(kinds)]() for number in range(count)))


def _filled(names: Iterator[str], depth: int = 0) -> Any:
    """Something with canaries in all places where a resource may have text."""
    return {
        name: {"text": next(names), "coding": [{"system": next(names), "code": next(names), "display": next(names)}]}
        if depth
        else next(names)
        for name in ("value", "display", "reference", "system", "code", "start", "text", next(names))
    }


def test_no_identifier_of_any_field_of_a_resource_is_anywhere(tmp_path: Path) -> None:
    planted = canaries()
    names = iter(planted * 3)
    made_note = a_note(7, id=next(names), subject={"reference": f"Patient/{next(names)}", "display": next(names)})
    made_note["content"] = [attached("She was well and had no pain in the leg.", title=next(names), url=next(names))]
    made_note["content"][0]["format"] = _filled(names)
    made_note["content"][0]["attachment"] |= {"language": next(names), "creation": next(names)}
    for name in dict.fromkeys(
        (*RULES["DocumentReference"], "meta", "extension", "contained", "identifier", "relatesTo")
    ):
        made = _filled(names, depth=1)
        made_note[name] = [made] if name in ("identifier", "contained", "extension") else made
    made_note["author"] = [{"reference": f"Practitioner/{next(names)}", "display": next(names)}, _filled(names)]
    made_note["identifier"] = [{"system": next(names), "value": next(names)}]
    made_note["contained"] = [{"resourceType": "Patient", "id": next(names), "name": [{"family": next(names)}]}]
    made_note["text"] = {"status": next(names)}
    made_note["content"].append({"attachment": {"contentType": f"{next(names)}/{next(names)}", "url": next(names)}})
    while (more := next(names, None)) is not None and len(made_note) < 200:
        made_note[more] = next(names, "")
    resources = [{"resource": made_note, "fullUrl": f"urn:uuid:{planted[-1]}"}]
    resources.append({"resource": {"resourceType": "Roebuckia", "id": planted[5], "name": planted[6]}, "fullUrl": ""})
    (tmp_path / "in.json").write_text(json.dumps({"resourceType": "Bundle", "id": planted[0], "entry": resources}))
    lines(tmp_path / "in.ndjson", made_note)
    for name in ("json", "ndjson"):
        out, held = cleaned(tmp_path, f"in.{name}", f"out.{name}")
        assert not held
        assert "She was" in text_of(next(one for one in _notes(json.loads(out.read_text()))))
        whole = out.read_text() + (tmp_path / "told").read_text()
        assert [one for one in planted if one in whole] == []


def _notes(resource: Found) -> Iterator[Found]:
    return (one["resource"] for one in resource["entry"]) if "entry" in resource else iter([resource])


def test_no_identifier_of_any_field_of_a_message_is_anywhere(tmp_path: Path) -> None:
    planted = canaries()
    chosen = random.Random(7)
    fields = 0

    def filled(name: str, texts: int = 0) -> str:
        nonlocal fields
        cells = [f"{chosen.choice(planted)}^{chosen.choice(planted)}~{chosen.choice(planted)}" for _ in range(45)]
        fields += len(cells)
        if texts:
            cells[texts - 1] = "She was well and had no pain in the leg."
        if name == "OBX":
            cells[1] = "TX"
        return "|".join([name, *cells])

    head = r"MSH|^~\&|" + "|".join(chosen.choice(planted) for _ in range(15))
    rest = [filled(name) for name in ("EVN", "PID", "PD1", "NK1", "PV1", "PV2", "ORC", "OBR", "TXA", "IN1", "ZZZ")]
    message = a_message(*rest, filled("OBX", 5), filled("NTE", 3), filled("FT1"), head=head)
    text = f"FHS|^~\\&|{'|'.join(planted[:12])}\rBHS|^~\\&|{'|'.join(planted[12:24])}\r{message}BTS|{planted[30]}\r"
    (tmp_path / "in.hl7").write_bytes(text.encode())
    out, held = cleaned(tmp_path, "in.hl7", "out.hl7")
    whole = out.read_text() + (tmp_path / "told").read_text()
    assert not held
    assert whole.count("She was well") == 2
    assert [one for one in planted if one in whole or one.replace("-", "") in whole] == []


def test_an_unknown_charset_is_not_quoted(tmp_path: Path) -> None:
    lines(tmp_path / "in.ndjson", a_note(7, content=[attached("x", contentType="text/plain; charset=roebuck")]))
    (tmp_path / "in.hl7").write_bytes(a_message("OBX|1|TX|||x", head=r"MSH|^~\&|||||||A|C|P|2.5||||||ROEBUCK").encode())
    for name in ("ndjson", "hl7"):
        with pytest.raises(ElisionError, match="charset") as told:
            cleaned(tmp_path, f"in.{name}", f"out.{name}")
        assert "roebuck" not in str(told.value).lower()


@pytest.mark.parametrize("text", ["{", '{"resourceType": 7}', '{"resourceType": "DocumentReference", "content": 7}'])
def test_what_is_no_resource_is_an_error_that_quotes_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "in.ndjson").write_text(json.dumps(a_note(7)) + "\n" + text.replace("}", ', "Roebuck": 1}') + "\n")
    with pytest.raises(ElisionError) as told:
        cleaned(tmp_path, "in.ndjson", "out.ndjson")
    assert "Roebuck" not in str(told.value)


@pytest.mark.slow  # processes
@pytest.mark.parametrize("name", ["in.ndjson", "in.json", "in.hl7"])
def test_nights_are_one_run_over_all_records(tmp_path: Path, name: str) -> None:
    key, out = a_key(tmp_path), tmp_path / f"out{name[2:]}"

    def write(numbers: str) -> None:
        notes = [a_note(int(one), content=[attached(f"{NOTE} {one}.")]) for one in numbers]
        if name == "in.ndjson":
            lines(tmp_path / name, *notes)
        elif name == "in.json":
            bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": one} for one in notes]}
            (tmp_path / name).write_text(json.dumps(bundle))
        else:
            made = (a_message(PID, f"OBX|1|TX|||{NOTE} {one}.", head=HEAD.replace("C-7", f"C{one}")) for one in numbers)
            (tmp_path / name).write_text("".join(made), newline="")

    def run(out: Path) -> bytes:
        words = ("run", tmp_path / name, "-o", out, "--key", key, "-P", "surrogate", "--effort", "fast")
        call(*words, "--workers", 1, "--incremental", "--language", "en", "--deleted", "remove")
        return out.read_bytes()

    for night in ("23", "1243", "143"):
        write(night)
        found = run(out)
    assert found == run(tmp_path / f"whole{name[2:]}")
