"""Label Studio's regions, the items of a `result`, to spans and back.

Exports of old versions count in UTF-16 units, newer ones in code points. Nothing says which, but a region carries its
own text: the unit is the one in which every region of the task has its text where it says. If none is, the task is
refused; guessing would shift labels by a character or two, which nobody sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from elision.document import Document, Span
from elision.errors import FormatError
from elision.formats.files import parse_json
from elision.formats.format import Remarks
from elision.formats.offsets import Offsets, fits
from elision.formats.rows import (
    JsonObject,
    as_json,
    finite,
    kept,
    mapping,
    number,
    restored,
    rows_in,
    string,
    things,
    whole,
    whole_string,
)

RESULT = "label_studio:result"  # info: items that are no regions, such as a choice for the whole note
LABELS = ("labels", "hypertextlabels")
DEFAULTS = {"from_name": "label", "to_name": "text", "origin": "manual"}
VALUE_KEYS = frozenset(
    {"start", "end", "text", "globalOffsets", "startOffset", "endOffset", "labels", "hypertextlabels"}
)


@dataclass(frozen=True, slots=True)
class Region:
    """A labelled stretch as the file has it, its offsets in a unit still to be found."""

    id: str
    start: int
    end: int
    surface: str | None  # its text, where the file has it
    labels: tuple[str, ...]
    score: float
    info: dict[str, str]
    where: str


# --- reading -------------------------------------------------------------------------------------------------------


def is_region(item: JsonObject) -> bool:
    return item.get("type", "labels") in LABELS


def regions(items: list[JsonObject], scored: bool, where: str, remarks: Remarks) -> list[Region]:
    """The regions among the items of a result. `scored`: whether scores are the spans' own, as in predictions."""
    found = []
    for n, item in enumerate(items, 1):
        if is_region(item):
            region = _region(item, scored, f"{where}: result {n}", remarks)
            if region.labels:
                found.append(region)
            else:
                remarks.add("Label Studio regions without a label, passed over", where)
    return found


def _region(item: JsonObject, scored: bool, where: str, remarks: Remarks) -> Region:
    value = mapping(item, "value", where)
    if unknown := value.keys() - VALUE_KEYS:
        remarks.add(f"Label Studio region values {min(unknown)!r}, not kept", where)
    place = value
    if isinstance(value.get("start"), str):  # a path into HTML, with the offsets in the whole text beside it
        remarks.add("Label Studio regions in HTML, read by their offsets in the whole text", where)
        place = mapping(value, "globalOffsets", where)
    labels = [label for key in LABELS for label in things(value, key, where)]
    mine = {"id", "type", "value"} | ({"score"} if scored else set())
    mine |= {key for key, default in DEFAULTS.items() if item.get(key) == default}
    return Region(
        id=string(item, "id", where, ""),
        start=whole(place, "start", where),
        end=whole(place, "end", where),
        surface=None if value.get("text") is None else string(value, "text", where),
        labels=tuple(whole_string(label, f"{where}: a label") for label in labels),
        score=number(item, "score", where, 1.0) if scored else 1.0,
        info=kept(item, mine, "label_studio", where),
        where=where,
    )


def other_items(items: list[JsonObject], where: str, remarks: Remarks) -> dict[str, str]:
    """Info for the items that are no regions: relations, and choices or texts about the whole note."""
    others = []
    for n, item in enumerate(items, 1):
        kind = string(item, "type", f"{where}: result {n}", "labels")
        if is_region(item):
            continue
        if kind.endswith("labels"):
            raise FormatError(f"{where}: result {n}: regions of type {kind!r} are not stretches of a plain text")
        if "start" in mapping(item, "value", where):
            remarks.add(f"Label Studio results of type {kind!r} about a region, not kept", where)
        else:
            others.append(item)
    return {RESULT: as_json(others, f"{where}: result")} if others else {}


def spans(text: str, found: list[Region], where: str, remarks: Remarks) -> Iterator[Span]:
    """The spans of regions, one for each label; a region's id is kept where it is not the one that we would write."""
    offsets = _fitting(text, found, where, remarks)
    n = 0
    for region in found:
        start, end = offsets.back(region.start), offsets.back(region.end)
        for label in region.labels:
            info = dict(region.info)
            if region.id not in ("", _id_at(n)):
                info["label_studio:id"] = as_json(region.id, region.where)
            yield Span(start, end, label, score=region.score, info=info)
            n += 1


