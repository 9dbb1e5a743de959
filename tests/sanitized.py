"""Notes through all of elision that is compiled, built to tell of its errors: `make sanitize`. The encoder has no
compiled code of ours, and is left out.

python tests/sanitized.py 300
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.effort import Effort
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.rules import compiled
from elision.synth.generate import Maker
from elision.synth.profiles import read_profile
from elision.taggers import kernels
from elision.text import native
from tests.shapes import SHAPES


def main(count: int) -> None:
    if "sanitized" not in native.__file__ or not (native.COMPILED and kernels.COMPILED and compiled.COMPILED):
        sys.exit(f"these are not the modules that were built for it: {native.__file__}")
    for language in ("en", "es", "nl", "zh"):
        run = Deidentifier(detectors_for(language, effort=Effort.FAST), policy="surrogate", key=Key(bytes(range(32))))
        notes = list(Maker(read_profile(language), 11).notes(range(count)))
        notes += [Document(note.text[at::2], f"{note.id}-cut", language=language) for at, note in enumerate(notes[:50])]
        notes += [Document(text(5_000), name, language=language) for name, (_, text) in SHAPES.items()]
        held = sum(one.document is None for one in run([note.with_spans(()) for note in notes]))
        print(f"{language}: {len(notes)} notes, {held} held, and nothing told", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
