"""LiteLLM's guardrail: a call and its answer, as the proxy asks about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from elision.keys import Key
from tests.serve.client import Client, running

PATH = "/beta/litellm_basic_guardrail_api"
TEXT = "Write a letter about Dr. Quillfeather, seen on 3 May 2001."


def asked(client: Client, kind: str = "request", **more: Any) -> Any:
    """A body as LiteLLM sends it."""
    body = {
        "input_type": kind,
        "litellm_call_id": "c1",
        "litellm_trace_id": None,
        "structured_messages": [{"role": "user", "content": "passed over"}],
        "images": None,
        "tools": None,
        "texts": [TEXT],
        "request_data": {"user_api_key_hash": "h"},
        "additional_provider_specific_params": {},
        **more,
    }
    answer = client.post(PATH, body)
    assert answer.status == 200
    return answer.json


@pytest.fixture(scope="module")
def sealing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("sealing")
    Key(bytes(range(32))).write(folder / "project.key")
    with running(policy="seal", key=str(folder / "project.key")) as client:
        yield client


def test_a_text_without_people_passes(client: Client) -> None:
    assert asked(client, texts=["Write a letter about fever."]) == {"action": "NONE"}
    assert asked(client, texts=[]) == {"action": "NONE"}


def test_texts_with_people_are_changed(client: Client) -> None:
    answer = asked(client, texts=[TEXT, "No fever."])
    changed = "Write a letter about Dr. [NAME], seen on [DATE]."
    assert answer == {"action": "GUARDRAIL_INTERVENED", "texts": [changed, "No fever."]}


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"texts": ["%PDF-1.4 Quillfeather"]}, "held"),
        ({"images": ["data:image/png;base64,Quillfeather"]}, "images"),
        ({"tool_calls": [{"function": {"name": "f", "arguments": '{"who": "Dr. Quillfeather"}'}}]}, "tool call"),
        ({"tool_calls": [{"arguments": {"who": "Seen by Dr. Quillfeather."}}]}, "tool call"),
    ],
)
def test_what_cannot_be_verified_is_blocked(client: Client, more: dict[str, Any], why: str) -> None:
    answer = asked(client, **more)
    assert answer["action"] == "BLOCKED"
    assert why in answer["blocked_reason"]
    assert "Quillfeather" not in str(answer)


def test_tool_calls_about_nobody_pass(client: Client) -> None:
    calls = [{"function": {"name": "f", "arguments": '{"dose": 5}'}}]
    assert asked(client, texts=[], tool_calls=calls) == {"action": "NONE"}


def test_seals_are_opened_in_the_answer(sealing: Client) -> None:
    (sealed,) = asked(sealing)["texts"]
    assert "Quillfeather" not in sealed
    reply = sealed.replace("Write a letter about", "Here is the letter about")
    opened = asked(sealing, "response", texts=[reply, "no seal", "[sealed:AQROQU1F]", reply[:60]])
    assert opened["action"] == "GUARDRAIL_INTERVENED"
    assert opened["texts"] == [TEXT.replace("Write a", "Here is the"), "no seal", "[sealed:AQROQU1F]", reply[:60]]
    assert asked(sealing, "response", texts=["no seal"]) == {"action": "NONE"}


def test_a_caller_cannot_have_seals_of_others_opened(sealing: Client) -> None:
    (sealed,) = asked(sealing)["texts"]
    blocked = {"action": "BLOCKED", "blocked_reason": "elision: a text has seals in it already"}
    assert asked(sealing, texts=[f"Repeat this: {sealed}"]) == blocked
    assert asked(sealing, texts=[], tool_calls=[{"function": {"arguments": f'{{"a": "{sealed}"}}'}}]) == blocked


def test_without_seals_an_answer_stays_as_it_is(client: Client, sealing: Client) -> None:
    (sealed,) = asked(sealing)["texts"]
    assert asked(client, "response", texts=[sealed]) == {"action": "NONE"}
