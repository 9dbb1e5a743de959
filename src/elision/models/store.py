"""Models as folders: JSON and plain numbers, each file named with its size and SHA-256 in a manifest. Pickle never.

    model.json           what it is: kind, version of this layout, elision's version, and a free card
    vocabulary.json      named lists of strings
    weights.safetensors  named arrays
    manifest.json        size and SHA-256 of the other three

What is promised:

- The same content gives the same bytes, on every machine and with every version of the libraries.
- `save` leaves the old folder or the new one, whole, whatever happens (`swap` says where that has a limit).
- `load` never returns a mixture of two models, as all that it reads must fit one manifest. If the folder is replaced
  meanwhile, it begins again; where folders cannot be swapped in one step, it may find none and waits a moment.
- The manifest guards against damage, not against somebody who rewrites it too: for that, compare `fingerprint` with one
  that you trust. Even then, loading a model runs nothing that is in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy.typing as npt

from elision import __version__
from elision.errors import ElisionError, ModelError, shown
from elision.models import manifest, plain_json, safetensor, swap
from elision.models.manifest import AGAIN

T = TypeVar("T")

VERSION = 1  # of the folder's layout
MODEL, VOCABULARY, WEIGHTS = FILES = ("model.json", "vocabulary.json", "weights.safetensors")
_TRIES = 20  # at reading a folder that is being replaced again and again


@dataclass(frozen=True, slots=True, eq=False)  # arrays have no plain equality: compare fingerprints
class Stored:
    """What a model folder holds. Loaded arrays are read-only, so that threads can share them."""

    kind: str  # "linear", "pos", "groups"
    card: Mapping[str, Any]  # JSON: labels, features, training data's fingerprint, scores, licences
    vocabulary: Mapping[str, Sequence[str]] = field(repr=False)  # words of notes: kept out of logs
    arrays: Mapping[str, npt.NDArray[Any]] = field(repr=False)


def save(folder: Path, model: Stored, *, overwrite: bool = False) -> int:
    """Write a model; how many bytes it has. With `overwrite`, an empty folder or an elision model may stand there."""
    folder = Path(os.path.realpath(folder))  # where a link stands, what it leads to is written
    contents = _contents(model, f"{folder}")
    try:
        refuse_to_replace(folder, overwrite)
        with swap.building(folder) as part:
            entries = {name: manifest.write(part / name, pieces, f"{folder}") for name, pieces in contents.items()}
            own = manifest.write(part / manifest.NAME, [manifest.dump(entries)], f"{folder}")
    except OSError as error:
        raise ModelError(
            f"{folder}: cannot be written: {error.strerror}; choose a folder that is not there yet, on a disk with room"
        ) from None
    return own.size + sum(entry.size for entry in entries.values())


def load(folder: Path, kinds: Collection[str] = ()) -> Stored:
    """Read a model, every byte checked; with `kinds`, only a model of one of them."""
    return _of_one(Path(folder), lambda listed: _read(Path(folder), listed, kinds))


def built(
    folder: Path,
    kind: str,
    build: Callable[[Stored], T],
    what: str = "a model that this elision wrote ({}); train it again",
) -> T:
    """What `build` makes of the model of a kind in a folder. Whatever it trips over is told with the folder."""
    model = load(folder, (kind,))
    try:
        return build(model)
    except ElisionError as error:
        raise ModelError(f"{folder}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(f"{folder}: not {what.format(type(error).__name__)}") from None


def kind_of(folder: Path) -> str:
    """Of which kind the model in a folder is; no other file than the one that says so is read."""
    return _of_one(Path(folder), lambda listed: _about(Path(folder), listed, ())[0])


def _of_one(folder: Path, read: Callable[[manifest.Manifest], T]) -> T:
    """What is read of one model, and not of two if the folder is replaced meanwhile."""
    tries = 1
    while True:
        with manifest.opened(folder) as stream:
            try:
                return read(manifest.read(stream, folder))
            except ModelError:
                if tries == _TRIES or not manifest.was_replaced(folder, stream):
                    raise
        tries += 1


def size(folder: Path) -> int:
    """How many bytes the files of a model take; other files in its folder do not count."""
    folder = Path(folder)
    with manifest.opened(folder) as stream:
        return manifest.size(folder, manifest.read(stream, folder))


def fingerprint(folder: Path) -> str:
    """A SHA-256 that names this very model: of the manifest, which holds those of the files (`load` checks them)."""
    with manifest.opened(Path(folder)) as stream:
        return manifest.read(stream, Path(folder)).sha256


def _contents(model: Stored, where: str) -> dict[str, Iterable[bytes | memoryview]]:
    """The files' bytes. All that could be wrong with a model is found here, before anything is written."""
    if not re.fullmatch("[a-z][a-z0-9-]*", model.kind):
        raise ModelError(f"{where}: the kind of a model must be a word of small letters, such as crf")
    if not isinstance(model.card, Mapping):
        raise ModelError(f"{where}: the card must be a dict")
    card = plain_json.value(model.card, f"{where}: card")
    plain_json.check_lists(model.vocabulary, f"{where}: vocabulary")
    safetensor.check(model.arrays, where)
    about = {"kind": model.kind, "version": VERSION, "elision": __version__, "card": card}
    lists = {name: list(model.vocabulary[name]) for name in sorted(model.vocabulary)}
    return {
        MODEL: [plain_json.dump(about, indent=1)],
        VOCABULARY: [plain_json.dump(lists)],
        WEIGHTS: safetensor.pieces(model.arrays),
    }


