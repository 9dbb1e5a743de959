"""Our own contract, as a program asks it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from elision.keys import Key
from tests.serve.client import Client, read_until, running

NOTE = "Seen by Dr. Quillfeather on 3 May 2001. MRN: 4711-0815."
CLEAN = "Seen by Dr. [NAME] on [DATE]. MRN: [MEDICAL_RECORD]."
SMILING = "😀 é Seen by Dr. Quillfeather."


def test_a_note_is_de_identified(client: Client) -> None:
    answer = client.post("/v1/deidentify", {"id": "n1", "text": NOTE})
    assert answer.status == 200
    row = answer.json
    assert (row["id"], row["status"], row["text"], row["language"]) == ("n1", "done", CLEAN, "en")
    assert [NOTE[span["start"] : span["end"]] for span in row["spans"]] == ["Quillfeather", "3 May 2001", "4711-0815"]
    assert [CLEAN[span["new_start"] : span["new_end"]] for span in row["spans"]] == [
        "[NAME]",
        "[DATE]",
        "[MEDICAL_RECORD]",
    ]
    assert row["receipt"]["note"] == "n1"
    assert row["receipt"]["status"] == "done"


def test_a_note_is_looked_at(client: Client) -> None:
    row = client.post("/v1/detect", {"text": NOTE}).json
    assert row["status"] == "found"
    assert "text" not in row
    assert [span["label"] for span in row["spans"]] == ["NAME_CLINICIAN", "DATE", "MEDICAL_RECORD"]


@pytest.mark.parametrize(("unit", "codec", "width"), [("utf-16", "utf-16-le", 2), ("utf-8", "utf-8", 1)])
@pytest.mark.parametrize("route", ["/v1/deidentify", "/v1/detect"])
def test_offsets_count_what_is_asked_for(client: Client, route: str, unit: str, codec: str, width: int) -> None:
    (span,) = client.post(route, {"text": SMILING, "offsets": unit}).json["spans"]
    raw = SMILING.encode(codec)
    assert raw[span["start"] * width : span["end"] * width].decode(codec) == "Quillfeather"


def test_known_values_are_looked_for(client: Client) -> None:
    row = client.post("/v1/deidentify", {"text": "Zorblax feels well today.", "known": {"name": ["Zorblax"]}}).json
    assert row["text"] == "[NAME] feels well today."


@pytest.mark.parametrize("route", ["/v1/deidentify", "/v1/detect"])
def test_a_held_note_is_answered_with_its_reason_and_without_its_text(client: Client, route: str) -> None:
    answer = client.post(route, {"id": "n1", "text": r"{\rtf1 Seen by Dr. Quillfeather.}"})
    assert answer.status == 422
    assert (answer.json["status"], answer.json["id"]) == ("held", "n1")
    assert answer.json["why"].startswith("not-text")
    assert b"Quillfeather" not in answer.body


def test_a_note_in_no_language_of_ours_is_held() -> None:
    with running(language="") as client:
        told = client.post("/v1/deidentify", {"text": NOTE, "language": "sv"})
        assert (told.status, told.json["why"]) == (422, "language-not-supported: sv")
        assert client.post("/v1/deidentify", {"text": NOTE}).json["language"] == "en"
        dutch = "De patiënt werd gezien door dr. De Vries op 3 mei 2001 en voelt zich goed."
        assert client.post("/v1/deidentify", {"text": dutch}).json["language"] == "nl"
    with running(language="", default_language="nl") as client:
        assert client.post("/v1/deidentify", {"text": "ok"}).json["language"] == "nl"


def test_a_batch_keeps_its_order_and_counts_its_rows(client: Client) -> None:
    rows = [{"id": str(at), "text": f"Seen by Dr. Quillfeather, page {at}."} for at in range(150)]
    *answers, end = client.batch(rows).rows
    assert [row["id"] for row in answers] == [row["id"] for row in rows]
    assert [row["row"] for row in answers] == list(range(1, 151))
    assert all(row["text"] == f"Seen by Dr. [NAME], page {row['id']}." for row in answers)
    assert end == {"end": True, "rows": 150, "done": 150}


def test_a_batch_goes_on_after_rows_that_are_none(client: Client) -> None:
    held = {"text": "%PDF-1.4 Quillfeather"}
    answer = client.batch([{"text": NOTE}, b"no json Quillfeather", b"", {"texts": "Quillfeather"}, held, b"[" * 5000])
    *rows, end = answer.rows
    assert [row["status"] for row in rows] == ["done", "error", "error", "held", "error"]
    assert end == {"end": True, "rows": 5, "done": 1, "error": 3, "held": 1}
    assert b"Quillfeather" not in answer.body


def test_a_batch_can_be_looked_at(client: Client) -> None:
    first, _ = client.batch([{"text": NOTE}], "?do=detect").rows
    assert (first["status"], len(first["spans"])) == ("found", 3)
    assert client.batch([{"text": NOTE}], "?do=else").status == 400


def test_an_answer_comes_before_the_next_row_is_sent(client: Client) -> None:
    with client.socket() as one:
        one.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        line = json.dumps({"text": NOTE}).encode() + b"\n"
        one.sendall(b"%x\r\n%b\r\n" % (len(line), line))
        read_until(one, b"[MEDICAL_RECORD]")
        one.sendall(b"0\r\n\r\n")
        read_until(one, b'"end":true')


def test_requests_at_once_are_not_mixed_up() -> None:
    def ask(at: int) -> tuple[str, str]:
        canary = " ".join(WORDS[int(digit)] for digit in str(at))
        row = client.post(
            "/v1/deidentify", {"id": str(at), "patient": "17", "text": f"Dr. Quillfeather: {canary}."}
        ).json
        return row["text"], f"Dr. [NAME]: {canary}."

    with running(effort="fast") as client, ThreadPoolExecutor(16) as pool:
        assert all(told == wanted for told, wanted in pool.map(ask, range(200)))


def test_one_patient_in_two_requests_is_not_remembered_from_one_to_the_other(client: Client) -> None:
    """Whoever asks at the same time must not change an answer."""

    def ask(text: str) -> str:
        return str(client.post("/v1/deidentify", {"patient": "17", "text": text}).json.get("text"))

    told, other = "Patient name: Zorblax Quillfeather. Feels well.", "Zorblax Quillfeather was here before."
    alone = ask(other)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, [told, other] * 40))
    assert set(answers[1::2]) == {alone}


def test_stand_ins_of_a_patient_agree_by_the_key(tmp_path: Path) -> None:
    Key(bytes(range(32))).write(tmp_path / "project.key")
    with running(policy="surrogate", key=str(tmp_path / "project.key")) as client:
        a, b = (client.post("/v1/deidentify", {"text": NOTE, "patient": "17", "id": id}).json for id in "ab")
    assert a["text"] == b["text"] != NOTE
    assert "Quillfeather" not in a["text"]
    assert a["receipt"]["signature"]


def test_rules_of_ones_own_count(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(OWN, "utf-8")
    with running(rules=(str(tmp_path / "own.toml"),)) as client:
        assert "ZQ-12345" not in client.post("/v1/deidentify", {"text": "Sample ZQ-12345 taken."}).json["text"]


WORDS = ["cough", "fever", "pain", "rash", "swelling", "fatigue", "nausea", "headache", "itching", "thirst"]
OWN = """
[[rule]]
name = "sample"
label = "ID_OTHER"
pattern = '\\b(ZQ-\\d{5})\\b'
score = 0.95
hits = ["Sample [ZQ-12345] taken."]
misses = ["Sample ZQ taken."]
"""
