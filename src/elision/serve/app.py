"""The application: all routes, and answers to what is wrong, inside the gate."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

import elision
from elision.serve import litellm, own, pages, presidio
from elision.serve.gate import Gate
from elision.serve.notes import Note
from elision.serve.refused import INTERNAL, RefusedError, answer, invalid
from elision.serve.service import Service

MODELS: tuple[type[BaseModel], ...] = (Note, *presidio.MODELS, *litellm.MODELS)
NAMES = frozenset(("body", "query", "do", "language", *(name for model in MODELS for name in model.model_fields)))


def application(service: Service) -> Gate:
    """The whole application of a service."""
    app = FastAPI(
        title="elision",
        version=elision.__version__,
        description="De-identify clinical notes. A note that cannot be verified is held, and never comes back.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    for router in (own.routes(service), presidio.routes(service), litellm.routes(service), pages.routes(service)):
        app.include_router(router)
    app.include_router(pages.page_of(app))
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RefusedError, _refused)
    app.add_exception_handler(Exception, _internal)
    return Gate(app, service, frozenset((*app.openapi()["paths"], "/docs", "/openapi.json")))


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    return answer(invalid(error.errors(), NAMES))


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)  # noqa: S101
    return answer(error)


async def _http(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 404:
        return answer(RefusedError("not-found", "see /docs for what there is"))
    if status == 405:
        return answer(RefusedError("method", "see /docs for what there is"))
    return answer(RefusedError("invalid-request", "send JSON in UTF-8, not nested deeply"))


async def _internal(_: Request, _error: Exception) -> Response:
    return answer(RefusedError("internal", INTERNAL))  # and the gate logs it
