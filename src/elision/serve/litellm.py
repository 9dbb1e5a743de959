"""LiteLLM's generic guardrail: what goes to a language model is de-identified, and seals in its answer are opened.

A text that cannot be verified blocks the call. So does a seal that a caller brings along: it may be of somebody else's
call, and would be opened in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from elision.errors import SealError
from elision.evidence import seal
from elision.keys import Secret
from elision.serve.notes import TIMEOUT, cell_of
from elision.serve.refused import Json
from elision.serve.service import Service

PATH = "/beta/litellm_basic_guardrail_api"
_SEAL = re.compile(r"\[sealed:[A-Za-z0-9_-]+\]")
MOST_DEPTH = 50


class Guarded(BaseModel):
    """What LiteLLM sends; what is not looked at is passed over, but for what reaches the model unseen."""

    model_config = ConfigDict(extra="ignore")

    input_type: Literal["request", "response"]
    texts: list[str] | None = None
    images: list[Any] | None = None
    tool_calls: list[Any] | None = None
    litellm_call_id: str | None = None


MODELS = (Guarded,)


def routes(service: Service) -> APIRouter:
    router = APIRouter(tags=["LiteLLM"])
    policy, key = service.engine.policy, service.engine.key
    seals = any(rule.do == "seal" for rule in policy.rules.values())
    secret = key.secret(seal.PURPOSE) if key and seals else None

    @router.post(PATH, response_class=Json)
    async def guard(request: Guarded) -> Response:
        """LiteLLM's guardrail: NONE, GUARDRAIL_INTERVENED with texts, or BLOCKED with the reason."""
        service.check_count(len(request.texts or ()))
        if request.input_type == "response":
            return _changed(request, [opened(text, secret) for text in request.texts or ()])
        return await _asked(service, request, secret)

    return router


async def _asked(service: Service, request: Guarded, secret: Secret | None) -> Response:
    """What becomes of what goes to the model."""
    texts = request.texts or []
    calls = list(_strings(request.tool_calls or []))
    if request.images:
        return _blocked("images are not looked at")
    if secret and any(seal.opens(one, secret) for text in (*texts, *calls) for one in _SEAL.findall(text)):
        return _blocked("a text has seals in it already")
    around = "\n".join(texts)
    cells = [cell_of(service.how, text, around=around) for text in texts]
    done = await service.cleaned(cells)
    seen = await service.found([cell_of(service.how, text, around=around) for text in calls])
    if done is None or seen is None:
        return _blocked(f"held: {TIMEOUT}")
    if why := next((one.receipt.why for one in done if one.document is None), ""):
        return _blocked(f"held: {why}")
    if any(one.why or one.spans for one in seen):
        return _blocked("the arguments of a tool call may identify somebody")
    return _changed(request, [one.document.text for one in done if one.document])


def opened(text: str, secret: Secret | None) -> str:
    """A text with the seals that this key opens opened; others stay, as they tell nothing."""
    if secret is None:
        return text
    known = secret

    def one(match: re.Match[str]) -> str:
        try:
            return seal.unseal(match[0], known)[0]
        except (SealError, UnicodeDecodeError):
            return match[0]

    return _SEAL.sub(one, text)


def _changed(request: Guarded, texts: list[str]) -> Json:
    if texts == (request.texts or []):
        return Json({"action": "NONE"})
    return Json({"action": "GUARDRAIL_INTERVENED", "texts": texts})


def _blocked(why: str) -> Json:
    return Json({"action": "BLOCKED", "blocked_reason": f"elision: {why}"})


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    """All arguments of tool calls, however they are nested."""
    if isinstance(value, list) and depth < MOST_DEPTH:
        for each in value:
            yield from _strings(each, depth + 1)
    elif isinstance(value, Mapping):
        if "function" in value:
            yield from _strings(value["function"], depth + 1)
        arguments = value.get("arguments", "")
        yield arguments if isinstance(arguments, str) else str(arguments)
