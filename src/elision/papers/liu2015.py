"""The token-level CRF of Liu 2015, as Trienes 2020 used it."""

from __future__ import annotations

from typing import Any

from elision.errors import ModelError
from elision.taggers.linear.settings import Settings
from elision.taggers.settings import settings_with

AFFIXES = range(1, 6)
ENTITIES = {"lists": "listed", "rules": "rule", "none": ""}


def liu2015(
    language: str = "nl",
    *,
    c1: float = 0.1,
    c2: float = 0.1,
    iterations: int = 100,
    pos: bool = True,
    entities: str = "lists",
    **more: Any,
) -> Settings:
    """The CRF of Liu 2015 without word vectors, as Trienes 2020 used it: L-BFGS with both L1 and L2.

    A feature of the paper is what a recogniser of general text takes a token for: spaCy's. `entities` says what stands
    for it:

    - lists: what public lists have the word as, such as a given name, a surname or a place
    - rules: what a rule of the language's pack covers, which knows more than a general recogniser
    - none

    A tagger of ours is none of them: it has learnt the labels that are to be found. The paper chose c1 and c2 by a
    random search, as `elision paper trienes2020 --trials 250` does. The defaults, the number of iterations and a weight
    for every pair of tags are those of the authors' program (github.com/nedap/deidentify, commit 355d23a).
    """
    if entities not in ENTITIES:
        raise ModelError(f"entities {entities!r}: choose one of {', '.join(ENTITIES)}")
    flags = ("upper", "title", "inner-upper", "some-digit", "digits", "some-punctuation", "roman", "ascii")
    features = [
        *_grams("form"),
        *(_grams("pos") if pos else ()),
        *([f"form[{at}] pos[{at}]" for at in (-1, 0, 1)] if pos else ()),
        *([f"{ENTITIES[entities]}[-2..2]"] if ENTITIES[entities] else ()),
        *(f"sentence-{name}[0]" for name in ("length", "end", "brackets")),
        *(f"{side}{size}[0]" for side in ("prefix", "suffix") for size in AFFIXES),
        *(f"{name}[0]" for name in (*flags, "shape", "brief", "heading")),
    ]
    settings = Settings(
        features=tuple(features),
        language=language,
        trainer="crfsuite",
        options={"c1": c1, "c2": c2, "max_iterations": iterations, "feature.possible_transitions": True},
        decoding="viterbi",
        least=1,
    )
    return settings_with(settings, {}, more)


def _grams(name: str) -> list[str]:
    """One, two and three in a row within two tokens to either side."""
    two = [f"{name}[{at}] {name}[{at + 1}]" for at in range(-2, 2)]
    three = [f"{name}[{at}] {name}[{at + 1}] {name}[{at + 2}]" for at in range(-2, 1)]
    return [f"{name}[-2..2]", *two, *three]
