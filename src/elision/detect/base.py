"""What a detector is: anything that turns notes into spans."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from elision.document import Document, Span

Detector = Callable[[Sequence[Document]], list[tuple[Span, ...]]]
