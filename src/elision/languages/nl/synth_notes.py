"""Dutch: the Netherlands and Flanders."""

from __future__ import annotations

import re

from elision.languages.nl.synth_ages import ordinal, say_age
from elision.languages.nl.synth_numbers import CODES_BE, CODES_NL, DATES, DATES_BE, TOKENS
from elision.languages.nl.synth_organizations import ORGANIZATION_WORDS
from elision.languages.nl.synth_people import dutch_names, make_person, write_name
from elision.languages.nl.synth_places import MADE_BE, MADE_NL, place_be, place_nl
from elision.languages.synth import Country, Synth
from elision.languages.synth_lists import list_of

MONTHS = (
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "november",
    "december",
)
WEEKDAYS = ("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag")

# Where people come from. The majority is less of a majority here than in the street, so that none is rare in training.
_WORLD = {
    "ma": 5, "tr": 5, "sr": 4, "antilles": 2, "id": 2, "pl": 3, "de": 2, "fr": 1.5, "gb": 1, "es": 1, "pt": 1,
    "it": 1.5, "ar": 3, "so": 1.5, "et": 2, "fa": 2, "zh": 2, "vi": 1, "ru": 1, "ro": 1, "hr": 1, "gh": 1.5, "ng": 1,
    "in": 1, "pk": 1, "hu": 0.5, "cz": 0.5, "ph": 0.7, "gr": 0.5, "th": 0.5,
}  # fmt: skip
_STREETS = (
    "6: straat",
    "5: laan",
    "5: weg",
    "2: plein",
    "kade",
    "gracht",
    "singel",
    "steeg",
    "plantsoen",
    "2: dreef",
    "2: dijk",
    "2: hof",
    "pad",
    "park",
    "erf",
    "burgwal",
    "oord",
)
_STREETS_BE = (
    "6: straat",
    "5: laan",
    "3: steenweg",
    "3: weg",
    "2: lei",
    "baan",
    "plein",
    "2: dreef",
    "vest",
    "hof",
    "kaai",
    "markt",
)
_BELGIAN = ("AZ ", "UZ", "ZNA", "GZA", "Jessa", "OLV A", "ZOL")
_stems, _tails = list_of("nl", "stem"), list_of("nl", "tail")


def _plain_families() -> tuple[str, ...]:
    return tuple(name for name in list_of("nl", "surnames_nl")() if " " not in name and "-" not in name)


