"""Names in Latin letters by where they come from: faker's lists, and ours where faker has none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache

from elision.languages.base import COMMON, folder
from elision.languages.synth import Names
from elision.languages.synth_lists import faker_words

# Origin -> locales of faker. Origins of names.toml need no row here; where both are, they are joined.
LOCALES: Mapping[str, tuple[str, ...]] = {
    "us": ("en_US",), "gb": ("en_GB",), "ie": ("en_IE",), "nz": ("en_NZ",), "in": ("en_IN",), "pk": ("en_PK",),
    "ng": ("yo_NG", "ig_NG", "ha_NG"), "gh": ("tw_GH",), "ke": ("en_KE",), "za": ("zu_ZA",), "es": ("es_ES",),
    "mx": ("es_MX",), "co": ("es_CO",), "ar_latin": ("es_AR",), "cl": ("es_CL",), "ca": ("es_CA",), "pt": ("pt_PT",
    "pt_BR"),
    "fr": ("fr_FR",), "dz": ("fr_DZ",), "de": ("de_DE", "de_AT"), "nl": ("nl_NL",), "be": ("nl_BE",), "it": ("it_IT",),
    "pl": ("pl_PL",), "cz": ("cs_CZ",), "hu": ("hu_HU",), "ro": ("ro_RO",), "hr": ("hr_HR", "sl_SI"), "se": ("sv_SE",),
    "no": ("no_NO", "da_DK"), "fi": ("fi_FI",), "tr": ("tr_TR",), "id": ("id_ID",), "jp": ("ja_JP",),
    "th": ("en_TH",), "vi": (), "ko": (), "zh": (), "ar": (), "so": (), "et": (), "ph": (), "fa": (), "gr": (),
    "ru": (),
    "pacific": (), "indigenous": (), "he": (),
}  # fmt: skip
_LATIN = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ][A-Za-zÀ-ɏḀ-ỿ' ’-]*")
_GIVEN = {
    "f": ("first_names_female", "first_romanized_names_female"),
    "m": ("first_names_male", "first_romanized_names_male"),
}
_EITHER = ("first_names", "first_names_unisex")
_FAMILY = ("last_names", "last_names_female", "last_names_male", "male_last_names", "unisex_last_names",
"last_romanized_names")  # fmt: skip


def _latin(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if _LATIN.fullmatch(word) and word not in ("John", "Jane", "Doe"))


@cache
def _own() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(folder(COMMON, "synth-names.toml").read_text("utf-8"))


@cache
def names_of(origin: str) -> Names:
    """The names of an origin; faker's lists without gender serve for both."""
    found: dict[str, tuple[str, ...]] = {"female": (), "male": (), "family": ()}
    for locale in LOCALES[origin]:
        female = _latin(faker_words("person", locale, *_GIVEN["f"]))
        male = _latin(faker_words("person", locale, *_GIVEN["m"]))
        either = () if female and male else _latin(faker_words("person", locale, *_EITHER))
        found["female"] += female or either
        found["male"] += male or either
        found["family"] += _latin(faker_words("person", locale, *_FAMILY))
    for kind, listed in _own().get(origin, {}).items():
        found[kind] += tuple(listed.split())
    return Names(found["female"], found["male"], found["family"])
