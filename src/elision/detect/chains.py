"""Where in a note known words need to be looked for, if some of it is covered already.

Memory asks for what no span covers as a whole. Units stand in one chain as long as each is covered or could be part
of a find: no find reaches beyond its chain, and a chain that is covered from end to end has nothing to tell.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import compress

from elision.detect.index import Index
from elision.detect.words import CAPITALS, SMALL, Ranges, Units, with_capitals

_COVERED, _TOUCHED, _CLEAR = 0, 1, 2  # touched: not covered, and perhaps part of a find
_STATES = bytes(kind and _CLEAR for kind in range(256))  # of open units by their kinds, 0 of others


def open_units(units: Units, stretches: Sequence[tuple[int, int]]) -> Ranges:
    """The ranges of units that lie in none of these stretches of the original text, which are disjoint and ascend.

    Empty ranges are seams, where one stretch follows another: a find may lie in both. A letter whose dot is not in the
    stretch is open, too, since the dot belongs to an initial.
    """
    found: Ranges = []
    after = 0
    for start, end in units.view.within(stretches):
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
    keys, kinds, size, parts = units.keys, units.kinds, len(units), index.parts
    bare = bytearray(size)  # the kinds of the open units
    for first, after in unseen:
        bare[first:after] = kinds[first:after]
    seams = [first for first, after in unseen if first == after]
    capitals = with_capitals(bare)
    asked = {*compress(keys, capitals), *(keys[at] for seam in seams for at in (seam - 1, seam))}
    meant = index.meant(asked - parts)
    short = {at for at in units.of_kind(CAPITALS) if keys[at] not in parts and parts.issuperset(keys[at])}
    touched = [at for at in compress(range(size), map(parts.__contains__, keys)) if bare[at]]
    touched += [at for at in compress(range(size), capitals) if keys[at] in meant or at in short]
    telling = {at for seam in seams for at in (seam - 1, seam) if at in short or keys[at] in parts or keys[at] in meant}
    touched += [at for at in seams if at - 1 in telling and at in telling]
    state = bare.translate(_STATES)
    for at in touched:
        state[at] = _TOUCHED
    # A misspelt word in small letters counts only beside another.
    beside = {at for first, after in unseen for at in (first, after - 1)}
    beside.update(near for at in touched for near in (at - 1, at + 1))
    while beside:
        clear = [at for at in beside if 0 <= at < size and state[at] == _CLEAR and kinds[at] == SMALL]
        meant = index.meant({keys[at] for at in clear})
        nearer = [at for at in clear if keys[at] in meant]
        for at in nearer:
            state[at] = _TOUCHED
        touched += nearer
        beside = {near for at in nearer for near in (at - 1, at + 1)}
    found: Ranges = []
    for at in sorted(touched):
        if found and at < found[-1][1]:
            continue
        first = state.rfind(_CLEAR, 0, at) + 1
        after = state.find(_CLEAR, at)
        found.append((first, len(state) if after < 0 else after))
    return found
