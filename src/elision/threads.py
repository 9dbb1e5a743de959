"""How many threads multiply matrices: one, where a program has threads or processes of its own that would wait.

Libraries look at these names once, when they are loaded. What somebody has set already stays.
"""

from __future__ import annotations

import os

NAMES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def multiply_in_one() -> None:
    """Multiply in one thread from now on. It helps only before numpy is loaded."""
    os.environ.update({name: os.environ.get(name) or "1" for name in NAMES})
