"""Model folders that cannot be loaded: every reason is told, and no changed byte goes unseen."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ModelError
from elision.models.plain_json import DEPTH
from elision.models.store import FILES, MODEL, VERSION, VOCABULARY, WEIGHTS, fingerprint, load, save
from tests.models.model_folders import MANIFEST, assert_same, bytes_in, deep, model, rewrite
from tests.strategies import fewer

Damage = Callable[[Path], object]


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small models need not reach the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    save(tmp_path / "model", model())
    return tmp_path / "model"


def damaged(name: str, change: Callable[[bytes], bytes]) -> Damage:
    """A file that does not fit the manifest."""
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))


def forged(name: str, change: Callable[[bytes], bytes]) -> Damage:
    """A file that is wrong although it fits the manifest."""
    return lambda folder: rewrite(folder, {name: change((folder / name).read_bytes())})


def about(**fields: Any) -> Damage:
    """Another model.json; None takes a field out."""

    def change(data: bytes) -> bytes:
        new = {**json.loads(data), **fields}
        return json.dumps({key: value for key, value in new.items() if value is not None}).encode()

    return forged(MODEL, change)


def listing(**entries: Any) -> Damage:
    """Other entries in the manifest; None takes one out."""

    def damage(folder: Path) -> None:
        data = json.loads((folder / MANIFEST).read_text("utf-8"))
        files = {**data["files"], **entries}
        data["files"] = {name: entry for name, entry in files.items() if entry is not None}
        (folder / MANIFEST).write_text(json.dumps(data, indent=1) + "\n", "utf-8")

    return damage


def tensor(header: Any, data: bytes = b"") -> Damage:
    """Other weights: a header and the bytes after it."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return forged(WEIGHTS, lambda _: len(text).to_bytes(8, "little") + text + data)


