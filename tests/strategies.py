"""What Hypothesis generates: texts that hurt, spans over them, documents that a given format can hold."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.formats.format import Format
from tests import EXAMPLES

# Letters of our languages, digits, all that moves offsets (astral, combining, BOM, NUL, CRLF), and markup.
ALPHABET = "aZé ñß09.,;:-/'\"&<>|^~\\#_=[]()\t\n\r\0\ufeff\u200b\u00a0\u00ad\u2028\x85\u0301李明😀𝒳１ﬁ"
LABELS = ["DATE", "NAME_PATIENT", "ID", "NOMBRE_PERSONAL_SANITARIO"]

# For properties of scores, which generate many notes at once: a quarter of the cases that offsets get.
fewer = settings(max_examples=max(1, EXAMPLES // 4))

texts = st.text(alphabet=st.sampled_from(ALPHABET), max_size=60)


@st.composite
def spans_in(draw: st.DrawFn, text: str, *, disjoint: bool = False, empty: bool = False) -> tuple[Span, ...]:
    """Spans inside a text, in any order unless disjoint."""
    if not text:
        return ()
    if disjoint:
        edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
        pairs = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False)]
    else:
        edge = st.integers(0, len(text))
        pairs = [
            (min(pair), max(pair))
            for pair in draw(st.lists(st.tuples(edge, edge), max_size=5))
            if empty or pair[0] != pair[1]
        ]
    return tuple(Span(start, end, draw(st.sampled_from(LABELS))) for start, end in pairs)


@st.composite
def documents(draw: st.DrawFn, format: Format, id: str, alphabet: str = ALPHABET) -> Document:
    """A document that the format should hold to the last bit."""
    holds = format.holds
    text = draw(st.text(alphabet=st.sampled_from(alphabet), max_size=60))
    spans: tuple[Span, ...] = ()
    if holds.spans:
        spans = draw(spans_in(text, disjoint=not holds.overlaps, empty=holds.empty_spans))
        if not holds.order:
            spans = tuple(sorted(spans, key=lambda span: (span.start, span.end)))
        if holds.score or holds.source:
            spans = tuple(
                Span(
                    span.start,
                    span.end,
                    span.label,
                    score=draw(st.sampled_from([1.0, 0.5, 0.123])) if holds.score else 1.0,
                    source=draw(st.sampled_from(["", "rules", "crf"])) if holds.source else "",
                )
                for span in spans
            )
    return Document(
        text,
        id,
        patient=draw(st.sampled_from(["", "p1", "p 2"])) if holds.patient else "",
        language=draw(st.sampled_from(["", "en", "zh"])) if holds.language else "",
        spans=spans,
        known=draw(st.sampled_from([{}, {"name": ("Jane Roe", "Roe, J."), "mrn": ("4711",)}])) if holds.known else {},
    )
