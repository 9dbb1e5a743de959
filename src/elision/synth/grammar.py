"""What a grammar of notes is, symbols with weighted alternatives, and how one is read. `reading` reads files."""

from __future__ import annotations

import re
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


_WEIGHT = re.compile(r"(\d+(?:\.\d+)?|\.\d+):\s")
_BRACED = re.compile(r"([a-z][a-z0-9_]*)(?:\?(\d*\.?\d*)|\*(\d+)(?:-(\d+))?(?:\|(.*))?)?$", re.DOTALL)
_SLOT = re.compile(r"<([a-z][a-z0-9_]*)(?:[:,]([^<>\s]*))?>")
_ESCAPES = {"n": "\n", "t": "\t"}


class Reader:
    """Reads a text; `symbols` takes what stands in its braces."""

    def __init__(self, text: str, where: str, symbols: dict[str, list[Alternative]]) -> None:
        self.text, self.where, self.symbols, self.at = text.strip(), where, symbols, 0
        if text.strip().endswith("\\") and text.endswith(" "):
            self.text += " "  # an escaped blank at the end

    def alternative(self) -> Alternative:
        match = _WEIGHT.match(self.text + " ")
        if match:
            self.at = min(match.end(), len(self.text))
            while self.text[self.at : self.at + 1] == " ":
                self.at += 1
        parts = self.parts("")
        return Alternative(float(match[1]) if match else 1.0, parts, self.where)

    def parts(self, stops: str) -> tuple[Part, ...]:
        """Parts up to one of the stops, or to the end where there are none."""
        found: list[Part] = []
        letters: list[str] = []

        def flush() -> None:
            if letters:
                found.append("".join(letters))
                letters.clear()

        while self.at < len(self.text):
            character = self.text[self.at]
            if character in stops:
                break
            if character == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                if not following:
                    raise SynthError(f"{self.where}: ends in a backslash; write \\\\ for one")
                letters.append(_ESCAPES.get(following, following))
                self.at += 2
            elif character == "{":
                flush()
                found.append(self.braced())
            elif character == "<" and (match := _SLOT.match(self.text, self.at)):
                flush()
                found.append(Slot(match[1], tuple((match[2] or "").split(","))))
                self.at = match.end()
            elif character == "}":
                raise SynthError(f"{self.where}: a closing brace without an opening one; write \\}} for a plain one")
            elif character == "<" and self.text[self.at + 1 : self.at + 2].islower():
                raise SynthError(f"{self.where}: a slot without end or with a blank in it; write \\< for a plain <")
            else:
                letters.append(character)
                self.at += 1
        flush()
        return tuple(found)

    def braced(self) -> Part:
        if self.text.startswith("{=", self.at):
            return self.choice()
        end = self.at + 1
        while end < len(self.text) and self.text[end] != "}":
            end += 2 if self.text[end] == "\\" else 1
        match = _BRACED.match(self.text[self.at + 1 : end])
        if end >= len(self.text) or not match:
            raise SynthError(
                f"{self.where}: a brace that holds no {{symbol}}, {{symbol?.3}}, {{symbol*1-4|, }} or {{=a/b}}"
            )
        self.at = end + 1
        symbol, chance, least, most, joint = match.groups()
        if chance is not None:
            return self.perhaps(symbol, float(chance) if chance not in ("", ".") else 0.5)
        if least is None:
            return Ref(symbol)
        few, many = int(least), int(most or least)
        if not 0 <= few <= many <= 200 or many == 0:
            raise SynthError(f"{self.where}: {{{symbol}*...}} from {few} to {many}; from 0 to 200, the fewer first")
        return Repeat(symbol, few, many, _unescaped(joint) if joint is not None else " ")

    def perhaps(self, symbol: str, chance: float) -> Part:
        if not 0 <= chance <= 1:
            raise SynthError(f"{self.where}: {{{symbol}?{chance:g}}}; a chance lies between 0 and 1")
        return self.own([Alternative(chance, (Ref(symbol),), self.where), Alternative(1 - chance, (), self.where)])

    def choice(self) -> Part:
        self.at += 2
        rows: list[Alternative] = []
        while True:
            rows.append(Alternative(1.0, self.parts("/}"), self.where))
            if self.at >= len(self.text):
                raise SynthError(f"{self.where}: a choice {{=a/b}} without end")
            self.at += 1
            if self.text[self.at - 1] == "}":
                return self.own(rows)

    def own(self, rows: list[Alternative]) -> Ref:
        """A symbol without a name that a file could use."""
        name = f"{self.where}#{len(self.symbols)}"
        self.symbols[name] = rows
        return Ref(name)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text, flags=re.DOTALL)
