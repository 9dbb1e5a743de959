"""Prodigy's tasks for spans: JSON Lines with text, tokens and spans along them.

Offsets are code points. `token_end` is the last token, not the one behind. Reading needs only `start` and `end`. Tokens
and hashes follow from text and spans, so elision does not keep them: it writes its own tokens, and Prodigy makes the
hashes. elision reads only accepted tasks: a rejected one says that its spans are wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from elision.document import Document, Span
from elision.errors import FormatError
from elision.formats.atomic import write_jsonl
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.json_files import keys_of_lines, shape
from elision.formats.rows import (
    JsonObject,
    as_number,
    finite,
    identifier,
    kept,
    notes_below,
    number,
    placed,
    restored,
    rows_in,
    string,
    text_in,
    whole,
)

OURS = frozenset({"id", "text", "tokens", "spans", "answer", "relations", "_input_hash", "_task_hash"})
SPAN_OURS = frozenset(
    {"start", "end", "label", "token_start", "token_end", "text", "score", "source", "answer", "input_hash"}
)
NOT_GOLD = frozenset({"reject", "ignore"})


def read(path: Path, how: Reading) -> Iterator[Document]:
    seen: set[int] = set()
    for where, place, row in notes_below(path, how, ".jsonl", ".json"):
        answer = _answer(row, where)
        if answer in NOT_GOLD:
            how.remarks.add(f"prodigy tasks with the answer {answer!r}, passed over", where)
            continue
        if rows_in(row, "relations", where):
            how.remarks.add("prodigy relations, which count in Prodigy's own tokens, not kept", where)
        same = row.get("_input_hash")
        if isinstance(same, int):
            if same in seen:
                how.remarks.add(
                    "prodigy tasks on a text that came before (two annotators?), each read as a note", where
                )
            seen.add(same)
        with placed(where):
            document = Document(
                text_in(row, where),
                identifier(row, "id", where, place),
                spans=tuple(_spans(row, where, how.remarks)),
                info=kept(row, OURS, "prodigy", where),
            )
        yield document


def _answer(row: JsonObject, where: str) -> str:
    answer = string(row, "answer", where, "accept")
    if answer not in NOT_GOLD | {"accept"}:
        raise FormatError(f"{where}: field 'answer' must be accept, reject or ignore")
    return answer


def _spans(row: JsonObject, where: str, remarks: Remarks) -> Iterator[Span]:
    for n, item in enumerate(rows_in(row, "spans", where), 1):
        at = f"{where}: span {n}"
        if _answer(item, at) in NOT_GOLD:
            remarks.add("prodigy spans that were rejected or ignored, passed over", where)
            continue
        span = Span(
            whole(item, "start", at),
            whole(item, "end", at),
            string(item, "label", at),
            score=number(item, "score", at, 1.0),
            source=string(item, "source", at, ""),
            info=kept(item, SPAN_OURS, "prodigy", at),
        )
        if item.get("text") not in (None, row["text"][span.start : span.end]):
            raise FormatError(f"{at}: its 'text' is not what the note has at {span.start}–{span.end}")
        yield span


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    write_jsonl(path, (_row_of(document, remarks) for document in documents))


def _row_of(document: Document, remarks: Remarks) -> JsonObject:
    tokens = _tokens(document)
    first = {token["start"]: token["id"] for token in tokens}
    last = {token["end"]: token["id"] for token in tokens}
    spans: list[JsonObject] = []
    for span in document.spans:
        one: JsonObject = {"start": span.start, "end": span.end}
        if len(span) and span.start in first and span.end in last:
            one |= {"token_start": first[span.start], "token_end": last[span.end]}
        else:
            remarks.add("prodigy spans that do not lie along tokens, written without token_start/_end", document.name)
        one["label"] = span.label
        if span.score != 1.0:
            one["score"] = finite(span, document.name)
        if span.source:
            one["source"] = span.source
        spans.append(restored(span.info, "prodigy", document.name) | one)
    row: JsonObject = {"id": as_number(document.id), "text": document.text, "tokens": tokens, "spans": spans}
    row["answer"] = "accept"
    return row | {k: v for k, v in restored(document.info, "prodigy", document.name).items() if k not in row}


def _tokens(document: Document) -> list[JsonObject]:
    """Our tokens, and white space beyond one blank as tokens, too: Prodigy shows the text from its tokens alone."""
    from elision.text.tokens import tokenize  # with numpy

    text, tokens = document.text, tokenize(document.text, document.language)
    edges: list[tuple[int, int]] = []
    at = 0  # behind the last token and the blank that it may have
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        edges += [(at, start), (start, end)] if at < start else [(start, end)]
        at = end + text.startswith(" ", end)
    if at < len(text):
        edges.append((at, len(text)))
    return [
        {"text": text[start:end], "start": start, "end": end, "id": n, "ws": text.startswith(" ", end)}
        for n, (start, end) in enumerate(edges)
    ]


def sniff(sample: Sample) -> str:
    """By what only Prodigy writes: hashes, an answer, tokens with offsets; text and spans alone are elision's own."""
    keys, paths = keys_of_lines(sample.head), shape(sample.head)
    if "text" not in keys:
        return ""
    if told := keys & {"_input_hash", "_task_hash", "_session_id", "_view_id"}:
        return f"lines with text and {min(told)}"
    if "spans[].token_start" in paths or {"tokens[].start", "tokens[].id"} <= paths:
        return "lines with text, tokens and spans along them"
    return "lines with text, spans and answer" if keys >= {"spans", "answer"} else ""


FORMATS = (
    Format(
        name="prodigy",
        title="Prodigy JSONL",
        suffix=".jsonl",
        folder=False,
        holds=Holds(info=frozenset({"prodigy:*"}), score=True, source=True, span_info=frozenset({"prodigy:*"})),
        read=read,
        write=write,
        sniff=sniff,
        reads=(".json",),
        table=True,
    ),
)
