"""Receipts of the notes of one pipeline: what all of them say, and what became of each note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from elision.document import Document
from elision.evidence.receipts import Receipt, Seen
from elision.keys import Key
from elision.languages.base import known
from elision.policy import Policy


@dataclass(frozen=True)
class Receipts:
    """What all receipts say: the policy, the key's id, the detectors and the lowest dial, the lists of stand-ins."""

    policy: Policy
    key: Key | None
    detectors: Sequence[Seen]
    dial: float | None
    lists: str
    words: Mapping[str, str] = field(default_factory=dict)  # what is told of lists of words

    def done(
        self, document: Document, before: Document, done: Sequence[str], after: Document, counts: Mapping[str, int]
    ) -> Receipt:
        """The receipt of a note that comes out: `done` is what was done with each span of `before`, `counts` what is
        worth a warning if it is not 0."""
        spans: dict[str, Counter[str]] = {}
        warnings: Counter[str] = Counter()
        for span, do in zip(before.spans, done, strict=True):
            spans.setdefault(span.label, Counter())[do] += 1
            if do == "tag" and self.policy.rule(span.label).do != "tag":
                warnings["no-stand-in"] += 1
        warnings.update({what: count for what, count in counts.items() if count})
        if document.language and known(document.language) is None:
            warnings["no-pack-for-the-language"] = 1
        return Receipt.of(
            document,
            after,
            detectors=self.detectors,
            spans=spans,
            policy=self.policy,
            key=self.key,
            warnings=warnings,
            dial=self.dial,
            lists=self.lists,
            options=self.words,
        )

    def held(self, document: Document, why: str) -> Receipt:
        """The receipt of a note that does not come out."""
        return Receipt.of(
            document,
            None,
            why=why,
            detectors=self.detectors,
            policy=self.policy,
            key=self.key,
            dial=self.dial,
            lists=self.lists,
            options=self.words,
        )
