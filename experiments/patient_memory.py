"""What patient memory does on MEDDOCAN: characters covered and lost on dev with the switch off and on.

    python experiments/patient_memory.py [CORPUS] [--sure 0.9]

CORPUS holds the folders train and dev as in the public download (default: ../shared/corpora/meddocan). The base is
`presets.elision_fast`, learnt from train. MEDDOCAN does not say whose a note is, so each note is its own patient, and
memory acts within it. Labels are made canonical first, since memory asks which of them are names.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from elision.detect import with_memory
from elision.document import Document, Span, covered
from elision.evaluate.coverage import Coverage, coverage, leaks
from elision.formats import read
from elision.labels import map_labels, mapping, tag_set
from elision.merge import merge
from elision.taggers.linear.presets import elision_fast
from elision.taggers.linear.training import fit

HERE = Path(__file__).resolve().parent


def row(name: str, found: Coverage) -> str:
    gold, both = int(found.characters.gold.sum()), int(found.characters.found.sum())
    over, harmless = int(found.over_redacted.sum()), int(found.harmless.sum())
    left = leaks(found)
    return (
        f"| {name} | {both / gold:.4%} | {over / harmless:.4%} | {both:,} | {over:,} | {left.partly + left.wholly} | "
        f"{left.clean_notes / left.notes:.1%} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What patient memory does on MEDDOCAN.")
    parser.add_argument("corpus", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "meddocan")
    parser.add_argument("--sure", type=float, nargs="+", default=[0.9])
    chosen = parser.parse_args(arguments)
    ways = mapping(tag_set("meddocan"), tag_set("canonical"))
    train, dev = (
        [map_labels(note, ways) for note in read(chosen.corpus / split, "brat")] for split in ("train", "dev")
    )
    tagger = fit(elision_fast("es"), train)
    base = tagger.detect(dev)
    print(
        "| memory | PHI covered | other text lost | characters found | lost | spans that leak | notes without a leak |"
    )
    print("|---|---|---|---|---|---|---|")
    print(row("off", _measured(dev, base)))
    for sure in chosen.sure:
        spans = with_memory(lambda _: base, sure=sure).detect(dev)
        print(row(f"on, sure at {sure}", _measured(dev, spans)))
        kept = [covered(gold.spans) for gold in dev]
        added = [(n, span) for n, theirs in enumerate(spans) for span in theirs if span.source.startswith("memory:")]
        right = sum(any(a < span.end and span.start < b for a, b in kept[n]) for n, span in added)
        print(f"\nmemory added {len(added)} spans, {right} of them on PHI\n")


def _measured(gold: Sequence[Document], found: Sequence[Sequence[Span]]) -> Coverage:
    return coverage([(note, note.with_spans(merge(spans))) for note, spans in zip(gold, found, strict=True)])


if __name__ == "__main__":
    main()
