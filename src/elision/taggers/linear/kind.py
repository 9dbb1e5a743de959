"""Linear taggers as a kind of models; see `elision.taggers.store`."""

from elision.taggers.linear.loading import load
from elision.taggers.linear.training import fit

__all__ = ["fit", "load"]
