"""Which of the identifiers that were found stay in a note as they are, because its policy says so.

A label that is kept, where a place is surely one; ages up to the limit, weekdays and years alone, where the policy
keeps these. All else is replaced, and must not remain.

India, Georgia and Kenya are people, too. So kept is what stands in a note as places do: in Kenya, from Georgia, Duluth,
MN 55805. What stands beside a name, or is one elsewhere in the note, is not; and a word that people are called by needs
such a sign.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property, lru_cache

from elision.detect.lists import PARTICLES, is_listed
from elision.detect.markup import bare
from elision.document import Document, Span
from elision.labels import parent
from elision.languages.base import DEFAULT
from elision.policy import REST, Policy
from elision.replace.ages import OVER, age_over
from elision.replace.long_lives import Life
from elision.replace.originals import plain
from elision.text.characters import has_han

LABELS = frozenset(("CITY", "STATE", "COUNTRY"))
_BEFORE = 48  # characters before a place in which a sign may stand
# Not here is what people are followed by as well: transferred to Georgia, a message from Virginia, via Kenya.
_SURE = re.compile(
    r"""(?ix) (?: \b(?:
        (?:living|lives?|lived|born|raised|resid\w+|based|stationed|deployed|works?|worked|served|is|was|while
           |travel\w*|vacation\w*|holiday|studied|grew\ up|bought|hospitali[sz]ed|treated|diagnosed|hospital|clinic
           |home)\ in
        |(?:rural|northern|southern|eastern|western|central|upstate|mainland)
        |(?:he|she|they|who|pt|patient|family|parents|mother|father|husband|wife|man|woman|male|female|student|worker
           |refugee|immigrant)\ (?:(?:is|was|are|were|comes?|came|hails?)\ )?(?:originally\ )?from
        |(?:originally|moved|emigrated|immigrated|visiting|returned|arrived|relocated|flew|home|back)\ from
        |(?:trips?|travel\w*|moved|flew|emigrated|immigrated|relocated|deployed|flight)\ (?:back\ )?to
        |(?:the\ state|province|native|resident|citizen|republic|kingdom|islands?|city|town)\ of
        |(?:vive|viven|vivió|vivía|nacid[oa]|nació|reside|residente|residencia|estancia|domiciliad[oa]|trabaj\w+
           |viaj\w+|vacaciones|hospital)\ en
        |(?:natural|procedente|originari[oa]|oriund[oa]|provincia|comunidad|regresó|viene|ciudad)\ de
        |(?:viajes?|viajó|emigró|regresó|vuelo)\ a
        |(?:woont|woonde|woonachtig|wonende|geboren|verblijf\w*|opgegroeid|werkt|werkte|vakantie|ziekenhuis)\ (?:in|te)
        |(?:van)?uit|desde|llegad[oa]\ (?:de|a)
        |(?:reis|reizen|reisde|verhuisd|verhuisde|vakantie|vlucht|vloog|terug)\ naar
        |provincie )
        (?:\ (?:the|la|el|las|los|de|het|een|northern|southern|eastern|western|rural|central|noord|zuid))?
    | \b(?:state|country|birthplace|place\ of\ birth|birth\ country|country\ of\ (?:birth|origin)|nationality
        |estado|provincia|pa[ií]s|pa[ií]s\ de\ (?:origen|nacimiento)|lugar\ de\ nacimiento
        |land|geboorteland|geboorteplaats|land\ van\ herkomst|city|town|ciudad|localidad|municipio|plaats|woonplaats)
        \ ?[:：]
    ) \s*\Z"""
)
_IN = re.compile(
    r"(?i)(?<!\w)(?P<who>(?:trust|confid|faith|belie[fv]|interest|check|bring|call|let|come|came|drop|chim|vertrouw|geloof"
    r"|interesse|conf[ií]|piens|pens|cre[eoy]|apoy)\w*\s+(?:\w+\s+)?)?(?:in|en|te)\s+\Z"
)
_OWNS = re.compile(r"['’´]s?\b")
_JOINED = re.compile(r"[ \t]*[,/(][ \t]*|[ \t]+")
_NAME_FOLLOWS = re.compile(r"[ \u00a0]+(?:[A-Z]\.[ ]?)?[^\W\d_a-z][\w'’-]*[^\W\d_A-Z]\b(?! ?[:：])")
_WORD = re.compile(r"[^\W\d_]+")
# Nobody is called so, whatever follows: New Mexico, Costa Rica.
_NOBODY = re.compile(
    r"(?:new|nuev[ao]|north|south|east|west|united|costa|cabo|ivory|noord|zuid|oost|santa|republi\w+|provinci\w+|county)\b"
)
_LONG = 5  # letters of a word from which on, if nobody is called so, it needs no sign
_NAMED_SO = 3  # letters of a word that, where it is in a name of the note, makes a place doubtful


class Places:
    """The places of a note, and who in it may be meant by them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._spans = sorted(document.spans, key=lambda span: (span.start, span.end))
        self._starts = [span.start for span in self._spans]

    def surely(self, span: Span) -> bool:
        """Whether a span that is labelled as a place may stay in the note as it is."""
        text, place = self._document.text, plain(bare(self._document.text_of(span)))
        at = bisect_left(self._starts, span.start)
        last = self._spans[at - 1] if at else None
        following = self._spans[at + 1] if at + 1 < len(self._spans) else None
        for other in (last, following):
            if other and parent(other.label) == "NAME" and not _between(text, span, other).strip(" \t\u00a0.-"):
                return False
        if has_han(place):
            return place not in self._han
        if self._words & frozenset(_WORD.findall(place)):
            return False
        before, after = text[max(0, span.start - _BEFORE) : span.start], text[span.end : span.end + _BEFORE]
        called = _people_are_called(place)
        if called and _OWNS.match(after):
            return False
        if _NAME_FOLLOWS.match(after) and not (
            following and parent(following.label) == "LOCATION" and not _between(text, span, following).strip()
        ):
            return False
        if not called and (len(place) >= _LONG or " " in place):
            return True
        if _SURE.search(before) or any(other and self._beside(span, other) for other in (last, following)):
            return True
        within = _IN.search(before)  # in Kenya, and not: trust in Kenya
        return within is not None and not within["who"]

    def _beside(self, span: Span, other: Span) -> bool:
        """Duluth, MN 55805: what stands beside another place, with no more than a comma between. Jordan, Chad may be
        two people, and so vouch for each other only as a town and its country do."""
        if parent(other.label) != "LOCATION" or not _JOINED.fullmatch(_between(self._document.text, span, other)):
            return False
        if other.label not in LABELS or (other.label != span.label and "CITY" in (other.label, span.label)):
            return True
        return not _people_are_called(plain(bare(self._document.text_of(other))))

    @cached_property
    def _names(self) -> list[str]:
        spans = (span for span in self._spans if parent(span.label) == "NAME" and span.label != "INITIALS")
        return [plain(bare(self._document.text_of(span))) for span in spans]

    @cached_property
    def _words(self) -> frozenset[str]:
        words = (word for name in self._names for word in _WORD.findall(name))
        return frozenset(word for word in words if len(word) >= _NAMED_SO and word not in PARTICLES)

    @cached_property
    def _han(self) -> frozenset[str]:
        """What a Chinese name may be called by: all of it, or what stands behind the first character or two."""
        return frozenset(name[cut:] for name in self._names if has_han(name) for cut in (0, 1, 2))


