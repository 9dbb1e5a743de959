"""The preprocessing of He 2015, in three steps: tokens like OpenNLP's, nine rules for glued tokens, punctuation.

The first step stands for a learnt tokeniser that is not here: it cuts where the Penn Treebank does (see `treebank`).
The nine rules are data (`data/glued.toml`), each with the example of the paper's Table 1 as its proof. The list of
marks of the third step begins, in the text that we have, with a pair of empty quotation marks. The paper's examples,
"2106-02-12" and "Sergio-Steven", show that the hyphen belongs there.

The default tokeniser of `tokens.py` cuts at all of these places and more; this one exists so that the paper's system,
with and without its preprocessing, can be compared.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from elision.papers.treebank import treebank_words
from elision.text.tokens import Tokens, tokens_at

PUNCTUATION = "-;#*/<>[]{}"
CUTS = {"all": "he2015", "official": "he2015-official", "tokens": "he2015-plain", "none": "he2015-none"}


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


def tokenize_he2015(text: str, *, steps: str = "all") -> Tokens:
    """Tokens as in He 2015: after "all" steps of the preprocessing, or fewer (`CUTS`).

    "official" leaves out the rules for glued tokens, as the paper's section 3.2 says of the run that was handed in.
    "tokens" has the first step alone. "none" cuts at white space only.
    """
    edges: list[tuple[int, int]] = []
    words = white(text) if steps == "none" else treebank_words(text)
    for at, word in words:
        for part in unglue(word) if steps == "all" else [word]:
            for token in _split_punctuation(part) if steps in ("all", "official") else [part]:
                edges.append((at, at + len(token)))
                at += len(token)
    return tokens_at(edges)


def white(text: str) -> list[tuple[int, str]]:
    """What stands between white space, and where."""
    return [(match.start(), match[0]) for match in re.finditer(r"\S+", text)]


def preprocessed(text: str, _language: str = "") -> Tokens:
    """The tokeniser that settings call he2015."""
    return tokenize_he2015(text)


def official(text: str, _language: str = "") -> Tokens:
    """The one that they call he2015-official."""
    return tokenize_he2015(text, steps="official")


def plain(text: str, _language: str = "") -> Tokens:
    """The one that they call he2015-plain."""
    return tokenize_he2015(text, steps="tokens")


def none(text: str, _language: str = "") -> Tokens:
    """The one that they call he2015-none."""
    return tokenize_he2015(text, steps="none")


def _split_punctuation(token: str) -> list[str]:
    return [part for part in re.split(f"([{re.escape(PUNCTUATION)}])", token) if part]
