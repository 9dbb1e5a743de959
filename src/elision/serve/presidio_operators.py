"""Presidio's anonymizers: what is put in the place of a span."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from elision.document import Document, Span
from elision.keys import Key
from elision.rewrite import rewrite
from elision.serve.refused import RefusedError

DEFAULT = "DEFAULT"
PURPOSE = "presidio-hash"
HASHES = ("sha256", "sha512")
Given = Mapping[str, Any]


def salt(key: Key | None) -> bytes:
    """What hashes are keyed with: without a key of the project, others after each start."""
    return key.secret(PURPOSE).key() if key else secrets.token_bytes(32)


def _replace(_text: str, label: str, given: Given, _salt: bytes) -> str:
    return _value(given, "new_value", str, None) or f"<{label}>"


def _redact(_text: str, _label: str, _given: Given, _salt: bytes) -> str:
    return ""


def _mask(text: str, _label: str, given: Given, _salt: bytes) -> str:
    sign: str = _value(given, "masking_char", str, "*")
    count: int = _value(given, "chars_to_mask", int, len(text))
    if len(sign) != 1 or isinstance(count, bool) or count < 0:
        raise RefusedError("unsupported", "mask: give one masking_char, and chars_to_mask of 0 or more")
    count = min(count, len(text))
    if _value(given, "from_end", bool, False):
        return text[: len(text) - count] + sign * count
    return sign * count + text[count:]


def _hash(text: str, _label: str, given: Given, salt: bytes) -> str:
    kind = _value(given, "hash_type", str, HASHES[0])
    if kind not in HASHES:
        raise RefusedError("unsupported", f"hash: hash_type is {' or '.join(HASHES)}")
    return hmac.new(salt, text.encode(), getattr(hashlib, kind)).hexdigest()


def _keep(text: str, _label: str, _given: Given, _salt: bytes) -> str:
    return text


OPERATORS: Mapping[str, Callable[[str, str, Given, bytes], str]] = {
    "hash": _hash, "keep": _keep, "mask": _mask, "redact": _redact, "replace": _replace,
}  # fmt: skip


def anonymized(text: str, spans: Sequence[Span], anonymizers: Mapping[str, Given], salt: bytes) -> dict[str, Any]:
    """A text with its spans replaced, and where the replacements stand, the last one first, as Presidio has it."""
    for given in anonymizers.values():
        _kind(given)
    before = Document(text, spans=tuple(spans))
    chosen = [anonymizers.get(span.label) or anonymizers.get(DEFAULT) or {} for span in before.spans]
    made = [
        OPERATORS[_kind(given)](before.text_of(span), span.label, given, salt)
        for span, given in zip(before.spans, chosen, strict=True)
    ]
    after = rewrite(before, made)
    items = [
        {"start": span.start, "end": span.end, "entity_type": span.label, "text": new, "operator": _kind(given)}
        for span, new, given in zip(after.spans, made, chosen, strict=True)
    ]
    return {"text": after.text, "items": items[::-1]}


def _kind(given: Given) -> str:
    kind = given.get("type", "replace")
    if kind == "encrypt":
        todo = "encrypt: not offered here; start the service with a policy that seals, and use /v1/deidentify"
        raise RefusedError("unsupported", todo)
    if not isinstance(kind, str) or kind not in OPERATORS:
        raise RefusedError("unsupported", f"anonymizers: type is one of {', '.join(sorted(OPERATORS))}")
    return kind


def _value(given: Given, name: str, kind: type, usual: Any) -> Any:
    value = given.get(name)
    if value is None:
        return usual
    if not isinstance(value, kind):
        raise RefusedError("unsupported", f"anonymizers: {name} is of another type")
    return value
