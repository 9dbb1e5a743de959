"""Keys: made, written and read; who may read their file; and what comes of them."""

from __future__ import annotations

import base64
import hmac
import os
import pickle
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import KeyFileError
from elision.keys import BYTES, Key, Secret, digest_of

KEY = Key(bytes(range(32)))


def test_a_new_key_is_read_again_and_is_nobody_elses(tmp_path: Path) -> None:
    file = tmp_path / "project.key"
    key = Key.new()
    key.write(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Key.read(file).id == key.id
    assert Key.read(str(file)).secret("names").digest("x") == key.secret("names").digest("x")
    assert len({Key.new().id for _ in range(50)}) == 50
    assert key.bits == 256


def test_a_key_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "project.key"
    KEY.write(file)
    before = file.read_bytes()
    with pytest.raises(KeyFileError, match="never written over"):
        Key.new().write(file)
    assert file.read_bytes() == before
    with pytest.raises(KeyFileError, match="cannot write"):
        KEY.write(tmp_path / "no" / "folder" / "key")


HEAD = "elision-key-1:"
RIGHT = base64.b64encode(bytes(range(32))).decode()
DAMAGED = [
    ("", "is no key"), ("hello", "is no key"), (RIGHT, "is no key"), ("elision-key-2:" + RIGHT, "is no key"),
    (HEAD, "at least 256 bits; this has 0"), (HEAD + base64.b64encode(b"x" * 31).decode(), "this has 248"),
    (HEAD + RIGHT[:-1], "damaged"), (HEAD + RIGHT[:5] + "*" + RIGHT[6:], "damaged"), (HEAD + "é", "cannot read"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), DAMAGED)
def test_a_damaged_key_is_an_error(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "project.key"
    file.write_text(text, "utf-8")
    file.chmod(0o600)
    with pytest.raises(KeyFileError, match=said) as caught:
        Key.read(file)
    assert RIGHT[:8] not in str(caught.value)


def test_no_key_is_an_error_and_never_a_default(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="elision key new"):
        Key.read(tmp_path / "none.key")
    with pytest.raises(KeyFileError, match="cannot read"):
        Key.read(tmp_path)
    with pytest.raises(KeyFileError, match="at least 256 bits"):
        Key(b"x" * (BYTES - 1))


@pytest.mark.skipif(os.name != "posix", reason="file modes")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o666, 0o601])
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "project.key"
    KEY.write(file)
    file.chmod(mode)
    with pytest.raises(KeyFileError, match="chmod 600"):
        Key.read(file)


def test_a_key_is_not_shown() -> None:
    shown = f"{KEY!r} {KEY} {KEY.secret('names')!r}"
    secret = KEY.secret("names").key()
    for told in (bytes(range(32)).hex(), RIGHT, secret.hex(), repr(bytes(range(32)))[2:], repr(secret)[2:]):
        assert told[:12] not in shown
    assert len(KEY.id) == 16
    assert KEY.id not in KEY.secret("names").key().hex()


def test_sub_keys_are_hkdf_of_rfc_5869() -> None:
    extracted = hmac.digest(b"elision", bytes(range(32)), "sha256")
    assert KEY.secret("dates").key() == hmac.digest(extracted, b"dates\x01", "sha256")


def test_purposes_and_keys_share_nothing() -> None:
    secrets = [
        key.secret(purpose) for key in (KEY, Key(bytes(32))) for purpose in ("names", "codes", "dates", "receipts")
    ]
    assert len({secret.digest("Roe") for secret in secrets}) == len({secret.key() for secret in secrets}) == 8


texts = st.lists(st.text(st.sampled_from("ab1:é\0\ud800"), max_size=4), max_size=4)


@given(texts, texts)
def test_no_two_lists_of_texts_are_read_alike(one: list[str], other: list[str]) -> None:
    secret = Secret(b"k" * 32)
    assert (secret.digest(*one) == secret.digest(*other)) == (one == other)
    assert 0 <= secret.number(*one) < 2**64
    assert len(secret.name(*one)) == 32


@pytest.mark.parametrize("size", [0, 1, 32, 64, 65, 200])
@pytest.mark.parametrize("parts", [(), ("",), ("patient:p1", "name", "roe"), ("José", "\ud800", "李")])
def test_a_digest_is_hmac_with_the_key(size: int, parts: tuple[str, ...]) -> None:
    key = bytes(range(size))
    raw = [part.encode("utf-8", "surrogatepass") for part in parts]
    told = b"".join(b"%d:%b" % (len(part), part) for part in raw)
    assert Secret(key).digest(*parts) == hmac.digest(key, told, "sha256")


def test_a_key_that_this_user_may_not_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> str:
        raise PermissionError("not yours")

    KEY.write(tmp_path / "k.key")
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(KeyFileError, match=r"k\.key: cannot read the key \(PermissionError\)"):
        Key.read(tmp_path / "k.key")


def test_keys_go_to_other_processes() -> None:
    again = pickle.loads(pickle.dumps(KEY))
    assert again.id == KEY.id
    assert pickle.loads(pickle.dumps(KEY.secret("names"))).digest("roe") == KEY.secret("names").digest("roe")


def test_the_digest_of_what_is_no_secret() -> None:
    assert digest_of(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
