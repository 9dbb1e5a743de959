"""From nothing to the first clean note: how large the wheel is, how long installing takes, and what then works offline.

    python benchmarks/first_note.py [--notes FOLDER] [--rounds 3] [--folder FOLDER]

The wheel is built from a copy of the checkout, and installed with what it depends on into a new environment by pip as
it is set up here: the only step that needs an index. Then, cut off from every network (Linux namespaces, by `unshare`;
where these cannot be had, it says so), `elision deidentify` cleans a note in each language: for the first time, and the
median of later ones, from the start of Python to the clean note. "Processor" is the time that it keeps a processor
busy: others at work on the machine do not count. Memory is the most that the first one held. --folder keeps wheel and
environment there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "NOTICE")
NOTES = ROOT / "examples" / "notes" / "gold"
MEGABYTE = 1e6
MAXRSS = 1 if sys.platform == "darwin" else 1024  # bytes in its unit


class Took(NamedTuple):
    seconds: float
    processor: float
    memory: float  # MB, at most
    said: str


def run(command: Sequence[str | Path]) -> Took:
    """A command to its end; if it fails, so do we, with what it said."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said, tempfile.TemporaryFile("w+") as complained:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=said, stderr=complained)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        for file in (said, complained):
            file.seek(0)
        if process.returncode:
            sys.exit(f"{' '.join(map(str, command))} failed:\n{complained.read()[-1500:]}")
        return Took(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * MAXRSS / MEGABYTE, said.read())


def cut_off() -> list[str | Path]:
    """What a command begins with so that there is no network for it."""
    words = ["unshare", "--map-root-user", "--net"]
    had = shutil.which(words[0]) and subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    return [*words] if had else []


def build(folder: Path) -> Path:
    """The wheel of the checkout, of a copy of it: setuptools leaves its work in the folder that it builds."""
    copy = folder / "source"
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info"))
    for name in NEEDED:
        shutil.copy(ROOT / name, copy / name)
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, copy])
    (wheel,) = folder.glob("elision-*.whl")
    return wheel


def tell_size(wheel: Path) -> None:
    print(f"{wheel.name}: {wheel.stat().st_size / MEGABYTE:.1f} MB")
    kinds: Counter[str] = Counter()
    with zipfile.ZipFile(wheel) as opened:
        for each in opened.infolist():
            match each.filename.split("/"):
                case ["elision", "languages", _, kind, _, *_]:
                    kinds[kind] += each.compress_size
                case _:
                    kinds["code and all else"] += each.compress_size
    print("  of these " + ", ".join(f"{kind} {size / MEGABYTE:.1f} MB" for kind, size in kinds.most_common()))


def tell_notes(program: Path, notes: Path, rounds: int) -> None:
    print("| language | the first note | processor | memory | later notes, each its own process | processor |")
    print("|---|---|---|---|---|---|")
    for language in sorted(folder.name for folder in notes.iterdir() if folder.is_dir()):
        note = min((notes / language).glob("*.txt"))
        command = [*cut_off(), program, "deidentify", note]
        first, *later = (run(command) for _ in range(1 + rounds))
        if first.said == note.read_text("utf-8"):
            sys.exit(f"{note}: came out as it was")
        middle = statistics.median(each.seconds for each in later)
        busy = statistics.median(each.processor for each in later)
        print(
            f"| {language} | {first.seconds:.1f} s | {first.processor:.1f} s | {first.memory:.0f} MB"
            f" | {middle:.1f} s | {busy:.1f} s |"
        )


def measure(folder: Path, notes: Path, rounds: int) -> None:
    wheel = build(folder)
    tell_size(wheel)
    venv.create(folder / "environment", with_pip=True)
    scripts = folder / "environment" / ("Scripts" if sys.platform == "win32" else "bin")
    took = run([scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel])
    print(
        f"installing it and what it depends on, with downloads: {took.seconds:.0f} s, processor {took.processor:.0f} s"
    )
    print("cut off from the network\n" if cut_off() else "NOT cut off: there are no network namespaces here\n")
    tell_notes(scripts / "elision", notes, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=Path, default=NOTES, help="a folder of notes for each language")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="a new folder that stays, for wheel and environment")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds: at least one")
    if given.folder:
        given.folder.mkdir(parents=True)
        measure(given.folder.resolve(), given.notes, given.rounds)
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), given.notes, given.rounds)


if __name__ == "__main__":
    main()
