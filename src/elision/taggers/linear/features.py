"""Features, declared as data: which attribute of which neighbour, alone or together with others.

lower[0]              the token's own small-letter form
lower[-2..2]          that of each token of a window, each a feature of its own
lower{-4..-1}         that of any token of a window: which one does not matter
lower[-1] lower[0]    two (or three) together
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from elision.errors import ElisionError
from elision.taggers.batch import GAP

_TERM = re.compile(r"([a-z][a-z0-9:_-]*)(?:\[(-?\d+)(?:\.\.(-?\d+))?\]|\{(-?\d+)\.\.(-?\d+)\})")


@dataclass(frozen=True, slots=True)
class Template:
    """One kind of feature: attributes at offsets that together make one, or one attribute at any of several offsets."""

    terms: tuple[tuple[str, int], ...]
    any_of: bool = False

    @property
    def alone(self) -> bool:
        return self.any_of or len(self.terms) == 1


def templates(lines: Iterable[str]) -> tuple[Template, ...]:
    """The templates that these lines declare, each once."""
    return tuple(dict.fromkeys(template for line in lines for template in _of_line(line)))


def _of_line(line: str) -> list[Template]:
    words = line.split()
    matches = [_TERM.fullmatch(word) for word in words]
    if not words or None in matches:
        raise ElisionError(
            f"feature {line[:60]!r}: write it as lower[0], lower[-2..2], lower{{-4..-1}} or lower[-1] lower[0]"
        )
    terms = [(m[1], [int(group) for group in m.groups()[1:] if group is not None]) for m in matches if m]
    if any(abs(offset) > GAP for _, offsets in terms for offset in offsets):
        raise ElisionError(f"feature {line[:60]!r}: an offset may be at most {GAP}")
    if any(offsets[0] > offsets[-1] for _, offsets in terms):
        raise ElisionError(f"feature {line[:60]!r}: a window runs from the lower offset to the higher, as in -2..2")
    if len(terms) == 1:
        name, ends = terms[0]
        window = tuple((name, offset) for offset in range(ends[0], ends[-1] + 1))
        if "{" in line:
            return [Template(window, any_of=True)]
        return [Template((term,)) for term in window]
    if len(terms) > 3 or any(len(offsets) != 1 for _, offsets in terms):
        raise ElisionError(f"feature {line[:60]!r}: at most three attributes go together, each at one offset")
    return [Template(tuple((name, offsets[0]) for name, offsets in terms))]
