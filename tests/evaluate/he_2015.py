"""The error analysis of He (2015), Tables 4, 6, 7 and 8, and made notes on which a system errs in just that way.

The numbers are those of the paper. The notes say nothing: the labels and the kinds of error alone are rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

from elision.document import Document, Span
from elision.evaluate.matching import Pair

# Table 4: label -> main category, #gold, #system, #agree, P, R, F
TABLE_4 = {
    "PATIENT": ("NAME", 879, 761, 729, 0.9580, 0.8294, 0.8890),
    "DOCTOR": ("NAME", 1912, 1789, 1676, 0.9368, 0.8766, 0.9057),
    "USERNAME": ("NAME", 92, 89, 88, 0.9888, 0.9565, 0.9724),
    "PROFESSION": ("PROFESSION", 179, 101, 83, 0.8218, 0.4637, 0.5929),
    "HOSPITAL": ("LOCATION", 875, 737, 673, 0.9132, 0.7691, 0.8350),
    "ORGANIZATION": ("LOCATION", 82, 22, 21, 0.9545, 0.2561, 0.4038),
    "STREET": ("LOCATION", 136, 125, 120, 0.9600, 0.8824, 0.9195),
    "CITY": ("LOCATION", 260, 257, 218, 0.8482, 0.8385, 0.8433),
    "STATE": ("LOCATION", 190, 171, 160, 0.9357, 0.8421, 0.8864),
    "COUNTRY": ("LOCATION", 117, 75, 67, 0.8933, 0.5726, 0.6979),
    "ZIP": ("LOCATION", 140, 133, 133, 1.0000, 0.9500, 0.9744),
    "LOCATION-OTHER": ("LOCATION", 13, 0, 0, 0.0, 0.0, 0.0),
    "AGE": ("AGE", 764, 696, 667, 0.9583, 0.8730, 0.9137),
    "DATE": ("DATE", 4980, 4934, 4831, 0.9791, 0.9701, 0.9746),
    "PHONE": ("CONTACT", 215, 213, 202, 0.9484, 0.9395, 0.9439),
    "FAX": ("CONTACT", 2, 0, 0, 0.0, 0.0, 0.0),
    "EMAIL": ("CONTACT", 1, 0, 0, 0.0, 0.0, 0.0),
    "MEDICALRECORD": ("IDs", 422, 422, 411, 0.9739, 0.9739, 0.9739),
    "DEVICE": ("IDs", 8, 0, 0, 0.0, 0.0, 0.0),
    "IDNUM": ("IDs", 195, 175, 151, 0.8629, 0.7744, 0.8162),
}

# The "Overall" rows of Table 4: #gold, #system, #agree, P, R, F
OVERALL = {
    "NAME": (2883, 2639, 2552, 0.9670, 0.8852, 0.9243),
    "LOCATION": (1813, 1520, 1448, 0.9526, 0.7987, 0.8689),
    "CONTACT": (218, 213, 203, 0.9531, 0.9312, 0.9420),
    "IDs": (625, 597, 568, 0.9514, 0.9088, 0.9296),
}

# Table 6: kind -> number, percentage
TABLE_6 = {"type": (159, 12.04), "extent": (202, 15.29), "missing": (851, 64.42), "spurious": (109, 8.25)}

# Table 7, row by row: the diagonal is #agree of Table 4, these are the type errors (gold, system, number) ...
TYPE_ERRORS = [
    ("PATIENT", "DOCTOR", 44),
    ("PATIENT", "HOSPITAL", 1),
    ("PATIENT", "CITY", 2),
    ("PATIENT", "COUNTRY", 1),
    ("DOCTOR", "PATIENT", 14),
    ("DOCTOR", "CITY", 1),
    ("DOCTOR", "DATE", 1),
    ("USERNAME", "DOCTOR", 1),
    ("HOSPITAL", "DOCTOR", 5),
    ("HOSPITAL", "CITY", 9),
    ("ORGANIZATION", "DOCTOR", 1),
    ("ORGANIZATION", "PROFESSION", 1),
    ("ORGANIZATION", "HOSPITAL", 9),
    ("ORGANIZATION", "CITY", 6),
    ("CITY", "PATIENT", 2),
    ("CITY", "DOCTOR", 4),
    ("CITY", "HOSPITAL", 6),
    ("CITY", "COUNTRY", 3),
    ("STATE", "HOSPITAL", 2),
    ("STATE", "CITY", 10),
    ("COUNTRY", "PATIENT", 1),
    ("COUNTRY", "DOCTOR", 3),
    ("COUNTRY", "CITY", 3),
    ("COUNTRY", "STATE", 4),
    ("ZIP", "PHONE", 6),
    ("ZIP", "IDNUM", 1),
    ("LOCATION-OTHER", "HOSPITAL", 2),
    ("LOCATION-OTHER", "CITY", 2),
    ("DATE", "DOCTOR", 1),
    ("DATE", "PROFESSION", 1),
    ("DATE", "MEDICALRECORD", 1),
    ("PHONE", "DATE", 1),
    ("PHONE", "IDNUM", 2),
    ("FAX", "PHONE", 1),
    ("MEDICALRECORD", "IDNUM", 4),
    ("IDNUM", "DATE", 1),
    ("IDNUM", "MEDICALRECORD", 2),
]

# ... these the missing spans (number, percentage of the row, total of the row), in the order of Table 4 ...
MISSING = [
    (82, 9.5, 859),
    (173, 9.3, 1865),
    (3, 3.3, 92),
    (88, 51.5, 171),
    (165, 19.4, 852),
    (39, 50.6, 77),
    (7, 5.5, 127),
    (21, 8.3, 254),
    (14, 7.5, 186),
    (37, 32.2, 115),
    (0, 0.0, 140),
    (9, 69.2, 13),
    (85, 11.3, 752),
    (88, 1.8, 4922),
    (5, 2.4, 210),
    (1, 50.0, 2),
    (1, 100.0, 1),
    (1, 0.2, 416),
    (8, 100.0, 8),
    (24, 13.5, 178),
]

# ... and these the spurious ones (number, percentage of the column, total of the column).
SPURIOUS = [
    (1, 0.1, 747),
    (13, 0.7, 1748),
    (1, 1.1, 89),
    (9, 9.6, 94),
    (19, 2.7, 712),
    (0, 0.0, 21),
    (0, 0.0, 120),
    (4, 1.6, 255),
    (2, 1.2, 166),
    (1, 1.4, 72),
    (0, 0.0, 133),
    (0, 0.0, 0),
    (16, 2.3, 683),
    (38, 0.8, 4872),
    (2, 0.9, 211),
    (0, 0.0, 0),
    (0, 0.0, 0),
    (2, 0.5, 416),
    (0, 0.0, 0),
    (1, 0.6, 159),
]

# Table 8: label of the system -> short, long, short and long
TABLE_8 = {
    "PATIENT": (9, 5, 0),
    "DOCTOR": (21, 18, 2),
    "PROFESSION": (4, 3, 0),
    "HOSPITAL": (7, 15, 3),
    "ORGANIZATION": (0, 1, 0),
    "STREET": (1, 0, 4),
    "CITY": (2, 0, 0),
    "STATE": (5, 0, 0),
    "COUNTRY": (3, 0, 0),
    "AGE": (9, 4, 0),
    "DATE": (42, 20, 0),
    "PHONE": (1, 1, 0),
    "MEDICALRECORD": (3, 3, 0),
    "IDNUM": (7, 8, 1),
}

LABELS = list(TABLE_4)
WIDTH = 8  # characters that each case has to itself

Case = tuple[list[tuple[int, int, str]], list[tuple[int, int, str]]]  # gold and system spans of a case


def main_category(label: str) -> str:
    return TABLE_4[label][0]


def type_error_matrix() -> list[list[int]]:
    """The inner part of Table 7."""
    at = {label: place for place, label in enumerate(LABELS)}
    matrix = [[TABLE_4[label][3] if label == other else 0 for other in LABELS] for label in LABELS]
    for gold, system, number in TYPE_ERRORS:
        matrix[at[gold]][at[system]] = number
    return matrix


def pairs(notes: int = 40) -> tuple[Pair, ...]:
    """Notes with every case of the tables, dealt out in turn."""
    cases = list(_cases())
    return tuple(_note(f"note-{number}", cases[number::notes]) for number in range(notes))


def _note(id: str, cases: list[Case]) -> Pair:
    sides: tuple[list[Span], list[Span]] = [], []
    for place, case in enumerate(cases):
        for side, spans in zip(sides, case, strict=True):
            side += [Span(place * WIDTH + start, place * WIDTH + end, label) for start, end, label in spans]
    gold = Document("x" * WIDTH * len(cases), id, spans=tuple(sides[0]))
    return gold, gold.with_spans(sides[1])


def _cases() -> Iterator[Case]:
    for row, gold in zip(type_error_matrix(), LABELS, strict=True):
        for number, system in zip(row, LABELS, strict=True):
            yield from repeat(([(0, 3, gold)], [(0, 3, system)]), number)
    for gold, (number, _, _) in zip(LABELS, MISSING, strict=True):
        yield from repeat(([(0, 3, gold)], []), number)
    for system, (number, _, _) in zip(LABELS, SPURIOUS, strict=True):
        yield from repeat(([], [(0, 3, system)]), number)
    yield from _extent_cases()


def _extent_cases() -> Iterator[Case]:
    """The extent errors. More gold spans are touched than system spans touch them: some long spans hold two."""
    touched = [
        label
        for (label, row), (_, _, total) in zip(TABLE_4.items(), MISSING, strict=True)
        for _ in range(row[1] - total)
    ]
    second = len(touched) - sum(sum(row) for row in TABLE_8.values())
    labels = iter(touched)
    for system, (short, long, both) in TABLE_8.items():
        for shape in chain(repeat("short", short), repeat("long", long), repeat("both", both)):
            if shape == "short":
                yield [(0, 5, next(labels))], [(1, 4, system)]
            elif shape == "both":
                yield [(0, 4, next(labels))], [(2, 6, system)]
            elif second:
                second -= 1
                yield [(0, 2, next(labels)), (4, 5, next(labels))], [(0, 6, system)]
            else:
                yield [(1, 4, next(labels))], [(0, 6, system)]
    assert next(labels, None) is None, "a touched gold span of the tables was not used"
