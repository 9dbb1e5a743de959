"""The written pages: figures as their CSV has them, lines that fit a screen, links that lead somewhere."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs import tables

ROOT = Path(__file__).parents[1]
WRITTEN = [
    *(
        ROOT / "docs" / f"{name}.md"
        for name in (
            "audit",
            "deidentify",
            "evaluate",
            "glossary",
            "integrations",
            "languages",
            "llm",
            "neural",
            "papers",
            "review",
            "rules",
            "run",
            "scale",
            "serve",
            "synth",
        )
    ),
    *(
        ROOT / name / "README.md"
        for name in ("benchmarks", "benchmarks/peers", "examples", "experiments", "experiments/notes")
    ),
    ROOT / "CONTRIBUTING.md",
]
PAGES = [
    *(page for page in ROOT.glob("*.md") if page.name != "MESSAGE.md"),
    *(page for name in ("docs", "benchmarks", "experiments", "examples") for page in (ROOT / name).rglob("*.md")),
]
RESULTS = [*tables.EXPERIMENTS.glob("*.csv"), *tables.BENCHMARKS.glob("*.csv")]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(text: str) -> Iterator[str]:
    """Lines outside of blocks of code, tables and what only `docs/tables.py` reads."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    return (line for line in text.splitlines() if not line.startswith("|"))


@pytest.mark.parametrize("page", WRITTEN, ids=named)
def test_lines_of_prose_fit_a_screen(page: Path) -> None:
    assert [line for line in prose(page.read_text("utf-8")) if len(line) >= 100] == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    text = "\n".join(prose(page.read_text("utf-8")))
    for link in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text):
        path, _, heading = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if heading:
            assert heading in anchors(target), link


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", tables.PAGES, ids=named)
def test_figures_in_a_page_are_those_of_its_csv(page: Path) -> None:
    assert page.read_text("utf-8") == tables.rendered(page), "write it anew: make format"


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: file.stem)
def test_results_are_shown_and_have_a_value_for_each_heading(file: Path) -> None:
    with file.open(encoding="utf-8", newline="") as lines:
        heading, *rows = csv.reader(lines)
    assert len({*heading}) == len(heading)
    assert rows
    assert {len(row) for row in rows} == {len(heading)}
    shown = [page for page, folder in tables.PAGES.items() if folder == file.parent]
    assert any(f"<!-- table: {file.stem}" in page.read_text("utf-8") for page in shown)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "speeds.csv"
    file.write_text('system,recall,"tokens/s",date\nours,94.5,73754,2026-11-23\nre|2,,500,2026-11-24\n', "utf-8")
    return file


def test_a_table_has_a_column_for_each_measure(file: Path) -> None:
    assert tables.table(file) == (
        "| system | recall | tokens/s | date |\n| --- | ---: | ---: | --- |\n"
        "| ours | 94.5 | 73,754 | 2026-11-23 |\n| re\\|2 |  | 500 | 2026-11-24 |"
    )


def test_a_table_shows_the_rows_and_columns_that_are_asked_for(file: Path) -> None:
    options = "; only: system = ours, none;\n     columns: tokens/s, system"
    assert tables.table(file, options) == "| tokens/s | system |\n| ---: | --- |\n| 73,754 | ours |"


@pytest.mark.parametrize("options", ["; only: system = theirs", "; order: recall", "; columns: speed"])
def test_a_table_of_nothing_is_an_error(file: Path, options: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        tables.table(file, options)


def test_a_page_keeps_all_but_its_tables(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = file.parent / "page.md"
    page.write_text("# A\n<!-- table: speeds; columns: date -->\nold\n<!-- end -->\nb\n", "utf-8")
    monkeypatch.setitem(tables.PAGES, page, file.parent)
    shown = "| date |\n| --- |\n| 2026-11-23 |\n| 2026-11-24 |"
    assert tables.rendered(page) == f"# A\n<!-- table: speeds; columns: date -->\n\n{shown}\n\n<!-- end -->\nb\n"
    page.write_text(tables.rendered(page), "utf-8")
    assert tables.rendered(page) == page.read_text("utf-8")


def test_printed_tables_become_csv_with_a_column_for_each_bound() -> None:
    printed = "elision 0.1.0\n\n| | recall | of |\n|---|---|---|\n| en | 94.3 (93.4–95.1) | 5 |\n| es |  | 6 |\n"
    assert tables.kept(printed) == ",recall,recall low,recall high,of\nen,94.3,93.4,95.1,5\nes,,,,6\n"
    printed = "| by | en | lost |\n|---|---|---|\n| m | 86.8% (85.8%–87.8%) of 4,778 | 2 % |\n| f | | |\n"
    assert tables.kept(printed) == "by,en,en low,en high,en of,lost\nm,86.8,85.8,87.8,4778,2\nf,,,,,\n"