def _fitting(text: str, found: list[Region], where: str, remarks: Remarks) -> Offsets:
    """The unit in which every region's text stands where the region says; one in which it does so exactly, if any."""
    units = _units(text)
    for exact in (True, False):
        fitting = [unit for unit in units if all(_lies(text, region, unit, exact) for region in found)]
        if len(fitting) == 2 and any(units[1].to(o) != o for region in found for o in (region.start, region.end)):
            remarks.add("Label Studio tasks that fit code points and UTF-16 units, read as code points", where)
        if fitting:
            return fitting[0]
    bad = next(region for region in found if not _lies(text, region, units[0], False))
    problem = f"{bad.where}: region {bad.start}–{bad.end}: the text there is not the region's own text"
    flat = text.replace("\r\n", "\n")
    if any(all(_lies(flat, region, unit, False) for region in found) for unit in _units(flat)):
        raise FormatError(
            f"{problem}; the offsets count each CRLF of the note as one character, so they were made on a copy with "
            "LF alone. Give the tasks that copy of the text and read again"
        )
    raise FormatError(
        f"{problem}, neither in code points nor in UTF-16 units; was the text changed after it was labelled?"
    )


def _units(text: str) -> list[Offsets]:
    differ = max(text, default="") > "\uffff"
    return [Offsets(text, "code-points"), *([Offsets(text, "utf-16")] if differ else [])]


def _lies(text: str, region: Region, offsets: Offsets, exact: bool) -> bool:
    """Whether a region lies in the text, at its own text if it has one; loosely, white space may differ."""
    try:
        start, end = offsets.back(region.start), offsets.back(region.end)
    except FormatError:  # inside a character
        return False
    if not 0 <= start <= end <= len(text):
        return False
    if region.surface is None or text[start:end] == region.surface:
        return True
    return not exact and fits(text, start, end, region.surface.replace("\\n", "\n"))  # some versions write \n as two


# --- writing -------------------------------------------------------------------------------------------------------


def result_of(document: Document, scored: bool, remarks: Remarks) -> list[JsonObject]:
    """The items for a document's spans, and the other items that it came with."""
    items: list[JsonObject] = []
    for n, span in enumerate(document.spans):
        said = restored(span.info, "label_studio", document.name)
        item: JsonObject = {
            "id": said.pop("id", _id_at(n)),
            "from_name": said.pop("from_name", DEFAULTS["from_name"]),
            "to_name": said.pop("to_name", DEFAULTS["to_name"]),
            "type": "labels",
            "value": {"start": span.start, "end": span.end, "text": document.text_of(span), "labels": []},
        }
        if scored:
            item["score"] = finite(span, document.name)
        item |= {key: value for key, value in said.items() if key not in item}
        if not items or items[-1] | {"value": 0} != item | {"value": 0} or not _same_place(items[-1], item):
            items.append(item)
        items[-1]["value"]["labels"].append(span.label)  # one region with several labels was several spans
    return items + _others(document, {str(item["id"]) for item in items}, remarks)


def _same_place(a: JsonObject, b: JsonObject) -> bool:
    return all(a["value"][key] == b["value"][key] for key in ("start", "end"))


def _id_at(n: int) -> str:
    return f"r{n}"


def _others(document: Document, ids: set[str], remarks: Remarks) -> list[JsonObject]:
    """The other items; relations only if both ends are still there."""
    if RESULT not in document.info:
        return []
    where = f"{document.name}: info {RESULT!r}"
    others = rows_in({RESULT: parse_json(document.info[RESULT], where)}, RESULT, where)
    firm = [
        one
        for one in others
        if one.get("type") != "relation" or {str(one.get("from_id")), str(one.get("to_id"))} <= ids
    ]
    if len(firm) < len(others):
        remarks.add("Label Studio relations whose spans are gone, left out", document.name, len(others) - len(firm))
    return firm
