"""elision: clinical notes without the people in them.

Public names only; everything else is in the modules.
"""

from __future__ import annotations

from elision.document import Document, Span, covered
from elision.errors import ElisionError
from elision.merge import merge
from elision.rewrite import rewrite

__version__ = "0.1.0"
__all__ = ["Document", "ElisionError", "Span", "__version__", "covered", "merge", "rewrite"]
