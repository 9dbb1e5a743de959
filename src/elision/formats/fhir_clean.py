"""What stays of a FHIR resource besides its texts. What is not named here is dropped.

| What stays | How |
|---|---|
| status, type, category, code | codes of FHIR itself and of LOINC with a right check digit, without display names |
| subject, encounter, author, performer and the like | a reference to the pseudonym of an id, without a name |
| date, issued, period and the like | moved by as many days as the dates of the note; those of a month or a year go |
| Patient, Practitioner, Encounter and the like, if a note of their Bundle refers to them | pseudonym, sex, period |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from elision.formats.records import Renaming

Resource = dict[str, Any]
SYSTEM = "urn:elision:id"  # of identifiers that FHIR's own ids cannot hold
TYPES = (
    "CareTeam", "Device", "Encounter", "Group", "HealthcareService", "Location", "Organization", "Patient",
    "Practitioner", "PractitionerRole", "RelatedPerson",
)  # fmt: skip
STUBS = frozenset(("CareTeam", "Device", "Encounter", "Location", "Organization", "Patient", "Practitioner",
                   "PractitionerRole"))  # fmt: skip
_REFERENCE = re.compile(r"(?:^|/)([A-Z][A-Za-z]{2,40})/([A-Za-z0-9\-.]{1,64})(?:/_history/[A-Za-z0-9\-.]{1,64})?$")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?")
_LOINC = re.compile(r"[1-9][0-9]{0,6}-[0-9]")
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[A-Z]{2})?")
_MEDIA = ("text/plain", "text/html", "text/markdown", "text/xml", "text/rtf", "text/csv")
_MASKED = {"system": "http://terminology.hl7.org/CodeSystem/data-absent-reason", "code": "masked"}
_HL7 = "http://terminology.hl7.org/CodeSystem/"
_SYSTEMS = {
    "http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category": ("clinical-note",),
    f"{_HL7}v3-ActCode": ("AMB", "EMER", "FLD", "HH", "IMP", "ACUTE", "NONAC", "OBSENC", "PRENC", "SS", "VR"),
    f"{_HL7}v2-0074": (
        "AU", "BG", "BLB", "CG", "CH", "CP", "CT", "CTH", "CUS", "EC", "EN", "GE", "HM", "ICU", "IMG", "IMM", "LAB",
        "MB", "MCB", "MYC", "NMR", "NMS", "NRS", "OSL", "OT", "OTH", "OUS", "PAR", "PAT", "PF", "PHR", "PHY", "PT",
        "RAD", "RC", "RT", "RUS", "RX", "SP", "SR", "TX", "URN", "VR", "VUS", "XRC",
    ),
}  # fmt: skip


class Given(NamedTuple):
    """What a rule needs: how to rename, and where references of a Bundle lead, as (type, id)."""

    renaming: Renaming
    targets: Mapping[str, tuple[str, str]]


Rule = Callable[[Any, Given], Any]  # what stays of an element; None if nothing does


def _one_of(*codes: str) -> Rule:
    return lambda value, _: value if value in codes else None


def _many(rule: Rule) -> Rule:
    def each(value: Any, given: Given) -> Any:
        found = [one for item in value if (one := rule(item, given)) is not None] if isinstance(value, list) else []
        return found or None

    return each


def _parts(rules: Mapping[str, Rule]) -> Rule:
    def named(value: Any, given: Given) -> Any:
        if not isinstance(value, dict):
            return None
        found = {
            name: one for name, rule in rules.items() if (one := _applied(rule, value.get(name), given)) is not None
        }
        return found or None

    return named


def _applied(rule: Rule, value: Any, given: Given) -> Any:
    return None if value is None else rule(value, given)


def _list_or(one: Rule) -> Rule:
    """An element that is one thing in a release of FHIR, and a list in another."""
    return lambda value, given: _many(one)(value, given) if isinstance(value, list) else one(value, given)


def _date(value: Any, given: Given) -> Any:
    return given.renaming.moved(value) if isinstance(value, str) and _DATE.fullmatch(value) else None


def _coding(value: Any, _: Given) -> Any:
    system, code = (value.get("system"), value.get("code")) if isinstance(value, dict) else (None, None)
    if not (isinstance(system, str) and isinstance(code, str)):
        return None
    right = is_loinc(code) if system == "http://loinc.org" else code in _SYSTEMS.get(system, ())
    return {"system": system, "code": code} if right else None


def is_loinc(code: str) -> bool:
    """By its check digit, as Luhn has it."""
    if not _LOINC.fullmatch(code):
        return False
    digits = [int(digit) for digit in reversed(code[:-2])]
    total = sum(sum(divmod(2 * digit, 10)) if at % 2 == 0 else digit for at, digit in enumerate(digits))
    return int(code[-1]) == -total % 10


def _reference(value: Any, given: Given) -> Any:
    said = value.get("reference") if isinstance(value, dict) else None
    target = target_of(said, given.targets)
    if target is None or (target[0] not in STUBS and said in given.targets):
        return None
    id = given.renaming.link(target[1])
    return None if id is None else {"reference": f"{target[0]}/{id}"}


def target_of(reference: Any, targets: Mapping[str, tuple[str, str]]) -> tuple[str, str] | None:
    """The type and the id of what a reference leads to, in its Bundle or elsewhere."""
    if not isinstance(reference, str):
        return None
    found = _REFERENCE.search(reference)
    inside = targets.get(reference) or (targets.get(f"{found[1]}/{found[2]}") if found else None)
    if inside:
        return inside[0], inside[1]
    return (found[1], found[2]) if found and found[1] in TYPES else None


_CONCEPT = _parts({"coding": _many(_coding)})
_REFERENCES = _many(_reference)
_PERIOD = _parts({"start": _date, "end": _date})
RULES: dict[str, dict[str, Rule]] = {
    "DocumentReference": {
        "status": _one_of("current", "superseded", "entered-in-error"),
        "docStatus": _one_of("registered", "partial", "preliminary", "final", "amended", "corrected", "appended",
                             "cancelled", "entered-in-error", "deprecated", "unknown"),
        "type": _CONCEPT,
        "category": _many(_CONCEPT),
        "date": _date,
        "author": _REFERENCES,
        "authenticator": _reference,
        "custodian": _reference,
        "context": _list_or(lambda value, given: (
            _reference(value, given) or _parts({"encounter": _REFERENCES, "period": _PERIOD})(value, given)
        )),
        "period": _PERIOD,
    },
    "DiagnosticReport": {
        "status": _one_of("registered", "partial", "preliminary", "modified", "final", "amended", "corrected",
                          "appended", "cancelled", "entered-in-error", "unknown"),
        "category": _many(_CONCEPT),
        "code": lambda value, given: _CONCEPT(value, given) or {"coding": [_MASKED]},
        "encounter": _reference,
        "effectiveDateTime": _date,
        "effectivePeriod": _PERIOD,
        "issued": _date,
        "performer": _REFERENCES,
        "resultsInterpreter": _REFERENCES,
    },
    "Encounter": {
        "status": _one_of("planned", "arrived", "triaged", "in-progress", "onleave", "finished", "cancelled",
                          "entered-in-error", "unknown", "on-hold", "discharged", "completed", "discontinued"),
        "class": _list_or(lambda value, given: _coding(value, given) or _CONCEPT(value, given)),
        "subject": _reference,
        "period": _PERIOD,
    },
    "Patient": {"gender": _one_of("male", "female", "other", "unknown")},
}  # fmt: skip
_ATTACHMENT: dict[str, Rule] = {
    "language": lambda value, _: value if isinstance(value, str) and _LANGUAGE.fullmatch(value) else None,
    "creation": _date,
}


def note(resource: Resource, given: Given) -> Resource:
    """What stays of a resource with notes, besides its texts."""
    kind = str(resource["resourceType"])
    kept: Resource = {"resourceType": kind}
    if subject := _subject(resource.get("subject"), given):
        kept["subject"] = subject
    return kept | _kept(resource, kind, given)


def _kept(resource: Resource, kind: str, given: Given) -> Resource:
    return _parts(RULES.get(kind, {}))(resource, given) or {}


def _subject(value: Any, given: Given) -> Any:
    """Whose note it is: by the patient of its row, as the subject may be told in other ways than by a reference."""
    said = value.get("reference") if isinstance(value, dict) else None
    target = target_of(said, given.targets)
    if target and target[0] != "Patient":
        return _reference(value, given)
    id = given.renaming.link(given.renaming.patient)
    return None if id is None else {"reference": f"Patient/{id}"}


def stub(kind: str, id: str, resource: Resource, given: Given) -> Resource | None:
    """What stays of a resource that notes refer to."""
    own = given.renaming.link(id)
    if kind not in STUBS or own is None:
        return None
    kept: Resource = {"resourceType": kind, "id": own}
    if kind == "Organization":  # which must have a name or an identifier
        kept |= {"identifier": [{"system": SYSTEM, "value": own}]}
    return kept | _kept(resource, kind, given)


def attachment(given_attachment: Resource, given: Given) -> Resource:
    """What stays of an attachment besides its data. `size` and `hash` say how they are to be told, and nothing else."""
    media = str(given_attachment.get("contentType", "text/plain")).partition(";")[0].strip().lower()
    kept: Resource = {"contentType": f"{media if media in _MEDIA else 'text/plain'}; charset=utf-8"}
    kept |= _parts(_ATTACHMENT)(given_attachment, given) or {}
    if "size" in given_attachment:
        kept["size"] = "0" if isinstance(given_attachment["size"], str) else 0
    if "hash" in given_attachment:
        kept["hash"] = ""
    return kept


def mentioned(resource: Resource) -> list[str]:
    """What a resource refers to in the elements that stay."""
    found: list[str] = []
    waiting = [resource.get(name) for name in ("subject", *RULES.get(str(resource.get("resourceType")), {}))]
    while waiting:
        match waiting.pop():
            case dict() as parts:
                if isinstance(said := parts.get("reference"), str):
                    found.append(said)
                waiting += parts.values()
            case list() as items:
                waiting += items
    return found
