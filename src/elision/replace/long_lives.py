"""Whether a year tells that somebody is older than may be said (45 CFR 164.514(b)(2)(i)(C)).

Years are compared with the latest of the note and with today: "born 1921" tells it in a note without another year.
Who married in a year was no child then, and who retired was well over forty. Where the note says that somebody is so
old, only the years around the note itself stay. A year of two digits is read as the last such year; where somebody may
have been born a century before that, both count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cached_property

from elision.detect.markup import bare
from elision.document import Document, Span
from elision.labels import parent
from elision.languages.base import DEFAULT

RECENT = 10  # years before the latest that stay in the note of somebody very old
GROWN, LATE = 16, 45  # how old somebody was at least who married, or who retired
LONGEST = 120  # years of a life
_NEAR = 40  # characters before or behind a year in which such a word may stand
_CLAUSE = re.compile(r"[.;\n。；]")
_FULL = re.compile(r"(?<![0-9])(?:1[89]|2[01])[0-9]{2}(?![0-9])")
_SHORT = re.compile(r"(?<![0-9])[0-9]{2}(?![0-9])")
_BORN = re.compile(
    r"(?i)\b(?:born|birth\w*|dob|d\.o\.b|class of|nacid[oa]|naci[oó]|nacimiento|f\.? ?n(?:ac)?|quinta del?|geboren"
    r"|geb|geboorte\w*|gebdat\w*|lichting)\b|出生|生于|生於"
)
_GROWN = re.compile(
    r"(?i)\b(?:marri(?:ed|age)|wed(?:ding)?|widow\w*|divorc\w+|graduat\w+|enlist\w+|drafted|served?|veteran|army|navy"
    r"|college|university|her (?:son|daughter)|his (?:son|daughter)|first child|class of|smok\w+|worked|employed"
    r"|cas(?:ad[oa]|ó)|boda|matrimonio|viud[oa]|enviud\w+|divorci\w+|servicio militar|mili|universidad|licenci\w+"
    r"|fum(?:ador|adora|a|aba)|trabaj\w+|quinta del?"
    r"|getrouwd|trouwde|huwelijk|gehuwd|weduw\w*|gescheiden|dienst(?:tijd|plicht)?|studeerde|afgestudeerd|rookt\w*|lichting"
    r"|werkte|gewerkt)\b"
    r"|结婚|結婚|离婚|離婚|丧偶|喪偶|参军|參軍|入伍|毕业|畢業|参加工作|參加工作|吸烟|抽烟"
)
_LATE = re.compile(r"(?i)\b(?:retire[ds]?|retirement|jubil\w+|pensioen|gepensioneerd|met de vut)\b|退休")


class Life:
    """The years of a note, and how old somebody in it must be."""

    def __init__(self, document: Document, over: int, this_year: int = 0) -> None:
        self.document = document
        self.over = over
        self.this_year = this_year or date.today().year

    @cached_property
    def first(self) -> int | None:
        """The first year that stands in dates of the note."""
        from elision.replace.dates import years_in

        language = self.document.language or DEFAULT
        return min((year for span in self._dates for year in years_in(self._said(span), language)), default=None)

    @cached_property
    def latest(self) -> int:
        """The latest year that stands in full in dates of the note, or this year."""
        texts = map(self._said, self._dates)
        return max((self.this_year, *(int(year) for text in texts for year in _FULL.findall(text))))

    @property
    def century(self) -> int:
        """What `elision.replace.dates` takes for the note's year, so that years of two digits are not in the future."""
        return self.latest - 10

    @cached_property
    def recent(self) -> int:
        """From which year on years stay in the note of somebody very old."""
        written = max((year for span in self._dates for year in self._years_of(span)), default=0)
        return max(written - RECENT, self.this_year - 3 * RECENT)

    @cached_property
    def very_old(self) -> bool:
        """Whether the note says that somebody is older than may be said, by an age or a birth date."""
        from elision.replace.ages import age_over

        language = self.document.language or DEFAULT
        if any(age_over(self._said(span), language, self.over) for span in self.document.spans if span.label == "AGE"):
            return True
        births = (span for span in self._dates if span.label == "DATE_BIRTH")
        return any(self.latest - year > self.over for span in births for year in self._years_of(span))

    def tells(self, span: Span) -> bool:
        """Whether the years of a date tell that somebody is so old."""
        years = self._years_of(span)
        if not years:
            return False
        first = min(years)
        if self.latest - first > self.over or (self.very_old and (span.label == "DATE_BIRTH" or first < self.recent)):
            return True
        around = self._around(span)
        least = LATE if _LATE.search(around) else GROWN if _GROWN.search(around) else 0
        if self.latest - first + least > self.over:
            return True
        if not (least or span.label == "DATE_BIRTH" or _BORN.search(around)) or not self._is_short(span):
            return False
        return self.latest - first + least + 100 <= LONGEST  # born in '21: in which century?

    def _around(self, span: Span) -> str:
        """What stands before and behind a date in its clause."""
        text = self.document.text
        before = _CLAUSE.split(text[max(0, span.start - _NEAR) : span.start])[-1]
        return before + "\n" + _CLAUSE.split(text[span.end : span.end + _NEAR // 2])[0]

    @cached_property
    def _dates(self) -> Sequence[Span]:
        return [span for span in self.document.spans if parent(span.label) == "DATE"]

    def _years_of(self, span: Span) -> tuple[int, ...]:
        from elision.replace.dates import years_in

        return years_in(self._said(span), self.document.language or DEFAULT, year=self.century)

    def _is_short(self, span: Span) -> bool:
        text = self._said(span)
        return bool(_SHORT.search(text)) and not _FULL.search(text)

    def _said(self, span: Span) -> str:
        return bare(self.document.text_of(span))
