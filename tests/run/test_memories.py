"""What is known of patients over the whole input: it agrees with a dictionary, and nobody can read it on the disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import HeldError, RunError
from elision.keys import Secret
from elision.run import first_pass, patient_store
from elision.run.cells import Cell

SECRET = Secret(b"k" * 32)
NAMES = ("Roebuck", "Fenwick", "Quimby", "Tillman")
NOTES = st.lists(st.tuples(st.sampled_from(["p1", "p2", "p3", ""]), st.sampled_from(NAMES), st.booleans()), max_size=12)


def note(patient: str, name: str) -> Document:
    return Document(f"Seen: {name}.", "a", patient)


@given(st.lists(NOTES, max_size=4), st.integers(1, 6))
def test_all_shards_together_are_one_memory(
    tmp_path: Path, shards: list[list[tuple[str, str, bool]]], most: int
) -> None:
    folder = tmp_path
    expected: dict[str, dict[str, list[str]]] = {}
    known = set()
    for number, notes in enumerate(shards):
        gathering = patient_store.PatientWriter(SECRET)
        for patient, name, states in notes:
            document = note(patient, name)
            if states:
                document = Document(document.text, "a", patient, known={"name": (name,)})
                known.add(name)
            gathering.add(document, (Span(6, 6 + len(name), "NAME", 0.95), Span(0, 4, "NAME", 0.5)))
            if patient:
                mine = expected.setdefault(patient, {})
                for kind in ("NAME", *(["name"] if states else [])):
                    mine[kind] = sorted({*mine.get(kind, []), name})
        gathering.write(folder, number)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patient_store, "PORTION", most)
        patient_store.merge(folder, len(shards))
    whole = patient_store.PatientStore(folder, SECRET)
    assert {patient: whole.values_of(patient) for patient in ("p1", "p2", "p3")} == {
        patient: expected.get(patient, {}) for patient in ("p1", "p2", "p3")
    }
    assert {name for name in NAMES if whole.is_known(name)} == known
    assert {name for name in NAMES if whole.is_known(f" {name.upper()} ")} == known


def written(folder: Path) -> patient_store.PatientStore:
    gathering = patient_store.PatientWriter(SECRET)
    gathering.add(note("p1", "Roebuck"), (Span(6, 13, "NAME", 0.95),))
    gathering.add(note("p2", "Fenwick"), HeldError("too-long"))
    gathering.write(folder, 0)
    patient_store.merge(folder, 1)
    return patient_store.PatientStore(folder, SECRET)


def test_nothing_on_the_disk_can_be_read(tmp_path: Path) -> None:
    assert written(tmp_path).values_of("p1") == {"NAME": ["Roebuck"]}
    for file in tmp_path.iterdir():
        assert not any(word in file.read_bytes() for word in (b"Roebuck", b"Fenwick", b"NAME", b"p1"))


def test_no_two_records_share_a_nonce(tmp_path: Path) -> None:
    """A nonce that comes twice under one key would give away what two records hold: not even the same ones share it."""
    seen: list[bytes] = []
    for turn in range(3):
        folder = tmp_path / str(turn)
        folder.mkdir()
        whole = written(folder)
        assert whole.values_of("p1") == {"NAME": ["Roebuck"]}
        raw = (folder / "records-000000.bin").read_bytes()
        places = np.load(folder / "places-000000.npy")
        seen += [raw[int(at) : int(at) + int(size)] for _, size, at in places.tolist()]
    nonces = {record[: patient_store.NONCE] for record in seen}
    assert len(nonces) == len(seen) == 6
    assert len({record[patient_store.NONCE :] for record in seen}) == 6


def test_few_patients_are_held_ready(tmp_path: Path) -> None:
    gathering = patient_store.PatientWriter(SECRET)
    for number in range(3 * patient_store.KEPT):
        gathering.add(note(f"p{number}", "Roebuck"), (Span(6, 13, "NAME", 0.95),))
    gathering.write(tmp_path, 0)
    patient_store.merge(tmp_path, 1)
    whole = patient_store.PatientStore(tmp_path, SECRET)
    for number in range(3 * patient_store.KEPT):
        assert whole.values_of(f"p{number}") == {"NAME": ["Roebuck"]}
    assert len(whole._ready) == patient_store.KEPT


def test_a_record_that_was_changed_is_refused(tmp_path: Path) -> None:
    whole = written(tmp_path)
    file = tmp_path / "records-000000.bin"
    raw = bytearray(file.read_bytes())
    raw[20] ^= 1
    file.write_bytes(raw)
    first = min(("p1", "p2"), key=lambda patient: patient_store.patient_number(SECRET, patient))
    with pytest.raises(RunError, match="damaged"):
        whole.values_of(first)


def test_patients_who_share_a_number_share_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient_store, "patient_number", lambda *_: 7)
    gathering = patient_store.PatientWriter(SECRET)
    gathering.add(note("p1", "Roebuck"), (Span(6, 13, "NAME", 0.95),))
    gathering.add(note("p2", "Fenwick"), (Span(6, 13, "NAME", 0.95),))
    gathering.write(tmp_path, 0)
    patient_store.merge(tmp_path, 1)
    whole = patient_store.PatientStore(tmp_path, SECRET)
    assert whole.values_of("p1") == {"NAME": ["Roebuck"]}
    assert whole.values_of("p2") == {"NAME": ["Fenwick"]}


def test_the_index_is_mapped_and_no_patients_are_fine(tmp_path: Path) -> None:
    patient_store.merge(tmp_path, 0)
    whole = patient_store.PatientStore(tmp_path, SECRET)
    assert whole.values_of("p1") == {}
    assert not whole.is_known("Roebuck")
    large = np.arange(10_000, dtype=np.uint64)
    np.save(tmp_path / "large.npy", large)
    assert isinstance(patient_store._mapped(tmp_path / "large.npy"), np.memmap)


@given(st.lists(st.lists(st.tuples(st.text(), st.floats(0, 1), st.booleans()), max_size=4), max_size=4))
def test_what_was_found_comes_back(tmp_path: Path, batches: list[list[tuple[str, float, bool]]]) -> None:
    file = first_pass.file_of(tmp_path, 0)
    writing = first_pass.SpanWriter(file, SECRET)
    told = []
    for batch in batches:
        cells = [
            Cell(at, "text", Document(text.encode("utf-8", "replace").decode()))
            for at, (text, _, _) in enumerate(batch)
        ]
        found = [
            HeldError("too-long") if held else (Span(0, len(cell.document.text), "NAME", score, "rule:a"),)
            for cell, (_, score, held) in zip(cells, batch, strict=True)
        ]
        writing.add(cells, found)
        told.append((cells, found))
    writing.close()
    reading = first_pass.SpanReader(file, SECRET)
    for cells, found in told:
        assert list(map(str, reading.next(cells))) == list(map(str, found))


def test_a_note_that_was_changed_since_is_refused(tmp_path: Path) -> None:
    file = first_pass.file_of(tmp_path, 0)
    writing = first_pass.SpanWriter(file, SECRET)
    writing.add([Cell(0, "text", Document("Seen on Monday", "a"))], [()])
    writing.close()
    for document in (Document("Seen on Tuesday", "a"), Document("Seen on Monday", "b")):
        with pytest.raises(RunError, match="changed while the run"):
            first_pass.SpanReader(file, SECRET).next([Cell(0, "text", document)])
