"""The two nouns on which everything stands: `Document` and `Span`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from elision.errors import DocumentError
from elision.notebook import marked
from elision.showing import ident

Info = Mapping[str, str]
Known = Mapping[str, tuple[str, ...]]

# Keys of `Document.info` that begin so hold what stood around a note (an HL7 message, a FHIR resource), original
# text and all. Only the format that put them there writes them back.
CONTAINER = "container:"

_NO_INFO: Info = {}  # shared by all that have none; typed as a Mapping, so nobody writes to it
_NO_VALUES: Known = {}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text with a label: half-open, in code points of the original text.

    A span has no text of its own: `document.text[span.start:span.end]` is the only copy.
    `info` keeps what a file format said about the span beyond label, score and source
    (a comment, an annotator's note, an unusual id), so that converting loses nothing unseen.
    """

    start: int
    end: int
    label: str
    score: float = 1.0
    source: str = ""
    info: Info = field(repr=False, default_factory=lambda: _NO_INFO, hash=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise DocumentError(f"span {self.start}–{self.end}: the start must not be negative or after the end")

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one character."""
        return max(self.start, other.start) < min(self.end, other.end)


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A note: its text, who it is about, and the spans found in it. Immutable.

    `known` holds values that the record states about the patient, by kind:
    `{"name": ("Jane Roe",), "mrn": ("4711",)}`. `joints` are the offsets at which the pieces of a
    container (the OBX lines of an HL7 message, say) begin, where a text was joined from several; `rewrite`
    moves them along, so that every piece finds its way back. `info` is as in `Span`.
    """

    text: str
    id: str = ""
    patient: str = ""
    language: str = ""
    spans: tuple[Span, ...] = ()
    known: Known = field(default_factory=lambda: _NO_VALUES, hash=False)
    joints: tuple[int, ...] = ()
    info: Info = field(default_factory=lambda: _NO_INFO, hash=False)
    sure: float = 1.0  # how sure the language is: 1 if somebody said it, less if the text told
    also: tuple[str, ...] = ()  # further languages of parts of the text

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f"the text of a Document is a str, not {type(self.text).__name__}")
        if any(isinstance(values, str) for values in self.known.values()):
            raise TypeError('known values are tuples by their kind, such as {"name": ("…", "…")}; one is a str')
        size = len(self.text)
        for span in self.spans:
            if span.end > size:
                raise DocumentError(
                    f"{self.name}: span {span.start}–{span.end} reaches beyond the text, which has {size} characters; "
                    "were the offsets counted in bytes or UTF-16 units?"
                )
        if any(b < a for a, b in zip(self.joints, self.joints[1:], strict=False)) or any(
            not 0 <= joint <= size for joint in self.joints
        ):
            raise DocumentError(f"{self.name}: joints must ascend and lie within the text")
        if not self.text.isascii():
            _refuse_half_characters(self)

    def __repr__(self) -> str:
        """How much there is, and nothing of it: ids name people, too, and this goes into logs and tracebacks."""
        parts = [f"{len(self.text):,} characters", f"{len(self.spans):,} spans"]
        parts += [f"{name} of {len(value)}" for name, value in (("id", self.id), ("patient", self.patient)) if value]
        return f"<Document: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        """The text with its spans in colours, for notebooks: it shows the note."""
        return marked(repr(self), self.text, [(span.start, span.end, span.label) for span in self.spans])

    @property
    def name(self) -> str:
        """How messages call this document."""
        return f"note {ident(self.id)}" if self.id else "a note without an id"

    def text_of(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def with_spans(self, spans: Iterable[Span]) -> Document:
        """The same document with other spans."""
        return replace(self, spans=tuple(spans))


def _refuse_half_characters(document: Document) -> None:
    try:
        document.text.encode()
    except UnicodeEncodeError as error:
        raise DocumentError(
            f"{document.name}: half a character (a lone surrogate) at offset {error.start}; "
            "the text was cut inside a character before it came here"
        ) from None


def documents_of(given: object) -> list[Document]:
    """Notes from a text, a `Document`, or many of both; of anything else a TypeError that quotes nothing."""
    return list(each_document(given))


def each_document(given: object) -> Iterator[Document]:
    """The same, one by one."""
    if isinstance(given, str | Document):
        given = (given,)
    if isinstance(given, bytes | bytearray | Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"notes are a str, a Document, or many of them, such as a list; not {type(given).__name__}")
    for number, one in enumerate(given):
        if not isinstance(one, str | Document):
            raise TypeError(f"a note is a str or a Document; note {number} of these is {type(one).__name__}")
        yield one if isinstance(one, Document) else Document(one)


def covered(spans: Iterable[Span]) -> list[tuple[int, int]]:
    """The characters that some span covers, as disjoint, ascending, maximal stretches."""
    stretches: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans if span.end > span.start):
        if stretches and start <= stretches[-1][1]:
            if end > stretches[-1][1]:
                stretches[-1] = (stretches[-1][0], end)
        else:
            stretches.append((start, end))
    return stretches


def first_overlap(spans: Iterable[Span]) -> tuple[Span, Span] | None:
    """Two spans that share characters, or of which one lies empty inside the other; None if all are disjoint."""
    widest: Span | None = None
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if widest is not None and span.start < widest.end:
            return widest, span
        if widest is None or span.end > widest.end:
            widest = span
    return None
