"""Placeholders that somebody else writes about, such as a language model, and that are opened in what it writes.

A placeholder is [NAME_1-7KQ4M]: a kind, a number, and a mark that nobody can make without the key. It is opened
however its case, brackets, blanks and dashes were altered, as long as kind, number and mark are those of one that was
given out. All else that has its form stays as it is, and is told: a mark of other texts, one that is forged or lost.

What is opened does not depend on how an answer is cut into pieces: of a stream, what may still become a placeholder
waits for what follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, NoReturn
from unicodedata import normalize

from elision.errors import SealError
from elision.keys import Secret
from elision.labels import canonical

PURPOSE = "placeholders"
MARK = 5  # letters of a mark
LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"  # of marks: no word, and none that looks like another
SEAM = "-"
_WIDE = 0xFEE0  # from a character to its full-width form


class Atom(NamedTuple):
    """Characters of one kind, from so many to so many."""

    kind: str
    least: int
    most: int


def _either(letters: str) -> str:
    """A class of letters in both cases, in both widths."""
    both = {*letters.upper(), *letters.lower()}
    return f"[{''.join(sorted(both | {chr(ord(one) + _WIDE) for one in both}))}]"


_PARTING = "[\\s_\\-\u2010-\u2015\u2212\uff0d\uff3f\\\\*`:\u00ad\u200b-\u200d\u2060\ufeff]"
_OPEN, _CLOSE = Atom("[\\[【［〔]", 1, 1), Atom("[\\]】］〕]", 1, 1)
_DIGITS = Atom("[0-9０-９]", 1, 4)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_BEFORE, _AFTER = "(?<![A-Za-z0-9０-９Ａ-Ｚａ-ｚ])", "(?![A-Za-z0-9０-９Ａ-Ｚａ-ｚ])"
_WHOLE = 2  # of the forms: what of a placeholder has all that it needs
_NO_BRACKET = "[^\\[\\]【】［］〔〕\\n]"


def _parting(least: int, most: int) -> Atom:
    return Atom(_PARTING, least, most)


def _name(name: str) -> list[Atom]:
    return [_parting(0, 2) if letter == "_" else Atom(_either(letter), 1, 1) for letter in name]


class Form(NamedTuple):
    """One way to write a placeholder: what must not stand before and after, and what stands around its kind."""

    before: str
    head: list[Atom]
    tail: list[Atom]
    after: str
    closing: list[Atom]  # which may be missing


@cache
def _names() -> list[list[Atom]]:
    """All kinds of placeholders, the longer first."""
    labels = canonical()
    names = {*labels, *(one.parent for one in labels.values())}
    return [_name(name) for name in sorted(names, key=lambda name: (-len(name), name))]


def _forms() -> list[Form]:
    """All ways, those that can be opened first."""
    letter, mark = Atom(_either(_ALPHABET), 0, 1), Atom(_either(LETTERS), MARK, MARK)
    core = [_parting(0, 3), _DIGITS, letter, _parting(0, 3), mark]
    lost = [_parting(1, 3), _DIGITS, Atom(_NO_BRACKET, 0, 12), _CLOSE]
    opened = [Atom(r"\\", 0, 1), _OPEN, _parting(0, 3)]
    return [
        Form("", opened, core, _AFTER, [_parting(0, 3), _CLOSE]),
        Form(_BEFORE, [], core, _AFTER, []),
        Form("", opened, lost, "", []),
        Form(_BEFORE, [], [Atom(r"\\", 0, 1), Atom("_", 1, 1), _DIGITS], "", []),
    ]


@cache
def _whole() -> re.Pattern[str]:
    """Whatever has the form of a placeholder; in the group `whole` what has all of it, and may be opened."""
    names = "|".join(map(_all, _names()))
    ways = []
    for form in _forms():
        maybe = f"(?:{_all(form.closing)})?" if form.closing else ""
        ways.append(f"{form.before}{_all(form.head)}(?:{names}){_all(form.tail)}{form.after}{maybe}")
    return re.compile(f"(?P<whole>{'|'.join(ways[:_WHOLE])})|{'|'.join(ways[_WHOLE:])}")


@cache
def _begun() -> re.Pattern[str]:
    """What may become one with what follows: the beginning of one, at the end of a text."""
    names, begun = "|".join(map(_all, _names())), "|".join(_first(name, "\\Z") for name in _names())
    ways = []
    for form in _forms():
        rest = _first([*form.tail, *form.closing], "\\Z")
        ways.append(f"{form.before}{_first(form.head, f'(?:{begun}|(?:{names}){rest})')}")
    return re.compile("|".join(ways))


@cache
def _longest() -> int:
    name = max(sum(atom.most for atom in each) for each in _names())
    return name + max(sum(atom.most for atom in (*form.head, *form.tail, *form.closing)) for form in _forms())


def _all(atoms: Iterable[Atom]) -> str:
    return "".join(f"{atom.kind}{{{atom.least},{atom.most}}}" for atom in atoms)


def _first(atoms: list[Atom], then: str) -> str:
    """A pattern of all beginnings of these at the end of a text, and of all of them with what comes `then`; with a
    bracket that closes, nothing comes."""
    for atom in reversed(atoms):
        ended = f"{atom.kind}{{0,{atom.most}}}\\Z"
        then = "\\Z" if atom is _CLOSE else f"(?:{ended}|{atom.kind}{{{atom.least},{atom.most}}}{then})"
    return then


def mark_of(secret: Secret, texts: str, core: str) -> str:
    """The mark of a placeholder, such as NAME_1b, in these texts."""
    number, mark = secret.number("mark", texts, core), ""
    for _ in range(MARK):
        number, at = divmod(number, len(LETTERS))
        mark += LETTERS[at]
    return mark


def _key(written: str) -> str:
    """What is the same for a placeholder however it was altered: its letters and digits."""
    return "".join(one for one in normalize("NFKC", written).upper() if one.isascii() and one.isalnum())


def _told(written: str) -> str:
    """The kind and number of what stays closed, and nothing else of it."""
    plain = re.match(r"[A-Z_]*[0-9]*", re.sub(r"[^A-Z0-9]+", "_", normalize("NFKC", written).upper()).strip("_"))
    return plain[0] if plain else ""


class Reopen:
    """Opens placeholders in answers: `reopen(answer)`, or `reopen.stream(pieces)`. It holds the originals in memory,
    until `close`; it cannot be pickled, and shows none of them."""

    __slots__ = ("_closed", "_originals")

    def __init__(self, mapping: Mapping[str, str]) -> None:
        self._originals: dict[str, str] | None = {_key(placeholder): text for placeholder, text in mapping.items()}
        self._closed: dict[str, None] = {}

    def __repr__(self) -> str:
        if self._originals is None:
            return "<Reopen: over>"
        return f"<Reopen: {len(self._originals):,} placeholders, {len(self._closed):,} left closed>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("Reopen holds originals, and is not to be written to a file or sent to another process")

    @property
    def closed(self) -> tuple[str, ...]:
        """What had the form of a placeholder and was none of these, such as NAME_7: each once."""
        return tuple(self._closed)

    def start_anew(self) -> None:
        """Forget what was left closed."""
        self._closed.clear()

    def close(self) -> None:
        """Forget the originals."""
        self._originals = None

    def __call__(self, answer: str) -> str:
        """An answer with its placeholders opened."""
        opening = Opening(self)
        return opening.feed(answer) + opening.end()

    def stream(self, pieces: Iterable[str | None]) -> Iterator[str]:
        """The same for an answer that comes in pieces, wherever it is cut; None is a piece without a letter."""
        opening = self.opening()
        for piece in pieces:
            if piece and (ready := opening.feed(piece)):
                yield ready
        if ready := opening.end():
            yield ready

    def opening(self) -> Opening:
        """For a stream of your own: `feed` each piece, then `end`."""
        return Opening(self)

    def _opened(self, match: re.Match[str]) -> str:
        if self._originals is None:
            raise SealError("the placeholders are forgotten; open answers inside the `with` block")
        original = self._originals.get(_key(match[0])) if match["whole"] else None
        if original is None:
            self._closed[_told(match[0])] = None
            return match[0]
        return original


class Opening:
    """An answer that comes in pieces."""

    __slots__ = ("_at", "_reopen", "_text")

    def __init__(self, reopen: Reopen) -> None:
        self._reopen = reopen
        self._text, self._at = "", 0  # what waits, behind the last character of what does not

    def feed(self, piece: str) -> str:
        """What is ready of the answer with one piece more."""
        if not isinstance(piece, str):
            raise TypeError(f"a piece of an answer is a str, not {type(piece).__name__}")
        self._text += piece
        return self._ready(final=False)

    def end(self) -> str:
        """The rest of it."""
        return self._ready(final=True)

    def _ready(self, *, final: bool) -> str:
        text, at, ready = self._text, self._at, list[str]()
        until = self._waits(at, final)
        while (match := _whole().search(text, at)) and match.start() < until:
            ready += (text[at : match.start()], self._reopen._opened(match))
            at = match.end()
            until = self._waits(at, final)
        ready.append(text[at:until])
        last = max(until - 1, 0)
        self._text, self._at = text[last:], until - last
        return "".join(ready)

    def _waits(self, at: int, final: bool) -> int:
        """From where on the text may become a placeholder."""
        size = len(self._text)
        begun = None if final else _begun().search(self._text, max(at, size - _longest()))
        return begun.start() if begun else size
