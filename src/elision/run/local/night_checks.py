"""What is refused before a night begins: other settings, a store or an output that is not as the last night left it."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from elision.errors import RunError
from elision.evidence.receipts import Total
from elision.formats.files import is_url
from elision.formats.tables.amending import gone
from elision.formats.tables.placing import FILES, files_in
from elision.formats.tables.sql_sink import ids_in
from elision.formats.urls import without_password
from elision.keys import Secret
from elision.run.how import How
from elision.run.local.folder import RECEIPTS_FILE
from elision.run.local.manifest import Manifest
from elision.run.local.night_plan import key_of
from elision.run.local.night_records import lines_of
from elision.run.local.night_store import NightStore, Old, digest
from elision.run.plan import RunPlan
from elision.showing import place

_FEW = 0.1  # of the notes; if more are gone, perhaps the input is not whole


def refuse_unfit(plan: RunPlan, how: How) -> None:
    """An error if notes could not be known again."""
    if not how.key:
        raise RunError(
            "--incremental needs --key: what it keeps of the notes between two nights is under the key; make one with: "
            "elision key new FILE"
        )
    if not how.columns.id:
        raise RunError("--incremental knows notes by their ids; say which column has them (--id)")
    if plan.repeated_ids:
        raise RunError("--incremental knows notes by their ids, so each must come once; leave --repeated-ids out")


def refuse_loss(plan: RunPlan, lost: int, of: int) -> None:
    """An error if notes are gone that may not be, or many of which nobody said that they are taken out of OUT."""
    told = f"{place(plan.source.where)}: {lost:,} of {of:,} notes are no longer there"
    if plan.deleted == "refuse" and lost:
        raise RunError(f"{told}, and --deleted refuse was said; bring them back, or say --deleted remove")
    if not plan.deleted and lost > _FEW * of:
        raise RunError(f"{told}, which is more than a tenth; see that IN is whole. If it is, say --deleted remove")


def checked(plan: RunPlan, how: How, state: Manifest, store: NightStore, secret: Secret) -> Old:
    """The rows of the nights before. An error unless store and output are as the last night left them."""
    left = state.night or {}
    if digest(store.path, secret) != left.get("store"):
        raise RunError(
            f"{store.path}: is not what the last night left (damaged, or of another night); bring the whole folder "
            "back from a backup, or begin anew with --force"
        )
    old = store.old()
    if is_url(plan.out):
        is_same = sorted(key for key, _ in rows_of(plan, how, secret)) == sorted(old.keys.tolist())
    elif Path(plan.out).is_dir():
        listed = plan.folder / FILES
        ours = listed.read_text("utf-8").splitlines()[1:] if listed.exists() else []
        is_same = set(files_in(Path(plan.out))) == set(map(json.loads, ours))
    else:
        is_same = digest_of(plan.out) == left.get("output")
    if _chain(plan.folder / RECEIPTS_FILE) != (state.counts or {})["summary"]["chain"]:
        raise RunError(
            f"{plan.folder / RECEIPTS_FILE}: the receipts are not as the last night left them; bring them back from a "
            "backup, or begin anew with --force"
        )
    if not is_same:
        raise gone(without_password(plan.out))
    return old


def rows_of(plan: RunPlan, how: How, secret: Secret) -> list[tuple[int, Any]]:
    """The rows of an output in a database: the numbers of their ids, and their ids."""
    return [(key_of(secret, str(id)), id) for id in ids_in(plan.out, how.columns.id)]


def _chain(file: Path) -> str:
    """The end of the chain of receipts, without the summary behind it."""
    total = Total(None)
    for line, _ in pairwise(lines_of(file)):
        total.stays(line)
    return total.chain


def digest_of(out: str) -> str:
    """Of a file; of a folder or a database nothing."""
    path = Path(out)
    if is_url(out) or not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
