"""What was found, with the rest of it: a value is hidden whole or it is not hidden.

Detectors find a part of a value at times: a surname without the given name, a number up to the first letter, the month
without its day. Here spans grow over what plainly belongs to them, each kind in its way. They stay disjoint, lose no
character but those between two addresses of e-mail, and never reach over a line's end but where the line was broken to
fit a width.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from elision.detect.whole_names import grown_name, joins
from elision.detect.whole_net import with_net_addresses
from elision.detect.whole_values import (
    Stretch,
    grown_code,
    grown_date,
    grown_number,
    grown_organization,
    grown_place,
    grown_zip,
    joins_dates,
)
from elision.document import Span
from elision.labels import parent
from elision.languages.base import code_of
from elision.languages.detection import any_of
from elision.merge import weakness

Grower = Callable[[Stretch], tuple[int, int]]
_OF_LABEL: dict[str, Grower | None] = {
    "USERNAME": grown_code, "INITIALS": None, "EMAIL": None, "URL": None, "IP": None, "PHONE": grown_number,
    "FAX": grown_number, "ORGANIZATION": grown_organization, "HOSPITAL": grown_organization,
    "CARE_FACILITY": grown_organization, "STREET": grown_place, "ADDRESS": grown_place, "ZIP": grown_zip,
}  # fmt: skip
_OF_PARENT: dict[str, Grower | None] = {
    "NAME": grown_name, "ID": grown_code, "DATE": grown_date, "AGE": grown_number,
}  # fmt: skip


def grown(text: str, spans: Sequence[Span], language: str = "") -> tuple[Span, ...]:
    """Disjoint, ascending spans, each with the rest of its value. Takes time in proportion to the text."""
    spoken = code_of(language)
    whole = with_net_addresses(text, spans)
    done: list[Span] = []
    for at, span in enumerate(whole):
        floor = done[-1].end if done else 0
        ceiling = whole[at + 1].start if at + 1 < len(whole) else len(text)
        span = _grown(text, span, floor, ceiling, spoken)
        if done and _one(text, done[-1], span, spoken):
            before = done.pop()
            stronger = min(before, span, key=weakness)
            span = replace(stronger, start=before.start, end=span.end)
            span = _grown(text, span, done[-1].end if done else 0, ceiling, spoken)
        done.append(span)
        end = span.end
        if span.label == "CITY" and (found := _COUNTRY_AFTER.match(text, end, min(ceiling, end + 8))):
            done.append(replace(span, start=found.start(1), end=found.end(1), label="COUNTRY"))
    return tuple(done)


def _grown(text: str, span: Span, floor: int, ceiling: int, language: str) -> Span:
    grower = _grower(span.label)
    edges = grower(Stretch(text, span.start, span.end, floor, ceiling, language)) if grower else None
    if edges is None or edges == (span.start, span.end):
        return span
    return replace(span, start=edges[0], end=edges[1])


# Behind a town: Lille (Fr).
_COUNTRY_AFTER = re.compile(rf" ?\(({any_of('country_signs')})\)")


_FAR = 32  # what lies further apart is never one
_WITHIN_A_WORD = re.compile(r"(?<![^\x00-\u024f])[^\w\s]?[A-Za-z0-9]{1,2}[^\w\s]?(?![^\x00-\u024f])")


def _one(text: str, first: Span, second: Span, language: str) -> bool:
    """Whether two names or dates beside each other, or two pieces of a word, are one."""
    if first.label != second.label or second.start - first.end > _FAR:
        return False
    if not _is_name(first.label) and _WITHIN_A_WORD.fullmatch(text, first.end, second.start):
        return True
    if first.label == "DATE":
        return joins_dates(text, (first.start, first.end), (second.start, second.end))
    return _is_name(first.label) and joins(text, first.end, second.start, language)


def _is_name(label: str) -> bool:
    return parent(label) == "NAME" and label not in ("INITIALS", "USERNAME")


@cache
def _grower(label: str) -> Grower | None:
    if label in _OF_LABEL:
        return _OF_LABEL[label]
    return _OF_PARENT.get(parent(label))
