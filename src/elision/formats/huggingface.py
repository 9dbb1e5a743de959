"""Token classification data for Hugging Face: rows of tokens and of tags, the tags mostly as numbers.

A file of features beside the rows (NAME.features.json) says what the numbers stand for. Tokens alone do not say what
stood between them. So elision writes the text and the offsets as columns of their own: then reading is exact.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from elision.bio import OUTSIDE, encode
from elision.document import Document
from elision.errors import CannotHoldError, FormatError
from elision.formats.aligned import A_TAG_IS, Tagged, edges_of, on_text, plain_tag
from elision.formats.atomic import writing
from elision.formats.files import files_below, parse_json, read_text
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.json_files import keys_of_lines, shape
from elision.formats.rows import JsonObject, identifier, need, notes_in, string, text_in, things, whole_string

TAG_COLUMNS = ("ner_tags", "tags", "labels")
FEATURES = ("features.json", "dataset_info.json")


def read(path: Path, how: Reading) -> Iterator[Document]:
    for file in files_below(path, ".jsonl"):
        names: dict[str, list[str]] = {}
        for where, place, row in notes_in(file, path, how):
            column = next((key for key in TAG_COLUMNS if key in row), TAG_COLUMNS[0])
            if column not in names and any(isinstance(item, int) for item in things(row, column, where)):
                names[column] = class_names(file, column, how)
            yield on_text(_tagged(row, where, place, column, names.get(column, [])), how)


def _tagged(row: JsonObject, where: str, place: str, column: str, names: list[str]) -> Tagged:
    for key in ("tokens", column):
        need(row, key, where)
    tokens, tags = things(row, "tokens", where), things(row, column, where)
    if len(tokens) != len(tags):
        raise FormatError(f"{where}: {len(tokens)} tokens but {len(tags)} tags")
    return Tagged(
        identifier(row, "id", where, place),
        where,
        [_token(token, where) for token in tokens],
        [_tag(item, names, where) for item in tags],
        text=None if row.get("text") is None else text_in(row, where),
        edges=None if row.get("starts") is None else edges_of(row["starts"], row.get("ends"), where),
        patient=identifier(row, "patient", where, ""),
        language=string(row, "language", where, ""),
    )


def _token(token: object, where: str) -> str:
    if not token or not isinstance(token, str):
        raise FormatError(f"{where}: every token must be a string that is not empty")
    return token


def _tag(item: object, names: list[str], where: str) -> str:
    if isinstance(item, int) and not isinstance(item, bool):
        if not 0 <= item < len(names):
            raise FormatError(f"{where}: tag {item} is out of range; the features name {len(names)} tags")
        return names[item]
    tag = plain_tag(whole_string(item, f"{where}: a tag"))
    if not tag:
        raise FormatError(f"{where}: something else than a tag among the tags; {A_TAG_IS}")
    return tag


def class_names(file: Path, column: str, how: Reading) -> list[str]:
    """The tags that the numbers in a column stand for, from the file of features beside the rows."""
    features = _features_beside(file)
    if features is None:
        raise FormatError(
            f"{file}: the tags are numbers; put the names that they stand for beside it as {file.stem}.features.json: "
            f'{{"{column}": {{"feature": {{"names": ["O", "B-NAME", …]}}}}}}'
        )
    names = _names(parse_json(read_text(features, how), str(features)), column)
    if names is None:
        raise FormatError(f"{features}: no list of names for the column {column}")
    plain = [plain_tag(whole_string(name, f"{features}: a name")) for name in names]
    if "" in plain:
        raise FormatError(f"{features}: name {plain.index('')} of {column} is not a tag; {A_TAG_IS}")
    return plain


def _features_beside(file: Path) -> Path | None:
    for name in (f"{file.stem}.{FEATURES[0]}", *FEATURES):
        if (found := file.with_name(name)).exists():
            return found
    others = list(file.parent.glob(f"*{FEATURES[0]}"))
    return others[0] if len(others) == 1 else None


def _names(tree: Any, column: str) -> list[str] | None:
    """The names of a ClassLabel, wherever `datasets` wraps it: in "features", the column, a sequence's "feature"."""
    for key in ("features", column, "feature"):
        if isinstance(tree, dict) and key in tree:
            tree = tree[key]
    names = tree.get("names") if isinstance(tree, dict) else tree
    if isinstance(names, list) and names and all(isinstance(name, str) for name in names):
        return names
    return None


def write(documents: Iterable[Document], path: Path, _: Remarks) -> None:
    numbers = {OUTSIDE: 0}
    features = path.with_name(f"{path.stem}.{FEATURES[0]}")
    with writing(path) as stream, writing(features) as names:
        for document in documents:
            stream.write(json.dumps(_row(document, numbers), ensure_ascii=False).encode() + b"\n")
        names.write(json.dumps(_features(list(numbers)), ensure_ascii=False, indent=1).encode() + b"\n")


def _row(document: Document, numbers: dict[str, int]) -> JsonObject:
    """A row; a label seen for the first time gets the next two numbers."""
    from elision.text.tokens import tokenize  # with numpy

    for span in document.spans:
        if not span.label:
            raise CannotHoldError(f"{document.name}: span {span.start}–{span.end}: a tag cannot hold an empty label")
        for kind in ("B", "I"):
            numbers.setdefault(f"{kind}-{span.label}", len(numbers))
    tokens = tokenize(document.text, document.language)
    return {
        "id": document.id,
        "tokens": tokens.texts(document.text),
        "ner_tags": [numbers[tag] for tag in encode(document.spans, tokens)],
        "text": document.text,
        "starts": tokens.starts.tolist(),
        "ends": tokens.ends.tolist(),
        "patient": document.patient,  # even if empty: every row of a data set has the same columns
        "language": document.language,
    }


def _features(names: list[str]) -> JsonObject:
    """The columns as `datasets.Features.from_dict` takes them."""

    def value(kind: str) -> JsonObject:
        return {"dtype": kind, "_type": "Value"}

    def sequence(of: JsonObject) -> JsonObject:
        return {"feature": of, "_type": "Sequence"}

    return {
        "id": value("string"),
        "tokens": sequence(value("string")),
        "ner_tags": sequence({"names": names, "_type": "ClassLabel"}),
        "text": value("string"),
        "starts": sequence(value("int32")),
        "ends": sequence(value("int32")),
        "patient": value("string"),
        "language": value("string"),
    }


def sniff(sample: Sample) -> str:
    if sample.path.is_dir() and sample.count(".jsonl") and '"ClassLabel"' in sample.head:
        return "rows beside a file of features with a ClassLabel"
    keys, paths = keys_of_lines(sample.head), shape(sample.head)
    tags = next((key for key in TAG_COLUMNS if f"{key}[]" in paths), None)
    plain = "tokens[]" in paths and not any(path.startswith("tokens[].") for path in paths)
    return f"rows with tokens and {tags}" if "tokens" in keys and plain and tags else ""


FORMATS = (
    Format(
        "hf",
        "Hugging Face token classification: JSONL with tokens and ner_tags, and a file of features",
        ".jsonl",
        False,
        Holds(patient=True, language=True, order=False, overlaps=False, empty_spans=False, tokens=True),
        read,
        write,
        sniff,
        reads=(".json",),
        table=True,
    ),
)
