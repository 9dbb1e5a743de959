"""Reading the models that CRFsuite writes, to the last bit. Reading needs no extra.

CRFsuite's own `info()` prints weights rounded to six decimals, so the binary file is read here. The file may have come
from anywhere: every place and count in it is held against its size, and its tables against each other, before use.

    header      magic, size, kind, version, counts of features (left at 0), labels and attributes, where the parts lie
    FEAT        a row a feature: type, source (an attribute or a label), label, weight
    CQDB        the labels, and once more the attributes: hash tables from string to id, links from id to string
    LFRF, AFRF  which features each label and each attribute has

What decoding must know to equal CRFsuite's tags:

- A token's score for a label is the sum of the weights of its attributes, added up in the order in which they stand.
  An attribute that stands twice counts twice; one that the model does not know counts nothing.
- CRFsuite's items may give an attribute a value ("scaling"), by which its weight is multiplied; it is 1 where none is
  given. A model that was trained with values reads like any other: its weights are those of the value 1.
- A path adds `transition[from, to]` between tokens. There are no weights for the beginning and the end.
- Of equal scores the label with the smaller id wins, for the last token and for the way that led to a label.
- Attributes are plain strings: the empty one is an attribute like others (only `info()` fails on it); ":" and "\\" mean
  nothing (they do in the text files of CRFsuite's own command).
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError

MOST_LABELS = 4096  # the transitions are a square of them

_HEADER = struct.Struct("<4sI4s9I")
_FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("label", "<u4"), ("weight", "<f8")])
_STATE, _TRANSITION = 0, 1
_CHUNK = struct.Struct("<4sII")  # what it is, its size with this, how many things it holds
_DATABASE = struct.Struct("<4s5I")  # what it is, its size with this, flags, byte order, how many links, where they lie
_RECORD = struct.Struct("<II")  # of a string: its id, its length; then come the string and a NUL, which counts too
_TABLES = 256 * 8  # behind the database's header: where its hash tables lie
_BYTE_ORDER = 0x62445371


@dataclass(frozen=True, slots=True)
class CrfsuiteModel:
    """A linear-chain CRF as CRFsuite trained it."""

    labels: tuple[str, ...]  # in CRFsuite's order of ids
    attributes: tuple[str, ...]  # attribute strings by id
    state_attribute: npt.NDArray[np.int32]  # one row a state feature: the attribute's id,
    state_label: npt.NDArray[np.int32]  # the label's id,
    state_weight: npt.NDArray[np.float64]  # the weight
    transition: npt.NDArray[np.float64]  # labels x labels, [from, to], 0 where the model has none


def read_crfsuite(path: Path) -> CrfsuiteModel:
    """The model in a file that CRFsuite wrote; damage in any part that we read is a `ModelError`."""
    try:
        if path.stat().st_size < _HEADER.size:
            raise ModelError(f"{path}: too short for a CRFsuite model; was it copied whole?")
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return parse_crfsuite(data)
    except ModelError as error:
        raise ModelError(f"{path}: {error}; copy the file anew or train the model again") from None


def parse_crfsuite(data: memoryview) -> CrfsuiteModel:
    """The model in the bytes of a file; the errors do not know the file's name."""
    if len(data) < _HEADER.size:
        raise ModelError("the file is too short for a CRFsuite model")
    magic, size, kind, version, _, labels, attributes, *places = _HEADER.unpack_from(data)
    if magic != b"lCRF" or kind != b"FOMC":
        raise ModelError("not a CRFsuite model of the linear-chain kind")
    if version != 100:
        raise ModelError(f"a CRFsuite model of version {version}, where only version 100 is known")
    if size != len(data):
        raise ModelError(f"the file has {len(data):,} bytes and says that it has {size:,}")
    if not 0 < labels <= MOST_LABELS:
        raise ModelError(f"{labels:,} labels, where 1 to {MOST_LABELS:,} can be used")
    features_at, labels_at, attributes_at, of_labels_at, of_attributes_at = places
    features = _features(data, features_at)
    state = _owned(data, of_attributes_at, b"AFRF", attributes, features, _STATE)
    moves = _owned(data, of_labels_at, b"LFRF", labels, features, _TRANSITION)
    if len(state) + len(moves) != len(features):
        raise ModelError("some features are neither of an attribute nor of a transition")
    _refuse_odd_labels(state, labels)
    _refuse_odd_labels(moves, labels)
    transition = np.zeros((labels, labels))
    transition[moves["source"], moves["label"]] = moves["weight"]
    return CrfsuiteModel(
        _strings(data, labels_at, labels, "label"),
        _strings(data, attributes_at, attributes, "attribute"),
        state["source"].astype(np.int32),
        state["label"].astype(np.int32),
        state["weight"].astype(np.float64),
        transition,
    )


