"""What rules of French notes can ask besides what rules of all languages can: numbers with check digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from elision.languages.base import COMMON, folder, language


def _plain(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum()).upper()


def fr_nir(text: str) -> bool:
    """Numéro de sécurité sociale: 13 signs, 97 less their rest by 97 behind them; Corsica's 2A is 19, its 2B 18."""
    plain = _plain(text)
    number = plain[:13].replace("2A", "19").replace("2B", "18")
    key = plain[13:]
    return len(plain) == 15 and number.isdecimal() and key.isdecimal() and 97 - int(number) % 97 == int(key)


_STAFF = """
médecin infirmier infirmière aide-soignant aide-soignante sage-femme pharmacien pharmacienne dentiste kinésithérapeute
psychologue interprète anesthésiste secrétaire gynécologue traitant traitante patient patiente soignant soignante
confrère consœur correspondant spécialiste pansement traitement antécédent fumeur fumeuse buveur buveuse consommateur
consommatrice joueur joueuse donneur donneuse porteur porteuse receveur receveuse intervenant intervenante tuteur
facteur collègue gérant juge surveillant responsable gestionnaire cadre docteur acteur auteur chercheur contrôleur
conservateur capteur moteur électrique opérateur représentant représentante technicien technicienne biologiste
"""


@cache
def _staff() -> frozenset[str]:
    return frozenset(_STAFF.split())


def fr_not_staff(text: str) -> bool:
    """What somebody does, and not who treats them: `médecin` alone is no profession of a patient."""
    words = re.split(r"\s+", text.lower())
    return words[-1] not in _staff() and words[0] not in _staff()


@cache
def _used() -> frozenset[str]:
    return frozenset(language("fr").words("used"))


@cache
def _given() -> frozenset[str]:
    return frozenset(name.lower() for name in language("fr").words("given-names"))


@cache
def _short() -> frozenset[str]:
    return frozenset(folder(COMMON, "rules", "abbreviations.txt").read_text("utf-8").split())


def fr_name_word(text: str) -> bool:
    """No word of the language alone, and no abbreviation of medicine among its words."""
    words = [word.strip(",.()") for word in text.split()]
    if not words or words[0] in _TITLES or any(word in _short() or word in _MORE_SHORT for word in words):
        return False
    return not all(word.lower() in _used() and word.lower() not in _given() for word in words)


def fr_titled(text: str) -> bool:
    """No title and no abbreviation of medicine, behind a title."""
    words = [word.strip(",.()") for word in text.split()]
    return (
        bool(words) and words[0] not in _TITLES and not any(word in _short() or word in _MORE_SHORT for word in words)
    )


def fr_given_alone(text: str) -> bool:
    """A first name that is no word of the language, no eponym, no town and no country."""
    first = next(iter(text.split()), "")
    return fr_name_word(text) and first.lower() not in _used() and first not in _elsewhere()


@cache
def _elsewhere() -> frozenset[str]:
    french = language("fr")
    return frozenset(word for name in ("eponyms", "all-towns", "countries") for word in french.words(name))


def fr_place_word(text: str) -> bool:
    """No word of the language, no given name and no drug: what may be a town."""
    word = text.lower()
    drugs = folder(COMMON, "rules", "drugs.txt")
    return word not in _used() and word not in _given() and word not in _lower(str(drugs)) and word not in _FEASTS


@cache
def _lower(path: str) -> frozenset[str]:
    return frozenset(line.lower() for line in Path(path).read_text("utf-8").splitlines())


_TITLE_WORDS = "Dr Dre Drs Pr Pre Mme Mlle M Me Mr Docteur Docteure Professeur Madame Monsieur le la"
_FEAST_WORDS = "noël pâques toussaint pentecôte madame monsieur mademoiselle docteur maman papa dieu"
_SHORT_WORDS = """
IRM TDM HTA BPCO AVC SAMU SMUR CHU CHR CHUV HUG ECG EEG EMG ETT ETO NFS CRP BHC PL OMI MMS EVA RAS ATCD TTT DDN IPP
NIP NIR RPPS IDE IADE IAO SAU USI USIC HDJ SSR MCO EHPAD EMS NAM RAMQ NISS AVS IDM OAP AOMI IRC HBPM AVK AINS AS AM
TS SF IDEC PAB PMI RCP KC ACR TA DCD AW SMS OK GPS OPPQ ADELI INF PM AAT TEP-TDM IPA SSIAD MT CPAS CCAS HAD VVP VVC
KTC PICC SNG GEU IVG IMG DPNI FCS CAT UHCD AES BMR SARM COVID VRS MEOPA PCA GEP BU ECBU
"""
_TITLES = frozenset(_TITLE_WORDS.split())
_FEASTS = frozenset(_FEAST_WORDS.split())
_MORE_SHORT = frozenset(_SHORT_WORDS.split())

CHECKS: Mapping[str, Callable[[str], bool]] = {
    "fr-nir": fr_nir,
    "fr-not-staff": fr_not_staff,
    "fr-name-word": fr_name_word,
    "fr-titled": fr_titled,
    "fr-given-alone": fr_given_alone,
    "fr-place-word": fr_place_word,
}
