"""Ids that name a patient: they are told, and go nowhere when they are keyed; none brings control characters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.document import Document
from elision.errors import FormatError
from elision.formats.tables.opening import open_source
from elision.keys import Key
from elision.run.how import How
from elision.run.ids import check_ids, keyed_id, with_ids
from elision.showing import ident, tells
from tests.run.containers import Given
from tests.run.small import COLUMNS, a_key, done, read_rows, rows, write_rows
from tests.test_cli import apart, elision

NOTE = "The patient was seen by Dr. Jane Roebuck and was well."
NAMED = ("Ada_Quillfeather_1958-03-05", "deep/Zebulon_Quartermain")


def call(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["run", *map(str, words), "--workers", "1"])
    return result.exit_code, result.output + str(result.exception or "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*NAMED, "plain"):
        (tmp_path / "in" / f"{name}.txt").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / f"{name}.txt").write_text(NOTE)
    (tmp_path / "in" / "Jane_Winslow.txt").write_text("RR 120/80")
    return tmp_path / "in"


def test_ids_that_tell_of_people_are_counted(folder: Path) -> None:
    status, told = call(folder, "-o", folder.parent / "out")
    assert status == 1
    assert "3 ids seem to tell of people (a date 1, a name 2)" in told
    assert "--ids keyed" in told
    assert "Quillfeather" not in told
    status, told = call(folder, "-o", folder.parent / "kept", "--ids", "keep")
    assert "seem to tell" not in told


def test_keyed_ids_stand_everywhere_in_place_of_ids(folder: Path, tmp_path: Path) -> None:
    key = a_key(tmp_path)
    status, told = call(folder, "-o", tmp_path / "out", "--ids", "keyed", "--key", key)
    assert status == 1, told
    assert "seem to tell" not in told
    files = [file for where in ("out", "out.run") for file in (tmp_path / where).rglob("*") if file.is_file()]
    for file in files:
        for word in ("Quillfeather", "Zebulon", "Winslow", "1958-03-05"):
            assert word not in file.read_text() + str(file.relative_to(tmp_path)) + told
    ids = {keyed_id(Key.read(key), name) for name in (*NAMED, "plain")}
    assert {file.name for file in (tmp_path / "out").iterdir()} == {f"{id}.txt" for id in ids}
    (held,) = read_rows(tmp_path / "out.run" / "quarantine.jsonl")
    assert held["note"] == keyed_id(Key.read(key), "Jane_Winslow")
    (tmp_path / "ids.txt").write_text("\n".join((*NAMED, "plain")) + "\n")
    printed = CliRunner().invoke(app, ["key", "id", key, str(tmp_path / "ids.txt")])
    assert set(printed.output.split()) == ids


def test_keyed_ids_need_a_key_and_are_not_gone_on_with_in_clear(folder: Path, tmp_path: Path) -> None:
    assert "--ids keyed needs --key" in call(folder, "-o", tmp_path / "out", "--ids", "keyed")[1]
    assert "say keep or keyed" in call(folder, "-o", tmp_path / "out", "--ids", "hash")[1]
    key = a_key(tmp_path)
    call(folder, "-o", tmp_path / "out", "--ids", "keyed", "--key", key)
    status, told = call(folder, "-o", tmp_path / "out", "--key", key)
    assert status == 1
    assert "other settings" in told


def test_a_run_with_keyed_ids_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from elision.run.local import runner

    source = open_source(write_rows(tmp_path / "in.jsonl", rows(25)))
    key = a_key(tmp_path)
    how = How(COLUMNS, key=key)
    keyed = with_ids(source, "keyed", "id", key)

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(runner, "_finish", stopped)
        with pytest.raises(KeyboardInterrupt):
            done(keyed, tmp_path / "out.jsonl", how, ids="keyed")
    manifest = json.loads((tmp_path / "out.jsonl.run" / "manifest.json").read_text())
    assert all(set(shard) == {"start", "rows"} for shard in manifest["shards"])
    done(keyed, tmp_path / "out.jsonl", how, ids="keyed")
    assert [row["id"] for row in read_rows(tmp_path / "out.jsonl")] == [
        keyed_id(Key.read(key), f"n{at}") for at in range(25)
    ]


@pytest.mark.parametrize("id", ["a\nb", "a\x1b[31mb", "a\u202eb", "a\x00b"])
def test_an_id_with_control_characters_is_refused_before_the_work(id: str, tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", [*rows(3), {**rows(1)[0], "id": id}])
    status, told = call(source, "-o", tmp_path / "out.jsonl", "--text", "text", "--id", "id")
    assert status != 0
    assert "1 ids in column id have line breaks or control characters (row 4)" in told
    assert "--ids keyed" in told
    assert not (set("\x1b\u202e\x00") & set(told))
    assert not (tmp_path / "out.jsonl").exists()
    assert not list((tmp_path / "out.jsonl.run").glob("manifest*"))
    status, told = call(source, "-o", tmp_path / "out.jsonl", "--text", "text", "--id", "id", "--ids", "keyed",
                        "--key", a_key(tmp_path))  # fmt: skip
    assert status == 0, told


def test_a_file_whose_name_has_control_characters_does_not_reach_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a path or a column; once in a process of its own, as a terminal would see it."""
    (tmp_path / "in\x1b[2J").mkdir()
    (tmp_path / "in\x1b[2J" / "a\x1b[31m.txt").write_text(NOTE)
    (tmp_path / "t.csv").write_text("id,te\x1b[31mxt\n1,x\n")
    monkeypatch.chdir(tmp_path)
    for by, words in ((apart, ["run", "in\x1b[2J", "-o", "out", "--workers", "1"]),
                      (elision, ["run", "t.csv", "-o", "o.csv", "--workers", "1"]),
                      (elision, ["inspect", "t.csv"]), (elision, ["inspect", "in\x1b[2J"]),
                      (elision, ["run", "no\x1b[2J", "-o", "out"]), (elision, ["verify", "no\x1b[2J"]),
                      (elision, ["deidentify", "no\x1b[2J"])):  # fmt: skip
        told = by(*words)
        assert "\x1b" not in told.stdout + told.stderr, words
        assert told.stdout + told.stderr


