"""What of the files that decide, and of elision itself, must be the same at the end of a run as at its beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import elision
from elision.errors import RunError
from elision.keys import Key, digest_of
from elision.languages.base import HERE, folders
from elision.policy import Policy
from elision.replace.standins import fingerprint as lists
from elision.replace.word_lists import word_list
from elision.taggers.store import fingerprint


def fingerprints(
    policy: str, key: str, rules: Sequence[str], models: Sequence[str], words: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Fingerprints by name; of the key, its id. `words` are files of words, by their kind."""
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
        found[f"model {number + 1}"] = fingerprint(Path(path))
    for kind, file in words.items():
        if file:
            found[kind] = word_list(file, kind).fingerprint(Key.read(key) if key else None)
    return found


def _packs() -> str:
    """Of all that languages know, as far as it is no part of elision itself, and of the rules and words that are."""
    ours = [path for pattern in ("*/rules/*", "*/*.toml", "*/*.txt") for path in HERE.glob(pattern)]
    added = [path for one in folders()[1:] for path in one.rglob("*")]
    told = [
        f"{path.relative_to(root)}\0{digest_of(path.read_bytes())}"
        for root, paths in ((HERE, ours), *((one, added) for one in folders()[1:]))
        for path in sorted(paths)
        if path.is_file() and path.is_relative_to(root)
    ]
    return digest_of("\n".join(told).encode())
