"""The key of a project: everything that must be the same again, and that nobody else may compute, comes from it.

For each purpose there is a sub-key (HKDF, RFC 5869), so that what one of them does says nothing about the others. A key
is never printed, logged or passed on a command line; without one there is an error, never a default.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from elision.errors import KeyFileError

BYTES = 32
_HEAD = "elision-key-1:"
_SALT = b"elision"
_ROUNDS = 10  # of a permutation
_BLOCK = 64  # bytes that SHA-256 takes at a time
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Secret:
    """A sub-key: numbers and names that nobody can foretell without it, always the same with it."""

    __slots__ = ("_inner", "_key", "_outer")

    def __init__(self, key: bytes) -> None:
        self._key = key
        # HMAC-SHA256 as RFC 2104 has it, with both pads hashed once: three times as fast as from the key each time.
        padded = (key if len(key) <= _BLOCK else hashlib.sha256(key).digest()).ljust(_BLOCK, b"\0")
        self._inner = hashlib.sha256(padded.translate(_INNER))
        self._outer = hashlib.sha256(padded.translate(_OUTER))

    def __reduce__(self) -> tuple[type[Secret], tuple[bytes]]:
        return Secret, (self._key,)

    def digest(self, *parts: str) -> bytes:
        """32 bytes that stand for these texts; no two lists of texts are read alike."""
        text = "".join([f"{len(part)}:{part}" for part in parts])
        if text.isascii():
            told = text.encode()
        else:
            raw = [part.encode("utf-8", "surrogatepass") for part in parts]
            told = b"".join([b"%d:%b" % (len(part), part) for part in raw])
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(told)
        outer.update(inner.digest())
        return outer.digest()

    def number(self, *parts: str) -> int:
        """A number below 2**64, each as likely."""
        return int.from_bytes(self.digest(*parts)[:8], "big")

    def name(self, *parts: str) -> str:
        """A name for these texts of 32 hexadecimal digits, from which they cannot be found again."""
        return self.digest(*parts).hex()[:32]

    def permuted(self, number: int, bits: int) -> int:
        """Another number below 2**bits: no two numbers have the same one. `bits` is even.

        A Feistel network, whose rounds are keyed.
        """
        half = bits // 2
        mask = (1 << half) - 1
        left, right = number >> half, number & mask
        for turn in range(_ROUNDS):
            left, right = right, left ^ (self.number("permuted", f"{bits}.{turn}", str(right)) & mask)
        return left << half | right

    def key(self) -> bytes:
        """The 32 bytes themselves, for a cipher."""
        return self._key


class Key:
    """The key of a project. `Key.new()`, `Key.read(path)`; `key.secret("names")` is the sub-key for a purpose."""

    __slots__ = ("_key", "_secrets")

    def __init__(self, key: bytes) -> None:
        if len(key) < BYTES:
            raise KeyFileError(f"a key has at least {8 * BYTES} bits; this has {8 * len(key)}: elision key new FILE")
        self._key = key
        self._secrets: dict[str, Secret] = {}

    @classmethod
    def new(cls) -> Key:
        return cls(secrets.token_bytes(BYTES))

    def secret(self, purpose: str) -> Secret:
        """The sub-key for a purpose; worked out once."""
        if purpose not in self._secrets:
            first = hmac.digest(_SALT, self._key, "sha256")
            self._secrets[purpose] = Secret(hmac.digest(first, purpose.encode() + b"\x01", "sha256"))
        return self._secrets[purpose]

    @property
    def id(self) -> str:
        """Says which key it is and nothing about it."""
        return self.secret("id").name()[:16]

    @property
    def bits(self) -> int:
        return 8 * len(self._key)

    @classmethod
    def read(cls, path: str | Path) -> Key:
        """The key in a file that only its owner may read."""
        path = Path(path)
        try:
            mode = path.stat().st_mode
            text = path.read_text("ascii").strip()
        except FileNotFoundError:
            raise KeyFileError(f"{path}: no such file; make a key with: elision key new {path}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise KeyFileError(f"{path}: cannot read the key ({type(error).__name__})") from None
        if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
            raise KeyFileError(f"{path}: others may read this key; say: chmod 600 {path}")
        if not text.startswith(_HEAD):
            raise KeyFileError(f"{path}: is no key of elision; make one with: elision key new FILE")
        try:
            return cls(base64.b64decode(text.removeprefix(_HEAD), validate=True))
        except ValueError:
            raise KeyFileError(f"{path}: the key is damaged; take it from your backup") from None

    def write(self, path: str | Path) -> None:
        """Write the key into a new file that only its owner may read; no file is written over."""
        path = Path(path)
        try:
            where = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise KeyFileError(f"{path}: exists, and a key is never written over") from None
        except OSError as error:
            raise KeyFileError(f"{path}: cannot write the key: {error.strerror}") from None
        with os.fdopen(where, "w", encoding="ascii") as file:
            file.write(f"{_HEAD}{base64.b64encode(self._key).decode()}\n")
            file.flush()
            os.fsync(file.fileno())


def digest_of(data: bytes) -> str:
    """The SHA-256 of what is no secret: a policy, a list of names."""
    return hashlib.sha256(data).hexdigest()
