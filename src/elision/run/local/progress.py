"""How far a run is, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Progress:
    """How far a run is. Rows count once for each time that they are gone through."""

    rows: int
    before: int = 0  # rows that an earlier run had done
    passed: int = 0
    characters: int = 0
    held: int = 0
    since: float = field(default_factory=time.monotonic)

    @property
    def share(self) -> float:
        return min(1.0, (self.before + self.passed) / max(1, self.rows))

    @property
    def seconds(self) -> float:
        return max(time.monotonic() - self.since, 1e-3)

    @property
    def left(self) -> float:
        """Seconds that the rest will take at this speed."""
        return max(0, self.rows - self.before - self.passed) * self.seconds / max(1, self.passed)


Tell = Callable[[Progress], None]


@dataclass(frozen=True)
class Ended:
    """What came of a run."""

    folder: Path
    counts: dict[str, Any]
    before: bool = False  # it had ended before

    @property
    def held(self) -> int:
        return int(self.counts["held"])

    @property
    def nulls(self) -> int:
        """Values of columns that could not be changed, and are NULL."""
        return sum(sum(whys.values()) for whys in self.counts.get("nulls", {}).values())
