"""The page and what it asks. No address holds a word of a note: what is sought or decided is in the body."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

from fastapi import FastAPI, Path
from fastapi.exceptions import RequestValidationError
from jinja2 import Environment
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from elision.errors import ReviewError
from elision.review import edits
from elision.review.desk import Desk, Where
from elision.review.edits import By, CannotError, Edge
from elision.review.gate import ENTER, Door, Gate
from elision.review.learning import Learning
from elision.review.marks import Decision, Place, Sheet
from elision.review.store import StaleError
from elision.serve.logs import internal
from elision.serve.refused import Json, RefusedError, answer, invalid

MOST = 1 << 40
DO = Literal["accept", "refuse", "label", "move", "add", "alike", "approve", "undo", "redo", "choose"]
KINDS = {"page.html": "text/html", "review.js": "text/javascript", "review.css": "text/css"}


class Wanted(BaseModel):
    """What a reviewer wants of a note as she saw it at `version`."""

    model_config = ConfigDict(extra="forbid")
    do: DO
    version: int = Field(ge=-MOST, le=MOST)
    start: int = Field(0, ge=0, le=MOST)
    end: int = Field(0, ge=0, le=MOST)
    label: str = Field("", max_length=200)
    to: str = Field("", max_length=200)
    edge: Edge = "end"
    by: By = "word"
    way: Literal[-1, 1] = 1
    where: Where = "note"
    who: str = Field("", max_length=200)

    @property
    def place(self) -> Place:
        return Place(self.start, self.end, self.label)


class Sought(BaseModel):
    model_config = ConfigDict(extra="forbid")
    words: str = Field(max_length=200)


class Taught(BaseModel):
    model_config = ConfigDict(extra="forbid")
    do: Literal["begin", "stop"]


def application(desk: Desk, door: Door, learning: Learning) -> Gate:
    """The whole application for one person at work."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    labels = desk.labels()
    usual = desk.usual()

    @app.api_route(ENTER, methods=["GET"])
    def enter(token: str = "") -> Response:
        return RedirectResponse("/", 303, {"Set-Cookie": door.enter(token)})

    @app.get("/")
    def page() -> Response:
        html = Environment(autoescape=True).from_string(_file("page.html").decode())
        return Response(html.render(reviewer=desk.reviewer, adjudicates=desk.adjudicates), media_type="text/html")

    @app.get("/review.js")
    def script() -> Response:
        return Response(_file("review.js"), media_type=KINDS["review.js"])

    @app.get("/review.css")
    def style() -> Response:
        return Response(_file("review.css"), media_type=KINDS["review.css"])

    @app.get("/api/queue")
    def queue() -> Response:
        return Json({**desk.queue(), "labels": labels, "usual": usual})

    @app.get("/api/note/{position}")
    def note(position: int = Path(ge=0, le=MOST)) -> Response:
        return Json(desk.note(position))

    @app.get("/api/note/{position}/replaced")
    def replaced(position: int = Path(ge=0, le=MOST)) -> Response:
        return Json(desk.replaced(position))

    @app.post("/api/search")
    def search(sought: Sought) -> Response:
        return Json({"hits": desk.found(sought.words)})

    @app.post("/api/export")
    def export() -> Response:
        try:
            return Json(desk.export())
        except CannotError as error:
            raise RefusedError("unsupported", str(error)) from None

    @app.get("/api/learning")
    def learnt() -> Response:
        return Json(learning.told())

    @app.post("/api/learning")
    def learn(taught: Taught) -> Response:
        try:
            learning.begin() if taught.do == "begin" else learning.stop()
        except CannotError as error:
            raise RefusedError("unsupported", str(error)) from None
        return Json(learning.told())

    @app.post("/api/note/{position}")
    def decide(wanted: Wanted, position: int = Path(ge=0, le=MOST)) -> Response:
        if wanted.do in ("add", "label") and (wanted.to or wanted.label) not in labels:
            raise RefusedError("unknown-value", "choose one of the labels")
        try:
            told = _done(desk, position, wanted)
        except CannotError as error:
            raise RefusedError("unsupported", str(error)) from None
        except StaleError:
            raise RefusedError("stale", "the note was changed meanwhile", note=desk.note(position)) from None
        return Json({"note": desk.note(position), "told": told})

    for kind, answered in (
        (RequestValidationError, _invalid),
        (HTTPException, _missing),
        (RefusedError, _refused),
        (ReviewError, _unknown),
        (Exception, _internal),
    ):
        app.add_exception_handler(kind, answered)
    return Gate(app, door)


def _done(desk: Desk, position: int, wanted: Wanted) -> dict[str, Any]:
    """Do what is wanted, and say what came of it elsewhere."""
    match wanted.do:
        case "undo":
            return {"notes": desk.undo(position, wanted.version)}
        case "redo":
            return {"notes": desk.redo(position, wanted.version)}
        case "alike":
            return dict(desk.alike(position, wanted.version, wanted.place, wanted.where))
        case "choose":
            desk.choose(position, wanted.version, wanted.place, wanted.who)
            return {}
    document = desk.store.note(position)
    if wanted.end > len(document.text):
        raise CannotError("the text ends before; load the page again")

    def decision(_: object, sheet: Sheet) -> Decision:
        place = wanted.place
        match wanted.do:
            case "accept":
                return edits.accept(sheet, place)
            case "refuse":
                return edits.refuse(sheet, place)
            case "label":
                return edits.relabel(sheet, place, wanted.to)
            case "move":
                return edits.move(document, sheet, place, wanted.edge, wanted.by, wanted.way)
            case "add":
                return edits.add(document, sheet, wanted.start, wanted.end, wanted.label)
        return edits.approve(sheet)

    desk.decide(position, wanted.version, decision)
    return {}


def _file(name: str) -> bytes:
    return (files("elision") / "data" / "review" / name).read_bytes()


async def _invalid(_: Request, error: Exception) -> Response:
    problems = error.errors() if isinstance(error, RequestValidationError) else []
    return answer(invalid(problems, frozenset(("body", "path", "query", "position", *Wanted.model_fields))))


async def _refused(_: Request, error: Exception) -> Response:
    return answer(error) if isinstance(error, RefusedError) else await _internal(_, error)


async def _missing(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return answer(RefusedError("method" if status == 405 else "not-found" if status == 404 else "invalid-request", "-"))


async def _unknown(_: Request, _error: Exception) -> Response:
    return answer(RefusedError("not-found", "this note is not in the review; load the page again"))


async def _internal(_: Request, error: Exception) -> Response:
    return answer(internal(error))
