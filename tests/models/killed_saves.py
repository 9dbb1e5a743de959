"""Kill a process at every step of saving a model, and tell what is left. Run in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from elision.errors import ModelError
from elision.models import store, swap
from elision.models.store import Stored


def model(name: str) -> Stored:
    return Stored("crf", {"name": name}, {"words": [name] * 3}, {})


def die_at(step: int, below: Path) -> None:
    """From now on, count what is done to files below a folder, and end the process at once before the given step."""
    left = step

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event.startswith(("open", "os.", "shutil.")) and str(below) in str(arguments):
            left -= 1
            if left < 0:
                os._exit(9)

    sys.addaudithook(count)


def left_by(step: int, below: Path) -> tuple[str, bool]:
    """What a reader finds when saving was killed before a step, and whether it got to its end."""
    folder = below / "model"
    if not (child := os.fork()):
        die_at(step, below)
        store.save(folder, model("new"), overwrite=True)
        os._exit(0)
    done = os.waitpid(child, 0)[1] == 0
    try:
        found = str(store.load(folder).card["name"])
    except ModelError as error:
        aside = [path for path in swap.set_aside(folder) if str(path) in str(error)]  # as the message says
        found = f"{store.load(aside[0]).card['name']}, set aside" if aside else "none"
    return found, done


def main(below: Path, start: str) -> None:
    if "in two steps" in start:
        swap.exchange = lambda a, b: False
    for step in range(1_000):
        room = below / str(step)
        room.mkdir()
        if "old" in start:
            store.save(room / "model", model("old"))
        found, done = left_by(step, room)
        sys.stdout.write(f"{found}{' (done)' if done else ''}\n")
        if done:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
