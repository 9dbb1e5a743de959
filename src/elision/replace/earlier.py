"""What earlier runs have put into a note: a label, a hash, a seal. It stays as it is.

Somebody may have typed a name or a number in the form of such a token. So a label with a number of three digits at most
stays, with a letter or without, since it can say nothing; a hash and a seal stay if the key says that they were made
with it. Whatever else has their form is hidden, whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate

from elision.document import Span
from elision.evidence import seal
from elision.keys import Secret
from elision.labels import canonical

CLAIMED = "claimed"  # the source of spans over what only looks like a token
DIGEST, CHECK = 12, 4  # characters of a hash, and of what shows that it was made with the key
# As long as a seal is at least: with version, label, nonce and tag. Nothing shorter is taken for one.
_SEALED = r"\[sealed:[A-Za-z0-9_-]{44,}\]"
Secrets = Mapping[str, Secret]


@cache
def _names() -> str:
    labels = canonical()
    return "|".join(sorted({*labels, *(label.parent for label in labels.values())}, key=len, reverse=True))


@cache
def tokens() -> re.Pattern[str]:
    """All that has the form of what runs put into a text, to the letter."""
    hashed = f"#[0-9a-f]{{{DIGEST + CHECK}}}"
    return re.compile(rf"\[(?:{_names()})(?:_[0-9]{{1,3}}[a-z]?|{hashed})?\]|\[REDACTED\]|{_SEALED}")


@cache
def _claims() -> re.Pattern[str]:
    """All that has the form of a token about, cut off or damaged. None reaches beyond the next bracket."""
    return re.compile(rf"\[(?:sealed:|(?:{_names()})(?:#|_[0-9]))(?:[^\[\]\n]*\]|[\w#:-]*)")


def hash_token(label: str, digest: str, secret: Secret) -> str:
    """What stands in a note for a hash: whoever has the key can tell that it was made with it."""
    return f"[{label}#{digest[:DIGEST]}{_check(label, digest[:DIGEST], secret)}]"


def _check(label: str, digest: str, secret: Secret) -> str:
    return secret.digest("token", label, digest).hex()[:CHECK]


def is_ours(token: str, secrets: Secrets | None) -> bool:
    """Whether a token can say nothing of anybody: by its form, or since the key has made it."""
    if not tokens().fullmatch(token):
        return False
    label, hashed, digest = token[1:-1].partition("#")
    if hashed:
        return secrets is not None and _check(label, digest[:DIGEST], secrets["hash"]) == digest[DIGEST:]
    return secrets is not None and seal.opens(token, secrets[seal.PURPOSE]) if ":" in token else True


def outside_tokens(text: str, spans: Iterable[Span], secrets: Secrets | None = None) -> Iterator[Span]:
    """Spans, or what of them lies outside the tokens of earlier runs; and spans over what only claims to be one."""
    if "[" not in text:
        yield from spans
        return
    spans = list(spans)
    ours = [match.span() for match in tokens().finditer(text) if is_ours(match[0], secrets)]
    ends = [end for _, end in ours]
    for span in spans:
        at = span.start
        for start, end in ours[bisect_right(ends, at) : bisect_left(ours, (span.end, 0))]:
            if start > at:
                yield Span(at, start, span.label, span.score, span.source)
            at = max(at, end)
        if at == span.start:
            yield span
        elif at < span.end:
            yield Span(at, span.end, span.label, span.score, span.source)
    yield from _claimed(text, spans, frozenset(ours))


def _claimed(text: str, spans: Sequence[Span], ours: frozenset[tuple[int, int]]) -> Iterator[Span]:
    """Spans over what only claims to be a token, where no other covers it whole."""
    starts = sorted((span.start, span.end) for span in spans)
    reach = list(accumulate((end for _, end in starts), max))
    for match in _claims().finditer(text):
        start, end = match.span()
        before = bisect_right(starts, (start, len(text)))
        if (start, end) not in ours and not (before and reach[before - 1] >= end):
            yield Span(start, end, "OTHER", 1.0, CLAIMED)
