"""Files of a few bytes that stand for gigabytes: read piece by piece, or refused before they are unpacked."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from elision.errors import FormatError
from elision.formats.tables.opening import open_source

NOTE = "Seen by Dr. Quillfeather. "
READ = """
import re, sys
from pathlib import Path
from elision.formats.tables.opening import open_source
source = open_source(sys.argv[1])
rows = sum(len(batch) for shard in source.shards(2000) for batch in source.read(shard))
print(rows, int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""


def table(path: Path, notes: list[str | None], **options: object) -> Path:
    ids = [f"n{at}" for at in range(len(notes))]
    parquet.write_table(pa.table({"id": ids, "note": notes}), path, compression="zstd", **options)
    return path


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process took at most")
def test_a_long_note_that_is_there_once_and_repeated_is_read_in_little_memory(tmp_path: Path) -> None:
    bomb = table(tmp_path / "notes.parquet", [NOTE * 40_000] * 600)
    assert bomb.stat().st_size < 100_000
    told = subprocess.run([sys.executable, "-c", READ, bomb], capture_output=True, text=True, check=True)
    rows, megabytes = map(int, told.stdout.split())
    assert rows == 600
    assert megabytes < 300  # all rows are 620 MB, and a batch of 250 rows alone 260


def test_a_column_that_is_packed_ten_thousand_times_is_refused(tmp_path: Path) -> None:
    notes = [f"{at}{' ' * 10_000_000}" for at in range(8)]
    bomb = table(tmp_path / "notes.parquet", [*notes], use_dictionary=False)
    source = open_source(str(bomb))
    with pytest.raises(
        FormatError, match=r"row group 0: column 2 .* would unpack to 76 MB from .* without compression"
    ):
        list(source.read(source.shards(10)[0]))


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_row_beyond_the_limit_is_named(tmp_path: Path, dictionary: bool) -> None:
    file = table(tmp_path / "notes.parquet", [NOTE, None, NOTE * 50_000, NOTE], use_dictionary=dictionary)
    source = open_source(str(file), max_bytes=1 << 20)
    with pytest.raises(FormatError, match=re.escape("row group 0: row 3 is larger than the limit of 1.05 MB")):
        list(source.read(source.shards(10)[0]))


@pytest.mark.parametrize("name", ["notes.jsonl", "notes.csv"])
def test_a_line_without_end_is_not_read_into_memory(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes((b"id,note\n1," if name.endswith("csv") else b'{"id": "1", "note": "') + b"x" * (3 << 20))
    with pytest.raises(FormatError, match=r"--max-mb|longer than the limit"):
        list(open_source(str(file), max_bytes=1 << 20).shards(10))
