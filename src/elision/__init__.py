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
    from elision.detect.recognisers import Recogniser
    from elision.keys import Key
    from elision.pipeline import Cleaned, Deidentifier
    from elision.sealing import sealed
    from elision.texts import Redacted, deidentify, detect, redact, restore

__version__ = "0.1.0"
__all__ = [
    "Cleaned",
    "Deidentifier",
    "Document",
    "ElisionError",
    "Key",
    "Recogniser",
    "Redacted",
    "Span",
    "__version__",
    "covered",
    "deidentify",
    "detect",
    "merge",
    "redact",
    "restore",
    "rewrite",
    "sealed",
]
_LATER = {
    "Cleaned": "elision.pipeline",
    "Deidentifier": "elision.pipeline",
    "Key": "elision.keys",
    "Recogniser": "elision.detect.recognisers",
    "Redacted": "elision.texts",
    "deidentify": "elision.texts",
    "redact": "elision.texts",
    "restore": "elision.texts",
    "sealed": "elision.sealing",
}


def __getattr__(name: str) -> Any:
    """What takes longer to import is imported when it is first asked for."""
    if name == "detect":
        return import_module("elision.detect")  # a package that is a function, too
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'elision' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