def _ascii(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(re.sub(r"[^a-z]", "", word.lower()) for word in words if word.isascii())


_PATIENT = {
    "f": ("5: mw.", "3: Mw.", "3: mevr.", "2: Mevr.", "3: mevrouw", "2: Mevrouw", "Mw", "mw", "0.3: mej.", "0.4: Mevr"),
    "m": ("5: dhr.", "4: Dhr.", "3: de heer", "2: meneer", "De heer", "dhr", "Dhr", "Meneer", "0.4: hr."),
}
_DOCTOR = (
    "6: dr.",
    "4: Dr.",
    "2: drs.",
    "Drs.",
    "2: dokter",
    "Dokter",
    "2: collega",
    "0.4: prof. dr.",
    "0.4: Prof.",
    "0.4: dr",
    "0.3: ir.",
)


_WORDS = {
    "ambiguous": list_of("nl", "ambiguous_names"),  # surnames that are words or diseases, too
    "hospitals": lambda: tuple(name for name in list_of("nl", "hospitals")() if not name.startswith(_BELGIAN)),
    "hospitals_be": lambda: tuple(name for name in list_of("nl", "hospitals")() if name.startswith(_BELGIAN)),
    "street_tail": lambda: _STREETS,
    "street_tail_be": lambda: _STREETS_BE,
    "family_stem": lambda: tuple(name for name in _plain_families() if not name.endswith("s")),
    "family_plain": _plain_families,
    "family_ascii": lambda: _ascii(list_of("nl", "surnames_nl")()),
    "given_plain": lambda: _ascii(list_of("nl", "given_female", "given_male")()),
    "host": lambda: _ascii((*_stems(), *(stem + tail for stem in _stems()[:40] for tail in _tails()[:5]))),
    "letter": lambda: tuple("ABCDEFGH"),
    "letter_lower": lambda: tuple("abcdefghjklmpr"),
    **ORGANIZATION_WORDS,
}

SYNTH_NOTES = Synth(
    code="nl",
    countries={
        "NL": Country(4, DATES, CODES_NL, MADE_NL, place_nl, {"nl": 52, "be": 1, **_WORLD}),
        "BE": Country(
            1, DATES_BE, CODES_BE, MADE_BE, place_be, {"be": 52, "nl": 3, **_WORLD, "sr": 0.5, "antilles": 0.2, "fr": 5}
        ),
    },
    names=dutch_names,
    words=_WORDS,
    titles={
        "patient": _PATIENT,
        "clinician": {"f": _DOCTOR, "m": _DOCTOR},
        "nurse": {
            "f": ("3: zr.", "zuster", "Zr.", "2: verpleegkundige", "vpk.", "vpk"),
            "m": ("3: br.", "broeder", "2: verpleegkundige", "vpk.", "vpk"),
        },
        "relative": {
            "f": ("4: mw.", "2: mevr.", "3: mevrouw", "Mw."),
            "m": ("4: dhr.", "3: de heer", "meneer", "Dhr."),
        },
        "other": {"f": ("4: mw.", "2: mevr.", "2: mevrouw", "Mw."), "m": ("4: dhr.", "2: de heer", "meneer", "Dhr.")},
    },
    behind={
        "clinician": (
            "5: , huisarts",
            "3: , arts",
            "2: , AIOS",
            ", anios",
            ", klinisch geriater",
            ", psychiater",
            ", cardioloog",
            ", internist",
            ", SO",
            ", GZ-psycholoog",
            ", specialist ouderengeneeskunde",
            " (a(n)ios)",
            ", chirurg",
            ", neuroloog",
            ", arts-assistent",
            ", kinderarts",
            ", AVG",
            ", MD",
            ", POH-GGZ",
        ),
        "nurse": (
            "5: , verpleegkundige",
            "2: , vpk",
            "2: , verzorgende IG",
            ", VIG",
            ", EVV",
            ", wijkverpleegkundige",
            " (vpk)",
            ", begeleider",
            ", leerling vpk",
            ", PB'er",
            ", SPV",
        ),
    },
    sexes={
        "word": (("6: vrouw", "dame", "2: mevrouw"), ("6: man", "heer", "2: meneer")),
        "adult": (("vrouw",), ("man",)),
        "noun": (("vrouw",), ("man",)),
        "child": (("meisje",), ("jongen",)),
        "letter": (("5: V", "v", "0.5: F"), ("5: M", "m")),
        "field": (("4: Vrouw", "3: V", "vrouw", "VROUW"), ("4: Man", "3: M", "man", "MAN")),
        "pronoun": (("3: zij", "4: ze"), ("hij",)),
        "Pronoun": (("3: Zij", "4: Ze"), ("Hij",)),
        "his": (("haar",), ("zijn",)),
        "His": (("Haar",), ("Zijn",)),
        "him": (("haar",), ("hem",)),
        "himself": (("zichzelf",), ("zichzelf",)),
        "patient": (("4: patiënte", "2: patiënt", "pte"), ("4: patiënt", "pt")),
        "Patient": (("4: Patiënte", "2: Patiënt", "Pte", "2: Pt"), ("4: Patiënt", "2: Pt")),
        "client": (("3: cliënte", "cliënt"), ("cliënt",)),
        "Client": (("3: Cliënte", "Cliënt"), ("Cliënt",)),
        "resident": (("2: bewoonster", "bewoner"), ("bewoner",)),
        "Resident": (("2: Bewoonster", "Bewoner"), ("Bewoner",)),
        "mw": (("4: mw", "3: mw.", "2: mevrouw", "mevr"), ("4: dhr", "3: dhr.", "2: meneer")),
        "Mw": (("4: Mw", "3: Mw.", "3: Mevrouw", "Mevr."), ("4: Dhr", "3: Dhr.", "3: Meneer")),
        "spouse": (("3: echtgenoot", "2: man", "partner"), ("3: echtgenote", "2: vrouw", "partner")),
        "title": (("mevrouw", "Mevrouw"), ("de heer", "meneer")),
        "widow": (("weduwe",), ("weduwnaar",)),
    },
    months=MONTHS,
    months_short=("jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"),
    weekdays=WEEKDAYS,
    weekdays_short=("ma", "di", "wo", "do", "vr", "za", "zo"),
    ordinal=ordinal,
    age=say_age,
    mixture={"nl": 0.6, "nut-like": 0.4},
    unlabelled=("FAMILY_RELATION", "SEX", "OTHER"),
    person=make_person,
    form=write_name,
    date_tokens=TOKENS,
    unaccented=0.25,
)
