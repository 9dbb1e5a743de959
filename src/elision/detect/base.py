"""What a detector is: something with a name that turns notes into spans.

A plain function from notes to the spans of each qualifies, too: `as_detector` gives it a name. So do a pattern and a
function from one text to its spans (`recognisers`). What a detector may have beyond that is said in small protocols:
the detectors it is made of, a threshold, the chances of tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from elision.detect.recognisers import Recogniser, takes_text
from elision.document import Document, Span
from elision.text.tokens import Tokens

Function = Callable[[Sequence[Document]], list[tuple[Span, ...]]]
Looks = Callable[..., Any] | re.Pattern[str]  # what counts as a detector, too: a Function, a Recognise, a pattern


@runtime_checkable
class Detector(Protocol):
    """Finds spans in notes. Receipts tell its name and version."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """The spans of each note."""


@runtime_checkable
class Composite(Protocol):
    """A detector that is made of others: receipts name these."""

    @property
    def parts(self) -> tuple[Detector, ...]: ...


@runtime_checkable
class Dialled(Protocol):
    """A detector with a threshold, which receipts tell."""

    @property
    def dial(self) -> float | None: ...


@runtime_checkable
class TellsChances(Protocol):
    """A detector that tells how likely each token of a text is part of an identifier."""

    def chances(self, text: str) -> tuple[Tokens, npt.NDArray[np.float32]]: ...


class Named:
    """A plain function as a detector."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self.name = str(getattr(function, "__qualname__", type(function).__qualname__))
        self.version = ""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return self._function(documents)


def as_detector(detector: Detector | Looks) -> Detector:
    """The detector, or the pattern or function as one. A function whose parameter is a str, or is called text, is given
    one text after the other; any other function, all notes at once."""
    if isinstance(detector, re.Pattern):
        return Recogniser(detector)
    if isinstance(detector, Detector):
        return detector
    if not callable(detector) or isinstance(detector, type):
        what = detector.__name__ if isinstance(detector, type) else f"a {type(detector).__name__}"
        raise TypeError(f"a detector has detect(), or is a function or a re.Pattern; {what} is none: see docs/tour.md")
    return Recogniser(detector) if takes_text(detector) else Named(detector)


def parts_of(detector: Detector) -> tuple[Detector, ...]:
    """The detectors it is made of, to the last; itself if it is of one piece."""
    if not isinstance(detector, Composite):
        return (detector,)
    return tuple(part for each in detector.parts for part in parts_of(each))


def dial_of(detector: Detector) -> float | None:
    """Its threshold, None where it has none."""
    return detector.dial if isinstance(detector, Dialled) else None
