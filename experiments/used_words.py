"""The words that a language uses as words, as they come with elision: `src/elision/languages/*/used.txt`.

    python experiments/used_words.py

They are those that stand in small letters, outside of all that is marked, in at least three of the notes by hand that
may be read ([notes](notes/README.md)). A name that is one of them is looked for again with more doubt
(`elision.detect.doubt`).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elision.languages.base import folder
from experiments.handwritten import handwritten

LANGUAGES = ("en", "es", "nl")  # Chinese is not cut into words
LEAST = 3  # notes
_WORD = re.compile(r"[^\W\d_]{3,}")


def used_in(language: str) -> list[str]:
    notes: Counter[str] = Counter()
    for note in handwritten(language):
        text = list(note.text)
        for span in note.spans:
            text[span.start : span.end] = "\0" * len(span)
        notes.update({word for word in _WORD.findall("".join(text)) if word.islower()})
    return sorted(word for word, count in notes.items() if count >= LEAST)


if __name__ == "__main__":
    for language in LANGUAGES:
        words = used_in(language)
        folder(language, "used.txt").write_text("\n".join(words) + "\n", "utf-8")
        print(f"{language}: {len(words):,} words")
