"""The preprocessing of He 2015: white space, then nine rules for glued tokens, then punctuation.

The rules are data (`data/glued.toml`), each with the example of the paper's Table 1 as its proof. The default
tokeniser of `tokens.py` cuts at all of these places and more; this one exists so that the paper's system, with
and without its preprocessing, can be compared.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from elision.tokens import Tokens, tokens_at

PUNCTUATION = '"“”;#*/<>[]{}'
_EDGES = re.compile(r"^[(\"'“‘]|[)\"'”’.,:;!?]$")


@dataclass(frozen=True, slots=True)
class GlueRule:
    """A pattern whose group `tail` starts where the token is cut, with its proof."""

    pattern: re.Pattern[str]
    example: str
    parts: tuple[str, ...]

    def cut(self, token: str) -> int:
        """Where the rule cuts the token, 0 for nowhere."""
        match = self.pattern.search(token)
        return match.start("tail") if match else 0


@cache
def glue_rules() -> tuple[GlueRule, ...]:
    """The nine rules of Table 1, in its order."""
    table = tomllib.loads((files("elision") / "data" / "glued.toml").read_text("utf-8"))
    return tuple(GlueRule(re.compile(row["pattern"]), row["example"], tuple(row["parts"])) for row in table["rules"])


def unglue(token: str) -> list[str]:
    """Cut a token where the first rule that finds something says, and its parts in turn."""
    for rule in glue_rules():
        if at := rule.cut(token):
            return [*unglue(token[:at]), *unglue(token[at:])]
    return [token]


def tokenize_he2015(text: str, *, preprocessing: bool = True) -> Tokens:
    """Tokens as in He 2015; without preprocessing, white space and punctuation at the edges only."""
    edges: list[tuple[int, int]] = []
    for match in re.finditer(r"\S+", text):
        at = match.start()
        for piece in _off_edges(match[0]):
            for part in unglue(piece) if preprocessing else [piece]:
                for token in _split_punctuation(part) if preprocessing else [part]:
                    edges.append((at, at + len(token)))
                    at += len(token)
    return tokens_at(edges)


def _off_edges(chunk: str) -> list[str]:
    """Punctuation at either edge of a chunk as tokens of their own."""
    head: list[str] = []
    tail: list[str] = []
    while len(chunk) > 1 and (match := _EDGES.search(chunk)):
        if match.start() == 0:
            head.append(chunk[0])
            chunk = chunk[1:]
        else:
            tail.append(chunk[-1])
            chunk = chunk[:-1]
    return [*head, chunk, *reversed(tail)]


def _split_punctuation(token: str) -> list[str]:
    return [part for part in re.split(f"([{re.escape(PUNCTUATION)}])", token) if part]
