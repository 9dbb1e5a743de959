"""Packs: folders of rules for a language, or a hospital's own file.

A file may hold words and parts of patterns beside its rules; `words.toml` of a pack is there for all its files.

    [words]
    month = ["enero", "febrero"]         # {month} in a pattern: one of these, the longest first
    town = "towns.txt"                   # a file beside this one, a word or phrase a line
    [parts]
    day = '(?:0?[1-9]|[12]\\d|3[01])'     # {day}: this pattern; parts may use words and parts that stand before them

    [[clean]]                            # phrases in which the whole pack must find nothing
    texts = ["Foley catheter in place"]
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elision.errors import RuleError
from elision.languages import base
from elision.languages.base import COMMON, RULES, folder, languages
from elision.rules.automaton import Automaton
from elision.rules.row import Row, plain, row_of, try_row
from elision.text.characters import unaccented

# What a pack of one's own may have. The largest of ours: 542 rows of 1.1 million characters and 1.8 million steps.
MOST_BYTES = 8 << 20  # of a file
MOST_ROWS = 5_000
MOST_SOURCE = 8_000_000  # characters of all patterns, with their words
MOST_STEPS = 4_000_000  # of all automata
_BLANKS = r"[ \t]{1,3}"
_TABLES = {"words", "parts", "rule", "clean"}


@dataclass(frozen=True, slots=True)
class Pack:
    """Rules in the order of their files, and the phrases in which they must find nothing."""

    name: str
    rows: tuple[Row, ...]
    clean: tuple[str, ...] = ()


def pack_names() -> tuple[str, ...]:
    """The packs of all languages."""
    return tuple(languages())


def read_pack(name: str | Path) -> Pack:
    """The pack of a language, a folder of rules, or a file of them. A language's name is its pack, even where a folder
    is called so; write ./en for that."""
    path = Path(name)
    if isinstance(name, str) and (name in pack_names() or not name or not path.exists()):
        ours = _of_language(name)
        if ours is None:
            raise RuleError(
                f"{name}: there is no such pack, file or folder; packs are {', '.join(pack_names())}, a file of rules "
                "ends in .toml"
            )
        path = ours
    if path.is_dir():
        found = _in_order(path)
        if not found:
            raise RuleError(f"{path}: no file of rules (.toml) in this folder")
        shared = _in_order(folder(COMMON, RULES)) if _is_ours(path) and _called(path) != COMMON else []
        pack = _joined(_called(path), [*shared, *found])
    else:
        pack = _joined(path.stem, [path])
    if base.HERE not in path.parents:  # ours are tried in the tests
        _try(pack)
    return pack


def _of_language(name: str) -> Path | None:
    found = base.known(name)
    return found.path(RULES) if found else folder(COMMON, RULES) if name == COMMON else None


def _is_ours(rules: Path) -> bool:
    """Whether a folder of rules is that of a language, or of all."""
    return rules in (folder(COMMON, RULES), *(one.path(RULES) for one in languages().values()))


def _called(rules: Path) -> str:
    """The name of the pack in a folder."""
    return rules.parent.name if _is_ours(rules) else rules.name


def _try(pack: Pack) -> None:
    """Compile all rows, as far as they bear it."""
    steps = 0
    for row in pack.rows:
        steps += try_row(row)
        if steps > MOST_STEPS:
            raise RuleError(
                f"{row.regex.where}: up to here, the rules have more than {MOST_STEPS:,} steps together, which takes "
                f"too much memory; shorten repeats such as {{0,600}} and lists of words, or take rules out"
            )


def _in_order(folder: Path) -> list[Path]:
    """The files of rules of a folder, its shared words first."""
    return sorted(folder.glob("*.toml"), key=lambda file: (file.name != "words.toml", file.name))


def _joined(name: str, paths: Iterable[Path]) -> Pack:
    rows: list[Row] = []
    clean: list[str] = []
    words: dict[str, str] = {}
    for path in paths:
        more, texts, own = _file(path, name, words)
        rows += more
        clean += texts
        if path.name == "words.toml":
            words = own
    if twice := sorted(id for id, count in Counter(row.id for row in rows).items() if count > 1):
        raise RuleError(f"{name}: several rules are called {', '.join(twice[:3])}; give each its own name")
    return Pack(name, tuple(rows), tuple(clean))


def _file(path: Path, pack: str, words: Mapping[str, str]) -> tuple[list[Row], list[str], dict[str, str]]:
    try:
        found = tomllib.loads(_read(path))
    except OSError as error:
        raise RuleError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise RuleError(f"{path}: is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{path}: is no TOML: {error}") from None
    if unknown := set(found) - _TABLES:
        raise RuleError(f"{path}: no such table {', '.join(sorted(unknown))}; there are {', '.join(sorted(_TABLES))}")
    own = dict(words)
    for name, listed in _table(found, "words", path).items():
        own[name] = _alternatives(_words(listed, f"{path}, words {name}", path))
    for name, part in _table(found, "parts", path).items():
        own[name] = f"(?:{_part(part, f'{path}, part {name}', own)})"
    prefix = path.stem if _called(path.parent) != pack else f"{pack}/{path.stem}"
    rows: list[Row] = []
    size = 0
    for number, row in enumerate(_rows(found, "rule", path), 1):
        where = f"{path}, rule {number}"
        rows.append(row_of(row, where, prefix, own))
        size += len(rows[-1].source)
        if number > MOST_ROWS or size > MOST_SOURCE:
            raise RuleError(
                f"{where}: up to here, more than {MOST_ROWS:,} rules, or {MOST_SOURCE:,} characters of patterns "
                "with their words; take some out"
            )
    clean = []
    for number, row in enumerate(_rows(found, "clean", path), 1):
        texts = row.get("texts")
        if set(row) - {"texts", "note"} or not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
            raise RuleError(f"{path}, clean {number}: holds texts, a list of them, and perhaps a note")
        clean += texts
    return rows, clean, own


def _read(path: Path) -> str:
    with path.open("rb") as stream:
        raw = stream.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise RuleError(
            f"{path}: larger than {MOST_BYTES >> 20} MB; rules and lists of words are far smaller: split it"
        )
    return raw.decode("utf-8")


def _table(found: Mapping[str, Any], name: str, path: Path) -> Mapping[str, Any]:
    table = found.get(name, {})
    if not isinstance(table, dict):
        raise RuleError(f"{path}: [{name}] is a table of names")
    for key in table:
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", key):
            raise RuleError(f"{path}, {name} {key}: names are of small letters, digits, - and _")
    return table


def _rows(found: Mapping[str, Any], name: str, path: Path) -> list[Mapping[str, Any]]:
    rows = found.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise RuleError(f"{path}: [[{name}]] is a list of tables; mind the double brackets")
    return rows


def _words(listed: object, where: str, path: Path) -> list[str]:
    if isinstance(listed, str):
        file = path.parent / listed
        if file.resolve().parent != path.resolve().parent:
            raise RuleError(f"{where}: {listed} lies elsewhere; a file of words lies beside the rules")
        try:
            listed = _read(file).splitlines()
        except (OSError, UnicodeDecodeError):
            raise RuleError(f"{where}: {file} cannot be read; one word or phrase a line, in UTF-8") from None
        listed = [line for line in listed if line and not line.startswith("#")]
    if not isinstance(listed, list) or not listed or not all(isinstance(word, str) for word in listed):
        raise RuleError(f"{where}: a list of words, or the name of a file of them")
    for number, word in enumerate(listed, 1):
        if not word or word != word.strip() or "  " in word:
            raise RuleError(f"{where}: word {number} is empty or has blanks to spare")
    if len(set(listed)) < len(listed):
        first = {word: number for number, word in reversed(list(enumerate(listed, 1)))}
        twice = next(number for number, word in enumerate(listed, 1) if first[word] < number)
        raise RuleError(f"{where}: word {twice} stands there before")
    return listed


def _alternatives(words: Iterable[str]) -> str:
    """One of these words; written with its accents or without.

    A word stands before those that it begins with, so the longest is found; neighbours share what they begin with,
    which RE2 then looks at once.
    """
    forms = {form for word in words for form in (word, _bare(word))}
    ordered = sorted(forms, key=lambda word: (word.lower(), word), reverse=True)
    return "(?:" + "|".join(_BLANKS.join(re.escape(part) for part in word.split()) for word in ordered) + ")"


def _bare(word: str) -> str:
    """A word without accents; ñ stays, it is a letter of its own."""
    return unaccented(word.replace("ñ", "\0").replace("Ñ", "\1")).replace("\0", "ñ").replace("\1", "Ñ")


def _part(part: object, where: str, words: Mapping[str, str]) -> str:
    text, groups = plain(part, where, words)
    if groups:
        raise RuleError(f"{where}: may have no group; write (?:…)")
    Automaton(text, where).compile()
    return text
