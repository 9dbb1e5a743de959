"""What a format is: how it is recognised, read and written, and what it can hold.

A format is a value, not a class to inherit from. `Holds` says as data what the format can keep of a document;
`fit` is the one place that takes away the rest and reports it, so no writer drops anything by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from elision.document import CONTAINER, Document, Span, first_overlap
from elision.errors import CannotHoldError

if TYPE_CHECKING:
    from elision.formats.records import Records

MEGABYTE = 1_000_000
LEFT_OUT = "files that are no text, left out"


@dataclass(slots=True)
class Remarks:
    """What was not taken over as it stood: repaired, skipped, not held. Counts and first places, no words of a note."""

    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, what: str, where: str, count: int = 1) -> None:
        """Count `what` (such as "not held: span scores"), first seen at `where` (such as "note 17")."""
        self.counts[what] = self.counts.get(what, 0) + count
        self.first.setdefault(what, where)

    @property
    def left_out(self) -> bool:
        """Whether files were left out, which are no text."""
        return LEFT_OUT in self.counts

    def lines(self) -> list[str]:
        return [f"{what}: {count:,} (first in {self.first[what]})" for what, count in self.counts.items()]


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read: everything that a reader may need to know besides the path."""

    encoding: str = "utf-8"
    max_bytes: int = 32 * MEGABYTE  # of one file that holds one note or one XML tree, and of one line of JSON
    lenient: bool = False  # skip, with a remark, what official scorers skip: unusable annotation lines
    texts: Mapping[str, str] = field(default_factory=dict)  # texts by id, for formats that hold only spans or tokens
    remarks: Remarks = field(default_factory=Remarks)
    leave_out: bool = False  # of a folder, files that are no text are left out, with a remark; else they are an error


@dataclass(frozen=True, slots=True)
class Sample:
    """What guessing may look at: the names of all files below the path, and the head of one."""

    path: Path
    names: tuple[str, ...]  # relative, with /, endings in small letters; for a file, its own name
    head: str  # the first 64 KB of the most telling file, decoded leniently
    start: bytes = b""  # the same as they stand

    def count(self, suffix: str) -> int:
        return sum(name.endswith(suffix) for name in self.names)


@dataclass(frozen=True, slots=True)
class Holds:
    """What a format keeps of a document, so that what it does not keep can be reported."""

    id: bool = True
    patient: bool = False
    language: bool = False
    known: bool = False
    joints: bool = False
    container: str = ""  # the key of Document.info under which a kept original is; known values are read from it again
    info: frozenset[str] = frozenset()  # keys of Document.info, as patterns ("attr:*")
    spans: bool = True
    order: bool = True  # the order of spans; if not, they come back sorted by (start, end)
    overlaps: bool = True  # also the same span twice; if not, such documents are refused
    empty_spans: bool = True
    score: bool = False
    source: bool = False
    span_info: frozenset[str] = frozenset()  # keys of Span.info, as patterns
    tokens: bool = False  # spans only along tokens: one that cuts a token grows to it, and that is reported
    bare_labels: bool = False  # labels without white space only


