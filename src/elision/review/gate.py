"""What every request passes before and after its route: who may ask, how much; headers that keep a note on its page.

The page shows notes with all that is in them. So it answers to one browser of this machine, which has brought the token
once; to no other name than this machine's, so that no page of elsewhere whose name leads here gets in; and to no form
or script of another page.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elision.serve.gate import HERE, again, body_of, name_of, refuse_half_characters
from elision.serve.logs import internal
from elision.serve.refused import RefusedError, answer

MOST, SECONDS = 1_000_000, 30.0  # bytes and time of a request
ENTER = "/enter"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", CSP.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"clipboard-read=(), camera=(), microphone=(), geolocation=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]


class Door:
    """A token that opens once, and the session that it opens. Cookies know no ports, so the session's name does."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = secrets.token_urlsafe(32)
        self._session = secrets.token_urlsafe(32)
        self._used = False

    def enter(self, token: str) -> str:
        """The cookie for who brings the token; it opens only once."""
        if self._used or not hmac.compare_digest(token.encode(), self.token.encode()):
            raise RefusedError("token", "this address was used already or is wrong; start elision review again")
        self._used = True
        return f"{self.cookie}={self._session}; Path=/; HttpOnly; SameSite=Strict"

    @property
    def cookie(self) -> str:
        return f"elision_review_{self.port}"

    def is_open_to(self, cookies: bytes) -> bool:
        try:
            found = SimpleCookie(cookies.decode("ascii")).get(self.cookie)
        except (CookieError, UnicodeDecodeError):
            return False
        return found is not None and hmac.compare_digest(found.value.encode(), self._session.encode())


class Gate:
    """Around an application: admits, limits, and adds headers."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        begun = False

        async def out(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        try:
            headers: dict[bytes, bytes] = dict(reversed(scope["headers"]))  # of several the first
            self._admit(scope, headers)
            body = await body_of(receive, headers, MOST, SECONDS)
            refuse_half_characters(body)
            await self.app(scope, again(body, receive), out)
        except RefusedError as refused:
            if not begun:
                await answer(refused)(scope, receive, out)
        except Exception as error:
            told = internal(error)
            if not begun:
                await answer(told)(scope, receive, out)

    def _admit(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        host = headers.get(b"host", b"")
        if name_of(host) not in HERE:
            raise RefusedError("host", "open the address that elision review printed")
        origin = headers.get(b"origin")
        if origin is not None and origin != b"http://" + host:
            raise RefusedError("origin", "only the page itself may ask")
        if headers.get(b"sec-fetch-site", b"none") not in (b"none", b"same-origin"):
            raise RefusedError("origin", "only the page itself may ask")
        if scope["path"] == ENTER:
            return
        if not self.door.is_open_to(headers.get(b"cookie", b"")):
            raise RefusedError("token", "open the address that elision review printed")
        if scope["method"] not in ("GET", "HEAD"):
            if origin is None:
                raise RefusedError("origin", "only the page itself may ask")
            if headers.get(b"content-type", b"").partition(b";")[0].strip() != b"application/json":
                raise RefusedError("invalid-request", "send JSON")
