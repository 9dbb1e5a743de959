"""Ids that name nobody: a source whose ids are names made with the project's key, the same for the same id.

Whoever has the key can make the name of an id again (`elision key id`); nobody can find the id from the name, and which
is whose is written down nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from elision.errors import RunError
from elision.formats.tables.source import Shard, Source
from elision.keys import Key, Secret

PURPOSE = "ids"


def keyed_id(key: Key, id: str) -> str:
    """The name that stands for an id."""
    return key.secret(PURPOSE).name(id)


@dataclass(frozen=True)
class KeyedIds:
    """A source with keyed ids. It is pickled with the place of the key, never with the key."""

    inner: Source
    column: str
    key: str  # its file

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
        return self._schema(self.inner.schema)

    def _schema(self, schema: Any) -> Any:
        import pyarrow as pa

        at = schema.get_field_index(self.column)
        return schema if at < 0 else schema.set(at, pa.field(self.column, pa.string()))

    def shards(self, rows: int) -> list[Shard]:
        return self.inner.shards(rows)

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        import pyarrow as pa

        for batch in self.inner.read(shard, names):
            at = batch.schema.get_field_index(self.column)
            if at >= 0:
                ids = [None if id is None else self._secret.name(str(id)) for id in batch.column(at).to_pylist()]
                arrays = [*batch.columns[:at], pa.array(ids, pa.string()), *batch.columns[at + 1 :]]
                batch = pa.RecordBatch.from_arrays(arrays, schema=self._schema(batch.schema))
            yield batch

    @cached_property
    def _secret(self) -> Secret:
        return Key.read(self.key).secret(PURPOSE)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("inner", "column", "key")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def with_ids(source: Source, ids: str, column: str, key: str) -> Source:
    """The source as `--ids` asks for it."""
    if ids != "keyed":
        return source
    if not column:
        raise RunError("--ids keyed: the notes have no ids; say which column has them (--id)")
    if not key:
        raise RunError("--ids keyed needs --key: make a key with: elision key new FILE")
    return KeyedIds(source, column, key)
