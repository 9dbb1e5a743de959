"""One system against gold: official and corrected scores side by side, and how they are told."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate import Evaluation, Options, as_csv, as_json, evaluate, tables
from elision.formats import Reading, read
from tests.notes import GOLDEN, note

GOLD = [
    note("Seen by [NAME_CLINICIAN Dr. Quorra] on [DATE 3 May]; born [DATE_BIRTH 1950]", "1"),
    note("[NAME_PATIENT Zebedee Tarn], [AGE 81 years]", "2"),
    note("Lives in [CITY Nergens] at [STREET Dorpsweg 9]", "3"),
    note("nothing of a person here", "4"),
]
SYSTEM = [
    note("Seen by [NAME_PATIENT Dr. Quorra] on 3 [DATE May]; born [DATE_BIRTH 1950]", "1"),
    note("[NAME_PATIENT Zebedee Tarn], [AGE 81 years]", "2"),
    note("nothing of a [NAME_OTHER person] here", "4"),
]
WORDS = ["Quorra", "Zebedee", "Tarn", "Nergens", "Dorpsweg", "born", "nothing"]


def test_official_scores_leave_missing_notes_out_and_corrected_ones_count_them() -> None:
    found = evaluate(GOLD, SYSTEM, Options(scheme="i2b2-2014", tag_set="canonical"))
    strict = next(block for block in found.official.blocks if block.name == "Strict")
    assert (strict.counts.tp, strict.counts.fp, strict.counts.fn) == (3, 3, 2)
    assert found.missing == ("3",)
    assert found.figures["strict.recall"].value == pytest.approx(3 / 7)
    assert found.clean.count == 2
    assert found.leaks.spans == 7
    assert "1 notes missing from the system count as empty" in "".join(table.note for table in tables(found))


def test_parents_are_the_main_categories_of_the_tag_set() -> None:
    gold, system = note("in [HOSPITAL Clarkfield]", "1"), note("in [CITY Clarkfield]", "1")
    as_i2b2 = evaluate([gold], [system], Options(tag_set="i2b2-2014"))
    assert as_i2b2.figures["parent.f1"].value == 1.0
    as_canonical = evaluate([gold], [system], Options(tag_set="canonical"))
    assert as_canonical.figures["parent.f1"].value == 0.0
    spanish = evaluate([note("[NOMBRE_SUJETO_ASISTENCIA Ana]", "1")], [note("[NOMBRE_PERSONAL_SANITARIO Ana]", "1")])
    assert spanish.tag_set == "meddocan"
    assert spanish.figures["parent.f1"].value == 1.0


def test_a_program_that_stops_is_told_and_the_corrected_scores_stand() -> None:
    fragments = Span(0, 7, "NOMBRE_SUJETO_ASISTENCIA", info={"fragments": "0 3;4 7"})
    document = Document("Ana Gil", "1", spans=(fragments,))
    found = evaluate([document], [document], Options(scheme="meddocan"))
    assert "the official program stops" in found.official.refused
    assert found.figures["strict.f1"].value == 1.0
    assert "refused" in str(tables(found)[0].rows)


def test_runs_in_one_folder_are_to_be_scored_one_by_one() -> None:
    gold = list(read(GOLDEN / "i2b2_2014" / "case_18" / "gold", "i2b2-2014"))
    system = list(read(GOLDEN / "i2b2_2014" / "case_18" / "system", "i2b2-2014"))
    with pytest.raises(ScoreError, match=r"the system holds 2 runs \(runA, runB\)"):
        evaluate(gold, system, Options(scheme="i2b2-2014"))
    one = [document for document in system if document.id.endswith("runA")]
    assert evaluate(gold, one, Options(scheme="i2b2-2014")).figures["strict.f1"].value == 1.0


def test_a_run_may_be_compared_with_a_run() -> None:
    gold = list(read(GOLDEN / "i2b2_2014" / "case_18" / "gold", "i2b2-2014"))
    system = list(read(GOLDEN / "i2b2_2014" / "case_18" / "system", "i2b2-2014"))
    a, b = ([document for document in system if document.id.endswith(run)] for run in ("runA", "runB"))
    found = evaluate(gold, a, Options(scheme="i2b2-2014", shuffles=9), versus=b)
    assert found.versus is not None
    assert [table.title for table in tables(found)][-2] == "B: i2b2 2014, official, bugs included"


def test_labels_that_the_official_program_does_not_know_are_told() -> None:
    found = evaluate(GOLD, SYSTEM, Options(scheme="i2b2-2014"))
    assert "labels of gold" in found.unmapped
    assert "--labels canonical:i2b2-2014" in found.unmapped
    with pytest.raises(ScoreError, match="no span has the label ZZZ, so it cannot be left out"):
        evaluate(GOLD, SYSTEM, Options(without=["ZZZ"]))


def test_a_second_system_is_compared_note_by_note() -> None:
    found = evaluate(GOLD, SYSTEM, Options(shuffles=99), versus=GOLD)
    assert found.versus is not None
    strict = next(row for row in found.versus.comparisons if row.name == "strict.f1")
    assert (strict.b, strict.difference > 0) == (1.0, True)
    assert "B against A" in tables(found)[-1].title


def _both() -> list[Evaluation]:
    return [
        evaluate(GOLD, SYSTEM, Options(scheme=scheme, tag_set="canonical"), versus=GOLD)
        for scheme in ("span", "binary", "nedap", "meddocan", "i2b2-2006", "i2b2-2014")
    ]


@pytest.mark.parametrize("found", _both(), ids=lambda found: found.options.scheme)
def test_tables_json_and_csv_say_the_same_and_no_word_of_a_note(found: Evaluation) -> None:
    as_text = "\n".join(str(table) for table in tables(found, full=True))
    data = json.loads(as_json(found))
    rows = list(csv.DictReader(io.StringIO(as_csv(found))))
    for told in (as_text, as_json(found), as_csv(found), repr(found)):
        assert not any(word in told for word in WORDS)
    (f1,) = (row["value"] for row in rows if (row["name"], row["measure"]) == ("strict", "f1"))
    assert float(f1) == data["corrected"]["strict.f1"]["value"] == found.figures["strict.f1"].value
    assert f"{float(f1):.4f}" in as_text
    assert data["errors"]["kinds"]["total"] == len(data["errors"]["mistakes"]) == len(found.errors.mistakes)
    assert {row["section"] for row in rows} >= {"corrected", "label", "parent", "errors"}


def test_nedap_brings_its_agreement_and_its_own_test() -> None:
    case = GOLDEN / "nedap" / "case_08"
    gold = list(read(case / "gold", "brat"))
    texts = Reading(texts={document.id: document.text for document in gold})
    a, b = (list(read(case / side, "brat", texts)) for side in ("system", "system_b"))
    found = evaluate(gold, a, Options(scheme="nedap", shuffles=999), versus=b)
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    assert float(found.official.more["agreement (IAA)"]) == expected["iaa_gold_vs_system"]
    assert float(found.official.more["macro F1"]) == expected["entity_level"]["macro_f1_unrounded"]
    assert found.versus is not None
    assert "nedap's test on its rounded F1: difference" in tables(found)[-1].note


def test_a_label_cannot_become_a_formula() -> None:
    found = evaluate([Document("ab", "1", spans=(Span(0, 1, "=cmd()"),))], [Document("ab", "1")])
    assert {row["name"] for row in csv.DictReader(io.StringIO(as_csv(found))) if row["section"] == "label"} == {
        "'=cmd()"
    }


def test_the_binary_scheme_leads_with_tokens() -> None:
    found = evaluate(GOLD, SYSTEM, Options(scheme="binary"))
    assert tables(found)[0].rows[0][0] == "tokens, PHI or not"


def test_scores_do_not_depend_on_the_order_of_notes() -> None:
    once, again = evaluate(GOLD, SYSTEM), evaluate(GOLD, SYSTEM[::-1])
    assert once.figures == again.figures


def test_nothing_in_common_and_unknown_schemes_are_errors() -> None:
    with pytest.raises(ScoreError, match="no note is on both sides"):
        evaluate(GOLD, [replace(document, id=f"x{document.id}") for document in SYSTEM])
    with pytest.raises(ScoreError, match="no scheme 'strict'; there are"):
        evaluate(GOLD, SYSTEM, Options(scheme="strict"))


def test_golden_cases_go_through_the_whole() -> None:
    """Every MEDDOCAN case that the official program can score gives its printed numbers through `evaluate` too."""
    for case in sorted((GOLDEN / "meddocan").glob("case_*")):
        expected = json.loads((case / "expected.json").read_text("utf-8"))["results"]["brat"]
        printed = expected.get("SubTrack 1 [NER]", {}).get("printed")
        if not printed:
            continue
        gold, system = (list(read(case / side / "brat", "brat", Reading(lenient=True))) for side in ("gold", "system"))
        sentences = json.loads((case / "sentence_counts.json").read_text("utf-8"))
        found = evaluate(gold, system, Options(scheme="meddocan", sentences=sentences, replicates=1))
        assert dict(found.official.blocks[0].printed) == printed
