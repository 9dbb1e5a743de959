"""Towns, streets, hospitals and firms of the United States, the United Kingdom and Australia."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from elision.languages.en.synth_organizations import MORE, MORE_AU, MORE_GB, MORE_US
from elision.languages.synth_lists import list_file, list_of, sided
from elision.languages.synth_mixing import mixed
from elision.languages.synth_origins import names_of

_US_ZIPS: Mapping[str, tuple[str, str]] = {  # state -> its name, and the first three digits of its postcodes
    "AL": ("Alabama", "350-369"), "AZ": ("Arizona", "850-865"), "AR": ("Arkansas", "716-729"), "CA": ("California",
    "900-961"),
    "CO": ("Colorado", "800-816"), "CT": ("Connecticut", "060-069"), "FL": ("Florida", "320-349"), "GA": ("Georgia",
    "300-319"),
    "IA": ("Iowa", "500-528"), "ID": ("Idaho", "832-838"), "IL": ("Illinois", "600-629"), "IN": ("Indiana", "460-479"),
    "KS": ("Kansas", "660-679"), "KY": ("Kentucky", "400-427"), "LA": ("Louisiana", "700-714"),
    "MA": ("Massachusetts", "010-027"),
    "MD": ("Maryland", "206-219"), "ME": ("Maine", "039-049"), "MI": ("Michigan", "480-499"), "MN": ("Minnesota",
    "550-567"),
    "MO": ("Missouri", "630-658"), "MS": ("Mississippi", "386-397"), "MT": ("Montana", "590-599"),
    "NC": ("North Carolina", "270-289"),
    "ND": ("North Dakota", "580-588"), "NE": ("Nebraska", "680-693"), "NH": ("New Hampshire", "030-038"),
    "NJ": ("New Jersey", "070-089"),
    "NM": ("New Mexico", "870-884"), "NV": ("Nevada", "889-898"), "NY": ("New York", "100-149"), "OH": ("Ohio",
    "430-459"),
    "OK": ("Oklahoma", "730-749"), "OR": ("Oregon", "970-979"), "PA": ("Pennsylvania", "150-196"),
    "RI": ("Rhode Island", "028-029"),
    "SC": ("South Carolina", "290-299"), "SD": ("South Dakota", "570-577"), "TN": ("Tennessee", "370-385"),
    "TX": ("Texas", "750-799"),
    "UT": ("Utah", "840-847"), "VA": ("Virginia", "220-246"), "VT": ("Vermont", "050-059"), "WA": ("Washington",
    "980-994"),
    "WI": ("Wisconsin", "530-549"), "WV": ("West Virginia", "247-268"), "WY": ("Wyoming", "820-831"),
}  # fmt: skip
_AU_STATES = {"NSW": ("New South Wales", 2), "VIC": ("Victoria", 3), "Vic": ("Victoria", 3), "QLD": ("Queensland", 4),
              "Qld": ("Queensland", 4), "SA": ("South Australia", 5), "WA": ("Western Australia", 6),
              "TAS": ("Tasmania", 7), "ACT": ("Australian Capital Territory", 2), "NT": ("Northern Territory",
              0)}  # fmt: skip


def stems() -> tuple[str, ...]:
    return list_file("en", "town-stems")


def roads() -> tuple[str, ...]:
    """What roads are called after."""
    tails = list_file("en", "town-tails")[:6]
    usual = (
        "Main",
        "Church",
        "Station",
        "Park",
        "School",
        "Old Mill",
        "Quarry Hill",
        "Meadow View",
        "Sunset",
        "Railway",
    )
    joined = (stem + tail for stem in stems()[:40] for tail in tails)
    return (*stems(), *joined, *names_of("us").family[:400], *usual)


def _town(rng: Random, side: str) -> str:
    """A town: one that there is, or one that there could be."""
    drawn = rng.random()
    if drawn < 0.4:
        return rng.choice(_on_side("towns", side))
    if drawn < 0.7:
        return rng.choice(_on_side("stems", side)) + rng.choice(list_file("en", "town-tails"))
    return f"{rng.choice(list_file('en', 'town-heads'))} {rng.choice(_on_side('families', side))}"


@cache
def _on_side(name: str, side: str) -> tuple[str, ...]:
    lists: Mapping[str, Callable[[], Sequence[str]]] = {
        "towns": list_of("en", "cities", "more-cities", "towns"),
        "stems": stems,
        "families": lambda: (*names_of("gb").family, *names_of("us").family[:300]),
        "counties": list_of("en", "counties-gb"),
    }
    return sided(lists[name](), side)


def us_place(rng: Random, side: str) -> Mapping[str, str]:
    state = rng.choice(tuple(_US_ZIPS))
    long, prefixes = _US_ZIPS[state]
    low, high = (int(end) for end in prefixes.split("-"))
    code = f"{rng.randint(low, high):03}{rng.randint(1, 99):02}"
    if rng.random() < 0.08:
        code += f"-{rng.randint(1, 9999):04}"
    return {"city": _town(rng, side), "state": state, "state:long": long, "zip": code}


def gb_place(rng: Random, side: str) -> Mapping[str, str]:
    inward = f"{rng.randint(1, 9)}{rng.choice('ABDEFGHJLNPQRSTUWXYZ')}{rng.choice('ABDEFGHJLNPQRSTUWXYZ')}"
    area = rng.choice(list_file("en", "postal-areas-gb"))
    code = f"{area}{rng.randint(1, 28)}{' ' if rng.random() < 0.93 else ''}{inward}"
    county = rng.choice(_on_side("counties", side))
    return {"city": _town(rng, side), "state": county, "state:long": county, "zip": code}


def au_place(rng: Random, side: str) -> Mapping[str, str]:
    state = rng.choice(tuple(_AU_STATES))
    long, first = _AU_STATES[state]
    return {"city": _town(rng, side), "state": state, "state:long": long, "zip": f"{first}{rng.randint(0, 899):03}"}


_CARE = {
    "department": ("DEPARTMENT", (
        "5: Department of {specialties}", "2: Dept. of {specialties}", "4: {specialties} Clinic",
        "2: {specialties} Department",
        "{specialties} Outpatients", "{specialties} Service", "Division of {specialties}", "2: Emergency Department")),
    "ward": ("DEPARTMENT", (
        "4: {n:2-12} {wings}", "2: Ward {n:1-30}", "2: Ward {n:1-12}{letter}", "Ward {letter}{n:1-9}",
        "2: {family} Ward",
        "2: {units}", "{units} {n:1-4}", "{units}-{letter}", "{stem} Unit", "{n:3-12}{letter}",
        "{family} Pavilion {n:2-9}")),
    "room": ("", (
        "4: Room {room:far}", "2: Rm {room:far}", "2: bed {room:bed}", "Bed {room:bed}", "{room:wing}",
        "Bay {room:bay} Bed {room:bed}", "Rm {room:letter}", "bay {room:bay}", "chair {room:bed}")),
    "room:number": ("ROOM", (
        "4: {n:100-999}", "3: {n:1-40}", "{n:10-99}{letter}", "{n:1-40}{letter}", "{n:100-999}-{n:1-2}",
        "{n:3-12}{letter}-{n:10-60}", "{wings} {n:100-999}-{letter}")),
    "room:far": ("ROOM", ("4: {n:100-999}", "{n:100-999}-{n:1-2}", "{n:100-999}{letter}")),
    "room:bed": ("ROOM", ("6: {n:1-40}", "{n:1-32}{letter}", "{letter}{n:1-9}")),
    "room:bay": ("ROOM", ("3: {n:1-9}", "{letter}")),
    "room:letter": ("ROOM", ("{n:10-99}{letter}", "{letter}{n:1-20}")),
    "room:wing": ("ROOM", ("{n:3-12}{letter}-{n:10-60}", "{wings} {n:100-999}-{letter}")),
    "school": ("ORGANIZATION", (
        "3: {city} High School", "{town} Elementary School", "{town} Primary School", "2: University of {town}",
        "{family} College",
        "{town} Community College", "St. {saints} School", "{town} School District")),
    "organization": ("ORGANIZATION", (
        "3: {family} {trades}", "2: {family} & {family}", "2: {town} {trades}", "{stem}{tail} {trades}",
        "2: {family} Inc.", "{family} and Sons",
        "{town} Police Department", "{town} Fire Department", "{family} Industries", "{town} Church",
        "First {town} Baptist Church",
        "St. {saints} Church", "{town} Public Library", "{family} Motors", "{letter}{letter}{letter} Logistics",
        "{stem}{tail} Foods",
        "{school}")),
    "profession": ("PROFESSION", ("{professions}",)),
    "nationality": ("NATIONALITY", ("{nationalities}",)),
    "religion": ("NATIONALITY", ("{religions}",)),
    "country": ("COUNTRY", ("{countries}",)),
}  # fmt: skip
_MADE_US: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **_CARE,
    "street": ("STREET", (
        "6: {n:1-9999} {road} {suffix_us}", "2: {n:100-9999} {compass} {road} {suffix_us}",
        "{n:100-2500} {road} {suffix_us} Apt {n:1-40}",
        "{n:100-2500} {road} {suffix_us}, Apt. {n:1-12}{letter}", "{n:10-999} {compass} {n:4-99}th Street",
        "0.6: PO Box {n:10-9999}",
        "0.4: RR {n:1-9} Box {n:10-400}", "0.5: County Road {n:10-400}")),
    "address": ("", ("5: {street}, {city}, {state} {zip}", "2: {street}, {city} {state} {zip}",
    "2: {street}\\n{city}, {state} {zip}",
                     "{street}, {city}, {state:long} {zip}", "{street}, {city}")),
    "hospital": ("HOSPITAL", (
        "4: {town} General Hospital", "3: {town} Medical Center", "3: St. {saints} Hospital",
        "2: {family} Memorial Hospital", "{town} Hospital",
        "2: {town} Community Hospital", "2: {family} Medical Center", "University of {town} Medical Center",
        "Mount {stem} Hospital",
        "2: {town} Regional Medical Center", "{town} VA Medical Center", "Our Lady of {graces} Hospital",
        "{town} Children's Hospital",
        "{family} Cancer Center", "Saint {saints} Medical Center", "{family}-{family} Hospital",
        "{town} Memorial Hospital", "{family} Clinic")),
    "hospital:short": ("HOSPITAL", ("3: {hospital:initials}", "2: St. {saints}", "{family}", "{town} General",
    "{town} VA", "Mount {stem}")),
    "clinic": ("CARE_FACILITY", (
        "3: {town} Family Practice", "2: {town} Family Medicine", "2: {family} Clinic", "2: {town} Health Center",
        "{town} Dialysis Center",
        "{stem}{tail} Pediatrics", "{family} Medical Associates", "{town} Urgent Care", "{town} Heart Clinic",
        "{town} Walk-In Clinic")),
    "care_home": ("CARE_FACILITY", (
        "3: {stem}{tail} Nursing Home", "2: {stem}{tail} Manor", "2: {town} Rehabilitation Center",
        "{stem}{tail} Assisted Living",
        "{town} Skilled Nursing Facility", "St. {saints} Hospice", "{stem}{tail} Gardens", "{family} House")),
}  # fmt: skip
_MADE_GB: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **_CARE,
    "street": ("STREET", (
        "6: {n:1-250} {road} {suffix_gb}", "2: Flat {n:1-40}, {n:1-250} {road} {suffix_gb}",
        "{n:1-90}{letter} {road} {suffix_gb}",
        "{n:1-120} The {suffix_gb}", "0.7: {stem}{tail} Cottage, {road} {suffix_gb}")),
    "address": ("", ("5: {street}, {city}, {zip}", "2: {street}, {city} {zip}", "2: {street}\\n{city}\\n{zip}",
                     "2: {street}, {city}, {state:long}, {zip}", "{street}, {city}")),
    "hospital": ("HOSPITAL", (
        "4: {town} General Hospital", "3: {town} Hospital", "3: Royal {town} Infirmary", "2: St {saints}'s Hospital",
        "2: {town} Royal Infirmary",
        "{town} District Hospital", "{family} Hospital", "{town} NHS Trust", "{town} University Hospital",
        "Queen {given} Hospital")),
    "hospital:short": ("HOSPITAL", ("3: {hospital:initials}", "2: St {saints}'s", "{town} General",
    "the Royal {town}", "{town} Royal")),
    "clinic": ("CARE_FACILITY", (
        "4: {town} Surgery", "3: {town} Health Centre", "2: {road} {suffix_gb} Surgery", "2: The {family} Practice",
        "{town} Medical Centre",
        "{stem}{tail} Group Practice", "{town} Walk-in Centre")),
    "care_home": ("CARE_FACILITY", (
        "3: {stem}{tail} Care Home", "2: {stem}{tail} House", "2: {stem}{tail} Nursing Home", "{stem}{tail} Lodge",
        "St {saints}'s Hospice",
        "{stem}{tail} Court")),
}  # fmt: skip
_MADE_AU: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **_MADE_GB,
    "street": ("STREET", (
        "6: {n:1-350} {road} {suffix_au}", "2: {n:1-40}/{n:1-250} {road} {suffix_au}",
        "2: Unit {n:1-30}, {n:1-250} {road} {suffix_au}",
        "{n:1-90}{letter} {road} {suffix_au}", "Lot {n:1-90} {road} {suffix_au}", "0.6: PO Box {n:10-2000}",
        "0.3: Locked Bag {n:1-40}")),
    "address": ("", ("5: {street}, {city} {state} {zip}", "2: {street} {city} {state} {zip}",
    "2: {street}\\n{city} {state} {zip}",
                     "{street}, {city}, {state}, {zip}", "{street}, {city}")),
    "hospital": ("HOSPITAL", (
        "4: {town} Base Hospital", "3: {town} Hospital", "3: Royal {town} Hospital", "2: St {saints}'s Hospital",
        "2: {town} District Hospital",
        "{town} Private Hospital", "Princess {given} Hospital", "{town} Community Hospital",
        "{family} Private Hospital")),
    "organization": ("ORGANIZATION", (*_CARE["organization"][1], "4: {town} Pathology", "2: {family} Pty Ltd",
    "2: {stem}{tail} Imaging")),
}  # fmt: skip

MADE_US = mixed(_MADE_US, MORE, MORE_US)
MADE_GB = mixed(_MADE_GB, MORE, MORE_GB)
MADE_AU = mixed(_MADE_AU, MORE, MORE_AU)
