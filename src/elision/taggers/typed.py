"""Settings whose values are what they are declared to be."""

from __future__ import annotations

from math import isfinite
from numbers import Integral, Real
from typing import Any, get_type_hints

from elision.errors import ModelError


def typed(settings: Any) -> None:
    """Make the fields of a frozen dataclass what they are declared to be, or say which one cannot be."""
    for name, hint in get_type_hints(type(settings)).items():
        if hint in (str, int, float, bool):
            object.__setattr__(settings, name, _value(name, getattr(settings, name), hint))


def _value(name: str, value: object, hint: type) -> Any:
    if hint is bool and isinstance(value, bool):
        return value
    if hint is str and isinstance(value, str):
        return value
    if hint is int and type(value) is not bool and isinstance(value, Integral):
        return int(value)
    if hint is float and type(value) is not bool and isinstance(value, Real) and isfinite(value):
        return float(value)
    wanted = {bool: "true or false", str: "a string", int: "a whole number", float: "a finite number"}[hint]
    raise ModelError(f"{name}: must be {wanted}, not of type {type(value).__name__}")
