"""What Dutch knows of ages."""

from __future__ import annotations

import re

from elision.languages.ages import MOST, Ages, Said

_NL = (
    "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien "
    "achttien negentien"
)
_NL_NTH = "nulde eerste tweede derde vierde vijfde zesde zevende achtste"
_NL_TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig"
_STEMS = {
    "twintiger": 20, "dertiger": 30, "veertiger": 40, "vijftiger": 50, "zestiger": 60, "zeventiger": 70,
    "tachtiger": 80, "negentiger": 90, "honderdjarige": 100, "eeuweling": 100,
}  # fmt: skip


def _words() -> Said:
    known = {said: (value, value, "") for value in range(MOST + 1) for said in dutch(value)}
    known["één"] = (1, 1, "")
    known |= {said: (value, value, "nth") for value in range(1, MOST + 1) for said in _ordinals(value)}
    for at, ten in enumerate(_NL_TENS.split(), 2):
        for before in ("begin", "midden", "eind", "half", "medio", "in de", "ver in de", "rond de", "tegen de"):
            known[f"{before} {ten}"] = (10 * at, 10 * at + 9, "decade")
    return known


def _ordinals(value: int) -> list[str]:
    """derde, dertiende, eenentwintigste, honderdtweede."""
    few, last = _NL_NTH.split(), value % 100
    if 0 < last < len(few):
        return [few[last]] if value < 100 else ["honderd" + few[last], "honderd" + "en" + few[last]]
    return [f"{one}{'de' if 0 < last < 20 else 'ste'}" for one in dutch(value)]


def dutch(value: int) -> list[str]:
    low = _NL.split()
    if value < 20:
        return [low[value]]
    if value < 100:
        ten, one = _NL_TENS.split()[value // 10 - 2], low[value % 10]
        return [f"{one}en{ten}", f"{one}ën{ten}"] if value % 10 else [ten]
    rests = dutch(value - 100) if value > 100 else [""]
    return (
        [f"honderd{link}{rest}" for rest in rests for link in ("", "en", " ", "en ", " en ")]
        if rests != [""]
        else ["honderd"]
    )


def _group(kind: str, least: int) -> str:
    return f"{least}+" if kind == "decade" else f"{least}-plusser"


AGES = Ages(
    words=_words,
    stems={stem: (years, "person") for stem, years in _STEMS.items()},
    joined=re.compile(r"(?!honderdjarige?n?$)(.+?)jarige?n?$"),
    group=_group,
    nth="{}e of later",
)
