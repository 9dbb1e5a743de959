"""What was found, with the rest of it: a value is hidden whole or it is not hidden.

Detectors find a part of a value at times: a surname without the given name, a number up to the first letter, the month
without its day. Here spans grow over what plainly belongs to them, each kind in its way. They stay disjoint, never lose
a character, and never reach over a line's end but where the line was broken to fit a width.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from elision.detect.whole_names import grown_name, joins
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
from elision.text.characters import HAN_RANGES

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
    whole = _with_net_addresses(text, spans)
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


# -- addresses of the net

_BEFORE_AT, _AFTER_AT = (
    re.compile(r"(?<![A-Za-zÀ-ɏ0-9_.%+'-])[A-Za-zÀ-ɏ0-9][A-Za-zÀ-ɏ0-9_.%+'-]{0,63}\Z"),
    re.compile(r"@(?=[0-9-]{0,20}[A-Za-zÀ-ɏ])[A-Za-zÀ-ɏ0-9-]{1,63}(?:\.[A-Za-zÀ-ɏ0-9-]{1,63}){0,8}"),
)
_URL = re.compile(
    rf"(?:[A-Za-z][A-Za-z0-9+.-]{{1,9}}://|(?<![\w.])[Ww]{{3}}\.)[^\s<>\"'，。；）)\]{HAN_RANGES}]{{1,2000}}"
)
_URL_END = ".,;:!?/"
_MOST_BEFORE_AT = 65


def _with_net_addresses(text: str, spans: Sequence[Span]) -> Sequence[Span]:
    """Spans, and instead of what lies on a part of an e-mail or web address all of the address."""
    if not spans or not ("@" in text or "://" in text or "www." in text or "WWW." in text):
        return spans
    touched = list(_touched(spans, sorted([*_mails(text), *_urls(text)])))
    if not touched:
        return spans
    net = frozenset(touched)
    whole: list[Span] = []
    for span in sorted([*spans, *touched], key=lambda span: (span.start, span.end)):
        if whole and span.start < whole[-1].end:
            stronger = span if span in net else whole[-1]
            whole[-1] = replace(stronger, start=whole[-1].start, end=max(whole[-1].end, span.end))
        else:
            whole.append(span)
    return whole


def _touched(spans: Sequence[Span], stretches: Iterable[tuple[int, int, str]]) -> Iterator[Span]:
    """The addresses of which some spans cover a part."""
    at = 0
    for start, end, label in stretches:
        while at < len(spans) and spans[at].end <= start:
            at += 1
        if at < len(spans) and spans[at].start < end and not (spans[at].start <= start and end <= spans[at].end):
            yield Span(start, end, label, spans[at].score, spans[at].source)


def _mails(text: str) -> Iterator[tuple[int, int, str]]:
    at, done = text.find("@"), 0
    while at >= 0:
        after = _AFTER_AT.match(text, at)
        before = _BEFORE_AT.search(text[max(done, at - _MOST_BEFORE_AT) : at]) if after else None
        if before and after:
            done = after.end()
            yield at - len(before[0]), done, "EMAIL"
        at = text.find("@", at + 1)


def _urls(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _URL.finditer(text):
        yield found.start(), found.start() + len(found[0].rstrip(_URL_END)), "URL"
