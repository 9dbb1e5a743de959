"""The loops over characters and tokens: compiled where they were built, in Python where not. Both give the same.

ELISION_KERNELS=numpy in the environment takes Python in any case.
"""

from __future__ import annotations

import os

try:
    if os.environ.get("ELISION_KERNELS") == "numpy":
        raise ImportError("numpy is asked for")
    from elision._loops import chunk_places, colons, cores, cut, elsewhere, keyed, lay
except ImportError:
    from elision.loops_plain import chunk_places, colons, cores, cut, elsewhere, keyed, lay

    COMPILED = False
else:
    COMPILED = True

from elision.loops_plain import FIRST

__all__ = ["COMPILED", "FIRST", "chunk_places", "colons", "cores", "cut", "elsewhere", "keyed", "lay"]
