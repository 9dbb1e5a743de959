"""Stand-ins for how somebody is reached: telephones, mail, addresses and names of the net.

Hosts become names under example.com, example.net and example.org, and network addresses those of documentation: nobody
has them, and nobody will.
"""

from __future__ import annotations

import re
from functools import partial
from ipaddress import AddressValueError, IPv6Address

from elision.languages.base import COMMON
from elision.replace import codes
from elision.replace.choices import Scope
from elision.replace.phones import fax, phone
from elision.replace.standins import choices

__all__ = ["contact", "email", "fax", "handle", "ip", "phone", "url"]

LONGEST = 2_000
LONGEST_MAIL = 400
TRIES = 50
_AT = re.compile(
    r" {0,3}@ {0,3}| ?(?:\((?:at|a|arroba|chiocciola)\)|\[at\]|\{at\}|<at>) ?| (?:at|arroba|apenstaartje|chiocciola) ",
    re.IGNORECASE,
)
_DOT = re.compile(r" ?(?:\((?:dot|punt|punto)\)|\[dot\]|<dot>) ?| (?:dot|punto|punt) ", re.IGNORECASE)
_MAIL = re.compile(
    r"(?P<head>(?:mailto:|[<(\"']){0,3})(?P<mail>.*?)(?P<tail>[>)\"'.;,]{0,3})", re.IGNORECASE | re.DOTALL
)
_URL = re.compile(
    r"(?P<head>(?:[a-z]{2,8}://)?)(?:[^\s/@?#]*@)?(?P<host>\[[0-9a-f:.]+\]|[^\s/:?#]*)(?P<port>(?::\d+)?)(?P<path>.*)",
    re.IGNORECASE | re.DOTALL,
)
_PIECE = re.compile(r"(?:[^\W_]|%[0-9A-Fa-f]{2})+")
_STAYS = re.compile(r"html?|php|aspx?|jsp|pdf|jpg|png|index|home|www|https?|com", re.IGNORECASE)
_V4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)", re.ASCII)
_V6 = re.compile(r"(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])", re.IGNORECASE)
_V4_NETS = ("192.0.2", "198.51.100", "203.0.113")


def contact(text: str, scope: Scope, label: str) -> str | None:
    """A stand-in for what has one of the labels of CONTACT, or for an account name."""
    if label in ("PHONE", "FAX"):
        return phone(text, scope)
    if label == "EMAIL":
        return email(text, scope)
    if label == "IP":
        return ip(text, scope)
    return url(text, scope) if label == "URL" else handle(text, scope)


def email(text: str, scope: Scope) -> str | None:
    """A mail address whose local part follows the person's other name, at a host that nobody has."""
    match = _MAIL.fullmatch(text) if len(text) <= LONGEST_MAIL else None
    parts = _AT.split(match["mail"]) if match else []
    if match is None or len(parts) != 2 or not all(parts):
        return None
    local, domain = parts
    at = _AT.findall(match["mail"])[0]
    dots = _DOT.findall(domain)
    user = _username(local, scope)
    if not user:
        return None
    for attempt in range(TRIES):
        host = _host(_DOT.sub(".", domain), scope, attempt)
        if dots:
            host = host.replace(".", dots[0])
        candidate = f"{match['head']}{user}{at}{host}{match['tail']}"
        if candidate != text and not scope.forbidden(candidate):
            return candidate
    return None


def _username(local: str, scope: Scope) -> str | None:
    from elision.replace import names

    return names.username(local, scope)


def _host(host: str, scope: Scope, attempt: int = 0) -> str:
    """Another host, with www before it and in capitals as this one is."""
    low = re.sub(r"[ ,]+", ".", host.strip().lower())
    www = "www." if low.startswith("www.") else ""
    number = scope.number("host", low.removeprefix("www."), str(attempt))
    made = f"{www}{next(choices(COMMON, 'trees').ranked(number))}.example.{('com', 'net', 'org')[number % 3]}"
    return made.upper() if host.isupper() else made


def url(text: str, scope: Scope) -> str | None:
    """An address of the net: another host, and other words and numbers behind it."""
    match = _URL.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if match is None or not (match["host"] or match["path"].strip("/")):
        return None
    host = match["host"].strip("[]")
    for attempt in range(TRIES):
        if not host:
            new: str | None = ""
        elif _V4.fullmatch(host) or _V6.fullmatch(host):
            new = ip(match["host"], scope)
        else:
            new = _host(host, scope, attempt)
        if new is None:
            return None
        path = _PIECE.sub(partial(_piece, scope, attempt), match["path"])
        candidate = f"{match['head']}{new}{match['port']}{path}"
        if candidate != text and not scope.forbidden(candidate):
            return candidate
    return None


def _piece(scope: Scope, attempt: int, match: re.Match[str]) -> str:
    """A word of a path: a tree for letters, a code for all else."""
    piece = match[0]
    if _STAYS.fullmatch(piece):
        return piece
    if piece.isascii() and any(character.isdigit() for character in piece) and "%" not in piece:
        return codes.code(piece, scope, "URL") or "0"
    number = scope.number("path", piece.lower(), str(attempt))
    word = next(tree for tree in choices(COMMON, "trees").ranked(number) if tree != piece.lower())
    return word.upper() if piece.isupper() and len(piece) > 1 else word.capitalize() if piece[0].isupper() else word


def ip(text: str, scope: Scope) -> str | None:
    """A network address out of those that are kept for documentation; port and width of the net stay."""
    if len(text) > LONGEST:
        return None
    match = _V4.search(text) or _V6.search(text)
    if match is None:
        return None
    old = match[0]
    six = ":" in old
    if six:
        try:
            IPv6Address(old)
        except AddressValueError:
            return None
    for attempt in range(TRIES):
        number = scope.number("ip", old.lower(), str(attempt))
        new = _v6(old, number) if six else f"{_V4_NETS[number % 3]}.{1 + number // 3 % 254}"
        candidate = text[: match.start()] + new + text[match.end() :]
        if new.lower() != old.lower() and not scope.forbidden(candidate):
            return candidate
    return None


def _v6(old: str, number: int) -> str:
    """2001:db8:: and as much behind it as the old address has, with capitals and zeros as there."""
    long = "::" not in old
    groups = [f"{number >> 16 * place & 0xFFFF:x}" for place in range(4)]
    if long:
        groups = ["2001", "db8", "0", f"{number >> 7 & 0xFFFF:x}", *groups]
        if all(len(group) == 4 for group in old.split(":")):
            groups = [group.zfill(4) for group in groups]
        new = ":".join(groups)
    else:
        new = f"2001:db8::{groups[0]}:{groups[1]}"
    return new.upper() if old.isupper() else new


def handle(text: str, scope: Scope) -> str | None:
    """A name in a network: it follows the person's other name, or is another number."""
    if len(text) > LONGEST:
        return None
    mark = text[: len(text) - len(text.lstrip("@ "))]
    name = text[len(mark) :]
    if not name.strip():
        return None
    made = codes.code(name, scope, "USERNAME") if name.isascii() and name.isdigit() else _username(name, scope)
    candidate = mark + made if made else None
    return None if candidate is None or candidate == text or scope.forbidden(candidate) else candidate
