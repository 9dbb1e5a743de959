"""How fast the whole of what `elision run` does to a note is, in one process, on notes of one's own.

    python benchmarks/pipeline.py NOTES [--language en] [--text COLUMN ...] [--most 1000] [--rounds 5] [--policy tag]

NOTES is whatever `elision run` reads: a folder, CSV, JSONL, Parquet; which columns hold notes, patients and known
values is guessed as it guesses, or said with --text, and then nothing else is looked at. The default of each language
runs: rules, tagger, known values, patient memory, merging, sweep, policy, check, receipt with its hashes. Words, and
steps of rules, are learnt by heart as they come along, so it is told how quick the notes are the first time, a tenth of
them after the other. Then many notes go in one call, and then each alone: medians of rounds, warm. Counted is the time
that the process keeps processors busy, so that others at work do not count; `re.findall` for words over the same texts
shows what the machine does.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

import elision
from elision.detect.defaults import detectors_for
from elision.document import Document
from elision.errors import ElisionError
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.policy import policy_names
from elision.run.cells import cells_of
from elision.run.column_roles import guess
from elision.run.how import How
from elision.run.preview import cells, sample
from elision.text.tokens import tokenize

WORDS = re.compile(r"\w+")
PARTS = 10  # in which the first time is told


class Took(NamedTuple):
    """Seconds of each step."""

    detect: float
    remember: float
    replace: float

    @property
    def whole(self) -> float:
        return sum(self)


def notes_of(given: argparse.Namespace) -> list[Document]:
    """The notes as a run has them; those that it would hold unread are left out, and counted aloud."""
    source = open_source(given.notes)
    if given.text:
        columns = Columns(tuple(given.text)).check(source.schema, source.where)
    else:
        columns = guess(source.schema, cells(sample(source), source.schema))[0].check(source.schema, source.where)
    how = How(columns, language=given.language)
    shards = (batch for shard in source.shards(given.most) for batch in source.read(shard, columns.read))
    found = list(islice((cell for batch in shards for cell in cells_of(batch, how)), given.most))
    if held := sum(bool(cell.why) for cell in found):
        print(f"{held} notes left out, such as those that do not tell their language; see --language", file=sys.stderr)
    return [cell.document for cell in found if not cell.why]


def seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def cleaned(deidentifier: Deidentifier, calls: Iterable[Sequence[Document]]) -> Took:
    """All notes, some in each call."""
    took = [0.0, 0.0, 0.0]
    for documents in calls:
        begin = time.process_time()
        found = deidentifier.detect(documents)
        detected = time.process_time()
        found = deidentifier.remember(documents, found)
        remembered = time.process_time()
        deidentifier.replace(documents, found)
        for step, end, start in ((0, detected, begin), (1, remembered, detected), (2, time.process_time(), remembered)):
            took[step] += end - start
    return Took(*took)


def measure(language: str, documents: Sequence[Document], given: argparse.Namespace) -> None:
    deidentifier = Deidentifier(detectors_for(language), policy=given.policy, key=Key(bytes(range(32))))
    tokens = _tokens(documents, language)
    characters = sum(len(document.text) for document in documents)
    size = -(-len(documents) // PARTS)
    parts = [documents[first : first + size] for first in range(0, len(documents), size)]
    first = [_tokens(part, language) / cleaned(deidentifier, [part]).whole / 1e3 for part in parts]
    spans = [one.before.spans for one in deidentifier(documents) if one.before is not None]
    alone = [[document] for document in documents]
    rounds = [
        (
            cleaned(deidentifier, [documents]),
            cleaned(deidentifier, alone),
            seconds(lambda: [WORDS.findall(document.text) for document in documents]),
        )
        for _ in range(given.rounds)
    ]
    print(
        f"\n{language}: {len(documents):,} notes, {tokens:,} tokens, {characters / 1e6:.2f} M characters; "
        f"{sum(map(len, spans)):,} spans, {len(documents) - len(spans)} notes held\n"
        f"  {', '.join(detector.name for detector in deidentifier.detectors)}; policy {deidentifier.policy.name}"
    )
    print(f"  the first time, part after part: {' '.join(f'{each:.0f}' for each in first)} k tokens/s")
    _tell("notes in one call", [together for together, _, _ in rounds], tokens, characters)
    _tell("note by note", [each for _, each, _ in rounds], tokens, characters)
    words = statistics.median(each for _, _, each in rounds)
    ratio = statistics.median(one.whole / each for one, _, each in rounds)
    speed = f"{characters / words / 1e6:.1f} M characters/s"
    print(f'  re.findall(r"\\w+") {speed}; the whole takes {ratio:.0f} times as long')


def _tokens(documents: Sequence[Document], language: str) -> int:
    return sum(len(tokenize(document.text, language).starts) for document in documents)


def _tell(name: str, times: Sequence[Took], tokens: int, characters: int) -> None:
    print(f"  {name}")
    for step in (*Took._fields, "whole"):
        middle = statistics.median(getattr(took, step) for took in times)
        share = statistics.median(getattr(took, step) / took.whole for took in times)
        speed = f"{tokens / middle / 1e3:8.1f} k tokens/s {characters / middle / 1e6:8.2f} M characters/s"
        print(f"    {step:10} {speed} {100 * share:5.0f} % of the time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes")
    parser.add_argument("--language", default="", help="of all notes; else each tells its own")
    parser.add_argument("--text", nargs="+", metavar="COLUMN", help="the columns that hold notes")
    parser.add_argument("--most", type=int, default=1000, help="notes")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--policy", default="tag", choices=policy_names())
    given = parser.parse_args()
    if given.rounds < 1 or given.most < 1:
        parser.error("--rounds and --most: at least one")
    by_language: dict[str, list[Document]] = {}
    try:
        documents = notes_of(given)
    except ElisionError as error:
        sys.exit(str(error))
    for document in documents:
        by_language.setdefault(document.language.partition("-")[0], []).append(document)
    print(f"elision {elision.__version__}, Python {sys.version.split()[0]}, medians of {given.rounds} rounds")
    for language, these in sorted(by_language.items()):
        measure(language, these, given)


if __name__ == "__main__":
    main()
