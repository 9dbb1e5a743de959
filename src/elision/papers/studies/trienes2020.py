"""Trienes 2020: rules, a CRF and a BiLSTM-CRF on Dutch and English notes. Tables 1, 3, 5 to 9 and Figure 2,
and the agreement of annotators.

Tables 2 and 4 have no numbers. Table 7 sorts errors by reading them; here, as far as their form tells.
"""

from __future__ import annotations

from dataclasses import replace

from elision.document import Document
from elision.evaluate.corpus import describe
from elision.evaluate.error_kinds import KINDS, count_kinds
from elision.papers.studies import trienes2020_agreement
from elision.papers.studies.scored import PRF, Scored, Scores
from elision.papers.studies.study import ALL, TEST, TRAIN, Cell, Corpus, Item, Made, Part, Row, Run, Study, Table

NAME = "trienes2020"
DUTCH, AMERICAN, NURSES = "dutch", "i2b2-2014", "nursing"
DOMAINS = ("elderly", "disabled", "mental")
ALL_DOMAINS = "+".join(DOMAINS)
CORPORA = (
    Corpus(DUTCH, "NUT", "nl", "nut", Made("nut-like", (600, 200), (40, 20)), without=("Other",)),
    Corpus(AMERICAN, "i2b2 2014", "en", AMERICAN, Made("i2b2-2014-like", (300, 200), (20, 12)), without=("OTHER",)),
    Corpus(
        NURSES,
        "PhysioNet's nursing notes",
        "en",
        "physionet",
        Made("i2b2-2014-like", (400, 150), (40, 20), grammars={"nursing": 1.0}),
        without=("Other",),
    ),
    *(
        Corpus(
            domain,
            f"NUT, {domain} care",
            "nl",
            "nut",
            Made("nut-like", (330, 90), (24, 12), grammars={f"{domain}_*": 1.0}),
            without=("Other",),
        )
        for domain in DOMAINS
    ),
)
SYSTEMS = {"rules": "menger2018", "CRF": "liu2015", "BiLSTM-CRF": "bilstm-crf"}
LEARNERS = ("CRF", "BiLSTM-CRF")
NAMED_LOCATIONS = ("Hospital", "Care_Institute", "Organization_Company", "Internal_Location")
SHARES = (0.10, 0.25, 0.50, 1.0)


def _run(name: str, system: str, train: Part, test: Part) -> Run:
    return Run(name, SYSTEMS[system], train, test)


TABLE5 = (f"{DUTCH}, rules", *(f"{corpus}, {each}" for corpus in (DUTCH, AMERICAN, NURSES) for each in LEARNERS))
CURVE = {
    f"{system}, {share:.0%}": f"{DUTCH}, {system}" if share == 1 else f"{DUTCH}, {system}, {share:.0%}"
    for system in LEARNERS
    for share in SHARES
}
ACROSS = {f"{domain} to all, {system}": (domain, system) for system in LEARNERS for domain in DOMAINS}
RULES_ACROSS = "all domains, rules"
RUNS = (
    *(
        _run(name, name.split(", ")[1], Part(name.split(", ")[0], TRAIN), Part(name.split(", ")[0], TEST))
        for name in TABLE5
    ),
    *(
        _run(f"{DUTCH}, {system}, {share:.0%}", system, Part(DUTCH, TRAIN, share), Part(DUTCH, TEST))
        for system in LEARNERS
        for share in SHARES
        if share < 1
    ),
    *(_run(name, system, Part(domain, TRAIN), Part(ALL_DOMAINS, TEST)) for name, (domain, system) in ACROSS.items()),
    _run(RULES_ACROSS, "rules", Part(ALL_DOMAINS, TRAIN), Part(ALL_DOMAINS, TEST)),
)


def grouped(note: Document) -> Document:
    """Hospitals, institutes, organizations and internal locations as one tag, as the paper counts the rules."""
    names = dict.fromkeys(NAMED_LOCATIONS, "Named Location")
    return note.with_spans(replace(span, label=names.get(span.label, span.label)) for span in note.spans)


