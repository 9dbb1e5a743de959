"""How much is to be feared in a note: about how many mistakes are to be expected in what was found there.

Three kinds of doubt count, and all of them add up:

- a span: one less its score, more where its label was often wrong before (weak labels);
- words that a model all but found: the highest chance among words that follow one another. What is found has chance 1,
  and counts as a span instead;
- a stretch on which detectors disagree: the likelier it is that two of them, drawn at random, say different things.

So another span, whatever its score, never lowers the risk. A long note has more risk than a short one, as it has more
to read. All numbers are finite: a score or a chance that is not a number counts as full doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from elision.document import Document, Span, covered

Weak = Mapping[str, float]  # by label, the share of its spans that were wrong before

LEAST, MOST = 0.02, 0.999  # a chance that is lower is no doubt; what a word has whose chance is not a number
_NO_WEAK: Weak = {}


def risk_of(
    spans: Iterable[Span],
    *,
    chances: Iterable[float] = (),
    found: Sequence[Iterable[Span]] = (),
    weak: Weak = _NO_WEAK,
) -> float:
    """The risk of a note with these spans. `chances` are those of its words, one after another; `found` is what each
    detector found by itself."""
    return sum(_doubts(spans, weak)) + sum(nearly_found(chances)) + sum(disagreements(found))


def risks(documents: Iterable[Document], weak: Weak = _NO_WEAK) -> list[float]:
    """The risk of notes of which only the spans and their scores are known."""
    return [risk_of(document.spans, weak=weak) for document in documents]


def _doubts(spans: Iterable[Span], weak: Weak) -> Iterator[float]:
    for span in spans:
        yield 1 - _share(span.score) * (1 - _share(weak.get(span.label, 0.0)))


def nearly_found(chances: Iterable[float]) -> Iterator[float]:
    """Of each run of words that are not found and not out of the question, the highest chance."""
    known = (chance if chance == chance else MOST for chance in chances)
    for doubted, run in groupby(map(_share, known), lambda chance: LEAST <= chance < 1):
        if doubted:
            yield max(run)


def disagreements(found: Sequence[Iterable[Span]]) -> Iterator[float]:
    """Of each stretch that some detectors cover and others do not, how likely two of them disagree: ½ at most."""
    sides = [covered(spans) for spans in found]
    moves = sorted((edge, step) for side in sides for begin, end in side for edge, step in ((begin, 1), (end, -1)))
    count, worst = 0, 0.0
    for (edge, step), (following, _) in pairwise([*moves, (-1, 0)]):
        count += step
        if following == edge:
            continue
        share = count / len(sides)
        worst = max(worst, 2 * share * (1 - share))
        if not count:
            if worst:
                yield worst
            worst = 0.0


def weak_labels(before: Iterable[Document], after: Iterable[Document]) -> dict[str, float]:
    """Of each label, the share of the spans that a reviewer did not leave as they were predicted.

    Two more spans, one right and one wrong, keep a label that was seen once from being all right or all wrong.
    """
    approved = {note.id: {(span.start, span.end, span.label) for span in note.spans} for note in after}
    seen: dict[str, int] = {}
    wrong: dict[str, int] = {}
    for note in before:
        if note.id in approved:
            for span in note.spans:
                seen[span.label] = seen.get(span.label, 0) + 1
                left = (span.start, span.end, span.label) in approved[note.id]
                wrong[span.label] = wrong.get(span.label, 0) + (not left)
    return {label: (wrong[label] + 1) / (count + 2) for label, count in sorted(seen.items())}


def _share(value: float) -> float:
    """A number from 0 to 1; 0 for what is none, which is the most doubt that a score can say."""
    return min(1.0, max(0.0, value)) if value == value else 0.0
