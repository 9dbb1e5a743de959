"""Stand-ins for telephones, mail and the net: written the same way, and such that they are nobody's."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from operator import eq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.replace.contact import LONGEST, LONGEST_MAIL, contact, email, fax, handle, ip, phone, url
from tests.replace.pack_hits import LANGUAGES, hits, scope

FICTIONAL = [
    ("en", "(608) 555-0142", r"\([2-9]\d\d\) 555-01\d\d"),
    ("en", "414-323-2117 ext 22", r"[2-9]\d\d-555-01\d\d ext \d\d"),
    ("en", "+1 617.324.2218", r"\+1 [2-9]\d\d\.555\.01\d\d"), ("es", "+1 617 324 2218", r"\+1 [2-9]\d\d 555 01\d\d"),
    ("en", "1-800-324-2218", r"1-800-555-01\d\d"), ("en", "1-800-GET-WELL", r"1-800-555-01\d\d"),
    ("en", "324-2218", r"555-01\d\d"), ("en-US", "324 2218", r"555 01\d\d"),
    ("en", "six one seven three two four two two one eight", r"(?:\w+ ){3}five five five (?:zero|oh) one \w+ \w+"),
    ("en", "01273 555 417", r"01632 960 \d{3}"), ("en", "07911 123456", r"07700 900\d{3}"),
    ("en", "+44 (0)20 8123 4567", r"\+44 \(0\)20 7946 0\d{3}"), ("en", "0131 225 0722", r"01[1-9]\d 496 0\d{3}"),
    ("en-GB", "0800 316 4471", r"0808 157 0\d{3}"), ("en", "(02) 9876 5432", r"\(0[2378]\) (?:5550|7010) \d{4}"),
    ("en", "0412 345 678", r"0491 57\d \d{3}"), ("en-AU", "9876 5432", r"(?:5550|7010) \d{4}"),
    ("nl", "+61 3 9876 5432", r"\+61 [2378] (?:5550|7010) \d{4}"), ("en", "1300 345 678", r"1300 975 7\d\d"),
    ("en", "(O2) 987O 5l32", r"\(0[2378]\) (?:5550|7010) \d{4}"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "form"), FICTIONAL)
def test_numbers_that_are_kept_for_fiction(language: str, text: str, form: str) -> None:
    for patient in map(str, range(20)):
        made = phone(text, scope(patient, language))
        assert made
        assert re.fullmatch(form, made), made


WRITTEN = [
    ("es", "914 55 20 18", r"9\d\d \d\d \d\d \d\d"), ("es", "00 34 622 10 45 98", r"00 34 6\d\d \d\d \d\d \d\d"),
    ("es", "91 555 66 77 ext. 4123", r"9\d \d{3} \d\d \d\d ext\. \d{4}"),
    ("de", "0711 8101-77 340", r"07\d\d \d{4}-\d\d \d{3}"), ("de", "0171/66 42 91", r"01\d\d/\d\d \d\d \d\d"),
    ("fr", "06 83 17 40 92", r"06 \d\d \d\d \d\d \d\d"), ("fr", "032 557 08 43", r"0\d\d \d{3} \d\d \d\d"),
    ("it", "338 11 20 771", r"3\d\d \d\d \d\d \d{3}"), ("it", "0587 440 218", r"0\d{3} \d{3} \d{3}"),
    ("nl", "06-71 20 88 14", r"06-\d\d \d\d \d\d \d\d"),
    ("nl", "+31(0)6 87654302", r"\+31\(0\)6 \d{8}"), ("nl", "0569-014 327", r"05\d\d-\d{3} \d{3}"),
    ("pt", "962 883 017", r"9\d\d \d{3} \d{3}"), ("pt", "(11) 98840-1627", r"\(\d\d\) \d{5}-\d{4}"),
    ("zh", "138 0013 7788", r"1[3-9]\d \d{4} \d{4}"), ("zh", "010-65281234转802", r"01\d-\d{8}转\d{3}"),
    ("zh", "０５８６－８３４５０１４６", r"０５[０-９]{2}－[０-９]{8}"),
    ("zh", "幺三九 零零零零 幺二三四", "[幺一][三四五六七八九].{11}"),
    ("zh", "138****7788", r"[1-9]\d\d\*{4}\d{4}"), ("en", "x4417", r"x\d{4}"), ("en", "41-2287", r"\d\d-\d{4}"),
    ("es", "+52 55 1234 8870", r"\+52 5\d \d{4} \d{4}"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "form"), WRITTEN)
def test_the_form_stays(language: str, text: str, form: str) -> None:
    for patient in map(str, range(20)):
        made = fax(text, scope(patient, language))
        assert made
        assert made != text
        assert re.fullmatch(form, made), made


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["(608) 324-2117", "608.324.2117", "+1 608 324 2117", "6083242117", "608 324 2117 ext 5"]),
        ("de", ["0711 810177", "+49 711 810177", "0049 (0)711 81 01 77"]),
        ("nl", ["06-71208814", "+31 6 7120 8814", "0031 (0)6 71 20 88 14"]),
        ("zh", ["13800137788", "+86 138 0013 7788"]),
        ("es", ["914552018", "+34 914 55 20 18", "91-455-20-18"]),
    ],
)  # fmt: skip
def test_a_number_is_the_same_however_it_is_written(language: str, texts: list[str]) -> None:
    made = [phone(text, scope(language=language)) for text in texts]
    proper = [re.sub(r"ext \d|^(?:00|\+)(?:1|31|34|49|86) ?(?:\(0\))?|\D", "", one or "").lstrip("0") for one in made]
    assert len(set(proper)) == 1, made


@pytest.mark.parametrize(
    "text", ["", " ", "call me", "Roe", "Roe 555", "5" * 300, "()", "tel.", "ask Dana 555-0142", "٣٤ك"]
)
def test_no_telephone(text: str) -> None:
    assert phone(text, scope()) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("lucia_paredes88@correo.example", r"\S+@\w+\.example\.(?:com|net|org)"),
        ("mailto:J.D.Ostrander@mail.quillbay.example", r"mailto:\S+@\w+\.example\.(?:com|net|org)"),
        ("<p.marsh @ harbourclinic.example>", r"<\S+ @ \w+\.example\.(?:com|net|org)>"),
        ("petra.v (at) zorgnet (dot) nl", r"\S+ \(at\) \w+ \(dot\) example \(dot\) (?:com|net|org)"),
        ("tomas.rueda arroba correo punto es", r"\S+ arroba \w+ punto example punto (?:com|net|org)"),
        ("DRALTES@CORREO.ES", r"[A-Z]+@[A-Z]+\.EXAMPLE\.(?:COM|NET|ORG)"),
    ],
)
def test_mail(text: str, form: str) -> None:
    made = email(text, scope())
    assert made
    assert re.fullmatch(form, made), made
    assert made == email(text, scope())


def test_mail_of_one_host_stays_at_one_host() -> None:
    hosts = {
        (email(f"{name}@kelpie.net.au", scope()) or "").partition("@")[2] for name in ("p.ohanlon", "mvega", "t_rue")
    }
    assert len(hosts) == 1
    assert hosts != {"", "kelpie.net.au"}


@pytest.mark.parametrize("text", ["", "no mail", "a@", "@b.example", "a@b@c.example", "@" * 100, "a@b" * LONGEST_MAIL])
def test_no_mail(text: str) -> None:
    assert email(text, scope()) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("https://pacs.millford.example/s/88213?x=1&y=roe", r"https://\w+\.example\.\w{3}/\w+/\d{5}\?\w+=\d&\w+=\w+"),
        ("http://10.0.3.7:8080/notes", r"http://(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+:8080/\w+"),
        ("www.sanroque-cardio.example", r"www\.\w+\.example\.\w{3}"),
        ("HTTPS://MyCare.Example/u", r"HTTPS://\w+\.example\.\w{3}/\w+"),
        ("https://roe:secret@notes.example/a.html", r"https://\w+\.example\.\w{3}/\w+\.html"),
        ("facebook.com/groups/duchenne.dads", r"\w+\.example\.\w{3}/\w+/\w+\.\w+"),
        ("file:///home/jroe", r"file:///\w+/\w+"),
        ("http://[2001:db8::1]:80/a%20b", r"http://\[2001:db8::[0-9a-f:]+\]:80/\w+"),
    ],
)  # fmt: skip
def test_addresses_of_the_net(text: str, form: str) -> None:
    made = url(text, scope())
    assert made
    assert re.fullmatch(form, made), made
    for word in ("roe", "secret", "millford", "duchenne", "88213"):
        assert word not in made


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("10.20.0.0/16", r"(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}/16"),
        ("192.0.2.14:8080", r"(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}:8080"),
        ("FE80::1C4A:88FF:FE01:2", r"2001:DB8::[0-9A-F]{1,4}:[0-9A-F]{1,4}"),
        ("2001:0db8:85a3:0000:0000:8a2e:0370:7334", r"2001:0db8:0000(?::[0-9a-f]{4}){5}"),
    ],
)
def test_network_addresses(text: str, form: str) -> None:
    made = ip(text, scope())
    assert made
    assert made != text
    assert re.fullmatch(form, made), made


@pytest.mark.parametrize("text", ["", "1.2.3", "12:30:45", "version 2", ":::::", "9" * (LONGEST + 1)])
def test_no_network_address(text: str) -> None:
    assert ip(text, scope()) is None


@pytest.mark.parametrize(
    ("text", "form"), [("@marla.paints", r"@\S+"), ("quill_bay77", r"\S+"), ("1041278300", r"\d{10}")]
)
def test_names_in_networks(text: str, form: str) -> None:
    made = handle(text, scope())
    assert made
    assert made != text
    assert re.fullmatch(form, made), made


def test_every_hit_of_the_packs() -> None:
    found = hits("PHONE", "FAX", "EMAIL", "URL", "IP")
    assert len(found) > 350
    for language, label, text in found:
        made = contact(text, scope(language=language), label)
        assert made, text
        assert made != text


def test_what_is_forbidden_is_not_used() -> None:
    for text, label in (
        ("414-323-2117", "PHONE"),
        ("a.roe@b.example", "EMAIL"),
        ("http://b.example/x", "URL"),
        ("10.0.3.7", "IP"),
    ):
        first = contact(text, scope(), label)
        second = contact(text, replace(scope(), forbidden=partial(eq, first)), label)
        assert second
        assert second not in (first, text)
        assert contact(text, replace(scope(), forbidden=lambda _: True), label) is None


CHARACTERS = "0123456789AZaz-/ .:#()+@xñ１李一〇٣жΩ\0\n\u200b😀[]%?&=<>,;'"
LABELS = ("PHONE", "FAX", "EMAIL", "URL", "IP", "USERNAME")


@given(st.text(st.sampled_from(CHARACTERS), max_size=40), st.sampled_from(LABELS), st.sampled_from(LANGUAGES))
def test_never_the_original_and_never_an_error(text: str, label: str, language: str) -> None:
    made = contact(text, scope(language=language), label)
    assert made is None or made != text
    assert made == contact(text, scope(language=language), label)


@given(st.from_regex(r"\+?[(]?\d{2,4}[) -]{0,2}\d{2,4}[ .-]\d{2,6}", fullmatch=True), st.sampled_from(LANGUAGES))
def test_telephones_keep_all_but_digits(text: str, language: str) -> None:
    made = phone(text, scope(language=language))
    assert made
    assert re.sub(r"\d", "0", made) == re.sub(r"\d", "0", text)