def _counted(scores: Scores, run: str) -> Scored:
    """The scores of a run; of rules, with the four kinds of named locations as one."""
    scored = scores.of(run)
    return scored.as_notes(grouped) if scored.run.preset == SYSTEMS["rules"] else scored


def table1(item: Item, scores: Scores) -> Table:
    found = {name: describe(scores.part(name, ALL)) for name in item.corpora}
    rows = []
    for name in ("documents", "patients", "tokens", "vocabulary", "identifiers"):
        counts = {
            corpus: {
                "documents": each.notes, "patients": each.patients, "tokens": each.tokens,
                "vocabulary": each.vocabulary, "identifiers": each.spans,
            }[name]
            for corpus, each in found.items()
        }  # fmt: skip
        rows.append(Row(name, scores.counted(item.key, name, counts)))
    return item.table(item.corpora, rows)


def table3(item: Item, scores: Scores) -> Table:
    rows = []
    for label in describe(scores.part(DUTCH, ALL)).labels:
        cells = scores.counted(item.key, label.label, {"identifiers": label.spans})
        rows.append(Row(label.label, (*cells, Cell(100 * label.share, form="percent"))))
    return item.table(
        ("identifiers", "share"),
        rows,
        "The paper adds the agreement of two annotators (F1 .84 in all): see the next table. For your own annotators, "
        "elision compare and elision review agree count it.",
    )


def table5(item: Item, scores: Scores) -> Table:
    rows = []
    for name in TABLE5:
        figures = _counted(scores, name).figures
        found = [figures[f"strict.{each}"] for each in ("precision", "recall", "f1")]
        rows.append(Row(name, scores.cells(item.key, name, PRF, found)))
    told = {DUTCH: "about +0.10", AMERICAN: "a gain", NURSES: "+0.112"}
    gains = [
        scores.gain(
            f"BiLSTM-CRF against CRF on {each}, recall", f"{each}, CRF", f"{each}, BiLSTM-CRF", how, "strict.recall"
        )
        for each, how in told.items()
    ]
    return item.table(PRF, rows, *gains, "The rules are like DEDUCE, and know no institutes of yours.")


def table6(item: Item, scores: Scores) -> Table:
    runs = {system: scores.of(f"{DUTCH}, {system}").as_notes(grouped) for system in SYSTEMS}
    wanted = [(system, each) for system in SYSTEMS for each in ("precision", "recall")]
    columns = tuple(f"{system} {each}" for system, each in wanted)
    tally = runs["rules"].counts.strict
    rows = []
    for label in tally.labels:
        if tally.of(label).gold.any():
            found = [runs[system].figures.get(f"strict.{label}.{each}") for system, each in wanted]
            rows.append(Row(label, scores.cells(item.key, label, columns, found)))
    return item.table(columns, rows)


def figure2(item: Item, scores: Scores) -> Table:
    rows = []
    rules = _counted(scores, f"{DUTCH}, rules").figures["strict.f1"]
    for share in SHARES:
        found = [scores.of(CURVE[f"{system}, {share:.0%}"]).figures["strict.f1"] for system in LEARNERS]
        rows.append(Row(f"{share:.0%}", scores.cells(item.key, f"{share:.0%}", ("rules", *LEARNERS), [rules, *found])))
    above = all((cell.value or 0) > rules.value for cell in rows[0].cells[1:])
    return item.table(
        ("rules", *LEARNERS),
        rows,
        f"With 10 % of the notes, both learners are better than the rules: {'yes' if above else 'no'} here; "
        "published: yes. The paper counts its shares in sentences.",
    )


