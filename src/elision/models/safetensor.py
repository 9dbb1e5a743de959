"""Arrays as safetensors: a header of JSON and the plain numbers after it. Nothing in it can be executed.

Written here, as the `safetensors` library does not promise the same bytes from version to version and wants all of it
in memory twice; read by the library, which is the one to trust with a header from elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import safetensors

from elision.errors import ModelError, shown

Arrays = Mapping[str, npt.NDArray[Any]]
_CODES = "F64 <f8, F32 <f4, F16 <f2, I64 <i8, I32 <i4, I16 <i2, I8 i1, U64 <u8, U32 <u4, U16 <u2, U8 u1, BOOL ?"
DTYPES = {name: np.dtype(code) for name, code in (pair.split() for pair in _CODES.split(","))}
_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_RESERVED = "__metadata__"  # a name with a meaning of its own in safetensors
_deserialize: Callable[[bytes], list[tuple[str, dict[str, Any]]]] = safetensors.deserialize  # comes without types


def check(arrays: Arrays, where: str) -> None:
    """Refuse what would not come back as it went in."""
    for name, array in arrays.items():
        if not isinstance(name, str) or name == _RESERVED or not is_whole(name):
            raise ModelError(
                f"{where}: the name of an array{shown(name)} must be a whole string other than {_RESERVED}"
            )
        what = f"{where}: array{shown(name)}"
        if type(array) not in (np.ndarray, np.memmap):
            raise ModelError(f"{what} is a {type(array).__name__}; give a plain numpy array")
        if _little(array.dtype) not in _NAMES or array.dtype.byteorder == ">":
            raise ModelError(
                f"{what} holds {array.dtype.str}; a model holds little-endian float16 to 64, integers of 8 to 64 bits "
                "and bool: convert it (astype)"
            )
        if not array.flags.c_contiguous:
            raise ModelError(f"{what} is not C-contiguous; give np.ascontiguousarray of it")


def pieces(arrays: Arrays) -> Iterator[bytes | memoryview]:
    """The bytes of the file, without a copy of the numbers; the same for the same arrays on every machine."""
    header: dict[str, dict[str, Any]] = {}
    at = 0
    order = sorted(arrays.items(), key=lambda item: (-item[1].itemsize, item[0]))  # so that each lies aligned
    for name, array in order:
        end = at + array.nbytes
        header[name] = {"dtype": _NAMES[_little(array.dtype)], "shape": list(array.shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little") + text
    for _, array in order:
        yield array.astype(_little(array.dtype), copy=False).reshape(-1).view(np.uint8).data


def unpack(data: bytes, where: str) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file, each copied once out of it, read-only, so that threads can share them."""
    try:
        found = _deserialize(data)
    except safetensors.SafetensorError:
        raise ModelError(f"{where}: not valid safetensors; get the model again from where it was trained") from None
    return {name: _array(tensor, f"{where}: array{shown(name)}") for name, tensor in found}


def _array(tensor: Mapping[str, Any], what: str) -> npt.NDArray[Any]:
    dtype = DTYPES.get(tensor["dtype"])
    if dtype is None:
        raise ModelError(f"{what} holds numbers of a kind{shown(tensor['dtype'])} that no model of elision has")
    numbers = np.frombuffer(tensor["data"], dtype)
    if dtype == np.bool_ and numbers.view(np.uint8).max(initial=0) > 1:
        raise ModelError(f"{what} holds truth values that are neither 0 nor 1")
    try:
        array = numbers.reshape(tensor["shape"])
    except ValueError:  # more dimensions than numpy has, or no numbers in a shape too large to count
        raise ModelError(f"{what} has a shape that numpy cannot hold") from None
    array = array.astype(dtype.newbyteorder("="), copy=False)  # a copy on big-endian machines only
    array.flags.writeable = False
    return array


def _little(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype.newbyteorder("<")


def is_whole(text: str) -> bool:
    """Whether a string is one that UTF-8 can write: no half of a character in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
