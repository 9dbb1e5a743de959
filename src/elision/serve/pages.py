"""Whether the service is well, what it counts, and a page about its routes that needs nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from fastapi import APIRouter, FastAPI
from jinja2 import Environment
from starlette.responses import PlainTextResponse, Response

from elision.serve.refused import Json
from elision.serve.service import Service

_STYLE = (
    ":root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
    "padding:0 1rem}table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.3rem 1rem .3rem 0}"
)
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
CSP = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>elision serve</title><style>{{ style|safe }}</style></head><body>
<h1>elision serve</h1>
<p>The whole contract, for programs: <a href="/openapi.json">/openapi.json</a>.</p>
<table><tr><th>Route</th><th>What it does</th></tr>
{% for path, method, about in routes %}<tr><td><code>{{ method }} {{ path }}</code></td><td>{{ about }}</td></tr>
{% endfor %}</table></body></html>
"""


def routes(service: Service) -> APIRouter:
    router = APIRouter(tags=["operation"])

    @router.get("/health", response_class=PlainTextResponse)
    async def health() -> Response:
        """Tell that the service runs."""
        return PlainTextResponse("elision is up")

    @router.get("/ready", response_class=Json)
    async def ready() -> Response:
        """Tell whether the service takes notes: models are loaded, no thread hangs, and it is not about to end."""
        return Json({"ready": service.ready}, 200 if service.ready else 503)

    @router.get("/metrics", response_class=PlainTextResponse)
    async def metrics() -> Response:
        """Give counts and times to Prometheus."""
        return PlainTextResponse(service.metrics.text(), media_type="text/plain; version=0.0.4")

    return router


def page_of(app: FastAPI) -> APIRouter:
    """A page that lists the routes of an application."""
    router = APIRouter(include_in_schema=False)

    @router.get("/docs")
    async def docs() -> Response:
        html = Environment(autoescape=True).from_string(_PAGE).render(style=_STYLE, routes=_rows(app))
        return Response(html, media_type="text/html", headers={"Content-Security-Policy": CSP})

    return router


def _rows(app: FastAPI) -> list[tuple[str, str, str]]:
    paths: dict[str, dict[str, dict[str, Any]]] = app.openapi()["paths"]
    return [
        (path, method.upper(), str(told.get("description", "")))
        for path, methods in paths.items()
        for method, told in methods.items()
    ]
