"""Learning from what was approved while the page is open: `elision train --from-review`, in a process of its own.

The page stays quick meanwhile, and what is learnt ends with the page. Nothing that the process prints quotes a note.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from elision.languages.base import code_of
from elision.review.approved import LEAST, approved_in
from elision.review.edits import CannotError
from elision.review.store import Store
from elision.taggers.named import shipped_models

State = Literal["none", "goes on", "ended", "failed", "stopped"]
MODEL = "model"  # in the folder of the review: what is learnt from notes stays where notes may be kept
LINES, WIDTH = 200, 500  # of what the process prints, the last; each cut
POLITE = 10  # how far it stands back for whoever works at the page
PATIENCE = 10.0  # seconds to end by itself once told to


class Learning:
    """What learns from one review, one at a time."""

    def __init__(self, store: Store, language: str = "", effort: str = "") -> None:
        self.store, self.language, self.effort = store, language, effort
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._said: deque[str] = deque(maxlen=LINES)
        self._state: State = "none"
        self._began = self._took = 0.0

    @property
    def model(self) -> Path:
        return self.store.folder / MODEL

    def told(self) -> dict[str, Any]:
        """How far it is, for the page."""
        with self._lock:
            seconds = time.monotonic() - self._began if self._state == "goes on" else self._took
            return {
                "state": self._state,
                "said": list(self._said),
                "seconds": round(seconds),
                "model": str(self.model),
                "least": LEAST,
            }

    def begin(self) -> None:
        """Learn from what is approved by now, and put what the model finds on notes that nobody has begun."""
        notes = approved_in(self.store).notes
        if len(notes) < LEAST:
            raise CannotError(f"{len(notes)} notes are approved, and {LEAST} are the least to learn from")
        words = self.words(
            {note.language or self.language for note in notes}, {span.label for note in notes for span in note.spans}
        )
        with self._lock:
            if self._state == "goes on":
                raise CannotError("a model is being learnt; wait until it ends, or stop it")
            self._said.clear()
            self._state, self._began = "goes on", time.monotonic()
            self._process = _started(words)
            threading.Thread(target=self._hear, args=(self._process,), daemon=True).start()

    def stop(self) -> None:
        """Stop learning; the model that was there before stays."""
        with self._lock:
            process = self._process
            if self._state == "goes on":
                self._state = "stopped"
        if process and process.poll() is None:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()

    def words(self, languages: set[str], labels: set[str]) -> Sequence[str]:
        """The command. It goes on from elision's model of the notes' language where there is one that knows their
        labels."""
        from elision.labels import canonical

        code = code_of(languages.pop()) if len(languages) == 1 else ""
        begins = code in shipped_models() and labels <= canonical().keys()
        return [
            "train", "--from-review", str(self.store.folder), "--out", str(self.model), "--force", "--preannotate",
            *(["--language", code] if code else []), *(["--start-from", code] if begins else []),
            *(["--effort", self.effort] if self.effort else []),
        ]  # fmt: skip

    def _hear(self, process: subprocess.Popen[str]) -> None:
        with process:
            for line in process.stdout or ():
                with self._lock:
                    if process is self._process:
                        self._said.append(line.rstrip("\n")[:WIDTH])
        with self._lock:
            if process is self._process and self._state == "goes on":
                self._took = time.monotonic() - self._began
                self._state = "failed" if process.returncode else "ended"


def _started(words: Sequence[str]) -> subprocess.Popen[str]:
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "elision", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, process.pid, POLITE)
    return process
