"""Addresses of the net: one of which a part was found is hidden whole, and two are two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from elision.document import Span
from elision.languages.detection import any_of
from elision.text.characters import HAN_RANGES

_BEFORE_AT, _AFTER_AT = (
    re.compile(r"(?<![A-Za-zÀ-ɏ0-9_.%+'-])[A-Za-zÀ-ɏ0-9][A-Za-zÀ-ɏ0-9_.%+'-]{0,63}\Z"),
    re.compile(r"@(?=[0-9-]{0,20}[A-Za-zÀ-ɏ])[A-Za-zÀ-ɏ0-9-]{1,63}(?:\.[A-Za-zÀ-ɏ0-9-]{1,63}){0,8}"),
)
_URL = re.compile(
    rf"(?:[A-Za-z][A-Za-z0-9+.-]{{1,9}}://|(?<![\w.])[Ww]{{3}}\.)[^\s<>\"'，。；）)\]{HAN_RANGES}]{{1,2000}}"
)
_URL_END = ".,;:!?/"
_MOST_BEFORE_AT = 65
_MARKS = r"\-\s,;:/|&<>()、，；"
_BETWEEN = re.compile(
    rf"[{_MARKS}.。]{{0,8}}|[{_MARKS}]{{0,8}}(?:{any_of('between_addresses')})[{_MARKS}]{{0,8}}", re.IGNORECASE
)
Stretch = tuple[int, int, str]  # from, to, label


def with_net_addresses(text: str, spans: Sequence[Span]) -> Sequence[Span]:
    """Spans, and instead of what lies on a part of an e-mail or web address all of the address. Addresses of e-mail
    side by side are spans apart."""
    if not spans or not ("@" in text or "://" in text or "www." in text or "WWW." in text):
        return spans
    mails = list(_mails(text))
    touched = list(_touched(spans, sorted([*mails, *_urls(text)])))
    return list(_apart(text, _joined(spans, touched) if touched else spans, mails))


def _joined(spans: Sequence[Span], addresses: Sequence[Span]) -> list[Span]:
    net = frozenset(addresses)
    whole: list[Span] = []
    for span in sorted([*spans, *addresses], key=lambda span: (span.start, span.end)):
        if whole and span.start < whole[-1].end:
            stronger = span if span in net else whole[-1]
            whole[-1] = replace(stronger, start=whole[-1].start, end=max(whole[-1].end, span.end))
        else:
            whole.append(span)
    return whole


def _apart(text: str, spans: Iterable[Span], mails: Sequence[Stretch]) -> Iterator[Span]:
    """What stands before, between and behind addresses of e-mail is left out of their spans: or, commas."""
    at = 0
    for span in spans:
        inside: list[Stretch] = []
        while at < len(mails) and mails[at][1] <= span.end:
            if mails[at][0] >= span.start:
                inside.append(mails[at])
            at += 1
        if span.label != "EMAIL" or not inside:
            yield span
            continue
        start, end = inside[0][0], inside[-1][1]
        start = start if _BETWEEN.fullmatch(text, span.start, start) else span.start
        for (_, before, _), (behind, _, _) in pairwise(inside):
            if _BETWEEN.fullmatch(text, before, behind):
                yield replace(span, start=start, end=before)
                start = behind
        yield replace(span, start=start, end=end if _BETWEEN.fullmatch(text, end, span.end) else span.end)


def _touched(spans: Sequence[Span], stretches: Iterable[Stretch]) -> Iterator[Span]:
    """The addresses of which some spans cover a part."""
    at = 0
    for start, end, label in stretches:
        while at < len(spans) and spans[at].end <= start:
            at += 1
        if at < len(spans) and spans[at].start < end and not (spans[at].start <= start and end <= spans[at].end):
            yield Span(start, end, label, spans[at].score, spans[at].source)


def _mails(text: str) -> Iterator[Stretch]:
    at, done = text.find("@"), 0
    while at >= 0:
        after = _AFTER_AT.match(text, at)
        before = _BEFORE_AT.search(text[max(done, at - _MOST_BEFORE_AT) : at]) if after else None
        if before and after:
            done = after.end()
            yield at - len(before[0]), done, "EMAIL"
        at = text.find("@", at + 1)


def _urls(text: str) -> Iterator[Stretch]:
    for found in _URL.finditer(text):
        yield found.start(), found.start() + len(found[0].rstrip(_URL_END)), "URL"
