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
from itertools import pairwise

from elision.text.tokens import Tokens, tokens_at

PUNCTUATION = '"“”;#*/<>[]{}'
_OPENING = "(\"'“‘"
_CLOSING = ")\"'”’.,:;!?"


@dataclass(frozen=True, slots=True)
class GlueRule:
    """A pattern whose group `tail` starts where the token is cut, with its proof.

    What comes before `tail` has one length, at least one character, and no pattern looks at what is around its match:
    `unglue` stands on that.
    """

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
    """Cut a token where the first rule that finds something says, and its parts in turn.

    A rule that finds nothing in a token finds nothing in its parts, and the part before a cut holds no second match
    of the same rule. So it is enough to go through the token once with each rule.
    """
    parts = [token]
    for rule in glue_rules():
        parts = [piece for part in parts for piece in _all_cuts(rule, part)]
    return parts


def _all_cuts(rule: GlueRule, token: str) -> list[str]:
    """The token cut wherever one rule says, from left to right."""
    cuts = [0]
    while match := rule.pattern.search(token, cuts[-1]):
        cuts.append(match.start("tail"))
    return [token[at:to] for at, to in pairwise([*cuts, len(token)])]


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


def preprocessed(text: str, _language: str = "") -> Tokens:
    """The tokeniser that settings call he2015."""
    return tokenize_he2015(text)


def plain(text: str, _language: str = "") -> Tokens:
    """The one that they call he2015-plain."""
    return tokenize_he2015(text, preprocessing=False)


def _off_edges(chunk: str) -> list[str]:
    """Punctuation at either edge of a chunk as tokens of their own."""
    first, last = 0, len(chunk)
    while last - first > 1 and chunk[first] in _OPENING:
        first += 1
    while last - first > 1 and chunk[last - 1] in _CLOSING:
        last -= 1
    return [*chunk[:first], chunk[first:last], *chunk[last:]]


def _split_punctuation(token: str) -> list[str]:
    return [part for part in re.split(f"([{re.escape(PUNCTUATION)}])", token) if part]
