"""Logs as lines of JSON on standard error, without anything that came in: no text, no path, no query, no message of an
error, which might quote a note."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from traceback import walk_tb
from typing import IO, Any

from elision.serve.refused import INTERNAL, RefusedError

NAME = "elision.serve"
_PACKAGE = Path(__file__).parents[1]
_SAFE = ("uvicorn.error",)  # whose messages are constants; what is put into them is not told
_log = logging.getLogger(NAME)


class Lines(logging.Formatter):
    """A record as a line of JSON. Of others' records only the logger and the kind of the error are told."""

    def format(self, record: logging.LogRecord) -> str:
        row: dict[str, Any] = {"time": _when(record.created), "level": record.levelname.lower()}
        if record.name == NAME:
            row |= {"event": str(record.msg), **getattr(record, "fields", {})}
        elif record.name in _SAFE:
            row |= {"event": "server", "message": str(record.msg)[:120]}
        else:
            row |= {"event": "library", "logger": record.name}
        if record.exc_info and record.exc_info[0]:
            row["error"] = record.exc_info[0].__name__
        return json.dumps(row)


def _when(seconds: float) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{int(seconds % 1 * 1000):03d}Z"


def start(stream: IO[str] | None = None) -> logging.Handler:
    """All logs of this process go out as such lines, and nothing else does."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    _log.setLevel(logging.INFO)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = name != "uvicorn.access"
        logger.setLevel(logging.INFO)
    logging.captureWarnings(True)
    return handler


def tell(event: str, fields: Mapping[str, Any], level: int = logging.INFO) -> None:
    _log.log(level, event, extra={"fields": dict(fields)})


def internal(error: BaseException) -> RefusedError:
    """A bug, as it is answered. Its kind is logged, and the place in elision's code that it came through."""
    tell("internal-error", {"error": type(error).__name__, "in": _place(error)}, logging.ERROR)
    return RefusedError("internal", INTERNAL)


def _place(error: BaseException) -> str:
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    ours = [(file, line) for file, line in frames if file.is_relative_to(_PACKAGE)]
    return f"{ours[-1][0].relative_to(_PACKAGE.parent).as_posix()}:{ours[-1][1]}" if ours else ""
