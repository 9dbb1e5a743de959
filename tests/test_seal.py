"""Seals: opened with the key alone, the same from run to run, and never opened when damaged."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import SealError
from elision.evidence.seal import seal, unseal
from elision.keys import Key
from tests.strategies import texts

SECRET = Key(bytes(range(32))).secret("seal")
OTHER = Key(bytes(32)).secret("seal")
FORM = re.compile(r"\[sealed:[A-Za-z0-9_-]+\]")


def sealed(text: str, note: str = "n1", label: str = "NAME_PATIENT", position: int = 0) -> str:
    return seal(text, SECRET, note=note, label=label, position=position)


def test_a_text_comes_back() -> None:
    text = f"Seen by {sealed('Dr. Roe', position=8)} with {sealed('Jane', position=21)}."
    assert unseal(text, SECRET) == ("Seen by Dr. Roe with Jane.", 2)
    assert unseal("Seen by nobody [sealed] sealed: [SEALED:x].", SECRET)[1] == 0
    assert "Roe" not in text


def test_the_same_input_has_the_same_seal_and_no_other() -> None:
    first = sealed("Jane Roe")
    assert first == sealed("Jane Roe")
    others = [
        sealed("Jane Roe", note="n2"), sealed("Jane Roe", position=1), sealed("Jane Roe", label="NAME_RELATIVE"),
        sealed("Jane Rox"), seal("Jane Roe", OTHER, note="n1", label="NAME_PATIENT"),
    ]  # fmt: skip
    assert len({first, *others}) == 6


def test_equal_texts_elsewhere_share_no_part_of_their_seals() -> None:
    one, other = sealed("Jane Roe", note="n1")[8:-1], sealed("Jane Roe", note="n2")[8:-1]
    assert not {one[at : at + 8] for at in range(19, len(one) - 8)} & {
        other[at : at + 8] for at in range(19, len(other) - 8)
    }


def test_a_golden_seal_is_still_opened() -> None:
    assert sealed("Jane Roe") == GOLDEN
    assert unseal(GOLDEN, SECRET) == ("Jane Roe", 1)


GOLDEN = "[sealed:AQxOQU1FX1BBVElFTlQK6416tqcQ2htShMzPVAyLKNxx5ZeXh6ieFmg6CZktCGylnZg]"


@pytest.mark.parametrize("separator", list("|^&~\\,;\t\"'{}"))
def test_a_seal_survives_hl7_csv_and_json(separator: str) -> None:
    assert separator not in sealed("Jane Roe | ^ & ~ \\ , ; \t")


def test_a_seal_survives_files() -> None:
    text = f'He said "{sealed("Roe, Jane")}", then left.'
    assert json.loads(json.dumps(text)) == text
    stream = io.StringIO()
    csv.writer(stream).writerow(["1", text])
    assert unseal(next(csv.reader(io.StringIO(stream.getvalue())))[1], SECRET)[0] == 'He said "Roe, Jane", then left.'


@pytest.mark.parametrize(
    "damaged", ["[sealed:]", "[sealed:AA]", "[sealed:AAAA]", "[sealed:A]", "[sealed:" + "A" * 60 + "]"]
)
def test_what_is_no_seal_is_an_error_with_its_place(damaged: str) -> None:
    with pytest.raises(SealError, match=r"^the seal at offset 5 is damaged"):
        unseal(f"Seen {damaged}", SECRET)


def test_another_key_opens_nothing_and_says_where() -> None:
    with pytest.raises(SealError, match="at offset 11 does not open: it is damaged, or was sealed with another key"):
        unseal(f"{'x' * 11}{sealed('Jane Roe')}", OTHER)


def test_a_seal_cut_off_is_an_error() -> None:
    with pytest.raises(SealError, match="at offset 2 is cut off"):
        unseal(f"ab{sealed('Jane Roe')[:-1]}", SECRET)


@given(st.data(), texts)
def test_any_character_changed_is_found(data: st.DataObject, text: str) -> None:
    whole = sealed(text)
    at = data.draw(st.integers(8, len(whole) - 2))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    new = data.draw(st.sampled_from(letters).filter(lambda letter: letter != whole[at]))
    with pytest.raises(SealError, match="offset 0") as caught:
        unseal(whole[:at] + new + whole[at + 1 :], SECRET)
    assert len(text) < 4 or text not in str(caught.value)


@given(
    st.lists(st.tuples(texts, texts), max_size=4), st.text(max_size=8), st.sampled_from(["NAME_PATIENT", "", "日" * 99])
)
def test_whatever_is_sealed_comes_back(pieces: list[tuple[str, str]], note: str, label: str) -> None:
    text = plain = ""
    for between, original in pieces:
        whole = seal(original, SECRET, note=note, label=label, position=len(plain))
        assert FORM.fullmatch(whole)
        text += between + whole
        plain += between + original
    assert unseal(text, SECRET) == (plain, len(pieces))


def test_half_a_character_comes_back() -> None:
    assert unseal(sealed("\ud83d"), SECRET) == ("\ud83d", 1)
