"""The Spanish rules alone on MEDDOCAN: which characters of the gold spans they cover, and how many they cover beside.

    python experiments/rules_meddocan.py [CORPUS] [--split dev] [--pack es]

CORPUS holds the folders train and dev as in the public download (default: ../shared/corpora/meddocan). It prints a
Markdown table. All is counted in characters. Recall: gold characters that rules of this label cover, and that any rule
covers. Precision: characters covered by rules of this label that gold covers with the same label, and with any label.
A rule's label becomes that of MEDDOCAN by the tag set that comes with elision, but for ages of relatives: MEDDOCAN's
age is the patient's alone, so the rules `es/ages/relative-…` count as FAMILIARES_SUJETO_ASISTENCIA here. A line of its
own says what comes out where their ages count as the patient's. The figures to reach are those of dates, phones with
fax, e-mail, ids and ages: 97 % each way. The forms were chosen on train; dev was only measured.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import elision
from elision.document import Span
from elision.formats import read
from elision.labels import mapping_named
from elision.rules import Rules

HERE = Path(__file__).resolve().parent
IDS = (
    "ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO", "ID_TITULACION_PERSONAL_SANITARIO", "ID_CONTACTO_ASISTENCIAL",
)  # fmt: skip
GROUPS = {
    "dates": ("FECHAS",),
    "phones and fax": ("NUMERO_TELEFONO", "NUMERO_FAX"),
    "e-mail": ("CORREO_ELECTRONICO",),
    "ids": IDS,
    "ages": ("EDAD_SUJETO_ASISTENCIA",),
}
KIN, RELATIVE = "FAMILIARES_SUJETO_ASISTENCIA", "/ages/relative-"
Place = tuple[str, int]  # a document and a character of it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path, default=HERE.parents[1] / "shared" / "corpora" / "meddocan")
    parser.add_argument("--split", choices=["train", "dev"], default="dev")
    parser.add_argument("--pack", default="es")
    given = parser.parse_args()
    ways = mapping_named("canonical:meddocan")
    rules = Rules(given.pack)
    gold: dict[str, set[Place]] = defaultdict(set)
    numbered: dict[str, set[Place]] = defaultdict(set)  # of the gold spans that hold a digit
    found: dict[str, set[Place]] = defaultdict(set)
    all_ages: dict[str, set[Place]] = defaultdict(set)
    for document in read(given.corpus / given.split, "brat"):
        fill(gold, document.name, document.spans, lambda span: span.label)
        with_digit = (s for s in document.spans if any(c.isdigit() for c in document.text[s.start : s.end]))
        fill(numbered, document.name, with_digit, lambda span: span.label)
        spans = rules.spans(document.text)
        fill(found, document.name, spans, lambda span: KIN if RELATIVE in span.source else ways[span.label].label)
        fill(all_ages, document.name, spans, lambda span: ways[span.label].label)
    print(f"elision {elision.__version__}, {len(rules.rows)} rules, MEDDOCAN {given.split}, characters\n")
    print("| label | gold | recall | by any rule | gold with a digit | recall | precision | against any gold |")
    print("|---|---|---|---|---|---|---|---|")
    for name, labels in GROUPS.items():
        print(line(f"**{name}**", labels, gold, numbered, found))
    print(line("ages, those of relatives too", GROUPS["ages"], gold, numbered, all_ages))
    for label in sorted(gold, key=lambda name: (not any(name in group for group in GROUPS.values()), name)):
        print(line(label, (label,), gold, numbered, found))


def fill(places: dict[str, set[Place]], name: str, spans: Iterable[Span], named: Callable[[Span], str]) -> None:
    """Add the characters of spans to those of their labels."""
    for span in spans:
        places[named(span)].update((name, at) for at in range(span.start, span.end))


def line(
    title: str,
    labels: Iterable[str],
    gold: dict[str, set[Place]],
    numbered: dict[str, set[Place]],
    found: dict[str, set[Place]],
) -> str:
    """A line of the table."""
    right, digits, ours = (
        set().union(*(table.get(label, set()) for label in labels)) for table in (gold, numbered, found)
    )
    everything, covered = set().union(*gold.values()), set().union(*found.values())
    shares = (
        len(right), share(right & ours, right), share(right & covered, right),
        len(digits), share(digits & ours, digits), share(ours & right, ours), share(ours & everything, ours),
    )  # fmt: skip
    return f"| {title} | " + " | ".join(map(str, shares)) + " |"


def share(part: set[Place], whole: set[Place]) -> str:
    return f"{100 * len(part) / len(whole):.1f}" if whole else "–"


if __name__ == "__main__":
    main()
