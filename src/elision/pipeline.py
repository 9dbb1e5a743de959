"""From a note to the same note without the people in it: detect, merge, replace, rewrite, check. It fails closed.

    deidentifier = Deidentifier([Rules("en")], policy="surrogate", key=Key.read("project.key"))
    cleaned = deidentifier([Document(text, "note-1", patient="p1", language="en")])

A note comes out checked, or it does not come out: then it is held, and its receipt says why without a word of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from elision.detect.base import Detector, Looks, as_detector, dial_of, parts_of
from elision.detect.doubt import Doubt
from elision.detect.known import KnownValues
from elision.detect.markup import Views
from elision.detect.safely import Detected, Values, found_by_all, held_by, remembered
from elision.document import Document, Span, documents_of, each_document
from elision.errors import HeldError, PolicyError
from elision.evidence.making import Receipts
from elision.evidence.receipts import Receipt, Seen
from elision.formats.kinds import reason as not_text
from elision.keys import Key
from elision.languages.telling.deciding import advice
from elision.limits import CAN_FORK, Limits, each_within
from elision.notebook import told
from elision.policy import Policy
from elision.replace.check import REMAINS, Done, Problem, problems
from elision.replace.earlier import outside_tokens
from elision.replace.listed import Lists
from elision.replace.operators import PURPOSES, Secrets, Work, replacements
from elision.replace.originals import known_values
from elision.replace.settling import SWEEPS, Settled, Settling
from elision.replace.standins import fingerprint
from elision.replace.sweep import cut_in
from elision.replace.word_lists import ALLOW, DENY, WordList, Words, word_list
from elision.rewrite import rewrite
from elision.text.portions import portions, size_of

Notes = str | Document | Iterable[str | Document]
MOST = 50_000_000  # characters of a note; a longer one is held


class Cleaned(NamedTuple):
    """What became of a note: None if it is held."""

    document: Document | None
    receipt: Receipt
    before: Document | None = None  # the note as it was, with the spans that were replaced
    wrong: Problem | None = None  # what the check says of a held note, and of which place

    def __repr__(self) -> str:
        return f"<Cleaned: {self._told}>"

    def _repr_html_(self) -> str:
        return self.document._repr_html_() if self.document else told(f"<Cleaned: {self._told}>")

    @property
    def _told(self) -> str:
        if self.document is None:
            return f"held: {self.receipt.why}"
        return f"{len(self.document.text):,} characters, {len(self.document.spans):,} spans replaced"


class Deidentifier:
    """Detectors and a policy: a callable from notes to cleaned notes with their receipts.

    `memory`: names, numbers and addresses that were found with confidence are searched in all notes of the patient
    that come in one call. Known values of a document are always searched. `key` is needed by policies that make
    stand-ins, and by receipts for their hashes. With `origin`, a cleaned document keeps whose it is and the message or
    resource that it came from, with all that stands there: it is for writing back, not for giving away. `allow` and
    `deny` are lists of words that are never removed, and always: see `elision.replace.word_lists`.

    With `limits`, a call works in a child process, and a note over which that needs more time or memory is held. A
    child costs some milliseconds: give many notes in one call. Without, a detector that hangs, hangs the call.
    """

    def __init__(
        self,
        detectors: Sequence[Detector | Looks],
        *,
        policy: str | Path | Policy = "tag",
        key: Key | str | Path | None = None,
        memory: bool = True,
        most: int = MOST,
        origin: bool = False,
        limits: Limits | None = None,
        allow: Words | WordList | None = None,
        deny: Words | WordList | None = None,
    ) -> None:
        if not detectors:
            raise PolicyError("no detectors: notes would come out as they are; give at least one, such as Rules('en')")
        self.policy = policy if isinstance(policy, Policy) else Policy.named(policy)
        self.key = Key.read(key) if isinstance(key, str | Path) else key
        check_keyed(self.policy, keyed=self.key is not None)
        self.detectors: tuple[Detector, ...] = (*map(as_detector, detectors), KnownValues())
        self._doubt = Doubt.of(self.detectors)
        self.memory = memory
        self.most = most
        self.origin = origin
        self.limits = limits
        if limits and not CAN_FORK:
            raise PolicyError("limits of time and memory need a system with fork, such as Linux; leave limits= out")
        self.secrets: Secrets | None = {purpose: self.key.secret(purpose) for purpose in PURPOSES} if self.key else None
        self.lists = Lists(word_list(allow, ALLOW), word_list(deny, DENY))
        self._settled = Settling(self.policy, self.lists, self._doubt)
        self._receipts = Receipts(
            self.policy,
            self.key,
            [Seen(part.name, part.version) for detector in self.detectors for part in parts_of(detector)],
            # of the one that finds most readily
            min((dial for detector in self.detectors if (dial := dial_of(detector)) is not None), default=None),
            fingerprint() if self.policy.keyed else "",
            self.lists.told(self.key),
        )

    def __repr__(self) -> str:
        names = ", ".join(detector.name for detector in self.detectors)
        return f"<Deidentifier: policy {self.policy.name}, {names}>"

    def __call__(self, documents: Notes, is_known: Callable[[str], bool] | None = None) -> list[Cleaned]:
        """Notes, cleaned or held, in their order: a text, a document, or many. `is_known` tells whether a stand-in is a
        known value of somebody."""
        documents = documents_of(documents)
        if self.limits is None:
            return self._all(documents, is_known)
        return each_within(
            self.limits,
            documents,
            lambda document: len(document.text),
            lambda some: self._all(some, is_known),
            self.held,
        )

    def _all(self, documents: Sequence[Document], is_known: Callable[[str], bool] | None) -> list[Cleaned]:
        found = self.detect(documents)
        if self.memory:
            found = self.remember(documents, found)
        return self.replace(documents, found, is_known)

    def stream(self, documents: Notes) -> Iterator[Cleaned]:
        """The same for notes without end, some at a time; notes of a patient should stand together."""
        for portion in portions(each_document(documents), lambda document: size_of(document.text)):
            yield from self(portion)

    def note(self, note: Document | str, *, language: str = "") -> Document:
        """One note, cleaned; if it is held, an error."""
        if not isinstance(note, str | Document):
            raise TypeError(f"a note is a str or a Document, not {type(note).__name__}; give many to the call itself")
        document = Document(note, language=language) if isinstance(note, str) else note
        cleaned = self([document])[0]
        if cleaned.document is None:
            todo = f"; {said}" if (said := advice(cleaned.receipt.why)) else ""
            raise HeldError(f"{document.name} is held: {cleaned.receipt.why}{todo}")
        return cleaned.document

    def detect(self, documents: Notes) -> list[Detected]:
        """What all detectors find in each note, or why it is held."""
        together = portions(documents_of(documents), lambda document: size_of(document.text))
        return [found for portion in together for found in self._detect(portion)]

    def _detect(self, documents: Sequence[Document]) -> list[Detected]:
        views = Views(documents)
        found = found_by_all(self.detectors, views.documents, self._barred)
        return [
            spans if isinstance(spans, HeldError) else tuple(outside_tokens(document.text, spans, self.secrets))
            for document, spans in zip(documents, views.back(found), strict=True)
        ]

    def _barred(self, document: Document) -> str:
        """Why a note is held without a look at it; "" if it is not."""
        return "too-long" if len(document.text) > self.most else not_text(document.text)

    def remember(
        self,
        documents: Sequence[Document],
        found: Sequence[Detected],
        memories: Callable[[str], Values] | None = None,
    ) -> list[Detected]:
        """What was found, and what memory adds: from `memories` of a patient, where given, else from these notes."""
        return remembered(documents, self.lists.with_stated(documents, found, memories), memories, self._doubt)

    def replace(
        self,
        documents: Sequence[Document],
        found: Sequence[Detected],
        is_known: Callable[[str], bool] | None = None,
    ) -> list[Cleaned]:
        """Notes with the identifiers that were found replaced as the policy says, and checked."""
        known = is_known or known_values(documents)
        return [self._cleaned(document, spans, known) for document, spans in zip(documents, found, strict=True)]

    def held(self, document: Document, why: str) -> Cleaned:
        """A note that does not come out, with its receipt."""
        return Cleaned(None, self._receipts.held(document, why))

    def _cleaned(self, document: Document, found: Detected, is_known: Callable[[str], bool]) -> Cleaned:
        try:
            if isinstance(found, HeldError):
                raise found
            return self._rewritten(document, found, is_known)
        except HeldError as held:
            return self.held(document, str(held))
        except PolicyError:
            return self.held(document, "label-without-rule")
        except Exception as error:
            return self.held(document, str(held_by("replace", error)))

    def settled(self, document: Document, found: Sequence[Span]) -> Settled:
        """The note with the spans that are replaced in it."""
        return self._settled(document, found)

    def _rewritten(self, document: Document, found: Sequence[Span], is_known: Callable[[str], bool]) -> Cleaned:
        settled = self._settled(document, found)
        done, after, wrong = self._replaced(settled, is_known)
        for _ in range(SWEEPS):  # what remains may run over spans that cover a part of it
            cut = cut_in(*settled[:2]) if any(one.what == REMAINS for one in wrong) else []
            if not cut:
                break
            again = self._settled(document, (*settled.document.spans, *cut), settled.listed)
            settled = again._replace(swept=settled.swept + len(cut) + again.swept, let_go=settled.let_go | again.let_go)
            done, after, wrong = self._replaced(settled, is_known)
        if wrong:
            return self.held(document, wrong[0].what)._replace(wrong=wrong[0])
        receipt = self._receipts.done(document, settled.document, [do for do, _ in done], after, settled.counts)
        out = after if self.origin else replace(after, patient="", joints=(), info={})
        return Cleaned(out, receipt, settled.document)

    def _replaced(
        self, settled: Settled, is_known: Callable[[str], bool]
    ) -> tuple[list[Done], Document, list[Problem]]:
        """What is done with each span, the new note, and what the check says of it."""
        before, originals, listed = settled.document, settled.originals, settled.listed
        done = replacements(Work(before, self.policy, self.secrets, originals, is_known, listed))
        after = rewrite(before, [text for _, text in done])
        return done, after, problems(before, after, done, originals, is_known, settled.spared, listed)


def check_keyed(policy: Policy, *, keyed: bool) -> None:
    """An error if a policy needs a key that is not there."""
    if policy.keyed and not keyed:
        raise PolicyError(
            f"policy {policy.name} needs a key: make one with `elision key new FILE`, "
            "and give it with --key (in Python, key=)"
        )