def _between(text: str, one: Span, two: Span) -> str:
    return text[min(one.end, two.end) : max(one.start, two.start)]


@lru_cache(maxsize=1024)
def _people_are_called(place: str) -> bool:
    """Whether a word of a place is a given name or a surname in public lists."""
    words = (word for word in _WORD.findall(place) if word not in PARTICLES)
    return not _NOBODY.match(place) and any(map(is_listed, words))


class Staying:
    """Tells of each span of a note whether it stays as it is."""

    def __init__(self, document: Document, policy: Policy, denied: Callable[[Span], bool] | None = None) -> None:
        """What is `denied` stays never."""
        self._document = document
        self._policy = policy
        self._denied = denied
        self._dates = "keep" in (policy.weekdays, policy.years)

    def __call__(self, span: Span) -> bool:
        policy = self._policy
        rule = policy.rule(span.label)
        if self._denied and self._denied(span):
            return False
        if rule.do == "keep":
            return span.label not in LABELS or self._places.surely(span)
        text, language = bare(self._document.text_of(span)), self._document.language or DEFAULT
        if span.label == "AGE" and policy.ages == "keep":
            return age_over(text, language, rule.over) is False
        if self._dates and parent(span.label) == "DATE":
            kind = _says_only(text, language)
            if kind == "y" and policy.years == "keep":
                return not self.life.tells(span)
            return kind == "w" and policy.weekdays == "keep"
        return False

    @cached_property
    def life(self) -> Life:
        rule = self._policy.rules.get("AGE") or self._policy.rules.get(REST)
        return Life(self._document, rule.over if rule else OVER)

    @cached_property
    def _places(self) -> Places:
        return Places(self._document)


def _says_only(text: str, language: str) -> str:
    """The role of all fields of a date, if they have one: w for weekdays, y for years; "" otherwise."""
    from elision.replace.dates import read

    found = read(text, language)
    roles = {field.role for field in found.fields} if found else set()
    return roles.pop() if len(roles) == 1 else ""
