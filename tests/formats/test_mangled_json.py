"""Whatever a JSON file holds, reading it gives documents or an error of ours, and the error never quotes the note."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ElisionError
from elision.formats import Reading, Remarks, read, write
from tests.formats.canonical import SAMPLES, canonical

FULL = {
    "id": "7", "text": canonical().text, "patient": "p", "language": "en", "known": {"name": ["José Núñez"]},
    "spans": [{"start": 13, "end": 23, "label": "DATE", "score": 0.5, "source": "crf", "info": {"a": "b"}}],
    "joints": [0, 5], "info": {"a": "b"},
}  # fmt: skip
NAMES = {
    "jsonl": "",
    "doccano": "doccano.jsonl",
    "doccano-entities": "doccano_entities.jsonl",
    "prodigy": "prodigy.jsonl",
    "label-studio": "label_studio_export.json",
    "label-studio-predictions": "label_studio_ml_backend_response.json",
    "presidio": "presidio_results.json",
}
JUNK: list[Any] = [None, True, 0, -1, 10**30, 1.5, "", "x", "\ud83d", [], {}, [[]], [5], [{}], {"x": 1}, {"start": "x"}]


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all values inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(deeper for key, item in inner for deeper in places(item, (*path, key)))]


def mangled(row: Any, data: st.DataObject) -> Any:
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(places(row)))
        junk = copy.deepcopy(data.draw(st.sampled_from(JUNK)))
        if not path:
            row = junk
            continue
        parent = row
        for key in path[:-1]:
            parent = parent[key]
        if data.draw(st.booleans()):
            parent[path[-1]] = junk
        else:
            del parent[path[-1]]
    return row


@given(name=st.sampled_from(sorted(NAMES)), data=st.data())
def test_mangled_rows_are_read_or_refused(name: str, data: st.DataObject, tmp_path: Path) -> None:
    row = json.loads((SAMPLES / NAMES[name]).read_text("utf-8") if NAMES[name] else json.dumps(FULL))
    if name == "prodigy":
        del row["tokens"][2:]  # which are not looked at
    file = tmp_path / "in.json"
    file.write_text(json.dumps(mangled(row, data)))
    how = Reading(texts={"in": canonical().text}, lenient=data.draw(st.booleans()))
    try:
        documents = list(read(file, name, how))
        write(documents, tmp_path / f"out-{name}", name, Remarks())
    except ElisionError as error:
        said = str(error)
    else:
        said = "".join(how.remarks.lines())
    assert not [word for word in ("2069", "Núñez", "343", "Sebasti", "O'Neil") if word in said]
