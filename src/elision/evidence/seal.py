"""Sealed originals: what stands in their place can be opened again by whoever holds the key, and by nobody else.

A seal is `[sealed:…]` with letters, digits, - and _ only, so that it survives CSV, JSON and HL7. It carries its nonce,
the label and its own bytes; nothing else is needed to open it. The nonce is derived from the note, the place in it and
the text, so a second run makes the same bytes, while the same text elsewhere has another seal.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from elision.errors import SealError
from elision.keys import Secret

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

PURPOSE = "seal"
_NONCE = 12
_TAG = 16
_VERSION = 1
_SEALED = re.compile(r"\[sealed:([A-Za-z0-9_-]*)\]?")


def seal(text: str, secret: Secret, *, note: str, label: str, position: int = 0) -> str:
    """The seal for a text: AES-GCM with 256 bits, and the label bound to it."""
    cipher, mac = _ciphers(secret)
    plain = text.encode("utf-8", "surrogatepass")
    name = label.encode()[:255]
    nonce = mac.digest(note, label, str(position), text)[:_NONCE]
    head = bytes((_VERSION, len(name))) + name
    return f"[sealed:{_encoded(head + nonce + cipher.encrypt(nonce, plain, head))}]"


def unseal(text: str, secret: Secret) -> tuple[str, int]:
    """The text with all its seals opened, and how many there were; a seal that cannot be opened is an error."""
    cipher, _ = _ciphers(secret)
    count = 0

    def opened(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return _opened(match, cipher)

    return _SEALED.sub(opened, text), count


def opens(text: str, secret: Secret) -> bool:
    """Whether a text is one seal, made with this key."""
    match = _SEALED.fullmatch(text)
    try:
        return match is not None and _opened(match, _ciphers(secret)[0]) is not None
    except (SealError, UnicodeDecodeError):
        return False


def _opened(match: re.Match[str], cipher: AESGCM) -> str:
    from cryptography.exceptions import InvalidTag

    where = f"the seal at offset {match.start()}"
    if not match[0].endswith("]"):
        raise SealError(f"{where} is cut off; take the note from where it is whole")
    try:
        raw = _decoded(match[1])
    except (binascii.Error, ValueError):
        raise SealError(f"{where} is damaged: {len(match[1])} characters that are no seal") from None
    if len(raw) < 2 or raw[0] != _VERSION or len(raw) < (head := 2 + raw[1]) + _NONCE + _TAG:
        raise SealError(f"{where} is damaged or of another version of elision")
    nonce = raw[head : head + _NONCE]
    try:
        return cipher.decrypt(nonce, raw[head + _NONCE :], raw[:head]).decode("utf-8", "surrogatepass")
    except InvalidTag:
        raise SealError(f"{where} does not open: it is damaged, or was sealed with another key") from None


def _ciphers(secret: Secret) -> tuple[AESGCM, Secret]:
    """The cipher, and what nonces are derived with: by keys of their own."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(secret.digest("cipher")), Secret(secret.digest("nonce"))


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _encoded(raw) != text:  # the last character has bits to spare
        raise ValueError
    return raw
