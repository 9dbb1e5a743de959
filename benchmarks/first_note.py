"""From nothing to the first clean note: how large the wheel is, how long installing takes, and what then works offline.

    python benchmarks/first_note.py [--notes FOLDER] [--rounds 3] [--folder FOLDER]

The wheel is built from a copy of the checkout, and installed with what it depends on into a new environment by pip as
it is set up here: the only step that needs an index. Then, cut off from every network (Linux namespaces, by `unshare`;
where these cannot be had, it says so), `elision deidentify` cleans a note in each language: for the first time, and the
median of later ones, from the start of Python to the clean note. "Processor" is the time that it keeps a processor
busy: others at work on the machine do not count. --folder keeps wheel and environment there.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "NOTICE")
NOTES = ROOT / "examples" / "notes" / "gold"
MEGABYTE = 1e6


class Took(NamedTuple):
    seconds: float
    processor: float
    said: str


def run(command: Sequence[str | Path]) -> Took:
    """A command to its end; if it fails, so do we, with what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr[-1500:]}")
    return Took(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout)


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
    with zipfile.ZipFile(wheel) as opened:
        kinds = {"models": 0, "groups": 0, "synth": 0, "pos": 0, "packs": 0}
        for each in opened.infolist():
            parts = each.filename.split("/")
            if parts[:2] == ["elision", "data"] and parts[2] in kinds:
                kinds[parts[2]] += each.compress_size
    print("  of these " + ", ".join(f"{kind} {size / MEGABYTE:.2f} MB" for kind, size in kinds.items()))


def tell_notes(program: Path, notes: Path, rounds: int) -> None:
    print("| language | the first note | processor | later notes, each its own process | processor |")
    print("|---|---|---|---|---|")
    for language in sorted(folder.name for folder in notes.iterdir() if folder.is_dir()):
        note = min((notes / language).glob("*.txt"))
        command = [*cut_off(), program, "deidentify", note]
        first, *later = (run(command) for _ in range(1 + rounds))
        if first.said == note.read_text("utf-8"):
            sys.exit(f"{note}: came out as it was")
        middle = statistics.median(each.seconds for each in later)
        busy = statistics.median(each.processor for each in later)
        print(f"| {language} | {first.seconds:.1f} s | {first.processor:.1f} s | {middle:.1f} s | {busy:.1f} s |")


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
