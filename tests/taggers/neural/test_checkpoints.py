"""Checkpoints: what is written comes back, and nothing else is taken for it or lost to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from elision.errors import ModelError
from elision.models import store
from elision.taggers.checkpoints import Checkpoint, Checkpoints
from tests.models.model_folders import model, rewrite

OF = {"notes": "ab12", "hidden": 256, "sizes": (1, 2)}


def made(place: int = 3) -> Checkpoint:
    arrays = {"weights": np.arange(6.0).reshape(2, 3), "count": np.array(7), "state": np.zeros((0, 2), np.float32)}
    return Checkpoint({"place": place, "history": [0.5, 0.25]}, arrays)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "checkpoint"


def test_the_newest_checkpoint_comes_back_as_it_was(folder: Path) -> None:
    checkpoints = Checkpoints(folder, OF)
    assert checkpoints.load() is None
    checkpoints.save(made(1))
    checkpoints.save(made(2))
    found = Checkpoints(folder, dict(OF)).load()
    assert found is not None
    assert found.facts == {"place": 2, "history": [0.5, 0.25]}
    for name, array in made().arrays.items():
        other = found.arrays[name]
        assert (other.dtype, other.shape, other.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_an_array_in_another_order_is_written_all_the_same(folder: Path) -> None:
    array = np.arange(6.0).reshape(2, 3).T
    Checkpoints(folder, OF).save(Checkpoint({}, {"turned": array}))
    found = Checkpoints(folder, OF).load()
    assert found is not None
    assert np.array_equal(found.arrays["turned"], array)


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({**OF, "notes": "cd34"}, "notes"),
        ({**OF, "hidden": 128}, "hidden"),
        ({**OF, "notes": "", "hidden": 1}, "hidden, notes"),
        ({**OF, "more": None}, "more"),
        ({"notes": "ab12"}, "hidden, sizes"),
    ],
)
def test_a_checkpoint_of_another_learning_is_refused_and_told_by_name(
    folder: Path, other: dict[str, object], named: str
) -> None:
    Checkpoints(folder, OF).save(made())
    with pytest.raises(ModelError, match=f"as these differ: {named};"):
        Checkpoints(folder, other).load()


def test_one_that_is_removed_is_gone_and_removing_none_is_no_error(folder: Path) -> None:
    checkpoints = Checkpoints(folder, OF)
    checkpoints.remove()
    checkpoints.save(made())
    checkpoints.remove()
    assert not folder.exists()
    folder.mkdir()
    checkpoints.remove()
    assert checkpoints.load() is None


def _save(checkpoints: Checkpoints) -> None:
    checkpoints.save(made())


@pytest.mark.parametrize("act", [Checkpoints.load, _save, Checkpoints.remove])
def test_what_is_no_checkpoint_is_neither_read_nor_replaced(folder: Path, act: Callable[[Checkpoints], object]) -> None:
    store.save(folder, model())
    before = store.fingerprint(folder)
    with pytest.raises(ModelError):
        act(Checkpoints(folder, OF))
    assert store.fingerprint(folder) == before
    file = folder.with_name("file")
    file.write_text("mine")
    with pytest.raises(ModelError):
        act(Checkpoints(file, OF))
    assert file.read_text() == "mine"


def test_what_lies_beside_a_checkpoint_is_kept(folder: Path) -> None:
    Checkpoints(folder, OF).save(made())
    (folder / "mine.txt").write_text("mine")
    for act in (_save, Checkpoints.remove):
        with pytest.raises(ModelError, match="holds what is not of the model"):
            act(Checkpoints(folder, OF))
    assert (folder / "mine.txt").read_text() == "mine"


def test_a_damaged_checkpoint_is_refused(folder: Path) -> None:
    Checkpoints(folder, OF).save(made())
    rewrite(folder, {store.MODEL: b'{"kind": "checkpoint", "version": 1, "card": {"facts": 3}}'})
    with pytest.raises(ModelError, match="no whole checkpoint; remove it"):
        Checkpoints(folder, OF).load()
    (folder / store.WEIGHTS).write_bytes(b"half")
    with pytest.raises(ModelError):
        Checkpoints(folder, OF).load()
