"""What a language may know of telephone numbers: digits in words, and of which country a number is likely."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


def _nowhere(_digits: str, zeros: int, _country: str) -> tuple[str, int]:
    return "", zeros


@dataclass(frozen=True, slots=True)
class Phones:
    """What a language knows of telephone numbers."""

    spoken: tuple[str, ...] = ()  # the words for 0 to 9
    also: Mapping[str, int] = field(default_factory=dict)  # other words for a digit
    home: Callable[[str, int, str], tuple[str, int]] = _nowhere
    """The digits, how many zeros they begin with, and the note's country: the calling code of the country that a number
    without one is likely of, "" if that is not told, and how many digits stand before the number proper."""
