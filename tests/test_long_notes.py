"""Notes without end: all is found wherever a long line is cut inside, and memory stays in proportion."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.pipeline import Deidentifier
from elision.taggers.batch import LONGEST
from elision.text.tokens import tokenize
from tests.shapes import name

WORDS = (
    "pain",
    "cough",
    "fever",
    "rash",
    "stable",
    "walks",
    "sleeps",
    "eats",
    "well",
    "normal",
    "chest",
    "clear",
    "mild",
)
BYTES = 60  # that a character of a note may take, from the tagger's columns to the receipt
SHORT = 10_000_000
HIDDEN = re.compile(r"Seen by Dr\. \[NAME\] on \[DATE\](?:/\[DATE\])*, MRN: \[MEDICAL_RECORD\]\.")


def one_line(characters: int) -> tuple[str, int]:
    """A line, and how many phrases there are in it with a date, a name and a number: one at each place where the tagger
    cuts the line, each of its tokens in turn."""
    rng = Random(7)
    words = [rng.choice(WORDS) for _ in range(20_000)]
    parts: list[str] = []
    tokens = size = at = 0
    while size < characters:
        who, day, number = f"{name(rng)}{name(rng).lower()}", f"{1 + at % 12:02}/{1 + at % 28:02}/2021", f"48{at:05}7"
        phrase = f"Seen by Dr. {who} on {day}, MRN: {number}."
        many = len(tokenize(phrase, "en"))
        fill = LONGEST * (at + 1) - tokens - at % many
        begin = rng.randrange(len(words) - LONGEST * 2) if fill < LONGEST * 2 else 0
        filler = " ".join(words[begin : begin + fill])
        parts += (filler, phrase)
        tokens += fill + many
        size += len(filler) + len(phrase) + 2
        at += 1
    return " ".join(parts), at


def check(characters: int) -> None:
    text, phrases = one_line(characters)
    assert "\n" not in text
    (done,) = Deidentifier(detectors_for("en"), most=1 << 30)([Document(text, "n1", language="en")])
    assert done.document is not None, done.receipt.why
    assert sum(1 for _ in HIDDEN.finditer(done.document.text)) == phrases
    assert done.document.text.count("pain") == text.count("pain")


def peak() -> int:
    """Bytes that this process held at most."""
    found = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) << 10


def measured(code: str) -> list[int]:
    """Numbers that a process of its own prints."""
    root = Path(__file__).parents[1]
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root)
    assert told.returncode == 0, told.stderr[-2000:]
    return [int(number) for number in told.stdout.split()]


IN_LITTLE_MEMORY = """
from tests.test_long_notes import check, peak
check(10_000)
before = peak()
check({0})
print((peak() - before) // {0})
"""
MANY = """
from elision.document import Document
from elision.detect.defaults import detectors_for
from elision.pipeline import Deidentifier
from tests.test_long_notes import new_words, peak
run = Deidentifier(detectors_for("en"), policy="surrogate", key={0!r})
for first, many in ((0, 8_000), (8_000, 40_000)):
    for number in range(first, many, 100):
        run([Document(new_words(number + at), f"n{{at}}", language="en") for at in range(100)])
    print(peak() >> 20)
"""


def new_words(number: int) -> str:
    rng = Random(number)
    return f"Seen by Dr. {name(rng)} {name(rng)}. " + " ".join(name(rng).lower() + name(rng).lower() for _ in range(20))


@pytest.mark.slow
def test_a_line_of_ten_megabytes() -> None:
    check(SHORT)


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process took at most")


@pytest.mark.slow
@linux
def test_a_line_of_a_hundred_megabytes_takes_memory_in_proportion() -> None:
    (bytes_of_one,) = measured(IN_LITTLE_MEMORY.format(100_000_000))
    assert bytes_of_one <= BYTES


@pytest.mark.slow
@linux
def test_memory_does_not_grow_with_ever_new_words(tmp_path: Path) -> None:
    from elision.keys import Key

    Key(bytes(range(32))).write(tmp_path / "project.key")
    few, many = measured(MANY.format(str(tmp_path / "project.key")))
    assert many <= 1.2 * few
