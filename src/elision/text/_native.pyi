from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.int32]
Kinds = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

def cut(codes: Codes, table: Kinds, starts: Ints, ends: Ints, /) -> int: ...
def lay(
    codes: Codes,
    starts: Ints,
    ends: Ints,
    notes: Ints,
    note_of: Ints,
    newlines: Ints,
    line_of: Ints,
    line_starts: Ints,
    chunk_of: Ints,
    gaps: Ints,
    /,
) -> int: ...
def colons(
    codes: Codes,
    starts: Ints,
    ends: Ints,
    kinds: Kinds,
    newlines: Ints,
    line_of: Ints,
    line_starts: Ints,
    chunk_of: Ints,
    most: int,
    firsts: Ints,
    at: Ints,
    afters: Ints,
    /,
) -> int: ...
def keyed(
    firsts: Ints, at: Ints, afters: Ints, values: Ints, own: Ints, furthest: int, codes: Ints, distances: Ints, /
) -> None: ...
def elsewhere(kinds: Ints, notes: Ints, worth: Mask, keys: Ints, telling: Ints, codes: Ints, /) -> None: ...
def cores(chunk_of: Ints, wordy: Mask, firsts: Ints, lasts: Ints, core_of: Ints, /) -> int: ...
def chunk_places(chunk_of: Ints, most: int, codes: Ints, /) -> None: ...
def words(
    codes: Codes,
    starts: Ints,
    ends: Ints,
    kinds: Kinds,
    keys: Codes,
    buckets: Ints,
    costs: npt.NDArray[np.uint16],
    unknown: int,
    firsts: Ints,
    which: Ints,
    /,
) -> None: ...
def units(
    text: str, table: Kinds, words: Mapping[str, tuple[str, int]], /
) -> tuple[list[int], list[int], list[str], list[str], bytes] | None: ...
def nearest(words: list[str], known: list[str], limits: bytes, /) -> list[int]: ...
