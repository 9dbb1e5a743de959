"""Universal Dependencies treebanks (CoNLL-U files): text and parts of speech, to train and score our tagger.

A treebank splits words that are written as one (Spanish "del" is "de" and "el"); a note has only what is written. So
we keep the written form, with the part of speech of its first word. The text is rebuilt from the forms and
must be the one that the file states, so that every offset can be relied on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from elision.errors import FormatError, LabelError
from elision.formats.files import files_below, read_lines
from elision.formats.format import Reading
from elision.text.tokens import Tokens

# The universal parts of speech, in the order in which their guidelines list them.
UPOS = (
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM"),
    *("PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
)
COLUMNS = 10

_ID = re.compile(r"([0-9]{1,6})(?:([-.])([0-9]{1,6}))?")
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n"}

Line = tuple[int, str]  # its number in the file, and what it says


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it is written, and its words: start, end, part of speech. Ascending, disjoint, never empty."""

    text: str
    words: tuple[tuple[int, int, str], ...]


def read_treebank(path: Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file, or of all such files below a folder."""
    for file in files_below(path, ".conllu"):
        for block in _blocks(file):
            sentence = _sentence(file, block)
            if sentence.words:
                yield sentence


def _blocks(file: Path) -> Iterator[list[Line]]:
    """The lines of each sentence: those between two blank lines."""
    block: list[Line] = []
    for number, line in read_lines(file, Reading()):
        if block and number > block[-1][0] + 1:  # read_lines passes over blank lines
            yield block
            block = []
        block.append((number, line.rstrip("\r\n")))
    if block:
        yield block


def _sentence(file: Path, block: Sequence[Line]) -> Sentence:
    """A sentence from its lines, checked against the text that a comment states."""
    stated: tuple[int, str] | None = None
    rows: list[tuple[str, list[str]]] = []
    for number, line in block:
        if not line.startswith("#"):
            rows.append((f"{file}:{number}", line.split("\t")))
        elif stated is None and (match := _TEXT.fullmatch(line)):
            stated = (number, match[1])
    text, words, after = "", [], ""
    for form, tag, following in _surface(rows):
        text += after
        words.append((len(text), len(text) + len(form), tag))
        text, after = text + form, following
    if stated is not None and not _same(text, stated[1]):
        raise FormatError(
            f"{file}:{stated[0]}: the words below do not make up the text of this comment; "
            "a word or SpaceAfter=No is missing, or the text was changed"
        )
    return Sentence(text, tuple(words))


def _same(text: str, stated: str) -> bool:
    """Whether two texts are alike. A comment has one line, so which white space stands between words may differ."""
    return text == stated or text.split() == stated.split()


def _surface(rows: Iterable[tuple[str, list[str]]]) -> Iterator[tuple[str, str, str]]:
    """What is written: form, part of speech, and the white space after it."""
    following, last = 1, 0  # the id that the next word must have; the last id of the current multiword token
    waiting: tuple[str, str] | None = None  # the form of a multiword token whose first word has yet to come
    where = ""
    for where, columns in rows:
        kind, first, end = _id(where, columns)
        if kind == ".":  # a word that is understood, not written
            continue
        if first != following or (kind == "-" and (end < first or first <= last)):
            raise FormatError(f"{where}: the ids must be 1, 2, 3, …, and ranges such as 4-5 stand before their words")
        if kind == "-":
            waiting, last = (_form(where, columns), _space_after(where, columns)), end
            continue
        tag = columns[3]
        if tag not in UPOS:
            raise FormatError(f"{where}: column 4 is not one of the {len(UPOS)} universal parts of speech")
        following += 1
        if waiting is not None:
            yield waiting[0], tag, waiting[1]
            waiting = None
        elif first > last:
            yield _form(where, columns), tag, _space_after(where, columns)
    if following <= last:
        raise FormatError(f"{where}: the sentence ends before the last word of the range that ends in {last}")


def _id(where: str, columns: Sequence[str]) -> tuple[str, int, int]:
    """The first column: "" for a word, - for a multiword token, . for an empty node; the numbers in it."""
    if len(columns) != COLUMNS:
        raise FormatError(
            f"{where}: {len(columns)} columns where {COLUMNS} are needed, with tabs between them; is this CoNLL-U?"
        )
    match = _ID.fullmatch(columns[0])
    if not match:
        raise FormatError(f"{where}: column 1 is not an id such as 7, 7-8 or 7.1")
    return match[2] or "", int(match[1]), int(match[3] or 0)


def _form(where: str, columns: Sequence[str]) -> str:
    form = columns[1]
    if not form or form[0].isspace() or form[-1].isspace():  # white space inside is fine: "20 000"
        raise FormatError(f"{where}: column 2 is empty, or begins or ends with white space; a word is needed there")
    return form


def _space_after(where: str, columns: Sequence[str]) -> str:
    """The white space after a token: a blank, unless the last column says otherwise."""
    for item in columns[9].split("|"):
        key, _, value = item.partition("=")
        if key == "SpaceAfter" and value == "No":
            return ""
        if key == "SpacesAfter":
            space = _ESCAPE.sub(_unescaped, value)
            if space.strip():
                raise FormatError(f"{where}: SpacesAfter is not white space; write \\s, \\t, \\r, \\n or \\u00A0")
            return space
    return " "


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _ESCAPES.get(match[2], match[0])


def tags_of(sentence: Sentence, tokens: Tokens) -> list[str]:
    """A part of speech for each of our tokens: that of the word in which it begins."""
    return [sentence.words[i][2] for i in _word_of(sentence, tokens).tolist()]


def _word_of(sentence: Sentence, tokens: Tokens) -> npt.NDArray[np.intp]:
    starts = np.array([start for start, _, _ in sentence.words], np.int32)
    words: npt.NDArray[np.intp] = np.searchsorted(starts, tokens.starts, side="right") - 1
    return words


def straddling(sentence: Sentence, tokens: Tokens) -> int:
    """How many of our tokens reach from one word into the next, so that one tag must do for both."""
    ends = np.array([end for _, end, _ in sentence.words], np.int32)
    return int((tokens.ends > ends[_word_of(sentence, tokens)]).sum()) if len(tokens) else 0


def word_tags(sentence: Sentence, tokens: Tokens, tags: Sequence[str]) -> list[str]:
    """The way back: for each word, the tag of the token in which it begins."""
    if len(tags) != len(tokens):
        raise LabelError(f"{len(tags)} tags for {len(tokens)} tokens; there must be one for each")
    starts = np.array([start for start, _, _ in sentence.words], np.int32)
    return [tags[i] for i in np.searchsorted(tokens.ends, starts, side="right").tolist()]


def word_accuracy(tagged: Iterable[tuple[Sentence, Tokens, Sequence[str]]]) -> float:
    """The share of the treebank's words that got their part of speech; nan where there are no words."""
    right = total = 0
    for sentence, tokens, tags in tagged:
        found = word_tags(sentence, tokens, tags)
        right += sum(tag == word[2] for tag, word in zip(found, sentence.words, strict=True))
        total += len(found)
    return right / total if total else float("nan")
