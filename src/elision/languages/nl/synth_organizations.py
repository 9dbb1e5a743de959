"""More forms of employers, schools, services, homes, practices and wards of the Netherlands and Flanders."""

from __future__ import annotations

from elision.languages.synth_lists import list_file, list_of
from elision.languages.synth_mixing import More, Words, listed, small

_EMPLOYERS = (
    "Lidl", "Aldi", "Plus", "Dirk", "Vomar", "Hoogvliet", "Etos", "Ikea", "Mediamarkt", "Transavia", "Schiphol",
    "Corendon", "TUI", "Ryanair", "Brussels Airlines", "Arriva", "Connexxion", "Qbuzz", "RET", "GVB", "HTM", "NMBS",
    "KPN", "Ziggo", "Vodafone", "Eneco", "Vattenfall", "Essent", "Vitens", "Liander", "Triodos", "SNS", "Knab",
    "KBC", "Belfius", "BNP Paribas Fortis", "Argenta", "Proximus", "Telenet", "BASF", "Audi", "Barco", "Umicore",
    "Bekaert", "DSM", "Akzo", "AkzoNobel", "NXP", "Océ", "VDL", "Nedcar", "Damen", "Boskalis", "Heijmans", "BAM",
    "Dura Vermeer", "FrieslandCampina", "Vion", "Randstad", "Tempo-Team", "Manpower", "Start People", "USG", "DPG",
    "NOS", "VRT", "Capgemini", "Picnic", "Thuisbezorgd", "Uber", "Amazon", "McDonald's", "Zeeman", "Wibra", "Karwei",
    "Intratuin", "Welkoop", "Decathlon", "Carrefour", "Okay", "Spar", "Makro", "Sligro", "Hanos", "Vrumona",
    "Grolsch",
)  # fmt: skip
_BODIES = (
    "GGD", "OCMW", "CAW", "VDAB", "RVA", "RIZIV", "FOD", "DUO", "IND", "CBR", "RDW", "RIVM", "NZa", "IGJ", "IGZ",
    "CAK", "CJIB", "Halt", "Jeugdbescherming", "Bureau Jeugdzorg", "William Schrikker", "CLB", "VAPH",
    "Kind en Gezin", "Raad voor de Kinderbescherming", "OM", "Openbaar Ministerie", "DJI",
    "Koninklijke Marechaussee", "KMar", "Landmacht", "Luchtmacht", "Marine", "Dienst Toeslagen",
    "Kamer van Koophandel", "KvK", "FNV", "CNV", "ABVV", "ACV", "NU'91", "V&VN", "ANBO", "KBO", "PCOB",
    "Patiëntenfederatie", "Hartstichting", "KWF", "Diabetesvereniging", "Hersenletsel.nl", "Parkinson Vereniging",
    "NAH-café", "Rode Kruis", "Voedselbank", "Vluchtelingenwerk", "Fedasil", "Mantelzorg NL", "Ypsilon", "Valente",
    "LPGGZ", "Sensoor", "Tele-Onthaal", "NVVE", "LEIF", "Sanquin", "ANWB", "Anonieme Alcoholisten", "Al-Anon",
    "Dokters van de Wereld", "Tafeltje Dekje", "Regiotaxi", "Valys", "Transvision", "Medipoint", "Vegro", "Mediq",
    "Livit", "Welzorg", "Eurofins", "Saltro", "Atalmedial", "Unilabs", "Star-shl",
)  # fmt: skip
_COLLEGES = (
    "Deltion College", "Deltion", "Graafschap College", "Noorderpoort", "Alfa-college", "Aventus", "Rijn IJssel",
    "Koning Willem I College", "Summa", "Albeda", "Zadkine", "Nova College", "Horizon College", "Da Vinci College",
    "Scalda", "Curio", "Gilde", "VISTA college", "Landstede", "Firda", "Drenthe College", "Yuverta", "Zone.college",
    "Saxion", "Windesheim", "Fontys", "Avans", "HAN", "HAS", "Inholland", "Hanze", "NHL Stenden", "HvA", "HU", "VU",
    "UvA", "TU Delft", "TU/e", "UT", "RUG", "KU Leuven", "UGent", "UAntwerpen", "VUB", "UHasselt", "Thomas More",
    "Odisee", "Vives", "Howest", "HoGent", "Artevelde", "Syntra", "Sint-Lucas", "Radboud", "WUR", "Codarts", "ArtEZ",
)  # fmt: skip
_FIRMS = (
    "Dakbedekking", "Stukadoors", "Steigerbouw", "Grondverzet", "Loonbedrijf", "Veevoeders", "Tuinbouw",
    "Bloembollen", "Zaden", "Visverwerking", "Betoncentrale", "Machinefabriek", "Scheepswerf", "Jachtbouw",
    "Containers", "Koeltransport", "Koeriers", "Taxi", "Touringcars", "Autoschade", "Banden", "Tweewielers",
    "Catering", "Uitvaart", "Notarissen", "Advocaten", "Accountants", "Makelaars", "Assurantiën", "Bewindvoering",
    "Uitzendbureau", "Beveiliging", "Facilitair", "Software", "Media", "Consultancy", "Engineering", "Biotech",
    "Farma", "Medische Techniek", "Orthopedie", "Optiek", "Audicien", "Keukens", "Interieurbouw", "Vloeren",
    "Parket", "Zonwering", "Zonne-energie", "Sloopwerken", "Recycling", "Papier", "Verpakkingen", "Coatings",
    "Chemie", "Agri", "Pluimvee", "Groente en Fruit", "Evenementen", "Horeca",
)  # fmt: skip
_SHOPS = (
    "café", "eetcafé", "restaurant", "cafetaria", "snackbar", "lunchroom", "pizzeria", "brasserie", "frituur",
    "tearoom", "hotel", "camping", "slijterij", "drogisterij", "apotheek", "boekhandel", "speelgoedwinkel",
    "bloemenzaak", "visboer", "slagerij", "kaasboerderij", "fietsenmaker", "rijschool", "sportschool", "dansschool",
    "muziekschool", "kringloopwinkel", "dierenkliniek", "tuincentrum", "wijnhandel", "nagelstudio", "barbier",
    "schoonheidssalon", "boerderij", "melkveehouderij", "varkenshouderij", "fruitbedrijf", "boomkwekerij",
    "zaadhandel", "stoffenzaak",
)  # fmt: skip


