"""What a rule can ask of a Chinese text: what is too much for a pattern, and quick to look up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from elision.languages.base import language


@cache
def _counties() -> frozenset[str]:
    return frozenset(language("zh").words("counties"))


def cn_county(text: str) -> bool:
    """A county, district, banner or county town of China."""
    return text in _counties()


CHECKS: Mapping[str, Callable[[str], bool]] = {"cn-county": cn_county}
