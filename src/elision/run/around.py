"""A source around another, which changes what is read and leaves all else as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from elision.formats.tables.source import Shard, Source


@dataclass(frozen=True)
class Around:
    """Says of itself what the inner one says."""

    inner: Source

    @property
    def where(self) -> str:
        return self.inner.where

    @property
    def format(self) -> str:
        return self.inner.format

    @property
    def place(self) -> object:
        """Of a database, where the table lies."""
        return getattr(self.inner, "place", None)

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    @property
    def rows(self) -> int | None:
        return self.inner.rows

    @property
    def remarks(self) -> Sequence[str]:
        return self.inner.remarks

    @property
    def schema(self) -> Any:
        return self.inner.schema

    def shards(self, rows: int) -> list[Shard]:
        return self.inner.shards(rows)

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        return self.inner.read(shard, names)
