"""Plain text files: every byte as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from elision.document import Document
from elision.errors import FormatError
from elision.formats import Reading, guess, read, write
from tests.notes import note


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfSeen by Dr. Roe.",
        b"one\r\ntwo\rthree\nfour\r\n",
        b"nul \0 and tab \t",
        b"",
        "😀 José \u2028".encode(),
    ],
)
def test_every_byte_is_kept(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(data)
    (document,) = read(tmp_path / "in", "text")
    assert document == Document(data.decode(), "a")
    write([document], tmp_path / "out", "text")
    assert (tmp_path / "out" / "a.txt").read_bytes() == data


def test_ids_are_paths_and_folders_are_read_in_order(tmp_path: Path) -> None:
    documents = [Document(id, id) for id in ("b", "a.b", "ward 3/1999/b", "ward 3/a")]
    write(documents, tmp_path / "out", "text")
    again = list(read(tmp_path / "out", "text"))
    assert sorted(again, key=lambda d: d.id) == sorted(documents, key=lambda d: d.id)
    assert [d.id for d in read(tmp_path / "out" / "b.txt", "text")] == ["b"]


def test_spans_are_not_held_and_that_is_said(tmp_path: Path) -> None:
    remarks = write([note("Seen by [NAME_CLINICIAN Dr. Roe] on [DATE 3 May].")], tmp_path, "text")
    assert remarks.lines() == ["text does not hold spans: 2 (first in note note-1)"]


@pytest.mark.parametrize("id", ["../x", "/x", "a/../../x", "", "a//b", "C:\\x", "a\0b", "."])
def test_ids_that_would_lead_elsewhere_are_refused(tmp_path: Path, id: str) -> None:
    with pytest.raises(FormatError, match="cannot be a file name"):
        write([Document("text", id)], tmp_path / "deep" / "out", "text")
    assert not list(tmp_path.rglob("*.txt"))


def test_an_id_that_comes_twice_would_overwrite_a_note(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="the id a comes twice"):
        write([Document("one", "a"), Document("two", "a")], tmp_path, "text")


def test_bad_inputs(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no file here ends in \.txt"):
        list(read(tmp_path, "text"))
    (tmp_path / "a.txt").write_bytes("José Roe".encode("cp1252"))
    with pytest.raises(FormatError, match=r"a\.txt: byte 3 is not utf-8; .*--encoding cp1252"):
        list(read(tmp_path, "text"))
    assert [d.text for d in read(tmp_path, "text", Reading(encoding="cp1252"))] == ["José Roe"]
    with pytest.raises(FormatError, match="'klingon' is not an encoding"):
        list(read(tmp_path, "text", Reading(encoding="klingon")))
    with pytest.raises(FormatError, match="more than the limit"):
        list(read(tmp_path, "text", Reading(max_bytes=5)))


def test_guessing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Seen by Dr. Roe.", "utf-8")
    assert guess(tmp_path)[0].name == "text"
    assert guess(tmp_path / "a.txt")[0].name == "text"
    (tmp_path / "a.ann").write_text("", "utf-8")
    assert guess(tmp_path)[0].name == "brat"
    assert guess(tmp_path / "a.txt")[0].name == "brat"
