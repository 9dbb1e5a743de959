"""Stand-ins for numbers and codes: of the same form, valid as the original is, the same however it is set apart."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.replace.checked import KINDS, kinds_of
from elision.replace.codes import LONGEST, code
from elision.rules.checks import CHECKS
from tests.replace.pack_hits import hits, scope

IDS = (
    "NATIONAL_ID", "MEDICAL_RECORD", "ENCOUNTER_ID", "HEALTH_PLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE",
    "BIOMETRIC", "ID_OTHER",
)  # fmt: skip

# A valid number of each kind of check, its label, and what stays of it.
VALID = [
    ("luhn", "ACCOUNT", "4945 8073 0215 7365", "4... .... .... ...."), ("luhn", "DEVICE", "350988609372794", "3.{14}"),
    ("iban", "ACCOUNT", "GB27 QRTZ 6016 1331 9268 19", r"GB\d\d [A-Z]{4} \d{4} \d{4} \d{4} \d\d"),
    ("iban", "ACCOUNT", "nl90 zorg 0417 1643 01", r"nl\d\d [a-z]{4} \d{4} \d{4} \d\d"),
    ("us-ssn", "NATIONAL_ID", "219-09-4417", r"[1-8]\d\d-\d\d-\d{4}"),
    ("us-mbi", "HEALTH_PLAN", "1EG4-TE5-MK73", r"\d[A-Z]{2}\d-[A-Z]{2}\d-[A-Z]{2}\d\d"),
    ("us-npi", "LICENSE", "1725561546", r"1\d{9}"), ("us-dea", "LICENSE", "BK5205201", r"B[A-Z]\d{7}"),
    ("us-aba", "ACCOUNT", "071048130", r"\d{9}"), ("gb-nhs", "MEDICAL_RECORD", "275 217 4888", r"\d{3} \d{3} \d{4}"),
    ("gb-chi", "MEDICAL_RECORD", "210798 1051", r"[0-3]\d[01]\d{3} \d{4}"),
    ("au-medicare", "HEALTH_PLAN", "3412 41876 2-1", r"[2-6]\d{3} \d{5} \d-\d"),
    ("au-tfn", "NATIONAL_ID", "433 719 773", r"\d{3} \d{3} \d{3}"),
    ("es-dni", "NATIONAL_ID", "09.377.412-J", r"\d\d\.\d{3}\.\d{3}-[A-Z]"),
    ("es-dni", "NATIONAL_ID", "X4471920F", r"[XYZ]\d{7}[A-Z]"),
    ("es-nss", "NATIONAL_ID", "28/31447705/51", r"\d\d/\d{8}/\d\d"), ("nl-bsn", "NATIONAL_ID", "111222333", r"\d{9}"),
    ("be-national", "NATIONAL_ID", "85.07.30-033.28", r"\d\d\.[01]\d\.[0-3]\d-\d\d[13579]\.\d\d"),
    ("cn-resident", "NATIONAL_ID", "11010519491231002X", r"[1-6]\d{5}(?:19|20)\d{6}\d{2}[02468]X"),
    ("tw-id", "NATIONAL_ID", "A123456789", r"[A-Z]1\d{8}"), ("hk-id", "NATIONAL_ID", "G123456(A)", r"[A-Z]\d{6}\(A\)"),
    ("vin-us", "VEHICLE", "1HGCM82613A004351", r"\d[A-Z]{4}\d{5}[A-Z]\d{6}"),
    ("ar-cuit", "NATIONAL_ID", "27-31448820-8", r"27-\d{8}-\d"),
    ("cl-rut", "NATIONAL_ID", "12.448.903-2", r"\d\d\.\d{3}\.\d{3}-\d"),
    ("cl-rut", "NATIONAL_ID", "1000005-K", r"\d{7}-K"),
    ("mx-curp", "NATIONAL_ID", "TURL880415HDFRXS05", r"[A-Z][AEIOU][A-Z]{2}\d{6}H[A-Z]{5}\d\d"),
    ("tw-business", "ACCOUNT", "22099131", r"\d{8}"),
    ("cn-credit", "ID_OTHER", "91350100M000100Y43", r"\d{8}[A-Z]\d{6}[A-Z]\d\d"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "label", "text", "form"), VALID)
def test_valid_numbers_stay_valid(check: str, label: str, text: str, form: str) -> None:
    assert CHECKS[check](text)
    for patient in map(str, range(40)):
        made = code(text, scope(patient), label)
        assert made
        assert made != text
        assert CHECKS[check](made), made
        assert re.fullmatch(form, made), made


@pytest.mark.parametrize(("check", "label", "text", "form"), VALID)
def test_by_policy_they_are_valid_never(check: str, label: str, text: str, form: str) -> None:
    for patient in map(str, range(10)):
        made = code(text, scope(patient), label, valid=False)
        assert made
        assert not CHECKS[check](made), made


def test_every_kind_has_a_case() -> None:
    assert {kind.check for kind in KINDS} - {"vin"} == {check for check, *_ in VALID}


FORMS = [
    ("MRN: 12-345", "MEDICAL_RECORD", r"MRN: [1-9]\d-\d{3}"), ("MRN#0012345", "MEDICAL_RECORD", r"MRN#\d{7}"),
    ("S-441A/2020", "ID_OTHER", r"[A-Z]-[1-9]?\d+[A-Z]/\d{4}"), ("rvx-208841H", "DEVICE", r"[a-z]{3}-\d{6}[A-Z]"),
    ("ＡＢ１２３", "MEDICAL_RECORD", r"[Ａ-Ｚ]{2}[０-９]{3}"), ("٤٤١٧", "ID_OTHER", r"[٠-٩]{4}"),
    ("xxx-xx-4417", "NATIONAL_ID", r"xxx-xx-\d{4}"),
    ("***-**-0113", "NATIONAL_ID", r"\*{3}-\*\*-\d{4}"),
    ("00:1B:44:11:3a:b7", "DEVICE", r"\d\d:\d[A-F]:\d\d:\d\d:\d[a-f]:[a-f]\d"),
    ("001b.4411.3ab7", "DEVICE", r"\d{3}[a-f]\.\d{4}\.\d[a-f]{2}\d"), ("京A·12345", "VEHICLE", r"[^A-Z\d][A-Z]·\d{5}"),
    ("(01)08714729999417(17)260831(10)LT4471", "DEVICE", r"\(01\)\d{14}\(17\)\d{6}\(10\)[A-Z]{2}\d{4}"),
    ("住院号一二三四五", "MEDICAL_RECORD", r"住院号[零一二三四五六七八九]{5}"), ("SN 4417", "DEVICE", r"SN \d{4}"),
    ("JSMITH.4417", "ID_OTHER", r"(?!JSMITH)[A-Z]{6}\.\d{4}"), ("ñandú-7", "ID_OTHER", r"[a-z]{5}-\d"),
    ("PEMA530901-2B7", "NATIONAL_ID", r"[A-Z]{4}\d\d[01]\d[0-3]\d-\d[A-Z]\d"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "label", "form"), FORMS)
def test_the_form_stays(text: str, label: str, form: str) -> None:
    for patient in map(str, range(10)):
        made = code(text, scope(patient), label)
        assert made
        assert made != text
        assert re.fullmatch(form, made), made


SAME = [
    ["12-345", "12345", "12 345", "MRN: 12345", "１２３４５"], ["28/31447705/51", "283144770551", "28-31447705-51"],
    ["ab-417", "AB417", "Ab 417"], ["00:1B:44:11:3A:B7", "001b.4411.3ab7"], ["一二三四", "1234"],
]  # fmt: skip


@pytest.mark.parametrize("texts", SAME)
def test_the_same_code_has_the_same_stand_in(texts: list[str]) -> None:
    made = {re.sub(r"[\W_]", "", standard(code(text, scope(), "MEDICAL_RECORD"))).upper() for text in texts}
    assert len(made) == 1
    apart = [code(texts[0], other, "MEDICAL_RECORD") for other in (scope("patient:2"), scope(key=2))]
    assert standard(apart[0]) not in made
    assert apart[0] != apart[1]


def standard(text: str | None) -> str:
    assert text
    chinese = str.maketrans("零一二三四五六七八九１２３４５６７８９０", "01234567891234567890")
    return text.removeprefix("MRN: ").translate(chinese)


@pytest.mark.parametrize(
    ("text", "days", "dated"),
    [
        ("TURL880415HDFRXS05", 3, r".{4}880418.{8}"), ("TURL880415HDFRXS05", -40, r".{4}880306.{8}"),
        ("11010519491231002X", 1, r".{6}19500101.{4}"), ("PEMA530901-2B7", 30, r".{4}531001-.{3}"),
        ("85.07.30-033.28", 2, r"85\.08\.01-.{6}"), ("210798 1051", -21, r"300698 .{4}"),
        ("11010520000228019X", 1, r".{6}20000229.{4}"),
    ],
)  # fmt: skip
def test_a_birth_date_inside_moves_with_the_others(text: str, days: int, dated: str) -> None:
    made = code(text, scope(), "MEDICAL_RECORD" if "1051" in text else "NATIONAL_ID", days=days)
    assert made
    assert re.fullmatch(dated, made), made


@pytest.mark.parametrize("text", ["", " ", "--", "***", "אבג123", "МРН123", "號", "1" * (LONGEST + 1), "MRN:", "😀"])
def test_what_cannot_be_replaced_is_masked(text: str) -> None:
    assert code(text, scope(), "ID_OTHER") is None


def test_every_hit_of_the_packs() -> None:
    found = hits(*IDS)
    assert len(found) > 800
    for language, label, text in found:
        made = code(text, scope(language=language), label)
        assert made, text
        assert made != text
        assert len(made) == len(text)
        plain, drawn = (re.sub(r"[\W_]", "", one).upper() for one in (text, made))
        for kind in kinds_of(plain, label):
            assert not plain.isascii() or kind.fits(drawn), (text, made)


def test_what_is_forbidden_is_not_used() -> None:
    first = code("12345", scope(), "ID_OTHER")
    second = code("12345", replace(scope(), forbidden=lambda made: made == first), "ID_OTHER")
    assert second
    assert second not in (first, "12345")
    assert code("12345", replace(scope(), forbidden=lambda _: True), "ID_OTHER") is None


def test_two_keys_agree_no_more_than_by_chance() -> None:
    codes = [f"{number:07}" for number in range(1_000_000, 1_003_000)]
    first, second = ([code(text, scope(key=key), "MEDICAL_RECORD") for text in codes] for key in (1, 2))
    assert sum(a == b for a, b in zip(first, second, strict=True)) < 3
    assert len(set(first)) > 2_990


CHARACTERS = "0123456789AZaz-/ .:#()xñÑéÀß１Ａａ李一〇京٣אжΩ\0\n\u200b\u0301😀𝟏½²ªºǅ"


@given(
    st.text(st.sampled_from(CHARACTERS), max_size=40),
    st.sampled_from([*IDS, "OTHER"]),
    st.booleans(),
    st.integers(1, 5),
)
def test_never_the_original_and_never_an_error(text: str, label: str, valid: bool, patient: int) -> None:
    made = code(text, scope(str(patient)), label, valid=valid, days=patient * 1000)
    assert made == code(text, scope(str(patient)), label, valid=valid, days=patient * 1000)
    if made is not None:
        assert made != text
        assert len(made) == len(text)
        for old, new in zip(text, made, strict=True):
            assert old.isalpha() == new.isalpha() or old in "一〇"
            assert old == new or (old.isdecimal() == new.isdecimal() and old.islower() == new.islower())


@given(st.text(max_size=300), st.sampled_from(IDS))
def test_any_text_at_all(text: str, label: str) -> None:
    made = code(text, scope(), label)
    assert made is None or (made != text and len(made) == len(text))
