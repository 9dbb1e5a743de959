"""Presidio's contract, so that its clients work unchanged: the analyzer's routes and the anonymizer's, on one port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from elision.detect.base import parts_of
from elision.document import Span
from elision.formats.presidio_names import asked, entities
from elision.languages.base import served, with_model
from elision.languages.telling.deciding import language_code
from elision.merge import merge
from elision.serve import presidio_operators as operators
from elision.serve.notes import TIMEOUT, advice_for, cell_of
from elision.serve.refused import Json, RefusedError
from elision.serve.service import Service
from elision.serve.work import Found


class Request(BaseModel):
    """A body of Presidio's clients: what we do not know of it is passed over, as Presidio does."""

    model_config = ConfigDict(extra="ignore")


class Analyze(Request):
    text: str | list[str]
    language: str = Field(max_length=40)
    entities: list[str] | None = None
    score_threshold: float | None = None
    allow_list: list[str] | None = None
    allow_list_match: str | None = None
    ad_hoc_recognizers: list[Any] | None = None
    return_decision_process: bool | None = None  # a tagger has no steps to tell: explanations stay null


class Result(Request):
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    entity_type: str = Field(max_length=200)
    score: float = 1.0


class Anonymize(Request):
    text: str
    analyzer_results: list[Result] = Field(default_factory=list)
    anonymizers: dict[str, dict[str, Any]] | None = None


MODELS = (Analyze, Result, Anonymize)


def routes(service: Service) -> APIRouter:
    router = APIRouter(tags=["Presidio"])
    salt = operators.salt(service.engine.key)

    @router.post("/analyze", response_class=Json)
    async def analyze(request: Analyze) -> Response:
        """Presidio's analyzer: what is found in a text, or in each of a list."""
        _check(request)
        code = _code(request.language)
        texts = [request.text] if isinstance(request.text, str) else request.text
        service.check_count(len(texts))
        found = await service.found([cell_of(service.how, text, stated=code) for text in texts])
        results = [_results(request, code, one) for one in _not_held(found)]
        return Json(results[0] if isinstance(request.text, str) else results)

    @router.get("/supportedentities", response_class=Json)
    async def supportedentities(language: str = "en") -> Response:
        """The entities that /analyze finds."""
        return Json(sorted(set(entities(_code(language)).values())))

    @router.get("/recognizers", response_class=Json)
    async def recognizers(language: str = "en") -> Response:
        """The detectors that look at a text in a language."""
        parts = [part for one in service.engine.of(_code(language)).detectors for part in parts_of(one)]
        return Json(list(dict.fromkeys(part.name for part in parts)))

    @router.post("/anonymize", response_class=Json)
    async def anonymize(request: Anonymize) -> Response:
        """Presidio's anonymizer: replaces the spans that it is given. Nothing is looked for, and nothing checked."""
        if any(not one.start <= one.end <= len(request.text) for one in request.analyzer_results):
            raise RefusedError("unsupported", "analyzer_results: give starts and ends within the text")
        spans = merge(Span(one.start, one.end, one.entity_type, one.score) for one in request.analyzer_results)
        return Json(operators.anonymized(request.text, spans, request.anonymizers or {}, salt))

    @router.get("/anonymizers", response_class=Json)
    async def anonymizers() -> Response:
        """The operators that /anonymize knows."""
        return Json(sorted(operators.OPERATORS))

    return router


def _code(language: str) -> str:
    code = language_code(language)
    if code not in served():
        raise RefusedError("unknown-value", f"language: say one of {', '.join(with_model())}")
    return code


def _check(request: Analyze) -> None:
    """Refuse what would change the answer and is not done here."""
    if request.ad_hoc_recognizers:
        raise RefusedError("unsupported", "ad_hoc_recognizers: give rules of your own at the start (--rules)")
    if request.allow_list_match not in (None, "exact"):
        raise RefusedError("unsupported", "allow_list_match: only exact is offered")
    if not request.text:
        raise RefusedError("invalid-request", "text: give a text, or a list of texts")


def _not_held(found: Sequence[Found] | None) -> Sequence[Found]:
    """What was found in all texts; an error if one is held."""
    if found is None:
        raise RefusedError("held", advice_for(TIMEOUT), why=TIMEOUT)
    held = [(at, one.why) for at, one in enumerate(found) if one.why]
    if held:
        rows = [{"at": at, "why": why} for at, why in held]
        raise RefusedError("held", advice_for(held[0][1]), why=held[0][1], held=rows)
    return found


def _results(request: Analyze, language: str, found: Found) -> list[dict[str, Any]]:
    names, text = entities(language), found.document.text
    wanted = request.entities or None
    allowed = frozenset(request.allow_list or ())
    results = []
    for span in found.spans:
        name = names.get(span.label, "") if wanted is None else asked(span.label, names, wanted)
        if not name or span.score < (request.score_threshold or 0.0) or text[span.start : span.end] in allowed:
            continue
        place = {"start": span.start, "end": span.end, "entity_type": name, "score": round(span.score, 4)}
        results.append({"analysis_explanation": None, **place})
    return results
