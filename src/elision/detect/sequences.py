"""Known words that stand together: `J. Roe`, `Roe, Jane`, `de la Cruz`, `Elm Street 12`.

A run begins at a word that names and takes in what goes with it on both sides. The order does not matter, so
reorderings need no list. Each unit of a note is looked at a few times at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from elision.detect.index import ANY_STREET, Hit, Index, initials_of
from elision.detect.lists import ABBREVIATIONS, COMMON, PARTICLES, STREET_ENDINGS, STREETS, TITLES, keys_of
from elision.detect.words import CAPITALS, MOST_CAPITALS, NUMBER, Ranges, Units

_NAME_GAP = re.compile(r" {0,2}|[ \t]{0,2}(?:[.,'’·-]{1,2}|\r?\n)[ \t]{0,3}")  # more blanks stand between columns
_INITIAL_GAP = re.compile(r" ?(?:[.,-]{1,2} ?)?")
_PLACE_GAP = re.compile(r"[ \t]{0,3}(?:[.,/#()ºª°-]{0,3}|\r?\n)[ \t]{0,3}")
_TITLE_GAP = re.compile(r"[.:]?[ \t]{0,2}")
_ENDS = re.compile(r"[ \t]{0,2}(?:[,.;:()\[\]\n\r/]|$)")
MOST_PARTICLES = 4
SHORT = 2  # letters of a name that counts alone if nothing speaks against it
_NO_SHORT = keys_of("short_words") | ABBREVIATIONS | COMMON | PARTICLES
_BESIDE_SHORT = keys_of("beside_short")
_VALUE_GAP = re.compile(r"[ :=<>~+-]{0,3}")


class Found(NamedTuple):
    """A find in folded offsets; `kind` is the number of the value's kind."""

    start: int
    end: int
    kind: int
    score: float


@dataclass(slots=True)
class _Run:
    first: int
    last: int
    people: bool
    cores: list[tuple[int, Hit]] = field(default_factory=list)
    sides: int = 0
    particles: int = 0  # before its first word
    dot: bool = False  # ends with an initial, whose dot belongs to it
    kinds: set[int] = field(default_factory=set)  # that all its words share

    def take(self, at: int, hit: Hit) -> None:
        self.last, self.dot = at, False
        self.cores.append((at, hit))
        self.kinds = self.kinds & hit.word.kinds if len(self.cores) > 1 else set(hit.word.kinds)

    def goes_on(self, hit: Hit, gap: str) -> bool:
        """Whether a word belongs to the same value: "Jane Roe, Bob Roe" are two people, and so are "Roe, Bob" if no
        value that has the one has the other's initial."""
        if "," in gap and any(hit.key == other.key for _, other in self.cores[-MOST_PARTICLES:]):
            return False
        if "," in gap and self.people and not initials_of(hit.key) & self.cores[-1][1].word.beside:
            return False
        return bool(self.kinds & hit.word.kinds)


def runs(units: Units, index: Index, within: Ranges | None = None, *, places: bool = False) -> Iterator[Found]:
    """All runs of a note, or of some ranges of it, that are certain enough; `places` for addresses, else names."""
    floor = 0
    for at in index.beginnings(units, within):
        # A misspelt word in small letters counts only beside another, which finds it.
        hit = index.look(units.keys[at], slips=not units.texts[at].islower())
        if hit is None or at < floor:
            continue
        run = _Run(at, at, people=not places)
        run.take(at, hit)
        _to_the_left(units, index, run, floor, places)
        _to_the_right(units, index, run, places)
        score = (_place_score if places else _name_score)(units, run)
        if score:
            end = units.ends[run.last]
            yield Found(
                units.starts[run.first], end + (run.dot and units.text[end : end + 1] == "."), min(run.kinds), score
            )
        floor = run.last + 1


