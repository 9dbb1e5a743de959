from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Shorts = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.uint64]
Any_ = npt.NDArray[Any]

def decode(
    scores: Floats,
    bounds: Ints,
    step: Floats,
    step_t: Floats,
    before: Shorts,
    tags: Bytes,
    share: Floats,
    posteriors: Floats,
    labels: int,
    width: int,
    outside: int,
    dial: float,
    /,
) -> None: ...
def viterbi(scores: Floats, bounds: Ints, add: Floats, tags: Bytes, labels: int, width: int, /) -> None: ...
def learn(
    rows: Ints,
    gold: Shorts,
    bounds: Ints,
    w: Floats,
    z: Floats,
    r: Floats,
    tw: Floats,
    tz: Floats,
    tr: Floats,
    allowed: Floats,
    slots: int,
    labels: int,
    width: int,
    loss: int,
    drop: int,
    seed: int,
    skip: float,
    rate: float,
    beta: float,
    l1: float,
    l2: float,
    turn_rate: float,
    turn_l2: float,
    turn_beta: float,
    /,
) -> float: ...
def emit(
    types: Ints,
    columns: Ints,
    places: Ints,
    tables: Floats,
    offsets: Ints,
    direct: Ints,
    dense: Floats,
    joint: Ints,
    slots: Ints,
    keys: Keys,
    begins: Ints,
    names: Bytes,
    weights: Floats,
    out: Floats,
    attributes: int,
    place_attributes: int,
    labels: int,
    width: int,
    /,
) -> None: ...
def fill(
    columns: Ints,
    alone: Ints,
    begins: Ints,
    names: Bytes,
    weights: Floats,
    tables: Floats,
    attributes: int,
    offsets: int,
    width: int,
    /,
) -> None: ...
def index_keys(keys: Keys, slots: Ints, /) -> None: ...
def number(codes: npt.NDArray[np.uint32], starts: Ints, ends: Ints, kinds: Ints, firsts: Ints, /) -> int: ...
