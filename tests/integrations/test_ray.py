"""Ray Data maps batches of Arrow through the pure function: tried with Ray itself, where it is installed."""

from __future__ import annotations

import _socket
import os
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address
from typing import Any

import pyarrow as pa
import pytest

from elision.formats.tables.columns import Columns
from elision.integrations.tables import deidentify_patients, deidentify_table
from elision.run.how import How
from elision.run.rows import STATUS

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Ray's own
HOW = How(Columns(("note",), "id", "person"), policy="mask", language="en", effort="rules")
ROWS = [
    {"id": f"n{at:02}", "person": f"p{at % 3}", "note": f"MRN: W-12345{at}. Seen by Dr. Roe on {1 + at} May 2001."}
    for at in range(9)
]
ROWS[4]["note"] = "{\\rtf1 Seen by Dr. Roe.}"  # no plain text: it is held
ROWS[0]["note"], ROWS[3]["note"] = (
    "No pain. Zyxwvutova was told to rest.",
    "Patient name: Ida Zyxwvutova. She was well.",
)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    found = pytest.importorskip("ray", reason="needs Ray: pip install 'ray[data]'")
    data = pytest.importorskip("ray.data", reason="needs Ray Data: pip install 'ray[data]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))  # of the workers
        patch.setattr(socket.socket, "connect", _to_this_machine)
        patch.setattr(socket, "getaddrinfo", _socket.getaddrinfo)
        found.init(
            num_cpus=4, include_dashboard=False, object_store_memory=200_000_000, log_to_driver=False,
            _node_ip_address="127.0.0.1",
        )  # fmt: skip
        data.DataContext.get_current().enable_progress_bars = False
        yield found
        found.shutdown()


def _to_this_machine(one: socket.socket, where: Any) -> None:
    """Ray's processes speak with each other by sockets of this machine; nothing else may."""
    assert isinstance(where, str) or ip_address(where[0]).is_loopback, "elision must not use the network"
    _socket.socket.connect(one, where)


def by_id(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: str(row["id"]))


def test_batches_of_ray_give_the_same_rows_and_hold_what_fails(ray: Any) -> None:
    notes = ray.data.from_arrow([pa.Table.from_pylist(ROWS[:5]), pa.Table.from_pylist(ROWS[5:])])
    done = notes.map_batches(deidentify_table, fn_kwargs={"how": HOW}, batch_format="pyarrow", batch_size=2)
    rows = by_id(done.take_all())
    assert rows == deidentify_table(pa.Table.from_pylist(ROWS), HOW).to_pylist()
    assert [row[STATUS] for row in rows].count("held") == 1
    assert rows[4]["note"] is None
    assert "W-1234" not in str(rows)


def test_a_group_of_ray_has_all_notes_of_a_patient(ray: Any) -> None:
    how = replace(HOW, columns=replace(HOW.columns, keep=("person",)))
    notes = ray.data.from_arrow(pa.Table.from_pylist(ROWS))
    whole = notes.groupby("person").map_groups(deidentify_patients, fn_kwargs={"how": how}, batch_format="pyarrow")
    rows = by_id(whole.take_all())
    assert [row["id"] for row in rows] == [row["id"] for row in ROWS]
    assert "Zyxwvutova" not in str(rows)
