"""What of the files that decide, and of elision itself, must be the same at the end of a run as at its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import elision
from elision.errors import RunError
from elision.keys import Key, digest_of
from elision.languages.base import HERE
from elision.models import store
from elision.policy import Policy
from elision.replace.fingerprint import fingerprint as lists


def fingerprints(policy: str, key: str, rules: Sequence[str], models: Sequence[str]) -> dict[str, str]:
    """Fingerprints by name; of the key, its id."""
    found = {"elision": elision.__version__, "policy": Policy.named(policy).digest, "packs": _packs()}
    found["stand-ins"] = lists()
    if key:
        found["key"] = Key.read(key).id
    for number, path in enumerate(rules):
        try:
            found[f"rules {number + 1}"] = digest_of(Path(path).read_bytes())
        except OSError as error:
            raise RunError(f"{path}: cannot read the rules: {error.strerror}") from None
    for number, path in enumerate(models):
        found[f"model {number + 1}"] = store.fingerprint(Path(path))
    return found


def _packs() -> str:
    files = sorted(path for path in HERE.glob("*/rules/*") if path.is_file())
    return digest_of(b"".join(path.name.encode() + path.read_bytes() for path in files))
