"""Whether a year tells that somebody is older than may be said (45 CFR 164.514(b)(2)(i)(C)).

Years are compared with the latest of the note and with today: "born 1921" tells it in a note without another year.
Who married in a year was no child then, and who retired was well over forty. Where the note says that somebody is so
old, only the years around the note itself stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property

from elision.detect.markup import bare
from elision.document import Document, Span
from elision.labels import parent

RECENT = 10  # years before the latest that stay in the note of somebody very old
GROWN, LATE = 16, 45  # how old somebody was at least who married, or who retired
_NEAR = 40  # characters before or behind a year in which such a word may stand
_CLAUSE = re.compile(r"[.;\n。；]")
_GROWN = re.compile(
    r"(?i)\b(?:marri(?:ed|age)|wed(?:ding)?|widow\w*|divorc\w+|graduat\w+|enlist\w+|drafted|served?|veteran|army|navy"
    r"|college|university|her (?:son|daughter)|his (?:son|daughter)|first child"
    r"|cas(?:ad[oa]|ó)|boda|matrimonio|viud[oa]|enviud\w+|divorci\w+|servicio militar|mili|universidad|licenci\w+"
    r"|getrouwd|trouwde|huwelijk|gehuwd|weduw\w*|gescheiden|dienst(?:tijd|plicht)?|studeerde|afgestudeerd)\b"
    r"|结婚|結婚|离婚|離婚|丧偶|喪偶|参军|參軍|入伍|毕业|畢業|参加工作"
)
_LATE = re.compile(r"(?i)\b(?:retire[ds]?|retirement|jubil\w+|pensioen|gepensioneerd|met de vut)\b|退休")


class Life:
    """The years of a note, and how old somebody in it must be."""

    def __init__(self, document: Document, over: int, this_year: int = 0) -> None:
        self.document = document
        self.over = over
        self.this_year = this_year or date.today().year

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The years that stand in dates of the note."""
        return tuple(year for span in self._dates for year in self._years_of(span))

    @cached_property
    def latest(self) -> int:
        return max((self.this_year, *self.years))

    @cached_property
    def very_old(self) -> bool:
        """Whether the note says that somebody is older than may be said, by an age or a birth date."""
        from elision.replace.ages import age_over

        text, language = self.document.text_of, self.document.language or "en"
        if any(age_over(bare(text(span)), language, self.over) for span in self.document.spans if span.label == "AGE"):
            return True
        births = (span for span in self._dates if span.label == "DATE_BIRTH")
        return any(self._too_long_ago(self._years_of(span)) for span in births)

    def tells(self, span: Span) -> bool:
        """Whether the years of a date tell that somebody is so old."""
        years = self._years_of(span)
        if self._too_long_ago(years) or (span.label == "DATE_BIRTH" and self.very_old):
            return True
        if self.very_old and any(
            year < max(self.years) - RECENT or year < self.this_year - 3 * RECENT for year in years
        ):
            return True
        if not years or min(years) > self.latest - self.over + LATE:
            return False
        text = self.document.text
        before = _CLAUSE.split(text[max(0, span.start - _NEAR) : span.start])[-1]
        around = before + "\n" + _CLAUSE.split(text[span.end : span.end + _NEAR // 2])[0]
        least = LATE if _LATE.search(around) else GROWN if _GROWN.search(around) else 0
        return self._too_long_ago(year - least for year in years)

    def _too_long_ago(self, years: Iterable[int]) -> bool:
        return any(self.latest - year > self.over for year in years)

    @cached_property
    def _dates(self) -> Sequence[Span]:
        return [span for span in self.document.spans if parent(span.label) == "DATE"]

    def _years_of(self, span: Span) -> tuple[int, ...]:
        from elision.replace.dates import years_in

        return years_in(bare(self.document.text_of(span)), self.document.language or "en")
