"""Somebody reads what came out, has the program and all its lists, knows true pairs of other patients, and has no key.

He guesses originals. Each way to guess must do no better than always naming the commonest name: what came out says
nothing about what went in.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache

import pytest

from elision.keys import Key
from elision.replace.choices import Scope
from elision.replace.codes import code
from elision.replace.name_lists import pools
from elision.replace.names import name

COHORT = 6_000
KEY = Key(bytes(range(7, 39)))
Pair = tuple[str, str]
Guess = Callable[[str], str]


def surnames(language: str) -> list[str]:
    listed = [word for words in pools(language)["surname"].values() for word in words]
    return sorted(set(listed))


@cache
def cohort(language: str) -> tuple[list[Pair], list[Pair]]:
    """Originals with their stand-ins, each of another patient: those that the adversary knows, and those to guess.

    Names are as unevenly common as people's are.
    """
    rng = random.Random(11)
    names = surnames(language)
    rng.shuffle(names)
    weights = [1 / (rank + 10) for rank in range(len(names))]
    secret = KEY.secret("names")
    pairs = []
    for number, original in enumerate(rng.choices(names, weights, k=COHORT)):
        made = name(original, Scope(secret, f"p{number}", language), "NAME_PATIENT")
        assert made is not None
        pairs.append((original, made))
    return pairs[: COHORT // 2], pairs[COHORT // 2 :]


def _commonest(known: list[Pair], kind: Callable[[str], object]) -> Guess:
    """For each kind of stand-in, the original that most often stood behind it."""
    behind: dict[object, Counter[str]] = defaultdict(Counter)
    for original, made in known:
        behind[kind(made)][original] += 1
    overall = Counter(original for original, _ in known).most_common(1)[0][0]
    best = {kind_: counts.most_common(1)[0][0] for kind_, counts in behind.items()}
    return lambda made: best.get(kind(made), overall)


def _offset(known: list[Pair], names: list[str]) -> Guess:
    """The place in the list, moved by what most often was between the two."""
    place = {word: at for at, word in enumerate(names)}
    moved = Counter((place[o] - place[m]) % len(names) for o, m in known if o in place and m in place)
    offset = moved.most_common(1)[0][0] if moved else 0
    return lambda made: names[(place[made] + offset) % len(names)] if made in place else names[0]


WAYS: dict[str, Callable[[list[Pair], list[str]], Guess]] = {
    "the same": lambda known, names: lambda made: made,
    "what stood behind this stand-in": lambda known, names: _commonest(known, str),
    "what stood behind this letter": lambda known, names: _commonest(known, lambda made: made[0]),
    "what stood behind this length": lambda known, names: _commonest(known, len),
    "what stood behind this ending": lambda known, names: _commonest(known, lambda made: made[-2:]),
    "a fixed way through the list": _offset,
}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "nl", "pt"])
@pytest.mark.parametrize("way", WAYS)
def test_no_way_to_guess_is_better_than_the_commonest_name(language: str, way: str) -> None:
    known, unknown = cohort(language)
    guess = WAYS[way](known, surnames(language))
    right = sum(guess(made) == original for original, made in unknown)
    chance = max(Counter(original for original, _ in unknown).values())
    assert right <= chance + 3 * math.sqrt(chance)


def test_numbers_say_nothing_of_numbers() -> None:
    """Digit by digit: behind each digit of a stand-in each digit of the original is about as likely."""
    rng = random.Random(3)
    secret = KEY.secret("codes")
    counts: Counter[tuple[int, str, str]] = Counter()
    for number in range(4_000):
        original = "7" + "".join(rng.choices("0123456789", k=5))
        made = code(original, Scope(secret, f"p{number}"), "MEDICAL_RECORD")
        assert made is not None
        counts.update((at, a, b) for at, (a, b) in enumerate(zip(original[1:], made[1:], strict=True)))
    expected = 4_000 / 100
    off = sum(
        (counts[at, a, b] - expected) ** 2 / expected for at in range(5) for a in "0123456789" for b in "0123456789"
    )
    degrees = 5 * 99
    assert off < degrees + 5 * math.sqrt(2 * degrees)


def test_two_keys_share_no_mapping_beyond_chance() -> None:
    rng = random.Random(5)
    one, other = (Key(bytes([fill]) * 32) for fill in (1, 2))
    names = surnames("en")
    values = [f"{rng.choice(names)}{rng.randrange(1000)}" for _ in range(100_000)]
    picks = [[key.secret("names").number("p", value) % len(names) for value in values] for key in (one, other)]
    same = sum(a == b for a, b in zip(*picks, strict=True))
    chance = len(values) / len(names)
    assert abs(same - chance) < 5 * math.sqrt(chance)
