"""The blocks of the README and of the tour run as they stand, and the Python of the other pages."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "demo").mkdir()
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.stem)
def test_the_python_blocks_of_a_page_run(page: Path, folder: Path) -> None:
    code = "\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    promised = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
    assert [line for line in promised if line not in done.stdout.splitlines()] == []


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "sh")], ids=lambda page: page.stem)
def test_the_shell_blocks_of_a_page_run(page: Path, folder: Path) -> None:
    for line in "".join(blocks(page, "sh")).splitlines():
        arguments = shlex.split(line, comments=True)
        assert arguments[0] == "elision"
        command = [sys.executable, "-c", "from elision.cli import main; main()", *arguments[1:]]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}: {done.stderr}"


def test_every_make_target_and_file_that_it_names_exists() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make (\w+)", text, re.MULTILINE):
        assert f"\n{target}:" in makefile
    for link in re.findall(r"\]\((?!http)([^)]+)\)", text):
        assert (ROOT / link).exists(), link
