"""A model folder is there whole, the old one or the new one, whatever happens while it is written."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elision.errors import ModelError
from elision.models import manifest, safetensor, swap
from elision.models.store import MODEL, Stored, load, save
from tests.models.model_folders import assert_same, model


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small models need not reach the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    save(tmp_path / "model", model())
    return tmp_path / "model"


STEPS = ["mkdir", *["open", "fsync"] * 4, "fsync"]  # the new folder, four files, their names
ENDS = {
    "from nothing": [*STEPS, "replace", "fsync"],
    "swapped": [*STEPS, "exchange", "fsync"],
    "in two steps": [*STEPS, "exchange", "replace", "replace", "fsync"],
}


def failing(monkeypatch: pytest.MonkeyPatch, before: int, failure: BaseException, *, in_two_steps: bool) -> list[str]:
    """Let a failure take the place of one of the things that are done to the disk; the names of those tried."""
    tried: list[str] = []

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            reading = name == "open" and "xb" not in arguments
            above = name == "mkdir" and not str(arguments[0]).endswith(".part")
            if not reading and not above:
                tried.append(name)
                if len(tried) == before + 1:
                    raise failure
            return function(*arguments)

        return run

    for name in ("mkdir", "fsync", "replace"):
        monkeypatch.setattr(os, name, counted(name, getattr(os, name)))
    monkeypatch.setattr(Path, "open", counted("open", Path.open))
    exchange = (lambda a, b: False) if in_two_steps else swap.exchange
    monkeypatch.setattr(swap, "exchange", counted("exchange", exchange))
    return tried


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "Full"), KeyboardInterrupt()], ids=["full", "stopped"])
@pytest.mark.parametrize(("how", "before"), [(how, n) for how, steps in ENDS.items() for n in range(len(steps))])
def test_if_saving_fails_the_old_model_stays_and_nothing_else(
    failure: BaseException, how: str, before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "swapped" and not can_swap(tmp_path):
        pytest.skip("folders cannot be swapped here")
    folder = tmp_path / "room" / "model"
    folder.parent.mkdir()
    if how != "from nothing":
        save(folder, model("old"))
    with monkeypatch.context() as patch:
        tried = failing(patch, before, failure, in_two_steps=how == "in two steps")
        with pytest.raises((ModelError, KeyboardInterrupt), match=r"^$|model: cannot be written: Full; choose a"):
            save(folder, model("new"), overwrite=True)
    steps = ENDS[how]
    assert tried[: before + 1] == steps[: before + 1]
    if before == len(steps) - 1:  # the last step forces the new folder's name to the disk
        assert_same(load(folder), model("new"))
    elif how != "from nothing":
        assert_same(load(folder), model("old"))
    else:
        assert not folder.exists()
    assert list(folder.parent.iterdir()) == [folder] * folder.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("start", ["nothing", "old", "old, in two steps"])
def test_a_killed_process_leaves_the_old_model_or_the_new_one(start: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.models.killed_saves", str(tmp_path), start]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = done.stdout.splitlines()
    before = "none" if start == "nothing" else "old"
    order = [before, "old, set aside", "new", "new (done)"]
    assert found == sorted(found, key=order.index)
    assert found.count(before) >= 8
    assert found[-1] == "new (done)"
    assert ("old, set aside" in found) == (before == "old" and ("two" in start or not can_swap(tmp_path)))


def test_a_disk_that_fills_up_within_a_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = safetensor.pieces

    def cut_off(arrays: safetensor.Arrays) -> Iterator[bytes | memoryview]:
        yield next(pieces(arrays))
        raise OSError(errno.ENOSPC, "Full")

    monkeypatch.setattr(safetensor, "pieces", cut_off)
    with pytest.raises(ModelError, match="model: cannot be written: Full; choose a folder that is not there yet"):
        save(saved, model("b"), overwrite=True)
    assert_same(load(saved), model())
    assert list(saved.parent.iterdir()) == [saved]


def can_swap(tmp_path: Path) -> bool:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir(exist_ok=True)
    return swap.exchange(one, other)


def test_everything_is_on_the_disk_before_it_is_put_in_place(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    forced: list[tuple[int, int]] = []

    def fsync(handle: int) -> None:
        status = os.fstat(handle)
        forced.append((status.st_ino, status.st_size))
        events.append("fsync")

    exchange = swap.exchange

    def noted(a: Path, b: Path) -> bool:
        events.append("exchange")
        assert {(file.stat().st_ino, file.stat().st_size) for file in a.iterdir()} <= set(forced)
        return exchange(a, b)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(swap, "exchange", noted)
    save(saved, model("b"), overwrite=True)
    assert events == ["fsync"] * 5 + ["exchange", "fsync"]  # four files and their folder; the folder above


@pytest.mark.parametrize("in_two_steps", [False, True], ids=["swapped", "in two steps"])
def test_readers_never_see_a_mixture(in_two_steps: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if in_two_steps or not can_swap(tmp_path):
        monkeypatch.setattr(swap, "exchange", lambda a, b: False)
        in_two_steps = True
    folder = tmp_path / "model"
    both = {name: Stored("crf", {"name": name}, {"words": [name] * 9}, {"a": np.full(9, ord(name))}) for name in "ab"}
    save(folder, both["a"])
    over = threading.Event()
    failures: list[str] = []
    seen: list[str] = []

    def read() -> None:
        while not over.is_set():
            try:
                found = load(folder)
            except ModelError as error:
                failures.append(str(error))
            else:
                name = str(found.card["name"])
                assert_same(found, both[name])
                seen.append(name)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for turn in range(300):
            save(folder, both["ba"[turn % 2]], overwrite=True)
    finally:
        over.set()
        reader.join()
    assert set(seen) == {"a", "b"}
    if in_two_steps:  # a reader that is late often enough gives up, and never takes one model's file for the other's
        told = ("there is no such folder", "is missing", "was changed")
        assert all(any(part in failure for part in told) for failure in failures)
    else:
        assert not failures


def test_a_reader_begins_again_if_the_folder_is_replaced_meanwhile(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked, turns = manifest.checked, iter([*"bcd"])

    def replacing(folder: Path, name: str, listed: manifest.Manifest) -> bytes:
        data = checked(folder, name, listed)
        if name == MODEL and (turn := next(turns, "")):
            save(folder, Stored("crf", {}, {"words": [turn]}, {}), overwrite=True)
        return data

    monkeypatch.setattr(manifest, "checked", replacing)
    assert load(saved).vocabulary == {"words": ["d"]}


def test_a_folder_that_never_rests_is_given_up(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked, count = manifest.checked, 0

    def replacing(folder: Path, name: str, listed: manifest.Manifest) -> bytes:
        nonlocal count
        count += 1
        save(folder, Stored("crf", {"count": count}, {}, {}), overwrite=True)
        return checked(folder, name, listed)

    monkeypatch.setattr(manifest, "checked", replacing)
    with pytest.raises(ModelError, match="was changed"):
        load(saved)
    assert count == 20
