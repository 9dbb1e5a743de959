"""The list of mutations: what elision guarantees, how the code is broken on purpose, and which tests must notice.

A mutation is data, in `mutations.toml`: the file, a snippet that stands in it once, and what is put in its place.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
LIST = Path(__file__).with_name("mutations.toml")


@dataclass(frozen=True)
class Mutation:
    """One way to break the code."""

    id: str
    guarantee: str
    what: str  # what is broken
    file: str  # below src/elision
    find: str  # stands in the file once
    put: str
    tests: tuple[str, ...]  # one of them, at least, must fail

    def wrong(self, source: Path = SOURCE) -> str:
        """Why this mutation cannot be made any more; nothing if it can."""
        file = source / "elision" / self.file
        if not file.is_file():
            return f"{self.file} is gone"
        times = file.read_text("utf-8").count(self.find)
        if times != 1:
            return f"the snippet stands {times} times in {self.file}"
        missing = [test for test in self.tests if not is_there(test)]
        return f"no such test: {', '.join(missing)}" if missing else ""

    def apply(self, source: Path) -> None:
        """Break a copy of the source. The file is written anew, since the copy may share it with the original."""
        if wrong := self.wrong(source):
            raise ValueError(f"{self.id}: {wrong}")
        file = source / "elision" / self.file
        broken = file.read_text("utf-8").replace(self.find, self.put)
        file.unlink()
        file.write_text(broken, "utf-8")


@dataclass(frozen=True)
class Guarantee:
    """What elision promises, in plain words, with the ways to break it."""

    id: str
    title: str
    says: str
    mutations: tuple[Mutation, ...]


def guarantees() -> list[Guarantee]:
    """All that is listed, in its order."""
    with LIST.open("rb") as stream:
        rows = tomllib.load(stream)
    mutations = [Mutation(**{**row, "tests": tuple(row["tests"])}) for row in rows["mutation"]]
    ids = [mutation.id for mutation in mutations]
    if doubled := sorted({id for id in ids if ids.count(id) > 1}):
        raise ValueError(f"ids that come twice: {', '.join(doubled)}")
    known = {row["id"] for row in rows["guarantee"]}
    if strange := sorted({mutation.guarantee for mutation in mutations} - known):
        raise ValueError(f"no such guarantee: {', '.join(strange)}")
    return [Guarantee(**row, mutations=_of(row, mutations)) for row in rows["guarantee"]]


def _of(row: Mapping[str, str], mutations: list[Mutation]) -> tuple[Mutation, ...]:
    return tuple(mutation for mutation in mutations if mutation.guarantee == row["id"])


def is_there(test: str) -> bool:
    """Whether there is a test of this name, such as tests/test_keys.py::test_a_key; cases in [] are not looked at."""
    file, _, name = test.partition("[")[0].partition("::")
    return (ROOT / file).is_file() and name in _functions(file)


@cache
def _functions(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
