"""The 1,000 prefixes of ZIP codes, and what is no ZIP code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.replace.postcodes import allowed, vintage, zip3

_LISTED = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
_POPULOUS = """
352 995 850 722 900 802 061 198 200 331 303 968 837 606 462 503 672 402 701 041 212 021 482 554 392 631 591 681 891 031
071 871 100 276 581 432 731 972 191 029 292 571 372 770 841 054 232 981 253 532 820 009
"""
_HOMELESS = "000 001 004 005 055 090 099 192 204 213 340 888 899 962 966 987"
# HHS's guidance of 2012 names these 17, after the census of 2000.
RESTRICTED = set(_LISTED.split())
# One prefix of each state, Washington, and Puerto Rico, where many live.
BIG = set(_POPULOUS.split())
NOBODY = set(_HOMELESS.split())


@pytest.mark.parametrize("number", range(1000))
def test_each_prefix(number: int) -> None:
    prefix = f"{number:03}"
    stays = zip3(f"{prefix}44")
    assert stays == (prefix if prefix in allowed() else "000")
    assert zip3(f"{prefix}44-0417") == stays
    if prefix in RESTRICTED or prefix in NOBODY:
        assert stays == "000"
    if prefix in BIG:
        assert stays == prefix


def test_how_many_stay() -> None:
    assert len(RESTRICTED) == 17
    assert len(BIG) == 52
    assert not allowed() & {*RESTRICTED, *NOBODY}
    assert len(allowed()) == 882
    assert vintage() == "2000"


@pytest.mark.parametrize(
    ("text", "language", "stays"),
    [
        ("02139", "en", "021"), ("02139-4307", "en-US", "021"), ("021394307", "", "021"), (" 02139 ", "en", "021"),
        ("０２１３９", "en", "021"), ("02139", "es-US", "021"), ("02139", "zh_US", "021"), ("03602", "en", "000"),
        ("28911", "es", None), ("02139", "en-GB", None), ("02139", "en-AU", None), ("2000", "en", None),
        ("1011 AB", "nl", None), ("K1A 9Z9", "en", None), ("QX4 7JB", "en", None), ("WI 53618", "en", None),
        ("", "en", None), ("021", "en", None), ("02139-43", "en", None), ("0" * 5000, "en", None),
    ],
)  # fmt: skip
def test_what_is_written(text: str, language: str, stays: str | None) -> None:
    assert zip3(text, language) == stays


@given(st.text(st.sampled_from("0123456789- ０１٣A\n"), max_size=14), st.sampled_from(["en", "es", "en-GB", ""]))
def test_never_more_than_three_digits_stay(text: str, language: str) -> None:
    stays = zip3(text, language)
    assert stays is None or (len(stays) == 3 and stays.isascii() and stays.isdigit())
