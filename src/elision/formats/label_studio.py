"""Label Studio's JSON: tasks with people's annotations, and tasks with a model's predictions.

`label-studio` is what people said: the export, and what can be imported as finished work. `label-studio-predictions` is
what a model said: annotations to import for review, with a score for each span. It also reads the bare response of an
ML backend, given the texts. Each reads its own side of a task, and reports the other as not read. Label Studio gives
every task a number of its own on import, so elision's id goes along in `data.elision_id`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import FormatError
from elision.formats.files import files_below, id_of
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.json_files import begins_with, shape, write_list
from elision.formats.regions import RESULT, is_region, other_items, regions, result_of, spans
from elision.formats.rows import (
    JsonObject,
    as_json,
    as_number,
    identifier,
    mapping,
    notes_in,
    parsed_info,
    placed,
    rows_in,
    string,
    text_in,
    things,
    whole_file,
    without_empty,
)

ID = "elision_id"
TASK, DATA, TEXT = "label_studio:task", "label_studio:data", "label_studio:text"
SIDES = {"annotations": "label_studio:annotation", "predictions": "label_studio:prediction"}
# Copies of regions with their texts, which are not read: other people's, the model's, unfinished ones.
BESIDE = ("annotations", "completions", "predictions", "drafts")
DEFAULTS: dict[str, JsonObject] = {
    "annotations": {"was_cancelled": False, "ground_truth": False},
    "predictions": {"model_version": "elision"},
}
ADDRESS = re.compile(r"(?:https?|s3|gs|azure-blob)://\S+|/data/\S+")


# --- reading -------------------------------------------------------------------------------------------------------


def read(side: str, path: Path, how: Reading) -> Iterator[Document]:
    for where, place, task in _tasks(side, path, how):
        said = _chosen(task, side, where, how)
        if said is not None:
            with placed(where):
                document = _document(task, said, side, where, place, how.remarks)
            yield document


def _document(task: JsonObject, said: JsonObject, side: str, where: str, place: str, remarks: Remarks) -> Document:
    items, data = rows_in(said, "result", where), mapping(task, "data", where)
    found = regions(items, side == "predictions", where, remarks)
    key = _text_key(data, items, where)
    text, id = text_in(data, where, key), identifier(task, "id", where, place)
    info = {
        TASK: {k: v for k, v in task.items() if k not in {"id", "data", *BESIDE}},
        DATA: {k: v for k, v in data.items() if k not in {key, ID}},
        SIDES[side]: {
            k: v for k, v in said.items() if k not in {"result", "prediction"} and (k, v) not in DEFAULTS[side].items()
        },
    }
    if data.get(ID) is not None and (own := identifier(data, ID, where, "")) != id:
        if "id" in task:
            info[TASK]["id"] = task["id"]
        id = own
    kept = {k: as_json(v, f"{where}: {k!r}") for k, row in info.items() if (v := without_empty(row))}
    if key != "text":
        kept[TEXT] = key
    if ADDRESS.fullmatch(text):
        remarks.add("Label Studio tasks whose text is only an address; is the note kept elsewhere?", where)
    kept |= other_items(items, where, remarks)
    return Document(text, id, spans=tuple(spans(text, found, where, remarks)), info=kept)


def _tasks(side: str, path: Path, how: Reading) -> Iterator[tuple[str, str, JsonObject]]:
    """(where, id by place, task) of exports, of files with one task each, and of an ML backend's responses."""
    for file in files_below(path, ".json"):
        if begins_with(file, b"["):
            for where, place, task in notes_in(file, path, how):
                yield where, place, _task(task, where)
            continue
        row = whole_file(file, how)
        if isinstance(row, dict) and "results" in row:
            if side != "predictions":
                raise FormatError(f"{file}: an ML backend's response, no export; read it as label-studio-predictions")
            yield from _response(row, file, id_of(file, path), how.texts)
        else:
            yield str(file), id_of(file, path), _task(row, str(file))


def _task(task: Any, where: str) -> JsonObject:
    if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
        raise FormatError(
            f"{where}: a task needs an object 'data'; if this is an export of type JSON-MIN or CSV, export as JSON"
        )
    return task


def _response(
    row: JsonObject, file: Path, name: str, texts: Mapping[str, str]
) -> Iterator[tuple[str, str, JsonObject]]:
    """An ML backend's response as tasks: its results have no texts, so they are matched to those that are given."""
    results = rows_in(row, "results", str(file))
    by_place = list(texts) if len(texts) == len(results) else []
    for number, result in enumerate(results, 1):
        where = f"{file}: prediction {number}"
        id = identifier(result, "task", where, name if len(results) == 1 else "")
        if id not in texts and by_place:
            id = by_place[number - 1]
        if id not in texts:
            raise FormatError(
                f"{where}: an ML backend's response has no texts, and {len(texts)} texts are given for its "
                f"{len(results)} results; give one for each, in their order or by id (--texts)"
            )
        said = {"model_version": row.get("model_version")} | {k: v for k, v in result.items() if k != "task"}
        yield where, id, {"id": id, "data": {"text": texts[id]}, "predictions": [said]}


