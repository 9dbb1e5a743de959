"""What kinds of taggers share that torch learns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from elision.errors import MissingExtraError, ModelError


@contextmanager
def with_torch(what: str, advice: str) -> Iterator[None]:
    """Learn something with torch: without it, or without memory, it is told what to do."""
    try:
        import torch  # noqa: F401  (who tags does not wait for it)
    except ImportError:
        raise MissingExtraError(f"learning {what}", "train") from None
    try:
        yield
    except MemoryError:
        raise ModelError(f"memory does not suffice; {advice}") from None
    except RuntimeError as error:
        if "alloc" in str(error) or "out of memory" in str(error):  # how torch says it
            raise ModelError(f"memory does not suffice; {advice}") from None
        raise
