"""A Chinese title that a name was found to end or to begin in the middle of."""

from __future__ import annotations

from elision.detect.stretch import Stretch
from elision.text.characters import is_han

# The longer before those that they hold.
_TITLES = (
    "副主任医师", "副主任护师", "副主任醫師", "主任医师", "主治医师", "主治医生", "住院医师", "住院医生", "规培医师",
    "实习医生", "值班医生", "主任护师", "主管护师", "主任醫師", "主治醫師", "住院醫師", "主任護師", "副主任",
    "护士长", "护理师", "副教授", "药剂师", "護士長", "護理師", "護理長", "藥劑師", "社工师", "社工師", "治疗师",
    "治療師", "心理师", "心理師", "营养师", "營養師", "主任", "医师", "医生", "大夫", "护士", "护师", "教授", "院长",
    "药师", "技师", "先生", "女士", "小姐", "太太", "夫人", "老师", "师傅", "醫師", "醫生", "護士", "護師", "院長",
    "藥師", "技師", "老師", "師傅", "阿姨", "奶奶", "爷爷", "爺爺", "同志",
)  # fmt: skip


def with_titles(part: Stretch) -> tuple[int, int]:
    """Where a name begins and ends, with the rest of a title that it cuts: 王主任医师 of 王主."""
    text, start, end, floor, ceiling, _ = part
    if is_han(text[end - 1]):
        end = _behind(text, start, end, ceiling)
    if is_han(text[start]):
        start = _before(text, start, end, floor)
    return start, end


def _behind(text: str, start: int, end: int, ceiling: int) -> int:
    for title in _TITLES:
        for inside in range(min(len(title) - 1, end - start - 1), 0, -1):
            reach = end + len(title) - inside
            if reach <= ceiling and text.startswith(title, end - inside):
                return reach
    return end


def _before(text: str, start: int, end: int, floor: int) -> int:
    for title in _TITLES:
        for inside in range(min(len(title) - 1, end - start - 1), 0, -1):
            at = start - len(title) + inside
            if at >= floor and text.startswith(title, at):
                return at
    return start
