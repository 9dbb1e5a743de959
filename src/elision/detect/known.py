"""Known values: what the record states about the patient, found in the note.

Names are found whole, in any order, by their parts, with initials; in spite of case, accents, endings and
slips (one in words of five letters and more, two from nine on). Dates are found in all usual forms, numbers in any
grouping, telephone numbers with and without their country, addresses by street, postcode and place. A value too
short or too common is searched more strictly, and so that nothing is lost, never passed over:

- A word of a name that is a common word (May, Rosa, Groot), or of one or two letters, counts beside another part or an
  initial of the name, or with a capital after a title or a word such as "Name:". Of three letters, it needs a capital.
  Of two, it needs a capital and no sign of an abbreviation or a value beside it: NG is Mei Ng, but in "NG tube".
- Common words are never taken for a misspelt name. A misspelt name alone needs a capital.
- Numbers of five or six digits are found whole or with dashes, dots and slashes, not with blanks; of four, as they
  are; of fewer, behind a word such as "MRN". Numbers have no slips.
- Words of a street count beside its number, a word such as "street", or each other; a place alone if it is one word.
- Day and month of birth count if the month is in words, or padded (03/05), or near a word of birth, and no other year.
- A single Chinese character counts only with a title, a mask, or 老, 小, 阿.
- More than `spelling.MOST_TWO` long words may have one slip each, not two.

Time is linear in the note and does not grow with the values; the tables are linear in the values.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from elision.detect.addresses import add_address
from elision.detect.codes import Codes
from elision.detect.dates import Dates
from elision.detect.index import Index, chains, open_units
from elision.detect.kinds import Kind, kind_of
from elision.detect.names import HanNames, add_name
from elision.detect.sequences import Found, dotted_initials, runs
from elision.detect.words import Ranges, Units, units_of
from elision.document import Document, Known, Span

_MIXED = "ADDRESS"


class Finder:
    """The known values of one patient, ready to be found in texts."""

    def __init__(self, known: Mapping[str, Iterable[str]], source: str = "known") -> None:
        self.kinds: list[tuple[str, str]] = []  # label and source by number; the lower number wins
        self._numbers: dict[tuple[str, str], int] = {}
        self.source = source
        self._names, self._places = Index(), Index()
        self._dotted: dict[str, int] = {}
        self._codes = Codes()
        self._dates = Dates({}, {}, {})
        self._han = HanNames({}, {}, {}, {})
        for name in sorted(known, key=_order):
            values = dict.fromkeys(known[name])
            if values:
                self._add(kind_of(name), values)
        self._names.close()
        self._places.close()

    @property
    def entries(self) -> int:
        """How much is held, in entries of tables."""
        parts = (self._names, self._places, self._codes, self._dates, self._han)
        return sum(part.entries for part in parts) + len(self._dotted)

    def spans(self, text: str, beyond: Sequence[tuple[int, int]] = ()) -> tuple[Span, ...]:
        """Where the values stand, in the order of the text. Spans of different kinds may overlap.

        What lies wholly in one of the stretches `beyond`, which are disjoint and ascend, is left out.
        """
        if not self.kinds or not text:
            return ()
        units = units_of(text, self._knows)
        spans = set()
        starts = [start for start, _ in beyond]
        for found in self._found(units, open_units(units, beyond) if beyond else None):
            start, end = units.view.original(found.start, found.end)
            at = bisect_right(starts, start) - 1
            if at < 0 or beyond[at][1] < end:
                label, source = self.kinds[found.kind]
                spans.add(Span(start, end, label, found.score, source))
        return tuple(sorted(spans, key=lambda span: (span.start, -span.end, span.label, span.source, -span.score)))

    def _knows(self, key: str) -> bool:
        return self._names.look(key) is not None or self._places.look(key) is not None

    def _found(self, units: Units, unseen: Ranges | None) -> Iterator[Found]:
        for index in (self._names, self._places):
            if index.words:
                within = None if unseen is None else chains(units, index, unseen)
                yield from runs(units, index, within, places=index is self._places)
        yield from dotted_initials(units, self._dotted)
        for part in (self._codes, self._dates, self._han):
            yield from part.find(units)

    def _add(self, kind: Kind, values: Iterable[str]) -> None:
        if kind.how == "address":
            wanted = ("STREET", "CITY", "ZIP") if kind.label == _MIXED else (kind.label,) * 3
            street, place, post = (self._number(kind, label) for label in wanted)
            for value in values:
                for code, number in add_address(self._places, value, (street, place, post)):
                    self._codes.add(code, number, 0.9)
            return
        number = self._number(kind, kind.label)
        if kind.how == "name":
            for value in values:
                add_name(self._names, self._dotted, value, number)
                self._han.add(value, number)
        elif kind.how == "date":
            for value in values:
                if not self._dates.add(value, number, birth=kind.label == "DATE_BIRTH"):
                    self._codes.add(value, number)
        else:
            add = {"phone": self._codes.add_phone, "email": self._codes.add_email}.get(kind.how, self._codes.add)
            for value in values:
                add(value, number)

    def _number(self, kind: Kind, label: str) -> int:
        number = self._numbers.setdefault((label, kind.name), len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append((label, f"{self.source}:{kind.name}"))
        return number


def _order(name: str) -> tuple[bool, str]:
    """The patient's own names win over others'."""
    return kind_of(name).label != "NAME_PATIENT", name


class KnownValues:
    """A detector of what the record states: `KnownValues().detect(documents)`.

    What was made ready for a patient is kept for the other notes of the call, and the last for the next call.
    """

    name, version = "KnownValues", ""

    def __init__(self) -> None:
        self._last: tuple[Known, Finder] | None = None

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        whose: dict[str, list[int]] = {}
        for number, document in enumerate(documents):
            if document.known:
                whose.setdefault(document.patient or f"\0{number}", []).append(number)
        found: list[tuple[Span, ...]] = [()] * len(documents)
        for numbers in whose.values():  # one patient's notes together, as what is known is most often the same
            for number in numbers:
                found[number] = self._finder(documents[number].known).spans(documents[number].text)
        return found

    def _finder(self, known: Known) -> Finder:
        last = self._last
        if last is None or (last[0] is not known and last[0] != known):
            self._last = last = known, Finder(known)
        return last[1]
