"""What a run writes for programs, a log of JSON lines and a summary, and what it says when stopped; no note in it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from elision.cli.common import say
from elision.errors import ElisionError, FormatError
from elision.formats.apart import is_below, path_of
from elision.run.local.progress import Ended, Progress, Tell

EVERY = 5.0  # seconds between two lines of progress


class Log:
    """Events, one a line: each has a time, what happened, and numbers."""

    def __init__(self, stream: IO[str] | None) -> None:
        self._stream, self._last = stream, 0.0

    def say(self, event: str, **more: Any) -> None:
        if self._stream:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._stream.write(json.dumps({"time": now, "event": event, **more}) + "\n")
            self._stream.flush()

    def warned(self, tell: Callable[[str], None]) -> Callable[[str], None]:
        """Tells what it is told, and logs it."""

        def both(words: str) -> None:
            tell(words)
            self.say("told", words=words)

        return both

    def progress(self, tell: Tell) -> Tell:
        """The same for progress, now and then."""

        def both(progress: Progress) -> None:
            tell(progress)
            if time.monotonic() - self._last >= EVERY:
                self._last = time.monotonic()
                self.say("progress", share=round(progress.share, 4), rows=progress.passed, held=progress.held)

        return both


@contextmanager
def logging(file: Path | None, others: Iterable[object]) -> Iterator[Log]:
    """A log that is added to a file, which is none that the run reads or writes. Errors end in it, too."""
    if file is None:
        yield Log(None)
        return
    for other in filter(None, others):
        place = path_of(str(other))
        if place is not None and (is_below(file, place) or file.is_dir()):
            raise FormatError(f"--log-json {file}: is, or lies in, what this run reads or writes; write elsewhere")
    try:
        stream = file.open("a", encoding="utf-8")
    except OSError as error:
        raise FormatError(f"--log-json {file}: cannot be written: {error.strerror}; write elsewhere") from None
    with stream:
        log = Log(stream)
        try:
            yield log
        except ElisionError as error:
            log.say("failed", words=str(error))
            raise
        except (KeyboardInterrupt, SystemExit):
            log.say("stopped")
            raise


@contextmanager
def stopping(folder: Path, retry: bool) -> Iterator[None]:
    """Say what stands when somebody stops the run."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        again = "the same command" + (", with --retry-held," if retry else "")
        say(f"stopped: nothing is half-written; what is done stays in {folder}: {again} goes on from there")
        raise


def summed_up(ended: Ended) -> dict[str, Any]:
    """A run in numbers."""
    counts = ended.counts
    names = ("rows", "characters", "held", "kinds", "seconds", "night")
    spans = counts["summary"]["spans"]
    return {
        "folder": str(ended.folder),
        "notes": counts["summary"]["notes"],
        **{name: counts[name] for name in names if name in counts},
        "spans": spans,
    }
