"""URLs of databases, as they may be shown: without a password, wherever in the URL it stands."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, urlsplit

from elision.errors import FormatError

HIDDEN = "***"
# What may be shown of a query. Anything else may be a password (`password=`, `odbc_connect=`).
_SHOWN = ("table", "schema", "key", "partition", "host", "port", "dbname", "service_name", "driver")
_NAMES = re.compile(r'(?:"((?:[^"]|"")+)"|([^".]+))(?:\.|\Z)')


def without_password(where: str) -> str:
    """A database's URL as it may be shown; a path as it is."""
    if "://" not in where:
        return where
    try:
        url = urlsplit(where)
        secret = url.password
    except ValueError:
        return where.partition("://")[0] + "://…"
    start, mark, query = where.partition("?")
    if secret:
        user, _, host = url.netloc.rpartition("@")
        start = start.replace(url.netloc, f"{user.partition(':')[0]}:{HIDDEN}@{host}", 1)
    parts = (part if part.partition("=")[0].lower() in _SHOWN else _hidden(part) for part in query.split("&") if part)
    return f"{start}{mark}{'&'.join(parts)}"


def _hidden(part: str) -> str:
    name, equals, _ = part.partition("=")
    return f"{name}={HIDDEN}" if equals and re.fullmatch(r"\w{1,40}", name) else HIDDEN


def for_a_name(where: str) -> str:
    """What of a URL may be part of a file's name: nobody's name or password, and of the query what is shown."""
    url = urlsplit(where)
    query = [(name, value) for name, value in parse_qsl(url.query) if name.lower() in _SHOWN]
    told = "&".join(f"{name}={quote(value, safe='/')}" for name, value in query)
    return f"{url.netloc.rpartition('@')[2]}{url.path}?{told}"


def split_name(said: str) -> tuple[str | None, str]:
    """The schema and the table in `schema.table`. A name in quotes may have dots, and capitals that count."""
    names: list[str] = []
    at = 0
    while at < len(said):
        found = _NAMES.match(said, at)
        if found is None:
            raise FormatError(
                'table= cannot be read: say TABLE, SCHEMA.TABLE, or with quotes around a name "my.schema"."my.table"'
            )
        names.append(found[1].replace('""', '"') if found[1] else found[2])
        at = found.end()
    if said.endswith(".") and not said.endswith('"'):
        raise FormatError("table= ends in a dot: say SCHEMA.TABLE")
    return (".".join(names[:-1]) or None, names[-1]) if names else (None, "")
