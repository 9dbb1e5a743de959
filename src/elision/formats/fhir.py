"""FHIR R4 and R5: the texts of DocumentReference and DiagnosticReport, alone, in Bundles and as NDJSON.

elision reads plain JSON. A FHIR library would check what these resources have nothing to do with, know one release
only, and rewrite what it does not know.

The same text often stands in several places of a resource. Equal texts are one note. A text of its own is a note of its
own, called `RESOURCE#conclusion` and the like. The resource is kept in `info["container:fhir"]` of its first note. All
of it is written as it was, but for the texts that changed, with their size and hash.

`elision convert` leaves titles, names and dates in other elements: it brings the text of notes back, and does not
de-identify resources. `elision run` does: it writes each resource again, with what a table names and nothing else (see
[running over many notes](run.md#fhir-and-hl7)). The format holds no spans: FHIR has no place for them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path, PurePosixPath

from elision.document import Document
from elision.errors import CannotHoldError
from elision.formats import fhir_records
from elision.formats.atomic import write_text, writing
from elision.formats.fhir_clean import SYSTEM
from elision.formats.fhir_parts import Resource, dumps, kind, parse
from elision.formats.fhir_records import LEGAL_ID, LINES
from elision.formats.fhir_text import NOTES, child, children, described, patient_of, put, string, texts
from elision.formats.files import file_for, files_below, id_of, name_below, parse_json, read_lines, read_text
from elision.formats.format import Format, Holds, Reading, Remarks, Sample


@dataclass(frozen=True, slots=True)
class FoundResource:
    """A resource with notes, where it was, and the Patients beside it."""

    resource: Resource
    name: str  # what its note is called if it has no id
    info: dict[str, str]
    patients: Mapping[str, Resource]
    where: str


def read(path: Path, how: Reading) -> Iterator[Document]:
    """The notes of a file or of the files in a folder: `.json` with one resource, `.ndjson` with one a line."""
    seen: set[str] = set()
    for file in files_below(path, ".json", *LINES):
        name = name_below(file, path)
        for found in _resources(file, name, id_of(file, path), how):
            documents = _documents(found, seen, how.remarks)
            seen.add(documents[0].id)
            yield from documents


def _resources(file: Path, name: str, id: str, how: Reading) -> Iterator[FoundResource]:
    at = {"container:fhir-file": name}
    if file.suffix in LINES:
        for number, line in read_lines(file, how):
            resource = parse(line, f"{file}:{number}")
            if resource["resourceType"] in NOTES:
                yield FoundResource(resource, f"{id}/{number}", at, {}, f"{file}:{number}")
            else:
                how.remarks.add("resources that are no notes are left out", f"{file}:{number}, {kind(resource)}")
        return
    resource = parse(read_text(file, how).removeprefix("\ufeff"), str(file))
    if resource["resourceType"] == "Bundle":
        yield from _entries(resource, id, at, str(file), how.remarks)
    elif resource["resourceType"] in NOTES:
        yield FoundResource(resource, id, at, {}, str(file))
    else:
        how.remarks.add("resources that are no notes are left out", f"{file}, {kind(resource)}")


def _entries(bundle: Resource, id: str, at: dict[str, str], file: str, remarks: Remarks) -> Iterator[FoundResource]:
    """The notes of a Bundle. The first one carries the Bundle without its notes, so that it can be made whole again."""
    patients: dict[str, Resource] = {}
    notes: dict[int, Resource] = {}
    entries = children(bundle, "entry", file)
    for index, entry in enumerate(entries):
        where = f"{file}, entry {index + 1}"
        resource = child(entry, "resource", where)
        if resource.get("resourceType") in NOTES:
            notes[index] = resource
            entry["resource"] = None
        elif resource:
            remarks.add("resources of a Bundle that are no notes are kept and not read", f"{where}, {kind(resource)}")
        if resource.get("resourceType") == "Patient":
            patients[f"Patient/{resource.get('id')}"] = patients[str(entry.get("fullUrl"))] = resource
    shell = {"container:fhir-bundle": dumps(bundle)}
    for index, resource in notes.items():
        where = f"{file}, entry {index + 1}"
        yield FoundResource(
            resource, f"{id}/{index + 1}", {**at, "container:fhir-entry": str(index), **shell}, patients, where
        )
        shell = {}


def _documents(found: FoundResource, seen: set[str], remarks: Remarks) -> list[Document]:
    """The notes of a resource, at least one, since the resource comes back with its first."""
    resource, where = found.resource, found.where
    stated = string(resource, "id", where) or _our_id(resource, where)
    id = f"{resource['resourceType']}/{stated}" if stated and stated in seen else stated or found.name
    placed = texts(resource, where, remarks)
    groups: list[tuple[str, list[str]]] = []
    for place, text in placed.items():
        for other, places in groups:
            if text == other or (place == "text.div" and text.split() == other.split()):
                places.append(place)
                break
        else:
            groups.append((text, [place]))
    if not groups:
        remarks.add("resources without a text that can be read", where)
        groups = [("", [])]
    patient, known = patient_of(resource, found.patients, where)
    language = _language(resource, where)
    first = Document(groups[0][0], id, patient, language)
    if found.info == {"container:fhir-file": f"{id}.json"} and resource == _plain(first):
        return [first]  # the resource says nothing that the document does not
    first = replace(first, language=language.partition("-")[0].lower(), known=known)
    at = {key: value for key, value in found.info.items() if key != "container:fhir-bundle"}
    return [
        replace(
            first,
            text=text,
            id=f"{id}#{places[0]}" if number else id,
            info={
                **(at if number else {**found.info, "container:fhir": dumps(resource)}),
                "container:fhir-places": json.dumps(places),
            },
        )
        for number, (text, places) in enumerate(groups)
    ]


def _our_id(resource: Resource, where: str) -> str:
    identifiers = children(resource, "identifier", where)
    return next((string(i, "value", where) for i in identifiers if i.get("system") == SYSTEM), "")


def _language(resource: Resource, where: str) -> str:
    """Of the first attachment, or of the resource."""
    for item in children(resource, NOTES[resource["resourceType"]], where)[:1]:
        attachment = child(item, "attachment", where) if "attachment" in item else item
        if found := string(attachment, "language", where):
            return found
    return string(resource, "language", where)


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    """Write each resource into a file of its own, and those that came from one Bundle or NDJSON file into one again."""
    written: set[str] = set()
    for name, together in groupby(
        documents, lambda document: document.info.get("container:fhir-file", f"{document.id}.json")
    ):
        if name in written:
            raise CannotHoldError(f"notes of the file {name} are not next to each other; keep their order")
        written.add(name)
        suffix = PurePosixPath(name).suffix
        file = file_for(path, name[: len(name) - len(suffix)], suffix)
        resources = _filled(together, remarks)
        if file.suffix in LINES:
            with writing(file) as stream:
                for resource, _ in resources:
                    stream.write(dumps(resource).encode() + b"\n")
        else:
            write_text(file, dumps(_whole(list(resources), name, remarks), indent=2) + "\n")


def _filled(documents: Iterable[Document], remarks: Remarks) -> Iterator[tuple[Resource, Document]]:
    """Each resource with the texts of its notes, and its first note."""
    resource: Resource = {}
    first: Document | None = None
    left: dict[str, str] = {}  # texts of the resource for which no note came yet
    for document in documents:
        begins = "container:fhir" in document.info or "container:fhir-places" not in document.info
        if begins and first is not None:
            yield _complete(resource, first, left), first
        if begins and "container:fhir" not in document.info:
            resource, first, left = _plain(document), document, {}
            continue
        if begins:
            resource, first = parse(document.info["container:fhir"], document.name), document
            left = texts(resource, document.name, Remarks())
            _keeps_ids(resource, document, remarks)
        elif first is None or document.id.rpartition("#")[0] != first.id:
            raise CannotHoldError(f"{document.name}: the first note of its resource must come right before it")
        for place in parse_json(document.info["container:fhir-places"], document.name):
            if place not in left:
                raise CannotHoldError(f"{document.name}: its resource has no text at {place}, or two notes for it")
        _fill(resource, document, left, remarks)
    if first is not None:
        yield _complete(resource, first, left), first


def _fill(resource: Resource, document: Document, left: dict[str, str], remarks: Remarks) -> None:
    places = parse_json(document.info["container:fhir-places"], document.name)
    before = [left.pop(place) for place in places]
    if not places and document.text:
        raise CannotHoldError(f"{document.name}: its resource has no place for a text")
    if places and document.text != before[0]:
        remarks.add("all of the resource but its text is written as it was; it is not de-identified", document.name)
        for place in places:
            put(resource, place, document.text, document.name, remarks)


def _complete(resource: Resource, first: Document, left: Mapping[str, str]) -> Resource:
    """The resource, unless some text of it would be written as it was because its note is not here."""
    if left:
        raise CannotHoldError(
            f"{first.name}: its resource has other texts too, at {', '.join(left)}; their notes must follow it"
        )
    return resource


def _keeps_ids(resource: Resource, document: Document, remarks: Remarks) -> None:
    stated = {"resource": string(resource, "id", ""), "patient": patient_of(resource, {}, "")[0]}
    ours = {"resource": document.id.removeprefix(f"{resource['resourceType']}/"), "patient": document.patient}
    for what, id in stated.items():
        if LEGAL_ID.fullmatch(id) and id != ours[what]:
            remarks.add(f"the resource keeps its own {what} id", document.name)


def _whole(filled: list[tuple[Resource, Document]], file: str, remarks: Remarks) -> Resource:
    """What goes into a file: the resource, or the Bundle with its notes in their entries again."""
    if all("container:fhir-entry" not in document.info for _, document in filled):
        if len(filled) > 1:
            raise CannotHoldError(f"{file}: two notes would go into this file; every note needs an id of its own")
        return filled[0][0]
    shells = [
        document.info["container:fhir-bundle"] for _, document in filled if "container:fhir-bundle" in document.info
    ]
    if len(shells) != 1:
        remarks.add("the Bundle is made anew, as the first of its notes is not here", file)
        return {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": found} for found, _ in filled]}
    bundle = parse(shells[0], file)
    entries = children(bundle, "entry", file)
    for resource, document in filled:
        at = document.info.get("container:fhir-entry", "")
        if not at.isdecimal() or int(at) >= len(entries) or entries[int(at)].get("resource", "") is not None:
            raise CannotHoldError(f"{document.name}: the Bundle has no free entry for it")
        entries[int(at)]["resource"] = resource
    kept = [entry for entry in entries if entry.get("resource", "") is not None]
    if len(kept) < len(entries):
        remarks.add("entries of a Bundle are left out whose notes are not here", file, len(entries) - len(kept))
        bundle["entry"] = kept
    return bundle


def _plain(document: Document) -> Resource:
    """The least that a DocumentReference must say to say what the document says."""
    patient = document.patient
    resource: Resource = {"resourceType": "DocumentReference"}
    if LEGAL_ID.fullmatch(document.id):
        resource["id"] = document.id
    else:
        resource["identifier"] = [{"system": SYSTEM, "value": document.id}]
    resource["status"] = "current"
    if patient:
        legal = LEGAL_ID.fullmatch(patient)
        named = {"identifier": {"system": SYSTEM, "value": patient}}
        resource["subject"] = {"reference": f"Patient/{patient}"} if legal else named
    attachment: Resource = {"contentType": "text/plain; charset=utf-8"}
    if document.language:
        attachment["language"] = document.language
    attachment |= described(document.text.encode(), {"size": 0, "hash": ""})
    resource["content"] = [{"attachment": attachment}]
    return resource


def sniff(sample: Sample) -> str:
    head = sample.head.removeprefix("\ufeff").lstrip()
    found = re.search(r'"resourceType"\s*:\s*"([A-Z][A-Za-z]*)"', head) if head.startswith("{") else None
    return f"the resourceType {found[1]}" if found else ""


FORMATS = (
    Format(
        name="fhir",
        title="FHIR R4 and R5 (JSON): DocumentReference, DiagnosticReport",
        suffix=".json",
        folder=True,
        holds=Holds(
            patient=True,
            language=True,
            container="container:fhir-places",
            info=frozenset({"container:fhir", "container:fhir-*"}),
            spans=False,
        ),
        read=read,
        write=write,
        sniff=sniff,
        reads=LINES,
        records=fhir_records.RECORDS,
    ),
)
