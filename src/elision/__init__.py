"""elision: clinical notes without the people in them.

Public names only; everything else is in the modules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from elision.document import Document, Span, covered
from elision.errors import ElisionError
from elision.merge import merge
from elision.rewrite import rewrite

if TYPE_CHECKING:
    from elision.keys import Key
    from elision.pipeline import Deidentifier, deidentify

__version__ = "0.1.0"
__all__ = [
    "Deidentifier",
    "Document",
    "ElisionError",
    "Key",
    "Span",
    "__version__",
    "covered",
    "deidentify",
    "merge",
    "rewrite",
]
_LATER = {"Deidentifier": "elision.pipeline", "deidentify": "elision.pipeline", "Key": "elision.keys"}


def __getattr__(name: str) -> Any:
    """What takes longer to import is imported when it is first asked for."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'elision' has no attribute {name!r}")
