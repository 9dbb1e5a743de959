"""The audit: what a model holds of names, counted; and that learning holds nothing that few have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from elision.document import Document
from elision.errors import ModelError
from elision.taggers.audit import Audit, audit, identifying
from elision.taggers.experiment import Experiment, learnt_from, train
from elision.taggers.linear.holdings import words_kind
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.top_features import top_features
from elision.taggers.linear.training import fit
from tests.notes import note
from tests.taggers.planted import PLANTED, SETTINGS, notes

NO_PLAN = Experiment(share=0)


def fitted(documents: Sequence[Document], **changes: object) -> LinearTagger:
    return fit(replace(SETTINGS, **changes), documents)  # type: ignore[arg-type]


def counted(found: Audit, name: str) -> tuple[int, int, int]:
    kind = next(kind for kind in (*found.attributes, *found.conjunctions) if kind.name == name)
    return kind.strings, kind.fewest, kind.below


def test_a_planted_name_is_found_where_rare_words_were_kept() -> None:
    documents = notes()
    tagger = fitted(documents, least=1)
    assert {word.lower() for word in PLANTED} <= set(tagger.linear.values["lower"])
    found = audit(tagger, documents)
    assert (found.least, found.notes, found.groups) == (3, 40, 40)
    assert not found.passed
    assert counted(found, "lower")[1] == 1
    assert counted(found, "lower[-1] lower[0]")[2] > 0
    assert found.words.below > 0
    assert found.words.fewest == 1
    assert found.strings.below > 0


@pytest.mark.parametrize("least", [3, 4])
@pytest.mark.parametrize("patients", [False, True])
def test_none_is_found_where_they_were_dropped(least: int, patients: bool) -> None:
    documents = notes(patients=patients)
    tagger = fitted(documents, least=least)
    assert not {word.lower() for word in PLANTED} & set(tagger.linear.values["lower"])
    found = audit(tagger, documents)
    assert found.passed
    assert found.least == least
    assert found.groups == (20 if patients else 40)
    kinds = (*found.attributes, *found.conjunctions)
    assert all(kind.fewest >= least for kind in kinds if kind.strings)
    assert all(kind.strings for kind in found.attributes)
    assert found.words.held > 0  # Ada and Miller are in many notes, and may be told
    assert found.words.fewest >= least
    assert found.words.rare >= 2  # the planted names
    assert found.strings.held > 0
    assert found.words.below == found.strings.below == 0


def test_notes_of_one_patient_count_once() -> None:
    """Six notes of one patient are no proof that others have the name."""
    documents = [replace(document, patient="one" if at < 6 else f"p{at}") for at, document in enumerate(notes())]
    documents[:6] = [replace(documents[0], id=f"n{at:02}") for at in range(6)]
    by_patient = fitted(documents)
    assert PLANTED[0].lower() not in by_patient.linear.values["lower"]
    assert audit(by_patient, documents).passed
    by_note = fitted([replace(document, patient="") for document in documents])
    assert PLANTED[0].lower() in by_note.linear.values["lower"]
    found = audit(by_note, documents)
    assert not found.passed
    assert found.words.below == found.words.held - audit(by_patient, documents).words.held > 0


def test_a_conjunction_of_frequent_words_may_be_rare() -> None:
    """Two names that many have make one that only one has."""
    documents = [note("Seen: [NAME_PATIENT Ada Moor], well", "x"), *notes()]
    documents[1] = documents[2]  # without the planted name
    documents[1] = replace(documents[1], id="again")
    rare = fitted(documents, least=1, features=("lower[0]", "lower[-1] lower[0]"))
    common = fitted(documents, least=3, features=("lower[0]", "lower[-1] lower[0]"))
    assert {"ada", "moor"} <= set(common.linear.values["lower"])
    assert audit(rare, documents).strings.below > 0
    assert audit(common, documents).passed


def test_what_holds_pieces_of_words_spells_none_and_is_counted_all_the_same() -> None:
    documents = notes()
    found = audit(fitted(documents, least=1, features=("suffix3[0]", "shape[0]", "prefix2[0]")), documents)
    assert found.words.held == found.strings.held == 0
    assert found.words.distinct > 0
    assert counted(found, "suffix3")[2] > 0
    assert not found.passed


def test_values_of_several_words_spell_each() -> None:
    marked = "[NAME_PATIENT Ida Quill]: is well.\nSeen on [DATE 3 May]."
    documents = [note(marked, f"q{at}") for at in range(4)] + [note("[NAME_PATIENT Ida Holm] came.\nWell.", "r")]
    found = audit(fitted(documents, features=("key[0]", "shape[0]")), documents)
    assert (found.words.held, found.words.fewest) == (2, 4)  # ida and quill, of the key
    assert (found.strings.held, found.strings.fewest, found.strings.below) == (1, 4, 0)
    assert found.passed


def test_lists_of_words_count_unless_they_are_public() -> None:
    documents = notes()
    settings = replace(SETTINGS, features=("lower[0]", "lexicon-names[0]"), lexicons={"names": PLANTED})
    tagger = fit(settings, documents)
    found = audit(tagger, documents)
    assert (found.given.held, found.given.below) == (2, 2)
    assert not found.passed
    assert audit(tagger, documents, trust_lists=True).passed


def test_lists_in_the_folder_that_are_no_attributes_are_lists_of_words() -> None:
    documents = notes()
    tagger = fitted(documents)
    assert audit(tagger, documents, vocabulary={"vector-words": ["patient", "seen"]}).passed
    found = audit(tagger, documents, vocabulary={"vector-words": ["patient", PLANTED[0].lower()]})
    assert counted(found, "vector-words") == (2, 1, 1)
    assert found.words.below == 1


def test_an_audit_tells_numbers_and_names_of_attributes_only() -> None:
    documents = notes()
    told = str(audit(fitted(documents, least=1), documents).as_json())
    names = {word for document in documents for span in document.spans for word in document.text_of(span).split()}
    assert len(names) > 20
    assert not [name for name in names if len(name) > 2 and name.isalpha() and name.lower() in told.lower()]
    assert PLANTED[0].lower() not in told.lower()


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[NAME_PATIENT Ida] [DATE May] [PHONE 1] [MEDICAL_RECORD 2]", ("MEDICAL_RECORD", "NAME_PATIENT")),
        ("[NOMBRE_SUJETO_ASISTENCIA Ida] [FECHAS May]", ("NOMBRE_SUJETO_ASISTENCIA",)),
        ("[PERSONA Ida] [DATUM May]", ("DATUM", "PERSONA")),  # of no tag set: all
        ("[AGE 3] [DATE May]", ("AGE", "DATE")),  # none identifies: all
    ],
)
def test_which_labels_identify(marked: str, expected: tuple[str, ...]) -> None:
    assert identifying([note(marked)]) == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [("lower", "alone"), ("short", "alone"), ("key", "several"), ("vector-words", "several")]
    + [(name, "none") for name in ("prefix12", "shape", "gram6-2", "chunk-brief", "lexicon-x", "pos2", "some-digit")],
)
def test_which_attributes_are_words(name: str, kind: str) -> None:
    assert words_kind(name) == kind


def test_the_notes_of_the_training_are_known_again() -> None:
    documents = notes()
    for final in (True, False):
        tagger = train(documents, replace(SETTINGS, epochs=1), plan=Experiment(share=0.2, final=final))
        learnt = learnt_from(tagger, documents[::-1])
        assert learnt is not None
        assert len(learnt) == (40 if final else 32) == tagger.card["training"]["notes"]
        assert learnt_from(tagger, documents[1:]) is None
        assert ("final" in tagger.card) == final
        assert tagger.card["dev"]["notes"] == 8


def test_the_weightiest_features_are_told_in_words() -> None:
    features = ("lower[0]", "lower{-3..-1}", "lower[-1] lower[0]")
    tagger = fitted(notes(), features=features)
    found = top_features(tagger.linear, 3)
    assert list(found) == ["O", "DATE", "MEDICAL_RECORD", "NAME_CLINICIAN", "NAME_PATIENT"]
    for most in found.values():
        weights = [abs(one.weight) for one in most]
        assert len(weights) == 3
        assert weights == sorted(weights, reverse=True)
    everything = [one for most in top_features(tagger.linear, 10_000).values() for one in most]
    told = {(one.feature, one.tag): one.weight for one in everything}
    assert told["lower{-3..-1}=dr", "B-NAME_CLINICIAN"] > 0
    w = tagger.linear.weights
    assert len(told) == len(everything) == int((w.dense != 0).sum() + (w.weights != 0).sum())


def test_settings_of_a_plan_are_checked() -> None:
    for bad in ({"share": 1.0}, {"share": float("nan")}, {"recall": 1.5}, {"recall": float("nan")}):
        with pytest.raises(ModelError, match="a share of the"):
            Experiment(**bad)  # type: ignore[arg-type]
