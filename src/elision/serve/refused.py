"""A request that is refused: a status, a word for programs, and what to do. Nothing of the request is in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from starlette.responses import Response

STATUSES = {
    "invalid-request": 400, "unknown-value": 400, "token": 401, "host": 403, "origin": 403, "not-found": 404,
    "method": 405, "too-slow": 408, "stale": 409, "too-large": 413, "too-many-notes": 413, "unsupported": 422,
    "held": 422, "internal": 500, "busy": 503, "shutting-down": 503,
}  # fmt: skip
INTERNAL = "this is an error of elision: please report it with its line in the log"


class RefusedError(Exception):
    """Why a request is refused, in words of ours."""

    def __init__(self, error: str, todo: str, **more: Any) -> None:
        super().__init__(error)
        self.error, self.todo, self.more = error, todo, more

    @property
    def status(self) -> int:
        return STATUSES[self.error]

    def row(self) -> dict[str, Any]:
        return {"error": self.error, "todo": self.todo, **self.more}


class Json(Response):
    """JSON in UTF-8."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return written(content)


def written(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def answer(refused: RefusedError) -> Json:
    headers = {"Retry-After": "1"} if refused.status == STATUSES["busy"] else {}
    if refused.error in ("too-large", "too-slow"):  # what is left of the request is not read
        headers["Connection"] = "close"
    return Json(refused.row(), refused.status, headers)


def invalid(problems: Iterable[Mapping[str, Any]], names: frozenset[str]) -> RefusedError:
    """What is wrong with a body: where and what kind. Of places only numbers and names of ours are told, of values
    nothing."""
    told = [{"at": _place(one.get("loc", ()), names), "what": str(one.get("type", ""))} for one in problems]
    return RefusedError("invalid-request", "see /openapi.json for what a request holds", problems=told[:20])


def _place(place: Sequence[Any], names: frozenset[str]) -> str:
    return ".".join(str(part) if isinstance(part, int) or part in names else "?" for part in place)
