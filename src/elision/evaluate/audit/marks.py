"""What readers marked in a sample: a table of our own, or the notes as an annotation tool gives them back.

Whatever comes back is compared with the plan: the same notes, each once, and each text to the character.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.audit.sample import HEAD, NONE, NOTES, Plan, text_hash
from elision.formats import Reading, read
from elision.formats.files import read_text

_SHOWN = 5
Texts = Mapping[str, str]
Marks = Mapping[str, tuple[Span, ...]]  # by note; a note that is not there was not read
ReadPath = Callable[[Path], Iterable[Document]]


@dataclass(frozen=True, slots=True)
class Miss:
    """An identifier that was missed: where, and which readers marked it; none if only an adjudicator did."""

    start: int
    end: int
    label: str
    readers: frozenset[int]


def texts_of(folder: Path, plan: Plan, how: Reading) -> Texts:
    """The texts of the sample as they lie in its folder, if none was changed."""
    found = sorted(path for path in folder.iterdir() if path.name == NOTES or path.name.startswith(f"{NOTES}."))
    if not found:
        raise ScoreError(f"{folder}: the notes of the sample are not there; take them from your backup")
    return check(read(found[0], None, how), plan, found[0])


def check(documents: Iterable[Document], plan: Plan, path: Path) -> Texts:
    """The texts of notes by name, if they are those of the plan."""
    texts = {document.id: document.text for document in documents}
    hashes = {note.name: note.sha256 for note in plan.notes}
    _refuse(path, "are not in the sample", texts.keys() - hashes.keys(), "leave them out")
    _refuse(path, "of the sample are missing", hashes.keys() - texts.keys(), "export all of them")
    changed = {name for name, text in texts.items() if text_hash(text) != hashes[name]}
    _refuse(path, "have another text than was drawn", changed, "mark the notes as they are, then make the report anew")
    return texts


def _refuse(path: Path, what: str, names: Iterable[str], todo: str) -> None:
    if some := sorted(names):
        # A foreign name may say who somebody is, so only names like ours are shown.
        shown = [name for name in some if name.isascii() and name.isdecimal()][:_SHOWN]
        which = f" ({', '.join(shown)}{', ...' if len(some) > len(shown) else ''})" if shown else ""
        raise ScoreError(f"{path}: {len(some):,} notes {what}{which}; {todo}")


def marks_in(path: Path, plan: Plan, texts: Texts, how: Reading, format: str = "", *, all_read: bool = False) -> Marks:
    """What one reader marked."""
    if path.suffix.lower() == ".csv" and not format:
        return table_marks(read_text(path, how), texts, str(path))
    documents = list(read(path, format or None, how))
    check(documents, plan, path)
    return {document.id: document.spans for document in documents if document.spans or all_read}


def table_marks(table: str, texts: Texts, where: str) -> Marks:
    """The marks of a table. The words of a row are looked for in its note; the same row twice means two places."""
    lines = table.removeprefix("\ufeff")
    first = lines.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter)
    marks: dict[str, list[Span]] = {}
    nothing: set[str] = set()
    try:
        head = [name.strip().lower() for name in next(rows, [])]
        if tuple(head[: len(HEAD)]) != HEAD:
            raise ScoreError(f"{where}:1: the columns must be {', '.join(HEAD)}, as elision audit sample wrote them")
        for row in rows:
            at = f"{where}:{rows.line_num}"
            name, label, words = (*(cell.strip() for cell in row), "", "", "")[: len(HEAD)]
            if not (name or label or words):
                continue
            name = _named(name, texts, at)
            if label.lower() == NONE:
                if words:
                    raise ScoreError(f"{at}: says {NONE} and has words; write a label for what was missed")
                nothing.add(name)
            elif words:
                marks.setdefault(name, []).append(_found(words, label, texts[name], marks.get(name, ()), at))
            elif label:
                raise ScoreError(f"{at}: has a label but no words; copy the words that were missed from the note")
    except csv.Error:
        raise ScoreError(f"{where}:{rows.line_num}: is no valid CSV; save the table as CSV again") from None
    for name in sorted(nothing & marks.keys()):
        raise ScoreError(f"{where}: note {name} has both {NONE} and words that were missed; remove one of them")
    return {**dict.fromkeys(nothing, ()), **{name: tuple(spans) for name, spans in marks.items()}}


def _named(name: str, texts: Texts, at: str) -> str:
    """The note of a row; a spreadsheet may have taken the zeros before its number away."""
    width = max(map(len, texts))
    full = name.zfill(width) if name.isascii() and name.isdecimal() else name
    if full not in texts:
        raise ScoreError(f"{at}: this note is not in the sample; give its name as the sample has it")
    return full


def _found(words: str, label: str, text: str, taken: Sequence[Span], at: str) -> Span:
    """Where the words stand; of the same words, the next place."""
    plain = words.removeprefix("'") if words.startswith("'") and words not in text else words
    start = -1
    for _ in range(1 + sum(text[span.start : span.end] == plain for span in taken)):
        start = text.find(plain, start + 1)
        if start < 0:
            raise ScoreError(
                f"{at}: these words do not stand in the note, or not so often; copy them from it to the letter"
            )
    return Span(start, start + len(plain), label or "OTHER")


def unread(plan: Plan, readers: Sequence[Marks]) -> list[list[str]]:
    """For each reader, the notes of the sample that have no mark of any kind."""
    return [[note.name for note in plan.notes if note.name not in marks] for marks in readers]


def misses_in(readers: Sequence[Sequence[Span]]) -> tuple[Miss, ...]:
    """What any reader marked in a note. Marks that overlap are one identifier, with the label of the longest."""
    marked = sorted(
        ((span, reader) for reader, spans in enumerate(readers) for span in spans),
        key=lambda one: (one[0].start, -one[0].end, one[1]),
    )
    groups: list[list[tuple[Span, int]]] = []
    end = -1
    for span, reader in marked:
        if groups and span.start < end:
            groups[-1].append((span, reader))
        else:
            groups.append([(span, reader)])
        end = max(end, span.end)
    return tuple(map(_miss, groups))


def misses_settled(verdict: Sequence[Span], readers: Sequence[Sequence[Span]]) -> tuple[Miss, ...]:
    """What an adjudicator decided was missed in a note, and which readers had marked something there."""
    return tuple(
        replace(miss, readers=frozenset(at for at, spans in enumerate(readers) if any(_meets(s, miss) for s in spans)))
        for miss in misses_in([verdict])
    )


def _meets(span: Span, miss: Miss) -> bool:
    return span.start < miss.end and miss.start < span.end


def differ(readers: Sequence[Sequence[Span]]) -> bool:
    """Whether readers marked a note differently: another place or another label."""
    return len({frozenset((span.start, span.end, span.label) for span in spans) for spans in readers}) > 1


def _miss(group: Sequence[tuple[Span, int]]) -> Miss:
    longest = max((span for span, _ in group), key=len)
    return Miss(
        min(span.start for span, _ in group),
        max(span.end for span, _ in group),
        longest.label,
        frozenset(reader for _, reader in group),
    )


def by_label(misses: Iterable[Miss]) -> Counter[str]:
    return Counter(miss.label for miss in misses)
