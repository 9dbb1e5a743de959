"""Ages: how old somebody is said to be, and the same without saying how far beyond a limit.

Safe Harbor lets ages stay up to 89; all above are one group, "90 or older". Nothing else about an age changes: it
agrees with birth dates, as these shift together with all other dates.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from elision.languages.base import DEFAULT, code_of, languages, shipped
from elision.languages.knowledge import Ages, Found, said
from elision.text.fold import fold

_DIGITS = re.compile(r"(\d{1,4})(?:[.,;]\d{1,2}(?!\d)|½)?", re.ASCII)
_PART = re.compile(r"(\d{1,3}) ?/ ?(12|52|365|7)(?!\d)(?:ths?)?", re.ASCII)  # 7/12: seven months
_SCANNED = re.compile(r"(?<![^\W_])(?=\w*[\dO])[\dlIO][\dlIOo](?![^\W\d_][^\W_]|\d|[lIOo])")
_WORD = re.compile(r"[^\W\d_]+")


@cache
def ages_of(code: str) -> Ages:
    """What a language knows of ages; nothing for one that we do not know."""
    return languages()[code].ages if code in languages() else Ages()


def numbers(text: str, language: str) -> list[Found]:
    """The numbers in a folded text, by place; words in one language."""
    found = [*_by_digits(text)]
    taken = {at for one in found for at in range(one.start, one.end)}
    ages = ages_of(language)
    more = ages.numbers(text) if ages.numbers else _by_words(text.lower(), ages)
    return sorted([*found, *(one for one in more if one.start not in taken)])


def _by_digits(text: str) -> list[Found]:
    found = [
        Found(match.start(), match.end(), int(match[1]) / int(match[2]), int(match[1]) / int(match[2]), "part")
        for match in _PART.finditer(text)
    ]
    taken = {at for one in found for at in range(one.start, one.end)}
    for match in _SCANNED.finditer(text):
        if not match[0].isdigit() and match.start() not in taken:
            value = int(match[0].translate(str.maketrans("OolI", "0011")))
            found.append(Found(*match.span(), value, value))
            taken.update(range(*match.span()))
    return found + [_digits(match, text) for match in _DIGITS.finditer(text) if match.start() not in taken]


def _digits(match: re.Match[str], text: str) -> Found:
    value = int(match[1])
    tail = text[match.end() : match.end() + 3].lower()
    decade = re.match(r"['’]?s\b", tail) is not None and value % 10 == 0
    nth = _said().endings.match(tail) is not None
    return Found(*match.span(), value, value + 9 * decade, "decade" if decade else "nth" if nth else "")


def _by_words(text: str, ages: Ages) -> list[Found]:
    """Numbers in words: the longest run of words that says one."""
    words = [*_WORD.finditer(text)]
    known = said(ages.words)
    found = []
    at = 0
    while at < len(words):
        for size in range(min(5, len(words) - at), 0, -1):
            value = known.get(" ".join(word[0] for word in words[at : at + size]))
            if value is not None:
                found.append(Found(words[at].start(), words[at + size - 1].end(), *value))
                at += size
                break
        else:
            one = _single(words[at], ages)
            found += [one] if one else []
            at += 1
    return found


def _single(word: re.Match[str], ages: Ages) -> Found | None:
    """A word that says an age by itself, or begins with a number."""
    start, end = word.span()
    if ages.joined and (match := ages.joined.match(word[0])):
        value = said(ages.words).get(match[1])
        if value:
            return Found(start, start + len(match[1]), value[0], value[1])
    for stem, (years, kind) in ages.stems.items():
        if word[0].startswith(stem) and len(word[0]) - len(stem) < 3:
            return Found(start, end, years, years + 9, kind)
    stage = ages.stages.get(word[0])
    return None if stage is None else Found(start, end, stage, stage)


LONGEST = 200
OVER = 89
OLDEST = 150

_MARKS = ",|-|–|/"  # between two ages
_SPACED = re.compile(r"(?<!\d)([1-9]) {1,2}(\d)(?= {0,2}[岁歲嵗])")
_ABOUT = re.compile(r"[多余餘几来來]")
_NEAR = re.compile(r"[年将將]近")
_HALF = re.compile(r"(?<=\d) ?[¼½¾]")


class _Said(NamedTuple):
    """What all languages know of ages beside their numbers: notes mix them."""

    units: re.Pattern[str]  # of less than a year, behind a number; a group for each kind
    in_a_year: tuple[int, ...]  # how many of each kind
    between: re.Pattern[str]
    youngest: re.Pattern[str]  # without a number
    general: re.Pattern[str]  # made here
    link: re.Pattern[str]
    glued: re.Pattern[str]
    endings: re.Pattern[str]


@cache
def _said() -> _Said:
    ages = [one.ages for one in shipped().values()]

    def any_of(name: str) -> str:
        return "|".join(said for each in ages if (said := getattr(each, name))) or "(?!)"

    units = [unit for each in ages for unit in each.units]
    groups = "|".join(f"({pattern})" for pattern, _ in units) or "(?!)"
    return _Said(
        re.compile(rf"[ +½-]{{0,3}}(?:{groups})", re.IGNORECASE),
        tuple(count for _, count in units),
        re.compile(rf" ?(?:{_MARKS}|{any_of('between')})? ?"),
        re.compile(rf"\b(?:{any_of('youngest')})\b", re.IGNORECASE),
        re.compile(rf"\+|{any_of('general')}"),
        re.compile(rf"(?:[ ,]+(?:{any_of('link')}))?[ ,]*$|零?$"),
        re.compile(any_of("glued")),
        re.compile(rf"(?:{any_of('endings')})\b"),
    )


def age_over(text: str, language: str = DEFAULT, limit: int = OVER) -> bool | None:
    """Whether an age, or one of several, may be more than so many whole years; None if none can be read."""
    ages = read(text, language)
    return None if ages is None else any(int(age.high) > limit for age in ages)


def generalised(text: str, language: str = DEFAULT, over: int = OVER) -> str | None:
    """The text with ages over the limit as one group, in its own form; as it stands if none is over it.

    None if no age can be read.
    """
    if len(text) < 4 and text.isascii() and text.isdigit() and int(text) <= min(over, OLDEST):  # the usual ones
        return text
    ages = read(text, language)
    if ages is None:
        return None
    plain = _plain(text)
    least = over + 1
    old = [
        age for age in ages if int(age.high) > over and not (age.low == least and _said().general.match(plain, age.end))
    ]
    if not old:
        return text
    made = _in_group(plain, _form(plain, language), ages, old, over)
    left = [age for age in read(made, language) or () if int(age.low) > least]
    return None if left else made


def capped(text: str, language: str = DEFAULT, over: int = OVER) -> str | None:
    """The text with the limit in the place of each age over it; where that cannot be said, as `generalised`."""
    plain, ages = _plain(text), read(text, language)
    old = [age for age in ages or () if int(age.high) > over]
    if not old or any(age.kind for age in old):
        return generalised(text, language, over)
    made, at = "", 0
    for age in old:
        made, at = f"{made}{plain[at : age.start]}{over}", age.end
    made += plain[at:]
    after = read(made, language)
    return made if after and all(int(age.high) <= over for age in after) else generalised(text, language, over)


def read(text: str, language: str = DEFAULT) -> list[Found] | None:
    """The ages in years that stand in a text, at the places of its folded form; less than a year is a fraction."""
    if len(text) > LONGEST:
        return None
    plain = _plain(text)
    for code in languages():
        if (born := ages_of(code).born) and (decade := born(plain.strip())) is not None:
            return _born_in(decade, len(plain))
    for each in dict.fromkeys((code_of(language), *languages())):
        found = numbers(plain, each)
        if found:
            ages = _in_years(plain, found)
            return None if any(age.low > OLDEST for age in ages) else ages  # 1931 is no age
    return [Found(0, len(plain), 0, 1.9)] if _said().youngest.search(plain) else None


def _plain(text: str) -> str:
    return _SPACED.sub(r"\1\2", fold(_HALF.sub(".5", text)).text)


def _born_in(decade: int, size: int) -> list[Found] | None:
    """Nobody born since 1960 is very old yet; of others we cannot tell."""
    return [Found(0, size, 0, 0)] if decade in (0, 10) or decade >= 60 else None


def _in_years(text: str, found: list[Found]) -> list[Found]:
    """Each number in years: by the unit behind it, or behind the next where both are in one list."""
    ages: list[Found] = []
    known = _said()
    size = 0  # of the unit behind, in a year; 0 for years
    for place in range(len(found) - 1, -1, -1):
        one = found[place]
        after = text[one.end :]
        following = text[one.end : found[place + 1].start] if place + 1 < len(found) else after
        if unit := known.units.match(after):
            size = known.in_a_year[(unit.lastindex or 1) - 1]
            ages.append(one._replace(low=one.low / size, high=one.high / size, kind="less"))
            continue
        if place + 1 == len(found) or not known.between.fullmatch(following):
            size = 0
        if size:
            ages.append(one._replace(low=one.low / size, high=one.high / size, kind="less"))
        elif _NEAR.search(text) and one.low % 10 == 0:
            ages.append(one._replace(low=one.low - 1, high=one.low - 1))
        elif _ABOUT.match(after) and one.low % 10 == 0:
            ages.append(one._replace(high=one.low + 9))
        else:
            ages.append(one)
    return ages[::-1]


def _form(text: str, language: str) -> Ages:
    """The language of the form: 72yo in a Chinese note is English."""
    code = code_of(language)
    own = ages_of(code if code in languages() else DEFAULT)
    return ages_of(own.latin) if own.latin and re.search(r"[A-Za-z]", text) else own


def _in_group(text: str, form: Ages, ages: list[Found], old: list[Found], over: int) -> str:
    least, known = over + 1, _said()
    kind = old[0].kind
    if form.whole:
        return form.whole(text, least)
    if kind in ("decade", "person"):
        return form.group(kind, least)
    pieces: list[str] = []
    at = 0
    for place, age in enumerate(ages):
        if age not in old:
            continue
        end = age.end
        while (nth := known.endings.match(text[end:])) and age.kind == "nth":
            end += nth.end()
        pieces += (text[at : age.start], _number(text[end:], age, form, least))
        at = end
        following = ages[place + 1] if place + 1 < len(ages) else None
        if following and following.kind == "less":  # 92 years and 3 months
            unit = known.units.match(text[following.end :])
            pieces.append(known.link.sub("", text[at : following.start]))
            at = following.end + (unit.end() if unit else 0)
        elif following and following.kind == "part":
            at = following.end
    return "".join((*pieces, text[at:]))


def _number(after: str, age: Found, form: Ages, least: int) -> str:
    """The limit in the place of a number, as what follows wants it."""
    if age.kind == "nth":
        return form.nth.format(least)
    if form.more and not re.match(r" ?\w{1,2}\b|[\w+-]", after):
        return form.more.format(least)
    mark = "" if _said().general.match(after) else "+"
    return f"{least}{mark}-" if _said().glued.match(after) else f"{least}{mark}"