def _chosen(task: JsonObject, side: str, where: str, how: Reading) -> JsonObject | None:
    """What is to be read of a task: the one annotation or prediction. Those of several people are never mixed."""
    old = side == "annotations" and side not in task  # "completions" is what versions before 1.0 said
    mine = "completions" if old else side
    for key in BESIDE:
        if key != mine and (others := things(task, key, where)):
            how.remarks.add(f"Label Studio {key}, not read", where, len(others))
    if any(mapping(one, "prediction", where) for one in rows_in(task, "annotations", where)):
        how.remarks.add("Label Studio predictions, not read", where)
    all_said = rows_in(task, mine, where)
    said = [one for one in all_said if not (one.get("was_cancelled") or one.get("skipped"))]
    if len(said) < len(all_said):
        how.remarks.add("Label Studio annotations that were cancelled, passed over", where, len(all_said) - len(said))
    if len(said) > 1:
        said = _one_of(said, side, where, how)
    if said:
        return said[0]
    if side == "predictions":
        return {}
    how.remarks.add("Label Studio tasks without an annotation, passed over", where)
    return None


def _one_of(said: list[JsonObject], side: str, where: str, how: Reading) -> list[JsonObject]:
    truth = [one for one in said if one.get("ground_truth")]
    if len(truth) == 1:
        how.remarks.add(f"Label Studio {side} beside the one marked as ground truth, not read", where, len(said) - 1)
        return truth
    if how.lenient:
        how.remarks.add(f"Label Studio {side} before the last one of their task, not read", where, len(said) - 1)
        return said[-1:]
    raise FormatError(
        f"{where}: {len(said)} {side} for one note, and not exactly one is marked as ground truth; mark the one to "
        "read in Label Studio (the star), or read the last of each task (--lenient)"
    )


def _text_key(data: JsonObject, items: list[JsonObject], where: str) -> str:
    """The field of `data` that is the note: what the regions point to by name, "text", or the only string."""
    names = sorted({string(item, "to_name", where, "text") for item in items if is_region(item)})
    if len(names) > 1:
        raise FormatError(f"{where}: regions in several texts of one task ({', '.join(names)}); a note is one text")
    strings = [key for key, value in data.items() if isinstance(value, str) and key != ID]
    if names and names[0] in strings:
        return names[0]
    if "text" in strings:
        return "text"
    if len(strings) != 1:
        found = f"and not one but {len(strings)} are strings" if strings else "and none is a string"
        raise FormatError(f"{where}: which field of 'data' is the note? None is called 'text', {found}")
    return strings[0]


# --- writing -------------------------------------------------------------------------------------------------------


def write(side: str, documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    write_list(path, (_task_of(document, side, remarks) for document in documents))


def _task_of(document: Document, side: str, remarks: Remarks) -> JsonObject:
    task: JsonObject = {}
    if isinstance(number := as_number(document.id), int):
        task["id"] = number
    task |= parsed_info(document.info, TASK, document.name)
    data = {document.info.get(TEXT, "text"): document.text, ID: document.id}
    task["data"] = data | {k: v for k, v in parsed_info(document.info, DATA, document.name).items() if k not in data}
    said = DEFAULTS[side] | parsed_info(document.info, SIDES[side], document.name)
    task[side] = [said | {"result": result_of(document, side == "predictions", remarks)}]
    return task


# --- guessing ------------------------------------------------------------------------------------------------------


def sniff_annotations(sample: Sample) -> str:
    paths = shape(sample.head)
    for start in ("[].", ""):
        for key in ("annotations", "completions"):
            if f"{start}data" in paths and f"{start}{key}[]" in paths:
                return f"tasks with data and {key}"
    return ""


def sniff_predictions(sample: Sample) -> str:
    paths = shape(sample.head)
    if "results[].result[]" in paths:
        return "an ML backend's response, results with a result"
    if sniff_annotations(sample):
        return ""
    if any({f"{start}data", f"{start}predictions[]"} <= paths for start in ("[].", "")):
        return "tasks with data and predictions"
    return ""


SPAN_INFO = frozenset({"label_studio:*"})

FORMATS = (
    Format(
        name="label-studio",
        title="Label Studio JSON with annotations",
        suffix=".json",
        folder=False,
        holds=Holds(info=frozenset({TASK, DATA, TEXT, RESULT, SIDES["annotations"]}), span_info=SPAN_INFO),
        read=partial(read, "annotations"),
        write=partial(write, "annotations"),
        sniff=sniff_annotations,
    ),
    Format(
        name="label-studio-predictions",
        title="Label Studio JSON with predictions (pre-annotations)",
        suffix=".json",
        folder=False,
        holds=Holds(info=frozenset({TASK, DATA, TEXT, RESULT, SIDES["predictions"]}), span_info=SPAN_INFO, score=True),
        read=partial(read, "predictions"),
        write=partial(write, "predictions"),
        sniff=sniff_predictions,
    ),
)
