"""Every error in its place: the words around it, with what gold and the system marked there.

Characters that cannot be seen are made visible: line ends, control characters, direction marks. A note may hold
anything. Left as they are, a NUL makes a page invalid and a direction mark turns the rest of a line around, so that a
reader sees something else than stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from elision.document import Document, covered
from elision.evaluate.coverage import leaking
from elision.evaluate.errors import Mistake
from elision.evaluate.evaluation import Evaluation
from elision.evaluate.matching import Place

_NAMED = {"\n": "⏎", "\r": "␍", "\t": "⇥", "\x7f": "␡"}

# C0 and C1 controls, soft hyphen, zero-width and direction marks (joiners apart, which shape letters and emoji), line
# and paragraph separators, interlinear marks, tags, half characters, and what Unicode says is no character.
UNSEEN = re.compile(
    "[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_UNSEEN_IN_LAYOUT = re.compile(f"(?![\n\t]){UNSEEN.pattern}")


def stand_in(character: str) -> str:
    """What is shown for a character that cannot be seen."""
    code = ord(character)
    return _NAMED.get(character) or (chr(0x2400 + code) if code < 0x20 else f"⟨U+{code:04X}⟩")


def visible(text: str, *, layout: bool = False) -> str:
    """The text with a stand-in for all that cannot be seen; `layout` leaves line ends and tabs to lay it out."""
    return (_UNSEEN_IN_LAYOUT if layout else UNSEEN).sub(lambda match: stand_in(match[0]), text)


AROUND = 60  # characters shown on each side of where a span begins or ends
_BRIDGED = 20  # as few characters more are shown to come to the end of a word or to the next stretch
_EMPTY = "‸"  # stands where a span without characters is

# What a character is, as flags: in this error's gold or system span, in any of gold's, in any of the system's.
_OWN_GOLD, _OWN_SYSTEM, _GOLD, _SYSTEM = 1, 2, 4, 8


Listed = tuple[str, str, Place | None, Place | None]  # kind, shape, gold, system


class Piece(NamedTuple):
    """A stretch of an excerpt, with what it is as CSS classes and in words."""

    text: str
    classes: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One error to show.

    `kind` is that of the mistake. `touched` is a gold span that leaks without a mistake of its own, since the system
    span that touches it is counted elsewhere. `leak` says how far its gold span leaks: wholly, partly, or not ("").
    """

    kind: str
    shape: str
    gold: Place | None
    system: Place | None
    leak: str
    pieces: tuple[Piece, ...]

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(place[2] for place in (self.gold, self.system) if place))


@dataclass(frozen=True, slots=True)
class NoteErrors:
    """What is wrong in one note. `entries` may be fewer than `errors`, the number of all of them."""

    number: int  # the note's row in the evaluation: a name for links, since an id may hold anything
    id: str
    leaks: int
    missed: int  # visible characters of gold that the system leaves open
    over: int  # visible characters that it covers without need
    spurious: int
    errors: int
    entries: tuple[Entry, ...]


def worst_first(found: Evaluation, most: int) -> tuple[NoteErrors, ...]:
    """The notes with errors, those that leak most first, with at most so many errors shown in all."""
    mistakes: dict[str, list[Mistake]] = {}
    for mistake in found.errors.mistakes:
        mistakes.setdefault(mistake.document, []).append(mistake)
    cover = found.counts.coverage
    missed = (cover.characters.gold - cover.characters.found).tolist()
    leaks, over, spurious = cover.leaks.tolist(), cover.over_redacted.tolist(), found.errors.system[:, 3].tolist()

    def badness(row: int) -> tuple[int, ...]:
        id = found.counts.ids[row]
        return -leaks[row], -missed[row], -over[row], -spurious[row], -len(mistakes.get(id, ())), row

    notes = []
    for row in sorted(range(len(found.pairs)), key=badness):
        gold, system = found.pairs[row]
        open_ = leaking(gold, system) if leaks[row] else {}
        listed = _listed(mistakes.get(gold.id, []), open_)
        if listed or missed[row]:
            shown = _entries(gold, system, listed[:most], open_)
            most -= len(shown)
            notes.append(
                NoteErrors(row, gold.id, leaks[row], missed[row], over[row], spurious[row], len(listed), shown)
            )
    return tuple(notes)


def _listed(mistakes: Sequence[Mistake], open_: Mapping[Place, str]) -> list[Listed]:
    """The errors of a note in the order of its text, and what leaks without a mistake of its own."""
    told = {mistake.gold for mistake in mistakes}
    listed: list[Listed] = [(mistake.kind, mistake.shape, mistake.gold, mistake.system) for mistake in mistakes]
    listed += [("touched", "", place, None) for place in open_ if place not in told]
    return sorted(listed, key=lambda each: min(place for place in each[2:] if place))


