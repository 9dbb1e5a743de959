"""What all walks share: a command is shown, run, and must end as it should; what is expected is said when it fails."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


class Walk:
    """A folder in which commands are run, one after the other."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder

    def elision(self, line: str, *, status: int = 0, given: str = "") -> str:
        """What a command printed: `elision` and the words of a line, as in the docs."""
        return self.command(["elision", *shlex.split(line)], status=status, given=given)

    def command(self, words: Sequence[str], *, status: int = 0, given: str = "") -> str:
        print("$", shlex.join(words), flush=True)
        words = [str(Path(sys.executable).with_name("elision")), *words[1:]] if words[0] == "elision" else list(words)
        done = subprocess.run(words, cwd=self.folder, input=given, capture_output=True, text=True, check=False)
        expect(done.returncode == status, f"it ended with {done.returncode}, not {status}:\n{done.stdout}{done.stderr}")
        return done.stdout


def expect(true: bool, what: str) -> None:
    if not true:
        sys.exit(f"walk: {what}")