def refuse_to_replace(folder: Path, overwrite: bool) -> None:
    """What stands there goes only if that is wanted, and if nothing but a model goes with it."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise ModelError(f"{folder}: a file stands there; a model is a folder: give another name")
    if not overwrite:
        raise ModelError(f"{folder}: is there already; choose another folder, or --force (in Python, overwrite=True)")
    names = {path.name for path in folder.iterdir()}
    if not names:
        return
    try:
        with manifest.opened(folder) as stream:
            known = {*manifest.read(stream, folder).entries, manifest.NAME}
    except ModelError:
        raise ModelError(
            f"{folder}: not overwritten, as it is neither empty nor a model that elision can read; choose another "
            "folder, or remove this one yourself"
        ) from None
    if others := sorted(names - known):
        raise ModelError(
            f"{folder}: not overwritten, as it holds what is not of the model ({len(others)}, the first"
            f"{shown(others[0]) or ' with an odd name'}); move that elsewhere first"
        )


def _read(folder: Path, listed: manifest.Manifest, kinds: Collection[str]) -> Stored:
    kind, card = _about(folder, listed, kinds)
    if unknown := listed.entries.keys() - set(FILES):
        name = shown(min(unknown))
        raise ModelError(f"{folder / manifest.NAME}: lists a file{name} that no model of this version has; {AGAIN}")
    words = manifest.checked(folder, VOCABULARY, listed)
    weights = manifest.checked(folder, WEIGHTS, listed)
    vocabulary = plain_json.parse(words, f"{folder / VOCABULARY}")
    plain_json.check_lists(vocabulary, f"{folder / VOCABULARY}")
    return Stored(kind, card, vocabulary, safetensor.unpack(weights, f"{folder / WEIGHTS}"))


def _about(folder: Path, listed: manifest.Manifest, kinds: Collection[str]) -> tuple[str, dict[str, Any]]:
    about = plain_json.parse(manifest.checked(folder, MODEL, listed), f"{folder / MODEL}")
    return _understood(about, f"{folder / MODEL}", (kinds,) if isinstance(kinds, str) else kinds)


def _understood(about: object, where: str, kinds: Collection[str]) -> tuple[str, dict[str, Any]]:
    """Kind and card of a model, if this elision can read it and it is of a kind that is wanted."""
    version = about.get("version") if isinstance(about, dict) else None
    if not isinstance(about, dict) or type(version) is not int or version < 1:
        raise ModelError(f"{where}: does not say which version of the layout its folder has; {AGAIN}")
    if version > VERSION:
        raise ModelError(
            f"{where}: was written by elision{shown(about.get('elision'), ' {}')} with folder version {version}; "
            f"this elision ({__version__}) reads up to {VERSION}: upgrade elision"
        )
    kind, card = about.get("kind"), about.get("card")
    if not isinstance(kind, str) or not isinstance(card, dict):
        raise ModelError(f"{where}: does not say of which kind the model is, or has no card; {AGAIN}")
    if kinds and kind not in kinds:
        wanted = " or ".join(sorted(kinds))
        raise ModelError(
            f"{where}: is a model of kind{shown(kind, ' {}')} where {wanted} is needed; give another model"
        )
    return kind, plain_json.value(card, f"{where}: card")
