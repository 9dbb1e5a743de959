"""Regular expressions as features, of a kind that no note can make slow.

RE2 matches them: it never goes back to try again. Repetitions need a bound, so that no match has to look further than
the pattern says. A pattern sees one line at a time. `\\b`, `\\d` and `\\w` know ASCII only; `\\pL` is any letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import re2

from elision.errors import ModelError
from elision.taggers.batch import Batch
from elision.text.tokens import Column

_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|[*+]|\{\d+,\}|.", re.DOTALL)
_ONE_LINE = re.compile(r"\(\?[a-zA-Z]*-[a-zA-Z]*m")  # a note's ends are no text's ends: notes are matched side by side
_OPTIONS = re2.Options()
_OPTIONS.never_nl = True
_OPTIONS.log_errors = False


def pattern_place(name: str, patterns: Iterable[str]) -> Callable[[Batch], tuple[Column, list[str]]]:
    """B for the first token that a match touches, I for its others; where matches overlap the first one holds."""
    compiled = [compiled_safely(pattern, name) for pattern in patterns]

    def place(batch: Batch) -> tuple[Column, list[str]]:
        codes = np.zeros(len(batch), np.int32)
        starts, ends, raw = batch.tokens.starts, batch.tokens.ends, batch.raw
        found = [match.span() for pattern in compiled for match in pattern.finditer(raw)]
        if found:
            edges = batch.characters(np.array(sorted(found, key=lambda edge: (edge[0], -edge[1])), np.int64))
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


def compiled_safely(pattern: str, name: str) -> Any:
    """The pattern, compiled, if it is one that is never slow."""
    where = f"a pattern of {name!r}"
    pieces = _PIECE.findall(pattern)
    for piece in pieces:
        if piece in ("*", "+") or (piece.startswith("{") and len(piece) > 1):
            raise ModelError(f"{where} repeats without a bound ({piece}); write {{0,20}} for * and {{1,20}} for +")
        if piece in ("\\A", "\\z", "\\Q"):
            raise ModelError(f"{where} has {piece}; write ^ or $ for where a line begins or ends, and no \\Q")
    if _ONE_LINE.search("".join(piece if len(piece) == 1 else "_" for piece in pieces)):
        raise ModelError(f"{where} takes ^ and $ for the ends of the text (-m); patterns see one line at a time")
    try:
        return re2.compile(f"(?m){pattern}".encode(), _OPTIONS)
    except (re2.error, UnicodeEncodeError) as error:
        raise ModelError(
            f"{where} is no regular expression of RE2, which has no look-around and no references back: {_said(error)}"
        ) from None


def _said(error: Exception) -> str:
    said = error.args[0] if error.args else ""
    return said.decode(errors="replace") if isinstance(said, bytes) else type(error).__name__