def table7(item: Item, scores: Scores) -> Table:
    found = count_kinds(scores.of(f"{DUTCH}, BiLSTM-CRF").pairs)
    sides = {"FN": found.missed, "FP": found.spurious}
    rows = []
    for kind in KINDS:
        counts = scores.counted(item.key, kind, {side: counted[kind] for side, counted in sides.items()})
        shares = tuple(
            Cell(
                _share(counted[kind], counted.total()),
                scores.published(item.key, kind, f"{side} share"),
                form="percent",
            )
            for side, counted in sides.items()
        )
        rows.append(Row(kind, (counts[0], shares[0], counts[1], shares[1])))
    total = scores.counted(item.key, "total", {side: counted.total() for side, counted in sides.items()})
    rows.append(Row("total", (total[0], Cell(None), total[1], Cell(None))))
    return item.table(
        ("FN", "FN share", "FP", "FP share"),
        rows,
        "Kinds that a form tells. The paper's readers also told what is ambiguous or debatable, what annotators missed "
        "(11.5 % of FP) and what they cut wrongly (4.5 % of FN, 6.3 % of FP). Here these are in the other rows.",
    )


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _in(scored: Scored, scores: Scores, domains: tuple[str, ...]) -> Scored:
    """The scores on the test notes of some domains."""
    ids = {note.id for domain in domains for note in scores.part(domain, TEST)}
    return scored.of_ids(ids)


def table8(item: Item, scores: Scores) -> Table:
    rows = []
    for system in SYSTEMS:
        found = []
        for domain in DOMAINS:
            scored = _counted(scores, RULES_ACROSS if system == "rules" else f"{domain} to all, {system}")
            others = tuple(other for other in DOMAINS if other != domain)
            found.append(_in(scored, scores, others).figures["strict.f1"])
        rows.append(Row(system, scores.cells(item.key, system, DOMAINS, found)))
    return item.table(DOMAINS, rows, "F1 on the two other domains, by the domain that a system was trained on.")


def table9(item: Item, scores: Scores) -> Table:
    rows = []
    for domain in DOMAINS:
        scored = scores.of(f"{domain} to all, BiLSTM-CRF")
        found = [_in(scored, scores, (other,)).figures["strict.f1"] for other in DOMAINS]
        rows.append(Row(f"trained on {domain}", scores.cells(item.key, f"trained on {domain}", DOMAINS, found)))
    home = [row.cells[at].value or 0.0 for at, row in enumerate(rows)]
    lower = sum(
        (cell.value or 0.0) < home[at] for at, row in enumerate(rows) for to, cell in enumerate(row.cells) if to != at
    )
    return item.table(DOMAINS, rows, f"Lower away from home: {lower} of 6 transfers here; published: 4 of 6.")


BILSTM_ACROSS = tuple(name for name, (_, system) in ACROSS.items() if system == "BiLSTM-CRF")
ITEMS = (
    Item("table1", "Table 1: the corpora", (), table1, corpora=(DUTCH, AMERICAN, NURSES)),
    Item("table3", "Table 3: tags of the Dutch notes", (), table3, corpora=(DUTCH,)),
    trienes2020_agreement.ITEM,
    Item("table5", "Table 5: three methods on three corpora", TABLE5, table5),
    Item("table6", "Table 6: Dutch notes by tag", tuple(f"{DUTCH}, {each}" for each in SYSTEMS), table6),
    Item("table7", "Table 7: errors of the BiLSTM-CRF by kind", (f"{DUTCH}, BiLSTM-CRF",), table7),
    Item(
        "figure2",
        "Figure 2: F1 by the share of training notes",
        (f"{DUTCH}, rules", *CURVE.values()),
        figure2,
        plot="lines",
    ),
    Item("table8", "Table 8: F1 across domains", (*ACROSS, RULES_ACROSS), table8, corpora=DOMAINS),
    Item("table9", "Table 9: F1 of the BiLSTM-CRF by domain", BILSTM_ACROSS, table9, corpora=DOMAINS),
)
STUDY = Study(
    NAME,
    "Trienes et al. 2020, Comparing rule-based, feature-based and deep neural methods for de-identification of Dutch "
    "medical records",
    CORPORA,
    RUNS,
    ITEMS,
    "The BiLSTM-CRF is the quick variant: it learns its vectors from the training notes. The paper downloads GloVe, "
    "fastText and Flair.",
)
