"""What keyboards, dictation and copying do to a note. Spans follow to the letter (see `edits`)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from random import Random

from elision.document import Span
from elision.languages.base import folder
from elision.languages.synth_lists import common
from elision.synth.edits import Edit, apply, insert

Piece = tuple[str, Sequence[Span]]
Text = tuple[str, list[Span]]

LEAST_RATE = 1e-9  # less is never
DENSE = 0.2  # a rate from which everything is looked at
_WORD = re.compile(r"[^\W\d_]{3,}")
_BLANK = re.compile(r"(?<=\S) (?=\S)")
_AFTER = re.compile(r"(?<=[^\W\d_][.,;:]) (?=\S)")
_MARK = re.compile(r"(?<=[^\W\d_])[.,;:](?=\s|$)")
_PARAGRAPH = re.compile(r"(?:[^\n]+\n?)+")
_HEADING = re.compile(r"^[^\W\d_][^\n:]{2,30}:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Noise:
    """How often what happens. The first seven are shares of the notes; the others of the words, blanks or marks."""

    caps_note: float = 0.05  # all in capitals
    lower_note: float = 0.03  # all in small letters
    caps_heads: float = 0.10  # headings in capitals
    wrapped: float = 0.15  # lines broken at 60 to 80 characters
    paged: float = 0.12  # headers and footers again and again, where the grammar has a symbol `page`
    copied: float = 0.06  # a paragraph stands there twice
    hasty: float = 0.15  # a note with five times as much of what follows
    typos: float = 0.004
    glued: float = 0.003
    doubled: float = 0.006  # blanks
    unspaced: float = 0.02  # no blank after a full stop, comma or colon
    unmarked: float = 0.015  # no full stop or comma
    abbreviated: float = 0.03  # words of the language's list abbreviations.txt
    dictated: float = 0.01  # share of notes in which marks are spoken: lists/dictation.txt

    def __post_init__(self) -> None:
        for row in fields(self):
            if not 0 <= getattr(self, row.name) <= 1:
                raise ValueError(f"noise: {row.name} = {getattr(self, row.name):g}; a share lies between 0 and 1")


QUIET = Noise(*([0.0] * len(fields(Noise))))


@cache
def pairs(language: str, name: str) -> Mapping[str, str]:
    """A list of a language with lines such as "patient = pt"; empty if there is none."""
    path = folder(language, "synth", "lists", f"{name}.txt")
    if not path.is_file():
        return {}
    rows = (line.partition(" = ") for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {left.strip(): right.strip() for left, sign, right in rows if sign}


def chosen(pattern: re.Pattern[str], text: str, rate: float, rng: Random, apart: int) -> Iterator[re.Match[str]]:
    """About a share of what a pattern finds. `apart` is how many characters lie between two finds, more or less.

    Where few are wanted, it looks only where one is: noise costs little in a note that has little.
    """
    if rate < LEAST_RATE:
        return
    if rate > DENSE:
        yield from (match for match in pattern.finditer(text) if rng.random() < rate)
        return
    scale = math.log1p(-rate / apart)
    at = int(math.log1p(-rng.random()) / scale)
    while at < len(text) and (match := pattern.search(text, at)):
        yield match
        at = match.end() + int(math.log1p(-rng.random()) / scale)


def disturb(
    text: str, spans: Sequence[Span], noise: Noise, rng: Random, language: str, page: Callable[[], Piece] | None = None
) -> Text:
    """A note as it would have come out of a system. The same rng, the same note."""
    if not noise_in(noise):
        return text, list(spans)
    changed: Text = (text, list(spans))
    if rng.random() < noise.copied:
        changed = copied(*changed, rng)
    changed = apply(*changed, _small_things(*changed, noise, rng, language))
    if rng.random() < noise.dictated:
        changed = apply(*changed, _spoken(*changed, language))
    if rng.random() < noise.wrapped:
        changed = wrapped(*changed, rng.randint(60, 80))
    if page and rng.random() < noise.paged:
        changed = paged(*changed, page, rng)
    return _letters(*changed, noise, rng)


def noise_in(noise: Noise) -> bool:
    return any(getattr(noise, row.name) for row in fields(noise))


def _small_things(text: str, spans: Sequence[Span], noise: Noise, rng: Random, language: str) -> list[Edit]:
    times = 5.0 if rng.random() < noise.hasty else 1.0
    rates = ((_BLANK, "", noise.glued, 6), (_BLANK, "  ", noise.doubled, 6), (_AFTER, "", noise.unspaced, 40))
    edits = [_typo(match, rng) for match in chosen(_WORD, text, noise.typos * times, rng, 7)]
    for pattern, new, rate, apart in rates:
        edits += [Edit(*match.span(), new) for match in chosen(pattern, text, rate * times, rng, apart)]
    inside = covering(spans)
    marks = chosen(_MARK, text, noise.unmarked * times, rng, 30)
    edits += [Edit(*match.span(), "") for match in marks if not inside(match.start())]
    if noise.abbreviated and (short := pairs(language, "abbreviations")):
        words = chosen(_either(tuple(short)), text, noise.abbreviated * times, rng, 60)
        edits += [Edit(*match.span(), short[match[0]]) for match in words if not inside(match.start())]
    return edits


def covering(spans: Sequence[Span]) -> Callable[[int], bool]:
    """Whether a place is in a span."""
    places = {place for span in spans for place in range(span.start, span.end)}
    return places.__contains__


@cache
def _either(words: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)")


def _typo(match: re.Match[str], rng: Random) -> Edit:
    """A slip of the fingers in a word; its first letter mostly stays."""
    word, start = match[0], match.start()
    at = rng.randrange(1, len(word))
    kind = rng.randrange(4)
    if kind == 0 and at + 1 < len(word):
        return Edit(start + at, start + at + 2, word[at + 1] + word[at])
    if kind == 1:
        return Edit(start + at, start + at + 1, "")
    if kind == 2:
        return Edit(start + at, start + at + 1, word[at] * 2)
    near = common("tables")["neighbours"].get(word[at].lower(), word[at])
    letter = rng.choice(near)
    return Edit(start + at, start + at + 1, letter.upper() if word[at].isupper() else letter)


def _spoken(text: str, spans: Sequence[Span], language: str) -> list[Edit]:
    """Marks as they are spoken, in a note that nobody cleaned: "period", "new paragraph"."""
    words = pairs(language, "dictation")
    inside = covering(spans)
    found = (match for match in _MARK.finditer(text) if match[0] in words and not inside(match.start()))
    return [Edit(*match.span(), f" {words[match[0]]}") for match in found]


def wrapped(text: str, spans: Sequence[Span], width: int) -> Text:
    """Lines broken at blanks, names and dates included, as old systems print them."""
    edits, line = [], 0
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = at
        while end - line > width:
            blank = text.rfind(" ", line + 1, line + width + 1)
            if blank < 0:
                break
            edits.append(Edit(blank, blank + 1, "\n"))
            line = blank + 1
        at = end + 1
    return apply(text, spans, edits)


def copied(text: str, spans: Sequence[Span], rng: Random) -> Text:
    """A paragraph once more, right behind itself or at the end, as copying forward leaves it."""
    found = [match for match in _PARAGRAPH.finditer(text) if len(match[0]) > 40]
    if not found:
        return text, list(spans)
    match = rng.choice(found)
    own = [
        replace(span, start=span.start - match.start(), end=span.end - match.start())
        for span in spans
        if match.start() <= span.start and span.end <= match.end()
    ]
    at = match.end() if rng.random() < 0.6 else len(text)
    lead = "" if text[at - 1 : at] == "\n" else "\n"
    piece = lead + match[0]
    return insert(
        text, spans, at, piece, [replace(span, start=span.start + len(lead), end=span.end + len(lead)) for span in own]
    )


def paged(text: str, spans: Sequence[Span], page: Callable[[], Piece], rng: Random) -> Text:
    """Headers between the lines, as if pages had been pasted one behind the other."""
    lines = rng.randint(18, 45)
    changed: Text = (text, list(spans))
    places = [match.end() for match in re.finditer("\n", text)][lines - 1 :: lines]
    for at in reversed(places):
        piece, own = page()
        changed = insert(*changed, at, piece + "\n", own)
    return changed


def _letters(text: str, spans: list[Span], noise: Noise, rng: Random) -> Text:
    """Capitals or small letters all over; letters that would become two stay."""
    drawn = rng.random()
    if drawn < noise.caps_note:
        return _each(text, str.upper), spans
    if drawn < noise.caps_note + noise.lower_note:
        return _each(text, str.lower), spans
    if rng.random() < noise.caps_heads:
        return _HEADING.sub(lambda match: _each(match[0], str.upper), text), spans
    return text, spans


def _each(text: str, change: Callable[[str], str]) -> str:
    whole = change(text)
    if len(whole) == len(text):
        return whole
    return "".join([new if len(new := change(character)) == 1 else character for character in text])
