"""The notes by hand: the same as ever, whole, and in order."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from elision.document import Document, first_overlap
from elision.formats import guess, read
from elision.labels import canonical
from experiments.handwritten import NOTES, TRAIN, UNSEEN, handwritten

PEERS = Path(__file__).parents[1] / "benchmarks" / "peers" / "notes"
EITHER = "EITHER"  # what may be masked or not
LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pt", "zh")
# Of all notes of a file, their order, ids, texts, spans and what is known; of the notes as they were written, in marks.
DIGESTS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
FILES = {path.stem: path for path in sorted(NOTES.glob("*.jsonl"))} | {
    f"peers-{path.stem}": path for path in sorted(PEERS.glob("*.jsonl"))
}


def digest(documents: Sequence[Document]) -> str:
    found = sha256()
    for document in documents:
        spans = [[span.start, span.end, span.label] for span in document.spans]
        known = {kind: list(values) for kind, values in sorted(document.known.items())}
        found.update(json.dumps([document.id, document.text, spans, known], ensure_ascii=False).encode() + b"\n")
    return found.hexdigest()


def test_every_file_has_a_digest() -> None:
    assert FILES.keys() == DIGESTS.keys()
    assert {name for name in FILES if not name.startswith("peers-")} == {
        f"{language}-{split}" for language in LANGUAGES for split in (TRAIN, *UNSEEN)
    }


@pytest.mark.parametrize("name", FILES)
def test_the_notes_are_the_same(name: str) -> None:
    notes = list(read(FILES[name], "jsonl"))
    assert {"notes": len(notes), "sha256": digest(notes)} == DIGESTS[name]


@pytest.mark.parametrize("name", FILES)
def test_the_notes_are_whole(name: str) -> None:
    notes = list(read(FILES[name], "jsonl"))
    ids = [note.id for note in notes]
    assert ids == sorted(set(ids))
    for note in notes:
        assert note.language == name.removeprefix("peers-")[:2], note.id
        assert {span.label for span in note.spans} <= {*canonical(), EITHER}, note.id
        assert first_overlap(note.spans) is None, note.id
        assert not re.search(r"\[[A-Z_]+ [^\[\]]*\]", note.text), note.id  # a mark that was overlooked


def test_a_digest_sees_every_change() -> None:
    note = handwritten("en", TRAIN)[0]
    others = [
        note.with_spans(note.spans[1:]),
        Document(note.text, "another", spans=note.spans, known=note.known),
        Document(note.text, note.id, spans=note.spans),
        Document(note.text + "\n", note.id, spans=note.spans, known=note.known),
    ]
    assert len({digest([each]) for each in (note, *others)}) == 5


def test_the_format_is_ours() -> None:
    assert guess(NOTES / "en-train.jsonl")[0].name == "jsonl"


def test_the_datasheet_counts_the_notes() -> None:
    rows = (NOTES / "README.md").read_text("utf-8").splitlines()
    for name, path in FILES.items():
        if not name.startswith("peers-"):
            notes = list(read(path, "jsonl"))
            counts = [len(notes), sum(len(note.spans) for note in notes), sum(len(note.text) for note in notes)]
            assert f"| `{path.name}` | " + " | ".join(f"{count:,}" for count in counts) + " |" in rows