def _to_the_right(units: Units, index: Index, run: _Run, places: bool) -> None:
    gaps = _PLACE_GAP if places else _NAME_GAP
    while (at := run.last + 1) < len(units) and gaps.fullmatch(units.gap(run.last)):
        nearest = run.cores[-1][1]
        listed = run.sides > 0 and "," in units.gap(run.last)  # "J. Roe, J. Roe" are two
        if not places and not listed and _is_initial(units, at, nearest, right=True):
            run.last, run.sides, run.dot = at, run.sides + 1, len(units.texts[at]) == 1
        elif hit := index.look(units.keys[at]):
            if not run.goes_on(hit, units.gap(run.last)):
                return
            run.take(at, hit)
        elif places and _goes_beside(units.keys[at], nearest):
            run.last, run.sides = at, run.sides + 1
        elif (upto := _over_particles(units, index, at, nearest, gaps)) is not None:
            if (hit := index.look(units.keys[upto])) is None:
                run.last, run.dot = upto, False
            elif run.goes_on(hit, units.gap(at - 1)):
                run.take(upto, hit)
            else:
                return
        else:
            return


def _over_particles(units: Units, index: Index, at: int, nearest: Hit, gaps: re.Pattern[str]) -> int | None:
    """Where particles lead that begin here: to a known word behind them, or, as in "Berg, J. van der", to their end."""
    passed: list[str] = []
    for upto in range(at, min(at + MOST_PARTICLES + 1, len(units))):
        key = units.keys[upto]
        if upto > at and not gaps.fullmatch(units.gap(upto - 1)):
            break
        if passed and (hit := index.look(key)) is not None:
            return upto if tuple(passed) in hit.word.before else None
        if key not in index.particles:
            break
        passed.append(key)
        behind = units.gap(upto) if upto + 1 < len(units) else units.text[units.ends[upto] :][:4]
        if tuple(passed) in nearest.word.before and units.gap(at - 1).strip() in (",", ".") and _ENDS.match(behind):
            return upto
    return None


def _to_the_left(units: Units, index: Index, run: _Run, floor: int, places: bool) -> None:
    nearest = run.cores[0][1]
    gaps = _PLACE_GAP if places else _NAME_GAP
    for size in range(min(MOST_PARTICLES, run.first - floor) if nearest.word.before else 0, 0, -1):
        here = run.first - size
        if tuple(units.keys[here : run.first]) in nearest.word.before and all(
            gaps.fullmatch(units.gap(i)) for i in range(here, run.first)
        ):
            run.first, run.particles = here, size
            break
    while (at := run.first - 1) >= floor:
        hit = index.look(units.keys[at]) if units.texts[at].islower() and gaps.fullmatch(units.gap(at)) else None
        if hit is not None and run.goes_on(hit, units.gap(at)):
            run.first = at
            run.cores.insert(0, (at, hit))
            run.kinds &= hit.word.kinds
            continue
        fits = (
            _goes_beside(units.keys[at], nearest) and _PLACE_GAP.fullmatch(units.gap(at))
            if places
            else _is_initial(units, at, nearest, right=False)
        )
        if not fits:
            return
        run.first, run.sides = at, run.sides + 1


def _goes_beside(key: str, nearest: Hit) -> bool:
    beside = nearest.word.beside
    return key in beside or (ANY_STREET in beside and key in STREETS)


def _is_initial(units: Units, at: int, nearest: Hit, *, right: bool) -> bool:
    """Whether a unit is one initial of the name, or several in one word, joined to it as initials are."""
    text, key = units.texts[at], units.keys[at]
    if text[0].islower():
        return False
    several = 1 < len(text) <= MOST_CAPITALS and text.isupper() and nearest.word.beside.issuperset(key)
    if not several and key not in nearest.word.beside:
        return False
    gap = units.gap(at - 1 if right else at)
    if not _INITIAL_GAP.fullmatch(gap):
        return False
    if right and "." in gap and units.text[units.ends[at] : units.ends[at] + 1] != ".":
        return False  # a new sentence: "seen by Roe. A week later"
    return not right or _initials_behind(units, at, nearest)  # "Roe, M.D.", "Roe  D.O.B."


