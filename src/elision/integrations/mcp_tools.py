"""What a language model may ask elision to do: de-identify, explain, verify. Nothing that was found is in any answer.

Each tool is a function from its arguments, as JSON has them, to an answer. It is pure but for the files that it is told
to read and make, inside folders that are allowed.
"""

from __future__ import annotations

import tempfile
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from elision.document import Document, Span
from elision.errors import ElisionError, FormatError
from elision.evidence.receipts import Total, canonical
from elision.evidence.verify import verify
from elision.formats.kinds import reason as not_text
from elision.formats.kinds import refuse_bytes
from elision.formats.tables.columns import Columns
from elision.integrations.folders import Folders
from elision.languages.telling.deciding import advice, decide
from elision.pipeline import Cleaned
from elision.run.cells import Cell
from elision.run.engine import Engine
from elision.run.how import How
from elision.texts import known_of

TEXT, FILE, OUT, RECEIPTS = "text", "file", "out", "receipts"
MOST_SPANS = 1000  # that `explain` lists
SHORT = 200  # characters of an id or a language
SUFFIX = ".receipts.jsonl"
TIMEOUT = "timeout"
COLUMNS = Columns((TEXT,))
_BUSY = "another call is still at work; ask again in a while"

Json = dict[str, Any]


class Tool(NamedTuple):
    """A tool as a model is told of it."""

    name: str
    description: str
    arguments: Mapping[str, Json]
    required: tuple[str, ...] = ()

    @property
    def schema(self) -> Json:
        return {
            "type": "object", "properties": dict(self.arguments), "required": list(self.required),
            "additionalProperties": False,
        }  # fmt: skip


def _string(description: str) -> Json:
    return {"type": "string", "description": description}


_NOTE = {
    TEXT: _string("the note"),
    FILE: _string("instead of a text: the path of a text file inside an allowed folder"),
    "language": _string("its language, such as en; else the note tells"),
    "known": {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "string"}},
        "description": 'what the record states of the patient, such as {"name": ["…"]}: it is looked for, too',
    },
}
TOOLS = (
    Tool(
        "deidentify",
        "De-identify a clinical note as the policy of this server says. A text comes back de-identified. A file is "
        "written to a new file, and its text does not come back. A note that cannot be verified is held.",
        {
            **_NOTE,
            OUT: _string("with a file: the path of the new file, inside an allowed folder"),
            "patient": _string("whose note it is, so that stand-ins agree"),
        },
    ),
    Tool(
        "explain",
        "Tell what would be replaced in a note: labels, places (in characters from 0), scores and what found them, "
        "never a word of it; or why the note is held, and what to do.",
        _NOTE,
    ),
    Tool(
        "verify",
        "Check that a file is as it came out of `deidentify`, by its receipts.",
        {FILE: _string("the de-identified file"), RECEIPTS: _string(f"its receipts; else the file with {SUFFIX}")},
        (FILE,),
    ),
)


@dataclass(frozen=True)
class Settings:
    """How notes are cleaned, and how much one may be."""

    how: How
    folders: Folders
    most: int = 4_000_000  # bytes of a text or a file
    seconds: float = 60.0  # of a call


