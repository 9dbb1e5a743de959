"""Towns, streets, care and firms of the Netherlands and Flanders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from elision.languages.nl.synth_organizations import MORE, MORE_BE
from elision.languages.synth_lists import list_of, sided
from elision.languages.synth_mixing import mixed

_PROVINCES_NL = {
    "Drenthe": "Dr", "Flevoland": "Fl", "Friesland": "Fr", "Fryslân": "Fr", "Gelderland": "Gld", "Groningen": "Gr",
    "Limburg": "L", "Noord-Brabant": "NB", "Brabant": "NB", "Noord-Holland": "NH", "Overijssel": "Ov", "Twente": "Ov",
    "Utrecht": "Ut", "Zeeland": "Zld", "Zuid-Holland": "ZH", "Achterhoek": "Gld",
}  # fmt: skip
_PROVINCES_BE = (
    "Antwerpen",
    "Limburg",
    "Oost-Vlaanderen",
    "West-Vlaanderen",
    "Vlaams-Brabant",
    "Henegouwen",
    "Luik",
    "Namen",
)

# The engine divides rows by a hash of the whole row. So what both sides need stands twice, with weights by which one
# falls on each side.
_MADE_NL: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "care_name": ("CARE_FACILITY", (
        "4: De {stem}{tail}", "3.95: De {stem}{tail}", "2: Het {stem}{tail}", "1.9: Het {stem}{tail}",
        "2: {stem}{tail}", "'t {stem}{tail}", "Huize {stem}{tail}", "2: Sint-{saints}", "St. {saints}",
        "Huize {saints}", "1: Huize {saints}", "Ter {town_stem}", "De {town_stem}{town_tail}",
        "Residentie {stem}{tail}", "Huis ter {stem}{tail}", "2: {groups}", "2.05: {groups}",
    )),
    "road": ("STREET", (
        "9: {stem}{street_tail}", "8.95: {stem}{street_tail}", "3: {family_stem}{street_tail}",
        "3.65: {family_stem}{street_tail}", "2: Burgemeester {family_plain}{street_tail}",
        "Dokter {family_plain}{street_tail}", "{given}{street_tail}", "Prins {given}laan", "Koningin {given}plein",
        "Oude {stem}{street_tail}", "1.1: Oude {stem}{street_tail}", "{n:1-3}e {stem}{street_tail}",
        "1.1: {n:1-3}e {stem}{street_tail}", "Laan van {town}", "{town_stem}{town_tail}{street_tail}",
        "Pastoor {family_plain}{street_tail}", "Sint {saints}{street_tail}", "Achter de {stem}{tail}",
        "{town}sestraat", "{town}seweg",
    )),
    "house": ("STREET", (
        "10: {n:1-260}", "9.8: {n:1-260}", "2: {n:1-120}{letter_lower}", "1.95: {n:1-120}{letter_lower}",
        "{n:1-90}-{n:1-40}", "{n:1-300} {letter}", "{n:1-80} bis", "{n:1-120} hs", "{n:1-70}-{letter}",
    )),
    "street": ("STREET", (
        "9: {road} {house}", "8.95: {road} {house}", "0.4: Postbus {n:10-9900}", "0.2: Postbus {#:%# ###}",
    )),
    "street:road": ("STREET", (
        "{road}",
    )),
    "address": ("", (
        "5: {street}, {zip} {city}", "2: {street} {zip} {city}", "3: {street}\\n{zip} {city}",
        "{street}, {zip}, {city}", "2: {street} te {city}", "{street}, {city}", "{street}\\n{zip}  {city}",
    )),
    "hospital": ("HOSPITAL", (
        "5: {hospitals}", "5.05: {hospitals}", "3: Streekziekenhuis {town_stem}{town_tail}",
        "3.05: Streekziekenhuis {town_stem}{town_tail}", "2: Ziekenhuis De {stem}{tail}", "2: {town} Ziekenhuis",
        "Sint {saints} Ziekenhuis", "1.1: Sint {saints} Ziekenhuis", "St. {saints} Ziekenhuis", "2: {stem}ziekenhuis",
        "Medisch Centrum {town}", "{town} Medisch Centrum", "Ziekenhuis {town}", "1: Ziekenhuis {town}",
        "{saints} Gasthuis", "2: UMC {town}", "2.05: UMC {town}", "MC {town}", "{saints}ziekenhuis",
        "Maria {stem}gasthuis", "Ziekenhuisgroep {town}", "Kliniek {stem}{tail}", "ziekenhuis {town}", "ZKH {town}",
    )),
    "hospital:short": ("HOSPITAL", (
        "4: {hospitals}", "2: {hospital:initials}", "{saints}", "UMC {town}", "MC {town}", "{stem}ziekenhuis",
        "ZKH {town}",
    )),
    "clinic": ("CARE_FACILITY", (
        "4: Huisartsenpraktijk {family}", "3.95: Huisartsenpraktijk {family}", "3: Huisartsenpraktijk De {stem}{tail}",
        "2: Gezondheidscentrum {stem}{tail}", "1.9: Gezondheidscentrum {stem}{tail}", "2: Huisartsenpost {town}",
        "HAP {town}", "Huisartsengroep {town}", "Groepspraktijk {family}", "Medisch Centrum {stem}{tail}",
        "praktijk {family}", "Praktijk {stem}straat", "Apotheek {stem}{tail}", "1.3: Apotheek {stem}{tail}",
        "apotheek De {stem}", "Tandartspraktijk {family}", "fysiotherapie {family}", "Fysiopraktijk {stem}{tail}",
        "GZC {stem}{tail}", "Verloskundigenpraktijk {stem}{tail}",
    )),
    "care_home": ("CARE_FACILITY", (
        "3: verpleeghuis {care_name}", "3.55: verpleeghuis {care_name}", "2: Verpleeghuis {care_name}",
        "2: woonzorgcentrum {care_name}", "2: Woonzorgcentrum {care_name}", "1.95: Woonzorgcentrum {care_name}",
        "verzorgingshuis {care_name}", "WZC {care_name}", "Hospice {care_name}", "1.15: Hospice {care_name}",
        "hospice {care_name}", "revalidatiecentrum {care_name}", "Zorgcentrum {care_name}", "zorgcentrum {care_name}",
        "1.05: zorgcentrum {care_name}", "5: {care_name}", "4.9: {care_name}", "woning {care_name}",
        "woonvorm {care_name}", "Respijthuis {care_name}", "Thomashuis {care_name}", "GRZ {care_name}",
    )),
    "care_org": ("CARE_FACILITY", (
        "5: {brands}", "4.95: {brands}", "2: GGZ {stem}{tail}", "2.25: GGZ {stem}{tail}", "GGZ {town}",
        "Stichting {brands}", "2: zorgboerderij {care_name}", "2.15: zorgboerderij {care_name}",
        "dagbesteding {care_name}", "1.05: dagbesteding {care_name}", "Zorggroep {stem}{tail}", "Thuiszorg {town}",
        "1: Thuiszorg {town}", "{brands} Thuiszorg", "thuiszorgorganisatie {brands}", "RIBW {town}", "GGD {town}",
        "Kliniek {care_name}", "dagcentrum {care_name}", "ontmoetingscentrum {care_name}", "logeerhuis {care_name}",
    )),
    "department": ("DEPARTMENT", (
        "4: Afdeling {specialties}", "4.05: Afdeling {specialties}", "4: Polikliniek {specialties}",
        "3.9: Polikliniek {specialties}", "2: Poli {specialties}", "afdeling {specialties}", "Maatschap {specialties}",
        "1.3: Maatschap {specialties}", "Vakgroep {specialties}", "2: {specialties}", "1.95: {specialties}",
        "FACT-team {teams}", "1.25: FACT-team {teams}", "Team {teams}", "team {teams}", "Divisie {specialties}",
    )),
    "ward": ("DEPARTMENT", (
        "3: {n:1-8} {wings}", "2: {letter}{n:1-6}", "2: {n:1-9}{letter}", "3: {groups}", "2: {specialties}",
        "{letter}{n:1-6} {wings}", "{n:1-6}-{wings}", "{wings} {n:1-4}", "{units}", "{letter}{n:1-4}-{wings}",
        "{#:%#}{letter}",
    )),
    "team": ("DEPARTMENT", (
        "3: {teams}", "2.95: {teams}", "{n:1-9}{letter}", "0.8: {n:1-9}{letter}", "{wings}", "{town} {wings}",
        "{stem}{tail}",
    )),
    "room": ("ROOM", (
        "6: {n:1-60}", "6.05: {n:1-60}", "2: {#:#.%#}", "1.9: {#:#.%#}", "2: {#:%##}", "2.15: {#:%##}",
        "{letter}{n:1-30}", "{#:%.##}", "{n:1-20}{letter}", "{letter}-{#:%##}", "{#:0%#}",
    )),
    "organization": ("ORGANIZATION", (
        "5: {orgs}", "4.95: {orgs}", "2: {family} {trades} BV", "1.85: {family} {trades} BV",
        "2: {trades_kind} {family}", "{family} {trades}", "1.15: {family} {trades}", "Gebr. {family}",
        "{town} {trades} B.V.", "Firma {family}", "bakkerij {family}", "1: bakkerij {family}",
        "2: supermarkt {stem}{tail}", "kwekerij {stem}{tail}", "Transportbedrijf {family}", "Stichting {stem}{tail}",
        "1.05: Stichting {stem}{tail}", "garage {family}", "Bouwbedrijf {family} & Zn.", "koor {stem}{tail}",
        "vv {town}", "voetbalclub {town}", "gemeente {town}", "Bewindvoerderskantoor {family}", "buurthuis {groups}",
        "woningcorporatie {stem}{tail}", "kapsalon {given}", "Manege {stem}{tail}", "zwembad De {stem}{tail}",
        "{family} & {family_plain} advocaten", "moskee {mosques}",
    )),
    "insurer": ("ORGANIZATION", ("8: {insurers}", "Zorgverzekeraar {stem}{tail}",)),
    "school": ("ORGANIZATION", (
        "3: basisschool De {stem}{tail}", "3.1: basisschool De {stem}{tail}", "2: basisschool {groups}",
        "OBS De {stem}{tail}", "0.95: OBS De {stem}{tail}", "{family_plain}college", "ROC {town}", "Hogeschool {town}",
        "De {stem}{tail}", "1: De {stem}{tail}", "{saints}college", "0.95: {saints}college", "SBO {groups}",
        "kinderdagverblijf {groups}", "cluster 4-school {groups}", "{town} Lyceum", "VMBO {stem}{tail}",
        "speciaal onderwijs De {stem}{tail}", "praktijkschool {groups}",
    )),
    "profession": ("PROFESSION", ("6: {professions}", "6: {jobs}",)),
    "nationality": ("NATIONALITY", (
        "{nationalities}",
    )),
    "religion": ("NATIONALITY", (
        "{religions}",
    )),
    "country": ("COUNTRY", (
        "{countries}",
    )),
    "id_word": ("", ("6: BSN", "2: Bsn", "BSN-nummer", "BSN nr", "burgerservicenummer", "Burgerservicenummer",)),
    "record_word": ("", (
        "4: Patiëntnummer", "3: Patiëntnr", "2: Pat.nr.", "2: PatNr", "PID", "3: Cliëntnummer", "2: cliëntnr.",
        "Dossiernummer", "dossiernr", "PNR", "ZIS-nummer",
    )),
    "license_word": ("", ("3: BIG", "2: AGB", "AGB-code", "BIG-nummer", "BIG-nr.", "UZI",)),
    "plan_word": ("", (
        "3: polisnr.", "2: Polisnummer", "2: verzekerdennummer", "Verzekerdenr.", "polis", "relatienummer",
    )),
    "mobile_word": ("", ("3: mob.", "2: Mobiel", "mobiel", "M:", "06-nr",)),
    "mail": ("EMAIL", (
        "5: {mail_name}@{mail_host}.nl", "{mail_name}{n:1-99}@{mail_free}", "2: {mail_name}@{mail_free}",
        "info@{mail_host}.nl", "{mail_desk}@{mail_host}.nl",
    )),
    "mail_name": ("", (
        "{given_plain}.{family_ascii}", "{letter_lower}.{family_ascii}", "{family_ascii}.{given_plain}",
        "{given_plain}{family_ascii}", "{letter_lower}{family_ascii}", "{given_plain}_{n:10-99}", "{given_plain}",
    )),
    "mail_host": ("", (
        "{host}zorg", "{host}", "zh{host}", "mc-{host}", "huisartsen-{host}", "praktijk{host}", "ggz{host}",
    )),
    "web": ("URL", (
        "3: www.{mail_host}.nl", "2: https://www.{mail_host}.nl", "https://{mail_host}.nl/portaal",
        "mijn.{mail_host}.nl", "www.{mail_host}.nl/folders", "http://{host}.nl",
    )),
    "ip": ("IP", (
        "10.{n:0-255}.{n:0-255}.{n:1-254}", "192.168.{n:0-255}.{n:1-254}", "{n:20-220}.{n:0-255}.{n:0-255}.{n:1-254}",
    )),
}  # fmt: skip

_MADE_BE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **_MADE_NL,
    "road": ("STREET", (
        "9: {stem}{street_tail_be}", "8.95: {stem}{street_tail_be}", "3: {family_stem}{street_tail_be}",
        "Burgemeester {family_plain}{street_tail_be}", "Sint-{saints}{street_tail_be}", "{town}sesteenweg",
        "1: {town}sesteenweg", "{town}sebaan", "Oude {stem}{street_tail_be}", "Pastoor {family_plain}{street_tail_be}",
        "Rue de la {french}", "Avenue {given}",
    )),
    "house": ("STREET", (
        "8: {n:1-260}", "2: {n:1-120}{letter}", "2: {n:1-260} bus {n:1-40}", "{n:1-90}/{n:1-12}", "{n:1-90} b{n:1-9}",
    )),
    "street": ("STREET", (
        "{road} {house}",
    )),
    "address": ("", (
        "5: {street}, {zip} {city}", "4.75: {street}, {zip} {city}", "2: {street} {zip} {city}",
        "2.35: {street} {zip} {city}", "2: {street}\\n{zip} {city}", "{street} - {zip} {city}",
        "{street}\\nB-{zip} {city}", "{street}, {city}",
    )),
    "hospital": ("HOSPITAL", (
        "4: AZ Sint-{saints}", "3.8: AZ Sint-{saints}", "3: {hospitals_be}", "2.95: {hospitals_be}", "2: AZ {town}",
        "2.15: AZ {town}", "Ziekenhuis {town}", "campus Sint-{saints}", "UZ {town}", "1: UZ {town}",
        "Onze-Lieve-Vrouwziekenhuis {town}", "Algemeen Ziekenhuis Sint-{saints}", "{town}s ziekenhuis",
        "PZ Sint-{saints}", "AZ {stem}{tail}", "Heilig Hart {town}", "RZ {stem}{tail}", "Sint-{saints}ziekenhuis",
    )),
    "hospital:short": ("HOSPITAL", (
        "3: {hospitals_be}", "2: AZ Sint-{saints}", "Sint-{saints}", "UZ {town}", "AZ {town}",
    )),
    "clinic": ("CARE_FACILITY", (
        "3: Huisartsenpraktijk {family}", "2.95: Huisartsenpraktijk {family}", "2: Groepspraktijk {stem}{tail}",
        "1.95: Groepspraktijk {stem}{tail}", "Huisartsenwachtpost {town}", "Wijkgezondheidscentrum {groups}",
        "Apotheek {family}", "praktijk {family}", "Kinepraktijk {family}", "Medisch Huis {town}",
    )),
    "care_home": ("CARE_FACILITY", (
        "4: WZC {care_name}", "4.05: WZC {care_name}", "3: Woonzorgcentrum {care_name}",
        "3.05: Woonzorgcentrum {care_name}", "woonzorgcentrum {care_name}", "rusthuis {care_name}", "RVT {care_name}",
        "serviceflats {care_name}", "3: {care_name}", "2.95: {care_name}", "kortverblijf {care_name}",
        "dagverzorgingscentrum {care_name}",
    )),
    "organization": ("ORGANIZATION", (
        "5: {orgs}", "2: {family} {trades} BV", "2: {trades_kind} {family}", "{family} {trades}", "Gebr. {family}",
        "{town} {trades} B.V.", "Firma {family}", "bakkerij {family}", "2: supermarkt {stem}{tail}",
        "kwekerij {stem}{tail}", "Transportbedrijf {family}", "Stichting {stem}{tail}", "garage {family}",
        "Bouwbedrijf {family} & Zn.", "koor {stem}{tail}", "vv {town}", "voetbalclub {town}", "gemeente {town}",
        "Bewindvoerderskantoor {family}", "buurthuis {groups}", "woningcorporatie {stem}{tail}", "kapsalon {given}",
        "Manege {stem}{tail}", "zwembad De {stem}{tail}", "{family} & {family_plain} advocaten", "moskee {mosques}",
        "{family} {trades} bvba", "{stem}{tail} vzw", "OCMW {town}", "OCMW {town}", "beschutte werkplaats {groups}",
    )),
    "insurer": ("ORGANIZATION", (
        "{funds}",
    )),
    "id_word": ("", ("4: Rijksregisternummer", "2: rijksregisternr.", "3: INSZ", "RRN", "NISS",)),
    "license_word": ("", ("4: RIZIV", "2: RIZIV-nr.", "RIZIV nr.",)),
    "plan_word": ("", ("2: aansluitingsnr.", "stamnummer", "lidnummer",)),
    "mobile_word": ("", ("4: GSM", "2: gsm", "gsm:",)),
    "mail": ("EMAIL", (
        "5: {mail_name}@{mail_host}.be", "{mail_name}{n:1-99}@{mail_free}", "2: {mail_name}@{mail_free}",
        "info@{mail_host}.be", "{mail_desk}@{mail_host}.be",
    )),
    "web": ("URL", (
        "3: www.{mail_host}.be", "2: https://www.{mail_host}.be", "https://{mail_host}.be/portaal",
        "mijn.{mail_host}.be", "www.{mail_host}.be/folders", "http://{host}.be",
    )),
}  # fmt: skip

MADE_NL = mixed(_MADE_NL, MORE)
MADE_BE = mixed(_MADE_BE, MORE, MORE_BE)


@cache
def _towns(country: str, side: str) -> tuple[str, ...]:
    listed = list_of("nl", "towns", "more-towns", "more-towns-ambiguous")()
    more = list_of("nl", "cities-be" if country == "BE" else "cities-nl")()
    return sided((*(town for town in listed if country == "NL" or town in more), *more), side)


def _town(country: str, rng: Random, side: str) -> str:
    """A town: one that there is, or one that there could be."""
    if rng.random() < 0.72:
        return rng.choice(_towns(country, side))
    town = rng.choice(sided(list_of("nl", "town_stem")(), side)) + rng.choice(list_of("nl", "town_tail")())
    if rng.random() < 0.65:
        return town
    head = rng.choice(list_of("nl", "town_head")())
    return f"{head}-{town}" if rng.random() < 0.65 else head + town.lower()


def _place(country: str, rng: Random, side: str) -> Mapping[str, str]:
    city = _town(country, rng, side)
    if country == "BE":
        state = rng.choice(_PROVINCES_BE)
        return {"city": city, "state": state, "state:long": state, "zip": str(rng.randint(1000, 9992))}
    state = rng.choice(tuple(_PROVINCES_NL))
    while (letters := rng.choice("ABCDEGHJKLMNPRSTVWXZ") + rng.choice("ABCDEGHJKLMNPRSTVWXZ")) in ("SA", "SD", "SS"):
        pass
    code = f"{rng.randint(1000, 9999)}{' ' if rng.random() < 0.7 else ''}{letters}"
    return {
        "city": city,
        "state": _PROVINCES_NL[state] if rng.random() < 0.05 else state,
        "state:long": state,
        "zip": code,
    }


def place_nl(rng: Random, side: str) -> Mapping[str, str]:
    return _place("NL", rng, side)


def place_be(rng: Random, side: str) -> Mapping[str, str]:
    return _place("BE", rng, side)