def _entries(
    gold_note: Document,
    system_note: Document,
    listed: Sequence[Listed],
    open_: Mapping[Place, str],
) -> tuple[Entry, ...]:
    text = gold_note.text
    in_gold, in_system = _mask(gold_note, _GOLD), _mask(system_note, _SYSTEM)
    entries = []
    for kind, shape, gold, system in listed:
        pieces = tuple(excerpt(text, gold, system, in_gold, in_system))
        entries.append(Entry(kind, shape, gold, system, open_.get(gold, "") if gold else "", pieces))
    return tuple(entries)


def _mask(document: Document, flag: int) -> bytearray:
    """The flag for every character that a span of the document covers."""
    mask = bytearray(len(document.text))
    for start, end in covered(document.spans):
        mask[start:end] = bytes([flag]) * (end - start)
    return mask


def excerpt(
    text: str, gold: Place | None, system: Place | None, in_gold: Sequence[int], in_system: Sequence[int]
) -> Iterator[Piece]:
    """The text around the edges of an error's spans, cut wherever the marks change."""
    edges = [edge for place in (gold, system) if place for edge in place[:2]]
    empty = {place[0] for place in (gold, system) if place and place[0] == place[1]}
    own = [(place, flag) for place, flag in ((gold, _OWN_GOLD), (system, _OWN_SYSTEM)) if place]

    def flags(at: int) -> int:
        return in_gold[at] | in_system[at] | sum(flag for (start, end, _), flag in own if start <= at < end)

    last = 0
    for start, end in _windows(edges, text):
        if start > last:
            yield Piece(f" … {start - last:,} characters … " if last else "… ", "gap")
        kinds = [flags(at) for at in range(start, end)]
        changes = {at for at in range(start + 1, end) if kinds[at - start] != kinds[at - start - 1]}
        cuts = sorted({start, end} | changes | {at for at in empty if start <= at <= end})
        for at, to in pairwise([*cuts, end]):
            if at in empty:
                yield Piece(_EMPTY, *_empty_marks(at, gold, system))
            if at < to:
                yield from _marked(text[at:to], kinds[at - start])
        last = end
    if last < len(text):
        yield Piece(" …", "gap")


def _windows(edges: Sequence[int], text: str) -> list[tuple[int, int]]:
    """The stretches around edges, one where they meet, so that a span may be long and still be shown in short."""
    windows: list[tuple[int, int]] = []
    for edge in sorted(edges):
        start, end = _whole_words(max(0, edge - AROUND), min(len(text), edge + AROUND), text)
        if windows and start <= windows[-1][1] + _BRIDGED:
            windows[-1] = (windows[-1][0], max(end, windows[-1][1]))
        else:
            windows.append((start, end))
    return windows


def _whole_words(start: int, end: int, text: str) -> tuple[int, int]:
    """A stretch that cuts no word in two, unless the word is long."""
    before = range(start, max(0, start - _BRIDGED) - 1, -1)
    after = range(end, min(len(text), end + _BRIDGED) + 1)
    return (
        next((at for at in before if at == 0 or text[at - 1].isspace()), start),
        next((at for at in after if at == len(text) or text[at].isspace()), end),
    )


def _marked(text: str, flags: int) -> Iterator[Piece]:
    """A stretch of one kind, its unseen characters apart."""
    classes, says = _MARKS[flags]
    at = 0
    for match in UNSEEN.finditer(text):
        if match.start() > at:
            yield Piece(text[at : match.start()], classes, says)
        yield Piece(stand_in(match[0]), f"{classes} c".strip(), says)
        at = match.end()
    if at < len(text):
        yield Piece(text[at:], classes, says)


def _empty_marks(at: int, gold: Place | None, system: Place | None) -> tuple[str, str]:
    """The marks of spans without characters: of gold, of the system, or of both at the same place."""
    flags = sum(flag for place, flag in ((gold, _OWN_GOLD), (system, _OWN_SYSTEM)) if place and place[:2] == (at, at))
    classes, says = _MARKS[flags]
    return f"{classes} e", f"{says}, a span without characters"


def _mark(flags: int) -> tuple[str, str]:
    classes, says = [], []
    if flags & _OWN_GOLD:
        classes.append("g")
        says.append("gold")
    elif flags & _GOLD:
        classes.append("og")
    if flags & _OWN_SYSTEM:
        classes.append("s")
        says.append("system")
    elif flags & _SYSTEM:
        classes.append("os")
    if flags & _GOLD and not flags & _SYSTEM:
        classes.append("o")
        says.append("in the clear")
    return " ".join(classes), ", ".join(says)


_MARKS = tuple(_mark(flags) for flags in range(16))