Read = Callable[[Path, Reading], Iterator[Document]]
Write = Callable[[Iterable[Document], Path, Remarks], None]
Sniff = Callable[[Sample], str]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: `name` on the command line, `title` for people, and its functions."""

    name: str
    title: str
    suffix: str  # of a file that is written, such as ".jsonl"
    folder: bool  # written as a folder of files (True) or as one file
    holds: Holds
    read: Read
    write: Write
    sniff: Sniff  # the evidence in favour, in words ("root element <deIdi2b2>"), or "" for none
    extra: str = ""  # the pip extra that reading and writing need
    tag_set: str = ""  # the tag set that its labels usually come from
    reads: tuple[str, ...] = ()  # endings that it reads besides `suffix`, side files included
    table: bool = False  # its rows are notes, and can be read as those of a table
    records: Records | None = None  # how a run reads and writes all of a message or a resource, and not its text alone


def fit(document: Document, format: Format, remarks: Remarks) -> Document:
    """The document as `format` can hold it; what goes is reported, what may not go is refused."""
    holds, where = format.holds, document.name
    changes: dict[str, object] = {}

    def drop(what: str, count: int = 1) -> None:
        remarks.add(f"{format.name} does not hold {what}", where, count)

    if document.id and not holds.id:
        changes["id"] = ""
        drop("ids")
    if document.patient and not holds.patient:
        changes["patient"] = ""
        drop("patient ids")
    if document.language and not holds.language:
        changes["language"] = ""
        drop("languages")
    if document.known and not holds.known and holds.container not in document.info:
        changes["known"] = {}
        drop("known values", sum(map(len, document.known.values())))
    if document.joints and not holds.joints:
        changes["joints"] = ()
        drop("the joints of a container's pieces")
    if document.info:
        info = _kept(document.info, holds.info, "note info", drop)
        if len(info) != len(document.info):
            changes["info"] = info
    spans = _fit_spans(document, format, drop)
    if spans != document.spans:
        changes["spans"] = spans
    return replace(document, **changes) if changes else document  # type: ignore[arg-type]


def _fit_spans(document: Document, format: Format, drop: Callable[..., None]) -> tuple[Span, ...]:
    holds, spans = format.holds, document.spans
    if not spans:
        return spans
    if not holds.spans:
        drop("spans", len(spans))
        return ()
    if not holds.overlaps and (clash := first_overlap(spans)):
        a, b = clash
        raise CannotHoldError(
            f"{document.name}: spans {a.start}–{a.end} and {b.start}–{b.end} overlap, which {format.name} cannot hold; "
            "merge() them first (elision convert --merge)"
        )
    kept: list[Span] = []
    for span in spans:
        if not holds.empty_spans and span.start == span.end:
            drop("empty spans")
            continue
        if holds.bare_labels and (not span.label or any(c.isspace() for c in span.label)):
            raise CannotHoldError(
                f"{document.name}: span {span.start}–{span.end}: {format.name} cannot hold a label that is empty or "
                "has white space; map the labels to another tag set"
            )
        score, source, info = span.score, span.source, span.info
        if score != 1.0 and not holds.score:
            drop("span scores")
            score = 1.0
        if source and not holds.source:
            drop("span sources")
            source = ""
        if info:
            info = _kept(info, holds.span_info, "span info", drop)
        if (score, source) != (span.score, span.source) or len(info) != len(span.info):
            span = replace(span, score=score, source=source, info=info)
        kept.append(span)
    if holds.tokens:
        kept = _along_tokens(document, kept, drop)
    if not holds.order:
        kept.sort(key=lambda span: (span.start, span.end))
    return tuple(kept)


def _along_tokens(document: Document, spans: list[Span], drop: Callable[..., None]) -> list[Span]:
    from elision.bio import grow
    from elision.text.tokens import tokenize

    grown, growth = grow(spans, tokenize(document.text, document.language))
    for what, count in (
        ("spans that cut a token (they grew to it)", growth.spans),
        ("white space at the edges of spans", growth.trimmed),
        ("spans without a token of their own", growth.lost),
    ):
        if count:
            drop(what, count)
    return list(grown)


def _kept(info: Mapping[str, str], patterns: frozenset[str], what: str, drop: Callable[..., None]) -> Mapping[str, str]:
    kept = {key: value for key, value in info.items() if any(_matches(key, pattern) for pattern in patterns)}
    for key in info:
        if key not in kept:
            name = key if key.startswith(CONTAINER) else key.split(":")[0]
            drop(f"{what} {name!r}")
    return kept


def _matches(key: str, pattern: str) -> bool:
    """A container quotes the original: only a format that names it may have it, never one that takes all."""
    return fnmatchcase(key, pattern) and key.startswith(CONTAINER) == pattern.startswith(CONTAINER)
