"""The loops over characters and tokens: compiled where they were built, in Python where not. Both give the same.

ELISION_KERNELS=numpy in the environment takes Python in any case.
"""

from __future__ import annotations

import os

from elision.text.native_plain import FIRST

PLAIN = os.environ.get("ELISION_KERNELS") == "numpy"

try:
    if PLAIN:
        raise ImportError("Python is asked for")
    from elision.text._native import chunk_places, colons, cores, cut, elsewhere, keyed, lay, nearest, units, words
except ImportError:
    from elision.text.native_plain import chunk_places, colons, cores, cut, elsewhere, keyed, lay, nearest, units, words

    COMPILED = False
else:
    COMPILED = True

__all__ = [
    "COMPILED",
    "FIRST",
    "PLAIN",
    "chunk_places",
    "colons",
    "cores",
    "cut",
    "elsewhere",
    "keyed",
    "lay",
    "nearest",
    "units",
    "words",
]
