"""Faults on demand: in every part that looks at a note, such as a note asks for by its words.

`install()` wraps the parts. A note with the words `fault rules raise` makes the rules raise, with the note in the
message; all other notes pass through untouched. `environment(folder)` has it done in each process of a command.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from elision.document import Document, Span

ROOT = Path(__file__).parents[1]
# Where each part is: a class and its method, or a function, as the pipeline calls it.
PARTS = {
    "rules": ("elision.rules.engine", "Sure.detect"),
    "all-rules": ("elision.rules.engine", "Rules.detect"),
    "tagger": ("elision.taggers.chained", "ChainTagger.placed"),
    "both": ("elision.detect.rule_gate", "RuleGate.detect"),
    "known": ("elision.detect.known", "KnownValues.detect"),
    "memory": ("elision.detect.safely", "remember"),
    "recall": ("elision.detect.safely", "recall"),
    "merge": ("elision.replace.settling", "tidy"),
    "originals": ("elision.replace.settling", "Originals"),
    "sweep": ("elision.replace.settling", "overlooked_in"),
    "operators": ("elision.pipeline", "replacements"),
    "rewrite": ("elision.pipeline", "rewrite"),
    "check": ("elision.pipeline", "problems"),
}
DETECTORS = ("rules", "all-rules", "tagger", "both", "known")


def raises(_: list[Any], text: str) -> Any:
    raise ValueError(f"cannot make sense of {text}")


def no_memory(_: list[Any], text: str) -> Any:
    raise MemoryError(text)


def loses(found: list[Any], _: str) -> Any:
    return found[:-1]


def adds(found: list[Any], _: str) -> Any:
    return [*found, ()]


def beyond(found: list[Any], text: str) -> Any:
    return [(*spans, Span(0, len(text) + 1, "NAME_OTHER", 0.95)) for spans in found]


def nothing(_: list[Any], __: str) -> Any:
    return None


def odd_label(found: list[Any], _: str) -> Any:
    return [(*spans, Span(0, 3, "NO_SUCH_LABEL", 0.95)) for spans in found]


FAULTS: dict[str, Callable[[list[Any], str], Any]] = {
    "raise": raises, "no-memory": no_memory, "lose": loses, "add": adds, "beyond": beyond, "nothing": nothing,
    "odd-label": odd_label,
}  # fmt: skip
ALL = [(part, fault) for part in PARTS for fault in (FAULTS if part in DETECTORS else ("raise", "no-memory"))]


def words(part: str, fault: str) -> str:
    """What a note says to ask for a fault."""
    return f"fault {part} {fault}."


def _texts(given: Sequence[Any]) -> list[str]:
    """The texts that a part was given, wherever they are in its arguments."""
    texts = []
    for one in given:
        if isinstance(one, str):
            texts.append(one)
        elif isinstance(one, Document):
            texts.append(one.text)
        elif isinstance(one, list | tuple) and one and isinstance(one[0], Document):
            texts += [document.text for document in one]
        elif hasattr(one, "document"):  # what operators work on
            texts.append(one.document.text)
        elif hasattr(one, "notes") and hasattr(one, "tokens"):  # a batch
            texts.append(one.text)
    return texts


_now: list[str] = []  # the note that is being rewritten, for parts that are not told of it


def _wrapped(part: str, usual: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*given: Any, **named: Any) -> Any:
        texts = _texts(given)
        if part == "merge":
            _now[:] = texts
        elif part == "originals":
            texts = _now
        for fault, makes in FAULTS.items():
            asked = [text for text in texts if words(part, fault) in text]
            if asked and fault in ("raise", "no-memory"):
                makes([], asked[0])
            if asked:
                return makes(list(usual(*given, **named)), asked[0])
        return usual(*given, **named)

    return wrapper


def install(put: Callable[[object, str, Any], None] = setattr) -> None:
    """Wrap all parts; `put` sets an attribute, such as that of a monkeypatch."""
    for part, (module, name) in PARTS.items():
        holder: Any = import_module(module)
        *inner, last = name.split(".")
        for step in inner:
            holder = getattr(holder, step)
        put(holder, last, _wrapped(part, getattr(holder, last)))


def environment(folder: Path) -> dict[str, str]:
    """The environment of a command in each of whose processes the faults are installed."""
    (folder / "sitecustomize.py").write_text("from tests.faults import install\ninstall()\n", "utf-8")
    path = os.pathsep.join(filter(None, (str(folder), str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}
