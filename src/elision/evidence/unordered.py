"""The summary of receipts that have no order, as in a table: counts, and a keyed sum over all lines.

The sum is that of a keyed hash of each line, modulo 2**256. It is the same in any order, and parts of a table can be
added up apart. A line that is lost, changed or there twice changes it. Without the key nobody knows what a line adds,
so nobody can make up for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elision.evidence.receipts import PURPOSE, Total
from elision.keys import Key

_MODULUS = 1 << 256


class UnorderedTotal(Total):
    """Adds up the receipts of a table."""

    def __init__(self, key: Key | None) -> None:
        super().__init__(key)
        self._secret = key.secret(PURPOSE) if key else None
        self._sum = 0

    def stays(self, line: str) -> None:
        if self._secret:
            self._sum = (self._sum + int.from_bytes(self._secret.digest("of a table", line), "big")) % _MODULUS

    def part(self) -> dict[str, Any]:
        """What is added up so far. It has no signature, so that a part cannot pass for the whole."""
        return {**self.summary(), "signature": ""}

    def add_part(self, part: Mapping[str, Any]) -> None:
        """Count what another has added up."""
        for name in self._counts:
            self._counts[name] += part[name]
        for label, counts in part["spans"].items():
            mine = self._spans.setdefault(label, {})
            for operator, count in counts.items():
                mine[operator] = mine.get(operator, 0) + count
        for name, count in part["warnings"].items():
            self._warnings[name] = self._warnings.get(name, 0) + count
        self._sum = (self._sum + int(part["sum"], 16)) % _MODULUS

    def _over_lines(self) -> dict[str, str]:
        return {"sum": f"{self._sum:064x}"}
