"""Plain values: what JSON gives back as it got it. More is neither written into a model nor read from one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NoReturn

from elision.errors import ModelError, shown

DEPTH = 50  # how deep values may be nested
LEAST, MOST = -(1 << 63), (1 << 64) - 1  # what a machine's integers hold; longer ones are slow to read


def value(given: object, where: str, depth: int = 0) -> Any:
    """The value with lists for tuples and keys in order, so that equal values are written alike."""
    if depth > DEPTH:
        raise ModelError(f"{where}: nested more than {DEPTH} deep")
    if isinstance(given, str):
        return _whole(given, where)
    if given is None or (
        LEAST <= given <= MOST if isinstance(given, int) else isinstance(given, float) and isfinite(given)
    ):
        return given
    if isinstance(given, Mapping):
        keys = sorted(_whole(key, f"{where}: a key") for key in given)
        return {key: value(given[key], where + shown(key, ".{}"), depth + 1) for key in keys}
    if isinstance(given, list | tuple):
        return [value(item, f"{where}[{n}]", depth + 1) for n, item in enumerate(given)]
    if isinstance(given, int | float):
        raise ModelError(f"{where}: not a number that JSON can hold (NaN, infinite, or more than 64 bits)")
    raise ModelError(f"{where}: JSON has no {type(given).__name__}; give a string, a number, a list or a dict")


def check_lists(lists: object, where: str) -> None:
    """Refuse what is not named lists of strings."""
    if not isinstance(lists, Mapping):
        raise ModelError(f"{where}: must be an object with named lists of strings")
    for name, strings in lists.items():
        what = f"{where}{shown(_whole(name, f'{where}: a name'), '.{}')}"
        if isinstance(strings, str) or not isinstance(strings, Sequence):
            raise ModelError(f"{what}: must be a list of strings")
        try:
            "".join(strings).encode()  # all at once, as there may be very many
        except (TypeError, UnicodeEncodeError):
            for n, string in enumerate(strings):
                _whole(string, f"{what}[{n}]")


def _whole(given: object, where: str) -> str:
    if not isinstance(given, str):
        raise ModelError(f"{where}: must be a string, not {type(given).__name__}")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise ModelError(f"{where}: half a character (a lone surrogate) cannot be stored") from None
    return given


def dump(plain: object, indent: int | None = None) -> bytes:
    separators = (",", ": ") if indent else (",", ":")
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators).encode() + b"\n"


def parse(data: bytes, where: str) -> Any:
    """JSON, or an error that says where it breaks off without showing it."""
    try:
        return json.loads(data.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise ModelError(f"{where}: not valid JSON: byte {error.start:,} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ModelError(f"{where}: not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ModelError(f"{where}: JSON nested too deeply") from None
    except ValueError:
        raise ModelError(f"{where}: not valid JSON: NaN, Infinity or a number of thousands of digits") from None


def _no_constant(_: str) -> NoReturn:
    raise ValueError
