"""What to do about a note that is held, by the reason. Every reason has an answer; none quotes a note."""

from __future__ import annotations

from typing import Any

from elision.languages.telling.deciding import advice
from elision.limits import DIED, MEMORY, TIMEOUT
from elision.pipeline import Cleaned

_RETRY = "then try it again"  # how that is done is another thing in each kind of run
_REPORT = "read the note and report this, if you can with a note made up like it"
_BY_REASON = {
    "original-remains": f"look at this place: it may be a word that is no identifier, or one that was found in part; "
    f"name it with --rules or a known value, {_RETRY}",
    "denied-word-remains": "text that stays makes a word that is denied with a stand-in beside it; tag this label in "
    "the policy, and run anew",
    "stand-in-is-original": "the stand-in is the original by chance; tag this label in the policy, and run anew",
    "stand-in-is-known-value": "the stand-in is somebody's known value by chance; tag this label in the policy, and "
    "run anew",
    "label-without-rule": "give the policy a rule for all labels, and run anew",
    "known-values-unreadable": "put the cell of known values right, and run anew",
    "not-utf-8": "if the input has another encoding, say so (--encoding cp1252), and run anew; else put the row right",
    "row-unreadable": "put the row right in the input, and run anew",
    "file-unreadable": "see that the file is there, may be read and is not too large, and run anew",
    "too-long": f"allow longer notes with --max-mb, {_RETRY}",
    TIMEOUT: f"allow more time with --seconds-per-note, {_RETRY}",
    MEMORY: f"allow more memory with --memory-per-note, {_RETRY}",
    DIED: f"see that the machine has memory left, {_RETRY}, with --workers 1",
}


def told_of(one: Cleaned) -> dict[str, Any]:
    """The label and the place over which a note is held, where the check tells them, and what to do next."""
    wrong = one.wrong
    place = {"label": wrong.label, "start": wrong.start, "end": wrong.end} if wrong and wrong.end else {}
    return {**place, "next": next_for(one.receipt.why)}


def next_for(why: str) -> str:
    """What to do next about a note that is held for this reason."""
    if told := _BY_REASON.get(why) or _language(why):
        return told
    if why.startswith("not-text"):
        return "make plain text of it, and run anew"
    return f"{_REPORT}; a later version may know it: {_RETRY}"


def _language(why: str) -> str:
    told = advice(why)
    return f"{told}, {_RETRY}" if told else ""
