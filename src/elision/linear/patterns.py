"""Regular expressions as features, of a kind that no note can make slow.

Python's `re` goes back and tries again, so a pattern is taken only if the number of ways in which it could match from
one place is bounded and small: no `*`, `+` or `{2,}`, and a product over all its choices within `MOST_WAYS`. Lines are
matched by themselves, so the time grows with the note's length and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from elision.errors import ModelError
from elision.linear.batch import Batch
from elision.tokens import Column

MOST_WAYS = 100_000
LONGEST_PATTERN = 2_000

_LINE = re.compile(r"[^\r\n]+")
_TIMES = re.compile(r"\{(\d*)(,?)(\d*)\}")
_GROUP = re.compile(r"\?(?:[:=!>]|<[=!])")


def pattern_place(name: str, patterns: Iterable[str]) -> Callable[[Batch], tuple[Column, list[str]]]:
    """B for the first token that a match touches, I for its others; where matches overlap the first one holds."""
    compiled = [compiled_safely(pattern, name) for pattern in patterns]

    def place(batch: Batch) -> tuple[Column, list[str]]:
        codes = np.zeros(len(batch), np.int32)
        starts, ends, text = batch.tokens.starts, batch.tokens.ends, batch.text
        found: list[tuple[int, int]] = []
        for line in _LINE.finditer(text):
            words, at = line[0], line.start()
            for pattern in compiled:
                found += [(at + m.start(), at + m.end()) for m in pattern.finditer(words) if m.end() > m.start()]
        if found:
            edges = np.array(sorted(found, key=lambda edge: (edge[0], -edge[1])), np.int64)
            firsts = np.searchsorted(ends, edges[:, 0], side="right").tolist()
            afters = np.searchsorted(starts, edges[:, 1], side="left").tolist()
            done = 0
            for first, after in zip(firsts, afters, strict=True):
                if done <= first < after:
                    codes[first:after] = 2
                    codes[first] = 1
                    done = after
        return codes, ["", "B", "I"]

    return place


def compiled_safely(pattern: str, name: str) -> re.Pattern[str]:
    """The pattern, compiled, if it is one that is never slow."""
    where = f"a pattern of {name!r}"
    if len(pattern) > LONGEST_PATTERN:
        raise ModelError(f"{where} is longer than {LONGEST_PATTERN:,} characters; write several")
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ModelError(f"{where} is no regular expression: {getattr(error, 'msg', 'too large')}") from None
    if _Ways(pattern, where).all() > MOST_WAYS:
        raise ModelError(f"{where} can match in too many ways, which can take long; write it with fewer choices")
    return compiled


@dataclass(slots=True)
class _Ways:
    """Reads a pattern that compiles and counts in how many ways, at most, it can match from one place."""

    pattern: str
    where: str
    at: int = 0

    def all(self) -> int:
        return self._choices()

    def _choices(self) -> int:
        """Alternatives up to a closing bracket or the end: the sum over them."""
        total, ways = 0, 1
        while self.at < len(self.pattern) and self.pattern[self.at] != ")":
            if self.pattern[self.at] == "|":
                self.at += 1
                total, ways = total + ways, 1
            else:
                one = self._atom()
                ways = min(ways * self._repeated(one), MOST_WAYS + 1)
        return min(total + ways, MOST_WAYS + 1)

    def _atom(self) -> int:
        character = self.pattern[self.at]
        self.at += 1
        if character == "(":
            return self._group()
        if character == "[":
            self._skip_set()
        elif character == "\\":
            if self.pattern[self.at].isdigit() and self.pattern[self.at] != "0":
                raise ModelError(f"{self.where} refers to one of its groups, which can take long; write it without")
            self.at += 1
        return 1

    def _group(self) -> int:
        if self.pattern.startswith("?", self.at):
            match = _GROUP.match(self.pattern, self.at)
            if not match:
                raise ModelError(f"{self.where} has a group that is named, conditional or sets a flag; use (?:…)")
            self.at = match.end()
        ways = self._choices()
        self.at += 1  # the closing bracket
        return ways

    def _skip_set(self) -> None:
        """To the end of `[…]`; a bracket that comes first is a member."""
        first = self.at + self.pattern.startswith("^", self.at)
        self.at = first
        while self.pattern[self.at] != "]" or self.at == first:
            self.at += 2 if self.pattern[self.at] == "\\" else 1
        self.at += 1

    def _repeated(self, ways: int) -> int:
        """The ways of something that stands once or as often as the quantifier behind it says."""
        if self.at == len(self.pattern):
            return ways
        character = self.pattern[self.at]
        low = high = 1
        if character in "*+":
            raise ModelError(f"{self.where} repeats without a bound; write {{0,20}} for * and {{1,20}} for +")
        if character == "?":
            low, self.at = 0, self.at + 1
        elif match := _TIMES.match(self.pattern, self.at):
            if not match[1] and not match[3]:  # `{}` and `{,}`: the latter is a `*`
                if match[2]:
                    raise ModelError(f"{self.where} repeats without a bound; write {{0,20}} for {{,}}")
                return ways
            if match[2] and not match[3]:
                raise ModelError(f"{self.where} repeats without a bound; write {{2,20}} for {{2,}}")
            low, high = int(match[1] or 0), int(match[3] if match[2] else match[1])
            self.at = match.end()
        else:
            return ways
        if self.at < len(self.pattern) and self.pattern[self.at] in "?+":  # lazy or possessive
            self.at += 1
        if high > MOST_WAYS:
            return MOST_WAYS + 1
        if ways == 1:
            return high - low + 1
        total = 0
        for times in range(low, high + 1):
            total += ways ** min(times, 64)
            if total > MOST_WAYS:
                return MOST_WAYS + 1
        return total
