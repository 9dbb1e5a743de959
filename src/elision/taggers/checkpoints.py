"""Where learning that takes long stands, in a folder, so that it can go on after a stop.

A checkpoint is JSON and named arrays, written as models are: the old one or the new one is there, whole. It belongs to
a fingerprint, which says what is learnt from and with which settings; with any other, learning does not go on from it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError, shown
from elision.models import plain_json, store

KIND = "checkpoint"


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """Where learning stands: all that it needs to go on."""

    facts: Mapping[str, Any] = field(repr=False)  # JSON
    arrays: Mapping[str, npt.NDArray[Any]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """A folder that holds the newest checkpoint of one learning.

    The fingerprint is JSON by name, such as `{"notes": "ab12…", "hidden": 256}`: what differs is told by these names.
    """

    folder: Path
    fingerprint: Mapping[str, Any]

    def load(self) -> Checkpoint | None:
        """The newest checkpoint; None where there is none. One of another learning, or a damaged one, is refused."""
        if not self._is_there():
            return None
        stored = store.load(self.folder, (KIND,))
        theirs, facts = stored.card.get("fingerprint"), stored.card.get("facts")
        if not isinstance(theirs, dict) or not isinstance(facts, dict):
            raise ModelError(f"{self.folder}: is no whole checkpoint; remove it and begin again")
        self._refuse_another(theirs)
        return Checkpoint(facts, stored.arrays)

    def save(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint in the place of the one before; only a checkpoint is ever replaced."""
        self._refuse_other_kinds()
        card = {"fingerprint": self.fingerprint, "facts": checkpoint.facts}
        arrays = {name: np.asarray(array, order="C") for name, array in checkpoint.arrays.items()}
        store.save(self.folder, store.Stored(KIND, card, {}, arrays), overwrite=True)

    def remove(self) -> None:
        """Take the checkpoint away, once it is of no more use; nothing happens where there is none."""
        if self._refuse_other_kinds():
            store.refuse_to_replace(self.folder, overwrite=True)  # it may hold what is not of the checkpoint
            shutil.rmtree(self.folder)

    def _is_there(self) -> bool:
        """Whether anything but an empty folder stands in the place."""
        if not self.folder.is_dir():
            return os.path.lexists(self.folder)
        return any(self.folder.iterdir())

    def _refuse_other_kinds(self) -> bool:
        """Whether there is a checkpoint; an error if there is something else."""
        if not self._is_there():
            return False
        if self.folder.is_dir() and (kind := store.kind_of(self.folder)) != KIND:
            raise ModelError(
                f"{self.folder}: a model of kind{shown(kind, ' {}')} stands there, and is kept; choose another folder "
                "for the checkpoint"
            )
        return True

    def _refuse_another(self, theirs: Mapping[str, Any]) -> None:
        ours = plain_json.value(self.fingerprint, f"{self.folder}: fingerprint")
        alike = {name for name in ours.keys() & theirs.keys() if ours[name] == theirs[name]}
        names = sorted({*ours, *theirs} - alike)
        if names:
            told = ", ".join(shown(name, "{}") or "an odd name" for name in names)
            raise ModelError(
                f"{self.folder}: is a checkpoint of another learning, as these differ: {told}; begin again with "
                "another folder for the checkpoint, or give the notes and settings that it is of"
            )