ORGANIZATION_WORDS: Words = {
    **listed(
        employers=_EMPLOYERS, bodies=_BODIES, colleges=_COLLEGES, firms=_FIRMS, shops=_SHOPS,
    ),
    "small_employers": lambda: small(_EMPLOYERS),
    "small_firms": lambda: small(_FIRMS),
    "small_family": lambda: small(list_file("nl", "surnames_nl")),
    "small_town": lambda: small(list_of("nl", "towns", "more-towns")()),
    "small_stem": lambda: small(list_file("nl", "stem")),
    "big_shops": lambda: tuple(word.capitalize() for word in _SHOPS),
    "legal": lambda: ("B.V.", "BV", "b.v.", "N.V.", "NV", "VOF", "v.o.f.", "Holding", "Groep", "Beheer BV", "& Co",
                      "& Zonen", "Nederland", "International", "Group", "Services"),
    "legal_be": lambda: ("bv", "BV", "nv", "NV", "BVBA", "bvba", "cvba", "vzw", "comm.v", "& Zonen", "Group",
        "Belgium"),
    "emblem": lambda: ("Gouden Leeuw", "Zwarte Ruiter", "Witte Zwaan", "Rode Haan", "Drie Linden", "Blauwe Vogel",
                       "Kroon", "Engel", "Ster", "Pelikaan", "Oude Waag", "Kleine Prins", "Halve Maan", "Vrijheid",
                       "Eendracht", "Goede Herder", "Hoop", "Ark", "Bron", "Olijfboom", "Schakel", "Springplank"),
    "specialty_small": lambda: small(list_file("nl", "specialties")),
}  # fmt: skip

