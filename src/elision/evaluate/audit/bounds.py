"""Bounds that hold for draws without replacement, and for notes that do not all count alike.

Two bounds beside that of Clopper and Pearson (`elision.evaluate.bounds`):

- `most_in`, `fewest_in`: the same for notes drawn without replacement (the hypergeometric law), exact.
- `mean_above`, `mean_below`: for a mean of values between 0 and 1 of whatever law (Hoeffding 1963, theorems 1 and 4).
  The values need not be alike, so they may carry weights. Drawing without replacement makes the bound no less true.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf, lgamma, log, log1p

from elision.errors import ScoreError

ROUNDING = 1e-9  # a chance that is the doubt but for rounding counts as possible


def most_in(count: int, read: int, notes: int, confidence: float = 0.95) -> int:
    """At most so many of all `notes` leak, if `count` of those that were `read` do: a one-sided bound."""
    check_counts(count, read, notes)
    doubt = (1 - confidence) * (1 - ROUNDING)
    few, many = count, notes - (read - count)
    while few < many:
        middle = (few + many + 1) // 2
        if _at_most_seen(count, read, middle, notes) > doubt:
            few = middle
        else:
            many = middle - 1
    return few


def fewest_in(count: int, read: int, notes: int, confidence: float = 0.95) -> int:
    """At least so many of all `notes` leak: a one-sided bound."""
    return notes - most_in(read - count, read, notes, confidence)


def _at_most_seen(count: int, read: int, leaking: int, notes: int) -> float:
    """How likely at most `count` of those `read` leak, if `leaking` of all `notes` do."""
    fewest = max(0, read - (notes - leaking))
    whole = _choices(notes, read)
    return sum(
        exp(_choices(leaking, some) + _choices(notes - leaking, read - some) - whole)
        for some in range(fewest, min(count, leaking, read) + 1)
    )


def _choices(of: int, some: int) -> float:
    """The logarithm of the number of ways to choose `some` of so many."""
    return lgamma(of + 1) - lgamma(some + 1) - lgamma(of - some + 1)


def mean_above(mean: float, values: int, doubt: float) -> float:
    """The greatest true mean for which a mean of `values` as small as this one is not less likely than `doubt`."""
    return 1.0 if not values else _edge(lambda true: _surprise(mean, true) * values < -log(doubt), mean, 1.0)


def mean_below(mean: float, values: int, doubt: float) -> float:
    """The least such mean."""
    return 0.0 if not values else _edge(lambda true: _surprise(mean, true) * values < -log(doubt), mean, 0.0)


def highest_mean(true: float, values: int, doubt: float) -> float:
    """The greatest mean seen that still speaks against a true one this large; -1 if none does."""
    if true >= 1:
        return 1.0
    if -log1p(-true) * values < -log(doubt):
        return -1.0
    return _edge(lambda seen: _surprise(seen, true) * values >= -log(doubt), 0.0, true)


def unlikely(seen: float, true: float, values: int, doubt: float) -> bool:
    """Whether a mean above this one is less likely than `doubt`, if the true one is so."""
    return seen >= true and _surprise(seen, true) * values >= -log(doubt)


def _surprise(seen: float, true: float) -> float:
    """The Kullback–Leibler divergence between yes-or-no with these means."""
    if not 0 < true < 1:
        return 0.0 if seen == true else inf
    some = seen * log(seen / true) if seen > 0 else 0.0
    none = (1 - seen) * (log1p(-seen) - log1p(-true)) if seen < 1 else 0.0
    return max(0.0, some + none)


def _edge(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """The last place at which a condition holds on the way from where it does, down to neighbouring floats."""
    if holds(outside):
        return outside
    while (middle := (inside + outside) / 2) not in (inside, outside):
        if holds(middle):
            inside = middle
        else:
            outside = middle
    return outside


def check_counts(count: int, read: int, notes: int) -> None:
    if not 0 <= count <= read <= notes:
        raise ScoreError(f"{count} of {read} of {notes} cannot be; each number is at most the next one")
