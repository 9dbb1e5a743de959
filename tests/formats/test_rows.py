"""JSON rows: lists that are streamed, ids by place, and the shape of a head that breaks off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import FormatError
from elision.formats import Reading
from elision.formats.json_files import CHUNK, keys_of_lines, list_items, shape, write_list
from elision.formats.rows import notes_below

anything = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(
    rows=st.lists(st.dictionaries(st.text(max_size=3), anything, max_size=3), max_size=4),
    indent=st.sampled_from([None, 2]),
)
def test_a_list_is_read_item_by_item(rows: list[dict[str, Any]], indent: int | None, tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_text(json.dumps(rows, indent=indent))
    assert [(n, item) for n, _, item in list_items(file, Reading())] == list(enumerate(rows, 1))


def test_items_longer_than_the_window_and_many_short_ones(tmp_path: Path) -> None:
    rows = [{"text": "é" * length} for length in (5 * CHUNK, 3, 2 * CHUNK, 0)] + [{"n": n} for n in range(20_000)]
    file = tmp_path / "list.json"
    write_list(file, rows)
    assert [item for _, _, item in list_items(file, Reading())] == rows


def test_an_empty_list_is_written_as_one(tmp_path: Path) -> None:
    write_list(tmp_path / "list.json", [])
    assert json.loads((tmp_path / "list.json").read_text()) == []
    assert list(list_items(tmp_path / "list.json", Reading())) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{}", "list.json: expected a JSON list"),
        (b"", "list.json: expected a JSON list"),
        (b"[", "list.json: item 1: not valid JSON"),
        (b'[{"a": 1}', "list.json: item 2: not valid JSON: no comma before it, or the list breaks off"),
        (b'[{"a": 1} {"a": 2}]', "list.json: item 2: not valid JSON: no comma"),
        (b'[{"a": 1},]', "list.json: item 2: not valid JSON"),
        (b'[{"a": 1}, {"a": "half', "list.json: item 2: not valid JSON"),
        (b'[{"a": 1}] []', "list.json: something follows the end"),
        (b'[{"a": 1, "a": 2}]', "list.json: item 1: not valid JSON: a key comes twice"),
        (b'[{"a": ' + b"9" * 5000 + b"}]", "list.json: item 1: not valid JSON"),
        (b"[" * 200_000, "list.json: item 1: JSON nested too deeply"),
        (b'[{"a": "\xe9"}]', "list.json: is not utf-8"),
        (b'[{"a": "' + b"x" * 3000 + b'"}]', "list.json: item 1: longer than the limit"),
        (
            b'[{"a": "' + b"x" * 300_000,
            "list.json: item 1: not valid JSON (Unterminated string starting at), or longer",
        ),
    ],
)
def test_a_list_that_cannot_be_read(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        list(list_items(file, Reading(max_bytes=2000 if b"xxx" in content else 32_000_000)))
    assert message in str(caught.value)


def test_an_unknown_encoding(tmp_path: Path) -> None:
    for name, content in (("list.json", "[]"), ("lines.jsonl", "{}")):
        (tmp_path / name).write_text(content)
        with pytest.raises(FormatError, match="'utf-9' is not an encoding"):
            list(notes_below(tmp_path / name, Reading(encoding="utf-9"), ".json"))


def test_ids_by_place(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf{"n": 1}\n\n{"n": 3}\r\n')
    (tmp_path / "deep" / "b.json").write_text('\ufeff [{"n": 1}, {"n": 2}]')
    below = [(place, row["n"]) for _, place, row in notes_below(tmp_path, Reading(), ".jsonl", ".json")]
    assert below == [("a-1", 1), ("a-3", 3), ("deep/b-1", 1), ("deep/b-2", 2)]
    alone = [place for _, place, _ in notes_below(tmp_path / "a.jsonl", Reading(), ".jsonl")]
    assert alone == ["1", "3"]


def test_the_shape_of_json() -> None:
    lines = '{"id": 1, "spans": [{"start": 1, "info": {}}], "label": [[1, 2, "A"]]}\n{"text": "a \\" b: {c"}\n'
    assert keys_of_lines(lines) == {"id", "spans", "label", "text"}
    assert shape(lines) == {
        "id", "spans", "spans[]", "spans[].start", "spans[].info", "label", "label[]", "label[][]", "text",
    }  # fmt: skip
    assert shape('[{"data": {"text": "x"}, "a": []}, {"b"') == {"[]", "[].data", "[].data.text", "[].a", "[].a[]"}
    assert shape("Seen by Dr. Roe: {fine}") == shape("") == frozenset()


@given(row=st.dictionaries(st.text(max_size=3), anything, max_size=4), data=st.data())
def test_a_head_that_breaks_off_shows_fewer_keys_but_no_wrong_ones(row: dict[str, Any], data: st.DataObject) -> None:
    head = json.dumps(row)
    assert shape(head[: data.draw(st.integers(0, len(head)))]) <= shape(head)


@pytest.mark.parametrize("head", ['{"' + '\\"' * 30_000, '{"a":' * 10_000, "[" * 60_000, '{"text": "' + "\\" * 60_001])
def test_no_head_takes_long(head: str) -> None:
    assert len(shape(head)) < 50  # quadratic time would take minutes here
