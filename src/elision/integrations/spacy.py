"""elision as a component of spaCy's pipelines: `nlp.add_pipe("elision")`, found by its entry point.

What would be replaced stands in `doc.spans["elision"]`, with scores in its `attrs`, and in `doc.ents`; the clean text,
as a policy says, in `doc._.elision_clean`. A span that cuts a token grows to it. A text of which elision cannot be sure
is an error, which spaCy's error handlers may catch: then the text is left out, as spaCy leaves out what fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, cast

from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.errors import HeldError, LabelError, MissingExtraError
from elision.languages.base import served, with_model
from elision.languages.telling.deciding import decide, language_code
from elision.pipeline import Cleaned, Deidentifier

try:
    from spacy.language import Language
    from spacy.pipeline import Pipe
    from spacy.tokens import Doc, Span, SpanGroup
except ImportError:
    raise MissingExtraError("working inside spaCy", "spacy") from None

NAME = "elision"  # of the component, and of its group of spans
CLEAN = "elision_clean"


class ElisionPipe(Pipe):
    """The component. What it is made of stands in the pipeline's configuration, so nothing else is saved."""

    def __init__(
        self,
        name: str,
        *,
        language: str = "",
        default_language: str = "",
        policy: str = "tag",
        key: str = "",
        dial: float | None = None,
        effort: str | None = None,
        ents: bool = True,
    ) -> None:
        self.name, self.ents = name, ents
        self._language, self._default = language_code(language), language_code(default_language)
        for code in filter(None, (self._language, self._default)):
            if code not in served():
                raise LabelError(f"language: no such language is served; say one of {', '.join(with_model())}")
        self._policy, self._key, self._dial, self._effort = policy, key, dial, effort
        self._ready: dict[tuple[str, tuple[str, ...]], Deidentifier] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (
            self.name, self._language, self._default, self._policy, self._key, self._dial, self._effort, self.ents
        )  # fmt: skip

    def __call__(self, doc: Doc) -> Doc:
        """Look at one text."""
        (done,) = self._looked_at([doc])
        if isinstance(done, HeldError):
            tell: Callable[..., object] = self.get_error_handler()
            tell(self.name, self, [doc], done)
            return cast("Doc", None)  # where the handler goes on, spaCy refuses this: an unmarked text looks clean
        return self._marked(doc, done)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Look at many, some at a time."""
        docs = iter(stream)
        while some := list(islice(docs, batch_size)):
            for doc, done in zip(some, self._looked_at(some), strict=True):
                if isinstance(done, HeldError):
                    self.get_error_handler()(self.name, self, [doc], done)
                else:
                    yield self._marked(doc, done)

    def _looked_at(self, docs: Sequence[Doc]) -> list[Cleaned | HeldError]:
        """What became of each text, each by itself; or why it is held."""
        done: list[Cleaned | HeldError] = [HeldError("the text is held")] * len(docs)
        together: dict[tuple[str, tuple[str, ...]], list[tuple[int, Document]]] = {}
        for at, doc in enumerate(docs):
            spoken = decide(doc.text, language=self._language, default=self._default)
            if spoken.why:
                done[at] = HeldError(f"the text is held: {spoken.why}")
                continue
            note = Document(doc.text, language=spoken.language, sure=spoken.sure, also=spoken.also)
            together.setdefault((spoken.language, spoken.also), []).append((at, note))
        for spoken_so, notes in together.items():
            cleaned = self._of(*spoken_so)([note for _, note in notes])
            for (at, _), one in zip(notes, cleaned, strict=True):
                done[at] = one if one.document else HeldError(f"the text is held: {one.receipt.why}")
        return done

    def _of(self, language: str, also: tuple[str, ...]) -> Deidentifier:
        if (language, also) not in self._ready:
            detectors = detectors_for(language, dial=self._dial, effort=self._effort, also=also)
            self._ready[language, also] = Deidentifier(detectors, policy=self._policy, key=self._key or None)
        return self._ready[language, also]

    def _marked(self, doc: Doc, cleaned: Cleaned) -> Doc:
        assert cleaned.before is not None  # noqa: S101
        assert cleaned.document is not None  # noqa: S101
        found = [_along(doc, span.start, span.end, span.label) for span in cleaned.before.spans]
        scores = [float(span.score) for span in cleaned.before.spans]
        doc.spans[NAME] = SpanGroup(doc, name=NAME, spans=found, attrs={"scores": scores})
        if self.ents:
            ours = _disjoint(doc, found)
            taken = {token.i for span in ours for token in span}
            others = [span for span in doc.ents if taken.isdisjoint(range(span.start, span.end))]
            doc.ents = [*ours, *others]
        doc._.set(CLEAN, cleaned.document.text)
        return doc


def _along(doc: Doc, start: int, end: int, label: str) -> Span:
    """The tokens that hold a stretch of the text. The blank behind a token is in none."""
    piece = doc.text[start:end]
    start, end = end - len(piece.lstrip()), start + len(piece.rstrip())
    found = doc.char_span(start, end, label=label, alignment_mode="expand")
    if found is None or found.start_char > start or found.end_char < end:
        raise HeldError("the text is held: tokens-do-not-hold-it")
    return found


def _disjoint(doc: Doc, spans: Sequence[Span]) -> list[Span]:
    """Spans that share no token, of the same tokens: of two that met on one, the earlier has it."""
    found, last = list[Span](), 0
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        start = max(span.start, last)
        if start < span.end:
            found.append(Span(doc, start, span.end, label=span.label_))
            last = span.end
    return found


def _again(
    name: str, language: str, default: str, policy: str, key: str, dial: float | None, effort: str | None, ents: bool
) -> ElisionPipe:
    return ElisionPipe(
        name, language=language, default_language=default, policy=policy, key=key, dial=dial, effort=effort, ents=ents
    )


@Language.factory(
    NAME,
    assigns=["doc.ents", "doc.spans"],
    default_config={
        "language": "", "default_language": "", "policy": "tag", "key": "", "dial": None, "effort": None, "ents": True
    },
)  # fmt: skip
def make(
    nlp: Language,
    name: str,
    language: str,
    default_language: str,
    policy: str,
    key: str,
    dial: float | None,
    effort: str | None,
    ents: bool,
) -> ElisionPipe:
    """The component for a pipeline: in its language, unless the configuration says another; in one of many, such as
    spaCy's `xx`, each text tells its own."""
    own = nlp.lang if nlp.lang and nlp.lang in served() else ""
    return ElisionPipe(
        name, language=language or own, default_language=default_language, policy=policy, key=key, dial=dial,
        effort=effort, ents=ents,
    )  # fmt: skip


if not Doc.has_extension(CLEAN):
    Doc.set_extension(CLEAN, default=None)
