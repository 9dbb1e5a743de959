"""Skeletons of whole corpora: their words counted, a note beside its skeleton, and two corpora compared.

Words are counted with DIGIT in place of each digit, as the paper has them. What is listed of a corpus stands in the
notes of `least` patients or more (of notes, where patients are not known): a word that is frequent may still be a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from elision.document import Document
from elision.taggers.batch import Tokenize
from elision.taggers.corpus import groups_of
from elision.taggers.neural.skeleton import UNKNOWN, Skeleton, digits

Through = Callable[[Iterable[Document]], Iterable[Document]]  # who watches notes as they are gone through


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each item stands in a corpus, and in the notes of how many patients."""

    counts: Mapping[str, int]
    patients: Mapping[str, int]
    total: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus with its words, its skeleton and the lines of that."""

    notes: int
    patients: int
    words: Tally
    skeleton: Skeleton
    lines: Tally


@dataclass(frozen=True, slots=True)
class Side:
    """The figures of one of two corpora."""

    notes: int
    patients: int
    tokens: int
    vocabulary: int
    threshold: int
    skeleton: int  # words
    not_listed: int  # of these, as too few patients have them
    kept: float  # share of the tokens that its own skeleton keeps
    kept_by_the_other: float


@dataclass(frozen=True, slots=True)
class Listed:
    """The most frequent words or lines, with how many there are in a thousand of each corpus."""

    both: tuple[tuple[str, float, float], ...]
    first: tuple[tuple[str, float], ...]  # in the first corpus only
    second: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two skeletons beside one another."""

    first: Side
    second: Side
    jaccard: float  # words in both skeletons, as a share of those in either
    least: int
    words: Listed
    lines: Listed


def count_words(documents: Sequence[Document], cut: Tokenize, through: Through = iter) -> Tally:
    """The words of a corpus."""
    return _tally(documents, lambda note: map(digits, cut(note.text, note.language).texts(note.text)), through)


def corpus_of(
    documents: Sequence[Document], cut: Tokenize, words: Tally, skeleton: Skeleton, through: Through = iter
) -> Corpus:
    """A corpus with what was counted in it, and the lines of its skeleton in which some word stays."""

    def lines(note: Document) -> Iterator[str]:
        for line in skeleton_of(note, cut, skeleton).split("\n"):
            if line.replace(UNKNOWN, "").strip():
                yield " ".join(line.split())

    patients = len(set(groups_of(documents).tolist()))
    return Corpus(len(documents), patients, words, skeleton, _tally(documents, lines, through))


def skeleton_of(note: Document, cut: Tokenize, skeleton: Skeleton) -> str:
    """The text of a note with UNKNOWN in place of each word that does not stay."""
    text, tokens = note.text, cut(note.text, note.language)
    kept = skeleton.of(digits(word) for word in tokens.texts(text))
    parts, at = [], 0
    for start, end, word in zip(tokens.starts.tolist(), tokens.ends.tolist(), kept, strict=True):
        parts += [text[at:start], word]
        at = end
    return "".join([*parts, text[at:]])


def compare(first: Corpus, second: Corpus, *, least: int, most: int) -> Comparison:
    """Two corpora's skeletons: their sizes, what they share, and the `most` frequent words and lines of each kind."""
    one, other = first.skeleton.words, second.skeleton.words
    return Comparison(
        _side(first, other, least),
        _side(second, one, least),
        len(one & other) / len(one | other) if one or other else 1.0,
        least,
        _listed(first.words, second.words, one, other, least, most),
        _listed(first.lines, second.lines, {*first.lines.counts}, {*second.lines.counts}, least, most),
    )


def _tally(documents: Sequence[Document], items_of: Callable[[Document], Iterable[str]], through: Through) -> Tally:
    counts: Counter[str] = Counter()
    patients: Counter[str] = Counter()
    last: dict[str, int] = {}
    groups = groups_of(documents).tolist()
    order = sorted(range(len(documents)), key=groups.__getitem__)  # the notes of a patient behind one another
    for at, note in zip(order, through(documents[at] for at in order), strict=True):
        items = list(items_of(note))
        counts.update(items)
        for item in {*items}:
            if last.get(item) != groups[at]:
                last[item] = groups[at]
                patients[item] += 1
    return Tally(counts, patients, counts.total())


def _side(corpus: Corpus, others: frozenset[str], least: int) -> Side:
    words, kept = corpus.words, corpus.skeleton.words
    return Side(
        corpus.notes,
        corpus.patients,
        words.total,
        len(words.counts),
        corpus.skeleton.threshold,
        len(kept),
        sum(words.patients[word] < least for word in kept),
        _share(words, kept),
        _share(words, others),
    )


def _share(words: Tally, kept: frozenset[str]) -> float:
    return sum(words.counts.get(word, 0) for word in kept) / words.total if words.total else 0.0


def _listed(
    first: Tally, second: Tally, one: frozenset[str] | set[str], other: frozenset[str] | set[str], least: int, most: int
) -> Listed:
    """What is in `one` and `other`, or in one of them, of which enough patients have each."""

    def often(tally: Tally, item: str) -> bool:
        return tally.patients.get(item, 0) >= least

    def rate(tally: Tally, item: str) -> float:
        return round(1000 * tally.counts[item] / tally.total, 2)

    def alone(tally: Tally, items: Iterable[str]) -> tuple[tuple[str, float], ...]:
        rows = [(item, rate(tally, item)) for item in items if often(tally, item)]
        return tuple(sorted(rows, key=lambda row: (-row[1], row[0]))[:most])

    both = [
        (item, rate(first, item), rate(second, item))
        for item in one & other
        if often(first, item) and often(second, item)
    ]
    both.sort(key=lambda row: (-row[1] - row[2], row[0]))
    return Listed(tuple(both[:most]), alone(first, one - other), alone(second, other - one))
