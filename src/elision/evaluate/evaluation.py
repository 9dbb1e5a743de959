"""One system against one gold standard: everything that `elision score` tells, as data.

Official and corrected scores stand side by side: the official ones can be compared with the literature, bugs included;
the corrected ones are what is true of these notes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from elision.document import Document, documents_of
from elision.errors import LabelError, ScoreError
from elision.evaluate.bounds import Proportion, at_most, clopper_pearson
from elision.evaluate.breakdown import Confusion, Row, label_rows, parent_rows, span_confusion, token_confusion
from elision.evaluate.coverage import Leaks, leaks
from elision.evaluate.errors import Errors, find_errors
from elision.evaluate.matching import Pair, pair_two, pair_up
from elision.evaluate.measures import NoteCounts, count, label_measures, measures
from elision.evaluate.official import Block, i2b2_2006, i2b2_2014, meddocan, nedap, table
from elision.evaluate.stats import Comparison, Interval, compare, intervals
from elision.evaluate.unmapped import unmapped
from elision.labels import TagSet, guess_tag_set, parent, tag_set

if TYPE_CHECKING:
    from pandas import DataFrame

SCHEMES = {
    "i2b2-2014": "i2b2/UTHealth 2014: strict, relaxed, token, HIPAA and binary, micro and macro",
    "i2b2-2006": "i2b2 2006: token and instance level, approximate (its program is not public)",
    "meddocan": "MEDDOCAN 2019: sub-task 1 with leak, sub-task 2 strict and merged",
    "nedap": "nedap/deidentify: entity level",
    "binary": "PHI tokens against all others, as TS-RNN reports; no official program",
    "span": "strict spans; no official program",
}
_ONE_SIDE = "notes that are on one side only do not count here"
_TAG_SETS = {"i2b2-2014": "i2b2-2014", "i2b2-2006": "i2b2-2006", "meddocan": "meddocan", "nedap": "nut"}


@dataclass(frozen=True, slots=True)
class Options:
    """How to score: all that can be chosen."""

    scheme: str = "span"
    tag_set: str = ""  # for the parents of labels; guessed from the labels if empty
    sentences: Mapping[str, int] | None = None  # for MEDDOCAN's leak; the organisers' counts if None
    keys: meddocan.Keys = "brat"  # what MEDDOCAN's program compares; in XML also the element and raw offsets
    without: Sequence[str] = ()  # labels to leave out of the average over labels
    replicates: int = 2_000
    shuffles: int = 9_999
    confidence: float = 0.95
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Official:
    """What the official program of the scheme prints, or why it prints nothing."""

    title: str = ""
    blocks: tuple[Block, ...] = ()
    text: str = ""  # as the program lays it out
    more: Mapping[str, str] = field(default_factory=dict)  # further figures: CodaLab's strings, nedap's agreement
    note: str = ""  # what a reader should know about these numbers
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Versus:
    """The same gold with a second system: its official scores, and both systems compared note by note."""

    official: Official
    official_test: str  # what the official program's own test of significance says, "" if it has none
    comparisons: tuple[Comparison, ...]
    shuffles: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Evaluation:
    """All that was found. `pairs` holds the notes (a report needs them); everything else is numbers."""

    options: Options
    tag_set: str
    pairs: tuple[Pair, ...]
    missing: tuple[str, ...]  # ids only in gold
    extra: tuple[str, ...]  # ids only in the system
    official: Official
    figures: Mapping[str, Interval]
    clean: Proportion
    leaking_at_most: float  # one-sided bound of the share of notes that leak
    leaks: Leaks
    labels: tuple[Row, ...]
    parents: tuple[Row, ...]
    errors: Errors
    tokens: Confusion
    spans: Confusion
    counts: NoteCounts
    versus: Versus | None = None
    unmapped: str = ""  # what to know of labels that are none of the tag set

    def __repr__(self) -> str:
        f1, characters = self.figures["strict.f1"].value, self.figures["character.recall"].value
        scores = f"strict F1 {f1:.3f}, characters found {characters:.1%}"
        return f"<Evaluation: {self.options.scheme}, {len(self.pairs):,} notes, {scores}>"

    def to_frame(self) -> DataFrame:
        """All figures as a pandas data frame, one a row: section, name, measure, value, low, high."""
        from elision.evaluate.rows import frame

        return frame(self)


def evaluate(
    gold: Document | Iterable[Document],
    system: Document | Iterable[Document],
    options: Options | None = None,
    versus: Document | Iterable[Document] | None = None,
) -> Evaluation:
    """Score a system, and compare it with a second one if that is given."""
    options = options or Options()
    if options.scheme not in SCHEMES:
        raise ScoreError(f"no scheme {options.scheme!r}; there are {', '.join(SCHEMES)}")
    golds, systems = tuple(documents_of(gold)), tuple(documents_of(system))
    official = _official(golds, systems, options)
    _check_labels(golds, systems, options)
    systems = _one_run(golds, systems, options)
    pairing = pair_up(golds, systems)
    pairs = pairing.all()
    tags = _tag_set(options, golds, systems)
    group = _parents(tags)
    counts = count(pairs, group)
    found = measures(counts, options.without)
    by_label = label_measures("strict", counts.strict)
    figures = intervals(
        [*found, *by_label], replicates=options.replicates, confidence=options.confidence, seed=options.seed
    )
    leaked = leaks(counts.coverage)
    errors = find_errors(pairs)
    return Evaluation(
        options=options,
        tag_set=tags.name if tags else "",
        pairs=pairs,
        missing=tuple(document.id for document in pairing.gold_only),
        extra=tuple(document.id for document in pairing.system_only),
        official=official,
        figures=figures,
        clean=clopper_pearson(leaked.clean_notes, leaked.notes, options.confidence),
        leaking_at_most=at_most(leaked.notes - leaked.clean_notes, leaked.notes, options.confidence),
        leaks=leaked,
        labels=label_rows(counts, _canonical_parents(tags)),
        parents=parent_rows(counts, group),
        errors=errors,
        tokens=token_confusion(counts.tokens),
        spans=span_confusion(errors),
        counts=counts,
        versus=None if versus is None else _versus(golds, systems, documents_of(versus), options),
        unmapped=unmapped(golds, systems, _TAG_SETS.get(options.scheme, options.tag_set)),
    )


def _check_labels(golds: Sequence[Document], systems: Sequence[Document], options: Options) -> None:
    seen = {span.label for document in (*golds, *systems) for span in document.spans}
    unknown = sorted(set(options.without) - seen)
    if unknown:
        raise ScoreError(
            f"no span has the label {unknown[0]}, so it cannot be left out; there are {', '.join(sorted(seen))}"
        )


def _one_run(golds: Sequence[Document], systems: Sequence[Document], options: Options) -> tuple[Document, ...]:
    """An i2b2 system may name its run in its files (280-01runA); corrected scores take one run at a time."""
    if options.scheme != "i2b2-2014":
        return tuple(systems)
    runs = i2b2_2014.runs(golds, systems)
    if len(runs) > 1:
        raise ScoreError(
            f"the system holds {len(runs)} runs ({', '.join(sorted(runs))}), and corrected scores are for one; "
            "put each run into a folder of its own"
        )
    return tuple(next(iter(runs.values()))) if runs else tuple(systems)


def _official(golds: Sequence[Document], systems: Sequence[Document], options: Options) -> Official:
    program = _PROGRAMS.get(options.scheme)
    if program is None:
        return Official()
    try:
        return program(golds, systems, options)
    except ScoreError as error:
        return Official(title=SCHEMES[options.scheme], refused=str(error))


def _i2b2_2014(golds: Sequence[Document], systems: Sequence[Document], _: Options) -> Official:
    blocks = i2b2_2014.score(golds, systems)
    title = "i2b2 2014, official, bugs included"
    return Official(title, tuple(blocks), i2b2_2014.render(blocks), note=_ONE_SIDE)


def _i2b2_2006(golds: Sequence[Document], systems: Sequence[Document], _: Options) -> Official:
    blocks = i2b2_2006.score(golds, systems)
    return Official("i2b2 2006, approximate", tuple(blocks), table(blocks), note="the official program is not public")


def _meddocan(golds: Sequence[Document], systems: Sequence[Document], options: Options) -> Official:
    blocks = meddocan.score(golds, systems, options.sentences, options.keys)
    ranking = meddocan.codalab(golds, systems, options.sentences, options.keys)
    codalab = {f"CodaLab {name}": value for name, value in ranking.items()}
    return Official("MEDDOCAN, official, bugs included", tuple(blocks), table(blocks), codalab, note=_ONE_SIDE)


def _nedap(golds: Sequence[Document], systems: Sequence[Document], _: Options) -> Official:
    with warnings.catch_warnings(record=True) as caught:  # of spans in fragments, which the program skips
        warnings.simplefilter("always")
        blocks = nedap.score(golds, systems)
        agreement = nedap.agreement(golds, systems)
    more = {"macro F1": str(nedap.macro_f1(blocks)), "agreement (IAA)": str(agreement)}
    note = "; ".join(dict.fromkeys(str(warning.message) for warning in caught))
    title = "nedap/deidentify, official, rounding included"
    return Official(title, tuple(blocks), nedap.render(blocks), more, note=note)


_PROGRAMS: dict[str, Callable[[Sequence[Document], Sequence[Document], Options], Official]] = {
    "i2b2-2014": _i2b2_2014,
    "i2b2-2006": _i2b2_2006,
    "meddocan": _meddocan,
    "nedap": _nedap,
}


def _versus(
    golds: Sequence[Document], systems: Sequence[Document], others: Sequence[Document], options: Options
) -> Versus:
    first, second = pair_two(golds, systems, _one_run(golds, others, options))
    group = _parents(_tag_set(options, golds, (*systems, *others)))
    a, b = (measures(count(pairs, group), options.without) for pairs in (first, second))
    names = {measure.name for measure in a if not measure.name.endswith("average_f1")}
    comparisons = compare(
        [measure for measure in a if measure.name in names],
        [measure for measure in b if measure.name in names],
        shuffles=options.shuffles,
        replicates=options.replicates,
        confidence=options.confidence,
        seed=options.seed,
    )
    return Versus(
        _official(golds, others, options),
        _official_test(golds, systems, others, options),
        comparisons,
        options.shuffles,
    )


def _official_test(
    golds: Sequence[Document], systems: Sequence[Document], others: Sequence[Document], options: Options
) -> str:
    """nedap's approximate randomisation, on its rounded F1; the other programs have no test."""
    if options.scheme != "nedap":
        return ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of spans in fragments: told with the scores
        test = nedap.significance(golds, systems, others, options.shuffles, options.seed)
    return f"nedap's test on its rounded F1: difference {test.difference:.4f}, p = {test.p:.4f}"


def _tag_set(options: Options, golds: Sequence[Document], systems: Sequence[Document]) -> TagSet | None:
    """The tag set by name; else the one that knows all labels of gold; else the scheme's own, if it knows any."""
    if options.tag_set:
        return tag_set(options.tag_set)
    seen = {span.label for document in golds for span in document.spans}
    known = guess_tag_set(seen) or guess_tag_set(seen | {span.label for document in systems for span in document.spans})
    if known or options.scheme not in _TAG_SETS:
        return known
    usual = tag_set(_TAG_SETS[options.scheme])
    return usual if seen & set(usual.tags) else None


def _parents(tags: TagSet | None) -> Callable[[str], str]:
    """Label -> the main category of its own tag set (i2b2's and MEDDOCAN's XML elements), else the canonical parent."""
    canonical = _canonical_parents(tags)

    def group(label: str) -> str:
        tag = tags.tags.get(label) if tags else None
        return tag.group if tag and tag.group else canonical(label)

    return group


def _canonical_parents(tags: TagSet | None) -> Callable[[str], str]:
    def canonical(label: str) -> str:
        try:
            return parent(tags.tag(label).label if tags else label)
        except LabelError:
            return label

    return canonical
