"""How much work a note is worth: from rules alone to an encoder that reads all of it."""

from __future__ import annotations

import os
from enum import StrEnum

from elision.errors import PolicyError

VARIABLE = "ELISION_EFFORT"


class Effort(StrEnum):
    RULES = "rules"  # rules alone
    FAST = "fast"  # and the linear model that weighs them
    BALANCED = "balanced"  # and an encoder that reads what stands around tokens which the linear model doubts
    MOST = "most"  # and wherever that is not all but certain

    @property
    def encoded(self) -> bool:
        """Whether an encoder looks."""
        return self in (Effort.BALANCED, Effort.MOST)


USUAL = Effort.BALANCED


def effort_of(said: str | None = None) -> Effort:
    """The effort that somebody says, or else the environment, or else the usual one."""
    named = said or os.environ.get(VARIABLE) or USUAL
    try:
        return Effort(named)
    except ValueError:
        where = "--effort" if said else VARIABLE
        raise PolicyError(f"{where} {named[:40]!r}: choose one of {', '.join(Effort)}") from None
