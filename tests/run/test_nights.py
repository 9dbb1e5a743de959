"""Incremental runs: whatever the nights bring, in whatever order, what comes out is as one run over the last input."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from elision.errors import ElisionError, RunError
from elision.run.local import night as night_module
from elision.run.local import night_shards
from tests.run.nights import Snapshot, inline, left_by, night, once, rows_of, write_input
from tests.run.small import a_key, read_rows


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    inline(monkeypatch)


snapshots = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 4)), max_size=9, unique_by=lambda note: note[0])


@given(nights=st.lists(snapshots, min_size=2, max_size=4), ending=st.sampled_from(["jsonl", "csv", "parquet"]))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nights_with_edits_deletions_and_other_orders_are_one_run_over_the_last_input(
    nights: list[Snapshot], ending: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for snapshot in nights:
            source = write_input(folder / "in.parquet", rows_of(snapshot))
            night(source, folder / f"out.{ending}", folder)
        once(source, folder / f"one.{ending}", folder)
        assert left_by(folder / f"out.{ending}") == left_by(folder / f"one.{ending}")
