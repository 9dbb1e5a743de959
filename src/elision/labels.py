"""Tag sets: the canonical labels, those of the corpora and programs, and the ways between them.

A tag set is a small TOML file (see `data/tagsets/`); a user's own needs no code:

    name = "our-hospital"
    [tags]
    PAT = "NAME_PATIENT"
    ARTS = "NAME_CLINICIAN"
    PLAATS = { label = "LOCATION_OTHER", lossy = "city, street and postcode in one" }
    [back]                      # canonical labels that no tag stands for, and where they go
    NAME_RELATIVE = "PAT"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import LabelError


@dataclass(frozen=True, slots=True)
class Label:
    """A canonical label: its parent, and the Safe Harbor item (A to R, or "") that asks for its removal."""

    name: str
    parent: str
    safe_harbor: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of some tag set and the canonical label for it."""

    name: str
    label: str
    group: str = ""  # the tag's own parent in its tag set, an XML element for i2b2 and MEDDOCAN
    hipaa: bool = False  # in the tag set's own HIPAA subset
    lossy: str = ""  # what the canonical label no longer says, "" if nothing
    note: str = ""


@dataclass(frozen=True)
class TagSet:
    """The tags of one corpus, guideline or program, and where canonical labels go in it."""

    name: str
    title: str
    tags: Mapping[str, Tag]
    back: Mapping[str, str]

    @cached_property
    def to_tag(self) -> Mapping[str, str]:
        """Canonical label -> tag, for every canonical label that has a place in this tag set."""
        exact: dict[str, str] = {}
        for tag in sorted(self.tags.values(), key=lambda tag: bool(tag.lossy)):
            exact.setdefault(tag.label, tag.name)
        return {**exact, **self.back}

    def tag(self, name: str) -> Tag:
        try:
            return self.tags[name]
        except KeyError:
            raise LabelError(f"tag set {self.name} has no tag {name!r}{_hint(name, self.tags)}") from None

    def loses(self, label: str) -> bool:
        """Whether a canonical label, written as this tag set's tag, no longer reads back as itself."""
        return self.tags[self.to_tag[label]].label != label


@cache
def canonical() -> Mapping[str, Label]:
    """The canonical labels by name, in their order."""
    table = tomllib.loads(_shipped("canonical").read_text("utf-8"))
    return {
        name: Label(name, parent, row.get("safe_harbor", ""), row.get("note", ""))
        for parent, rows in table["labels"].items()
        for name, row in rows.items()
    }


def parent(label: str) -> str:
    """The parent of a canonical label; of any other label, the label itself."""
    known = canonical().get(label)
    return known.parent if known else label


def nearest(label: str, known: Iterable[str]) -> str:
    """The label itself if it is known; or the other of its parent, where Safe Harbor asks for its removal; or ""."""
    known = frozenset(known)
    if label in known:
        return label
    ours = canonical().get(label)
    other = f"{ours.parent}_OTHER" if ours and ours.safe_harbor else ""
    return other if other in known else ""


def tag_set_names() -> list[str]:
    """The tag sets that come with elision."""
    folder = files("elision") / "data" / "tagsets"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


