"""Words as the Penn Treebank has them, by rules: what the English tokeniser of OpenNLP was taught.

That tokeniser is a learnt model, which is not here; these rules cut where it is meant to cut.
Marks part from words: "(Dr. Roe)", "Smith,John". A full stop stays with an abbreviation, and with a word in the middle
of a sentence. Commas and colons inside a number stay: "1,250", "3:30". Hyphens and slashes cut nothing.
"""

from __future__ import annotations

import re
from itertools import pairwise

from elision.papers import lists

_WORD = r"[^\W_]"
_MARKS = r'[()\[\]{}<>"“”;!?]'  # no word holds them
_CUTS = re.compile(
    rf"""
      (?={_MARKS}) | (?<={_MARKS})
    | (?=[,:]) (?!(?<=\d)[,:]\d) | (?<=[,:]) (?!(?<=\d[,:])\d)
    | (?<=['‘’`]) (?<!{_WORD}['‘’`]) | (?=['‘’`](?!{_WORD}))
    | (?<={_WORD}) (?=(?:n['’]t|['’](?:s|m|d|ll|re|ve))(?!{_WORD}))
    | (?<=\$)(?=\d) | (?<=\d)(?=%)
    | (?<=[^.])(?=\.\.) | (?<=\.\.)(?=[^.])
    | (?<=[a-z]\.)(?=[A-Z])
    """,
    re.VERBOSE,
)
_INITIALS = re.compile(r"[A-Z]\.|(?:[^\W\d_]\.){2,}")
_ON_THE_LINE = re.compile(r"[^\S\r\n]*")


def treebank_words(text: str) -> list[tuple[int, str]]:
    """The words and marks of a text, and where each begins."""
    words: list[tuple[int, str]] = []
    for chunk in re.finditer(r"\S+", text):
        cuts = {match.start() for match in _CUTS.finditer(text, chunk.start(), chunk.end())}
        for at, to in pairwise(sorted({chunk.start(), chunk.end(), *cuts})):
            word = text[at:to]
            if _ends_a_sentence(word, text, to):
                words += [(at, word[:-1]), (to - 1, ".")]
            else:
                words.append((at, word))
    return words


def _ends_a_sentence(word: str, text: str, to: int) -> bool:
    """Whether the word's full stop is not its own: no abbreviation, and no sentence that goes on behind it."""
    if len(word) < 2 or word[-1] != "." or word[-2] == ".":
        return False
    if word[:-1] in lists.ABBREVIATIONS or _INITIALS.fullmatch(word):
        return False
    blanks = _ON_THE_LINE.match(text, to)
    after = text[blanks.end() : blanks.end() + 1] if blanks else ""
    return not (after.islower() or (after and after in ",;:"))
