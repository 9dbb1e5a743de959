"""Where the texts of a FHIR resource stand, how they go back there, and what it says about the patient.

A place is named by its path: `content.0` and `presentedForm.0` (attachments), `conclusion`, `text.div` (the Narrative).
R4 and R5 are alike in all of this, but that `size` is a number in one and a string in the other.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from hashlib import sha1
from typing import Any

from elision.errors import FormatError
from elision.formats import fhir_parts
from elision.formats.fhir_parts import Resource
from elision.formats.format import Remarks

NOTES = {"DocumentReference": "content", "DiagnosticReport": "presentedForm"}  # and where their attachments are
CHARSET = re.compile(r';\s*charset\s*=\s*"?([^";\s]*)"?', re.IGNORECASE)
PATIENT = re.compile(r"(?:^|/)Patient/([A-Za-z0-9\-.]{1,64})(?:/_history/|$)")


def texts(resource: Resource, where: str, remarks: Remarks) -> dict[str, str]:
    """The texts of a resource by their places; what holds no text that can be read is reported."""
    found: dict[str, str] = {}
    key = NOTES[resource["resourceType"]]
    for number, attachment in enumerate(_attachments(resource, where)):
        text = _text_of(attachment, f"{where}, {key}.{number}", remarks)
        if text is not None:
            found[f"{key}.{number}"] = text
    if "conclusion" in resource and key == "presentedForm":
        found["conclusion"] = string(resource, "conclusion", where)
    narrative = child(resource, "text", where)
    if "div" in narrative:
        found["text.div"] = fhir_parts.to_text(string(narrative, "div", where), f"{where}, text.div")
    return found


def put(resource: Resource, place: str, text: str, where: str, remarks: Remarks) -> None:
    """Write another text into a place; all that describes the old one there is made to describe the new one."""
    if place == "text.div":
        resource["text"]["div"] = fhir_parts.to_div(text, where)
    elif place != "conclusion":
        _put_data(_attachments(resource, where)[int(place.partition(".")[2])], text, where, remarks)
    elif text:
        resource["conclusion"] = text
    else:
        del resource["conclusion"]  # FHIR has no empty strings


def _put_data(attachment: Resource, text: str, where: str, remarks: Remarks) -> None:
    media = attachment.get("contentType", "")
    charset = _charset(media)
    try:
        data = text.encode(charset)
    except UnicodeEncodeError:
        remarks.add(f"the text no longer fits {charset}; the attachment is UTF-8 now, and says so", where)
        attachment["contentType"] = CHARSET.sub("; charset=utf-8", media, count=1)
        data = text.encode()
    attachment.pop("data", None)
    attachment |= described(data, attachment)


def described(data: bytes, like: Mapping[str, Any]) -> Resource:
    """`data` as base64, if it is not empty, with the `size` and the `hash` that `like` has too."""
    fields: Resource = {"data": base64.b64encode(data).decode()} if data else {}
    if "size" in like or not data:
        fields["size"] = str(len(data)) if isinstance(like.get("size"), str) else len(data)
    if "hash" in like:
        fields["hash"] = _hash(data)
    return fields


def _hash(data: bytes) -> str:
    return base64.b64encode(sha1(data, usedforsecurity=False).digest()).decode()  # what FHIR asks for


def _charset(media: str) -> str:
    stated = CHARSET.search(media)
    return stated[1] if stated else "utf-8"


def _attachments(resource: Resource, where: str) -> list[Resource]:
    key = NOTES[resource["resourceType"]]
    items = children(resource, key, where)
    return [child(item, "attachment", where) for item in items] if key == "content" else items


def _text_of(attachment: Resource, where: str, remarks: Remarks) -> str | None:
    """The text of an attachment, or None if there is none that could be read, which is reported."""
    media = string(attachment, "contentType", where) if "contentType" in attachment else "text/plain"
    found = re.match(r"[\w.+-]{1,40}/[\w.+-]{1,60}", media)
    kind = found[0].lower() if found else "unknown"
    if not kind.startswith("text/"):
        remarks.add(f"attachments of the type {kind} are not read", where)
        return None
    if kind != "text/plain":
        remarks.add(f"attachments of the type {kind} are read with their markup", where)
    if "data" not in attachment:
        if str(attachment.get("size")) == "0":
            return ""
        remarks.add(f"attachments that are {'only linked to' if 'url' in attachment else 'empty'} are not read", where)
        return None
    data = _decoded(string(attachment, "data", where), where)
    if "hash" in attachment and attachment["hash"] != _hash(data):
        remarks.add("the hash of an attachment is not that of its data", where)
    if "size" in attachment and str(attachment["size"]) != str(len(data)):
        remarks.add("the size of an attachment is not that of its data", where)
    charset = _charset(media)
    try:
        return data.decode(charset)
    except UnicodeDecodeError as error:
        raise FormatError(f"{where}: byte {error.start:,} of the data is not {charset}, as contentType says") from None
    except LookupError:
        raise FormatError(f"{where}: the charset in contentType is not one that Python knows") from None


def _decoded(data: str, where: str) -> bytes:
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        raise FormatError(f"{where}: the data is not base64") from None


def child(resource: Resource, key: str, where: str) -> Resource:
    value = resource.get(key, {})
    if not isinstance(value, dict):
        raise FormatError(f"{where}: {key} must be an object")
    return value


def children(resource: Resource, key: str, where: str) -> list[Resource]:
    value = resource.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise FormatError(f"{where}: {key} must be a list of objects")
    return value


def string(resource: Resource, key: str, where: str) -> str:
    value = resource.get(key, "")
    if not isinstance(value, str):
        raise FormatError(f"{where}: {key} must be a string")
    return value


def patient_of(
    resource: Resource, patients: Mapping[str, Resource], where: str
) -> tuple[str, dict[str, tuple[str, ...]]]:
    """The id of the patient that a resource is about, and what a Patient in it or beside it states.

    `patients` are those of the Bundle, by the references that point to them.
    """
    subject = child(resource, "subject", where)
    reference = string(subject, "reference", where)
    if reference.startswith("#"):
        for inner in children(resource, "contained", where):
            if f"#{inner.get('id')}" == reference and inner.get("resourceType") == "Patient":
                # Its id names it only within this resource; its identifier names it everywhere.
                return next((string(i, "value", where) for i in children(inner, "identifier", where)), ""), known(
                    inner, where
                )
        return "", {}
    found = PATIENT.search(reference)
    stated = patients.get(reference) or patients.get(f"Patient/{found[1]}" if found else "")
    id = found[1] if found else reference or string(child(subject, "identifier", where), "value", where)
    if stated is None:
        return id, {}
    return id if found else string(stated, "id", where) or id, known(stated, where)


def known(patient: Resource, where: str) -> dict[str, tuple[str, ...]]:
    """What a Patient resource states: names, the birth date, identifiers, phones, mail, parts of addresses.

    The parts of an address are values of their own, since notes seldom repeat a whole one; state and country are left
    out, as they name no one and are everywhere.
    """
    values: dict[str, dict[str, None]] = {}

    def add(kind: str, value: object) -> None:
        if isinstance(value, str) and value.strip():
            values.setdefault(kind, {})[value.strip()] = None

    for name in children(patient, "name", where):
        add("name", name.get("text"))
        parts = [*_strings(name.get("given")), name.get("family")]
        add("name", " ".join(part for part in parts if isinstance(part, str)))
    add("birth_date", patient.get("birthDate"))
    for identifier in children(patient, "identifier", where):
        add("id", identifier.get("value"))
    for contact in children(patient, "telecom", where):
        kind = {"email": "email", "phone": "phone", "fax": "phone", "sms": "phone"}.get(str(contact.get("system")))
        if kind:
            add(kind, contact.get("value"))
    for address in children(patient, "address", where):
        for part in (*_strings(address.get("line")), address.get("city"), address.get("postalCode")):
            add("address", part)
    return {kind: tuple(found) for kind, found in values.items()}


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
