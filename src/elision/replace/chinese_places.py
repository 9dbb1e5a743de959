"""Chinese places: 省 市 区 路 医院 and the like stay; their names become others of the same length."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from elision.replace.chinese_names import SIMPLE, TRADITIONAL, as_long, script_of
from elision.replace.choices import Choices, Scope
from elision.replace.name_lists import other_letter
from elision.replace.standins import choices, han, known, words
from elision.replace.words import digits, pick
from elision.text.characters import HAN_RANGES

_ADMIN = re.compile(r"(特别行政区|特別行政區|自治区|自治區|自治州|自治县|地区|街道|[省市区區县縣旗州盟镇鎮乡鄉])$")
_RUN = re.compile(rf"[{HAN_RANGES}]+|\d+|[A-Za-z]")
_NUMERALS = "一二三四五六七八九"
_NUMBERS = Choices(_NUMERALS)
_COUNTED = re.compile(r"([一二三四五六七八九]|\d+)(?=[号號栋棟单單楼樓层層室座幢组組段床区區病村队隊院])")


@cache
def _ends(label: str) -> re.Pattern[str]:
    """What stays, and before which the name of a place ends."""
    found = [*words(han(), "place.street-end"), *words(han(), "place.estate-end")]
    found += ["特别行政区", "特別行政區", "自治区", "自治區", "自治州", "地区", "街道", *"省市区區县縣旗州盟镇鎮乡鄉"]
    found += [*"号號栋棟室楼樓层層座幢组組段第之", "单元", "單元", "病区", "病區"]
    lists = {"DEPARTMENT": ("ward", "care"), "ROOM": ("ward", "care"), "ORGANIZATION": ("company", "care")}
    if label in {*lists, "HOSPITAL", "CARE_FACILITY"}:
        found += [word for name in lists.get(label, ("care",)) for word in words(han(), f"place.{name}")]
    return re.compile("|".join(sorted(set(found), key=lambda word: (-len(word), word))))


@cache
def _known(name: str) -> frozenset[str]:
    return frozenset(known(han(), name))


@cache
def _short_regions() -> frozenset[str]:
    """Autonomous regions by their short names: 广西."""
    return frozenset(re.sub("(?:壮族|回族|维吾尔)$", "", name) for name in _known("regions"))


@cache
def _prefixes() -> frozenset[str]:
    """Provinces and cities that may stand before another name without an ending: 北京协和."""
    lists = ("provinces", "counties-of-taiwan", f"cities{SIMPLE}", f"cities{TRADITIONAL}")
    return frozenset(name for listed in lists for name in _known(listed) if len(name) > 1) | _short_regions()


def chinese_place(text: str, scope: Scope, label: str, turn: int = 0) -> str | None:
    """Another place of the same kind and length."""
    script = script_of(text, scope.language)
    if label == "COUNTRY":
        return _country(text, scope, script, turn)
    moved, last = "", 0
    text_runs = list(_RUN.finditer(_COUNTED.sub(lambda run: _number(run[1], scope, turn), text)))
    source = text_runs[0].string if text_runs else text
    numbered = {match.start() for match in _COUNTED.finditer(source)}
    for run in text_runs:
        if run[0].isdigit():
            other: str | None = run[0] if run.start() in numbered else digits(run[0], scope, turn=turn)
        elif run[0].isascii():
            other = other_letter(run[0], scope)
        else:
            other = _han(run[0], scope, label, script, text, turn)
        if other is None:
            return None
        moved += source[last : run.start()] + other
        last = run.end()
    return moved + source[last:]


def _number(run: str, scope: Scope, turn: int) -> str:
    if run in _NUMERALS:
        return pick(_NUMBERS, scope, lambda c: c != run, "numeral", run, turn=turn) or run
    return digits(run, scope, turn=turn)


def _han(run: str, scope: Scope, label: str, script: str, own: str, turn: int) -> str | None:
    """A run of characters: endings stay, the names before them are replaced one by one."""
    moved, at = "", 0
    while at < len(run):
        end = next(iter(_ends(label).finditer(run, at)), None)
        if end and end.start() == at:
            moved, at = moved + end[0], end.end()
            continue
        if end and end.start() == at + 1 and end[0] in "市州区區县縣" and len(run) > at + 2:  # 沙市区, 通州区
            further = _ends(label).search(run, end.end())
            end = further if further and further.start() == end.end() else end
        stem = run[at : end.start() if end else len(run)]
        other = _stem(stem, end[0] if end else "", scope, label, script, own, turn)
        if other is None:
            return None
        moved, at = moved + other, at + len(stem)
    return moved


def _stem(stem: str, end: str, scope: Scope, label: str, script: str, own: str, turn: int) -> str | None:
    """Another name for a place, of as many characters where there is one."""
    if all(c in _NUMERALS + "十百零〇" for c in stem):
        return "".join(_number(c, scope, turn) if c in _NUMERALS else c for c in stem)
    head = next((stem[:size] for size in range(min(4, len(stem) - 1), 1, -1) if stem[:size] in _prefixes()), "")
    if head:
        first = _stem(head, "", scope, label, script, own, turn)
        rest = _stem(stem[len(head) :], end, scope, label, script, own, turn)
        return first + rest if first and rest else None
    listed = _list(stem, end, label, script)
    same, strange = as_long(listed, len(stem)), _strange(own)
    found = pick(same, scope, strange, "stem", stem, turn=turn)
    return found or pick(choices(han(), listed), scope, strange, "stem", stem, turn=turn)


def _strange(own: str) -> Callable[[str], bool]:
    """What is not in the original, and does not hold all of it."""
    return lambda name: name not in own and own not in name and not any(c in own for c in name[:1])


def _list(stem: str, end: str, label: str, script: str) -> str:
    """The list from which one is chosen, by what the name was and what stands behind it."""
    if end in words(han(), "place.street-end") or end in words(han(), "place.estate-end"):
        return f"street-stems{script}"
    if stem in _known(f"cities{TRADITIONAL}") and stem not in _known(f"cities{SIMPLE}"):
        script = TRADITIONAL
    if end.startswith("自治") and end != "自治县":
        return "regions"
    if end == "省" or stem in _known("provinces") or stem in _short_regions() or end.startswith(("特别", "特別")):
        return "counties-of-taiwan" if script else "provinces"
    if stem in _known(f"cities{script}") or end == "市" or (label in ("CITY", "LOCATION_OTHER") and not end):
        return f"cities{script}"
    if _ADMIN.search(end) or stem in _known(f"counties{script}"):
        return f"counties{script}"
    if label in ("HOSPITAL", "CARE_FACILITY", "ORGANIZATION", "DEPARTMENT", "ROOM"):
        return f"care-stems{script}"
    return f"street-stems{script}"


def _country(text: str, scope: Scope, script: str, turn: int) -> str | None:
    return pick(choices(han(), f"countries{script}"), scope, _strange(text), "country", text, turn=turn)


def chinese_profession(text: str, scope: Scope, turn: int = 0) -> str | None:
    listed = choices(han(), f"professions{script_of(text, scope.language)}")
    return pick(listed, scope, _strange(text), "profession", text, turn=turn)


def chinese_nationality(text: str, scope: Scope, turn: int = 0) -> str | None:
    """Another people (回族, 回), religion, or country (with its 人 or 籍)."""
    faiths, peoples = choices(han(), "faiths"), choices(han(), "peoples")
    if text in faiths:
        return pick(faiths, scope, _strange(text.removesuffix("教")), "faith", text, turn=turn)
    if text.endswith("族") or text in peoples:
        stem = text.removesuffix("族")
        found = pick(peoples, scope, _strange(stem), "people", stem, turn=turn)
        return found and found + text[len(stem) :]
    tail = text[-1:] if text[-1:] in ("人", "籍") and len(text) > 1 else ""
    found = _country(text.removesuffix(tail), scope, script_of(text, scope.language), turn)
    return found and found + tail
