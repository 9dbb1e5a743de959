"""Presidio's contract, with bodies as its clients send them."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tests.serve.client import Client

TEXT = "Seen by Dr. Quillfeather on 3 May 2001, SSN 536-22-8145."
ASK = {"text": TEXT, "language": "en"}


def test_a_text_is_analyzed_as_presidio_answers(client: Client) -> None:
    answer = client.post(
        "/analyze", {**ASK, "correlation_id": "c1", "return_decision_process": True, "context": ["ssn"]}
    )
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("application/json")
    results = answer.json
    assert [TEXT[one["start"] : one["end"]] for one in results] == ["Quillfeather", "3 May 2001", "536-22-8145"]
    assert [one["entity_type"] for one in results] == ["PERSON", "DATE_TIME", "US_SSN"]
    assert {frozenset(one) for one in results} == {
        frozenset(("analysis_explanation", "start", "end", "entity_type", "score"))
    }
    assert all(one["analysis_explanation"] is None and 0 < one["score"] <= 1 for one in results)


def test_offsets_are_code_points(client: Client) -> None:
    text = "😀 Seen by Dr. Quillfeather."
    (one,) = client.post("/analyze", {"text": text, "language": "en"}).json
    assert text[one["start"] : one["end"]] == "Quillfeather"


def test_a_list_of_texts_is_answered_as_a_list(client: Client) -> None:
    answers = client.post("/analyze", {"text": [TEXT, "No fever.", TEXT], "language": "en"}).json
    assert [len(one) for one in answers] == [3, 0, 3]


def test_a_name_of_the_country_is_given(client: Client) -> None:
    assert set(client.get("/supportedentities?language=es").json) > {"PERSON", "ES_NIF"}


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({"entities": ["PERSON"]}, ["PERSON"]),
        ({"entities": ["US_ITIN", "DATE_TIME"]}, ["DATE_TIME", "US_ITIN"]),
        ({"entities": ["CRYPTO"]}, []),
        ({"score_threshold": 1.0}, []),
        ({"allow_list": ["Quillfeather"]}, ["DATE_TIME", "US_SSN"]),
    ],
)
def test_what_is_asked_for_is_answered(client: Client, more: dict[str, Any], wanted: list[str]) -> None:
    assert [one["entity_type"] for one in client.post("/analyze", {**ASK, **more}).json] == wanted


@pytest.mark.parametrize(
    "more",
    [
        {"ad_hoc_recognizers": [{"name": "Quillfeather"}]},
        {"allow_list": ["a"], "allow_list_match": "regex"},
        {"language": "xx-Quillfeather"},
        {"text": ""},
        {"text": {"Quillfeather": 1}},
        {"text": "%PDF-1.4 Quillfeather"},
        {"text": [TEXT, "%PDF-1.4 Quillfeather"]},
    ],
)
def test_what_cannot_be_done_is_refused_without_content(client: Client, more: dict[str, Any]) -> None:
    answer = client.post("/analyze", {**ASK, **more})
    assert 400 <= answer.status < 500
    assert isinstance(answer.json["error"], str)
    assert b"Quillfeather" not in answer.body


def test_entities_and_recognizers_are_listed(client: Client) -> None:
    listed = client.get("/supportedentities?language=en").json
    assert {"PERSON", "DATE_TIME", "US_SSN", "PHONE_NUMBER", "EMAIL_ADDRESS", "LOCATION"} <= set(listed)
    assert any("en" in name for name in client.get("/recognizers?language=en").json)
    assert client.get("/supportedentities?language=xx").status == 400
    assert client.get("/health").status == 200


SPAN = {"start": 24, "end": 32, "score": 0.8, "entity_type": "PERSON"}
HELLO = "hello world, my name is Jane Doe. My number is: 034453334"


@pytest.mark.parametrize(
    ("anonymizer", "wanted"),
    [
        (None, "<PERSON>"),
        ({"type": "replace", "new_value": "ANONYMIZED"}, "ANONYMIZED"),
        ({"type": "redact"}, ""),
        ({"type": "keep"}, "Jane Doe"),
        ({"type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": False}, "**** Doe"),
        ({"type": "mask", "masking_char": "#", "chars_to_mask": 3, "from_end": True}, "Jane ###"),
        ({"type": "mask", "masking_char": "#", "chars_to_mask": 99, "from_end": True}, "########"),
    ],
)
@pytest.mark.parametrize("name", ["PERSON", "DEFAULT"])
def test_operators(client: Client, anonymizer: dict[str, Any] | None, wanted: str, name: str) -> None:
    body = {"text": HELLO, "analyzer_results": [SPAN], "anonymizers": {name: anonymizer} if anonymizer else {}}
    answer = client.post("/anonymize", body).json
    assert answer["text"] == HELLO.replace("Jane Doe", wanted)
    operator = (anonymizer or {"type": "replace"})["type"]
    end = 24 + len(wanted)
    item = {"start": 24, "end": end, "entity_type": "PERSON", "text": wanted, "operator": operator}
    assert answer["items"] == [item]


@pytest.mark.parametrize(("kind", "size"), [({}, 64), ({"hash_type": "sha512"}, 128)])
def test_hashes_are_keyed_and_agree(client: Client, kind: dict[str, str], size: int) -> None:
    body = {"text": HELLO, "analyzer_results": [SPAN], "anonymizers": {"DEFAULT": {"type": "hash", **kind}}}
    (one,), (other,) = (client.post("/anonymize", body).json["items"] for _ in range(2))
    assert one["text"] == other["text"]
    assert len(one["text"]) == size
    assert one["text"] != getattr(hashlib, kind.get("hash_type", "sha256"))(b"Jane Doe").hexdigest()


def test_overlaps_are_covered_and_the_last_item_comes_first(client: Client) -> None:
    spans = [
        SPAN,
        {**SPAN, "start": 29, "end": 40, "entity_type": "LOCATION", "score": 0.3},
        {**SPAN, "start": 48, "end": 57},
    ]
    answer = client.post("/anonymize", {"text": HELLO, "analyzer_results": spans}).json
    assert not {"Jane", "Doe", "My num", "034453334"} & set(answer["text"].split())
    starts = [item["start"] for item in answer["items"]]
    assert starts == sorted(starts, reverse=True)
    for item in answer["items"]:
        assert answer["text"][item["start"] : item["end"]] == item["text"]


@pytest.mark.parametrize(
    "more",
    [
        {"anonymizers": {"DEFAULT": {"type": "encrypt", "key": "Quillfeather1234"}}},
        {"anonymizers": {"DEFAULT": {"type": "Quillfeather"}}},
        {"anonymizers": {"DEFAULT": {"type": "mask", "masking_char": "Quillfeather"}}},
        {"anonymizers": {"DEFAULT": {"type": "mask", "chars_to_mask": -1}}},
        {"anonymizers": {"DEFAULT": {"type": "replace", "new_value": 5}}},
        {"anonymizers": {"DEFAULT": {"type": "hash", "hash_type": "md5"}}},
        {"analyzer_results": [{**SPAN, "end": 99}]},
        {"analyzer_results": [{**SPAN, "start": 40}]},
        {"analyzer_results": [{"start": "Quillfeather"}]},
    ],
)
def test_what_the_anonymizer_cannot_do_is_refused(client: Client, more: dict[str, Any]) -> None:
    answer = client.post("/anonymize", {"text": HELLO, "analyzer_results": [SPAN], **more})
    assert answer.status in (400, 422)
    assert b"Quillfeather" not in answer.body
    assert b"Jane" not in answer.body


def test_anonymizers_are_listed(client: Client) -> None:
    assert client.get("/anonymizers").json == ["hash", "keep", "mask", "redact", "replace"]