@cache
def tag_set(name: str) -> TagSet:
    """A tag set by its name, or from a TOML file by its path."""
    if name == "canonical":
        labels = canonical()
        return TagSet(
            "canonical", "elision's own labels", {n: Tag(n, n, group=label.parent) for n, label in labels.items()}, {}
        )
    if name in tag_set_names():
        return _parse(_shipped(name).read_text("utf-8"), name)
    path = Path(name)
    if path.suffix != ".toml":
        names = tag_set_names()
        raise LabelError(
            f"no tag set {name!r}{_hint(name, names)}; there are {', '.join(names)}, or the path of a .toml file"
        )
    try:
        return _parse(path.read_text("utf-8"), str(path))
    except OSError as error:
        raise LabelError(f"{path}: cannot read the tag set: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LabelError(f"{path}: a tag set is UTF-8 text; this file is not") from None


def _parse(text: str, where: str) -> TagSet:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LabelError(f"{where}: not valid TOML: {error}") from None
    _check_types(table, where, name=str, title=str, back=dict)
    rows = table.get("tags")
    if not isinstance(rows, dict) or not rows:
        raise LabelError(f'{where}: a tag set needs a table [tags] with lines like PAT = "NAME_PATIENT"')
    known = canonical()
    tags: dict[str, Tag] = {}
    for name, row in rows.items():
        fields: dict[str, Any] = {"label": row} if isinstance(row, str) else dict(row) if isinstance(row, dict) else {}
        unknown = set(fields) - {"label", "group", "hipaa", "lossy", "note"}
        if "label" not in fields or unknown:
            raise LabelError(
                f"{where}: tag {name}: write a canonical label, or a table with label and, if needed, "
                f"group, hipaa, lossy, note{'; not ' + ', '.join(sorted(unknown)) if unknown else ''}"
            )
        _check_types(fields, f"{where}: tag {name}", label=str, group=str, hipaa=bool, lossy=str, note=str)
        if fields["label"] not in known:
            raise LabelError(
                f"{where}: tag {name}: no canonical label {fields['label']!r}{_hint(fields['label'], known)}"
            )
        tags[name] = Tag(name, **fields)
    back = table.get("back", {})
    _check_types(back, f"{where}: [back]", **dict.fromkeys(back, str))
    for label, tag_name in back.items():
        if label not in known:
            raise LabelError(f"{where}: [back]: no canonical label {label!r}{_hint(label, known)}")
        if tag_name not in tags:
            raise LabelError(f"{where}: [back] {label}: no tag {tag_name!r}{_hint(tag_name, tags)}")
    return TagSet(table.get("name", Path(where).stem), table.get("title", ""), tags, back)


def _check_types(table: Mapping[str, Any], where: str, /, **kinds: type) -> None:
    """Refuse values of another type than a tag set has in these places."""
    words = {str: "a string in quotes", bool: "true or false", dict: "a table"}
    for key, kind in kinds.items():
        if key in table and not isinstance(table[key], kind):
            raise LabelError(f"{where}: {key} must be {words[kind]}")


@dataclass(frozen=True, slots=True)
class Mapped:
    """Where a label goes from one tag set to another, and what that loses ("" if nothing)."""

    label: str
    lossy: str = ""


def mapping(source: TagSet, target: TagSet) -> dict[str, Mapped]:
    """Where each tag of `source` goes in `target`; a tag that has no place there is left out."""
    ways: dict[str, Mapped] = {}
    for tag in source.tags.values():
        goal = target.to_tag.get(tag.label)
        if goal is None:
            continue
        lossy = tag.lossy
        if target.loses(tag.label):
            kept = target.tags[goal]
            lossy = f"{tag.label} becomes {goal}" + (f" ({kept.lossy})" if kept.lossy else "")
        ways[tag.name] = Mapped(goal, lossy)
    return ways


def mapping_named(names: str, usual: str = "") -> dict[str, Mapped]:
    """The ways that "A:B" names, from tag set A to B; ":B" takes the usual tag set for A."""
    source, colon, target = names.rpartition(":")
    source = source or usual
    if not colon or not target or not source:
        raise LabelError(f"{names!r} does not name two tag sets; write them with a colon, such as meddocan:i2b2-2014")
    return mapping(tag_set(source), tag_set(target))


def map_labels(document: Document, ways: Mapping[str, Mapped], *, source: str = "the tag set") -> Document:
    """The document with its labels taken over; a label without a way is an error, never dropped."""
    spans = []
    for span in document.spans:
        way = ways.get(span.label)
        if way is None:
            raise LabelError(
                f"{document.name}: span {span.start}–{span.end}: {source} has no way for label {span.label!r}"
                f"{_hint(span.label, ways)}; add it to a tag set of your own (a .toml file)"
            )
        spans.append(replace(span, label=way.label))
    return document.with_spans(spans)


def guess_tag_set(labels: Iterable[str]) -> TagSet | None:
    """The one shipped tag set that knows all these labels, if exactly one does best; else None."""
    seen = set(labels)
    if not seen:
        return None
    fits = [name for name in ["canonical", *tag_set_names()] if name and seen <= set(tag_set(name).tags)]
    return tag_set(fits[0]) if len(fits) == 1 else None


def _shipped(name: str) -> Traversable:
    return files("elision") / "data" / ("labels.toml" if name == "canonical" else f"tagsets/{name}.toml")


def _hint(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.upper(), {k.upper(): k for k in known}, n=1, cutoff=0.6)
    original = {k.upper(): k for k in known}
    return f" (did you mean {original[near[0]]}?)" if near else ""
