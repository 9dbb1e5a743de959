"""The words of dates in our languages: months, days of the week, numbers, seasons, feasts."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from elision.text.normal import unaccented

LANGUAGES = ("en", "es", "nl", "zh")
MONTH_FIRST = ("en", "en-us", "en-ph")
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
SEASONS = ("winter", "spring", "summer", "autumn")  # winter is that of January


@dataclass(frozen=True, slots=True)
class Words:
    """Families of words: in a family, a word stands at the place of its month or day, perhaps with others that mean it.

    The first word of a place is the one that is written. `seasons` begin with winter, weeks with Monday.
    """

    months: tuple[tuple[tuple[str, ...], ...], ...]
    weekdays: tuple[tuple[tuple[str, ...], ...], ...]
    seasons: tuple[tuple[tuple[str, ...], ...], ...]
    numbers: tuple[tuple[str, ...], ...] = ()  # families of words for 1 to 31
    quarters: tuple[tuple[str, ...], ...] = ()  # and for 1 to 4
    decades: tuple[str, ...] = ()  # twenty to ninety
    undotted: tuple[str, ...] = ()  # short months that are whole words


def listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def _family(words: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(word.replace("_", " ").split("|")) for word in words.split())


def _en_numbers() -> tuple[tuple[str, ...], ...]:
    ones = listed("first second third fourth fifth sixth seventh eighth ninth")
    teens = listed("tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth")
    twenties = ["twentieth", *(f"twenty-{one}" for one in ones)]
    return ((*ones, *teens, *twenties, "thirtieth", "thirty-first"),)


def _es_numbers() -> tuple[tuple[str, ...], ...]:
    low = listed(
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
        "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
        "veintiocho veintinueve treinta"
    )
    days = (*low, "treinta y uno")
    return days, ("primero", *days[1:])


def _nl_numbers() -> tuple[tuple[str, ...], ...]:
    ones = listed("een twee drie vier vijf zes zeven acht negen")
    teens = listed("tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien")
    joined = [one + ("ën" if one.endswith("e") else "en") for one in ones]
    days = (*ones, *teens, "twintig", *(one + "twintig" for one in joined), "dertig", "eenendertig")
    low = listed("eerste tweede derde vierde vijfde zesde zevende achtste negende")
    ordinals = [*low, *(teen + "de" for teen in teens), *(day + "ste" for day in days[19:])]
    return days, tuple(ordinals)


_WORDS = {
    "en": Words(
        (
            _family("January February March April May June July August September October November December"),
            _family("Jan Feb Mar Apr May Jun Jul Aug Sep|Sept Oct Nov Dec"),
            _family("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
        ),
        (
            _family("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
            _family("Mon Tue|Tues Wed|Weds Thu|Thur|Thurs Fri Sat Sun"),
            _family("Mon Tues Wed Thurs Fri Sat Sun"),
        ),
        (_family("winter spring summer autumn"), _family("winter spring summer fall")),
        _en_numbers(),
        (("first", "second", "third", "fourth"), ("1st", "2nd", "3rd", "4th")),
        listed("twenties thirties forties fifties sixties seventies eighties nineties"),
        ("may",),
    ),
    "es": Words(
        (
            _family("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
            _family("enero febrero marzo abril mayo junio julio agosto setiembre octubre noviembre diciembre"),
            _family("ene feb|febr mar abr may jun jul ago sep oct nov dic"),
            _family("ene feb mar abr may jun jul ago sept oct nov dic"),
            _family("ene feb mar abr may jun jul ago set oct nov dic"),
        ),
        (
            _family("lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo"),
            _family("lun mar mié|mie jue vie sáb|sab dom"),
        ),
        (_family("invierno primavera verano otoño|otono"),),
        _es_numbers(),
        (("primer", "segundo", "tercer", "cuarto"), ("1er", "2º", "3er", "4º")),
        listed("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
    ),
    "nl": Words(
        (
            _family("januari februari maart april mei juni juli augustus september oktober november december"),
            _family("jan feb mrt apr mei jun jul aug sep okt|oct nov dec"),
            _family("jan febr mrt apr mei jun jul aug sept okt nov dec"),
            _family("jan feb mar apr mei jun jul aug sep okt nov dec"),
        ),
        (
            _family("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
            _family("ma di wo do vr za zo"),
        ),
        (_family("winter voorjaar zomer najaar"), _family("winter lente zomer herfst")),
        _nl_numbers(),
        (("eerste", "tweede", "derde", "vierde"), ("1e", "2e", "3e", "4e")),
        listed("twintig dertig veertig vijftig zestig zeventig tachtig negentig"),
        ("mei",),
    ),
    "zh": Words(
        (),
        (_family("一 二 三 四 五 六 日"), _family("一 二 三 四 五 六 天")),
        (_family("冬 春 夏 秋"), _family("冬天 春天 夏天 秋天"), _family("冬季 春季 夏季 秋季")),
        quarters=(("一", "二", "三", "四"),),
    ),
}


def code_of(language: str) -> str:
    """The language without its country; one that we do not know reads as English."""
    code = language.replace("_", "-").partition("-")[0].lower()
    return code if code in _WORDS else "en"


def plain(word: str) -> str:
    """A word without case, accents and the dot behind it."""
    return unaccented(word.casefold()).rstrip(".")


def words_of(code: str) -> Words:
    return _WORDS[code]


@functools.cache
def places(code: str, kind: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """For each word, without case and accents: the families that have it, and its place there.

    A family that would write the word itself goes before those that only know it.
    """
    found: dict[str, list[tuple[bool, int, int]]] = {}
    for family, row in enumerate(getattr(words_of(code), kind)):
        for place, entry in enumerate(row):
            for word in (entry,) if isinstance(entry, str) else entry:
                found.setdefault(plain(word), []).append((word not in (entry, entry[0]), family, place))
    return {
        word: tuple((family, place) for other, family, place in sorted(where) if other == min(where)[0])
        for word, where in found.items()
    }
