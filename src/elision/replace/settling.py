"""Which spans of a note are replaced: what was found or is denied, each over the whole of its value, and wherever it
stands again; but what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from elision.detect.doubt import Doubt
from elision.detect.whole import grown
from elision.document import Document, Span
from elision.merge import merge, tidy
from elision.policy import Policy
from elision.replace.beside import feasts_in, with_titles, without_titles
from elision.replace.listed import Listed, Lists
from elision.replace.originals import Originals
from elision.replace.staying import Staying
from elision.replace.sweep import overlooked_in

SWEPT_FROM = 0.3  # the score of a find whose words are looked for with no more doubt than usual
SWEEPS = 3  # what the first one adds may stand elsewhere in other letters; what is left after the last holds the note


class Settled(NamedTuple):
    """A note with the spans that are replaced in it, what of it must not come out, how much the sweep added, what it
    left, where the letters of an original are doubted to be one, and what lists of words say of the note."""

    document: Document
    originals: Originals
    swept: int
    spared: list[tuple[int, int]]
    listed: Listed
    let_go: frozenset[tuple[int, int]]  # what was found and is let go, since its words are allowed

    @property
    def counts(self) -> dict[str, int]:
        """What receipts count beside what was done with labels."""
        denied = sum(map(self.listed.touches, self.document.spans))
        return {"found-by-the-sweep": self.swept, "left-as-allowed": len(self.let_go), "removed-as-denied": denied}


class Settling:
    """Settles notes by a policy and lists of words."""

    def __init__(self, policy: Policy, lists: Lists, doubt: Doubt) -> None:
        self._policy, self._lists, self._doubt = policy, lists, doubt

    def __call__(self, document: Document, found: Sequence[Span], listed: Listed | None = None) -> Settled:
        """The note with these spans: found or denied, merged, grown, swept, and not allowed."""
        listed = listed or self._lists.of(document, found)
        feasts = feasts_in(document) if self._policy.tells_little_of_dates else ()
        whole = _whole(document, (*listed.with_denied(found), *feasts))
        spans = listed.without_allowed(whole)
        before, originals = self._titled(document, spans, listed)
        swept, gone = 0, _stretches(whole) - _stretches(spans)
        for _ in range(SWEEPS):
            overlooked, spared = overlooked_in(before, originals, self._doubt)
            if not overlooked:
                break
            swept += len(overlooked)
            spans = _whole(document, (*spans, *overlooked))
            before, originals = self._titled(document, spans, listed)
        left = listed.without_allowed(spans)
        if len(left) < len(spans):
            before, originals = self._titled(document, left, listed)
            swept -= len(spans) - len(left)
        return Settled(before, originals, swept, spared, listed, gone | (_stretches(spans) - _stretches(left)))

    def _titled(self, document: Document, spans: Sequence[Span], listed: Listed) -> tuple[Document, Originals]:
        """The note with its titles beside names or in them, and what of it must not come out: the originals of all
        that does not stay. "Professor" is none of them, whether it is hidden with a name or not."""
        before = document.with_spans(without_titles(document.text, spans))
        stays = Staying(before, self._policy, listed.touches)
        goes = [(span.label, before.text_of(span)) for span in before.spans if not stays(span)]
        surely = {(span.label, before.text_of(span)) for span in before.spans if span.score >= SWEPT_FROM}
        originals = Originals(goes, before.language, frozenset(goes) - surely)
        if self._policy.titles == "hide":
            before = document.with_spans(with_titles(document.text, before.spans))
        return before, originals


def _stretches(spans: Iterable[Span]) -> frozenset[tuple[int, int]]:
    return frozenset((span.start, span.end) for span in spans)


def _whole(document: Document, found: Iterable[Span]) -> tuple[Span, ...]:
    """Disjoint spans, each over the whole of its value."""
    return grown(document.text, tidy(document.text, merge(found)), document.language)
