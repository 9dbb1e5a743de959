"""The loops of the linear taggers: compiled where they were built, numpy where not. Both give the same tags.

As with `elision.text.native`, ELISION_KERNELS=numpy in the environment takes numpy in any case.
"""

from __future__ import annotations

from elision.text.native import PLAIN

try:
    if PLAIN:
        raise ImportError("numpy is asked for")
    from elision.taggers._kernels import decode, emit, fill, index_keys, learn, number, viterbi
except ImportError:
    from elision.taggers.reference import decode, emit, fill, index_keys, learn, number, viterbi

    COMPILED = False
else:
    COMPILED = True

CHAIN, SOFTMAX, HINGE = range(3)  # what `learn` minimises

__all__ = [
    "CHAIN",
    "COMPILED",
    "HINGE",
    "SOFTMAX",
    "decode",
    "emit",
    "fill",
    "index_keys",
    "learn",
    "number",
    "viterbi",
]
