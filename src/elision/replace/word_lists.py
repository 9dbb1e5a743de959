"""Words that somebody says are never removed (`allow`), or always (`deny`): a file of words, or a TOML by label and
language.

    Kelp Hospital                 # not so: a comment has a line of its own
    # a comment

    words = ["Kelp Hospital"]     # TOML: whatever the label; of those to deny, as OTHER
    [labels]
    HOSPITAL = ["Kelp"]           # of those to allow: where they were found as this, or as a label below it
    [languages.es]
    words = ["Rosario"]           # in Spanish notes only; it may have [languages.es.labels], too

No error quotes a word: the words to deny may be names.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from elision.errors import ListError, shown
from elision.keys import Key, digest_of
from elision.labels import canonical
from elision.languages.base import code_of
from elision.languages.telling.deciding import is_language
from elision.replace.originals import plain
from elision.text.fold import fold

ALLOW, DENY = "allow", "deny"
MOST_WORDS = 100_000
MOST_BYTES = 16_000_000
LONGEST = 200  # characters of a word or phrase
SHORTEST = 2  # letters and digits of one
ANY = ""  # a label or a language
PURPOSE = "receipts"

Words = str | Path | Iterable[str] | Mapping[str, Iterable[str]]  # a file by its path, words, words by label


class Entry(NamedTuple):
    """A word or phrase, folded, with the label and the language of notes that it is for."""

    words: str
    label: str = ANY
    language: str = ANY


@dataclass(frozen=True, slots=True, repr=False)
class WordList:
    """The words of a list, each once."""

    kind: str
    entries: tuple[Entry, ...] = field(default=())

    def __repr__(self) -> str:
        return f"<WordList: {self.kind}, {len(self.entries):,} words>"

    def __len__(self) -> int:
        return len(self.entries)

    def fingerprint(self, key: Key | None) -> str:
        """Stands for the list. It is keyed where there is a key: a list of one name could be guessed."""
        told = json.dumps(self.entries)
        return key.secret(PURPOSE).digest(self.kind, told).hex() if key else digest_of(told.encode())

    def told(self, key: Key | None) -> str:
        """What receipts say of it."""
        count = f"{len(self):,} words"
        return f"{count}, {self.fingerprint(key)}" if key else count


def word_list(given: Words | WordList | None, kind: str) -> WordList:
    """The list that is given: a file by its path, words, or words by label; empty if none is."""
    if given is None:
        return WordList(kind)
    if isinstance(given, WordList):
        return given
    if isinstance(given, str | Path):
        path = Path(given)
        text = _text(path)
        found = _of_toml(text, path, kind) if path.suffix == ".toml" else _of_lines(text, path, kind)
    elif isinstance(given, Mapping):
        found = _of_table({"labels": {label: _listed(words) for label, words in given.items()}}, kind, kind)
    else:
        found = _of_table({"words": _listed(given)}, kind, kind)
    return _once(found, kind if not isinstance(given, str | Path) else str(given), kind)


def _once(found: Iterator[Entry], where: str, kind: str) -> WordList:
    labels: dict[tuple[str, str], str] = {}
    entries: dict[Entry, None] = {}
    for entry in found:
        if kind == DENY and labels.setdefault((entry.words, entry.language), entry.label) != entry.label:
            raise ListError(f"{where}: a word stands under two labels, {entry.label} is one; give it one label")
        entries[entry] = None
        if len(entries) > MOST_WORDS:
            raise ListError(f"{where}: has more than {MOST_WORDS:,} words; a list is for the words of a hospital")
    if not entries:
        raise ListError(f"{where}: has no words; write one a line, or leave --{kind} out")
    return WordList(kind, tuple(sorted(entries)))


def _listed(words: object) -> list[Any]:
    if isinstance(words, str):
        raise ListError("a list of words is a list, such as ['Kelp Hospital'], not one text")
    return list(words) if isinstance(words, Iterable) else [words]


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise ListError(f"{path}: cannot read the list: {error.strerror}") from None
    if len(raw) > MOST_BYTES:
        raise ListError(f"{path}: larger than {MOST_BYTES // 1_000_000} MB; is it a list of words, one a line?")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ListError(f"{path}: is not UTF-8 at byte {error.start}; save it as UTF-8") from None


def _of_lines(text: str, path: Path, kind: str) -> Iterator[Entry]:
    usual = "OTHER" if kind == DENY else ANY
    for number, line in enumerate(text.splitlines(), 1):
        if (words := line.strip()) and not words.startswith("#"):
            yield Entry(_folded(words, f"{path}, line {number}"), usual)


def _of_toml(text: str, path: Path, kind: str) -> Iterator[Entry]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at [^()]*\)", str(error))  # its message may quote the file
        raise ListError(f"{path}: not valid TOML {place[0] if place else ''}".rstrip()) from None
    return _of_table(table, str(path), kind)


def _of_table(table: Mapping[str, Any], where: str, kind: str, language: str = ANY) -> Iterator[Entry]:
    odd = sorted(table.keys() - ({"words", "labels"} if language else {"words", "labels", "languages"}))
    if odd:
        raise ListError(f"{where}: no key{shown(odd[0])} in a list; there are words, [labels], [languages.CODE]")
    usual = "OTHER" if kind == DENY else ANY
    for label, words in ((usual, table.get("words", [])), *_table(table, "labels", where).items()):
        at = f"{where}:{shown(label, ' {}') if label != usual else ' words'}"
        if label != ANY:
            _check_label(label, at, kind)
        if not isinstance(words, list):
            raise ListError(f'{at}: write a list, such as ["Kelp Hospital"]')
        for number, one in enumerate(words, 1):
            if not isinstance(one, str):
                raise ListError(f"{at}, word {number}: is no text; put it in quotes")
            yield Entry(_folded(one, f"{at}, word {number}"), label, language)
    for code, rows in _table(table, "languages", where).items():
        if not is_language(code) or not isinstance(rows, dict):
            raise ListError(f"{where}: languages{shown(code, '.{}')}: write a table [languages.CODE], such as es")
        yield from _of_table(rows, f"{where}: {code}", kind, code_of(code))


def _table(table: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    found = table.get(name, {})
    if not isinstance(found, dict):
        raise ListError(f"{where}: {name} is a table [{name}]")
    return found


def _check_label(label: str, where: str, kind: str) -> None:
    """A word to deny gets its label; one to allow may name the parent of several."""
    known = canonical()
    there = [*known] if kind == DENY else [*known, *(one.parent for one in known.values())]
    if label not in there:
        near = get_close_matches(label.upper(), there, 1)
        raise ListError(f"{where}: no such label{f' (did you mean {near[0]}?)' if near else ''}; see `elision labels`")


def _folded(words: str, where: str) -> str:
    """A word as it is compared: small, without accents, with single blanks."""
    if len(words) > LONGEST:
        raise ListError(f"{where}: longer than {LONGEST} characters; write one word or phrase")
    low = " ".join(plain(fold(words).text).split())
    count = sum(map(str.isalnum, low))
    if count < SHORTEST:
        what = "a single letter stands in every note" if count else "there is no letter or digit in it"
        raise ListError(f"{where}: {what}; write a word of {SHORTEST} letters or more, or take it out")
    return low
