"""Files of word vectors: which form they have, and the words and numbers in them.

Text (GloVe; word2vec and fastText's .vec, which begin with a header of two numbers) or word2vec's binary form, each
also gzipped. The beginning of a file tells which it is; its name does not matter. Files are read as streams, and
numbers only of the words that are asked for, so that memory is bounded by what is kept.
"""

from __future__ import annotations

import gzip
import re
import zlib
from array import array
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import numpy.typing as npt

from elision.errors import FormatError

Table = npt.NDArray[np.float32]
Rows = Iterator[tuple[int, bytes, bytes]]  # line or place in the file, word, and numbers that are not yet read as such

_HEAD = 1_000_000  # bytes at the beginning that tell what a file is; also the longest line
_WORD = 4_096  # bytes of the longest word in a binary file
_WIDEST = 10_000  # numbers for a word; a header that promises more is damaged
_ODD_WORDS = 0.01  # the share of words that may not be UTF-8: word2vec cuts long words inside a character

_BOM = b"\xef\xbb\xbf"
_HEADER = re.compile(rb"([0-9]{1,12})[ \t]+([0-9]{1,12})[ \t]*\r?")
_UNPRINTABLE = re.compile(rb"[^\t\r\n -~]")  # among the first word's numbers only if they are stored as bytes
_REFUSED = {
    b"\xba\x16\x4f\x2f": "this is fastText's own .bin form, with parts of words; use the .vec file of the same vectors",
    b"PK\x03\x04": "this is a zip archive; unpack it first",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """What the beginning of a file told: its form, and what its header promises."""

    path: Path
    size: int  # numbers for a word
    count: int | None = None  # words, where a header says so
    binary: bool = False

    def where(self, row: int) -> str:
        """The place of a row, for messages: its line, or in a binary file which word it is."""
        return f"{self.path}: word {row:,}" if self.binary else f"{self.path}:{row}"


def read_table(path: Path, wanted: Collection[str] | None, most: int) -> tuple[tuple[str, ...], Table]:
    """The first `most` words of a file that are wanted (None: all are), and a row of numbers for each."""
    try:
        with _opened(path) as stream:
            layout = _layout(path, stream.read(_HEAD))
            stream.seek(0)
            return _gathered(layout, stream, wanted, most)
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror or 'the gzip file is damaged'}") from None
    except (EOFError, zlib.error):
        raise FormatError(f"{path}: the gzip file is damaged or was cut; fetch it again") from None


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    with path.open("rb") as stream:
        zipped = stream.read(2) == b"\x1f\x8b"
        stream.seek(0)
        if zipped:
            with gzip.GzipFile(fileobj=stream) as unzipped:
                yield cast(BinaryIO, unzipped)
        else:
            yield stream


def _layout(path: Path, head: bytes) -> Layout:
    """The form of a file, from its beginning."""
    for magic, why in _REFUSED.items():
        if head.startswith(magic):
            raise FormatError(f"{path}: {why}")
    first, _, rest = head.removeprefix(_BOM).partition(b"\n")
    header = _HEADER.fullmatch(first)
    row = (rest.partition(b"\n")[0] if header else first).split()
    size = int(header[2]) if header else len(row) - 1
    is_text = 0 < size < len(row) and _numbers(b" ".join(row[-size:])) is not None
    if not (header or is_text):
        raise FormatError(
            f"{path}:1: neither a header of two numbers nor a word and its numbers; word vectors are read "
            "as text (GloVe, word2vec, fastText's .vec) or in word2vec's binary form"
        )
    if not 0 < size <= _WIDEST:
        raise FormatError(f"{path}:1: {size:,} numbers for a word; from 1 to {_WIDEST:,} are possible")
    behind_word = rest.find(b" ", 0, _WORD) + 1
    binary = not is_text and _UNPRINTABLE.search(rest, behind_word, behind_word + 4 * size) is not None
    return Layout(path, size, int(header[1]) if header else None, binary)


