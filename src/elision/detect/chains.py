"""Where in a note known words need to be looked for, if some of it is covered already.

Memory asks for what no span covers as a whole. Units stand in one chain as long as each is covered or could be part
of a find: no find reaches beyond its chain, and a chain that is covered from end to end has nothing to tell.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from elision.detect.index import Index
from elision.detect.units import Ranges, Units

_COVERED, _TOUCHED, _CLEAR = 0, 1, 2  # touched: not covered, and perhaps part of a find


def open_units(units: Units, stretches: Sequence[tuple[int, int]]) -> Ranges:
    """The ranges of units that lie in none of these stretches of the original text, which are disjoint and ascend.

    Empty ranges are seams, where one stretch follows another: a find may lie in both. A letter whose dot is not in the
    stretch is open, too, since the dot belongs to an initial.
    """
    found: Ranges = []
    after = 0
    for start, end in stretches:
        start, end = units.view.within(start, end)
        first = bisect_left(units.starts, start, after)
        upto = bisect_right(units.ends, end, first)
        if upto > first and units.ends[upto - 1] == end and units.text[end : end + 1] == ".":
            upto -= len(units.texts[upto - 1]) == 1
        if upto > first:
            if first:
                found.append((after, first))
            after = upto
    if after < len(units):
        found.append((after, len(units)))
    return found


def chains(units: Units, index: Index, unseen: Ranges) -> Ranges:
    """The chains in which a find may stand that reaches into the open units and over the seams `unseen`."""
    keys, texts, parts = units.keys, units.texts, index.parts
    state = bytearray(len(units))
    touched: list[int] = []
    for first, after in unseen:
        if first == after:
            if all(index.touches(keys[at], texts[at]) or index.look(keys[at]) for at in (first - 1, first)):
                touched.append(first)
            continue
        state[first:after] = b"%c" % _CLEAR * (after - first)
        here = zip(range(first, after), keys[first:after], texts[first:after], strict=True)
        touched += [at for at, key, text in here if key in parts or (not text.islower() and index.touches(key, text))]
    for at in touched:
        state[at] = _TOUCHED
    # A misspelt word in small letters counts only beside another.
    beside = [at for first, after in unseen for at in (first, after - 1)]
    beside += [near for at in touched for near in (at - 1, at + 1)]
    while beside:
        at = beside.pop()
        if 0 <= at < len(state) and state[at] == _CLEAR and texts[at].islower() and index.look(keys[at]):
            state[at] = _TOUCHED
            touched.append(at)
            beside += at - 1, at + 1
    found: Ranges = []
    for at in sorted(touched):
        if found and at < found[-1][1]:
            continue
        first = state.rfind(_CLEAR, 0, at) + 1
        after = state.find(_CLEAR, at)
        found.append((first, len(state) if after < 0 else after))
    return found
