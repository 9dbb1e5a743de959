"""The list of mutations fits the code and the tests: so nobody forgets one when a line that it breaks is edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutations import run
from tests.mutations.listed import ROOT, Mutation, guarantees
from tests.mutations.page import page

LISTED = guarantees()
MUTATIONS = [mutation for one in LISTED for mutation in one.mutations]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.id)
def test_a_mutation_can_be_made(mutation: Mutation) -> None:
    """If not, write its snippet in tests/mutations/mutations.toml as the code has it now."""
    assert mutation.wrong() == ""
    assert mutation.find != mutation.put
    if mutation.file.endswith(".py"):
        whole = (ROOT / "src" / "elision" / mutation.file).read_text("utf-8")
        compile(whole.replace(mutation.find, mutation.put), mutation.file, "exec")


def test_each_guarantee_is_broken_in_some_way() -> None:
    assert [one.id for one in LISTED if not one.mutations] == []
    assert len(MUTATIONS) >= 60


def test_the_page_says_what_the_list_says() -> None:
    """If not: make format."""
    assert (ROOT / "docs" / "guarantees.md").read_text("utf-8") == page()


def broken(**changes: object) -> Mutation:
    given = {"id": "x", "guarantee": "g", "what": "w", "file": "keys.py", "find": "BYTES = 32", "put": "BYTES = 3",
             "tests": ("tests/test_keys.py::test_a_key_is_not_shown",)}  # fmt: skip
    return Mutation(**{**given, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mutation", "why"),
    [
        (broken(), ""),
        (broken(find="no such line"), "the snippet stands 0 times in keys.py"),
        (broken(find="key"), "the snippet stands"),
        (broken(file="no.py"), "no.py is gone"),
        (broken(tests=("tests/test_keys.py::test_none",)), "no such test: tests/test_keys.py::test_none"),
    ],
)
def test_what_cannot_be_made_says_why(mutation: Mutation, why: str) -> None:
    assert mutation.wrong().startswith(why)
    assert bool(mutation.wrong()) == bool(why)


def test_only_a_copy_is_broken() -> None:
    before = (ROOT / "src" / "elision" / "keys.py").read_bytes()
    with run.copied() as source:
        broken().apply(source)
        assert b"BYTES = 3\n" in (source / "elision" / "keys.py").read_bytes()
        assert Path(source).resolve() != (ROOT / "src").resolve()
    assert (ROOT / "src" / "elision" / "keys.py").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mutation", "verdict"),
    [
        (broken(find='raise KeyFileError(f"{path}: others may', put='print(f"{path}: others may',
                tests=("tests/test_keys.py::test_a_key_that_others_may_read_is_refused",)), run.NOTICED),
        (broken(find="Writes nothing", put=""), run.UNUSABLE),
        (broken(find="The key of a project:", put="A key:"), run.UNNOTICED),
    ],
    ids=["noticed", "gone", "not noticed"],
)  # fmt: skip
def test_what_a_run_says(mutation: Mutation, verdict: str) -> None:
    assert run.tried(mutation).verdict == verdict
