"""The page of guarantees, from the list of mutations: `docs/guarantees.md`."""

from __future__ import annotations

from tests.mutations.listed import Guarantee, guarantees

HEAD = """# What elision guarantees

```text
$ make mutations
noticed      4.1 s  Dates move by the patient's days  shift-by-note  tests/run/test_same_patient.py::…
```

`make mutations` breaks the code on purpose, in {count} ways. For each way it prints whether a test
notices.

Each guarantee has a table: how its code is broken, and the tests of which one must fail. Private
words are in the [glossary](glossary.md). `docs/write.py` writes this page from
`tests/mutations/mutations.toml`; do not edit it.

A test shows that elision does what it says. It does not show how many identifiers in your notes
elision finds. Measure that with `elision score`.
"""
TABLE = "| Broken on purpose | Test that must fail |\n|---|---|"


def page() -> str:
    """All guarantees, each with its table."""
    listed = guarantees()
    count = sum(len(one.mutations) for one in listed)
    return "\n".join([HEAD.format(count=count), *map(_section, listed)])


def _section(one: Guarantee) -> str:
    says = "\n".join(f"{sentence}." for sentence in one.says.rstrip(".").split(". "))
    rows = [
        f"| {mutation.what} (`{mutation.id}`) | {'<br>'.join(f'`{_short(test)}`' for test in mutation.tests)} |"
        for mutation in one.mutations
    ]
    return f"## {one.title}\n\n{says}\n\n" + "\n".join([TABLE, *rows]) + "\n"


def _short(test: str) -> str:
    return test.removeprefix("tests/")
