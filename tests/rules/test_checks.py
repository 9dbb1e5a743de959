"""Checksums and calendars, against numbers whose check digits were worked out by hand or are published as examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.rules.checks import CHECKS

RIGHT = [
    ("luhn", "4111 1111 1111 1111"), ("luhn", "79927398713"),
    ("iban", "GB82 WEST 1234 5698 7654 32"), ("iban", "NL91ABNA0417164300"), ("iban", "ES91 2100 0418 4502 0005 1332"),
    ("us-ssn", "123-45-6789"), ("us-mbi", "1EG4-TE5-MK73"), ("us-npi", "1234567893"),
    ("gb-nhs", "943 476 5919"), ("au-medicare", "2123 45670 1"), ("au-tfn", "123 456 782"),
    ("es-dni", "12345678Z"), ("es-dni", "X1234567L"), ("es-nss", "281234567840"),
    ("it-codice-fiscale", "RSSMRA85T10A562S"), ("it-partita-iva", "00743110157"), ("ch-ahv", "756.9217.0769.85"),
    ("nl-bsn", "111222333"), ("nl-be-phone", "02/511.22.33"), ("nl-be-phone", "0475 12 34 56"),
    ("be-national", "85.07.30-033.28"),
    ("cn-resident", "11010519491231002X"), ("tw-id", "A123456789"), ("hk-id", "G123456(A)"),
    ("pt-nif", "234 567 899"), ("pt-niss", "12044718204"), ("pt-cc", "11820447 5 ZX6"), ("br-cpf", "774.118.036-34"),
    ("br-cnpj", "11.820.447/0001-23"), ("br-cns", "702 4086 1173 9903"), ("br-pis", "120.44771.82-0"),
    ("ipv4", "192.0.2.1"), ("some-digit", "a1"),
    ("date-dmy", "31/12/2020"), ("date-dmy", "29-2-2020"), ("date-dmy", "1.5"), ("date-mdy", "12/31/2020"),
    ("date-any", "12/31/20"), ("date-any", "31/12/20"), ("date-ymd", "2020-02-29"), ("date-ymd", "2020年1月2日"),
]  # fmt: skip
WRONG = [
    ("luhn", "4111 1111 1111 1112"), ("luhn", "0000"), ("luhn", ""), ("iban", "GB83 WEST 1234 5698 7654 32"),
    ("iban", "XX"), ("us-ssn", "000-45-6789"), ("us-ssn", "666-45-6789"), ("us-ssn", "923-45-6789"),
    ("us-ssn", "123-00-6789"), ("us-ssn", "123-45-0000"), ("us-mbi", "1SG4-TE5-MK73"), ("us-npi", "1234567890"),
    ("gb-nhs", "943 476 5918"), ("gb-nhs", "0000000000"), ("au-medicare", "2123 45671 1"),
    ("au-medicare", "7123456701"),
    ("au-tfn", "123 456 783"), ("es-dni", "12345678A"), ("es-dni", "X12345678L"), ("es-nss", "281234567841"),
    ("it-codice-fiscale", "RSSMRA85T10A562T"), ("it-partita-iva", "00743110158"), ("ch-ahv", "756.9217.0769.86"),
    ("nl-bsn", "111222334"), ("nl-be-phone", "06 1234567"), ("nl-be-phone", "00 12345678"),
    ("nl-bsn", "000000000"), ("be-national", "85.07.30-033.29"),
    ("be-national", "85.13.30-033.28"),
    ("cn-resident", "110105194912310021"), ("cn-resident", "11010519491331002X"), ("tw-id", "A123456788"),
    ("hk-id", "G123456(3)"), ("vin", "11111111111111111"), ("ipv4", "192.0.2.256"), ("ipv4", "1.2.3"),
    ("pt-nif", "234 567 890"), ("pt-nif", "434567899"), ("pt-niss", "12044718205"), ("pt-niss", "32044718204"),
    ("pt-cc", "11820447 5 ZX7"), ("br-cpf", "774.118.036-35"), ("br-cpf", "111.111.111-11"),
    ("br-cnpj", "11820447000124"), ("br-cns", "702 4086 1173 9904"), ("br-pis", "12044771821"),
    ("some-digit", "ab"), ("date-dmy", "32/12/2020"), ("date-dmy", "29-2-2021"), ("date-dmy", "12/31/2020"),
    ("date-mdy", "31/12/2020"), ("date-any", "45/45/2020"), ("date-ymd", "2020-13-01"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "text"), RIGHT)
def test_right(check: str, text: str) -> None:
    assert CHECKS[check](text)


@pytest.mark.parametrize(("check", "text"), WRONG)
def test_wrong(check: str, text: str) -> None:
    assert not CHECKS[check](text)


@pytest.mark.parametrize("check", ["luhn", "iban", "gb-nhs", "es-dni", "es-nss", "nl-bsn", "cn-resident"])
def test_one_wrong_digit_is_seen(check: str) -> None:
    for text in (text for name, text in RIGHT if name == check):
        for at, character in enumerate(text):
            if character.isdigit():
                others = [text[:at] + other + text[at + 1 :] for other in "0123456789" if other != character]
                assert not any(CHECKS[check](other) for other in others), (text, at)


@given(st.sampled_from(sorted(CHECKS)), st.text(st.sampled_from("0123456789XZA-/. é١"), max_size=24))
def test_no_text_breaks_a_check(check: str, text: str) -> None:
    assert CHECKS[check](text) in (True, False)
