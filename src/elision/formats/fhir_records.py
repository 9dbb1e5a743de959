"""FHIR for runs: a row for each DocumentReference and DiagnosticReport, and each written again without what it told.

All texts of a resource are one note, joined by line breaks: attachments, then the conclusion, then the Narrative. A
resource whose text is elsewhere or in another form (a PDF, a link) is held, and so is one with `modifierExtension` or
`implicitRules`, which may turn the sense of all else. Other resources are left out, but those of a Bundle that its
notes refer to: they stay as little more than their pseudonym, so that references still lead somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import IO, Any

from elision.document import Document
from elision.formats import fhir_clean
from elision.formats.atomic import write_text, writing
from elision.formats.fhir_clean import SYSTEM, Given, Resource
from elision.formats.fhir_parts import dumps, parse, to_div
from elision.formats.fhir_text import NOTES, child, children, described, patient_of, string, texts
from elision.formats.files import file_for, files_below, id_of, name_below, read_lines, read_text
from elision.formats.format import Reading, Remarks
from elision.formats.kinds import KINDS, unread
from elision.formats.records import Record, Records, Renaming, Shell, joined, parted

LEGAL_ID = re.compile(r"[A-Za-z0-9\-.]{1,64}")
LINES = (".ndjson", ".jsonl")
BASE = "https://example.invalid/"  # of the addresses in a Bundle that is written
ONE, MANY, BUNDLE = "one", "lines", "bundle"
_EXPORTED = re.compile(rf"(?:{'|'.join(NOTES)})(?:[._-]?[0-9]{{1,3}})?")
_TURNS = ("modifierExtension", "implicitRules")
_OURS = ("resourceType", "id", "identifier", "text", "content", "presentedForm", "conclusion", "subject", "contained")


def read(path: Path, how: Reading) -> Iterator[Record]:
    """The notes of a file or of the files in a folder: `.json` with one resource, `.ndjson` with one a line."""
    seen: set[str] = set()
    for file in files_below(path, ".json", *LINES):
        name = name_below(file, path)
        for resource, called, around, where in _resources(file, name, id_of(file, path), how):
            record = _record(resource, called, around, seen, where, how.remarks)
            if record is None:
                how.remarks.add("reports without a text are left out", where)
            else:
                seen.add(record.document.id)
                yield record


Found = tuple[Resource, str, dict[str, Any], str]  # a resource, what it is called without an id, what is around, where


def _resources(file: Path, name: str, id: str, how: Reading) -> Iterator[Found]:
    if file.suffix.lower() in LINES:
        for number, line in read_lines(file, how):
            where = f"{file}:{number}"
            resource = parse(line, where)
            if _is_note(resource, where, how.remarks):
                yield resource, f"{id}/{number}", {"file": name, "form": MANY}, where
        return
    resource = parse(read_text(file, how).removeprefix("\ufeff"), str(file))
    if resource["resourceType"] == "Bundle":
        yield from _entries(resource, id, name, str(file), how.remarks)
    elif _is_note(resource, str(file), how.remarks):
        yield resource, id, {"file": name, "form": ONE}, str(file)


def _is_note(resource: Resource, where: str, remarks: Remarks) -> bool:
    if resource["resourceType"] in NOTES:
        return True
    remarks.add("resources that are no notes are left out", where)
    return False


def _entries(bundle: Resource, id: str, name: str, file: str, remarks: Remarks) -> Iterator[Found]:
    entries = [
        (f"{file}, entry {number}", str(entry.get("fullUrl", "")), child(entry, "resource", file))
        for number, entry in enumerate(children(bundle, "entry", file), 1)
    ]
    there: dict[str, Resource] = {}  # by what may refer to it
    targets: dict[str, tuple[str, str]] = {}
    for where, url, resource in entries:
        stated = string(resource, "id", where)
        for reference in (url, f"{resource.get('resourceType')}/{stated}" if stated else ""):
            if reference:
                there[reference] = resource
                targets[reference] = str(resource.get("resourceType")), stated or url
    patients = {said: one for said, one in there.items() if one.get("resourceType") == "Patient"}
    around = {"file": name, "form": BUNDLE, "type": bundle.get("type"), "patients": patients}
    for number, (where, _, resource) in enumerate(entries, 1):
        if str(resource.get("resourceType")) in NOTES:
            beside = _beside(resource, there)
            mine = {said: targets[said] for said in beside}
            once = {targets[said]: one for said, one in reversed(beside.items())}
            stubs = [[*target, once[target]] for target in dict.fromkeys(mine.values())]
            yield resource, f"{id}/{number}", {**around, "targets": mine, "stubs": stubs}, where
        elif resource:
            remarks.add("resources of a Bundle that are no notes stay as pseudonyms, or are left out", where)


def _beside(resource: Resource, there: Mapping[str, Resource]) -> dict[str, Resource]:
    """What a note refers to in its Bundle, and what that refers to, by the references."""
    found: dict[str, Resource] = {}
    waiting = [resource]
    while waiting:
        for said in fhir_clean.mentioned(waiting.pop()):
            path = "/".join(fhir_clean.target_of(said, {}) or ())
            for one in (said, path):
                if one in there and one not in found:
                    found[one] = there[one]
                    waiting.append(there[one])
    return found


def _record(
    resource: Resource, called: str, around: dict[str, Any], seen: set[str], where: str, remarks: Remarks
) -> Record | None:
    stated = string(resource, "id", where) or _our_id(resource, where)
    id = f"{resource['resourceType']}/{stated}" if stated and stated in seen else stated or called
    placed = texts(resource, where, Remarks())  # whose words may quote a type that is none
    patient, known = patient_of(resource, around.pop("patients", {}), where)
    key = NOTES[resource["resourceType"]]
    items = children(resource, key, where)
    if not placed and not items:
        return None
    text, joints = joined(list(placed.values()))
    if not placed or any(name in resource for name in _TURNS):
        text, joints = unread(KINDS["fhir-modifier" if placed else "attachment"]), ()
    attachments = [child(item, "attachment", where) if key == "content" else item for item in items]
    places = [
        ["attachment", _bare(attachments[int(place.rpartition(".")[2])])] if place.startswith(key) else [place, None]
        for place in placed
    ]
    if placed and len(attachments) > sum(place.startswith(key) for place in placed):
        remarks.add("attachments that are no text are dropped", where)
    rest = {name: value for name, value in resource.items() if name not in _OURS or name in ("resourceType", "subject")}
    document = Document(text, id, patient, _language(resource, attachments), known=known, joints=joints)
    return Record(document, {**around, "resource": rest, "places": places})


def _bare(attachment: Resource) -> Resource:
    return {name: value for name, value in attachment.items() if name not in ("data", "url", "title")}


def _our_id(resource: Resource, where: str) -> str:
    identifiers = children(resource, "identifier", where)
    return next((string(i, "value", where) for i in identifiers if i.get("system") == SYSTEM), "")


def _language(resource: Resource, attachments: list[Resource]) -> str:
    stated = next((one["language"] for one in (*attachments[:1], resource) if one.get("language")), "")
    return stated.partition("-")[0].lower() if isinstance(stated, str) else ""


def clean(shell: Shell, renaming: Renaming) -> Shell:
    """The shell without what it told."""
    targets = {said: (str(one[0]), str(one[1])) for said, one in shell.get("targets", {}).items()}
    given = Given(renaming, targets)
    name = PurePosixPath(shell["file"])
    stubs = [fhir_clean.stub(kind, id, resource, given) for kind, id, resource in shell.get("stubs", ())]
    return {
        "file": f"{_file(str(name.with_suffix('')), renaming)}{name.suffix}",
        "form": shell["form"],
        "type": shell.get("type") if shell.get("type") in ("transaction", "batch") else "collection",
        "resource": fhir_clean.note(shell["resource"], given),
        "places": [
            [place, fhir_clean.attachment(told, given) if place == "attachment" else None]
            for place, told in shell["places"]
        ],
        "stubs": [one for one in stubs if one is not None],
    }


def _file(name: str, renaming: Renaming) -> str:
    """The name of a file: of a bulk export the type and perhaps a number, which stay; of any other a pseudonym."""
    return name if _EXPORTED.fullmatch(name) else renaming.link(name) or name


def write(records: Iterable[Record], path: Path, folder: bool) -> None:
    """Each resource into a file of its own, and those of one Bundle or one file of lines into one again."""

    def name(record: Record) -> str:
        shell = record.shell
        if not folder:
            return ""  # all in one, whatever the files were called that they come from
        return f"{record.document.id}.json" if shell["form"] == ONE and folder else str(shell["file"])

    written = False
    for file, together in groupby(records, name):
        suffix = PurePosixPath(file).suffix
        place = file_for(path, file[: len(file) - len(suffix)], suffix) if folder else path
        written = True
        _write(together, place)
    if not written and folder:
        path.mkdir()
    elif not written:
        path.touch()


def _write(records: Iterator[Record], file: Path) -> None:
    first = next(records)
    if first.shell["form"] == MANY:
        with writing(file) as stream:
            _line(stream, first)
            for record in records:
                _line(stream, record)
    elif first.shell["form"] == ONE:
        write_text(file, dumps(_filled(first), indent=2) + "\n")
    else:
        write_text(file, dumps(_bundle([first, *records]), indent=2) + "\n")


def _line(stream: IO[bytes], record: Record) -> None:
    stream.write(dumps(_filled(record)).encode() + b"\n")


def _bundle(records: list[Record]) -> Resource:
    """A Bundle of notes, then what they refer to, each once."""
    kind = records[0].shell["type"]
    stubs = {(one["resourceType"], one["id"]): one for record in records for one in record.shell["stubs"]}
    entries = []
    for resource in (*map(_filled, records), *stubs.values()):
        id = resource.get("id")
        at = f"{resource['resourceType']}/{id}" if id else ""
        entry: Resource = {"fullUrl": f"{BASE}{at}"} if at else {}
        entry["resource"] = resource
        if kind != "collection":
            entry["request"] = {"method": "PUT" if at else "POST", "url": at or resource["resourceType"]}
        entries.append(entry)
    return {"resourceType": "Bundle", "type": kind, "entry": entries}


def _filled(record: Record) -> Resource:
    """The resource with the texts of its note."""
    document, shell = record
    rest = shell["resource"]
    own = document.id.removeprefix(f"{rest['resourceType']}/")
    legal = LEGAL_ID.fullmatch(own)
    resource: Resource = {"resourceType": rest["resourceType"]}
    resource |= {"id": own} if legal else {"identifier": [{"system": SYSTEM, "value": document.id}]}
    resource |= {name: value for name, value in rest.items() if name != "resourceType"}
    key = NOTES[rest["resourceType"]]
    for (place, told), text in zip(shell["places"], parted(document.text, document.joints), strict=True):
        if text is None:
            continue
        if place == "attachment":
            one = {**told, **described(text.encode(), told)}
            resource.setdefault(key, []).append({"attachment": one} if key == "content" else one)
        elif place == "text.div":
            resource["text"] = {"status": "additional", "div": to_div(text, document.name)}
        else:
            resource[place] = text
    return resource


RECORDS = Records(read, clean, write, endings=(".json", ".ndjson"), folder=True)
