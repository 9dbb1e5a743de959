"""NAME=VALUE for any setting or option of a preset: what there is, and values of the type that each needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from functools import partial
from inspect import Parameter, signature
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from elision.errors import ModelError

LISTS = (tuple, list, Sequence, Iterable)
TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
SHOWN = 40  # characters of a value in a message
ALIKE = 0.7  # how alike a name must be to be thought meant


class Reader(NamedTuple):
    """How to read a value: what it must be, and a function that raises a ValueError where it is not."""

    needs: str
    read: Callable[[str], Any]


def of_preset(make: Callable[..., Any]) -> dict[str, Any]:
    """What can be chosen about a preset, by name, with types: options of its function and, if it takes more than these,
    all settings, and `words`."""
    parameters, hints = signature(make).parameters.values(), _hints(make)
    found = {each.name: hints.get(each.name, type(each.default)) for each in parameters if each.kind in _NAMED}
    made = hints.get("return")
    if made and any(each.kind is Parameter.VAR_KEYWORD for each in parameters):
        more = of_settings(made)
        found = {**more, **({"words": bool} if "cut" in more else {}), **found}
    return found


def of_settings(kind: Any) -> dict[str, Any]:
    """The settings of a kind of taggers, by name, with types."""
    hints = _hints(kind)
    return {each.name: hints.get(each.name, str) for each in fields(kind)} if is_dataclass(kind) else {}


def chosen(given: Iterable[str], there: Mapping[str, Any], whose: str) -> dict[str, Any]:
    """The values of NAME=VALUE, each of the type that its name has; `whose` says in an error who has these names."""
    readers = {name: reader for name, hint in there.items() if (reader := reader_of(hint))}
    values: dict[str, Any] = {}
    for each in given:
        name, equals, text = each.partition("=")
        name = name.strip().replace("-", "_")
        if not name or not equals:
            raise ModelError(f"--set {_brief(each)}: give a name and a value, such as --set seeds=2")
        if name not in readers:
            raise ModelError(f"--set {_brief(name)}: {_unknown(name, readers, there, whose)}")
        if name in values:
            raise ModelError(f"--set {name}: is given twice; give one value")
        try:
            values[name] = readers[name].read(text.strip())
        except ValueError:
            raise ModelError(f"--set {name}={_brief(text)}: {name} must be {readers[name].needs}") from None
    return values


def told(values: Mapping[str, Any], settings: Any) -> dict[str, Any]:
    """What was set, as a model's card says it: settings as they are kept, and files without where they lie."""
    kept: Mapping[str, Any] = getattr(settings, "as_json", dict)()
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, given in values.items()
        for value in [given.name if isinstance(given, Path) else kept.get(name, given)]
    }


def reader_of(hint: Any) -> Reader | None:
    """How to read a value of this type; None for what cannot stand on a command line, such as a table."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        return _either(inner)
    if kind is Literal:
        return Reader(f"one of {', '.join(map(str, inner))}", partial(_one_of, {str(each): each for each in inner}))
    if kind is None and hint in LISTS:
        inner = (str,)
    if (kind or hint) in LISTS and inner and (item := reader_of(inner[0])):
        return Reader(f"a list with commas, each {item.needs}", partial(_list, item))
    return None


def _hints(of: Any) -> dict[str, Any]:
    """The types that a function or class declares; none where one is declared by what only a type checker sees."""
    try:
        return get_type_hints(of)
    except (NameError, TypeError, AttributeError):
        return {}


def _unknown(name: str, readers: Mapping[str, Reader], there: Mapping[str, Any], whose: str) -> str:
    if name in there:
        return "is no single value or list; it can be set in Python, not on the command line"
    near = get_close_matches(name, readers, 1, ALIKE)
    meant = f" (did you mean {near[0]}?)" if near else ""
    return f"{whose} has nothing of this name{meant}; there are: {', '.join(sorted(readers))}"


def _brief(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _yes_or_no(text: str) -> bool:
    if text.lower() not in (*TRUE, *FALSE):
        raise ValueError
    return text.lower() in TRUE


def _number(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError
    return value


def _one_of(values: Mapping[str, Any], text: str) -> Any:
    if text not in values:
        raise ValueError
    return values[text]


def _list(item: Reader, text: str) -> tuple[Any, ...]:
    parts = [part.strip() for part in text.split(",")] if text else []
    if not all(parts):
        raise ValueError
    return tuple(map(item.read, parts))


def _either(kinds: Sequence[Any]) -> Reader | None:
    readers = [reader for kind in kinds if (reader := reader_of(kind))]

    def read(text: str) -> Any:
        for reader in readers:
            try:
                return reader.read(text)
            except ValueError:
                continue
        raise ValueError

    return Reader(" or ".join(reader.needs for reader in readers), read) if len(readers) == len(kinds) else None


_NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
_PLAIN: Mapping[Any, Reader] = {
    bool: Reader("true or false", _yes_or_no),
    int: Reader("a whole number", int),
    float: Reader("a number", _number),
    str: Reader("a word", str),
    Path: Reader("a file or folder", Path),
    NoneType: Reader("none", partial(_one_of, {"none": None})),
}