def _initials_behind(units: Units, at: int, nearest: Hit) -> bool:
    """Whether the letters with dots that follow this one are initials of the name: if not, it is an abbreviation."""
    last = min(at + MOST_PARTICLES, len(units) - 1)
    while at < last and units.gap(at) == "." and len(units.texts[at + 1]) == 1:
        at += 1
        if units.text[units.ends[at] : units.ends[at] + 1] == "." and units.keys[at] not in nearest.word.beside:
            return False
    return True


def _name_score(units: Units, run: _Run) -> float:
    """How certain a run is a name; 0.0 if it is too common a word for what stands beside it."""
    capital = not any(units.texts[at].islower() for at, _ in run.cores)
    exact = any(hit.exact for _, hit in run.cores)
    sure = min(hit.sure for _, hit in run.cores)
    if any(hit.key != run.cores[0][1].key for _, hit in run.cores):
        known = capital or any(hit.word.alone for _, hit in run.cores)
        return round(sure, 3) if known and (exact or capital) else 0.0
    alone = any(hit.word.alone and _fits_alone(units.texts[at], hit) for at, hit in run.cores)
    if (run.sides or run.particles > 1) and (capital or alone):
        return round((0.95 if capital else 0.8) * sure, 3)
    if alone:
        return round((0.9 if capital else 0.75) * sure, 3)
    if capital and run.first and _titled(units, run.first):
        return round(0.8 * sure, 3)
    return 0.7 if capital and exact and _short_name(units, run.first) else 0.0


def _short_name(units: Units, at: int) -> bool:
    """Whether a known word of two letters is a name where it stands alone: NG, and not NG tube, or 40 HU."""
    if len(units.keys[at]) != SHORT or units.keys[at] in _NO_SHORT:
        return False
    for other, first in ((at - 1, at - 1), (at + 1, at)):
        if not 0 <= other < len(units):
            continue
        gap = units.gap(first)
        if gap.strip() == "/" or (gap in (" ", "-") and units.keys[other] in _BESIDE_SHORT):
            return False
        if units.kinds[other] == NUMBER and _VALUE_GAP.fullmatch(gap):
            return False
    return True


def _fits_alone(text: str, hit: Hit) -> bool:
    """A word in small letters is a name of its own if it is spelt right and not short."""
    return not text.islower() or (hit.exact and len(text) > 3)


def _titled(units: Units, first: int) -> bool:
    return units.keys[first - 1] in TITLES and _TITLE_GAP.fullmatch(units.gap(first - 1)) is not None


def _place_score(units: Units, run: _Run) -> float:
    capital = any(not units.texts[at].islower() for at, _ in run.cores)
    sure = min(hit.sure for _, hit in run.cores)
    if len({hit.key for _, hit in run.cores}) > 1 and (capital or run.sides):
        return round(0.9 * sure, 3)
    if run.sides and (capital or run.sides > 1):
        return round(0.9 * sure, 3)
    alone = any(hit.word.alone for _, hit in run.cores)
    long = any(hit.key.endswith(STREET_ENDINGS) for _, hit in run.cores)
    return round(0.75 * sure, 3) if alone and (capital or long) else 0.0


def dotted_initials(units: Units, dotted: dict[str, int]) -> Iterator[Found]:
    """Initials that stand alone, with their dots: J.R., J. R."""
    if not dotted:
        return
    letters = [at for at in units.of_kind(CAPITALS) if _is_dotted(units, at)]
    first = 0
    for upto, at in enumerate(letters, 1):
        if upto < len(letters) and letters[upto] == at + 1 and units.gap(at) in (".", ". "):
            continue
        form = "".join(units.keys[letters[first] : at + 1])
        if upto - first > 1 and form in dotted:
            yield Found(units.starts[letters[first]], units.ends[at] + 1, dotted[form], 0.6)
        first = upto


def _is_dotted(units: Units, at: int) -> bool:
    """Whether a unit is a letter with a dot behind it."""
    end = units.ends[at]
    return end - units.starts[at] == 1 and units.text[end : end + 1] == "."
