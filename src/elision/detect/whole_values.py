"""Numbers, addresses and companies with the rest of them, as they were found in part."""

from __future__ import annotations

import re

from elision.detect.stretch import Stretch

WINDOW = 48  # characters that are looked at on a side

# -- numbers: of records, accounts, devices, users

_CODE_AFTER = re.compile(
    r"(?!(?:CT|MRI?|US|XR|MG|ML|KG|CM|MM)\b)(?:[A-Z0-9]{1,12}(?![a-zà-ÿ])|-[A-Za-z0-9]{1,12}(?![A-Za-zà-ÿ])|[/_.][A-Z0-9]{0,4}[0-9][A-Z0-9]{0,8}(?![A-Za-z])|"
    r"/[A-Z]{1,3}\b){1,5}"
)
_CODE_BEFORE = re.compile(r"(?<![A-Za-zÀ-ÿ0-9])(?:[A-Z0-9]{1,10}[-/_.]){0,3}[A-Z0-9]{1,10}[-/_.]?\Z")
# What a number is, written right before it, and places for digits.
_LABELS = re.compile(
    r"(?:(?:MRN|NHC|HC|ID|DNI|NIE|NIF|NIG|CIP|NSS|SS|BSN|NR|NO|N|NUM|NHS|CHI|URN|UR|PID|PATID|NIP|PNR|GMC|NMC|BIG|AGB|"
    r"RIZIV|INAMI|TEL|FAX|REF|REG|LIC|ACC|ACCT|ACCESSION|NPI|DEA|SSN|MBI|NRIC|IC|IHI|HCN|PHN|NHI|COL|COLEGIADO|NC|EXP|CURP|"
    r"RUT|CC|CUIL|CUIT|CASE|FILE|CHART|VISIT|ENC|BED|SN|LOT|REC|RECORD|CASO|HISTORIA|DOSSIER|PATIENT|CODE|KEY|IBAN|VIN|CARD|"
    r"DOB|NUHSA|CIPA|SNS|HN|X{1,9})[-/_.]?)+"
)


def grown_code(part: Stretch) -> tuple[int, int]:
    """To the ends of the token: letters and digits, and what hyphens, slashes and dots join to them."""
    text, start, end, floor, ceiling, _ = part
    if end < ceiling and text[end - 1].isalnum():
        found = _CODE_AFTER.match(text, end, min(ceiling, end + WINDOW))
        end = found.end() if found else end
    if floor < start and text[start].isalnum():
        since = max(floor, start - WINDOW)
        found = _CODE_BEFORE.search(text[since:start])
        if found and not _LABELS.fullmatch(found[0]) and len(found[0].strip("-/_.")) > 1:
            start = since + found.start()
    return _with_digits(text, start, end, floor, ceiling)


# -- digits that belong together


_FRACTION_OF_YEARS = re.compile(r"([,.][0-9]{1,2}) ?-?(?:years?|yrs?|y/?o|y|jaar|jaren|jr|j|años?|a)(?![^\W\d_])")


def grown_number(part: Stretch) -> tuple[int, int]:
    """No number is cut: 1,5 of an age is hidden with the 1."""
    text, start, end, floor, ceiling, _ = part
    start, end = _with_digits(text, start, end, floor, ceiling)
    if text[end - 1].isdecimal() and (found := _FRACTION_OF_YEARS.match(text, end, min(ceiling, end + WINDOW))):
        end = found.end(1)
    if start - 2 >= floor and text[start].isdecimal() and text[start - 1] in ",." and text[start - 2].isdecimal():
        start, _ = _with_digits(text, start - 2, start, floor, ceiling)
    return start, end


def _with_digits(text: str, start: int, end: int, floor: int, ceiling: int) -> tuple[int, int]:
    if text[start].isdecimal():
        while start > floor and text[start - 1].isdecimal():
            start -= 1
    if text[end - 1].isdecimal():
        while end < ceiling and text[end].isdecimal():
            end += 1
    return start, end


# -- addresses

