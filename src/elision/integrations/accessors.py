"""`frame.elision.deidentify(deidentifier, text="note")`, for frames of pandas and Polars: import this module once.

What it takes and gives is what `deidentify_frame` does. A library that is not installed is left alone.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from elision.errors import MissingExtraError
from elision.integrations.frames import deidentify_frame

if TYPE_CHECKING:
    from elision.pipeline import Deidentifier

NAME = "elision"
_REGISTERS = {"pandas": "pandas.api.extensions:register_dataframe_accessor",
              "polars": "polars.api:register_dataframe_namespace"}  # fmt: skip


class Accessor:
    """What elision does with a frame."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def deidentify(self, deidentifier: Deidentifier, **said: Any) -> Any:
        """A frame of the same kind: id, cleaned texts, columns to keep or change. See `deidentify_frame`."""
        return deidentify_frame(self._frame, deidentifier, **said)


def _register() -> None:
    there = [name for name in _REGISTERS if find_spec(name)]
    if not there:
        raise MissingExtraError("frames of pandas or Polars", "frames")
    for name in there:
        module, _, function = _REGISTERS[name].partition(":")
        getattr(import_module(module), function)(NAME)(Accessor)


_register()
