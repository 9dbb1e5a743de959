"""i2b2/UTHealth 2014, track 1, as its evaluation program prints it.

What one would not expect of that program, and what is done alike here:

- Only notes that are on both sides are scored; a note that the system left out costs nothing.
- Strict keys hold the offsets as *strings* ("016" is not "16") and the type in upper case; token keys hold the type as
  it is written.
- ID/IDNUM is not in the HIPAA subset, though the track's readme counts it in: a blank in the pattern.
- Relaxed matching forgives an end that is off by up to two. The sets are built with the same relation, so that near
  duplicates vanish, the first in the file staying, and it is not transitive: tp + fn can differ from the size of gold.
- A token is a stretch of ASCII letters and digits inside a span; a span without any is one empty token at its end.
- "Binary" looks at offsets only, but the strict key of tags with the element PHI stays whole. "X Binary HIPAA Strict"
  is not binary at all.
- Macro figures are means over notes, where 0/0 is 0; their F1 is nan if both are 0, the micro F1 is 0.0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.official import Block, Macro, by_id, compare, nothing_common, spelled, total
from elision.evaluate.tally import Counts
from elision.evaluate.token_labels import Edges, held, size
from elision.labels import tag_set

ELEMENTS = ("CONTACT", "NAME", "DATE", "AGE", "PROFESSION", "ID", "OTHER", "LOCATION")  # in the order of the report
HIPAA: Mapping[str, tuple[str, ...]] = {  # element -> how a type may begin; "" is any type
    "NAME": ("PATIENT",),
    "LOCATION": ("CITY", "STREET", "ZIP", "ORGANIZATION"),
    "DATE": ("",),
    "AGE": ("",),
    "CONTACT": ("PHONE", "FAX", "EMAIL"),
    "ID": ("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"),
}
FUZZ = 2  # by how much the end may be off in relaxed matching

_ID = re.compile(r"(\d+)-(\d+)(.*)", re.DOTALL)
_TOKEN = re.compile(r"[a-zA-Z0-9]+")

Key = tuple[str | int, ...]
Place = tuple[str, str, str]


class _Phi(NamedTuple):
    """A tag with the keys under which the measures compare it."""

    element: str
    hipaa: bool
    strict: Key
    binary: Key
    type: str  # as it is written
    whole: Edges  # the tokens of the text that lie wholly in it, as a range of their numbers
    cut: tuple[Edges, ...]  # where the tokens are that it cuts, or the empty one
    place: Place  # all of the strict key but the end
    end: int


Tags = Sequence[_Phi]
Measure = Callable[[Tags, Tags], Counts]


def score(gold: Iterable[Document], system: Iterable[Document]) -> list[Block]:
    """The 42 blocks of the report, for each run of the system.

    The id 280-01runA is note 280-01 of the run "runA", as long as the ids of gold are plain (280-01); other ids are
    taken whole.
    """
    paired = _pair(by_id(gold, "gold"), by_id(system, "system"))
    blocks = []
    for run, pairs in sorted(paired.items()):
        sides = {id: (_read(a), _read(b)) for id, (a, b) in sorted(pairs.items())}
        blocks += [_block(name, sides, measure, scope, run) for name, measure, scope in _plan()]
    return blocks


def render(blocks: Sequence[Block]) -> str:
    """The report as text: for each run a table with the means over notes (and their SD) beside the micro figures."""
    lines: list[str] = []
    run: str | None = None
    for block in blocks:
        if block.run != run:
            run = block.run
            lines += [
                f"Report for {run or 'the system'}:",
                f"{'':<35}{'Measure':<12}{'Macro (SD)':<20}{'Micro'}",
                "-" * 75,
            ]
        label = f"{block.name} ({len(block.per_document)})"
        for figure in ("Precision", "Recall", "F1"):
            macro, micro = block.printed[f"{figure} macro"], block.printed[f"{figure} micro"]
            lines.append(f"{label:<35}{figure:<12}{macro:<20}{micro}")
            label = ""
        lines.append("")
    return "\n".join(lines)


def runs(gold: Iterable[Document], system: Iterable[Document]) -> dict[str, list[Document]]:
    """The notes of the system by run, each with the id of its note in gold; the run is "" for plain ids."""
    ids = {document.id for document in gold}
    plain = all((match := _ID.match(id)) and not match[3] for id in ids)
    found: dict[str, list[Document]] = {}
    for document in system:
        match = _ID.match(document.id) if plain else None
        id, run = (f"{match[1]}-{match[2]}", match[3]) if match else (document.id, "")
        found.setdefault(run, []).append(replace(document, id=id))
    return found


def _pair(
    gold: Mapping[str, Document], system: Mapping[str, Document]
) -> dict[str, dict[str, tuple[Document, Document]]]:
    """Run -> note id -> both sides, for the notes that are on both."""
    pairs: dict[str, dict[str, tuple[Document, Document]]] = {}
    for run, documents in runs(gold.values(), system.values()).items():
        for document in documents:
            if other := gold.get(document.id):
                if other.text != document.text:
                    raise ScoreError(
                        f"{document.name}: Annotation text for document {document.id}.xml differs! The official "
                        "program stops here; score the system on the very texts of the gold standard"
                    )
                pairs.setdefault(run, {})[document.id] = (other, document)
    if not pairs:
        raise nothing_common(len(gold), len(system))
    return pairs


def _read(document: Document) -> dict[tuple[str, bool], list[_Phi]]:
    """The tags of a note by scope: (element or "" for all, HIPAA only or not)."""
    scopes: dict[tuple[str, bool], list[_Phi]] = {}
    tokens = [match.span() for match in _TOKEN.finditer(document.text)]
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    for span in document.spans:
        phi = _phi(span, starts, ends)
        if phi is None:
            continue
        for element in ("", phi.element):
            for hipaa in (False, True) if phi.hipaa else (False,):
                scopes.setdefault((element, hipaa), []).append(phi)
    return scopes


def _phi(span: Span, starts: Sequence[int], ends: Sequence[int]) -> _Phi | None:
    """A span as a tag; `starts` and `ends` are those of the tokens of the text."""
    tag = tag_set("i2b2-2014").tags.get(span.label)
    element = span.info.get("element") or (tag.group if tag else "") or "PHI"
    if element != "PHI" and element not in ELEMENTS:
        return None  # the program reads no other elements
    kind, (start, end) = span.label.upper(), spelled(span)
    strict: Key = (element, kind, start, end)
    return _Phi(
        element,
        span.label.startswith(HIPAA.get(element, ())),
        strict,
        strict if element == "PHI" else (start, end),
        span.label,
        *held(span, starts, ends),
        (element, kind, start),
        span.end,
    )


def _plan() -> Iterator[tuple[str, Measure, tuple[str, bool]]]:
    """The blocks of a report in their order: name, measure, scope. The spelling is the official one."""
    yield "Token", _token, ("", False)
    yield "Strict", _strict, ("", False)
    yield "Relaxed", _relaxed, ("", False)
    yield "HIPPA Token", _token, ("", True)
    yield "HIPAA Strict", _strict, ("", True)
    yield "HIPAA Relaxed", _relaxed, ("", True)
    yield "Binary Token", _binary_token, ("", False)
    yield "Binary Strict", _binary_strict, ("", False)
    yield "Binary HIPPA Token", _binary_token, ("", True)
    yield "Binary HIPAA Strict", _binary_strict, ("", True)
    for element in ELEMENTS:
        yield f"{element} Token", _token, (element, False)
        yield f"{element} Strict", _strict, (element, False)
        yield f"{element} HIPPA Token", _token, (element, True)
        yield f"{element} Binary HIPAA Strict", _strict, (element, True)


def _strict(gold: Tags, system: Tags) -> Counts:
    return compare({phi.strict for phi in gold}, {phi.strict for phi in system})


def _binary_strict(gold: Tags, system: Tags) -> Counts:
    return compare({phi.binary for phi in gold}, {phi.binary for phi in system})


def _token(gold: Tags, system: Tags) -> Counts:
    return _compare_tokens(gold, system, lambda phi: (phi.element, phi.type))


def _binary_token(gold: Tags, system: Tags) -> Counts:
    return _compare_tokens(gold, system, lambda _: ())


def _compare_tokens(gold: Tags, system: Tags, kind: Callable[[_Phi], Key]) -> Counts:
    """Compare the sets of (kind, token) of both sides without spelling them out: spans may lie in spans."""
    counts = compare(*({(kind(phi), edges) for phi in side for edges in phi.cut} for side in (gold, system)))
    ranges: dict[Key, tuple[list[Edges], list[Edges]]] = {}
    for at, side in enumerate((gold, system)):
        for phi in side:
            ranges.setdefault(kind(phi), ([], []))[at].append(phi.whole)
    for g, s in ranges.values():
        in_gold, in_system, either = size(g), size(s), size([*g, *s])
        counts += Counts(in_gold + in_system - either, either - in_gold, either - in_system)
    return counts


@dataclass(frozen=True, slots=True)
class _Fuzzy:
    """A set in which tags are equal if only their ends differ, by up to FUZZ; of equal ones the first stays."""

    ends: Mapping[Place, set[int]]
    size: int

    @classmethod
    def of(cls, tags: Tags) -> _Fuzzy:
        ends: dict[Place, set[int]] = {}
        size = 0
        for phi in tags:
            kept = ends.setdefault(phi.place, set())
            if not _near(phi.end, kept):
                kept.add(phi.end)
                size += 1
        return cls(ends, size)

    def found_in(self, other: _Fuzzy) -> int:
        """How many of these have an equal in the other set."""
        return sum(_near(end, other.ends.get(place, ())) for place, ends in self.ends.items() for end in ends)


def _near(end: int, ends: Iterable[int]) -> bool:
    return any(end + off in ends for off in range(-FUZZ, FUZZ + 1))


def _relaxed(gold: Tags, system: Tags) -> Counts:
    g, s = _Fuzzy.of(gold), _Fuzzy.of(system)
    gold_found, system_found = g.found_in(s), s.found_in(g)
    # Python's intersection goes through the smaller set, and here it matters which one that is.
    right = system_found if s.size <= g.size else gold_found
    return Counts(right, s.size - system_found, g.size - gold_found)


def _block(
    name: str,
    sides: Mapping[str, tuple[Mapping[tuple[str, bool], Tags], Mapping[tuple[str, bool], Tags]]],
    measure: Measure,
    scope: tuple[str, bool],
    run: str,
) -> Block:
    per_document = {id: measure(gold.get(scope, ()), system.get(scope, ())) for id, (gold, system) in sides.items()}
    micro, macro = total(per_document), _macro(per_document.values())
    printed = {
        "Precision macro": f"{macro.precision:.4} ({macro.sd_precision:.2})",
        "Precision micro": f"{micro.precision:.4}",
        "Recall macro": f"{macro.recall:.4} ({macro.sd_recall:.2})",
        "Recall micro": f"{micro.recall:.4}",
        "F1 macro": f"{macro.f1:.4}",
        "F1 micro": f"{micro.f1:.4}",
    }
    return Block(name, per_document, micro, micro.precision, micro.recall, micro.f1, printed, run, macro)


def _macro(notes: Iterable[Counts]) -> Macro:
    """Numpy, as there: where all notes are alike, even its rounding error shows in print, as an SD of 1e-16.

    The program sums in the order of its hash table, which hangs on the listing of the folder, so the last bit of a
    mean is not its own either; here the notes are in the order of their ids.
    """
    figures = np.array([(counts.precision, counts.recall) for counts in notes]).T.copy()
    precision, recall = (float(np.mean(column)) for column in figures)
    f1 = 2 * (precision * recall) / (precision + recall) if precision + recall else math.nan
    return Macro(precision, recall, f1, float(np.std(figures[0])), float(np.std(figures[1])))
