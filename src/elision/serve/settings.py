"""What is chosen when a service starts: what it does with notes, and how much it takes on."""

from __future__ import annotations

import hmac
import ipaddress
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from elision.errors import KeyFileError, RunError
from elision.formats.tables.columns import Columns
from elision.run.how import How

LEAST_TOKEN = 20  # characters
TEXT = "text"
COLUMNS = Columns((TEXT,))


@dataclass(frozen=True)
class Limits:
    """How much a service takes on. Whatever is beyond is refused, and says so."""

    body: int = 8_000_000  # bytes of a request; of a batch: of a line
    notes: int = 10_000  # of a request
    seconds: float = 60.0  # for the notes of a request, and for each wait for the client
    requests: int = 64  # at work at once
    threads: int = 2


@dataclass(frozen=True)
class Settings:
    """All that decides how a service answers."""

    how: How = field(default_factory=lambda: How(COLUMNS))
    limits: Limits = Limits()
    token: Token | None = None


class Token:
    """What callers must know. It is compared in constant time, and never shown."""

    __slots__ = ("_token",)

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def is_it(self, given: bytes) -> bool:
        return hmac.compare_digest(given, self._token)

    @classmethod
    def read(cls, path: Path) -> Token:
        """The token in a file that only its owner may read."""
        try:
            mode, text = path.stat().st_mode, path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise KeyFileError(
                f"--token-file {path}: cannot read the token ({type(error).__name__}); make one with: "
                f"(umask 077; openssl rand -hex 32 > {path})"
            ) from None
        if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
            raise KeyFileError(f"--token-file {path}: others may read this token; say: chmod 600 {path}")
        if len(text) < LEAST_TOKEN or not text.isprintable() or " " in text:
            raise KeyFileError(f"--token-file {path}: a token is one word of at least {LEAST_TOKEN} characters")
        return cls(text)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_host(host: str, token: Token | None) -> None:
    """Refuse to listen where others reach the service, unless they must know a token."""
    if token is None and not is_loopback(host):
        raise RunError(
            f"--host {host[:60]}: others could reach the service there; give --token-file FILE, or leave --host out"
        )
