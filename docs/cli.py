"""Writes docs/cli.md from the help of every command; with --check, says whether it is up to date."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ |= {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}

import typer
from typer.testing import CliRunner

from elision.cli import app

TARGET = Path(__file__).with_name("cli.md")


def page() -> str:
    """The help of the program and of each command, as one page."""
    runner = CliRunner()
    commands = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    parts = ["# Command line\n\nWritten from `--help` by `docs/cli.py`; do not edit.\n"]
    for arguments in ([], *([command] for command in commands)):
        title = " ".join(["elision", *arguments])
        result = runner.invoke(app, [*arguments, "--help"], prog_name="elision")
        if result.exit_code:
            raise SystemExit(f"{title} --help failed: {result.output}")
        text = "\n".join(line.rstrip() for line in result.output.strip().splitlines())
        parts.append(f"## {title}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    fresh = page()
    if "--check" in sys.argv:
        if not TARGET.exists() or TARGET.read_text("utf-8") != fresh:
            sys.exit("docs/cli.md is not what --help says; write it anew: make format")
    else:
        TARGET.write_text(fresh, "utf-8")
