"""Digests of made notes, and of what is put into carriers: the same seed gives the same notes, byte for byte.

python tests/synth/made_notes.py  # writes made_notes.json anew, after grammars or lists were changed on purpose
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from elision.document import Document
from elision.formats import Remarks
from elision.formats.jsonl import row_of
from elision.languages.synth_data import language_named, languages_made
from elision.languages.synth_lists import SIDES
from elision.synth.generate import Maker
from elision.synth.inject import Injector
from elision.synth.profiles import read_profile

FILE = Path(__file__).with_suffix(".json")
COUNT = 200
CARRIERS = [
    Document(f"Seen on the ward, stable.\n\nPlan: rest, fluids, review in {number} days.\nNo fever.\n", f"{number}")
    for number in range(40)
]
PROFILES = sorted({name for code in languages_made() for name in language_named(code).mixture})


def digest(documents: Iterable[Document]) -> str:
    found = blake2b(digest_size=12)
    for document in documents:
        found.update(json.dumps(row_of(document), ensure_ascii=False).encode() + b"\n")
    return found.hexdigest()


def kinds() -> Iterator[str]:
    for side in SIDES:
        yield from (f"{name} {side}" for name in PROFILES)
        yield from (f"inject {language} {side}" for language in languages_made())


def notes_of(kind: str) -> Iterable[Document]:
    *_, name, side = kind.split()
    if kind.startswith("inject "):
        return Injector(7, side, name)(iter(CARRIERS), Remarks())
    return Maker(read_profile(name), 7, side).notes(range(COUNT))


if __name__ == "__main__":
    FILE.write_text(json.dumps({kind: digest(notes_of(kind)) for kind in kinds()}, indent=1) + "\n", "utf-8")
