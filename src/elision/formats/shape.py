"""The keys of a JSON file as far as its head shows them, for guessing formats."""

from __future__ import annotations

import re
from functools import lru_cache

# A string that breaks off with the head counts as a token, too, so that each character is looked at once.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\],:]', re.DOTALL)
DEPTH = 12
LONGEST = 80  # of a key; keys are data, too, in a file that means harm


@lru_cache(maxsize=1)  # each format asks for the shape of the same head
def shape(head: str) -> frozenset[str]:
    """The keys in the head of JSON or JSON Lines as paths ("[].data.text"); it may break off anywhere."""
    paths: set[str] = set()
    open_at: list[str] = []  # the path of each object ("spans[].") and list ("spans[]") that is open
    here = key = ""
    if not head.removeprefix("\ufeff").lstrip().startswith(("{", "[")):
        return frozenset()
    for match in TOKEN.finditer(head):
        mark = match[0]
        if mark == "{":
            open_at.append(f"{here}." if here else "")
        elif mark == "[":
            here += "[]"
            paths.add(here)
            open_at.append(here)
        elif mark in "}]":
            if open_at:
                open_at.pop()
            here = open_at[-1] if open_at else ""
        elif mark == ",":
            here = open_at[-1] if open_at else ""
        elif mark == ":":
            here = (open_at[-1] if open_at else "") + key
            paths.add(here)
        else:
            key = mark[1:-1][:LONGEST]
        if len(open_at) > DEPTH:
            break
    return frozenset(paths)


def keys_of_lines(head: str) -> frozenset[str]:
    """The keys of the objects on the lines of a JSON Lines file."""
    return frozenset(path for path in shape(head) if "." not in path and "[" not in path)
