"""The kinds of known values: how each is searched and what its finds are called.

A kind is what a record calls a value (`Document.known`), or a canonical label. What we do not know is searched as
it is written, in any spacing: no value is passed over because of its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from elision.labels import canonical


@dataclass(frozen=True, slots=True)
class Kind:
    """`how`: name, date, address, phone, email, code or text."""

    name: str
    label: str
    how: str


_KINDS = {
    ("NAME_PATIENT", "name"): "name names patient_name full_name given family surname alias maiden_name nickname",
    ("NAME_RELATIVE", "name"): "relative relatives next_of_kin contact contact_name partner spouse mother father child",
    ("NAME_CLINICIAN", "name"): "clinician doctor physician gp general_practitioner provider nurse",
    ("NAME_OTHER", "name"): "person other_name",
    ("DATE_BIRTH", "date"): "birth_date birthdate birthday dob date_of_birth",
    ("DATE", "date"): "date death_date date_of_death admission_date discharge_date",
    ("MEDICAL_RECORD", "code"): "mrn medical_record medical_record_number patient_id patient_number record",
    ("ID_OTHER", "code"): "id ids identifier identifiers",
    ("NATIONAL_ID", "code"): "ssn bsn dni nie nhs nhs_number national_id passport tax_id nss",
    ("HEALTH_PLAN", "code"): "insurance insurance_number health_plan member_id medicare medicaid mbi",
    ("ENCOUNTER_ID", "code"): "encounter encounter_id visit visit_id accession order",
    ("ACCOUNT", "code"): "account account_number iban card",
    ("LICENSE", "code"): "license licence driving_licence",
    ("VEHICLE", "code"): "plate license_plate vehicle vin",
    ("DEVICE", "code"): "device serial",
    ("PHONE", "phone"): "phone phones telephone mobile cell pager",
    ("FAX", "phone"): "fax",
    ("EMAIL", "email"): "email e_mail mail",
    ("URL", "code"): "url website",
    ("IP", "code"): "ip",
    ("USERNAME", "code"): "username user login account_name",
    ("ADDRESS", "address"): "address addresses home_address",
    ("STREET", "address"): "street line",
    ("CITY", "address"): "city town",
    ("ZIP", "address"): "zip zip_code postcode postal_code",
    ("ORGANIZATION", "text"): "employer organization organisation school company",
    ("HOSPITAL", "text"): "hospital",
}
_BY_NAME = {name: (label, how) for (label, how), names in _KINDS.items() for name in names.split()}
_BY_LABEL = dict(_KINDS.keys()) | {"INITIALS": "name", "BIOMETRIC": "code"}


def kinds() -> tuple[str, ...]:
    """The first name of each kind, for messages."""
    return tuple(names.split()[0] for names in _KINDS.values())


def is_kind(name: str) -> bool:
    """Whether this is the name of a kind, or a canonical label."""
    return name.upper() in canonical() or _plain(name) in _BY_NAME


def near_kinds(name: str) -> list[str]:
    """Kinds with a name like this one."""
    return get_close_matches(_plain(name), _BY_NAME, 2)


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)).lower()


@lru_cache(maxsize=1_000)
def kind_of(name: str) -> Kind:
    """The kind of this name: "birth date", "birthDate" and "birth_date" are one."""
    label = name.upper()
    if label in canonical():
        return Kind(name, label, _BY_LABEL.get(label, "text"))
    label, how = _BY_NAME.get(_plain(name), ("OTHER", "text"))
    return Kind(name, label, how)
