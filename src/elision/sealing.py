"""Texts for a language model: sealed before they are sent, and its answer opened again.

    with elision.sealed(text, key="project.key") as (safe, reopen):
        answer = ask(safe)                    # your client; it sees placeholders such as [NAME_1-7KQ4M]
        print(reopen(answer))                 # or: for piece in reopen.stream(pieces)

Several texts, such as the messages of a chat, are given as a list, and have one mapping: a person has one number in all
of them. The mapping lies in memory only, until the block ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Generic, TypedDict, TypeVar, Unpack, overload

from elision.detect.defaults import beside
from elision.document import Document, Span
from elision.effort import effort_of
from elision.errors import HeldError
from elision.keys import Key
from elision.languages.base import code_of
from elision.languages.telling.deciding import Decided, check_codes, decide
from elision.pipeline import Deidentifier
from elision.placeholders import PURPOSE, SEAM, Reopen, mark_of
from elision.replace.word_lists import Words
from elision.rewrite import rewrite
from elision.texts import Values, detectors_of, held, known_of, placeholders_of

Safe = TypeVar("Safe", str, list[str])
BETWEEN = "\n\n"  # texts, where they are looked at as one


class Sealed(AbstractContextManager[tuple[Safe, Reopen]], Generic[Safe]):
    """What `sealed` gives: for `with`, which forgets the mapping at its end."""

    def __init__(self, safe: Safe, reopen: Reopen) -> None:
        self._safe: Safe = safe
        self._reopen = reopen

    def __repr__(self) -> str:
        return f"<Sealed: {self._reopen!r}>"

    def __enter__(self) -> tuple[Safe, Reopen]:
        return self._safe, self._reopen

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._reopen.close()


class Said(TypedDict, total=False):
    """How identifiers are found: all as for `elision.deidentify`."""

    language: str
    default_language: str
    known: Values | None
    dial: float | None
    effort: str | None
    allow: Words | None
    deny: Words | None


@overload
def sealed(text: str, *, key: Key | str | Path | None = None, **said: Unpack[Said]) -> Sealed[str]: ...
@overload
def sealed(
    text: list[str] | tuple[str, ...], *, key: Key | str | Path | None = None, **said: Unpack[Said]
) -> Sealed[list[str]]: ...


def sealed(
    text: str | list[str] | tuple[str, ...], *, key: Key | str | Path | None = None, **said: Unpack[Said]
) -> Sealed[str] | Sealed[list[str]]:
    """A text, or several, with placeholders in place of identifiers, and a function that opens these in an answer.

    With a `key`, the same texts have the same placeholders each time; without one, nobody can make them again. If a
    text is held, an error. All else is as for `elision.deidentify`.
    """
    texts = [text] if isinstance(text, str) else list(text)
    if not all(isinstance(one, str) for one in texts):
        raise TypeError("sealed takes a str, or a list of them such as the contents of messages")
    finding = _Finding(**said)
    safe, mapping = _sealed(texts, finding, Key.read(key) if isinstance(key, str | Path) else key or Key.new())
    reopen = Reopen(mapping)
    if [reopen(one) for one in safe] != texts:
        raise HeldError("a text is held: not-restored; report it as a bug of elision")
    reopen.start_anew()
    return Sealed(safe[0], reopen) if isinstance(text, str) else Sealed(safe, reopen)


class _Finding:
    """How identifiers are found in texts that belong together."""

    def __init__(
        self,
        language: str = "",
        default_language: str = "",
        known: Values | None = None,
        dial: float | None = None,
        effort: str | None = None,
        allow: Words | None = None,
        deny: Words | None = None,
    ) -> None:
        self._effort = effort_of(effort)
        check_codes(language, default_language, encoded=self._effort.encoded)
        self._language, self._default, self._known = language, default_language, known_of(known or {})
        self._dial, self._allow, self._deny = dial, allow, deny

    def decided(self, text: str, around: str) -> Decided:
        return decide(text, language=self._language, default=self._default, around=around, encoded=self._effort.encoded)

    def found(self, texts: Sequence[str]) -> Document:
        """All texts as one, with the spans that are replaced in them."""
        notes, by_language = list[Document](), dict[tuple[str, ...], Deidentifier]()
        found: list[Span] = []
        at, around = 0, BETWEEN.join(texts)
        for number, text in enumerate(texts, 1):
            spoken = self.decided(text, around)
            note = Document(text, f"text {number}", "", spoken.language, known=self._known, also=spoken.also)
            if spoken.why:
                raise held(note, spoken.why)
            if _spoken(note) not in by_language:
                by_language[_spoken(note)] = self._deidentifier(note)
            spans = by_language[_spoken(note)].detect([note])[0]
            if isinstance(spans, HeldError):
                raise held(note, str(spans))
            found += (replace(span, start=span.start + at, end=span.end + at) for span in spans)
            notes.append(note)
            at += len(text) + len(BETWEEN)
        longest = max(notes, key=lambda note: len(note.text))
        also = dict.fromkeys(code for note in notes for code in _spoken(note))
        whole = replace(longest, text=around, id="", also=tuple(code for code in also if code != _spoken(longest)[0]))
        deidentifier = by_language[_spoken(longest)]
        (cleaned,) = deidentifier.replace([whole], deidentifier.remember([whole], [tuple(found)]))
        if cleaned.before is None:
            raise held(whole, cleaned.receipt.why)
        return cleaned.before

    def _deidentifier(self, note: Document) -> Deidentifier:
        further = [one for each in note.also for one in detectors_of(each, self._dial, self._effort)]
        detectors = [*detectors_of(code_of(note.language), self._dial, self._effort), *beside(note.language, further)]
        return Deidentifier(detectors, allow=self._allow, deny=self._deny)


def _spoken(note: Document) -> tuple[str, ...]:
    return (code_of(note.language), *note.also)


def _sealed(texts: list[str], finding: _Finding, key: Key) -> tuple[list[str], dict[str, str]]:
    """Texts with placeholders, and what each stands for."""
    if not any(texts):
        return texts, {}
    edges = [0]
    for text in texts:
        edges.append(edges[-1] + len(text) + len(BETWEEN))
    before = finding.found(texts)
    cut = before.with_spans(
        tuple(
            replace(span, start=max(span.start, start), end=min(span.end, end - len(BETWEEN)))
            for start, end in pairwise(edges)
            for span in before.spans
            if max(span.start, start) < min(span.end, end - len(BETWEEN))
        )
    )
    secret = key.secret(PURPOSE)
    told = secret.digest("texts", *texts).hex()
    placeholders = placeholders_of(cut, lambda core: SEAM + mark_of(secret, told, core))
    mapping = {new: cut.text_of(span) for span, new in zip(cut.spans, placeholders, strict=True)}
    safe = []
    for start, end in pairwise(edges):
        here = [at for at, span in enumerate(cut.spans) if start <= span.start < end]
        spans = tuple(replace(s, start=s.start - start, end=s.end - start) for s in (cut.spans[at] for at in here))
        note = Document(cut.text[start : end - len(BETWEEN)], spans=spans)
        safe.append(rewrite(note, [placeholders[at] for at in here]).text)
    return safe, mapping
