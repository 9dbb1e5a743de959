"""What de-identification left in a note: [**Last Name 12**], <PERSON>, [NOMBRE], ___: what they stood for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from elision.synth.grammar import Slot
from elision.text.characters import HAN_RANGES


class Hole(NamedTuple):
    """A placeholder: where it stands, the slot that fills it, and of which person or place ("" if it does not say)."""

    start: int
    end: int
    slot: Slot | None
    key: str = ""


_MIMIC = re.compile(r"\[\*\*(.{0,80}?)\*\*\]", re.DOTALL)
_LETTER = "A-ZÁÉÍÓÚÑ"
_TAGGED = re.compile(
    rf"<([{_LETTER}][{_LETTER}_ ]{{1,30}}?)(?:[-_ ]?(\d{{1,4}}))?>"
    rf"|\[([{_LETTER}][{_LETTER}_ /]{{2,30}}?)(?:[-_ ]?(\d{{1,4}}))?\]"
    r"|\{\{([A-Za-z_ ]{3,30})\}\}"
    rf"|[\[【<]([{HAN_RANGES}]{{2,6}})(\d{{0,3}})[\]】>]"
)
_BLANKED = re.compile(r"(?<![\w_])(?:_{3,}|X{3,}|x{4,}|\*{3,}|█+)(?![\w_])")

# What MIMIC's words stand for, the first that fits. A date is told by its digits.
_KINDS_MIMIC: tuple[tuple[str, str], ...] = (
    (r"\d{4}-\d{1,2}-\d{1,2}$", "date:past,iso"), (r"\d{1,2}-\d{1,2}$|\d{1,2}/\d{1,2}$|Month/Day", "date:recent,short"),
    (r"\d{4}$|Year \(4|Year \(2", "year"), (r"\d{1,2}/\d{4}$|Month/Year|Month Year|\d{4}-\d{1,2}$", "month_year"),
    (r"Date [Rr]ange", "date:range"), (r"Month|Season", "month"), (r"Holiday|Day Month", "date:recent,no_year"),
    (r"Date|\d+-/", "date:recent"),
    (r"Last ?Name.*(Titles?|NamePattern)|Doctor Last", "doctor:last"),
    (r"First ?Name.*(Titles?|NamePattern)|Doctor First", "doctor:first"),
    (r"Known last|Known lastname|Known patient last", "patient:last"), (r"Known first|Known firstname",
    "patient:first"),
    (r"Hospital (Ward|Unit)|Wardname|Unit Name|Ward", "ward"),
    (r"Last Name", "other:last"), (r"(Male |Female )?First Name", "relative:first"), (r"Initial", "doctor:initials"),
    (r"Attending|Dictator|MD|Doctor|Titles", "doctor:full"), (r"Name", "other:full"), (r"CC Contact|Contact",
    "doctor:full"),
    (r"Hospital", "hospital"),
    (r"Telephone/Fax|Telephone|Phone", "phone"), (r"Fax", "fax"), (r"Pager", "pager"), (r"E-?mail", "email"),
    (r"URL|Web", "url"),
    (r"Medical Record|MRN", "mrn"), (r"Social Security|SSN", "ssn"), (r"MD Number|License", "license"),
    (r"Serial|Unit Number", "device"),
    (r"Job|Clip|Numeric|Number", "other_id"), (r"Age over|Age", "age:number"), (r"Street|Apartment|PO Box", "street"),
    (r"Zip", "zip"),
    (r"State", "state"), (r"Country", "country"), (r"Company|University|College|Organization", "organization"),
    (r"Location|City|Town", "city"),
)  # fmt: skip
# Words of other systems, in our four languages, in capitals.
_KINDS: tuple[tuple[str, str], ...] = (
    (r"PATI[EË]N|PACIENTE|CLI[EË]NT|BEWONER|病人|患者", "patient:full"),
    (r"DOCTOR|PHYSICIAN|CLINICIAN|PROVIDER|STAFF|NURSE|M[EÉ]DICO|FACULTATIVO|SANITARIO|ARTS|VERPLEEGK|医生|医师|护士",
    "doctor:full"),
    (r"RELATIVE|FAMILIAR|FAMILIE|家属", "relative:full"), (r"INITIAL|INICIALES|INITIALEN", "doctor:initials"), (r"USER",
    "username"),
    (r"HOSPITAL|ZIEKENHUIS|医院", "hospital"),
    (r"PERSON|NAME|NOMBRE|APELLIDO|NAAM|PERSOON|PER|姓名|人名", "other:full"),
    (r"BIRTH|DOB|NACIMIENTO|GEBOORTE|出生", "dob"), (r"DATE|FECHA|DATUM|DATE_TIME|日期", "date:recent"),
    (r"AGE$|EDAD|LEEFTIJD|年龄", "age:number"), (r"CLINIC|CENTRO|INSTELLING|INSTITU|CARE", "clinic"),
    (r"DEPARTMENT|WARD|SERVICIO|AFDELING|科室|病区", "ward"), (r"ROOM|HABITACI|KAMER|床号", "room"),
    (r"PHONE|TEL[EÉ]FONO|TELEFOON|电话", "phone"), (r"FAX", "fax"), (r"E-?MAIL|CORREO", "email"), (r"URL|WEB", "url"),
    (r"^IP", "ip"),
    (r"MRN|RECORD|HISTORIA|DOSSIER|PATI[EË]NTNUMMER|住院号|病案号", "mrn"), (r"SSN|DNI|BSN|NATIONAL|身份证", "ssn"),
    (r"STREET|CALLE|STRAAT|ADDRESS|DIRECCI|ADRES|地址", "address"), (r"ZIP|POSTAL|POSTCODE|邮编", "zip"),
    (r"STATE|PROVINCI", "state"),
    (r"COUNTRY|PA[IÍ]S$|LAND$|国家", "country"), (r"ORG|EMPRESA|BEDRIJF|单位|机构", "organization"),
    (r"PROFESSION|PROFESI|BEROEP|职业", "profession"),
    (r"CITY|TOWN|CIUDAD|MUNICIPIO|PLAATS|STAD|LOCATION|LOCATIE|LUGAR|LOC|地名|城市", "city"), (r"ID|NUM|IDENTIFI|编号",
    "other_id"),
)  # fmt: skip
# What stands before a stroke tells what it stood for. Looked at in the 40 characters before.
_BEFORE: tuple[tuple[str, str], ...] = (
    (r"(?:date of birth|dob|d\.o\.b\.|born|fecha de nacimiento|nacid[oa] el)\s*[:.]?\s*$", "dob"),
    (r"(?:geboortedatum|geb\.?|geboren(?: op)?|出生日期)\s*[:.]?\s*$", "dob"),
    (r"(?:attending|dr\.?|drs\.?|doctor|dra\.?|md|physician|surgeon|by|por|door|m[eé]dico|arts|specialist|dokter)\s*[:.]?\s*$",
    "doctor:last"),
    (r"(?:mr\.?|mrs\.?|ms\.?|miss|sr\.?|sra\.?|don|do[ñn]a|dhr\.?|mw\.?|mevr\.?|meneer|mevrouw)\s*$", "patient:last"),
    (r"(?:^|\n)\s*(?:patient(?: name)?|name|nombre|naam|pati[eë]nt|paciente)\s*:\s*$", "patient:last_first"),
    (r"(?:姓名|患者)\s*[:：]\s*$", "patient:full"),
    (r"(?:unit no|mrn|medical record(?: number)?|record no\.?|nhc|patientnummer|住院号|病案号)\s*[:.：#]?\s*$", "mrn"),
    (r"(?:phone|tel\.?|telephone|call|tel[eé]fono|telefoon|tlf\.?|电话)\s*(?:number)?\s*[:.：#]?\s*(?:at )?$", "phone"),
    (r"(?:fax)\s*[:.：]?\s*$", "fax"), (r"(?:pager|beeper)\s*[:#]?\s*$", "pager"),
    (r"(?:admission date|admitted|fecha de ingreso|opnamedatum|入院日期)\s*[:：]?\s*$", "date:admission"),
    (r"(?:discharge date|discharged|fecha de alta|ontslagdatum|出院日期)\s*[:：]?\s*$", "date:discharge"),
    (r"(?:date|fecha|datum|日期)\s*[:：]\s*$", "date:visit"),
    (r"(?:on|since|until|dated|el|desde|op|sinds|vanaf)\s*$", "date:recent"), (r"(?:in|en)\s*$", "year"),
    (r"(?:at|to|from|hospital|ziekenhuis)\s*$", "hospital:short"),
    (r"(?:wife|husband|son|daughter|sister|brother|mother|father),?\s*$", "relative:first"),
)  # fmt: skip


def holes(text: str) -> list[Hole]:
    """The placeholders of a text, in order. A slot of None: nothing tells what stood there."""
    found: list[Hole] = []
    for match in _MIMIC.finditer(text):
        inside = match[1].strip()
        kind = _titled(_kind(inside, _KINDS_MIMIC), text, match.start()) or _told(text, match.start())
        found.append(Hole(*match.span(), _slot(kind), _key(inside)))
    for match in _TAGGED.finditer(text):
        word = next(group for group in (match[1], match[3], match[5], match[6]) if group is not None)
        kind = _kind(word.upper(), _KINDS)
        if kind:
            number = match[2] or match[4] or match[7] or ""
            found.append(
                Hole(*match.span(), _slot(_titled(kind, text, match.start())), f"{word}{number}" if number else "")
            )
    found += [Hole(*match.span(), _slot(_told(text, match.start()))) for match in _BLANKED.finditer(text)]
    return list(_disjoint(sorted(found)))


def _disjoint(found: list[Hole]) -> Iterator[Hole]:
    at = 0
    for hole in found:
        if hole.start >= at:
            yield hole
            at = hole.end


def _kind(words: str, kinds: tuple[tuple[str, str], ...]) -> str:
    return next((kind for pattern, kind in kinds if _compiled(pattern).search(words)), "")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _told(text: str, at: int) -> str:
    return _kind(text[max(0, at - 40) : at], _BEFORE)


def _titled(kind: str, text: str, at: int) -> str:
    """A person of no role is what stands before the name: a title makes a doctor or the patient of it."""
    told = _told(text, at) if kind.startswith("other:") else ""
    return told if told.split(":")[0] in ("doctor", "patient") else kind


def _key(inside: str) -> str:
    """The number by which MIMIC says that two placeholders are one person; dates have none."""
    match = re.search(r"(?<![\d/-])(\d{1,6})$", inside)
    return match[1] if match and re.match(r"[A-Za-z]", inside) else ""


@cache
def _slot(kind: str) -> Slot | None:
    what, _, forms = kind.partition(":")
    return Slot(what, tuple(forms.split(","))) if kind else None
