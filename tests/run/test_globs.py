"""Many files of one kind, by a pattern: they are read in the order of their names, in one run."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from elision.errors import FormatError
from elision.formats.convert import read
from elision.formats.tables.opening import open_source
from tests.run.inline import inline
from tests.run.nights import once
from tests.run.small import a_key


def note(id: str, text: str = "Seen by Dr. Jane Roebuck.", patient: str = "p1") -> dict[str, Any]:
    data = base64.b64encode(text.encode()).decode()
    attachment = {"contentType": "text/plain", "data": data}
    subject = {"reference": f"Patient/{patient}"}
    return {"resourceType": "DocumentReference", "id": id, "subject": subject, "content": [{"attachment": attachment}]}


def write_lines(path: Path, *resources: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in resources))


def texts_in(path: Path) -> dict[str, str]:
    found = {}
    for line in path.read_text().splitlines():
        resource = json.loads(line)
        found[resource["id"]] = base64.b64decode(resource["content"][0]["attachment"]["data"]).decode()
    return found


def run(source: str, out: Path, **options: Any) -> None:
    how = {"columns": {}, "policy": "tag", "key": "", "default_language": "en", **options}
    once(source, out, **how)  # type: ignore[arg-type]


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bulk export in two files."""
    inline(monkeypatch)
    write_lines(tmp_path / "in" / "DocumentReference.1.ndjson", note("c"))
    write_lines(tmp_path / "in" / "DocumentReference.0.ndjson", note("b"), note("a"))
    return tmp_path


def test_lines_of_resources_come_out_under_the_names_of_their_files(exported: Path) -> None:
    run(f"{exported}/in/*.ndjson", exported / "out")
    names = sorted(file.name for file in (exported / "out").iterdir())
    assert names == ["DocumentReference.0.ndjson", "DocumentReference.1.ndjson"]
    first = texts_in(exported / "out" / "DocumentReference.0.ndjson")
    assert list(first) == ["b", "a"]
    assert all("Roebuck" not in text and "Seen by" in text for text in first.values())


def test_names_of_an_export_stay_with_a_key_and_others_do_not(exported: Path) -> None:
    write_lines(exported / "in" / "Roebuck.ndjson", note("d"))
    run(f"{exported}/in/*.ndjson", exported / "out", policy="surrogate", key=a_key(exported))
    names = sorted(file.name for file in (exported / "out").iterdir())
    assert names[0].startswith("DocumentReference.0") or names[1].startswith("DocumentReference.0")
    assert len(names) == 3
    assert not any("Roebuck" in name for name in names)


def test_files_are_read_in_the_order_of_their_names(exported: Path) -> None:
    source = open_source(f"{exported}/in/*.ndjson")
    rows = [row for shard in source.shards(2) for batch in source.read(shard) for row in batch.to_pylist()]
    assert [row["id"] for row in rows] == ["b", "a", "c"]
    assert [one.id for one in read(f"{exported}/in/*.ndjson", "fhir")] == ["b", "a", "c"]


def test_a_file_that_changes_or_comes_is_another_input(exported: Path) -> None:
    before = open_source(f"{exported}/in/*.ndjson").fingerprint
    write_lines(exported / "in" / "DocumentReference.2.ndjson", note("d"))
    assert open_source(f"{exported}/in/*.ndjson").fingerprint != before


def test_a_pattern_of_no_file_is_told(exported: Path) -> None:
    with pytest.raises(FormatError, match="no file has such a name"):
        open_source(f"{exported}/in/*.json")


def test_kinds_that_are_mixed_are_told(exported: Path) -> None:
    (exported / "in" / "letter.pdf").write_bytes(b"%PDF-1.7")
    with pytest.raises(FormatError, match="1 of 3 files are of another kind"):
        list(open_source(f"{exported}/in/*", format="fhir").shards(2))
    (exported / "in" / "letter.pdf").rename(exported / "in" / "letter.csv")
    with pytest.raises(FormatError, match="several kinds"):
        open_source(f"{exported}/in/*")


def test_a_file_whose_name_has_the_marks_of_a_pattern_is_a_file(exported: Path) -> None:
    (exported / "in" / "DocumentReference.1.ndjson").rename(exported / "in" / "notes[1].ndjson")
    assert open_source(f"{exported}/in/notes[1].ndjson").rows == 1