TELLING = ("Jane_Roe", "ROE_JANE", "jane.roe", "1958-03-05", "note20210305", "x_05031958", "4812345", "123-45-6789",
           "Alma Whitfield", "林淑芬_1", "张三〇一二三")  # fmt: skip
PLAIN = (
    "n12",
    "note_1",
    "ward/b",
    "Progress_Note_3",
    "7f3a9c1234567890abcd1234567890ab",
    "出院小结",
    "p17/text",
    "4711",
)


def test_what_ids_tell() -> None:
    for id in TELLING:
        assert tells(id), id
        assert id not in ident(id)
        assert id not in Document("x", id).name
    for id in PLAIN:
        assert not tells(id), id
        assert ident(id) == id
    assert ident("x" * 99) == "x" * 64 + "…"


def test_numbers_that_only_count_on_tell_nothing() -> None:
    counted = Given([{"id": str(10_000_000 + at), "text": "x"} for at in range(50)])
    assert check_ids(counted, "id", counted.shards(10)) == {}
    spread = Given([{"id": str(10_000_000 + 7919 * at), "text": "x"} for at in range(50)])
    assert check_ids(spread, "id", spread.shards(10)) == {"a long number": 50}


def test_no_message_quotes_an_id() -> None:
    twice = Given([{"id": "Ada Quillfeather", "text": "x"}] * 3)
    with pytest.raises(FormatError, match=r"1 ids in column id come more than once \(one at rows 1, 2, 3\)") as error:
        check_ids(twice, "id", twice.shards(10))
    assert "Ada" not in str(error.value)
