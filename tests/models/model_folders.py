"""Model folders for tests, and what the tests do to them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from elision.models import manifest
from elision.models.store import Stored

MANIFEST = manifest.NAME


def model(name: str = "a", kind: str = "crf") -> Stored:
    """A small model with a word that no message may quote."""
    return Stored(
        kind,
        {"name": name, "labels": ["DATE", "NAME"], "scores": {"dev": {"f1": 0.5}}},
        {"words": ["Roe", "李明", "😀", "\0", ""], "none": []},
        {
            "rows": np.arange(6, dtype=np.float32).reshape(2, 3),
            "bias": np.array([1.5, -0.0, np.inf]),
            "no": np.zeros((0, 3)),
        },
    )


def assert_same(found: Stored, given: Stored) -> None:
    assert (found.kind, found.card) == (given.kind, given.card)
    assert found.vocabulary == {name: list(strings) for name, strings in given.vocabulary.items()}
    assert found.arrays.keys() == given.arrays.keys()
    for name, array in given.arrays.items():
        other = found.arrays[name]
        assert (other.dtype, other.shape, other.tobytes()) == (array.dtype, array.shape, array.tobytes())
        assert other.flags.c_contiguous


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def rewrite(folder: Path, changed: Mapping[str, bytes]) -> None:
    """Change files and the manifest with them, as somebody would who means to."""
    listed = json.loads((folder / MANIFEST).read_text("utf-8"))
    for name, data in changed.items():
        (folder / name).write_bytes(data)
        listed["files"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    (folder / MANIFEST).write_text(json.dumps(listed, indent=1) + "\n", "utf-8")


def deep(levels: int) -> Any:
    """Lists in lists, with a number in the innermost."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value
