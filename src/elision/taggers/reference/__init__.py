"""The loops of the linear engine in numpy: what the compiled ones must do, and what runs where they were not built.

Each function has the signature of its twin in `_kernels.c` and writes into the same arrays. Sums are taken in the same
order and in single precision, so both give the same bits wherever scores are numbers.
"""

from elision.taggers.reference.decoding import decode, viterbi
from elision.taggers.reference.features import emit, fill, index_keys, number
from elision.taggers.reference.learning import learn

__all__ = ["decode", "emit", "fill", "index_keys", "learn", "number", "viterbi"]
