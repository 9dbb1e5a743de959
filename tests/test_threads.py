"""In how many threads commands multiply matrices."""

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.threads import NAMES

NUMPY = NAMES[0]


def said(monkeypatch: pytest.MonkeyPatch, command: str, before: dict[str, str]) -> dict[str, str]:
    """What the environment says after a command has begun."""
    with monkeypatch.context() as patch:
        for name in NAMES:
            patch.setenv(name, "")  # so that it is put back
            os.environ.pop(name)
        os.environ.update(before)
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0
        return {name: os.environ[name] for name in NAMES if name in os.environ}


@pytest.mark.parametrize("command", ["serve", "review", "detect", "deidentify", "run", "mcp"])
def test_commands_multiply_in_one_thread(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, command, {}) == dict.fromkeys(NAMES, "1")


def test_what_somebody_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, "serve", {NUMPY: "3"}) == dict.fromkeys(NAMES, "1") | {NUMPY: "3"}


@pytest.mark.parametrize("command", ["train", "crossval", "pretrain", "distil", "paper"])
def test_what_trains_takes_the_threads_that_there_are(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, command, {}) == {}


def test_it_is_said_before_a_library_looks() -> None:
    code = "import sys, elision.cli; print(*({'numpy', 'scipy', 'torch', 'pyarrow'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stdout.strip()
