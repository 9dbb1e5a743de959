"""Stand-ins for names, word by word.

Each word of a name has its own stand-in: one of the same kind (a woman's, a man's, a surname) that begins with the
letter that stands for the word's first letter. So "Jane Roe", "ROE, J." and "J.R." agree in all notes of a scope, and
nothing need be remembered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

from elision.languages.base import COMMON
from elision.replace.chinese_names import MASK, chinese_name
from elision.replace.choices import Scope
from elision.replace.name_lists import (
    EITHER,
    SURNAME,
    initials,
    is_given,
    is_listed,
    kind,
    letters_of,
    other_letter,
    pools,
)
from elision.replace.standins import base, plain_words, table
from elision.replace.words import LETTERS, apart, digits, dressed, pick, plain, tidy
from elision.text.characters import HAN_RANGES, has_han

_PIECE = re.compile(
    rf"(?P<han>[{HAN_RANGES}]+(?:·[{HAN_RANGES}]+)*(?:{MASK})?)|(?P<ending>(?<=\w)['’][sS](?!\w))|(?P<short>[^\W\d_]\.?ª)|(?P<number>\d+)"
    rf"|(?P<word>[^\W\d_{HAN_RANGES}ª]+(?:['’][^\W\d_{HAN_RANGES}ª]{{2,}})*)"
)
_LONGEST = 400  # characters; what is longer is no name
_TURNS = 8


def name(text: str, scope: Scope, label: str = "NAME_PATIENT", language: str = "") -> str | None:
    """A name of the same shape, or None where there is nothing that could be replaced."""
    if label == "USERNAME":
        return username(text, scope)
    if len(text) > _LONGEST:
        return None
    if language and language != scope.language:
        scope = replace(scope, language=language)
    if label == "INITIALS" and not has_han(text) and plain(text) not in scope.called:
        return initials(tidy(text), scope)
    return _name(tidy(text), scope)


def _name(text: str, scope: Scope) -> str | None:
    pieces = list(_PIECE.finditer(text))
    kept = _kept(pieces, scope.language)
    own = frozenset(_in_full(piece[0]) for at, piece in enumerate(pieces) if at not in kept)
    if not own:
        return None
    dotted = {at for at, piece in enumerate(pieces) if text.startswith(".", piece.end())} if "." in text else set()
    shouting = any(piece.lastgroup == "word" and len(piece[0]) > 3 and piece[0].isupper() for piece in pieces)
    placed = _by_place(pieces, kept)
    for turn in range(_TURNS):
        moved, last = "", 0
        for at, piece in enumerate(pieces):
            other = piece[0] if at in kept else _piece(piece, scope, own, placed, at in dotted, shouting, turn)
            if other is None:
                return None
            moved += text[last : piece.start()] + other
            last = piece.end()
        moved += text[last:]
        if plain(moved) != plain(text) and not scope.forbidden(moved):
            return moved
    return None


def _kept(pieces: list[re.Match[str]], language: str) -> set[int]:
    """Which pieces stay as they are: titles before a name, what follows it, particles, the "and" of two names."""
    kept: set[int] = set()
    usual: list[int] = []
    endings: set[int] = set()
    for at, piece in enumerate(pieces):
        if piece.lastgroup == "ending":
            endings.add(at)
        elif piece.lastgroup != "number":
            usual.append(at)
    texts = {at: plain(pieces[at][0]) for at in usual}
    code = base(language)
    if _special(code).isdisjoint(texts.values()):
        return endings
    titles, suffixes, particles, joiners = (
        plain_words(COMMON, key) for key in ("title", "suffix", "particle", "joiner")
    )
    first_titles = plain_words(code, "first-title")
    for at in usual:
        word, shown, first = texts[at], pieces[at][0], at == usual[0]
        behind = sum(other > at for other in usual)
        comma = _before(pieces[at]) == ","
        leading = comma or all(other in kept for other in usual if other < at)
        title = word in titles and len(word) > 1 and leading and (behind or kept) and not _is_name(shown)
        don = word in first_titles and first and behind > (1 if len(word) == 1 else 0)
        degree = word in suffixes and not first and not behind and _is_degree(pieces[at], comma)
        small = word in particles and (behind or not first) and _is_particle(word, pieces[at], bool(behind))
        also = word in joiners and shown.islower() and behind and not first
        if title or don or degree or small or also:
            kept.add(at)
    if kept >= set(usual):  # "Van", "Le", "Pastor": then it is a name itself
        kept = {at for at in kept if at != usual[-1]}
    return kept | endings


@cache
def _special(code: str) -> frozenset[str]:
    """All words that may stay."""
    keys = ("title", "suffix", "particle", "joiner")
    return plain_words(code, "first-title").union(*(plain_words(COMMON, key) for key in keys))


def _before(piece: re.Match[str]) -> str:
    """The last character before a piece that is no blank."""
    return piece.string[: piece.start()].rstrip()[-1:]


def _is_name(shown: str) -> bool:
    """Whether a title may be a name as well, as Pastor and Major are."""
    return shown[:1].isupper() and plain(shown) in plain_words(COMMON, "title-name")


def _is_degree(piece: re.Match[str], comma: bool) -> bool:
    """MD and Jr behind a name; not Ma and Do, which are names."""
    shown = piece[0]
    if comma or shown in ("Jr", "Sr", "jr", "sr"):
        return True
    if is_listed(plain(shown)):
        return shown.isupper() and not piece.string.isupper()
    return len(shown) > 2 or shown.isupper()


def _is_particle(word: str, piece: re.Match[str], more: bool) -> bool:
    """Small particles always; with a capital usual ones before a word. "D." is an initial, "d'" a particle."""
    after = piece.string[piece.end() : piece.end() + 1]
    if len(word) == 1:
        return piece[0].islower() and after in ("'", "’", ".", " ")
    return piece[0].islower() or (more and (word in plain_words(COMMON, "capital-particle") or after == "-"))


def _by_place(pieces: list[re.Match[str]], kept: Collection[int]) -> frozenset[str]:
    """Plain short words in capitals that are names by where they stand: ROE, Jane and Jane ROE; not Roe JR."""
    words = [piece for at, piece in enumerate(pieces) if at not in kept and piece.lastgroup == "word"]
    if len(words) < 2:
        return frozenset()
    found = set()
    first, second, last = words[0], words[1], words[-1]
    if len(first[0]) > 1 and len(second[0]) > 1 and first.string[first.end() :].lstrip().startswith(","):
        found.add(plain(first[0]))
    if len(last[0]) > 1 and is_given(plain(first[0])) and "," not in first.string:
        found.add(plain(last[0]))
    return frozenset(found)


def _piece(
    piece: re.Match[str],
    scope: Scope,
    own: Collection[str],
    placed: Collection[str],
    dotted: bool,
    shouting: bool,
    turn: int,
) -> str | None:
    text = piece[0]
    if piece.lastgroup == "han":
        return chinese_name(text, scope, turn)
    if piece.lastgroup == "number":
        return digits(text, scope, turn=turn)
    if len(text) == 1:
        return other_letter(text, scope)
    word = _in_full(text)
    if piece.lastgroup == "word" and len(text) <= 3 and not (word in placed or word in scope.called or is_listed(word)):
        if text.isupper() and not shouting:  # JR, JAR: initials
            return "".join(other_letter(c, scope) for c in text)
        if dotted:  # Chr., Th.
            found = stand_in(text, scope, own, turn)
            return found[: len(text)] if found else None
    return stand_in(text, scope, own, turn)


def _in_full(text: str) -> str:
    """A plain word, short forms of given names in full: Mª is María."""
    return _short().get(text.lower()) or plain(text)


@cache
def _short() -> Mapping[str, str]:
    return {str(short): str(word) for short, word in table(COMMON, "words")["short"].items()}


def stand_in(text: str, scope: Scope, own: Collection[str] = (), turn: int = 0) -> str | None:
    """The stand-in for one word of a name, in its case; none that holds or is held by one of `own`, or by what else
    people of this note are called."""
    word = _in_full(text)
    language = base(scope.language)
    letters = letters_of(scope)
    first = letters.get(word[:1]) or LETTERS[scope.number("letter", word) % 26]
    which = kind(word, language)
    others = [other for other in {*own, word} if len(other) > 2 or other == word]

    def fits(candidate: str) -> bool:
        bare = plain(candidate)
        return all(apart(bare, other) for other in others) and scope.called.apart(bare)

    lists = pools(language)
    show = "Xx" if "ª" in text else text
    for kind_of in (which, SURNAME, EITHER):
        if found := pick(lists[kind_of][first], scope, fits, "name", word, turn=turn, show=show):
            return found
    return None


def username(text: str, scope: Scope) -> str | None:
    """An account name that follows the surrogate name: jroe12 is the letter for J, the stand-in for Roe, other digits.

    "jroe" is taken apart where a name of the lists, or of people of the note, is in it.
    """
    text = tidy(text)
    if len(text) > _LONGEST or not any(c.isalnum() for c in text):
        return None
    for turn in range(_TURNS):
        runs = re.split(r"(\d+|[^\W\d_]+)", text)
        moved = "".join(_run(run, scope, turn) if at % 2 else run for at, run in enumerate(runs))
        if plain(moved) != plain(text) and not scope.forbidden(moved):
            return moved
    return None


def _run(run: str, scope: Scope, turn: int) -> str:
    if run.isdigit():
        return (
            digits(run, scope, turn=turn) if run.isascii() else "".join(str(scope.number("digit", c) % 10) for c in run)
        )
    parts = _parts(plain(run), scope.called)
    found = ""
    for part in parts:
        is_name = len(part) > 3 or part in scope.called or (len(part) == 3 and is_listed(part))
        other = stand_in(part, scope, (), turn) if is_name else None
        found += plain(other) if other else "".join(other_letter(c, scope) for c in part)
    return dressed(found if not run.istitle() else found.capitalize(), run)


def _parts(run: str, known: Collection[str]) -> list[str]:
    """The names in a run of letters: names of the note first, then two listed names, then an initial and one."""
    if run in known or is_listed(run):
        return [run]
    cuts = range(1, len(run))
    for at in cuts:
        if (run[at:] in known and at <= 2) or (run[:at] in known and len(run) - at <= 2):
            return [run[:at], run[at:]]
    for at in cuts:
        if all(part in known or (len(part) > 2 and is_listed(part)) for part in (run[:at], run[at:])):
            return [run[:at], run[at:]]
    for at in (1, 2, len(run) - 1):
        whole = run[at:] if at <= 2 else run[:at]
        if len(whole) > 3 and is_listed(whole):
            return [run[:at], run[at:]]
    return [run]
