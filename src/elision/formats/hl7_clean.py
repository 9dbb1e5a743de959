"""What stays of an HL7 v2 message besides its texts. Segments and fields that are not named here are dropped.

| Segment | What stays |
|---|---|
| MSH | delimiters, time, type, control id, processing id, version, character set |
| FHS, BHS | delimiters, control id; BTS and FTS are counted anew |
| EVN | event, times |
| PID | the first of PID-3 as a pseudonym, sex |
| PV1 | class, visit number as a pseudonym, times |
| ORC, OBR, TXA | codes of HL7, numbers of orders and documents as pseudonyms, times, LOINC codes |
| OBX with text, NTE | type, LOINC code, sub-id, status, time, and the text |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from elision.formats.fhir_clean import is_loinc
from elision.formats.records import Renaming

Rule = Callable[[str, str, Renaming], str]  # of a field as it stands, its component mark; "" if nothing stays
_TIME = re.compile(r"\d{8}(?:\d{2}(?:\d{2}(?:\d{2}(?:\.\d{1,4})?)?)?)?(?:[+-]\d{4})?")
_TYPES = (
    "ACK", "ADT", "BAR", "DFT", "MDM", "MFN", "OMG", "OML", "ORM", "ORR", "ORU", "OUL", "PPR", "RDE", "REF",
    "SIU", "VXU",
)  # fmt: skip
_FIELDS = 40  # of a segment; those behind are never ours


def _of(pattern: str) -> Rule:
    whole = re.compile(pattern)
    return lambda value, _, __: value if whole.fullmatch(value) else ""


def _time(value: str, mark: str, renaming: Renaming) -> str:
    time = value.split(mark)[0]
    return (renaming.moved(time) or "") if _TIME.fullmatch(time) else ""


def _id(value: str, mark: str, renaming: Renaming) -> str:
    return renaming.link(value.split(mark)[0]) or ""


def _patient(_: str, __: str, renaming: Renaming) -> str:
    return renaming.link(renaming.patient) or ""


def _code(value: str, mark: str, _: Renaming) -> str:
    code, _name, system = [*value.split(mark), "", ""][:3]
    return f"{code}{mark * 2}LN" if system == "LN" and is_loinc(code) else ""


def _type(value: str, mark: str, _: Renaming) -> str:
    kind, event, structure = [*value.split(mark), "", ""][:3]
    fits = kind in _TYPES and re.fullmatch("[A-Z][0-9]{2}|", event)
    fits = fits and re.fullmatch(rf"(?:{kind}(?:_[A-Z][0-9]{{2}})?)?", structure)
    return value if fits and value.count(mark) <= 2 else ""


_NUMBER, _LETTER, _ACKNOWLEDGED = _of("[0-9]{1,4}"), _of("[A-Z]"), _of("AL|NE|ER|SU")
_HEADER: dict[int, Rule] = {11: _id}  # its time is nobody's, and cannot move with a note
FRAMES = ("FHS", "BHS")
RULES: dict[str, dict[int, Rule]] = {
    "FHS": _HEADER,
    "BHS": _HEADER,
    "MSH": {
        7: _time,
        9: _type,
        10: _id,
        11: _of("[DPT]"),
        12: _of("2(?:\\.[0-9]){0,2}"),
        15: _ACKNOWLEDGED,
        16: _ACKNOWLEDGED,
    },
    "EVN": {1: _of("[A-Z][0-9]{2}"), 2: _time, 6: _time},
    "PID": {1: _NUMBER, 3: _patient, 8: _of("[AFMNOU]")},
    "PV1": {1: _NUMBER, 2: _of("[BCEINOPRU]"), 19: _id, 44: _time, 45: _time},
    "ORC": {
        1: _of("CA|CN|CR|DC|NW|OC|OE|OK|PA|RE|RO|SC|SN|SR|UA|XO"),
        2: _id,
        3: _id,
        5: _of("A|CA|CM|DC|ER|HD|IP|RP|SC"),
        9: _time,
    },
    "OBR": {1: _NUMBER, 2: _id, 3: _id, 4: _code, 7: _time, 8: _time, 14: _time, 22: _time, 25: _LETTER},
    "TXA": {
        1: _NUMBER,
        2: _of("AR|CD|CN|DI|DS|ED|FA|HP|OP|PC|PH|PN|PR|SP|TS"),
        3: _of("AP|AU|FT|IM|TX"),
        4: _time,
        6: _time,
        7: _time,
        8: _time,
        12: _id,
        13: _id,
        17: _of("AU|DI|DO|IN|IP|LA|PA"),
        19: _of("AV|CA|OB|UN"),
    },
    "OBX": {
        1: _NUMBER,
        2: _of("TX|FT|ST"),
        3: _code,
        4: _of("[0-9]{1,3}(?:\\.[0-9]{1,3}){0,3}"),
        11: _LETTER,
        14: _time,
    },
    "NTE": {1: _NUMBER, 2: _of("[LOP]")},
}


def segment(fields: Sequence[Any], mark: str, renaming: Renaming) -> list[Any] | None:
    """What stays of a segment, its fields numbered as HL7 does; None if nothing does. A field that is a number stands
    for so many texts, and stays."""
    rules = RULES.get(str(fields[0]))
    if rules is None or (fields[0] in ("OBX", "NTE") and not any(isinstance(field, int) for field in fields)):
        return None
    kept: list[Any] = [fields[0]]
    for number, value in enumerate(fields[1 : _FIELDS + 1], 1):
        is_text = isinstance(value, int)
        kept.append(value if is_text else rules[number](value, mark, renaming) if number in rules and value else "")
    while kept[-1] == "":
        kept.pop()
    return kept
