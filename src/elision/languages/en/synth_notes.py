"""English: the United States, the United Kingdom and Australia."""

from __future__ import annotations

from random import Random

from elision.languages.en.synth_numbers import CODES_AU, CODES_GB, CODES_US, DATES_GB, DATES_US
from elision.languages.en.synth_organizations import ORGANIZATION_WORDS
from elision.languages.en.synth_places import MADE_AU, MADE_GB, MADE_US, au_place, gb_place, roads, stems, us_place
from elision.languages.synth import Age, Country, Piece, Pieces, Synth
from elision.languages.synth_lists import list_of
from elision.languages.synth_origins import names_of

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# Where people come from. The majority is smaller here than in the street, so that no origin is rare in training.
_WORLD = {
    "in": 5, "pk": 2, "ng": 3, "gh": 1.5, "ke": 1.5, "za": 1, "mx": 5, "es": 1.5, "co": 1, "pt": 2, "fr": 2, "de": 3,
    "nl": 1,
    "it": 3, "pl": 3, "cz": 1, "hu": 1, "ro": 1, "hr": 1.5, "se": 1.5, "no": 1, "fi": 0.7, "tr": 1.5, "id": 1,
    "jp": 1.5,
    "th": 0.7, "vi": 4, "ko": 3, "zh": 5, "ar": 4, "so": 1.5, "et": 1.5, "ph": 3, "fa": 1.5, "gr": 2, "ru": 3,
    "pacific": 1.5,
    "indigenous": 1, "he": 2,
}  # fmt: skip

# What stands behind a name and is nobody's initials.
_BEHIND = (
    " FRCP", " FRCS", " FRCS (Orth)", " MRCP", " MRCGP", " MRCPsych", " FRCA", ", FACC", ", FACS", ", FAAP", ", MPH",
    " ST4", " ST6 EM", " CT2", " FY1", " F2", " SHO", " SpR", " SpR (ST5)", " GPST2", " PGY-2", ", PGY3", " R2",
    ", DMD", ", DDS", ", DPM", ", PharmD", ", RPh", ", PhD", ", PsyD", ", LCSW", ", LICSW", ", LMFT", ", OTR/L",
    ", DPT", ", PT", ", OT", " OT", " PT", " SLT", ", CCC-SLP", ", RD", " RD", ", MSW", " ACP", ", CRNA", ", FNP-BC",
    ", AGACNP", ", DNP", " FRANZCP", " FACEM", " FRNZCGP", " MBChB", " MBBCh", " BSc(Hons)", ", MBBS, DM",
    " MS (Ortho)", ", DNB", " MD (Med)", " HPCSA", " (Cardiology)", " (on call)", " RM", " FFARCSI", " DCH", " DRCOG",
)  # fmt: skip
_BEHIND_NURSE = (
    " RGN", " RMN", " RM", " DN", " EN", " EEN", " SEN", " RNLD", " CNS", " ANP", " ACP", " HCA", " SSN", " S/N", " HV",
    " CPN", " SCPHN", ", CCRN", ", CNA", ", LVN", ", MSN", ", FNP", ", WOCN", ", RRT", ", RT", ", EMT-P", " NIC",
    " CNM", " (Band 6)", " (bank)", " (night)", " (agency)", " 2IC",
)  # fmt: skip

_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]  # fmt: skip
_TENS = [".", ".", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int) -> str:
    if number < 20:
        return _ONES[number]
    if number >= 100:
        return "one hundred" + (f" and {in_words(number - 100)}" if number > 100 else "")
    return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")


