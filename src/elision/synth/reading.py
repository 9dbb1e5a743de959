r"""Grammars of notes: files of symbols, each with alternatives that say how it may be written.

    note =                                 # a comment
      | {header}\n\n{history}\n{exam?.7}
      | 2.5: {letter}                      # a weight
    pmh = hypertension | {cancer} | diabetes

`{symbol}`, `{symbol?.3}` (perhaps), `{symbol*1-4|, }` (several, different ones where possible), `{=one/two}` (a choice
on the spot), `<patient:full>` (a slot that the cast fills), `\n \t \\ \{ \< \|` and so on. `include other.grammar`;
`countries AU GB` for notes of some countries only, `patients f 15-49` for some patients only.

Choices on the spot and "perhaps" become symbols of their own, so that there is one kind of choice.

A file that ends in .notes holds whole notes instead, as they stand on paper, with slots and choices on the spot; a line
that begins with ==== divides them, and behind it may stand whom the next note is about: `==== GB f 20-50`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from elision.errors import SynthError
from elision.synth.grammar import HELD_OUT, START, Alternative, Grammar, Patients, Reader, checked

WHOLE = ".notes"
MOST_BYTES = 4_000_000
_HEAD = re.compile(r"([a-z][a-z0-9_]*)\s*=(?:\s+(.*))?$")
_INCLUDE = re.compile(r"include\s+([\w.-]+\.grammar)$")
_COUNTRIES = re.compile(r"countries((?:\s+[A-Z]{2})+)$")
_PATIENTS = re.compile(r"patients(?:\s+([fm]))?(?:\s+(\d{1,3})-(\d{1,3}))?$")
_NOTE = re.compile(r"====((?:[ \t]+[A-Z]{2})*)(?:[ \t]+([fm]))?(?:[ \t]+(\d{1,3})-(\d{1,3}))?[ \t]*$", re.MULTILINE)
_NOT_A_HEAD = re.compile(r"^====", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|\s\s)\s*#(?:\s.*)?$")


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


def read_grammars(path: Path) -> tuple[Grammar, ...]:
    """The grammar in a file, or one for each of the whole notes in it."""
    if path.suffix != WHOLE:
        return (read_grammar(path),)
    text = _text(path).removeprefix("\ufeff").replace("\r\n", "\n")
    return _whole_notes(text, path.name)


@lru_cache(maxsize=64)
def _whole_notes(text: str, name: str) -> tuple[Grammar, ...]:
    """The notes of a file, which several profiles ask for."""
    heads = [*_NOTE.finditer(text)]
    ends = [*(head.start() for head in heads), len(text)]
    if text[: ends[0]].strip():
        raise SynthError(f"{name}:1: notes begin behind a line ====")
    found = []
    for head, end in zip(heads, ends[1:], strict=True):
        where = f"{name}:{text.count(chr(10), 0, head.end()) + 2}"
        body = text[head.end() : end].strip("\n")
        if not body.strip() or _NOT_A_HEAD.search(body):
            raise SynthError(
                f"{where}: an empty note, or a line ==== with something else than countries, sex and ages behind it"
            )
        symbols: dict[str, list[Alternative]] = {}
        note = Alternative(1.0, Reader(body, where, symbols).parts(""), where)
        rows = {START: (note,), **{symbol: tuple(found) for symbol, found in symbols.items()}}
        countries, sex, youngest, oldest = head.groups()
        patients = Patients(sex or "", int(youngest or 0), int(oldest or 150)) if sex or youngest else None
        title = f"{name.partition('.')[0]}-{where.rpartition(':')[2]}"
        found.append(checked(Grammar(title, rows, {}, frozenset(countries.split()), patients)))
    return tuple(found)


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
            rows += [Reader(alternative, where, symbols).alternative() for alternative in _split(value)]
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
