"""Identifiers in disguise: to the eye they are the same, and whoever reads what comes out must not see one.

Whole notes go through all that comes with elision for their language. Of what is hidden where it is written plainly,
no letter and no digit may be left in disguise.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

import pytest

from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.pipeline import Deidentifier
from tests.notes import MARK

FULL = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
LOOKS = str.maketrans("aeopcxyAEOPCXTHKMB", "аеорсхуАЕОРСХТНКМВ")  # Cyrillic
DISGUISES: dict[str, Callable[[str], str]] = {
    "full-width": lambda text: text.translate(FULL),
    "zero-width-space": lambda text: "\u200b".join(text),
    "soft-hyphen": lambda text: text[:1] + "".join(f"\u00ad{c}" if c.isalnum() else c for c in text[1:]),
    "no-break-space": lambda text: text.replace(" ", "\u00a0"),
    "no-break-hyphen": lambda text: text.replace("-", "\u2011"),
    "direction-marks": lambda text: f"\u202b{text}\u202c",
    "loose-accents": lambda text: unicodedata.normalize("NFD", text),
    "look-alikes": lambda text: text.translate(LOOKS),
}
NOTES = {
    "de": [
        ("Patientin: [NAME_PATIENT Jördis Mühlenbrock], geb. [DATE_BIRTH 03.05.1958], Fallnummer: "
        "[MEDICAL_RECORD 4711-0815].\nGesehen von Dr. [NAME_CLINICIAN Götz Ackenhausen] am [DATE 12. Mai 2021], "
        "keine Beschwerden. Anschrift: [STREET Lindenweg 12], [ZIP 71522] [CITY Backnang]. Telefon: "
        "[PHONE 0711 8101-77]. E-Mail: [EMAIL j.muehlenbrock@beispiel.de]."),
    ],
    "en": [
        ("Patient name: [NAME_PATIENT Zoë Quillfeather]\nDate of birth: [DATE_BIRTH 03/05/1958]. MRN: [MEDICAL_RECORD "
        "4711-0815].\nShe was seen by Dr. [NAME_CLINICIAN Renée Penhaligon] on [DATE 12 May 2021] and was well. "
        "Phone: [PHONE (617) 555-0148]. E-mail: [EMAIL zoe.quillfeather@example.org].\n"
        "She lives at [STREET 12 Elm Street], [CITY Springfield], [STATE MA] [ZIP 01101]."),
        ("Admission Date: [DATE 2021-03-14]  Discharge Date: [DATE 2021-03-19]\nAttending: [NAME_CLINICIAN Harold "
        "Marchbanks], M.D.\nMr. [NAME_PATIENT Okonkwo-Reyes] is a 61 year old man with chest pain. "
        "SSN: [NATIONAL_ID 219-09-9999]. Account number: [ACCOUNT 88-123456]. He called from [PHONE 617-555-0131]."),
    ],
    "es": [
        ("Nombre: [NAME_PATIENT Íñigo]\nApellidos: [NAME_PATIENT Peñalver Zubizarreta]\nNHC: [MEDICAL_RECORD 4471829]\n"
        "Fecha de nacimiento: [DATE_BIRTH 03/05/1958].\nDomicilio: [STREET Calle de la Encina, 12]. "
        "[CITY Valladolid]. CP: [ZIP 47003]\nMédico: Dra. [NAME_CLINICIAN Begoña Larrañaga Ruiz]\n"
        "El paciente acude el [DATE 12 de mayo de 2021] por dolor en el pecho. Teléfono: [PHONE 612 345 678]. "
        "Correo: [EMAIL begona.larranaga@ejemplo.es]."),
    ],
    "fr": [
        ("Nom : [NAME_PATIENT Maëlys Kervoalin]\nNée le [DATE_BIRTH 03/05/1958], IPP : [MEDICAL_RECORD 4471829].\n"
        "Vue par le Dr [NAME_CLINICIAN Théodore Lacaussade] le [DATE 12 mai 2021], va bien. Adresse : [STREET 12 rue "
        "des Encinas], [ZIP 37000] [CITY Tours]. Tél. : [PHONE 06 83 17 40 92]. Courriel : "
        "[EMAIL m.kervoalin@exemple.fr]."),
    ],
    "it": [
        ("Paziente: [NAME_PATIENT Niccolò Bracciaforte], nato il [DATE_BIRTH 03/05/1958], cartella clinica n. "
        "[MEDICAL_RECORD 4471829].\nVisitato dal dott. [NAME_CLINICIAN Eleuterio Montebruni] il [DATE 12 maggio "
        "2021], sta bene. Residente in [STREET via Garibaldi 12], [ZIP 20129] [CITY Milano]. Tel.: "
        "[PHONE 338 11 20 771]. E-mail: [EMAIL n.bracciaforte@esempio.it]."),
    ],
    "nl": [
        ("Betreft: dhr. [NAME_PATIENT Jeroen van Achterbergh], geboren op [DATE_BIRTH 03-05-1958], "
        "BSN [NATIONAL_ID 111222333].\nDe patiënt werd op [DATE 12 mei 2021] gezien door dr. [NAME_CLINICIAN Noëlle "
        "Hoogenboom] en heeft geen klachten. Hij woont aan de [STREET Kastanjelaan 12], [ZIP 3512 JK] [CITY Utrecht]."
        " Telefoon: [PHONE 06-12345678]. E-mail: [EMAIL j.achterbergh@voorbeeld.nl]."),
    ],
    "pt": [
        ("Nome: [NAME_PATIENT Conceição Sarmento Pires]\nData de nascimento: [DATE_BIRTH 03/05/1958]. NIF: "
        "[NATIONAL_ID 234 567 899].\nVista pela Dra. [NAME_CLINICIAN Quitéria Salema Brandão] em [DATE 12 de maio de "
        "2021]. Processo: [MEDICAL_RECORD 118-77104].\nMorada: [STREET Rua da Encina, 12], [ZIP 3510-024] "
        "[CITY Viseu]. Telefone: [PHONE 962 883 017]. E-mail: [EMAIL c.sarmento@exemplo.pt]."),
    ],
    "zh": [
        ("姓名:[NAME_PATIENT 欧阳婉清] 性别:女 出生日期:[DATE_BIRTH 1958-05-03]\n身份证号:[NATIONAL_ID "
        "11010519491231002X] 住院号:[MEDICAL_RECORD 20210314]\n患者于[DATE 2021年5月12日]因胸痛入院,"
        "主治医师:[NAME_CLINICIAN 司徒建国]。联系电话:[PHONE 13800138000]。住址:[ADDRESS 北京市朝阳区建国路88号]。"),
    ],
}  # fmt: skip
Places = list[tuple[int, int]]


def written(marked: str, disguise: Callable[[str], str]) -> tuple[str, Places]:
    """A note, its identifiers disguised, and where they stand."""
    text, places, at = "", Places(), 0
    for match in MARK.finditer(marked):
        text += marked[at : match.start()]
        inside = disguise(match[2])
        places.append((len(text), len(text) + len(inside)))
        text, at = text + inside, match.end()
    return text + marked[at:], places


@cache
def deidentifier(language: str) -> Deidentifier:
    return Deidentifier(detectors_for(language))


def hidden(language: str, disguise: Callable[[str], str]) -> list[str]:
    """For each identifier of a language's notes what is left of it: nothing, if all of it was replaced."""
    left = []
    for marked in NOTES[language]:
        text, places = written(marked, disguise)
        (cleaned,) = deidentifier(language)([Document(text, "n", language=language)])
        if cleaned.before is None:  # held: nothing comes out
            left += [""] * len(places)
            continue
        covered = {at for span in cleaned.before.spans for at in range(span.start, span.end)}
        left += [
            "".join(text[at] for at in range(start, end) if at not in covered and text[at].isalnum())
            for start, end in places
        ]
    return left


@cache
def plainly(language: str) -> tuple[str, ...]:
    return tuple(hidden(language, str))


@pytest.mark.parametrize("language", NOTES)
def test_plainly_nearly_all_are_hidden(language: str) -> None:
    left = plainly(language)
    assert sum(not one for one in left) >= 0.9 * len(left), left


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("language", NOTES)
def test_what_is_hidden_plainly_is_hidden_in_disguise(language: str, disguise: str) -> None:
    left = hidden(language, DISGUISES[disguise])
    assert [one for one, plain in zip(left, plainly(language), strict=True) if one and not plain] == []


def test_every_disguise_changes_something() -> None:
    whole = "".join(marked for notes in NOTES.values() for marked in notes)
    for name, disguise in DISGUISES.items():
        assert written(whole, disguise)[0] != written(whole, str)[0], name