def away(*names: str) -> Damage:
    def damage(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return damage


def linked(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder.parent / "outside")
    (folder / WEIGHTS).symlink_to(folder.parent / "outside")


def linked_manifest(folder: Path) -> None:
    (folder / MANIFEST).rename(folder.parent / "outside")
    (folder / MANIFEST).symlink_to(folder.parent / "outside")


def replaced_by_folder(folder: Path) -> None:
    (folder / VOCABULARY).unlink()
    (folder / VOCABULARY).mkdir()


def only(*names: str) -> Damage:
    def damage(folder: Path) -> None:
        away(*FILES, MANIFEST)(folder)
        for name in names:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(b"x")

    return damage


def one_file(folder: Path) -> None:
    only()(folder)
    folder.rmdir()
    folder.write_bytes(b"x")


def huge(name: str) -> Damage:
    return lambda folder: os.truncate(folder / name, (1 << 30) + 1)  # a hole on the disk


NEWER = r"was written by elision 9.1.0 with folder version 2; this elision \(.*\) reads up to 1: upgrade elision"
ENTRY = {"size": 1, "sha256": "00"}
BF16 = {"a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}}
VAST = {"a": {"dtype": "F32", "shape": [0, 2**62, 2**62], "data_offsets": [0, 0]}}
MANY = {"a": {"dtype": "F32", "shape": [1] * 100, "data_offsets": [0, 4]}}
TRUE = {"a": {"dtype": "BOOL", "shape": [1], "data_offsets": [0, 1]}}
FAR = {"a": {"dtype": "F32", "shape": [9], "data_offsets": [0, 36]}}
UNLOADABLE: list[tuple[str, Damage, str]] = [
    ("no folder", lambda folder: folder.rename(folder.parent / "x"), "there is no such folder; is the path right?"),
    ("a file", one_file, "is a file; a model is a folder$"),
    ("no manifest", away(MANIFEST), "not an elision model, as it has no manifest.json; give a folder that"),
    ("an empty folder", only(), "not an elision model, as it has no manifest.json; give a folder that"),
    ("a pickle", only("model.pkl", "b.PT"), r"elision never loads pickles \(.pkl, .pt\), as they can"),
    ("weights of others", only("pytorch_model.bin", "config.json"), r"elision never loads pickles \(.bin\)"),
    ("the folder above", only(f"deeper/{MANIFEST}"), "as it has no manifest.json; there may be one in .*deeper$"),
    ("another's manifest", only(MANIFEST), "manifest.json: not valid JSON at line 1.* damaged or not elision's"),
    ("a web page's manifest", damaged(MANIFEST, lambda _: b'{"name": "x"}'), "is not the manifest of an"),
    ("a list as manifest", damaged(MANIFEST, lambda _: b"[]"), "is not the manifest of an elision model"),
    ("an empty manifest", damaged(MANIFEST, lambda _: b""), "manifest.json: not valid JSON"),
    ("NaN in the manifest", damaged(MANIFEST, lambda _: b"[NaN]"), "manifest.json: not valid JSON: NaN"),
    ("half characters", damaged(MANIFEST, lambda _: b'"\\ud800"'), "manifest.json: half a character"),
    ("a deep manifest", damaged(MANIFEST, lambda _: b"[" * 10**5), "manifest.json: JSON nested too deep"),
    ("a reformatted manifest", damaged(MANIFEST, lambda data: data + b" "), "is damaged or was edited"),
    ("CRLF", damaged(MANIFEST, lambda data: data.replace(b"\n", b"\r\n")), "is damaged or was edited"),
    ("a large manifest", damaged(MANIFEST, lambda data: data + b" " * (1 << 20)), "is too large for a"),
    ("a huge manifest", huge(MANIFEST), "manifest.json: has more than the 1,024 MiB"),
    ("no list of files", damaged(MANIFEST, lambda _: b'{"format":"elision-model"}'), "is damaged or was edited"),
    ("a path upwards", listing(**{"../x": ENTRY}), "manifest.json: refused, as it lists a path instead of the name"),
    ("a path upwards, on Windows", listing(**{"..\\x": ENTRY}), "manifest.json: refused, as it lists a path"),
    ("an absolute path", listing(**{"/etc/passwd": ENTRY}), "manifest.json: refused, as it lists a path"),
    ("a drive", listing(**{"C:x": ENTRY}), "manifest.json: refused, as it lists a path"),
    ("the folder itself", listing(**{".": ENTRY}), "manifest.json: refused, as it lists a path"),
    ("no name", listing(**{"": ENTRY}), "manifest.json: refused, as it lists a path"),
    ("another file listed", listing(**{"x.json": ENTRY}), "lists a file 'x.json' that no model of this version has"),
    ("no hash", listing(**{MODEL: {"size": 1}}), "does not say size and SHA-256 of 'model.json'"),
    ("a negative size", listing(**{MODEL: {"size": -1, "sha256": ""}}), "does not say size and SHA-256 of"),
    ("a file not listed", listing(**{WEIGHTS: None}), "does not list weights.safetensors, so this is no whole model"),
    ("no model.json listed", listing(**{MODEL: None}), "does not list model.json, so this is no whole model"),
    ("no model.json", away(MODEL), "model.json: is missing; copy the folder again"),
    ("no vocabulary", away(VOCABULARY), "vocabulary.json: is missing; copy the folder again"),
    ("no weights", away(WEIGHTS), "weights.safetensors: is missing; copy the folder again"),
    ("more bytes", damaged(WEIGHTS, lambda data: data + b"\0"), "it has 233 bytes where 232 were written; copy"),
    ("fewer bytes", damaged(VOCABULARY, lambda data: data[:-1]), "vocabulary.json: was changed: it has"),
    ("other bytes", damaged(WEIGHTS, lambda data: data[:-1] + b"x"), "weights.safetensors: was changed: its SHA-256"),
    ("a link out of the folder", linked, "weights.safetensors: refused, as it is not a plain file but a link"),
    ("a manifest elsewhere", linked_manifest, "manifest.json: refused, as it is not a plain file but a link"),
    ("a folder for a file", replaced_by_folder, "vocabulary.json: refused, as it is not a plain file"),
    ("huge weights", huge(WEIGHTS), "weights.safetensors: has more than the 1,024 MiB that a file of a model may have"),
    ("a newer version", about(version=VERSION + 1, elision="9.1.0", card=None), NEWER),
    ("an odd newer version", about(version=10**9, elision="x y"), "written by elision with folder version 1000000000"),
    ("no version", about(version=None), "does not say which version of the layout its folder has"),
    ("version 0", about(version=0), "does not say which version"),
    ("a truth as version", about(version=True), "does not say which version"),
    ("no kind", about(kind=None), "does not say of which kind the model is, or has no card"),
    ("no card", about(card=None), "does not say of which kind the model is, or has no card"),
    ("another kind", about(kind="bilstm"), "is a model of kind bilstm where crf or window is needed"),
    ("an odd kind", about(kind="a b"), "is a model of kind where crf or window is needed"),
    ("a list as model.json", forged(MODEL, lambda _: b"[]"), "model.json: does not say which version"),
    ("NaN", forged(MODEL, lambda data: data.replace(b"0.5", b"NaN")), "model.json: not valid JSON: NaN"),
    ("infinity by the back door", forged(MODEL, lambda data: data.replace(b"0.5", b"1e999")), "card.scores.dev.f1: no"),
    ("a long number", forged(MODEL, lambda data: data.replace(b"0.5", b"9" * 5000)), "model.json: not valid JSON"),
    ("deep JSON", forged(MODEL, lambda _: b"[" * 10**5), "model.json: JSON nested too deeply"),
    ("rather deep JSON", about(card={"a": deep(DEPTH)}), "nested more than"),
    ("not UTF-8", forged(MODEL, lambda data: data + b"\xff"), "model.json: not valid JSON: byte .* is not UTF-8"),
    ("a byte-order mark", forged(MODEL, lambda data: b"\xef\xbb\xbf" + data), "model.json: not valid JSON at line 1"),
    ("JSON broken off", forged(VOCABULARY, lambda data: data[:9]), "vocabulary.json: not valid JSON at line 1"),
    ("a vocabulary of numbers", forged(VOCABULARY, lambda _: b'{"w": [1]}'), r"vocabulary.json.w\[0\]: must be a"),
    ("a vocabulary without names", forged(VOCABULARY, lambda _: b'["a"]'), "vocabulary.json: must be an object"),
    ("half a character", forged(VOCABULARY, lambda _: b'{"w": ["\\ud83d"]}'), r"vocabulary.json.w\[0\]: half a char"),
    ("no header", forged(WEIGHTS, lambda _: b"abc"), "weights.safetensors: not valid safetensors"),
    ("a header too long", forged(WEIGHTS, lambda data: b"\xff" * 8 + data[8:]), "not valid safetensors"),
    ("a header broken off", tensor(b'{"a": '), "not valid safetensors"),
    ("a header of something else", tensor({"a": 1}), "not valid safetensors"),
    ("numbers beyond the end", tensor(FAR), "not valid safetensors"),
    ("bytes that no array has", tensor({}, b"abcd"), "not valid safetensors"),
    ("numbers of another kind", tensor(BF16, b"ab"), "array 'a' holds numbers of a kind 'BF16' that no model"),
    ("a vast shape", tensor(VAST), "array 'a' has a shape that numpy cannot hold|not valid safetensors"),
    ("many dimensions", tensor(MANY, b"abcd"), "array 'a' has a shape that numpy cannot hold"),
    ("truth values of 2", tensor(TRUE, b"\2"), "array 'a' holds truth values that are neither 0 nor 1"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "message"), [row[1:] for row in UNLOADABLE], ids=[row[0] for row in UNLOADABLE])
def test_what_cannot_be_loaded_says_why(damage: Damage, message: str, saved: Path) -> None:
    damage(saved)
    with pytest.raises(ModelError, match=message) as caught:
        load(saved, ("window", "crf"))
    assert str(saved) in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_a_file_of_the_model_is_given_for_its_folder(saved: Path) -> None:
    with pytest.raises(ModelError, match=f"model.json: is a file; a model is a folder: give {saved}$"):
        load(saved / MODEL)


def test_a_pickle_is_given_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "crf.joblib").write_bytes(b"x")
    with pytest.raises(ModelError, match=r"crf.joblib: is a file; .* elision never loads pickles \(.joblib\)"):
        load(tmp_path / "crf.joblib")


class Running:
    """What a pickle can do: whoever reads it has run it."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.trace,)


@pytest.mark.parametrize("name", ["crf.joblib", "crf.pkl", "crf", MANIFEST, "model.json", WEIGHTS])
def test_no_pickle_is_run_whatever_it_is_called(name: str, saved: Path) -> None:
    trace = saved.parent / "it-ran"
    file = saved / name if (saved / name).exists() else saved.parent / name
    file.write_bytes(pickle.dumps(Running(trace)))
    for place in (file, saved, saved.parent):
        with contextlib.suppress(ModelError):
            load(place)
    assert not trace.exists()
    pickle.loads(file.read_bytes())
    assert trace.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
@pytest.mark.parametrize("name", [MANIFEST, WEIGHTS])
def test_a_pipe_is_not_waited_for(name: str, saved: Path) -> None:
    (saved / name).unlink()
    os.mkfifo(saved / name)
    with pytest.raises(ModelError, match="is not a plain file but a link, a folder or a device"):
        load(saved)


@pytest.mark.parametrize("name", [MANIFEST, *FILES])
def test_files_that_may_not_be_read(name: str, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opening = Path.open

    def refuse(path: Path, *arguments: Any) -> Any:
        if path.name == name:
            raise PermissionError(errno.EACCES, "not yours")
        return opening(path, *arguments)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ModelError, match="cannot be read: not yours; look at its permissions"):
        load(saved)


@pytest.mark.parametrize("kinds", [(), ("crf",), {"crf", "pos"}, "crf"])
def test_the_kind_that_is_wanted(kinds: Any, saved: Path) -> None:
    assert load(saved, kinds).kind == "crf"
    if kinds:
        save(saved, model(kind="window"), overwrite=True)
        with pytest.raises(ModelError, match="is a model of kind window where crf"):
            load(saved, kinds)


@given(at=st.integers(0, 10**6), flip=st.integers(1, 255))
def test_no_flipped_byte_goes_unseen(at: int, flip: int, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    if not folder.exists():
        save(folder, model())
    before = fingerprint(folder)
    places = [(name, data, at) for name, data in sorted(bytes_in(folder).items()) for at in range(len(data))]
    name, data, at = places[at % len(places)]
    (folder / name).write_bytes(data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :])
    try:
        with pytest.raises(ModelError):
            load(folder)
        if name == MANIFEST:
            assert fingerprint_or_none(folder) != before
    finally:
        (folder / name).write_bytes(data)
    assert_same(load(folder), model())


def fingerprint_or_none(folder: Path) -> str | None:
    try:
        return fingerprint(folder)
    except ModelError:
        return None


PIECES = [
    b"",
    b"\0",
    b"\xff",
    b"[",
    b"}",
    b'"',
    b",",
    b"9" * 400,
    b"null",
    b"NaN",
    b"-1",
    b"1e400",
    b'"\\udc00"',
    b"BF16",
]


@fewer
@given(
    name=st.sampled_from(FILES),
    at=st.integers(0, 2_000),
    gone=st.integers(0, 20),
    put=st.sampled_from(PIECES) | st.binary(max_size=9),
)
def test_a_forged_model_is_loaded_or_refused(name: str, at: int, gone: int, put: bytes, tmp_path: Path) -> None:
    """Even if the manifest fits, whatever stands in the files gives a model or an error of ours."""
    folder = tmp_path / "model"
    save(folder, model(), overwrite=True)
    data = (folder / name).read_bytes()
    at %= len(data) + 1
    rewrite(folder, {name: data[:at] + put + data[at + gone :]})
    found, said = None, ""
    try:
        found = load(folder)
    except ModelError as error:
        said = str(error)
    assert "Roe" not in said
    if found is not None:
        save(folder, found, overwrite=True)  # what can be loaded can be stored
        assert_same(load(folder), found)