_NUMBER_AFTER = re.compile(
    r"(?:,? (?:n[.ºr°]{1,2} ?|no\.? ?|núm\.? ?|nummer )?|, ?)[0-9]{1,5}(?: ?[A-Za-z]|-[0-9]{1,4}|/[0-9]{1,4})?"
    r"(?![\w%]|[.,:/][0-9]| ?(?:mg|ml|cm|mm|kg|mcg|años?|years?|yrs?|jaar|days?|dagen|días?|weeks?|weken|months?|x|u|"
    r"uur|h|am|pm)\b)",
    re.IGNORECASE,
)
_UNIT_AFTER = re.compile(
    r",? ?(?:(?:apt|apartment|unit|suite|ste|flat|floor|rm|bus|piso|pta|puerta|esc|portal|dpto|depto|int|lote|mz)\b"
    r"\.? ?#?(?:[A-Z]?[0-9]{1,4}[A-Z]?|[A-Z])\b|#[0-9]{1,5}[A-Z]?\b|"
    r"[0-9]{1,2}\.?[ºª°](?: ?-? ?(?:[A-Z]\b|izq\w{0,6}\.?|d(?:cha|rcha|erecha)\.?|[0-9]{1,2}\.?[ºª°]))?)(?![\w%])",
    re.IGNORECASE,
)
_HOUSE_BEFORE = re.compile(r"(?<![\w.,/:-])[0-9]{1,5}[A-Za-z]?(?:-[0-9]{1,4})? \Z")
_ENGLISH_STREET = re.compile(
    r"[A-Z].*\b(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Terrace|Close|Crescent|Way|Boulevard|Blvd|"
    r"Parkway|Highway|Square|Grove)\b\.?\Z"
)
_HAS_DIGIT = re.compile(r"[0-9]")
_DUTCH_DIGITS, _DUTCH_LETTERS = re.compile(r"[1-9][0-9]{3}"), re.compile(r" ?[A-Z]{2}(?=[ ]{1,2}[A-Z]|[,;)\n]|\Z)")


def grown_place(part: Stretch) -> tuple[int, int]:
    """A street with its number and flat."""
    text, start, end, floor, ceiling, _ = part
    until, stretch = min(ceiling, end + WINDOW), text[start:end]
    if not _HAS_DIGIT.search(stretch):
        if _ENGLISH_STREET.match(stretch):
            earlier = _HOUSE_BEFORE.search(text[max(floor, start - 16) : start])
            start -= len(earlier[0]) if earlier else 0
        elif number := _NUMBER_AFTER.match(text, end, until):
            end = number.end()
    if not text[start:end].isdecimal() and (unit := _UNIT_AFTER.match(text, end, until)):
        end = unit.end()
    return _with_digits(text, start, end, floor, ceiling)


def grown_zip(part: Stretch) -> tuple[int, int]:
    """A Dutch postcode with its letters."""
    text, start, end, floor, ceiling, language = part
    if language == "nl" and _DUTCH_DIGITS.fullmatch(text, start, end):
        found = _DUTCH_LETTERS.match(text, end, min(ceiling, end + WINDOW))
        end = found.end() if found else end
    return _with_digits(text, start, end, floor, ceiling)


# -- companies

_FORMS = (
    "Ltd", "LTD", "Limited", "Inc", "INC", "LLC", "L.L.C", "LLP", "L.L.P", "PLC", "plc", "Plc", "Corp",
    "Corporation", "Company", "& Co", "Co", "GmbH", "AG", "e.V", "B.V", "BV", "b.v", "N.V", "NV", "n.v", "S.A", "SA",
    "S.A.S", "SAS", "S.L", "SL", "S.L.U", "SLU", "S.L.P", "SLP", "S.A.U", "SAU", "S.C.P", "S.Coop", "S.R.L", "SRL",
    "S.A. de C.V", "SA de CV", "V.O.F", "VOF", "v.o.f", "C.V", "BVBA", "bvba", "VZW", "vzw", "CVBA", "Pty Ltd",
    "Pty", "Pte Ltd", "Pte", "Sdn Bhd", "Ltda", "E.I.R.L", "EIRL",
)  # fmt: skip
_FORM_AFTER = re.compile(rf",? (?:{'|'.join(map(re.escape, sorted(_FORMS, key=len, reverse=True)))})\b\.?(?!\w)")
_HAN_FORM_AFTER = re.compile(r"(?:股份)?(?:有限)?(?:责任|責任)?公司|集团|集團")
_KIND_AFTER = re.compile(
    r" (?:Hospital|Clinic|Infirmary|Hospice|Surgery|Medical (?:Center|Centre|Group)|Health (?:Center|Centre)|"
    r"Cent(?:er|re)|Nursing Home|Care Home|Ziekenhuis|Kliniek|"
    r"Motors|Holdings|Group|Associates|Administrators|Industries|Logistics)\b"
    r"(?! \w+ing\b)"
)


def grown_organization(part: Stretch) -> tuple[int, int]:
    """A company with what says its form, a hospital with what says its kind."""
    text, start, end, _, ceiling, _ = part
    until = min(ceiling, end + WINDOW)
    for pattern in (_KIND_AFTER, _HAN_FORM_AFTER, _FORM_AFTER):
        found = pattern.match(text, end, until)
        end = found.end() if found else end
    return start, end
