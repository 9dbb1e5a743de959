"""The Patient resources of a FHIR export, which state what is known of the patients of its notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from elision.formats.fhir_parts import Resource, parse
from elision.formats.fhir_text import child, children, known, string
from elision.formats.files import files_below, read_lines, read_text
from elision.formats.format import Reading

ENDINGS = (".json", ".ndjson", ".jsonl")
Stated = tuple[str, dict[str, tuple[str, ...]]]  # by what a note refers to the patient, and what is known, by kind


def patients_at(path: Path, how: Reading) -> Iterator[Stated]:
    """What each Patient resource states, by its id and by its identifiers."""
    for file in files_below(path, *ENDINGS):
        for resource, where in _resources(file, how):
            stated = known(resource, where)
            for key in dict.fromkeys((string(resource, "id", where), *stated.get("id", ()))):
                if key:
                    yield key, stated


def _resources(file: Path, how: Reading) -> Iterator[tuple[Resource, str]]:
    """The Patients of a file. What cannot be one is not parsed: notes are long, and are read once more anyway."""
    if file.suffix.lower() != ".json":
        for number, line in read_lines(file, how):
            where = f"{file}:{number}"
            if '"Patient"' in line and (resource := parse(line, where))["resourceType"] == "Patient":
                yield resource, where
        return
    text = read_text(file, how).removeprefix("\ufeff")
    if '"Patient"' not in text:
        return
    resource = parse(text, str(file))
    if resource["resourceType"] == "Patient":
        yield resource, str(file)
    elif resource["resourceType"] == "Bundle":
        for number, entry in enumerate(children(resource, "entry", str(file)), 1):
            where = f"{file}, entry {number}"
            inner = child(entry, "resource", where)
            if inner.get("resourceType") == "Patient":
                yield inner, where