class Tools:
    """The tools, ready to be called."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._engine = Engine(settings.how)
        self._lock = threading.Lock()
        if settings.how.key and settings.folders.holds(Path(settings.how.key)):
            raise FormatError("--key: lies in a folder that is allowed, where a model could read it; keep it elsewhere")

    def call(self, name: str, arguments: Mapping[str, Any]) -> Json:
        """What a tool answers; what cannot be done is an error of elision's, in its own words."""
        do = {"deidentify": self._deidentify, "explain": self._explain, "verify": self._verify}.get(name)
        if do is None:
            raise FormatError(f"no such tool; there are {', '.join(tool.name for tool in TOOLS)}")
        tool = next(tool for tool in TOOLS if tool.name == name)
        _check(tool, arguments)
        if not self._lock.acquire(timeout=self.settings.seconds):
            raise FormatError(_BUSY)
        try:
            return do(arguments)
        finally:
            self._lock.release()

    def _deidentify(self, asked: Mapping[str, Any]) -> Json:
        if (FILE in asked) is not (OUT in asked):
            raise FormatError("file, out: a file is written to a new file; give both, or a text")
        folders, keyed = self.settings.folders, self._engine.key is not None
        if FILE in asked:
            folders.check_new(OUT, asked[OUT])
            if keyed:
                folders.check_new(OUT, asked[OUT] + SUFFIX)
        document, cleaned = self._cleaned(asked, Path(asked[OUT]).name if OUT in asked else "")
        if cleaned.document is None:
            return _held(document, cleaned)
        labels = Counter(span.label for span in cleaned.document.spans)
        answer = {"status": "done", "language": document.language, "labels": dict(sorted(labels.items()))}
        if FILE not in asked:
            return {**answer, TEXT: cleaned.document.text}
        folders.write(OUT, asked[OUT], cleaned.document.text.encode())
        if keyed:
            total = Total(self._engine.key)
            lines = [total.add(cleaned.receipt), canonical(total.summary())]
            folders.write(OUT, asked[OUT] + SUFFIX, "".join(f"{line}\n" for line in lines).encode())
        return {**answer, "characters": len(cleaned.document.text), RECEIPTS: keyed}

    def _explain(self, asked: Mapping[str, Any]) -> Json:
        document, cleaned = self._cleaned(asked, "")
        if cleaned.before is None:
            return _held(document, cleaned)
        spans = cleaned.before.spans
        return {
            "status": "found",
            "language": document.language,
            "labels": dict(sorted(Counter(span.label for span in spans).items())),
            "spans": [_span(span) for span in spans[:MOST_SPANS]],
            "more": max(0, len(spans) - MOST_SPANS),
        }

    def _verify(self, asked: Mapping[str, Any]) -> Json:
        key, read = self._engine.key, partial(self.settings.folders.read, most=self.settings.most)
        if key is None:
            raise FormatError("verify needs the key that signed the receipts; start the server with --key FILE")
        text = _decoded(read(FILE, asked[FILE]))
        receipts = read(RECEIPTS, asked.get(RECEIPTS) or asked[FILE] + SUFFIX)
        with tempfile.TemporaryDirectory() as folder:  # receipts as they were read, and no other file
            path = Path(folder) / "receipts.jsonl"
            path.write_bytes(receipts)
            try:
                found = verify(path, [Document(text, Path(asked[FILE]).name)], key, sole=True)
            except ElisionError as error:
                raise FormatError(str(error).replace(str(path), RECEIPTS)) from None
        counts = Counter(one.what for one in found)
        return {"status": "verified", "ok": all(one.ok for one in found), "found": dict(sorted(counts.items()))}

    def _cleaned(self, asked: Mapping[str, Any], id: str) -> tuple[Document, Cleaned]:
        """What becomes of the note that was asked about."""
        if (TEXT in asked) is (FILE in asked):
            raise FormatError("text, file: give one of the two")
        how, most = self.settings.how, self.settings.most
        text = asked[TEXT] if TEXT in asked else _decoded(self.settings.folders.read(FILE, asked[FILE], most))
        if len(text.encode("utf-8", "surrogatepass")) > most:
            raise FormatError(f"text: is larger than {most:,} bytes; start the server with a larger --max-mb")
        spoken = decide(
            text,
            stated=asked.get("language", ""),
            language=how.language,
            default=how.default_language,
            encoded=how.effort in ("balanced", "most"),
        )
        document = Document(
            text, id, asked.get("patient", ""), spoken.language,
            known=known_of(asked.get("known", {})), sure=spoken.sure, also=spoken.also,
        )  # fmt: skip
        cell = Cell(0, TEXT, document, (not_text(text) or spoken.why) if spoken.why else "")
        return document, self._engine.cleaned([cell])[0]


def _check(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that are not of the tool's; what was given is not quoted."""
    if odd := arguments.keys() - tool.arguments.keys():
        raise FormatError(f"{tool.name}: takes {', '.join(tool.arguments)}, and {len(odd)} others were given")
    for name in tool.required:
        if name not in arguments:
            raise FormatError(f"{tool.name}: {name} is missing")
    for name, value in arguments.items():
        if name == "known":
            if not isinstance(value, dict) or not all(map(_is_list_of_texts, value.values())):
                raise FormatError('known: is an object of lists of strings, such as {"name": ["…"]}')
        elif not isinstance(value, str):
            raise FormatError(f"{name}: is a string")
        elif name in ("language", "patient") and len(value) > SHORT:
            raise FormatError(f"{name}: is longer than {SHORT} characters")


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)


def _decoded(raw: bytes) -> str:
    refuse_bytes(FILE, raw, "utf-8")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"file: is not UTF-8 at byte {error.start}; make a UTF-8 text of it first") from None


def _held(document: Document, cleaned: Cleaned) -> Json:
    why, wrong = cleaned.receipt.why, cleaned.wrong
    place = {"label": wrong.label, "start": wrong.start, "end": wrong.end} if wrong else {}
    return {"status": "held", "why": why, "todo": advice(why), "language": document.language, **place}


def _span(span: Span) -> Json:
    return {
        "label": span.label, "start": span.start, "end": span.end, "score": round(span.score, 4), "source": span.source,
    }  # fmt: skip
