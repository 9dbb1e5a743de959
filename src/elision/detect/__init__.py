"""Detectors that are no models: what the record states, and what was found elsewhere in the patient's notes.

This package is a function, too: `elision.detect(text)` gives the spans of a text (`elision.texts.detect`).
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from elision.detect.base import Detector
from elision.detect.known import Finder, KnownValues
from elision.detect.memory import by_patient, recall, remember, with_memory, worth_remembering
from elision.detect.recognisers import Recogniser

__all__ = [
    "Detector",
    "Finder",
    "KnownValues",
    "Recogniser",
    "by_patient",
    "recall",
    "remember",
    "with_memory",
    "worth_remembering",
]


class _Called(ModuleType):
    """Python gives a package and a function of one name to whoever comes last; so the package is both."""

    def __call__(self, *args: Any, **said: Any) -> Any:
        return import_module("elision.texts").detect(*args, **said)


sys.modules[__name__].__class__ = _Called
