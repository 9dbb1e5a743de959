"""A cluster of separate worker processes gives the bytes of one machine, and writes no name and no key anywhere."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from elision.keys import Key

pytest.importorskip("pyspark")

from tests.run.small import LAST
from tests.run.spark_cluster import CANARY, KILL, ROUNDS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
    pytest.mark.xdist_group("spark"),
]
NOTES = os.environ.get("ELISION_CLUSTER_NOTES", "300")
ROOT = Path(__file__).parents[2]


def test_a_cluster_gives_the_bytes_of_one_machine_and_tells_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-m", "tests.run.spark_cluster", str(tmp_path), NOTES]
    ended = subprocess.run(command, capture_output=True, env=environment, cwd=ROOT, timeout=1800)
    told = ended.stdout.decode().splitlines()
    assert ended.returncode == 0, ended.stderr.decode()[-2000:]
    assert [line.rpartition(",")[0] for line in told if ": " in line] == [f"{name}: the same bytes" for name in ROUNDS]
    assert told.index("killed an executor") < next(at for at, line in enumerate(told) if line.startswith(KILL))
    files = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    key = Key.read(tmp_path / "project.key")
    del files["project.key"]
    assert any(name.startswith("work/") and name.endswith("stderr") for name in files)
    assert any(b'"Speculative":true' in content for name, content in files.items() if name.startswith("events/"))
    secrets = [key.secret(name).key() for name in ("run", "names", "receipts")]
    raw = base64.b64decode((ROOT / tmp_path / "project.key").read_text().strip().rpartition(":")[2])
    forms = [form for one in (raw, *secrets) for form in (one, one.hex().encode(), base64.b64encode(one))]
    words = [word.encode() for word in (CANARY, *LAST)]
    for name, content in {**files, "its output": ended.stdout + ended.stderr}.items():
        assert not any(word in content for word in [*words, *forms]), name
