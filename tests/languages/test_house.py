"""What only a language knows stands in its folder: no module outside of `languages/` asks for one by its code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from elision.languages import detection
from elision.languages.base import COMMON, folder, shipped, table_of

SOURCE = Path(__file__).parents[2] / "src" / "elision"
CODES = frozenset(shipped())
EXCEPT = ("languages/", "papers/")  # a paper is of a language


def asks(tree: ast.AST) -> Iterator[int]:
    """The lines that compare with the code of a language, or hold a table or a row of codes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            values = [node.left, *node.comparators]
        elif isinstance(node, ast.Dict):
            values = [key for key in node.keys if key]
        elif isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
            values = node.elts if all(map(is_code, node.elts)) else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            values = node.args
        else:
            continue
        if any(map(is_code, values)):
            yield node.lineno


def is_code(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in CODES


def test_no_module_asks_for_a_language_by_its_code() -> None:
    names = {file: str(file.relative_to(SOURCE)) for file in sorted(SOURCE.rglob("*.py"))}
    found = [
        f"{name}:{line}"
        for file, name in names.items()
        if not name.startswith(EXCEPT)
        for line in asks(ast.parse(file.read_text("utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    ["x == 'nl'", "'zh' != x", "{'en': 1}", "('es', 'nl')", "x.startswith('zh')", "x in ['en', 'es']"],
)  # fmt: skip
def test_such_lines_are_noticed(line: str) -> None:
    assert list(asks(ast.parse(line)))


@pytest.mark.parametrize("line", ["x = 'en'", "f('es')", "('en', 'and')", "x == 'english'"])
def test_others_are_not(line: str) -> None:
    assert not list(asks(ast.parse(line)))


def test_what_detection_knows_is_read_somewhere() -> None:
    """A key of a `detect.toml` that nobody asks for is a word misspelt, or a list that is dead."""
    tables = [table_of(folder(code, "detect.toml")) for code in (COMMON, *CODES)]
    code = "\n".join(file.read_text("utf-8") for file in SOURCE.rglob("*.py"))
    unread = {key for table in tables for key in table if f'"{key}"' not in code and f"'{key}'" not in code}
    assert unread == set()


def test_words_of_all_languages_stand_together() -> None:
    assert {"mevr", "señora", "professor"} <= set(detection.everywhere("titles"))
    assert len(detection.in_each("months")) == sum("months" in detection.of(code) for code in CODES) >= 3
    assert detection.any_of("no such key") == "(?!)"
    assert detection.of("nl-BE")["postcode"]
    assert detection.of("xx") == {}
