"""What stands around the texts of messages and resources, cleaned by key, patient and shift of the note."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa

from elision.errors import RunError
from elision.formats.catalogue import format_named
from elision.formats.records import Renaming, Shell
from elision.run.column_checks import dates_left
from elision.run.column_values import Changing, Owner
from elision.run.ids import linking

FORMAT = "format"  # in a shell


def cleaned_shells(column: pa.Array, owners: Sequence[Owner], changing: Changing) -> pa.Array:
    """The shells of a batch. Without a key, all ids and dates are dropped."""
    shells = zip(column.to_pylist(), owners, strict=True)
    return pa.array([None if said is None else _cleaned(said, owner, changing) for said, owner in shells], pa.string())


def _cleaned(said: str, owner: Owner, changing: Changing) -> str:
    try:
        shell: Shell = json.loads(said)
        records = format_named(str(shell.pop(FORMAT))).records
    except (ValueError, KeyError):
        records = None
    if records is None:
        raise RunError("a record has a shell that cannot be read; begin the run anew")

    def link(id: str) -> str | None:
        secret = changing.linked
        return None if secret is None or not id else linking(secret, id) or secret.name(id)

    days = None
    if dates_left(changing.policy):
        days = 0  # the note tells them
    elif changing.secrets is not None:
        days = changing.days_of(owner)
    return json.dumps(records.clean(shell, Renaming(link, days, owner.patient)), ensure_ascii=False)
