"""Writes the reference pages from the program itself; with --check, says whether they are up to date.

cli.md comes from the help of every command, formats.md and labels.md from the tables of formats and labels,
guarantees.md from the list of ways in which the code is broken on purpose. Other pages get their tables of figures from
CSV files (see tables.py).
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

os.environ |= {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}

import typer
from typer.testing import CliRunner

from elision.cli import app
from elision.cli.formats import holdings
from elision.formats.catalogue import FORMATS, MODULES
from elision.labels import canonical, mapping, tag_set, tag_set_names

HERE = Path(__file__).parent


def cli() -> str:
    """The help of the program and of each command."""
    runner = CliRunner()
    parts = ["# Command line\n\nWritten from `--help` by `docs/write.py`; do not edit.\n"]
    for arguments in _commands(typer.main.get_command(app)):
        title = " ".join(["elision", *arguments])
        result = runner.invoke(app, [*arguments, "--help"], prog_name="elision")
        if result.exit_code:
            raise SystemExit(f"{title} --help failed: {result.output}")
        text = "\n".join(line.rstrip() for line in result.output.strip().splitlines())
        parts.append(f"## {title}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def _commands(command: object, *before: str) -> Iterator[list[str]]:
    """A command and, if it is a group, all below it, as what one types."""
    yield [*before]
    inner: dict[str, object] = getattr(command, "commands", {})
    for name in sorted(inner):
        yield from _commands(inner[name], *before, name)


def formats() -> str:
    """Every format: what it holds, and what its module says about it."""
    rows = ["| Name | What it is | Written as | Besides text and spans it holds |", "|---|---|---|---|"]
    for format in FORMATS.values():
        place = "a folder" if format.folder else f"a `{format.suffix}` file"
        rows.append(f"| `{format.name}` | {format.title} | {place} | {holdings(format)} |")
    parts = [
        (
            "# Formats\n\n```text\n$ elision formats\n$ elision convert notes/ notes.jsonl\n```\n\n"
            "`elision formats` lists the formats. `elision convert` counts and reports what a format does not\n"
            "hold. It refuses to write what would change a note.\n\n"
            "Written from the formats' modules by `docs/write.py`; do not edit.\n"
        ),
        "\n".join(rows) + "\n",
    ]
    for name in MODULES:
        module = import_module(f"elision.formats.{name}")
        title = ", ".join(f"`{format.name}`" for format in module.FORMATS)
        parts.append(f"## {title}\n\n{_prose(inspect.getdoc(module) or '')}\n")
    return "\n".join(parts)


def _prose(text: str) -> str:
    """Text of a docstring as Markdown: a tag in it is no HTML, but in indented samples it stays as it is."""
    return "\n".join(line if line.startswith("    ") else line.replace("<", "&lt;") for line in text.splitlines())


def labels() -> str:
    """The canonical labels, and where each tag set's labels go."""
    rows = ["| Label | Parent | Safe Harbor item | |", "|---|---|---|---|"]
    rows += [f"| `{c.name}` | {c.parent} | {c.safe_harbor} | {c.note} |" for c in canonical().values()]
    parts = [
        (
            "# Labels\n\n```text\n$ elision labels\n```\n\n"
            "These labels are the same in all commands. A tag set of your own is a small TOML file, such as\n"
            "[examples/our-hospital.toml](../examples/our-hospital.toml).\n\n"
            "Written from the tag sets by `docs/write.py`; do not edit.\n"
        ),
        "\n".join(rows) + "\n",
    ]
    for name in tag_set_names():
        source = tag_set(name)
        ways = mapping(source, tag_set("canonical"))
        lines = ["| Tag | Label | Loses |", "|---|---|---|"]
        for tag in source.tags.values():
            subset = " (HIPAA subset)" if tag.hipaa else ""
            lines.append(f"| `{tag.name}`{subset} | `{ways[tag.name].label}` | {ways[tag.name].lossy} |")
        parts.append(f"## {name}\n\n{source.title}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def guarantees() -> str:
    """What is promised, and how each promise is broken on purpose; the list stands beside the tests."""
    sys.path.insert(0, str(HERE.parent))
    page: str = import_module("tests.mutations.page").page()
    return page


def tables() -> Iterator[tuple[Path, str]]:
    """Each page that shows figures, with the figures of its CSV files."""
    sys.path.insert(0, str(HERE.parent))
    module = import_module("docs.tables")
    for page in module.PAGES:
        yield page, module.rendered(page)


PAGES = {"cli.md": cli, "formats.md": formats, "labels.md": labels, "guarantees.md": guarantees}

if __name__ == "__main__":
    for target, fresh in [*((HERE / name, page()) for name, page in PAGES.items()), *tables()]:
        if "--check" not in sys.argv:
            target.write_text(fresh, "utf-8")
        elif not target.exists() or target.read_text("utf-8") != fresh:
            page = target.relative_to(HERE.parent)
            sys.exit(f"{page} is not what the program or its CSV says; write it anew: make format")
