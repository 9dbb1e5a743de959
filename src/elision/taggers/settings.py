"""What settings of all kinds share: values of the types that are declared, and presets with something else set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from math import isfinite
from numbers import Integral, Real
from typing import Any, TypeVar, get_type_hints

from elision.errors import ModelError
from elision.taggers.base import Recipe
from elision.taggers.cutters import words_of

Chosen = TypeVar("Chosen", bound=Recipe)


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


def settings_with(settings: Chosen, resources: Mapping[str, Any], more: Mapping[str, Any]) -> Chosen:
    """Settings of any kind with what a preset brings and, above that, whatever else a caller wants to set.

    `words` is no setting but a switch: the texts are cut by the segmenter of the language.
    """
    more = dict(more)
    words = more.pop("words", False)
    if unknown := sorted(set(more) - {each.name for each in fields(settings)}):
        raise ModelError(f"there is no setting {', '.join(unknown)}; see `Settings` for what there is")
    if words and "cut" in more:
        raise ModelError("words and cut: both say how texts are cut; give one of them")
    if words:
        more["cut"] = words_of(more.get("language", settings.language))
    return replace(settings, **{**resources, **more})
