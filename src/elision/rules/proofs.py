"""The proofs of rules: what each row must find and must not, and phrases in which a pack must find nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from elision.rules.engine import Rules
from elision.rules.pack import Pack
from elision.rules.row import NOT, Row


@dataclass(frozen=True, slots=True)
class Failure:
    """A proof that does not hold."""

    row: str
    proof: str
    said: str


def marked(proof: str) -> tuple[str, list[tuple[int, int]]]:
    """The text of a proof, and the stretches that stand in `[…]`."""
    text, stretches, opened = "", [], -1
    for character in proof:
        if character == "[" and opened < 0:
            opened = len(text)
        elif character == "]" and opened >= 0:
            stretches.append((opened, len(text)))
            opened = -1
        else:
            text += character
    return text, stretches


def failures(pack: Pack) -> Iterator[Failure]:
    """All proofs of a pack that do not hold."""
    whole = Rules(pack)
    for row in pack.rows:
        yield from _of_row(row, whole)
    for text in pack.clean:
        found = whole.spans(text)
        if found:
            rows = ", ".join(sorted({span.source.removeprefix("rule:") for span in found}))
            yield Failure("clean", text, f"something is found, by {rows}")


def counts(pack: Pack) -> tuple[int, int]:
    """How many hits and misses a pack proves."""
    return sum(len(row.hits) for row in pack.rows), sum(len(row.misses) for row in pack.rows) + len(pack.clean)


def _of_row(row: Row, whole: Rules) -> Iterator[Failure]:
    alone = Rules(Pack("", (row,)))
    if not row.hits:
        yield Failure(row.id, "", "has no hits; a rule proves what it finds")
    for proof in row.hits:
        text, wanted = marked(proof)
        if not wanted:
            yield Failure(row.id, proof, "a hit marks what is found in [ ]")
            continue
        found = sorted({(match.start, match.end) for match in alone.matches(text) if not match.why_not})
        if found != wanted:
            yield Failure(row.id, proof, f"finds {_shown(text, found)}")
            continue
        if row.label == NOT:
            continue
        covered = {at for span in whole.spans(text) for at in range(span.start, span.end)}
        if not all(at in covered for start, end in wanted for at in range(start, end)):
            yield Failure(row.id, proof, "is found by the rule but not by the pack; a row of NOT is stronger")
    for text in row.misses:
        if found := [(match.start, match.end) for match in alone.matches(text) if not match.why_not]:
            yield Failure(row.id, text, f"finds {_shown(text, found)}")


def _shown(text: str, found: list[tuple[int, int]]) -> str:
    return ", ".join(repr(text[start:end]) for start, end in found) or "nothing"
