"""One alternative of a grammar, read: what stands in its braces becomes symbols of their own."""

from __future__ import annotations

import re

from elision.errors import SynthError
from elision.synth.grammar import Alternative, Part, Ref, Repeat, Slot

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
