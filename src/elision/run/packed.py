"""What is said of each of many keys, in little memory: read often, by every worker, of tables of any size."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice

import numpy as np
import pyarrow as pa

_AT_ONCE = 10_000
Said = Mapping[str, Sequence[str]]  # values by kind


class Packed:
    """Numbers of the keys in order, and of each its key and what it says, as JSON. A key may come often."""

    def __init__(self, pairs: Iterable[tuple[str, Said]]) -> None:
        keys, told = [], []
        rows: Iterator[tuple[str, Said]] = iter(pairs)
        while some := list(islice(rows, _AT_ONCE)):
            keys.append(pa.array([key for key, _ in some], pa.large_string()))
            told.append(pa.array([json.dumps(dict(said), ensure_ascii=False) for _, said in some], pa.large_string()))
        all_keys = pa.chunked_array(keys, pa.large_string()).combine_chunks()
        numbers = np.fromiter((_number(str(key)) for key in all_keys), np.uint64, len(all_keys))
        order = np.argsort(numbers, kind="stable")
        self._numbers, self._keys = numbers[order], all_keys.take(pa.array(order))
        self._told = pa.chunked_array(told, pa.large_string()).combine_chunks().take(pa.array(order))

    def __len__(self) -> int:
        return len(self._numbers)

    def of(self, key: str) -> dict[str, list[str]]:
        """What all rows with this key say, by kind."""
        said: dict[str, dict[str, None]] = {}
        number = _number(key)
        first = int(np.searchsorted(self._numbers, np.uint64(number))) if key else len(self)
        for row in range(first, len(self)):
            if int(self._numbers[row]) != number:
                break
            if self._keys[row].as_py() == key:
                for kind, values in json.loads(self._told[row].as_py()).items():
                    said.setdefault(kind, {}).update(dict.fromkeys(values))
        return {kind: [value for value in values if value] for kind, values in said.items()}


def _number(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
