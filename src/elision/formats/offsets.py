"""Offsets in code points, UTF-16 units or UTF-8 bytes, each way, for a whole text at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from elision.errors import FormatError

WIDTHS: dict[str, Callable[[str], int]] = {
    "utf-16": lambda c: 2 if c > "\uffff" else 1,
    "utf-8": lambda c: len(c.encode("utf-8", "surrogatepass")),
}


class Offsets:
    """Converts offsets of one text between code points (ours) and `unit` ("code-points", "utf-16", "utf-8")."""

    def __init__(self, text: str, unit: str) -> None:
        if unit not in ("code-points", *WIDTHS):
            raise ValueError(f"no such offset unit: {unit}")
        self.unit = unit
        self.size = len(text)
        # Only characters wider than one unit are remembered, as (their code point offset, units that they add).
        self._wide: list[int] = []
        self._added: list[int] = [0]
        if unit != "code-points" and not text.isascii():
            width = WIDTHS[unit]
            for at, character in enumerate(text):
                extra = width(character) - 1
                if extra:
                    self._wide.append(at)
                    self._added.append(self._added[-1] + extra)
        self._foreign = [at + added for at, added in zip(self._wide, self._added, strict=False)]

    def to(self, offset: int) -> int:
        """Code points -> unit."""
        return offset + self._added[bisect_left(self._wide, offset)]

    def back(self, offset: int) -> int:
        """Unit -> code points; an offset inside a character is an error."""
        if not self._wide:
            return offset
        index = bisect_left(self._foreign, offset)
        found = offset - self._added[index]
        if self.to(found) != offset:
            raise FormatError(f"offset {offset} ({self.unit}) lies inside a character")
        return found


def fits(text: str, start: int, end: int, surface: str) -> bool:
    """Whether `surface` is the text of a span, white space aside (formats flatten line breaks)."""
    return text[start:end] == surface or text[start:end].split() == surface.split()


def explain(text: str, start: int, end: int, surface: str) -> str:
    """What to look at when `surface` does not stand at these offsets, as the end of an error message."""
    if surface.strip():
        for unit, words in (("utf-16", "UTF-16 units"), ("utf-8", "UTF-8 bytes")):
            offsets = Offsets(text, unit)
            try:
                if fits(text, offsets.back(start), offsets.back(end), surface):
                    return f"it would be right if offsets counted {words}, but they count characters"
            except FormatError:
                continue
        for other, words in (
            (text.replace("\r\n", "\n"), "a CRLF line break counted once: the text file was changed to CRLF"),
            (text.replace("\n", "\r\n"), "every line break counted twice: the text file was changed from CRLF"),
            (text.removeprefix("\ufeff"), "the byte-order mark at the beginning did not count"),
        ):
            if fits(other, start, end, surface):
                return f"it would be right if {words}"
    return "do text and offsets belong together, and is the encoding right (--encoding)?"
