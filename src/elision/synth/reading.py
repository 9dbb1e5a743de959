r"""Grammars of notes: files of symbols, each with alternatives that say how it may be written.

    note =                                 # a comment
      | {header}\n\n{history}\n{exam?.7}
      | 2.5: {letter}                      # a weight
    pmh = hypertension | {cancer} | diabetes

`{symbol}`, `{symbol?.3}` (perhaps), `{symbol*1-4|, }` (several, different ones where possible), `{=one/two}` (a choice
on the spot), `<patient:full>` (a slot that the cast fills), `\n \t \\ \{ \< \|` and so on. `include other.grammar`;
`countries AU GB` for notes of some countries only, `patients f 15-49` for some patients only.

Choices on the spot and "perhaps" become symbols of their own, so that there is one kind of choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from elision.errors import SynthError
from elision.synth.grammar import HELD_OUT, Alternative, Grammar, Part, Patients, Ref, Repeat, Slot, checked

MOST_BYTES = 4_000_000
_HEAD = re.compile(r"([a-z][a-z0-9_]*)\s*=(?:\s+(.*))?$")
_INCLUDE = re.compile(r"include\s+([\w.-]+\.grammar)$")
_COUNTRIES = re.compile(r"countries((?:\s+[A-Z]{2})+)$")
_PATIENTS = re.compile(r"patients(?:\s+([fm]))?(?:\s+(\d{1,3})-(\d{1,3}))?$")
_COMMENT = re.compile(r"(?:^|\s\s)\s*#(?:\s.*)?$")
_WEIGHT = re.compile(r"(\d+(?:\.\d+)?|\.\d+):\s")
_BRACED = re.compile(r"([a-z][a-z0-9_]*)(?:\?(\d*\.?\d*)|\*(\d+)(?:-(\d+))?(?:\|(.*))?)?$", re.DOTALL)
_SLOT = re.compile(r"<([a-z][a-z0-9_]*)(?:[:,]([^<>\s]*))?>")
_ESCAPES = {"n": "\n", "t": "\t"}


class File(NamedTuple):
    """What stands in one file: its symbols, the files that it includes with their places, and its countries."""

    symbols: Mapping[str, tuple[Alternative, ...]]
    includes: tuple[tuple[str, str], ...]
    countries: frozenset[str]
    patients: Patients | None


def read_grammar(path: Path) -> Grammar:
    """A grammar with all that it includes, checked. The countries of included files do not count."""
    symbols: dict[str, tuple[Alternative, ...]] = {}
    file = _gather(path, symbols, set())
    return checked(Grammar(path.stem, symbols, {}, file.countries, file.patients))


def parse(text: str, name: str = "grammar") -> Grammar:
    """A grammar from its text, for those that include nothing."""
    file = _parsed(text, name)
    if file.includes:
        raise SynthError(f"{file.includes[0][1]}: only a file can include another")
    return checked(Grammar(name, file.symbols, {}, file.countries, file.patients))


def _gather(path: Path, symbols: dict[str, tuple[Alternative, ...]], seen: set[Path]) -> File:
    """Read a file and what it includes, each once, into the symbols."""
    seen.add(path)
    file = _parsed(_text(path), path.name)
    for name, rows in file.symbols.items():
        if name in symbols:
            raise SynthError(f"{rows[0].where if rows else path.name}: symbol {name} stands there before")
        symbols[name] = rows
    for name, where in file.includes:
        if name.startswith(HELD_OUT) != path.name.startswith(HELD_OUT):
            raise SynthError(f"{where}: held-out grammars include none that are not, nor the other way round")
        if path.parent / name not in seen:
            _gather(path.parent / name, symbols, seen)
    return file


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
        if len(raw) > MOST_BYTES:
            raise SynthError(f"{path}: larger than {MOST_BYTES:,} bytes; divide it, and include the parts")
        return raw.decode("utf-8")
    except OSError as error:
        raise SynthError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SynthError(f"{path}: is not UTF-8") from None


@lru_cache(maxsize=256)
def _parsed(text: str, name: str) -> File:
    """A file that many include is read once."""
    symbols: dict[str, list[Alternative]] = {}
    includes: list[tuple[str, str]] = []
    countries: frozenset[str] = frozenset()
    patients: Patients | None = None
    rows: list[Alternative] = []
    for kind, value, where in _lines(text, name):
        if kind == "include":
            includes.append((value, where))
        elif kind == "countries":
            countries = frozenset(value.split())
        elif kind == "patients":
            sex, low, high = value.split(",")
            patients = Patients(sex, int(low or 0), int(high or 150))
        elif kind == "symbol":
            if value in symbols:
                raise SynthError(f"{where}: symbol {value} stands there before")
            symbols[value] = rows = []
        else:
            rows += [_Reader(alternative, where, symbols).alternative() for alternative in _split(value)]
    return File({name: tuple(found) for name, found in symbols.items()}, tuple(includes), countries, patients)


def _lines(text: str, name: str) -> Iterator[tuple[str, str, str]]:
    """("include", file), ("symbol", name) and ("rows", alternatives), with their place; broken lines joined."""
    rows, at = "", ""
    inside = False
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = _COMMENT.sub("", raw).rstrip()
        where = f"{name}:{number}"
        if not line.strip():
            continue
        if line[0] in " \t":
            if not inside:
                raise SynthError(f"{where}: an alternative before any symbol; a symbol begins in the first column")
            if line.lstrip().startswith("|"):
                if at:
                    yield "rows", rows, at
                rows, at = line.lstrip()[1:], where
            else:
                rows, at = f"{rows} {line.strip()}".lstrip(), at or where
            continue
        if at:
            yield "rows", rows, at
        rows, at = "", ""
        if match := _INCLUDE.match(line):
            yield "include", match[1], where
        elif match := _COUNTRIES.match(line):
            yield "countries", match[1], where
        elif match := _PATIENTS.match(line):
            yield "patients", ",".join(group or "" for group in match.groups()), where
        elif match := _HEAD.match(line):
            inside = True
            yield "symbol", match[1], where
            if match[2] and not match[2].startswith("#"):
                rows, at = match[2], where
        else:
            raise SynthError(f"{where}: neither a symbol (name = ...) nor an include; alternatives are indented")
    if at:
        yield "rows", rows, at


def _split(text: str) -> Iterator[str]:
    """Alternatives of a line: divided by a stroke with blanks around, outside of braces."""
    depth = start = at = 0
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 1
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == "|" and depth == 0 and text[at - 1 : at] in ("", " ") and text[at + 1 : at + 2] in ("", " "):
            yield text[start:at]
            start = at + 1
        at += 1
    yield text[start:]


class _Reader:
    """Reads one alternative; what stands in its braces becomes symbols of their own."""

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
