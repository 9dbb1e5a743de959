"""Why was this masked, and why was that not? And what would a rule look like that finds it?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from elision.document import Document
from elision.errors import RuleError
from elision.labels import canonical
from elision.rules.engine import Match, Rules, lines
from elision.rules.row import Row
from elision.text.fold import fold

NEAR = 60  # characters around a stretch in which rows are near to it
_WORDS = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What rows had to say about a stretch of a note."""

    fired: tuple[Match, ...]  # these cover some of it
    refused: tuple[Match, ...]  # these matched there, and do not count
    near: tuple[Match, ...]  # these fired close by
    uncovered: int  # characters of the stretch, blanks aside, that no row covers


def explain(rules: Rules, text: str, start: int, end: int) -> Explanation:
    """What the rows say about these characters of a text."""
    counted = rules.judged(text)
    here = [match for match in counted if match.start < end and start < match.end]
    fired = tuple(match for match in here if not match.why_not)
    covered = {at for match in fired for at in range(max(start, match.start), min(end, match.end))}
    near = tuple(
        match
        for match in counted
        if match not in here and not match.why_not and match.start < end + NEAR and start - NEAR < match.end
    )
    missing = sum(at not in covered and not text[at].isspace() for at in range(start, end))
    return Explanation(fired, tuple(match for match in here if match.why_not), near, missing)


def propose(text: str, start: int, end: int, label: str, name: str = "proposed") -> str:
    """A row in TOML that would find this stretch: its shape, and up to two words before it.

    Nothing of the stretch itself is in it. Words before it are, in small letters or with a colon: they may be names.
    """
    if label not in canonical():
        label = "OTHER"
    view = fold(text)
    first, after = view.folded(start, end)
    while first < after and view.text[first].isspace():
        first += 1
    while first < after and view.text[after - 1].isspace():
        after -= 1
    begin, line = max(((at, line) for at, line in lines(view.text) if at <= first), key=lambda pair: pair[0])
    stretch = line[first - begin : after - begin]
    if not stretch:
        raise RuleError(f"characters {start} to {end} are nothing that can be seen; there is nothing to find there")
    before = _words_before(line[: first - begin])
    pattern = "".join(_shape(piece) for piece in _WORDS.findall(stretch))
    example = "".join(_example(piece) for piece in _WORDS.findall(stretch))
    rows = [
        "[[rule]]",
        f"name = {json.dumps(name)}",
        f"label = {json.dumps(label)}",
        f"pattern = '''{pattern}'''",
    ]
    if before:
        rows.append(f"before = '''{re.escape(before)}'''")
    rows += [f"hits = [{json.dumps(f'{before}[{example}]', ensure_ascii=False)}]", "misses = []"]
    return "\n".join(rows) + "\n"


def _words_before(line: str) -> str:
    """Up to two words in small letters, or a key with its colon, right before."""
    match = re.search(r"((?:[^\W\d_]{2,20} )?[^\W\d_]{2,20}[:.#]?[ \t]{0,2})$", line)
    if not match:
        return ""
    found = match[1]
    return found if found == found.lower() or ":" in found else ""


def _shape(piece: str) -> str:
    if piece.isspace():
        return "[ \\t]{1,3}"
    if piece.isdecimal():
        return "\\d" if len(piece) == 1 else f"\\d{{{len(piece)}}}"
    if piece.isalpha():
        most = max(len(piece), 20)
        return f"\\p{{Lu}}\\pL{{0,{most}}}" if piece[0].isupper() else f"\\pL{{1,{most}}}"
    return re.escape(piece).replace("'", "\\x27")


def _example(piece: str) -> str:
    if piece.isdecimal():
        return "".join("1234567890"[at % 10] for at in range(len(piece)))
    if piece.isalpha():
        return ("X" if piece[0].isupper() else "x") + "x" * (len(piece) - 1)
    return " " if piece.isspace() else piece


@dataclass(frozen=True, slots=True)
class Effect:
    """What rows would add on notes with gold spans."""

    notes: int
    found: int  # stretches that they find
    more: int  # characters of gold spans that were not found before
    wrong: int  # characters outside gold spans that were not found before


def effect(rows: Iterable[Row], rules: Rules, documents: Iterable[Document]) -> Effect:
    """What these rows would change beside the rules that there are."""
    from elision.rules.pack import Pack

    alone = Rules(Pack("", tuple(rows)))
    notes = found = more = wrong = 0
    for document in documents:
        notes += 1
        spans = alone.spans(document.text)
        if not spans:
            continue
        found += len(spans)
        before = {at for span in rules.spans(document.text) for at in range(span.start, span.end)}
        gold = {at for span in document.spans for at in range(span.start, span.end)}
        new = {at for span in spans for at in range(span.start, span.end)} - before
        more, wrong = more + len(new & gold), wrong + len(new - gold)
    return Effect(notes, found, more, wrong)
