"""Places of Spain, Mexico, Argentina and Colombia, and what the templates of `made` draw from."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from elision.languages.base import folder
from elision.languages.es.synth_people import names, sided_names
from elision.languages.synth_lists import list_file, list_of, sided

Table = Mapping[str, tuple[str, tuple[str, ...]]]
TOWNS = ("towns", "towns_more", "more-towns", "more-towns-ambiguous")
_FULL_PROVINCES = {"28": 6, "08": 6, "41": 3, "46": 3}  # where more people live


@cache
def _tables(name: str) -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(folder("es", "synth", name).read_text("utf-8"))


def table(name: str, *sections: str) -> Table:
    """Slots of a file of tables; later sections go before earlier ones. A row is a label, then patterns."""
    merged: dict[str, tuple[str, tuple[str, ...]]] = {}
    for section in sections:
        merged.update({slot: (row[0], tuple(row[1:])) for slot, row in _tables(name)[section].items()})
    return merged


@cache
def _words(side: str, *listed: str) -> tuple[str, ...]:
    return sided(list_of("es", *listed)(), side)


def _town(rng: Random, side: str, *listed: str) -> str:
    """A town: one that there is, or one that there could be."""
    drawn = rng.random()
    if drawn < 0.5:
        return rng.choice(_words(side, *listed))
    if drawn < 0.75:
        return rng.choice(_words(side, "town-stems")) + rng.choice(_words(side, "town-ends"))
    if drawn < 0.9:
        head = rng.choice(_words(side, "town-heads"))
        if head in ("San", "Santa"):
            saints = sided_names("es", side)
            head = f"{head} {rng.choice(saints.male if head == 'San' else saints.female).split()[0]}"
        return f"{head} {rng.choice(_words(side, 'town-tails'))}"
    return rng.choice(sided(homes(), side))


@cache
def _provinces() -> Mapping[str, tuple[str, str]]:
    """First two digits of the postcode -> province, capital."""
    rows = (line.partition(" ") for line in list_file("es", "provinces"))
    return {code: (both.split(" = ")[0], both.split(" = ")[-1]) for code, _, both in rows}


def es_place(rng: Random, side: str) -> Mapping[str, str]:
    provinces = _provinces()
    code = rng.choices(tuple(provinces), [_FULL_PROVINCES.get(code, 1) for code in provinces])[0]
    province, capital = provinces[code]
    city = capital if rng.random() < 0.2 else _town(rng, side, *TOWNS)
    return {"city": city, "state": province, "state:long": province, "zip": f"{code}{rng.randint(1, 899):03}"}


def _american(
    listed: str, make_zip: Callable[[Random], str], short: float
) -> Callable[[Random, str], Mapping[str, str]]:
    """Places of a country whose states stand in a list, "N.L. = Nuevo León"; `short` says how often in short."""

    def place(rng: Random, side: str) -> Mapping[str, str]:
        row = rng.choice(list_file("es", listed))
        brief, long = row.split(" = ")[0], row.split(" = ")[-1]
        city = _town(rng, side, "towns_america")
        return {
            "city": city,
            "state": brief if rng.random() < short else long,
            "state:long": long,
            "zip": make_zip(rng),
        }

    return place


def _argentine_zip(rng: Random) -> str:
    plain = f"{rng.randint(1001, 9420)}"
    if rng.random() < 0.6:
        return plain
    return f"{rng.choice('ABCDEHKMNPQRSTUX')}{plain}{''.join(rng.choice('ABCDEFGHJK') for _ in range(3))}"


mx_place = _american("states-mx", lambda rng: f"{rng.randint(1000, 99899):05}", 0.4)
ar_place = _american("states-ar", _argentine_zip, 0)
co_place = _american("states-co", lambda rng: f"{rng.randint(5, 91):02}{rng.randint(1, 9999):04}", 0)


def _with_article(noun: str) -> str:
    """ "de los Alisos", "de las Acacias", "del Molino": an article that agrees."""
    if noun.endswith("s"):
        feminine = noun.endswith("as") or noun == "Fuentes"
        return f"de las {noun}" if feminine else f"de los {noun}"
    return f"de la {noun}" if noun.endswith(("a", "ón")) and noun != "Agua" else f"del {noun}"


@cache
def homes() -> tuple[str, ...]:
    """Names of homes and estates: "Los Olmos", "La Estación"."""
    heads = {"de los": "Los", "de las": "Las", "de la": "La", "del": "El"}
    named = (_with_article(noun).rpartition(" ") for noun in list_file("es", "road_nouns"))
    return tuple(f"{heads[article]} {noun}" for article, _, noun in named if article in heads)


def doors() -> tuple[str, ...]:
    """Floors and doors: 2º B, 3º izda., bajo C ..."""
    floors = [f"{floor}º" for floor in range(1, 11)] + [
        "1.º",
        "2.º",
        "3.º",
        "bajo",
        "Bajo",
        "ático",
        "1ª",
        "4",
        "3",
        "2°",
    ]
    hands = [
        " A",
        " B",
        " C",
        " D",
        "-A",
        "B",
        "C",
        " izda.",
        " dcha.",
        " izq",
        " dcha",
        " 1ª",
        ", 3ª",
        " pta. 4",
        "-2ª",
        "",
    ]
    stairs = ["", "", "", "esc. 2, ", "portal 3, ", "esc. A, ", "bloque 4, ", "Esc. izda., ", "portal 1 "]
    return tuple(stair + floor + hand for stair in stairs for floor in floors for hand in hands)


def virgins() -> tuple[str, ...]:
    heads = ("Virgen de", "Virgen de", "Nuestra Señora de", "Ntra. Sra. de")
    return tuple(f"{head} {tail}" for tail in list_file("es", "virgins") for head in heads)


def saints() -> tuple[str, ...]:
    men = (f"San {name}" for name in list_file("es", "saints"))
    women = (f"Santa {name}" for name in list_file("es", "holy-women"))
    return (*men, *women, "San Juan de Dios", "Santo Domingo", "Santo Tomás", "Santiago Apóstol", "Sagrado Corazón")


def roads() -> tuple[str, ...]:
    nouns = list_file("es", "road_nouns")
    named = (_with_article(noun) for noun in nouns)
    return (*list_file("es", "roads"), *nouns, *named, *saints(), *names("es").family[:500])


def jobs() -> tuple[str, ...]:
    listed = list_file("es", "callings")
    return tuple(job.lower() for job in listed if len(job) < 32 and "(" not in job)


def lower_units() -> tuple[str, ...]:
    kept = ("Ictus", "VIH", "Lactantes")
    return tuple(word.lower() for word in list_of("es", "specialties", "units")() if word not in kept)


def plain(*words: str) -> Callable[[], Sequence[str]]:
    return lambda: words


WORDS: Mapping[str, Callable[[], Sequence[str]]] = {
    "towns": list_of("es", *TOWNS),
    "professions": list_of("es", "professions", "professions_more"),
    "faker_jobs": jobs,  # called so in `made.toml`, whose rows are divided by their text
    "lower_units": lower_units,
    "short_units": plain("UCI", "UVI", "URPA", "REA", "UCIP", "UCIN", "UCE", "UHD", "UCA", "UCRI", "UDVP", "UCMI"),
    "road": roads,
    "way": list_of("es", "ways"),
    "door": doors,
    "letter": plain("A", "B", "C", "D", "E", "F"),
    "side": plain("izquierda", "derecha", "norte", "sur", "este", "oeste", "A", "B"),
    "saint": saints,
    "virgin": virgins,
    "virgin_short": lambda: tuple(f"de {name}" for name in list_file("es", "virgins")),
    "home": homes,
    "wind": plain(
        "Sur", "Norte", "Levante", "Mediterráneo", "Duero", "Ebro", "Guadiana", "Cantábrico", "Pacífico", "Valle"
    ),
    "faculty": list_of("es", "faculties"),
    "workplace": list_of("es", "workplaces"),
    "ambiguous": list_of("es", "ambiguous-names"),
}
