"""The blocks of the README run as they stand, and the Python of the handbook's pages."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


PAGES = [page for page in sorted((ROOT / "docs").glob("*.md")) if "```python" in page.read_text("utf-8")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def test_the_python_blocks_run(folder: Path) -> None:
    code = "\n".join(text for kind, text in BLOCKS if kind == "python")
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"strict F1 0\.\d{3} \[0\.\d{3}–\d\.\d{3}\], characters found \d\d\.\d%", done.stdout)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_blocks_of_a_page_run(page: Path, folder: Path) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_shell_block_runs(folder: Path) -> None:
    (script,) = (text for kind, text in BLOCKS if kind == "sh")
    for line in script.splitlines():
        arguments = shlex.split(line, comments=True)
        assert arguments[0] == "elision"
        command = [sys.executable, "-c", "from elision.cli import main; main()", *arguments[1:]]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}: {done.stderr}"
    assert (folder / "demo" / "mine.html").stat().st_size > 10_000


def test_every_make_target_and_file_that_it_names_exists() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make (\w+)", text, re.MULTILINE):
        assert f"\n{target}:" in makefile
    for link in re.findall(r"\]\((?!http)([^)]+)\)", text):
        assert (ROOT / link).exists(), link