def _part(data: memoryview, at: int, size: int, what: str) -> memoryview:
    if at + size > len(data):
        raise ModelError(f"{what} should lie at byte {at:,}, which is beyond the end or leads there")
    return data[at : at + size]


def _chunk(data: memoryview, at: int, magic: bytes) -> tuple[int, memoryview]:
    """How many things a chunk holds, and all of its bytes."""
    name = f"chunk {magic.decode()}"
    found, size, count = _CHUNK.unpack(_part(data, at, _CHUNK.size, name))
    if found != magic or size < _CHUNK.size:
        raise ModelError(f"no {name} at byte {at:,}")
    return count, _part(data, at, size, name)


def _features(data: memoryview, at: int) -> npt.NDArray[Any]:
    """The table of features."""
    count, chunk = _chunk(data, at, b"FEAT")
    if len(chunk) != _CHUNK.size + count * _FEATURE.itemsize:
        raise ModelError(f"chunk FEAT has not the size of {count:,} features")
    features = np.frombuffer(chunk, np.uint8)[_CHUNK.size :].view(_FEATURE)
    if not np.isfinite(features["weight"]).all():
        raise ModelError("a weight is not a finite number")
    return features


def _owned(
    data: memoryview, at: int, magic: bytes, owners: int, features: npt.NDArray[Any], kind: int
) -> npt.NDArray[Any]:
    """The features of one kind, in their order, after a check that they are what CRFsuite's tagger finds.

    The tagger takes the features of an attribute (or of a label) from a list. These lists say once more what the
    features themselves say; where the two agree, the features are enough.
    """
    name = f"chunk {magic.decode()}"
    count, chunk = _chunk(data, at, magic)  # LFRF counts two more than there are labels; they were for other kinds once
    if len(chunk) % 4 or count < owners or _CHUNK.size + 4 * count > len(chunk):
        raise ModelError(f"{name} has not the size of the lists of {owners:,}")
    words = np.frombuffer(chunk, "<u4")
    lists = words[_CHUNK.size // 4 :][:owners].astype(np.int64) - at
    if (lists % 4).any() or (lists < 0).any() or (lists >= len(chunk)).any():
        raise ModelError(f"{name} has a list outside itself")
    lists //= 4
    lengths = words[lists].astype(np.int64)
    mine = np.flatnonzero(features["type"] == kind)
    if lengths.sum() != len(mine) or (lists + lengths >= len(words)).any():
        raise ModelError(f"{name} does not list each feature once")
    shifts = np.repeat(lists + 1 - (np.cumsum(lengths) - lengths), lengths)
    listed = words[shifts + np.arange(len(mine))]
    if not np.array_equal(np.sort(listed), mine):
        raise ModelError(f"{name} does not list each feature once")
    if not np.array_equal(features["source"][listed], np.repeat(np.arange(owners), lengths)):
        raise ModelError(f"{name} gives a feature to another owner than the feature itself does")
    return features[mine]


def _refuse_odd_labels(features: npt.NDArray[Any], labels: int) -> None:
    pairs = np.sort(features["source"].astype(np.int64) * labels + features["label"])
    if (features["label"] >= labels).any() or (pairs[1:] == pairs[:-1]).any():
        raise ModelError("a feature is there twice or of a label that is not there")


def _strings(data: memoryview, at: int, count: int, what: str) -> tuple[str, ...]:
    """The strings of a database, by the links that lead from ids to records."""
    magic, size, _, order, links, links_at = _DATABASE.unpack(_part(data, at, _DATABASE.size, f"the {what}s"))
    if magic != b"CQDB" or order != _BYTE_ORDER:
        raise ModelError(f"no database of {what}s at byte {at:,}, or one of a machine with another byte order")
    database = _part(data, at, size, f"the {what}s")
    least = _RECORD.size + 1 + 4  # bytes a string: the record and the link
    if links < count or size < _DATABASE.size + _TABLES + least * count:
        raise ModelError(f"the database is too small for {count:,} {what}s")
    links_part = _part(database, links_at, 4 * count, f"the links to the {what}s")
    left = size  # records share no bytes, so all strings together are no longer than this
    strings = []
    for number, (place,) in enumerate(struct.iter_unpack("<I", links_part)):
        start = place + _RECORD.size
        id, length = _RECORD.unpack_from(database, place) if start < size else (0, 0)
        left -= length
        text = bytes(database[start : start + length]) if left >= 0 else b""
        if id != number or not text or len(text) != length or text.find(0) != length - 1:
            raise ModelError(f"{what} {number:,} is broken")
        try:
            strings.append(text[:-1].decode())
        except UnicodeDecodeError:
            raise ModelError(f"{what} {number:,} is not UTF-8") from None
    if len(set(strings)) != count:
        raise ModelError(f"two {what}s are the same")
    return tuple(strings)
