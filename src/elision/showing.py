"""What of a column's name, an id or a path may be shown.

All three come from outside, and each may be a note, a person's name or a command to the terminal. Whatever is printed,
reported or written into a manifest goes through here: what reads like data is counted and not quoted, the rest is cut
and its control characters are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from elision.text.characters import CONTROL, HAN_RANGES, HAN_SIGN, printable

MOST = 64  # characters of a column's name or an id that are shown
WORDS = 7  # more of them are a sentence, and no name of a column
HAN_WORDS = 16  # characters of Chinese
_NAMES_OF_A_LIST = 20

_DATE = re.compile(
    r"(?<!\d)(?:"
    r"(?:19|20)\d\d([-_./ ]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])"
    r"|\d{1,2}([-_./])\d{1,2}\2(?:19|20)?\d\d"
    r"|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d"
    r"|(?:19|20)\d\d年\d{1,2}月"
    r")(?!\d)"
)
_NUMBER = re.compile(r"[-+]?[\d\s.,:/%-]*\d[\d\s.,:/%-]*")
_LONG_NUMBER = re.compile(r"(?<![\dA-Fa-f])\d{7,}(?![\dA-Fa-f])|(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")
_MAIL = re.compile(r"[^\s@]@[^\s@]")
_SENTENCE = re.compile(r"[.!?;]\s+\S|[。！？；，]|[a-z]{4}[.!?]$|\s\S+\s\S+[.!?]$")
_FRACTION = re.compile(r"\d{2,}/\d{2,}")
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|Sr|Sra|Dra|Dhr|Mevr)\.", re.IGNORECASE)
# A name, perhaps with a number behind it.
_HAN_NAME = re.compile(rf"(?<![{HAN_RANGES}])[{HAN_RANGES}]{{2,4}}[〇零一二三四五六七八九十]*(?![{HAN_RANGES}])")
_WORD = re.compile(r"[^\W\d_]+")
_JOINT = re.compile(r"[\s_.,+-]{1,3}")
# Words that stand in ordinary names of files beside each other, with capitals.
_ORDINARY = frozenset(
    re.findall(
        r"\w+",
        "note notes report reports progress discharge summary letter admission clinic clinical ward patient doc "
        "document file text nursing nurse operation operative radiology pathology consult consultation referral visit "
        "history exam lab labs final draft copy new old page part batch case record january february march april may "
        "june july august september october november december nota informe alta carta brief verslag notitie ontslag "
        "test sample ",
    )
)
_OF_COLUMNS = frozenset(
    re.findall(
        r"\w+",
        "name names first last middle given family number date time id type code status text period value unit units "
        "score rate level class group mark sex gender age country state city street address phone title role ",
    )
)
_HAN_ORDINARY = re.compile("[病历记录报告检查院门诊护科文本摘要小结随访手术测试]")


def column(name: str, number: int = 0) -> str:
    """The name of a column as it may be shown; of one that reads like data, its place in the table and its size."""
    if why := like_data(name):
        which = f"column {number}" if number else "a column"
        return f"{which} (name not shown: {len(name):,} characters, {why})"
    return name


def columns(names: Sequence[str]) -> str:
    """The columns of a table in the words of a message."""
    shown = [column(name, number) for number, name in enumerate(names[:_NAMES_OF_A_LIST], 1)]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def ident(id: str) -> str:
    """An id as it may be shown: cut, escaped, and not at all if it seems to name a person."""
    if told := tells(id):
        return f"(id not shown: {len(id):,} characters, {told})"
    return printable(id if len(id) <= MOST else f"{id[:MOST]}…")


def place(path: object) -> str:
    """A path as it may be shown."""
    return printable(str(path))


def like_data(name: str) -> str:
    """Why a column's name is none but a cell, "" if it may be a name."""
    plain = name.strip()
    if not plain:
        return ""
    if CONTROL.search(plain):
        return "with control characters or line breaks"
    if len(plain) > MOST:
        return "long"
    if len(plain.split()) > WORDS or len(HAN_SIGN.findall(plain)) > HAN_WORDS:
        return "many words"
    if _DATE.search(plain):
        return "a date"
    if _NUMBER.fullmatch(plain) or _LONG_NUMBER.search(plain) or _FRACTION.search(plain):
        return "a number"
    if _MAIL.search(plain):
        return "an address"
    if _SENTENCE.search(plain) or _TITLE.search(plain):
        return "like a sentence"
    return "like a person's name" if _is_full_name(plain) else ""


def tells(id: str) -> str:
    """What an id seems to tell of a person: "a date", "a long number", "a name"; "" if nothing."""
    if _DATE.search(id):
        return "a date"
    if _LONG_NUMBER.search(id):
        return "a long number"
    return "a name" if _names(id) else ""


def _is_full_name(name: str) -> bool:
    """Two or three words with capitals, one of them a given name, and none that stands in names of columns."""
    words = name.replace(",", " ").split()
    if not 2 <= len(words) <= 3 or not all(word.istitle() and _WORD.fullmatch(word) for word in words):
        return False
    plain = {word.casefold() for word in words}
    return bool(plain & _listed("given-names")) and not plain & (_ORDINARY | _OF_COLUMNS)


def _names(id: str) -> bool:
    """Whether two words that stand together read like a person's name."""
    words = list(_WORD.finditer(id))
    for one, other in pairwise(words):
        if not _JOINT.fullmatch(id, one.end(), other.start()) or min(len(one[0]), len(other[0])) < 2:
            continue
        both = {one[0].casefold(), other[0].casefold()}
        if both & _ORDINARY:
            continue
        if (one[0].istitle() and other[0].istitle()) or both & _listed("given-names"):
            return True
    return any(not _HAN_ORDINARY.search(found[0]) for found in _HAN_NAME.finditer(id))


@cache
def _listed(name: str) -> frozenset[str]:
    """The words of a list of the languages that come with elision, in small letters. `elision.languages` needs
    documents, and these need this module."""
    lists = (Path(__file__).parent / "languages").glob(f"*/rules/{name}.txt")
    words = (line.strip() for file in lists for line in file.read_text("utf-8").splitlines())
    return frozenset(word.casefold() for word in words if word)