def ordinal(day: int) -> str:
    return f"{day}{'th' if 10 < day % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def _amount(age: Age) -> tuple[int, str]:
    """The age as people say it: days, weeks and months for the smallest."""
    if age.years >= 2:
        return age.years, "year"
    months = 12 * age.years + age.months
    if months >= 2:
        return months, "month"
    return (age.days // 7, "week") if age.days >= 14 else (age.days, "day")


def say_age(age: Age, form: str, rng: Random) -> Pieces:
    """The age of somebody; the span holds what our pack of rules has in it, of years the number alone.

    Without a form, in a sentence before a noun ("a <age> woman"): form "adjective". "number" is the number alone.
    """
    number, unit = _amount(age)
    if form == "decade":
        tens = age.years // 10 * 10
        return (Piece(f"{rng.choice(('', 'early ', 'mid-', 'late '))}{tens}s" if tens >= 20 else "teens", "AGE"),)
    told = in_words(number) if form == "words" else str(number)
    behind = rng.choice(_behind_age(unit, "" if number == 1 else "s", form))
    return (Piece(told, "AGE"), Piece(behind)) if unit == "year" and behind else (Piece(told + behind, "AGE"),)


def _behind_age(unit: str, plural: str, form: str) -> tuple[str, ...]:
    """What may stand behind an age's number."""
    letter = unit[0]
    if form == "words":
        return (f"-{unit}-old",)
    if form in ("number", ""):
        return ("" if unit == "year" else f" {unit}{plural}",)
    if form == "short":  # 65 yo
        return (f"{letter}o", f" {letter}o", f"{letter}/o", f" {letter}/o", f" {letter}.o.")
    if form == "of":  # at the age of 65; 65 years
        return (f" {unit}{plural}",)
    if form == "field":  # AGE: 65Y
        return ("", letter.upper(), f" {unit}s", letter, " yrs" if unit == "year" else f" {unit}s")
    return (f"-{unit}-old", f"-{unit}-old", f" {unit} old", f"-{unit} old")


SYNTH_NOTES = Synth(
    code="en",
    countries={
        "US": Country(6, DATES_US, CODES_US, MADE_US, us_place, {"us": 45, "ie": 4, **_WORLD}),
        "GB": Country(
            2, DATES_GB, CODES_GB, MADE_GB, gb_place, {"gb": 40, "ie": 6, **_WORLD, "in": 8, "pk": 5, "pl": 5}
        ),
        "AU": Country(
            2,
            DATES_GB,
            CODES_AU,
            MADE_AU,
            au_place,
            {"gb": 30, "nz": 10, "ie": 6, **_WORLD, "gr": 4, "it": 5, "vi": 5, "indigenous": 3, "pacific": 3},
        ),
    },
    names=names_of,
    words={
        "towns": list_of("en", "cities", "more-cities", "towns"),
        "states": list_of("en", "states"),
        "countries": list_of("en", "countries"),
        "nationalities": list_of("en", "nationalities"),
        "religions": list_of("en", "religions"),
        "professions": list_of("en", "professions", "more-professions"),
        "ambiguous": list_of("en", "ambiguous-names"),  # surnames that are diseases, devices or words, too
        "stem": stems,
        "tail": list_of("en", "town-tails"),
        "road": roads,
        "suffix_us": list_of("en", "street-kinds-us"),
        "suffix_gb": list_of("en", "street-kinds-gb"),
        "suffix_au": list_of("en", "street-kinds-au"),
        "compass": lambda: ("N", "S", "E", "W", "N.", "S.", "E.", "W.", "North", "South", "East", "West", "NW", "SE"),
        "wings": lambda: ("North", "South", "East", "West", "Main", "Tower"),
        "units": lambda: ("MICU", "SICU", "CCU", "NICU", "PICU", "HDU", "ICU", "PACU", "CTICU", "MAU", "AMU", "SDU"),
        "letter": lambda: tuple("ABCDEFGH"),
        "specialties": list_of("en", "specialties"),
        "saints": list_of("en", "saints"),
        "graces": lambda: ("Mercy", "Lourdes", "Hope", "Grace", "Sorrows", "Fatima"),
        "trades": list_of("en", "trades"),
        **ORGANIZATION_WORDS,
    },
    titles={
        "patient": {"f": ("5: Ms.", "4: Mrs.", "Miss", "2: Mrs", "2: Ms"), "m": ("6: Mr.", "3: Mr", "0.2: Master")},
        "clinician": {
            "f": ("6: Dr.", "3: Dr", "0.5: Prof.", "0.2: A/Prof"),
            "m": ("6: Dr.", "3: Dr", "0.5: Prof.", "0.2: A/Prof"),
        },
        "nurse": {"f": ("Nurse", "RN", "Sister"), "m": ("Nurse", "RN")},
        "relative": {"f": ("4: Mrs.", "2: Ms.", "Mrs", "Ms"), "m": ("4: Mr.", "2: Mr")},
        "other": {"f": ("Ms.", "Mrs."), "m": ("Mr.", "Mr")},
    },
    behind={
        "clinician": (
            "6: , MD",
            "5: , M.D.",
            ", DO",
            ", MD, PhD",
            " MD",
            ", M.D., Ph.D.",
            ", MBBS",
            " MBBS FRACP",
            ", PA-C",
            *(f"0.4: {behind}" for behind in _BEHIND),
        ),
        "nurse": (
            "6: , RN",
            "2: , R.N.",
            "2:  RN",
            ", NP",
            ", LPN",
            ", CNM",
            ", RN, BSN",
            *(f"0.3: {behind}" for behind in _BEHIND_NURSE),
        ),
    },
    sexes={
        "word": (("4: woman", "3: female", "lady"), ("4: man", "3: male", "gentleman")),
        "adult": (("woman",), ("man",)),
        "noun": (("female",), ("male",)),
        "child": (("girl",), ("boy",)),
        "letter": (("F",), ("M",)),
        "field": (("4: Female", "3: F", "FEMALE"), ("4: Male", "3: M", "MALE")),
        "pronoun": (("she",), ("he",)),
        "he": (("she",), ("he",)),
        "He": (("She",), ("He",)),
        "Pronoun": (("She",), ("He",)),
        "his": (("her",), ("his",)),
        "His": (("Her",), ("His",)),
        "him": (("her",), ("him",)),
        "himself": (("herself",), ("himself",)),
        "kin": (
            ("4: daughter", "3: wife", "2: mother", "2: sister", "niece", "granddaughter", "aunt", "stepdaughter"),
            ("4: son", "3: husband", "2: brother", "father", "nephew", "grandson", "uncle", "stepson"),
        ),
        "offspring": (("daughter",), ("son",)),
        "parent": (("mother",), ("father",)),
        "sibling": (("sister",), ("brother",)),
        "grandchild": (("granddaughter",), ("grandson",)),
        "married_to": (("wife",), ("husband",)),
        "her_or_him": (("her",), ("him",)),
        "spouse": (("2: husband", "partner"), ("2: wife", "partner")),
        "title": (("Ms.", "Mrs."), ("Mr.",)),
        "married": (("married",), ("married",)),
    },
    months=MONTHS,
    months_short=tuple(month[:3] for month in MONTHS),
    weekdays=WEEKDAYS,
    weekdays_short=tuple(day[:3] for day in WEEKDAYS),
    ordinal=ordinal,
    age=say_age,
    mixture={"en": 0.6, "i2b2-2014-like": 0.15, "i2b2-2006-like": 0.1, "au-pathology": 0.15},
    unlabelled=("FAMILY_RELATION", "SEX", "OTHER"),
    unaccented=0.75,
)
