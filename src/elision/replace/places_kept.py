"""Whether a place that a policy keeps is surely a place: India, Georgia and Kenya are people, too.

Kept is what stands in a note as places do: in Kenya, from Georgia, Duluth, MN 55805. What stands beside a name, or is
one elsewhere in the note, is not; and a word that people are called by needs such a sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from elision.document import Document, Span
from elision.labels import parent
from elision.replace.originals import plain

LABELS = frozenset(("CITY", "STATE", "COUNTRY"))
_BEFORE = 48  # characters before a place in which a sign may stand
_SURE = re.compile(
    r"""(?ix) (?: \b(?:
        (?:living|lives?|lived|born|raised|resid\w+|based|stationed|deployed|works?|worked|served|is|was|while
           |travel\w*|vacation\w*|holiday|studied|grew\ up|bought|hospitali[sz]ed|treated|diagnosed|hospital|clinic
           |home)\ in
        |(?:rural|northern|southern|eastern|western|central|upstate|mainland|near|throughout|across|outside|via|within)
        |(?:is|was|are|were|originally|moved|emigrated|immigrated|came|comes|native|visiting|returned|arrived|refugee
           |relocated|flew|family|parents)\ from
        |(?:trips?|travel\w*|moved|flew|returned|emigrated|immigrated|relocated|visits?|went|transferred|deployed)\ to
        |(?:state|province|native|resident|citizen|republic|kingdom|islands?|city|town)\ of
        |(?:vive|viven|vivió|vivía|nacid[oa]|nació|reside|residente|residencia|estancia|domiciliad[oa]|trabaj\w+
           |viaj\w+|vacaciones|hospital)\ en
        |(?:natural|procedente|originari[oa]|oriund[oa]|vecin[oa]|provincia|estado|comunidad|regresó|viene|ciudad)\ de
        |(?:viajes?|viajó|emigró|regresó|vuelo|trasladad[oa])\ a
        |(?:woont|woonde|woonachtig|wonende|geboren|verblijf\w*|opgegroeid|werkt|werkte|vakantie|ziekenhuis)\ (?:in|te)
        |(?:afkomstig|komt|kwam|gevlucht|terug)\ uit
        |(?:reis|reizen|reisde|verhuisd|verhuisde|vakantie|vlucht|vloog|terug)\ naar
        |provincie )
        (?:\ (?:the|la|el|las|los|de|het|een|northern|southern|eastern|western|rural|central|noord|zuid))?
    | \b(?:state|country|birthplace|place\ of\ birth|birth\ country|country\ of\ (?:birth|origin)|nationality
        |estado|provincia|pa[ií]s|pa[ií]s\ de\ (?:origen|nacimiento)|lugar\ de\ nacimiento
        |land|geboorteland|geboorteplaats|land\ van\ herkomst|city|town|ciudad|localidad|municipio|plaats|woonplaats)
        \ ?[:：]
    ) \s*$"""
)
_IN = re.compile(r"(?i)\b(?:in|en|te)\s+$")
_ZIP = re.compile(r"[,.]?[ \t]+\d{5}(?:-\d{4})?\b")
_JOINED = re.compile(r"[ \t]*[,/(][ \t]*|[ \t]+")
_NAME_FOLLOWS = re.compile(r"[ \u00a0]+(?:[A-Z]\.[ ]?)?[^\W\d_a-z][\w'’-]*[^\W\d_A-Z]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LONG = 5  # letters of a word from which on, if nobody is called so, it needs no sign


def surely_a_place(document: Document, span: Span) -> bool:
    """Whether a span that is labelled as a place may stay in a note as it is."""
    text, place = document.text, document.text_of(span)
    before, after = text[max(0, span.start - _BEFORE) : span.start], text[span.end : span.end + _BEFORE]
    words = frozenset(plain(place).split())
    for other in document.spans:
        if parent(other.label) != "NAME":
            continue
        if words & frozenset(plain(document.text_of(other)).replace(",", " ").split()):
            return False
        between = text[min(other.end, span.end) : max(other.start, span.start)]
        if not between.strip(" \t\u00a0.-"):
            return False
    if _HAN.search(place):
        return True
    neighbours = {other.start: other for other in document.spans if parent(other.label) == "LOCATION"}
    if _NAME_FOLLOWS.match(after) and not any(
        other.start > span.start and not text[span.end : other.start].strip() for other in neighbours.values()
    ):
        return False
    if _SURE.search(before) or _ZIP.match(after) or _beside_a_place(text, span, neighbours.values()):
        return True
    called = _people_are_called(words)
    if _IN.search(before):  # in Kenya: but "trust in Georgia"
        return True
    return not called and (len(words) > 1 or len(place) >= _LONG)


def _beside_a_place(text: str, span: Span, places: Iterable[Span]) -> bool:
    """Duluth, MN: what stands behind another place, or before one, with no more than a comma between."""
    for other in places:
        if other.end <= span.start and _JOINED.fullmatch(text[other.end : span.start]):
            return True
        if other.start >= span.end and _JOINED.fullmatch(text[span.end : other.start]):
            return True
    return False


def _people_are_called(words: Iterable[str]) -> bool:
    """Whether one of these words is a given name or a surname in public lists."""
    from elision.vectors.groups import listed_as

    return any("G" in kind or "S" in kind for kind in listed_as(tuple(words)))
