"""Routes of our own contract: a note by itself, and a stream of notes."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from starlette.responses import Response

from elision.serve.batch import Lines, answers
from elision.serve.notes import HELD, Note
from elision.serve.refused import STATUSES, Json
from elision.serve.service import Service

_HELD: dict[int | str, dict[str, Any]] = {
    422: {"description": "The note is held, with its reason and without its text."}
}


def routes(service: Service) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["elision"])

    @router.post("/deidentify", responses=_HELD, response_class=Json)
    async def deidentify(note: Note) -> Response:
        """De-identify a note as the policy of the service says."""
        return _answered(await service.deidentified(note))

    @router.post("/detect", responses=_HELD, response_class=Json)
    async def detect(note: Note) -> Response:
        """Tell what would be replaced in a note."""
        return _answered(await service.detected(note))

    rows = {str(Lines.media_type): {"schema": {"type": "string"}}}

    @router.post("/batch", openapi_extra={"requestBody": {"content": rows}}, response_class=Lines)
    async def batch(request: Request, do: Literal["deidentify", "detect"] = "deidentify") -> Lines:
        """Do so with many notes, one a line; answers come in the same order, and a last line with `"end": true`."""
        work = service.deidentified if do == "deidentify" else service.detected
        return Lines(answers(service, request.stream(), work))

    return router


def _answered(row: dict[str, Any]) -> Json:
    return Json(row, STATUSES["held"] if row["status"] == HELD else 200)
