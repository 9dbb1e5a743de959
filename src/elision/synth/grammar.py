"""What a grammar of notes is: symbols with weighted alternatives. `reading` reads it from a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from elision.errors import SynthError

START = "note"
HELD_OUT = "held_out_"
_ENDLESS = 1_000_000  # more steps than any symbol needs


class Ref(NamedTuple):
    """Expand this symbol."""

    symbol: str


class Repeat(NamedTuple):
    """Expand this symbol several times."""

    symbol: str
    least: int
    most: int
    joint: str


class Slot(NamedTuple):
    """Ask the cast: `what`, in the first of the `forms` where the rest are wishes."""

    what: str
    forms: tuple[str, ...]


Part = str | Ref | Repeat | Slot


class Alternative(NamedTuple):
    """A way to write a symbol."""

    weight: float
    parts: tuple[Part, ...]
    where: str  # FILE:LINE, for messages


class Patients(NamedTuple):
    """Whom a grammar is about: "f", "m" or "" for both, and of which age."""

    sex: str
    youngest: int
    oldest: int


@dataclass(frozen=True, slots=True)
class Grammar:
    """Symbols and their alternatives; `depths` says how many steps a symbol needs at least to come to an end."""

    name: str
    symbols: Mapping[str, tuple[Alternative, ...]]
    depths: Mapping[str, int] = field(default_factory=dict)
    countries: frozenset[str] = frozenset()  # of whose notes it is; none: of all
    patients: Patients | None = None  # of whom it is; None: of all


def named(part: Part) -> str | None:
    """The symbol that a part expands, if it does."""
    if isinstance(part, Ref | Repeat):
        return part.symbol
    if isinstance(part, Slot) and part.what == "mark":
        return part.forms[1] if len(part.forms) > 1 else ""
    return None


def checked(grammar: Grammar) -> Grammar:
    """The grammar with its depths, if all symbols are there and come to an end."""
    symbols = grammar.symbols
    if START not in symbols:
        raise SynthError(f"{grammar.name}: no symbol {START}, with which every note begins")
    for name, rows in symbols.items():
        if not rows:
            raise SynthError(f"{grammar.name}: symbol {name} has no alternative")
        for row in rows:
            for part in row.parts:
                symbol = named(part)
                if symbol is not None and symbol not in symbols:
                    raise SynthError(f"{row.where}: there is no symbol {symbol or 'in this mark'}")
        if not any(row.weight > 0 for row in rows):
            raise SynthError(f"{rows[0].where}: all alternatives of {name} have the weight 0")
    return replace(grammar, depths=_depths(grammar))


def _depths(grammar: Grammar) -> dict[str, int]:
    """The least number of steps in which each symbol can end; one that cannot is an error."""
    needs = {
        name: [[symbol for part in row.parts if (symbol := named(part)) is not None] for row in rows if row.weight > 0]
        for name, rows in grammar.symbols.items()
    }
    depths: dict[str, int] = {}
    changed = True
    while changed:
        changed = False
        for name, rows in needs.items():
            depth = min(1 + max((depths.get(symbol, _ENDLESS) for symbol in row), default=0) for row in rows)
            if depth < depths.get(name, _ENDLESS):
                depths[name] = depth
                changed = True
    endless = [name for name in grammar.symbols if name not in depths]
    if endless:
        raise SynthError(
            f"{grammar.symbols[endless[0]][0].where}: {endless[0]} never ends: each alternative leads back"
        )
    return depths


def soonest(rows: Sequence[Alternative], depths: Mapping[str, int]) -> int:
    """Which alternative comes to an end first."""
    needed = [
        max((depths[symbol] for part in row.parts if (symbol := named(part)) is not None), default=0) for row in rows
    ]
    return min((at for at, row in enumerate(rows) if row.weight > 0), key=needed.__getitem__)


def slots(grammar: Grammar) -> Iterator[tuple[Slot, str]]:
    """All slots with their place."""
    for rows in grammar.symbols.values():
        for row in rows:
            for part in row.parts:
                if isinstance(part, Slot):
                    yield part, row.where
