"""A rule: a row with a label, a pattern and its proof.

    [[rule]]
    name = "day-month-year"
    label = "DATE"                       # a canonical label, or NOT: what matches is no identifier
    pattern = '{day} de {month}(?: de {year})?'
    before = '(?:el|desde el) '          # optional: what must stand right before, and after
    unless_after = ' ?mg'                # optional: what must not stand right after, or before
    check = "date-dmy"                   # optional: a function of `elision.rules.checks`, by name
    case = "exact"                       # or any, which is the default
    score = 0.9
    hits = ["Ingresó el [3 de mayo de 2020]."]
    misses = ["3 de cada 4 pacientes"]

The identifier is the pattern's only group, or all of it. `{month}` is one of the words, or the part, of that name.
A long pattern may run over several lines, in '''…'''; line ends and the blanks beside them do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from elision.errors import RuleError
from elision.labels import canonical
from elision.rules.automaton import Automaton
from elision.rules.checks import CHECKS

NOT = "NOT"
KEYS = {
    "name", "label", "pattern", "before", "after", "unless_before", "unless_after", "check", "case", "score", "edges",
    "hits", "misses", "note",
}  # fmt: skip
LOOK_BEHIND = 48  # characters that `unless_before` sees
MOST_LETTERS = 500_000  # of a pattern with its words; those that come with elision have up to 47,000

_MACRO = re.compile(r"(?<!\\p)(?<!\\P)(?<!\\x)\{([a-z][a-z0-9_-]*)\}")
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?|[*+(]|\{\d+,\}|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """A rule, ready to run on UTF-8."""

    id: str  # pack/file/name
    origin: str  # rule:pack/file/name, the source of its spans
    label: str
    source: str  # the pattern with its words put in
    regex: Automaton
    score: float
    check: Callable[[str], bool] | None
    check_name: str
    edges: bool  # a match may not begin or end inside a word or a number
    not_before: Automaton | None
    not_after: Automaton | None
    hits: tuple[str, ...]
    misses: tuple[str, ...]


def row_of(found: Mapping[str, Any], where: str, prefix: str, words: Mapping[str, str]) -> Row:
    """A row of a file as a rule; `where` names file and row in errors. Its patterns are compiled when needed."""
    if unknown := set(found) - KEYS:
        raise RuleError(
            f"{where}: no such key {', '.join(sorted(map(str, unknown)))}; there are {', '.join(sorted(KEYS))}"
        )
    name, label = found.get("name"), str(found.get("label", ""))
    if not isinstance(name, str) or not name:
        raise RuleError(f"{where}: a rule needs a name")
    where = f"{where} ({name})"
    if label != NOT and label not in canonical():
        raise RuleError(f"{where}: label {label!r} is none of ours; see `elision labels`, or say NOT")
    pattern = found.get("pattern")
    if not isinstance(pattern, str) or not pattern:
        raise RuleError(f"{where}: a rule needs a pattern")
    texts = {key: found.get(key, []) for key in ("hits", "misses")}
    if not all(isinstance(proofs, list) and all(isinstance(text, str) for text in proofs) for proofs in texts.values()):
        raise RuleError(f"{where}: hits and misses are lists of texts")
    check = found.get("check", "")
    if check and check not in CHECKS:
        raise RuleError(f"{where}: no check {check!r}; there are {', '.join(sorted(CHECKS))}")
    case = found.get("case", "any")
    if case not in ("any", "exact"):
        raise RuleError(f"{where}: case {case!r}; say any or exact")
    score = found.get("score", 0.9)
    if not isinstance(score, (int, float)) or not 0 < score <= 1:
        raise RuleError(f"{where}: score {score!r}; a number above 0 and up to 1")
    flags = "(?mi)" if case == "any" else "(?m)"
    pattern, groups = plain(pattern, where, words)
    if groups > 1:
        raise RuleError(f"{where}: has {groups} groups; only the identifier is in plain brackets, others are (?:…)")
    before, after = (plain(found.get(key, ""), f"{where}, {key}", words) for key in ("before", "after"))
    if before[1] or after[1]:
        raise RuleError(f"{where}: before and after may have no group; write (?:…)")
    source = pattern
    if before[0] or after[0]:
        source = f"(?:{before[0]})(?:{pattern if groups else f'({pattern})'})(?:{after[0]})"
    around = _around_group(pattern) if groups else ("", pattern, "")
    parts = None
    if around and source != around[1]:
        wrapped = [text and f"(?:{text})" for text in (before[0], after[0])]
        parts = flags, wrapped[0] + around[0], around[1], around[2] + wrapped[1]
    unless = {}
    for key in ("unless_before", "unless_after"):
        text, count = plain(found.get(key, ""), f"{where}, {key}", words)
        ends = r"\z" if key == "unless_before" else ""
        unless[key] = Automaton(f"{flags}(?:{text}){ends}", f"{where}, {key}") if text else None
        if count:
            raise RuleError(f"{where}: {key} may have no group; write (?:…)")
    regex = Automaton(flags + source, where, parts)
    return Row(
        f"{prefix}/{name}", f"rule:{prefix}/{name}", label, flags + source, regex, float(score),
        CHECKS[check] if check else None, check,
        bool(found.get("edges", True)), unless["unless_before"], unless["unless_after"],
        tuple(texts["hits"]), tuple(texts["misses"]),
    )  # fmt: skip


def _around_group(pattern: str) -> tuple[str, str, str] | None:
    """What stands before the only group, in it and behind it; None if it stands inside another bracket or a choice, or
    if flags such as (?-i) hold for more than their brackets."""
    if re.search(r"\(\?[a-zA-Z-]+\)", pattern):
        return None
    depth, begin, at, found = 0, -1, 0, None
    for piece in _PIECE.findall(pattern):
        if piece == "|" and not depth:
            return None
        if piece == "(" and not depth:
            begin = at
        depth += piece in ("(", "(?")
        depth -= piece == ")"
        at += len(piece)
        if piece == ")" and not depth and begin >= 0 and found is None:
            found = (pattern[:begin], pattern[begin + 1 : at - 1], pattern[at:])
    return found if found and not re.match(r"[?{]", found[2]) else None


def try_row(row: Row) -> int:
    """Compile a row's patterns now, for what is wrong with them. How many steps their automata have."""
    size = 0
    for automaton in (row.regex, row.not_before, row.not_after):
        if automaton is not None:
            automaton.compile()
            size += automaton.size
    if row.regex.occurs(b""):
        raise RuleError(f"{row.regex.where}: matches nothing at all, and so everywhere")
    return size


def plain(pattern: object, where: str, words: Mapping[str, str]) -> tuple[str, int]:
    """A pattern with its words put in, and how many groups it has. Repetitions need a bound: so rules stay linear."""
    if not isinstance(pattern, str):
        raise RuleError(f"{where}: is no text")
    if "\n" in pattern:
        pattern = "".join(line.strip() for line in pattern.splitlines())

    def word(match: re.Match[str]) -> str:
        if match[1] not in words:
            raise RuleError(f"{where}: no words or part {{{match[1]}}}; there are {', '.join(sorted(words)) or 'none'}")
        return words[match[1]]

    groups = 0
    for piece in _PIECE.findall(_MACRO.sub("x", pattern)):
        groups += piece == "("
        if piece in ("*", "+") or (piece.startswith("{") and len(piece) > 1):
            raise RuleError(f"{where}: repeats without a bound ({piece}); write {{0,20}} for * and {{1,20}} for +")
    size = len(pattern) + sum(len(word(match)) for match in _MACRO.finditer(pattern))
    if size > MOST_LETTERS:
        raise RuleError(
            f"{where}: with its words, has more than {MOST_LETTERS:,} characters; split it, or list fewer words"
        )
    return _MACRO.sub(word, pattern), groups