def _gathered(
    layout: Layout, stream: BinaryIO, wanted: Collection[str] | None, most: int
) -> tuple[tuple[str, ...], Table]:
    """The wanted words and their numbers; of a word that comes twice, the first row counts."""
    words: dict[str, None] = {}
    numbers = bytearray()
    read, odd = 0, []  # how many rows; those whose word is not UTF-8
    for row, spelled, raw in _binary_rows(layout, stream) if layout.binary else _text_rows(layout, stream):
        read += 1
        try:
            word = spelled.decode()
        except UnicodeDecodeError:
            odd.append(row)
            continue
        if word not in words and (wanted is None or word in wanted):
            if len(words) >= most:
                break
            words[word] = None
            numbers += _row(layout, row, raw).tobytes()
    if len(odd) > _ODD_WORDS * read:
        raise FormatError(
            f"{layout.where(odd[0])}: this word is not UTF-8, nor are {len(odd) - 1:,} after it; "
            "convert the file to UTF-8, or fetch it again if it is damaged"
        )
    table = np.frombuffer(numbers, np.float32) if words else np.zeros(0, np.float32)
    return tuple(words), table.reshape(len(words), layout.size)


def _row(layout: Layout, row: int, raw: bytes) -> Table:
    numbers = np.frombuffer(raw, "<f4").astype(np.float32) if layout.binary else _numbers(raw)
    if numbers is None:
        raise FormatError(f"{layout.where(row)}: what follows the word is not all numbers")
    if not np.isfinite(numbers).all():
        raise FormatError(f"{layout.where(row)}: a number is infinite, too large or not a number (nan)")
    return numbers


def _numbers(raw: bytes) -> Table | None:
    """Numbers from text; None if something else is among them."""
    if b"_" in raw:  # Python would read 1_0 as 10
        return None
    try:
        return np.array(array("f", map(float, raw.split())))
    except ValueError:
        return None


def _text_rows(layout: Layout, stream: BinaryIO) -> Rows:
    """The rows of a text file, each with as many numbers as there must be."""
    number = found = 0
    while line := stream.readline(_HEAD + 1):
        number += 1
        if len(line) > _HEAD:
            raise FormatError(f"{layout.where(number)}: a line of more than {_HEAD:,} bytes; are these word vectors?")
        line = line.removeprefix(_BOM).rstrip() if number == 1 else line.rstrip()
        if not line or (number == 1 and layout.count is not None):
            continue
        word, raw = _split(line, layout.size)
        if not word:
            raise FormatError(
                f"{layout.where(number)}: {len(line.split()):,} columns where {layout.size + 1:,} are needed, "
                "a word and its numbers, as the beginning of the file has it"
            )
        found += 1
        yield number, word, raw
    if layout.count not in (None, found):
        raise FormatError(f"{layout.path}: {found:,} words where the header says {layout.count:,}; was the file cut?")


def _split(line: bytes, size: int) -> tuple[bytes, bytes]:
    """A word and its numbers; no word if there are too few or too many numbers."""
    if b"\t" in line or b"  " in line:
        line = b" ".join(line.split())
    blanks = line.count(b" ")
    word, _, raw = line.partition(b" ")
    if blanks > size:  # GloVe has a few words with blanks; none of them ends in a number
        word, *numbers = line.rsplit(b" ", size)
        raw = b" ".join(numbers)
    too_many = blanks > size and _numbers(word.rpartition(b" ")[2]) is not None
    return (b"" if blanks < size or too_many else word), raw


def _binary_rows(layout: Layout, stream: BinaryIO) -> Rows:
    """The rows of a binary file: a word, a blank, the numbers as bytes; some programs put a line end after these."""
    width, buffer, at = 4 * layout.size, b"", 0
    stream.readline()
    for number in range(1, (layout.count or 0) + 1):
        if len(buffer) - at < _WORD + width:
            buffer, at = buffer[at:] + stream.read(_HEAD), 0
        blank = buffer.find(b" ", at, at + _WORD)
        if blank < 0 and len(buffer) - at >= _WORD:
            raise FormatError(
                f"{layout.where(number)}: no end of the word within {_WORD:,} bytes; "
                "the file is damaged, or its header is not that of these vectors"
            )
        end = blank + 1 + width
        if blank < 0 or end > len(buffer):
            raise FormatError(
                f"{layout.where(number)}: the file ends here, where the header says {layout.count:,} words; "
                "it was cut: fetch it again"
            )
        yield number, buffer[at:blank].lstrip(b"\n"), buffer[blank + 1 : end]
        at = end
    if (buffer[at:] + stream.read(1)).strip(b"\n"):
        raise FormatError(
            f"{layout.path}: goes on after the {layout.count:,} words that its header says; is it damaged?"
        )