# A list that both sides need stands in rows of two weights, so that each side has one.
MORE: More = {
    "organization": (0.363, (
        "5: {employers}", "1.2: {employers}", "4: {bodies}", "0.95: {bodies}", "2: {insurers}", "2: {bodies} {town}",
        "{family} {firms}", "{family} {firms} {legal}", "{firms} {family}", "{town} {firms}",
        "{stem}{tail} {firms} {legal}", "2: {shops} De {emblem}", "{big_shops} {family}", "{shops} {stem}{tail}",
        "{big_shops} 't {stem}{tail}", "bij {given}", "Bij {given}", "{given}'s {shops}", "De {emblem}",
        "{family} & Zonen", "Gebroeders {family} {legal}", "{family}-{family_plain} {legal}", "{family} Groep",
        "mts. {family}", "maatschap {family}", "{stem}Tech", "{stem}ly", "{stem}.io", "Smart{stem}",
        "{stem}soft {legal}", "Air {stem}", "{stem}bank", "Spaarbank {town}", "Onderlinge {town}",
        "Zorgkantoor {town}", "Pensioenfonds {firms}", "O.W.M. {stem}{tail} U.A.", "{bodies} afdeling {town}",
        "Vakbond {firms}", "Gemeente {town}", "gem. {town}", "Sociale Dienst {town}", "Wmo-loket {town}",
        "wijkteam {town}", "sociaal wijkteam De {stem}{tail}", "politie {town}", "Politie Eenheid {town}",
        "brandweer {town}", "RAV {town}", "Ambulancedienst {town}", "Rechtbank {town}", "parket {town}", "PI {town}",
        "Justitieel Complex {town}", "{n:11-45} Painfbat", "{n:11-45} Pantserinfanteriebataljon", "kazerne {town}",
        "Sint-{saints}kerk", "parochie Sint {saints}", "PKN {town}", "De {emblem}kerk", "El {stem} moskee",
        "synagoge {town}", "Evangelische gemeente De {emblem}", "{town}se Boys", "SC {town}", "KV {town}",
        "hockeyclub {town}", "tennisvereniging {stem}{tail}", "harmonie Sint {saints}", "fanfare De {emblem}",
        "koor De {emblem}", "toneelgroep {stem}{tail}", "volkstuinvereniging {stem}{tail}",
        "biljartclub De {emblem}", "Vrouwen van Nu {town}", "{family} Fonds", "Stichting De {emblem}",
        "stichting vrienden van {stem}{tail}", "Patiëntenvereniging {stem}{tail}", "Thuiszorg {stem}{tail}",
        "{stem}Zorg", "{stem}{tail} Jeugdhulp", "Jeugdteam {town}", "crisisdienst {town}", "IHT {town}",
        "Crisisteam {town}", "dagcentrum De {emblem}", "inloophuis De {emblem}", "Laboratorium {town}",
        "Klinisch Lab {stem}{tail}", "Apotheek {family}", "apotheek {town}-{wings}", "GGD {town}",
        "GGD Regio {town}", "2: {#:???}", "1.5: {#:????}", "{#:?????}",
        "{#:[BCDGHLMNPRSTV][AEIO][BCDGLMNPRST][AEIO]}", "{#:[BDGHLMNPRSTV][AEIO][CDLMNPRST][AEIO][CLMNST]}",
        "{#:???} {town}", "{#:??}-{firms}", "Ver{stem}a", "{small_family} {small_firms}", "bakker {small_family}",
        "2: {small_employers}", "de {small_stem}{tail}", "gemeente {small_town}", "{small_town} {small_firms}",
    )),
    "school": (0.533, (
        "5: {colleges}", "1.2: {colleges}", "OBS {given}", "CBS De {emblem}", "R.K. basisschool Sint {saints}",
        "PCBS {stem}{tail}", "SBO De {emblem}", "VSO {stem}{tail}", "De {emblem}", "Montessorischool {town}",
        "Vrije School {town}", "Jenaplanschool {groups}", "Gymnasium {family_plain}", "{stem}{tail} College",
        "{family_plain} Lyceum", "CSG {stem}{tail}", "RSG {town}", "ISK {town}", "Praktijkonderwijs {town}",
        "kdv {groups}", "peuterspeelzaal {groups}", "BSO De {emblem}", "Universiteit {town}",
        "Universiteit van {town}", "{stem} College", "MBO {town}", "KTA {town}", "GBS De {emblem}",
        "Hogeschool {stem}{tail}", "ROC van {town}", "Sint-{saints}instituut", "de {small_stem}{tail}",
        "{#:???} {town}", "Volksuniversiteit {town}",
    )),
    "clinic": (1.805, (
        "huisartsen {town}-{wings}", "De Praktijk {town}", "Tandartsen {stem}{tail}", "Medisch Centrum De {emblem}",
        "Psychologenpraktijk {family}", "{family} & {family_plain}, huisartsen", "hap {small_town}",
        "EC {stem}{tail}", "Eerstelijnscentrum {town}", "Oogkliniek {town}", "fysio {small_family}",
        "Huidtherapie {given}",
    )),
    "care_home": (2.458, (
        "{stem}{tail}hof", "De {emblem}", "Stadzicht {town}", "{stem}state", "Gasthuis {town}",
        "locatie {stem}{tail}", "Woonzorg {stem}{tail}", "Herbergier {town}", "Residentie De {emblem}",
        "aanleunwoning {care_name}", "zorgvilla {stem}{tail}", "Sint-{saints}hof", "ELV {care_name}",
        "beschermd wonen {town}",
    )),
    "department": (2, (
        "Team {groups}", "team {specialty_small}", "Dagbehandeling {specialties}", "Dagcentrum {specialties}",
        "Dagopname", "Short Stay", "Kort Verblijf", "Acute Opname", "{specialties}, route {n:1-190}",
        "Unit {specialties}", "Thoraxcentrum", "{specialties}centrum", "IHT-team {teams}", "Wijkteam {teams}",
        "VIP-team", "Behandelteam {letter}", "poli {specialty_small}",
    )),
    "ward": (1.017, (
        "Short Stay", "Thoraxcentrum, verpleegafdeling {n:1-9}-{wings}", "Verpleegafdeling {specialties}",
        "verpleegafdeling {n:1-9} {wings}", "{specialties} {n:1-9}{letter}", "Unit {n:1-9}", "unit {groups}",
        "Team {teams}", "Kort Verblijf", "Dagverpleging", "{letter}{#:%##}", "{n:1-9}e {wings}",
        "VE {letter}{n:1-9}", "Stroke Unit", "Kliniek {n:1-6}", "{specialty_small} {n:1-6}", "groep {groups}",
        "{#:%#}-{wings}", "High Care {letter}",
    )),
}  # fmt: skip
MORE_BE: More = {
    "organization": (0.265, (
        "{family} {firms} {legal_be}", "{stem}{tail} {firms} {legal_be}", "OCMW {stem}{tail}", "Stad {town}",
        "Politiezone {town}", "PZ {stem}{tail}", "Hulpverleningszone {town}", "CAW {town}", "CGG {stem}{tail}",
        "CLB {town}", "VDAB {town}", "Vredegerecht {town}", "Familiezorg {town}", "Chiro {town}", "KVLV {town}",
        "{funds}", "{funds} {town}", "VK {town}", "Okra {town}", "Ferm {town}", "{stem}{tail} maatwerk",
    )),
    "school": (0.393, (
        "VBS De {emblem}", "Sint-{saints}college", "BuSO {stem}{tail}", "Atheneum {town}", "GO! {stem}{tail}",
        "VTI {town}", "Heilig-Hartinstituut {town}", "CVO {town}",
    )),
}  # fmt: skip
