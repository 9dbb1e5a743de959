"""FHIR's JSON, read and written so that all of it comes back: decimals keep their digits, halves of characters stay."""

from __future__ import annotations

import json
import re
from secrets import token_hex
from typing import Any

from elision.errors import FormatError
from elision.formats.files import parse_json

Resource = dict[str, Any]

# FHIR tells 1.10 from 1.1. Decimals are read as strings behind a mark that nothing in a file can be equal to.
DECIMAL = f"decimal {token_hex(16)} "


def parse(text: str, where: str) -> Resource:
    resource = parse_json(text, where)
    if not isinstance(resource, dict) or not isinstance(resource.get("resourceType"), str):
        raise FormatError(f"{where}: not a FHIR resource: there is no resourceType")
    kept: Resource = json.loads(text, parse_float=lambda number: DECIMAL + number)
    return kept


def dumps(resource: Resource, indent: int | None = None) -> str:
    text = json.dumps(resource, ensure_ascii=False, indent=indent)
    text = re.sub(f'"{DECIMAL}([^"]*)"', r"\1", text)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)  # which UTF-8 cannot hold


def kind(resource: Resource) -> str:
    """What to call a resource in a message."""
    stated = resource.get("resourceType")
    return stated if isinstance(stated, str) and re.fullmatch("[A-Za-z]{1,40}", stated) else "of an unknown type"
