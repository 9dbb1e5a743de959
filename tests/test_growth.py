"""Time grows with a note and not with its square, whatever stands in it: ten times the text takes at most fifteen times
as long, from the detectors that come with elision to the check."""

from __future__ import annotations

import gc
import time
from functools import cache
from itertools import pairwise

import pytest

from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.keys import Key
from elision.pipeline import Cleaned, Deidentifier
from tests.shapes import SHAPES

MOST = 15.0  # times as long for ten times the text
LEAST = 0.05  # seconds; what takes less is not measured
LEAST_OF_LONG = 0.15
TRIES = 3
QUICK = ("JSON", "names")  # what `make test` tries
KEY = Key(bytes(range(32)))


@cache
def deidentifier(language: str, policy: str) -> Deidentifier:
    made = Deidentifier(detectors_for(language), policy=policy, key=KEY)
    made([Document("Seen by Dr. Roe on 3 May 2020.", language=language)])  # what is made once is made now
    return made


def seconds(shape: str, policy: str, size: int) -> tuple[float, Cleaned]:
    """Of the processor, as others may be at work here, and without Python's search for cycles, as `timeit` measures:
    it goes through all there is, again and again, so that what it takes is no matter of the note's length alone."""
    language, text = SHAPES[shape]
    note = Document(text(size), shape, language=language)
    run = deidentifier(language, policy)
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        (cleaned,) = run([note])
        return time.process_time() - began, cleaned
    finally:
        gc.enable()


def check_growth(shape: str, policy: str, sizes: tuple[int, ...], least: float = LEAST_OF_LONG) -> None:
    for small, large in pairwise(sizes):
        for _ in range(TRIES):
            before, _ = seconds(shape, policy, small)
            after, cleaned = seconds(shape, policy, large)
            if after <= MOST * max(before, least):
                break
        else:
            pytest.fail(f"{shape}: {small:,} characters {before:.2f} s, {large:,} {after:.2f} s, {TRIES} times")
        assert cleaned.document is not None or cleaned.receipt.why


@pytest.mark.parametrize(
    "shape", [pytest.param(shape, marks=[] if shape in QUICK else pytest.mark.slow) for shape in SHAPES]
)
def test_a_note_of_ten_times_the_length_takes_about_ten_times_as_long(shape: str) -> None:
    check_growth(shape, "surrogate", (4_000, 40_000), LEAST)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_long_notes_do(shape: str) -> None:
    check_growth(shape, "surrogate", (10_000, 100_000, 1_000_000))


@pytest.mark.slow
def test_a_long_note_takes_no_longer_when_it_comes_again() -> None:
    """What is kept of the first time is not compared with the second, name by name."""
    first, again = (seconds("keys in lines", "surrogate", 900_000)[0] for _ in range(2))
    assert again <= 2 * first


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["safe-harbor", "redact", "tag", "research"])
@pytest.mark.parametrize("shape", ["names", "dates", "addresses", "Chinese names", "ids"])
def test_long_notes_do_under_every_policy(shape: str, policy: str) -> None:
    check_growth(shape, policy, (20_000, 200_000))
